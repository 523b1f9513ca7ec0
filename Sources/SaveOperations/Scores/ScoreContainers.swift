import KeyedArchives
import SaveCodec

/// The containers of a save that may be tables of high scores: the root, its members, and their members.
///
///     []                   [{"name": …}, …]
///     [classic], [action]  {"classic": [{"name": …}, …], "action": […]}
///     [modes, timed]       {"modes": {"timed": [{"name": …}, …]}}
///     [boards, 0, entries] {"boards": [{"mode": "easy", "entries": [{"name": …}, …]}, …]}
struct ScoreContainers {
    struct Candidate {
        let address: JSONPointer
        let array: ViewID
        /// Whether this is an array or a table of a database, rather than a dictionary.
        let isList: Bool
        /// The number of containers around this one.
        let depth: Int
        /// The position of the container around this one among the candidates.
        let parent: Int?
    }

    private let view: ObjectView
    /// The maximum length of a key, in code units.
    private static let longestKey = 1000
    private static let deepest = 3
    /// The maximum number of containers below the members of the root.
    private static let maxDeep = 10_000

    init(in view: ObjectView) {
        self.view = view
    }

    /// Returns the distinct containers, each after the one around it.
    func candidates() -> [Candidate] {
        var candidates: [Candidate] = []
        var known: Set<ViewID> = []
        func add(_ id: ViewID, _ address: JSONPointer, in parent: Int?) {
            guard let value = view.container(id), case let isList = view.isList(id),
                isList || (value.variant.isKeyed && value.classPosition == nil), known.insert(id).inserted
            else { return }
            let depth = parent.map { candidates[$0].depth + 1 } ?? 0
            candidates.append(Candidate(address: address, array: id, isList: isList, depth: depth, parent: parent))
        }
        add(view.root, .root, in: nil)
        var next = 0
        while next < candidates.count {
            let candidate = candidates[next]
            defer { next += 1 }
            let contents = view[candidate.array].contents
            guard candidate.depth < Self.deepest, candidate.depth == 0 || candidates.count < Self.maxDeep,
                candidate.depth == 0 || view.archive == nil, candidate.depth > 0 || !candidate.isList
            else { continue }
            if candidate.isList {
                // The elements of an array can only be groups of tables: [{"mode": "easy", "entries": […]}].
                guard candidate.depth == 1, view.document.databaseSchema == nil else { continue }
                for position in 0..<min(contents.count, ScoreDetection.sampleSize) {
                    let id = view.item(position, of: contents).id
                    guard view.container(id)?.variant.isKeyed ?? false else { continue }
                    add(id, candidate.address.appending(index: position), in: next)
                }
            } else {
                for (key, position) in members(of: contents) {
                    let id = view.item(position, of: contents).id
                    guard view.scalar(id) == nil else { continue }
                    add(id, candidate.address.appending(key: key), in: next)
                }
            }
        }
        return candidates
    }

    /// Returns the keys of a dictionary and the position of each effective value, in the order of the positions.
    func members(of contents: ViewContents) -> [(key: [UInt16], position: Int)] {
        let keys = (0..<contents.count).lazy.compactMap { position -> ([UInt16], Int)? in
            // Many pairs may share a long key, and tables have short names.
            guard let key = view.item(position, of: contents).key.flatMap(view.text), key.count <= Self.longestKey
            else { return nil }
            return (Array(key), position)
        }
        return view.document.effective(keys).map { ($0, $1) }.sorted { $0.1 < $1.1 }
    }

    // MARK: Acceptance

    /// Whether a container that can be read as a table of scores is one, and not other data of the game.
    ///
    /// - Parameter isSure: Whether to accept only records with a name and a field from the first list of words for
    ///   scores.
    func accepts(
        _ candidate: Candidate, as table: ScoreDetection.Table, isSure: Bool, _ detection: inout ScoreDetection
    ) -> Bool {
        guard !detection.isInsideTable(candidate) else { return false }
        let isNamed = candidate.address.tokens.contains(where: ScoreWords.isTable)
        if view.archive != nil || isSure {
            return table.shape == .records && table.isNamed && table.kind == .score && candidate.depth <= 1
                && (candidate.isList || candidate.depth == 0 || isNamed)
        }
        switch table.shape {
        case .numbers: return isNamed || candidate.depth == 0 && table.isRanked
        case .scoresOfNames:
            guard !table.hasQuantities else { return false }
            return isNamed || candidate.depth == 0
                || candidate.depth == 1 && detection.siblings(of: candidate) == .tables
        case .records, .tuples:
            if isNamed || candidate.depth == 0 { return true }
            let siblings = detection.siblings(of: candidate)
            if table.shape == .records, table.isNamed, table.kind == .score { return siblings != .others }
            return siblings == .tables && (candidate.depth == 1 || detection.isOnlyGroup(around: candidate))
        }
    }
}

extension ObjectView {
    /// Whether a value is an array, or a table of a database.
    func isList(_ id: ViewID) -> Bool {
        if case .array = self[id].variant { return true }
        return document.databaseSchema?.tableObjects.contains(stored(id)) ?? false
    }
}
