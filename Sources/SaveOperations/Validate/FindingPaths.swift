import KeyedArchives
import SaveCodec

/// Tells of problems in an archive where a user of its objects finds them.
struct FindingPaths {
    private let archive: KeyedArchive
    private let view: ObjectView
    private let replaceAddresses: Bool

    /// - Parameter replaceAddresses: whether nobody can see the property list that the archive is stored as, because the
    ///   file is graph JSON.
    init(_ archive: KeyedArchive, replaceAddresses: Bool) {
        self.archive = archive
        view = ObjectView(archive)
        self.replaceAddresses = replaceAddresses
    }

    func findings(for problems: [Problem]) -> [Finding] {
        let objects = problems.map(object(of:))
        let addresses = addresses(of: objects.compactMap { $0 })
        return zip(problems, objects).map { problem, object in
            let path = object.flatMap { addresses[$0] }
            guard object != nil else { return Finding(problem) }
            guard replaceAddresses else { return Finding(problem, path: path) }
            var problem = problem
            problem.address = path
            return Finding(problem)
        }
    }

    /// Where a user of the objects finds these; nothing of those that no root leads to, or in very many steps.
    func addresses(of objects: [UID]) -> [UID: JSONPointer] {
        guard !objects.isEmpty else { return [:] }
        let paths = view.graph.paths(to: Set(objects.map(view.id(of:))), longest: Self.longest)
        return Dictionary(
            uniqueKeysWithValues: Set(objects).compactMap { uid in
                paths[view.id(of: uid)].flatMap { Self.address($0, in: view) }.map { (uid, $0) }
            })
    }

    /// The object of the archive that a problem is about.
    private func object(of problem: Problem) -> UID? {
        guard let tokens = problem.address?.tokens, tokens.count > 1, tokens[0].elementsEqual("$objects".utf16),
            let index = Int(String(decoding: tokens[1], as: UTF16.self)), (0..<archive.count).contains(index)
        else { return nil }
        return UID(index)
    }

    /// A way of more steps is of no use to anyone.
    private static let longest = 200
    /// As much of a key is told, in code units.
    private static let longestKey = 200
    /// Many findings have a way each, so that all its keys together are bounded as well.
    private static let longestKeys = 4000

    /// The address of a way from the root; nil for one of very many steps or very long keys.
    private static func address(_ steps: [ObjectGraph.Step], in view: ObjectView) -> JSONPointer? {
        let graph = view.graph
        var address = JSONPointer.root
        var length = 0
        for step in steps {
            let (container, position) = (graph.containers[Int(step.container)], Int(step.position))
            let key = container.kind.isKeyed ? graph.key(position, of: container) : nil
            view.append(Outline.PathStep(key: key, position: position), longest: longestKey, to: &address)
            length += address.tokens.last?.count ?? 0
            guard length <= longestKeys else { return nil }
        }
        return address
    }
}
