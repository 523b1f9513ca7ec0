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
            let isUnpaired = pairs.before[a] < 0 || pairs.after[b] < 0
            let first = pairs.after[b] < 0 ? comparedAfter[b] == nil : comparedBefore[a] == nil
            if !isReplaced { set(candidate) }
            guard isUnpaired, first, room > 0 else {
                if isReplaced { continue }
                let isKnown = pairs.after[b] < 0 ? comparedAfter[b] == a : comparedBefore[a] == b
                if !(isUnpaired && isKnown) { note(candidate.slots, .changed) }
                continue
            }
            if pairs.after[b] < 0 { comparedAfter[b] = a } else { comparedBefore[a] = b }
            room -= before.containers[a].count + after.containers[b].count
            opened.append((nodes.count, candidate))
            addNode(candidate)
            compareSlots(of: nodes.count - 1)
        }
        recordSharingOnly(opened)
    }

    /// Resolves a conflict of equal values. Returns false if the values are not equal.
    private mutating func resolveByValue(_ candidate: CandidatePair) -> Bool {
        let (a, b) = (candidate.before, candidate.after)
        let (x, y) = (pairs.before[a], pairs.after[b])
        let equality = makeEquality()
        let areEqual = equality.areEqual(a, b)
        if x >= 0, x == y {
            nodeFacts[candidate.node].kept &+= 1
            if !areEqual, !haveIdentity(before.containers[a], after.containers[b]) { set(candidate) }
            return true
        }
        guard areEqual else { return false }
        nodeFacts[candidate.node].kept &+= 1
        if haveIdentity(before.containers[a], after.containers[b]) {
            // In a container that is only compared, changed sharing is not reported slot by slot. See
            // `recordSharingOnly`.
            guard candidate.node < pairCount else { return true }
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
        var isDifferent = [Bool](repeating: false, count: nodes.count)
        for record in records where record.kind != .shared { isDifferent[record.node] = true }
        for node in nodes.indices.reversed() where isDifferent[node] { isDifferent[Int(nodes[node].parent)] = true }
        for (node, candidate) in opened where !isDifferent[node] && candidate.node < pairCount {
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
        let pair = pairs[side][number]
        return pair < 0 ? nil : Int(pair)
    }
}

/// The keys of dictionaries that are containers.
extension Comparison {
    /// Whether pairing the containers of a candidate would change a key that both graphs have, or would need an address
    /// for a new key that is a container.
    func breaksKeys(_ candidate: CandidatePair) -> Bool {
        if hasNewKey.contains(candidate.after) { return true }
        guard !isInKeptKey.isEmpty, isInKeptKey[candidate.before], let equality else { return false }
        return !equality.areEqual(candidate.before, candidate.after)
    }

    /// Returns, for each container of the earlier graph, whether a key that both graphs have reaches it.
    func containersInKeptKeys(_ equality: ContainerEquality) -> [Bool] {
        let later = Set(containerKeys(.after).map { equality.block(of: $0.key, .after) })
        var pending = containerKeys(.before).map(\.key).filter { later.contains(equality.block(of: $0, .before)) }
        guard !pending.isEmpty else { return [] }
        var isReached = [Bool](repeating: false, count: before.containers.count)
        while let number = pending.popLast() {
            guard !isReached[number] else { continue }
            isReached[number] = true
            let container = before.containers[number]
            for position in 0..<container.count {
                if let key = before.containerKey(position, of: container) { pending.append(key) }
                if let value = before.number(of: before.value(position, of: container)) { pending.append(value) }
            }
        }
        return isReached
    }

    /// Returns the containers of the later graph with a key that is a container and equals no key of the earlier graph.
    func containersWithNewKeys(_ equality: ContainerEquality) -> Set<Int> {
        let known = Set(containerKeys(.before).map { equality.block(of: $0.key, .before) })
        return Set(
            containerKeys(.after).filter { !known.contains(equality.block(of: $0.key, .after)) }.map(\.container))
    }

    /// Returns the keys of a graph that are containers, with the containers that they are in.
    private func containerKeys(_ side: Side) -> [(key: Int, container: Int)] {
        let graph = sides[side].graph
        return graph.containers.flatMap { container in
            (0..<container.count).compactMap { position in
                graph.containerKey(position, of: container).map { ($0, container.number) }
            }
        }
    }
}
