import KeyedArchive
import SaveCodec

/// Tells of problems in an archive where a user of its objects finds them.
struct FindingPaths {
    private let archive: KeyedArchive
    private let replaceAddresses: Bool

    /// - Parameter replaceAddresses: whether nobody can see the property list that the archive is stored as, because the
    ///   file is graph JSON.
    init(_ archive: KeyedArchive, replaceAddresses: Bool) {
        self.archive = archive
        self.replaceAddresses = replaceAddresses
    }

    func findings(for problems: [Problem]) -> [Finding] {
        let objects = problems.map(object(of:))
        guard objects.contains(where: { $0 != nil }) else { return problems.map { Finding($0) } }
        let paths = ObjectPaths(ObjectView(archive))
        return zip(problems, objects).map { problem, uid in
            let path = uid.flatMap(paths.path(to:))
            guard replaceAddresses else { return Finding(problem, path: path) }
            var problem = problem
            problem.address = path
            return Finding(problem)
        }
    }

    /// The object of the archive that a problem is about.
    private func object(of problem: Problem) -> UID? {
        guard let tokens = problem.address?.tokens, tokens.count > 1, tokens[0].elementsEqual("$objects".utf16),
            let index = Int(String(decoding: tokens[1], as: UTF16.self)), (0..<archive.count).contains(index)
        else { return nil }
        return UID(index)
    }
}
