import KeyedArchives
public import SaveCodec
import SaveOperations

/// The findings of a check of a file.
public struct Report: Sendable {
    /// The format of the file; nil if it is not recognized.
    public internal(set) var format: Format?
    /// Whether the file claims to be a keyed archive.
    public internal(set) var isArchive = false
    /// All findings: first those about the property list, then those about the archive in the order of its objects.
    public package(set) var findings: [Finding] = []

    init() {}

    /// Creates the report on a file that cannot be read.
    init(_ problem: Problem) {
        findings = [Finding(problem)]
    }

    /// Whether no finding is an error.
    public var isSound: Bool { findings.allSatisfy { $0.problem.severity < .error } }
}

/// A finding of a check.
public struct Finding: Sendable, Equatable {
    /// The problem and its location in the file. For an archive, its address is in the stored property list.
    public let problem: Problem
    /// For an archive, the address of the object in the value graph, if a root reaches it.
    package let path: JSONPointer?

    /// The address of the value in a ``GameSave``; nil if it is unknown.
    public var address: JSONPointer? { path ?? problem.address }

    /// Creates a finding.
    package init(_ problem: Problem, path: JSONPointer? = nil) {
        self.problem = problem
        self.path = path
    }
}

extension Finding: CustomStringConvertible {
    /// The finding on one line, for people: `byte 0x197: /HighScores/3: error: the record has no TotalScore
    /// [scores.field]`. The format may change; do not parse it.
    public var description: String {
        let prefix = [problem.location.map { "\($0): " }, address.map { "\($0): " }]
        return prefix.compactMap(\.self).joined() + "\(problem.severity.rawValue): \(problem.message) [\(problem.id)]"
    }
}

// MARK: Addresses

/// A translation of problems in an archive into findings with addresses in the value graph.
struct FindingPaths {
    private let addresses: StoredAddressTranslator
    private let replaceAddresses: Bool

    /// - Parameter replaceAddresses: Whether addresses in the stored property list are replaced, because the file is
    ///   graph JSON and does not show that property list.
    init(_ archive: KeyedArchive, replaceAddresses: Bool) {
        addresses = StoredAddressTranslator(ObjectView(archive.showingRuns()))
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

    /// Returns an address if it leads to an object, into an object, or to a root; nil otherwise.
    private func inObject(_ address: JSONPointer) -> JSONPointer? {
        let isRoot = address.tokens.count > 1 && address.tokens[0].elementsEqual("$top".utf16)
        return isRoot || addresses.object(at: address) != nil ? address : nil
    }

    /// Returns the addresses of objects in the value graph. Objects that no root reaches in a limited number of steps
    /// have none.
    func addresses(of objects: [UID]) -> [UID: JSONPointer] { addresses.ofObjects(objects) }
}

extension FileLocations {
    /// Returns findings with a location added to each that has none.
    ///
    /// - Parameter view: The view that their addresses refer to; nil for the stored property list.
    func located(_ findings: [Finding], in view: ObjectView? = nil) -> [Finding] {
        let addresses = findings.map { $0.problem.address ?? $0.path }
        let problems = located(findings.map(\.problem), at: addresses, in: view)
        return zip(problems, findings).map { Finding($0, path: $1.path) }
    }
}
