import KeyedArchives
import SaveCodec

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
