import KeyedArchives
public import SaveCodec

/// What checking a file found.
public struct Report: Sendable {
    /// The format that the file is in; nil if it is none of ours.
    public internal(set) var format: Format?
    /// Whether the file presents itself as a keyed archive.
    public internal(set) var isArchive = false
    /// All that was found: first of the property list, then of the archive in the order of its objects.
    public internal(set) var findings: [Finding] = []

    init() {}

    /// The report on a file that cannot be read, for this reason.
    init(_ problem: Problem) {
        findings = [Finding(problem)]
    }

    /// Whether nothing was found that is an error.
    public var isSound: Bool { findings.allSatisfy { $0.problem.severity < .error } }
}

/// Something that checking a file found.
public struct Finding: Sendable, Equatable {
    /// What it is, and where it stands in the file: in an archive, in the property list that it is stored as.
    public let problem: Problem
    /// In an archive, the address of the object in question as ``KeyedArchive/ObjectView`` has it, if a root leads there.
    package let path: JSONPointer?

    /// Where the value in question is in a ``GameSave``, if that can be told.
    public var address: JSONPointer? { path ?? problem.address }

    /// Creates a finding.
    package init(_ problem: Problem, path: JSONPointer? = nil) {
        self.problem = problem
        self.path = path
    }
}

extension Finding: CustomStringConvertible {
    /// The finding for people, on one line: `byte 0x197: /HighScores/3: error: the record has no TotalScore
    /// [scores.field]`. Not for programs to read.
    public var description: String {
        let place = [problem.place.map { "\($0): " }, address.map { "\($0): " }]
        return place.compactMap(\.self).joined() + "\(problem.severity.rawValue): \(problem.message) [\(problem.id)]"
    }
}

// MARK: Addresses

/// Tells of problems in an archive where a user of its objects finds them.
struct FindingPaths {
    private let addresses: ViewAddresses
    private let replaceAddresses: Bool

    /// - Parameter replaceAddresses: whether nobody can see the property list that the archive is stored as, because the
    ///   file is graph JSON.
    init(_ archive: KeyedArchive, replaceAddresses: Bool) {
        addresses = ViewAddresses(ObjectView(archive))
        self.replaceAddresses = replaceAddresses
    }

    func findings(for problems: [Problem]) -> [Finding] {
        zip(problems, addresses.ofValues(at: problems.map { $0.address.flatMap(inObject) })).map { problem, path in
            guard replaceAddresses, problem.address.flatMap(inObject) != nil else {
                return Finding(problem, path: path)
            }
            var problem = problem
            problem.address = path
            return Finding(problem)
        }
    }

    /// An address if it is that of an object, of what is in one, or of a root.
    private func inObject(_ address: JSONPointer) -> JSONPointer? {
        let isRoot = address.tokens.count > 1 && address.tokens[0].elementsEqual("$top".utf16)
        return isRoot || addresses.object(at: address) != nil ? address : nil
    }

    /// Where a user of the objects finds these; nothing of those that no root leads to, or in very many steps.
    func addresses(of objects: [UID]) -> [UID: JSONPointer] { addresses.ofObjects(objects) }
}
