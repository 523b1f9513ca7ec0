import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

/// Laws that every merge keeps, on random documents and archives with cycles and sharing.
@Suite struct MergePropertyTests {
    @Test(arguments: [false, true], 0..<8)
    func whatOnlyOneSideChangedIsTheResult(_ isArchive: Bool, _ group: Int) throws {
        for seed in 0..<TestScale.count(15, long: 150) {
            var dice = SeededGenerator(seed: UInt64(group * 1000 + seed))
            let graph = RandomGraph(&dice, isArchive: isArchive)
            var edited = graph
            for _ in 0..<dice.roll(5) { _ = edited.edit(&dice) }
            let (base, side) = (try graph.view(), try edited.view())
            for (ours, theirs) in [(base, side), (side, base), (side, side)] {
                let merge = try ThreeWayMerge(base: base, ours: ours, theirs: theirs)
                #expect(merge.conflicts.isEmpty, "\(isArchive) \(group) \(seed)")
                let lines = DiffText.lines(Difference(side, try merge.result()))
                #expect(lines.isEmpty, "\(isArchive) \(group) \(seed): \(lines)")
            }
        }
    }

    @Test(arguments: [false, true], 0..<8)
    func sidesMirrorEachOther(_ isArchive: Bool, _ group: Int) throws {
        for seed in 0..<TestScale.count(15, long: 150) {
            var dice = SeededGenerator(seed: UInt64(50_000 + group * 1000 + seed))
            let graph = RandomGraph(&dice, isArchive: isArchive)
            var (mine, other) = (graph, graph)
            for _ in 0..<dice.roll(5) { _ = mine.edit(&dice) }
            for _ in 0..<dice.roll(5) { _ = other.edit(&dice) }
            let (base, ours, theirs) = (try graph.view(), try mine.view(), try other.view())
            let merge = try ThreeWayMerge(base: base, ours: ours, theirs: theirs)
            let mirrored = try ThreeWayMerge(base: base, ours: theirs, theirs: ours)
            let sides = Set(merge.conflicts.map { [$0.base, $0.ours, $0.theirs] })
            #expect(
                sides == Set(mirrored.conflicts.map { [$0.base, $0.theirs, $0.ours] }),
                "\(isArchive) \(group) \(seed)")
            guard !isArchive, merge.conflicts.isEmpty else { continue }
            // In a tree whose scalars are all different, each stays that neither removed, and each new one comes.
            let (was, x, y) = (base.scalars, ours.scalars, theirs.scalars)
            let expected = x.intersection(y).union(x.subtracting(was)).union(y.subtracting(was))
            #expect(try merge.result().scalars == expected, "\(isArchive) \(group) \(seed)")
        }
    }
}

extension ThreeWayMerge {
    /// Ours with all that is merged into it; what is in conflict as ours has it.
    func result() throws -> ObjectView {
        var draft = Draft(ours)
        try draft.apply(self)
        let document = try draft.finish()
        return ours.archive == nil ? ObjectView(document) : ObjectView(try KeyedArchive(document))
    }
}

extension ObjectView {
    /// The scalars of a tree, as text.
    fileprivate var scalars: Set<String> {
        var found: Set<String> = []
        var pending = [root]
        while let id = pending.popLast() {
            if let text = text(id) { found.insert(text.string) }
            if case .integer(let integer)? = scalar(id) { found.insert("\(integer.value)") }
            let contents = self[id].contents
            pending += (0..<contents.count).map { item($0, of: contents).id }
        }
        return found
    }
}
