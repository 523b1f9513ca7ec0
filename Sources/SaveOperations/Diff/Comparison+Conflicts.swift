import KeyedArchives

/// Conflicts: pairs of slots whose containers are not paired with each other.
extension Comparison {
    /// Resolves all conflicts, including those found on the way.
    ///
    /// A container without a partner is compared once, with the first container that it conflicts with. The result is
    /// only reported, since the slot gets a new value. Containers that are stored in place on one side and as an object
    /// on the other are compared in the same way. Since a large container may have many conflicts, this stops after a
    /// multiple of the work of a comparison.
    mutating func resolveConflicts() {
        var comparedBefore: [Int: Int] = [:]
        var comparedAfter: [Int: Int] = [:]
        var opened: [(node: Int, candidate: CandidatePair)] = []
        var room = 8 * [before.containers, after.containers].joined().reduce(0) { $0 + $1.count }
        var next = 0
        while next < conflicts.count {
            let candidate = conflicts[next]
            next += 1
            let (a, b) = (candidate.before, candidate.after)
            let isReplaced = !areComparable(before.containers[a], after.containers[b])
            guard isReplaced || !resolveByValue(candidate) else { continue }
            let isUnpaired = tree.pairs.before[a] < 0 || tree.pairs.after[b] < 0
            let first = tree.pairs.after[b] < 0 ? comparedAfter[b] == nil : comparedBefore[a] == nil
            if !isReplaced { set(candidate) }
            guard isUnpaired, first, room > 0 else {
                if isReplaced { continue }
                let isKnown = tree.pairs.after[b] < 0 ? comparedAfter[b] == a : comparedBefore[a] == b
                if !(isUnpaired && isKnown) { note(candidate.slots, .changed) }
                continue
            }
            if tree.pairs.after[b] < 0 { comparedAfter[b] = a } else { comparedBefore[a] = b }
            room -= before.containers[a].count + after.containers[b].count
            opened.append((tree.nodes.count, candidate))
            addNode(candidate)
            compareSlots(of: tree.nodes.count - 1)
        }
        recordSharingOnly(opened)
    }

    /// Resolves a conflict of equal values. Returns false if the values are not equal.
    private mutating func resolveByValue(_ candidate: CandidatePair) -> Bool {
        let (a, b) = (candidate.before, candidate.after)
        let (x, y) = (tree.pairs.before[a], tree.pairs.after[b])
        let equality = keys.makeEquality()
        let areEqual = equality.areEqual(a, b)
        if x >= 0, x == y {
            tree.countKept(of: candidate.node)
            if !areEqual, !haveIdentity(before.containers[a], after.containers[b]) { set(candidate) }
            return true
        }
        guard areEqual else { return false }
        tree.countKept(of: candidate.node)
        if haveIdentity(before.containers[a], after.containers[b]) {
            // In a container that is only compared, changed sharing is not reported slot by slot. See
            // `recordSharingOnly`.
            guard tree.isMatched(candidate.node) else { return true }
            note(candidate.slots, .shared)
            set(candidate)
        } else if x < 0 || !equality.areEqualAfter(container(of: Int(x), .after), b) {
            if x >= 0 { set(candidate) }
        }
        return true
    }

    private mutating func set(_ candidate: CandidatePair) {
        addEdit(
            .set(before: Int(candidate.slots.positions.before), after: Int(candidate.slots.positions.after)),
            to: candidate.node)
    }

    /// Records changed sharing for the compared conflicts that have no other difference.
    private mutating func recordSharingOnly(_ opened: [(node: Int, candidate: CandidatePair)]) {
        var isDifferent = [Bool](repeating: false, count: tree.nodes.count)
        for record in records where record.kind != .shared { isDifferent[record.node] = true }
        for node in tree.nodes.indices.reversed() where isDifferent[node] {
            isDifferent[Int(tree.nodes[node].parent)] = true
        }
        for (node, candidate) in opened where !isDifferent[node] && tree.isMatched(candidate.node) {
            let (a, b) = (before.containers[candidate.before], after.containers[candidate.after])
            if haveIdentity(a, b) { note(candidate.slots, .shared) }
        }
    }

    /// Replaces a removal and an addition of the same object in an array with a move. A change inside the object may
    /// hide the move until the object is paired through another reference.
    mutating func joinMoved() {
        var removed: [SlotPair: [Int]] = [:]
        for (index, record) in records.enumerated().reversed() where record.kind == .removed {
            if let pair = pair(of: record) { removed[SlotPair(record.node, pair), default: []].append(index) }
        }
        guard !removed.isEmpty else { return }
        var joined: Set<Int> = []
        for (index, record) in records.enumerated() where record.kind == .added {
            guard let pair = pair(of: record), let gone = removed[SlotPair(record.node, pair)]?.popLast() else {
                continue
            }
            let slots = SlotPair(Int(records[gone].slots.before), Int(record.slots.after))
            records[index] = Record(node: record.node, order: record.order, kind: .moved, slots: slots)
            joined.insert(gone)
        }
        records = records.indices.filter { !joined.contains($0) }.map { records[$0] }
    }

    /// Returns the pair of a container that was removed from an array or added to one; nil for any other record.
    private func pair(of record: Record) -> Int? {
        let side: Side = record.kind == .removed ? .before : .after
        let graph = sides[side].graph
        guard areArchives, graph.containers[container(of: record.node, side)].kind == .array,
            let number = value(of: record, side).flatMap(graph.number)
        else { return nil }
        let pair = tree.pairs[side][number]
        return pair < 0 ? nil : Int(pair)
    }
}
