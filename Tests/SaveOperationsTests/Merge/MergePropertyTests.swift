import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

/// Properties of every merge, on random documents and on archives with cycles and sharing.
@Suite struct MergePropertyTests {
    @Test(arguments: [false, true], 0..<8)
    func takesOneSidedChanges(_ isArchive: Bool, _ group: Int) throws {
        for seed in 0..<TestScale.count(15, long: 30) {
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
    func swappingSidesMirrorsResult(_ isArchive: Bool, _ group: Int) throws {
        for seed in 0..<TestScale.count(15, long: 30) {
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
            // The result of a tree of distinct scalars keeps what neither side removed and gains what either side
            // added.
            let (was, x, y) = (base.scalars, ours.scalars, theirs.scalars)
            let expected = x.intersection(y).union(x.subtracting(was)).union(y.subtracting(was))
            #expect(try merge.result().scalars == expected, "\(isArchive) \(group) \(seed)")
        }
    }

    // MARK: Conflicts

    /// Returns a merge of two sides of a random base, with enough edits for conflicts.
    private static func merge(
        _ isArchive: Bool, _ seed: Int, _ options: MergeOptions = MergeOptions()
    ) throws -> ThreeWayMerge {
        var dice = SeededGenerator(seed: UInt64(90_000 + seed))
        let graph = RandomGraph(&dice, isArchive: isArchive)
        var (mine, other) = (graph, graph)
        for _ in 0..<dice.roll(12) { _ = mine.edit(&dice) }
        for _ in 0..<dice.roll(12) { _ = other.edit(&dice) }
        return try ThreeWayMerge(
            base: dice.roll(8) == 0 ? nil : graph.view(), ours: mine.view(), theirs: other.view(), options)
    }

    /// Returns the value at an address, or nil if it does not exist.
    private static func find(_ address: JSONPointer, in view: ObjectView) -> ViewID? {
        if case .found(let id, _) = view.find(address) { id } else { nil }
    }

    /// Returns the text of a scalar. A container has the same text whatever its contents, because they may be merged.
    private static func outline(of id: ViewID, in view: ObjectView) -> String {
        if let text = view.text(id) { return text.string }
        if case .integer(let integer)? = view.scalar(id) { return "\(integer.value)" }
        return view.scalar(id) == nil ? "container" : "scalar"
    }

    /// After a merge is written with ours at all conflicts, the conflicts that are then resolved by hand are
    /// recognized.
    @Test(arguments: [false, true]) func recognizesSettledConflicts(isArchive: Bool) throws {
        var count = (settled: 0, missed: 0, left: 0)
        for seed in 0..<TestScale.count(80, long: 100) {
            let merge = try Self.merge(isArchive, seed)
            guard !merge.conflicts.isEmpty else { continue }
            let merged = try merge.result()
            var options = MergeOptions()
            var dice = SeededGenerator(seed: UInt64(seed))
            options.answers = merge.conflicts.map { _ in dice.roll(2) == 0 ? .theirs : nil }
            let present = try Self.merge(isArchive, seed, options).result()
            var untouched = ResolvedConflicts(merge, in: merged, now: try merge.result())
            var settled = ResolvedConflicts(merge, in: merged, now: present)
            for (conflict, answer) in zip(merge.conflicts, options.answers) {
                if case .settled = untouched.state(of: conflict) { Issue.record("\(isArchive) \(seed)") }
                switch settled.state(of: conflict) {
                case .settled: count.settled += 1
                case .open: if answer != nil { count.missed += 1 }
                }
                // A conflict that another answer removes is settled, too, and objects of an archive are shared.
                guard !isArchive, answer == nil, case .settled(_?) = settled.state(of: conflict) else { continue }
                Issue.record("\(seed): \(merge.address(of: conflict))")
            }
            // Merging the remaining answers gives the same result as all answers at once.
            options.answers = merge.conflicts.map { _ in .theirs }
            let all = try Self.merge(isArchive, seed, options).result()
            let rest = try ThreeWayMerge(base: merged, ours: present, theirs: all)
            // Objects of an archive that both sides recreated may be mistaken for others; they are reported as
            // conflicts.
            count.left += rest.conflicts.count
            #expect(isArchive || rest.conflicts.isEmpty, "\(isArchive) \(seed)")
            if !isArchive { #expect(try rest.result().scalars == all.scalars, "\(isArchive) \(seed)") }
        }
        #expect(count.settled > 10 && count.missed * 10 < count.settled && count.left * 10 < count.settled, "\(count)")
    }

    @Test(arguments: [false, true]) func conflictsHaveCorrectSlots(isArchive: Bool) throws {
        var count = (ours: 0, theirs: 0, without: 0)
        for seed in 0..<TestScale.count(80, long: 100) {
            let merge = try Self.merge(isArchive, seed)
            let result = try merge.result()
            var places = ConflictAddresses(merge)
            for conflict in merge.conflicts {
                guard let place = places.addresses(of: conflict) else {
                    count.without += 1
                    continue
                }
                let found = Self.find(place.merged, in: result)
                if let ours = conflict.ours, case .value = conflict.subject {
                    let id = try #require(found, "\(seed): \(place.merged)")
                    #expect(
                        Self.outline(of: id, in: result) == Self.outline(of: ours, in: merge.ours),
                        "\(seed): \(place.merged)")
                    count.ours += 1
                } else if conflict.ours == nil, place.role != .element {
                    #expect(found == nil, "\(seed): \(place.merged)")
                }
                guard let address = place.theirs, case .value = conflict.subject else { continue }
                #expect(Self.find(address, in: merge.theirs) == conflict.theirs, "\(seed): \(address)")
                count.theirs += 1
            }
        }
        #expect(count.ours > 25 && count.theirs > 10 && count.without < count.ours / 4, "\(count)")
    }

    @Test(arguments: [false, true]) func answersSettleConflicts(isArchive: Bool) throws {
        var settled = 0
        for seed in 0..<TestScale.count(20, long: 100) {
            let merge = try Self.merge(isArchive, seed)
            let count = merge.conflicts.count
            var options = MergeOptions()
            for (answer, rule) in [(MergeSide.ours, MergeRule.ours), (.theirs, .theirs)] {
                options.answers = Array(repeating: answer, count: count)
                let answered = try Self.merge(isArchive, seed, options)
                #expect(answered.conflicts.isEmpty)
                var ruled = MergeOptions()
                ruled.rules = [MergeOptions.LocalRule(try PointerPattern(""), rule)]
                let expected = try Self.merge(isArchive, seed, ruled).result()
                #expect(DiffText.lines(Difference(expected, try answered.result())).isEmpty, "\(seed)")
            }
            var dice = SeededGenerator(seed: UInt64(seed))
            options.answers = (0..<count).map { _ in [nil, .ours, .theirs][dice.roll(3)] }
            let left = zip(merge.conflicts, options.answers).filter { $0.1 == nil }.map(\.0)
            let answered = try Self.merge(isArchive, seed, options)
            #expect(
                answered.conflicts.map { [$0.base, $0.ours, $0.theirs] } == left.map { [$0.base, $0.ours, $0.theirs] })
            settled += count - left.count
        }
        #expect(settled > 5)
    }
}

extension ThreeWayMerge {
    /// Returns ours with all merged changes, and with its own values at conflicts.
    func result() throws -> ObjectView {
        var draft = Draft(ours)
        try draft.apply(self)
        let document = try draft.finish()
        return ours.archive == nil ? ObjectView(document) : ObjectView(try KeyedArchive(document))
    }
}

extension ObjectView {
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
