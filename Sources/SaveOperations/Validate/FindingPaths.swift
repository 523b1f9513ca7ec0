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
        let objects = problems.map { $0.address.flatMap(addresses.object) }
        let paths = addresses(of: objects.compactMap { $0 })
        return zip(problems, objects).map { problem, object in
            guard let object else { return Finding(problem) }
            guard replaceAddresses else { return Finding(problem, path: paths[object]) }
            var problem = problem
            problem.address = paths[object]
            return Finding(problem)
        }
    }

    /// Where a user of the objects finds these; nothing of those that no root leads to, or in very many steps.
    func addresses(of objects: [UID]) -> [UID: JSONPointer] { addresses.ofObjects(objects) }
}
