import KeyedArchives
package import SaveCodec

/// The addresses of conflicts in the merged view and in theirs. At each conflict, the merged view has the value from
/// ours.
///
///     ours    A B C      a conflict at /2
///     theirs  A x B D    /3
///     merged  A x B C    /3
package struct ConflictAddresses {
    /// The addresses of one conflict.
    package struct Pair {
        /// The address in the merged view. If ours removed the value, the address where the value from theirs would be
        /// inserted.
        package let merged: JSONPointer
        /// The address in theirs; nil if theirs removed the value, or if the address is unknown.
        package let theirs: JSONPointer?
        /// The kind of slot; nil for the root and for classes.
        package let role: Role?

        /// Returns the addresses in the file around a nested save.
        ///
        /// - Parameter other: The slot that holds the nested save; nil if the save is a file.
        package func within(_ other: Pair?) -> Pair {
            guard let other else { return self }
            let merged = other.merged.appending(nested: self.merged)
            let theirs = other.theirs.flatMap { outer in self.theirs.map { outer.appending(nested: $0) } }
            return Pair(merged: merged, theirs: theirs, role: role)
        }
    }

    /// The kind of slot, by its container.
    package enum Role {
        case element, entry, field
    }

    private let merge: ThreeWayMerge
    private let plans: [ViewID: Int]
    private var positions: [ViewID: MergedPositions] = [:]

    /// Creates a finder for the conflicts of a merge.
    package init(_ merge: ThreeWayMerge) {
        self.merge = merge
        plans = Dictionary(merge.plans.enumerated().map { ($1.pairing.ours, $0) }) { first, _ in first }
    }

    /// Returns the addresses of a conflict, or nil if they are longer than ``Difference/defaultMaxTokens`` or no longer
    /// exist.
    package mutating func addresses(of conflict: MergeConflict) -> Pair? {
        switch conflict.site {
        case .root:
            if case .theirs? = merge.newRoot { return nil }
            return Pair(merged: .root, theirs: .root, role: nil)
        case .container(let container):
            guard var merged = address(of: container) else { return nil }
            merged.append(key: "$class".utf16)
            return Pair(merged: merged, theirs: nil, role: nil)
        case .slot(let container, let x, let y): return addresses(in: container, ours: x, theirs: y)
        }
    }

    private mutating func addresses(in container: MergeContainer, ours x: Int?, theirs y: Int?) -> Pair? {
        guard var merged = address(of: container), let pairing = merge.pairing(of: container),
            let kind = merge.ours.kind(of: pairing.ours)
        else { return nil }
        if let x {
            guard append(x, of: pairing.ours, to: &merged) else { return nil }
        } else if let y, kind.isKeyed {
            merge.theirs.append(y, of: pairing.theirs, to: &merged)
        } else if let y {
            merged.append(index: positions(of: pairing.ours).insertionPosition(ofTheirs: y, pairing, merge))
        }
        let role: Role = kind == .object ? .field : kind == .dictionary ? .entry : .element
        return Pair(merged: merged, theirs: y.flatMap { theirs($0, of: container, pairing) }, role: role)
    }

    private func theirs(_ position: Int, of container: MergeContainer, _ pairing: ThreeWayMerge.Pairing) -> JSONPointer?
    {
        guard case .pair = container, let side = merge.sides?.theirs, let number = pairing.theirsPair else {
            return nil
        }
        var address = side.difference.address(ofPair: number, .after)
        guard address.tokens.count < Difference.defaultMaxTokens else { return nil }
        merge.theirs.append(position, of: pairing.theirs, to: &address)
        return address
    }

    /// Returns the address in the merged view of a container from ours; nil if it is too long.
    private mutating func address(of container: MergeContainer) -> JSONPointer? {
        guard let steps = merge.steps(to: container) else { return nil }
        var address = JSONPointer.root
        for step in steps {
            guard append(step.position, of: step.container, to: &address) else { return nil }
        }
        return address
    }

    /// Appends the token in the merged view for a slot from ours.
    ///
    /// - Returns: Whether the slot still exists there.
    private mutating func append(_ position: Int, of container: ViewID, to address: inout JSONPointer) -> Bool {
        guard let merged = positions(of: container).merged(position) else { return false }
        if merge.ours.kind(of: container)?.isKeyed ?? false {
            merge.ours.append(position, of: container, to: &address)
        } else {
            address.append(index: merged)
        }
        return true
    }

    private mutating func positions(of container: ViewID) -> MergedPositions {
        if let known = positions[container] { return known }
        let new = MergedPositions(plans[container].map { merge.plans[$0] })
        positions[container] = new
        return new
    }
}

/// The positions of a container's slots after the merge.
private final class MergedPositions {
    /// The merged position of each slot from ours, negative for removed slots; nil if the slots are unchanged.
    private let positions: [Int32]?
    /// The positions in ours of the slots whose value was replaced.
    private let replaced: Set<Int>
    /// The merged positions of the slots that come from theirs, by their position in theirs.
    private let brought: [Int: Int]
    /// For each element in theirs, the merged position where it would be inserted. Computed on first use.
    private var insertions: [Int] = []

    init(_ plan: ThreeWayMerge.ContainerPlan?) {
        guard let plan, case let slots = plan.slots else {
            (positions, replaced, brought) = (nil, [], [:])
            return
        }
        var positions = [Int32](repeating: -1, count: slots.sources.count)
        var brought: [Int: Int] = [:]
        var item = MergedSlots.head
        var count = 0
        while let next = slots.item(after: item) {
            item = next
            switch slots.sources[item] {
            case .ours(let position): positions[position] = Int32(truncatingIfNeeded: count)
            case .theirs(let position): brought[position] = count
            }
            count += 1
        }
        (self.positions, self.brought) = (positions, brought)
        replaced = Set(plan.sets.map(\.position))
    }

    /// Returns the merged position of a slot from ours; nil if the slot was removed or its value replaced.
    func merged(_ position: Int) -> Int? {
        replaced.contains(position) ? nil : storedPosition(of: position)
    }

    private func storedPosition(of position: Int) -> Int? {
        guard let positions else { return position }
        return positions[position] < 0 ? nil : Int(positions[position])
    }

    /// Returns the merged position where an element that theirs kept and ours removed would be inserted.
    ///
    /// The position follows everything that precedes the element in the base and in theirs, and then any run of new
    /// elements from ours.
    func insertionPosition(ofTheirs position: Int, _ pairing: ThreeWayMerge.Pairing, _ merge: ThreeWayMerge) -> Int {
        if insertions.isEmpty, let sides = merge.sides, let x = pairing.oursPair, let y = pairing.theirsPair {
            findInsertions(SideSlots(sides.ours, pair: x), SideSlots(sides.theirs, pair: y))
        }
        return insertions.indices.contains(position) ? insertions[position] : 0
    }

    private func findInsertions(_ ours: SideSlots, _ theirs: SideSlots) {
        // For each merged position in a run of new elements from ours, the end of the run.
        let new = ours.bases.indices.filter { ours.base(of: $0) == nil }.compactMap(storedPosition)
        var ends: [Int: Int] = [:]
        for merged in new.sorted(by: >) { ends[merged] = ends[merged + 1] ?? merged + 1 }
        // For each position in the base, the first merged position after all earlier elements of the base.
        var firstPositions = [0]
        for base in ours.partners.indices {
            let merged = ours.position(ofBase: base).flatMap(storedPosition)
            firstPositions.append(max(firstPositions[base], merged.map { $0 + 1 } ?? 0))
        }
        var next = 0
        for position in theirs.bases.indices {
            let base = theirs.base(of: position)
            let first = max(next, base.map { firstPositions[$0] } ?? 0)
            insertions.append(ends[first] ?? first)
            let own = base.flatMap { ours.position(ofBase: $0) }.flatMap(storedPosition)
            if let merged = brought[position] ?? own { next = max(next, merged + 1) }
        }
    }
}

extension ThreeWayMerge {
    /// Returns the slots in ours from the root to a container; nil if there are more than
    /// ``Difference/defaultMaxTokens``.
    fileprivate func steps(to container: MergeContainer) -> [(container: ViewID, position: Int)]? {
        var steps: [(container: ViewID, position: Int)] = []
        var current = container
        while case .added(let number) = current, let parent = joined[number].parent {
            current = parent.container
            guard steps.count < Difference.defaultMaxTokens, let pairing = pairing(of: current) else { return nil }
            steps.append((pairing.ours, parent.position))
        }
        steps.reverse()
        guard case .pair(let number) = current, let paths = sides?.ours.difference.paths else { return steps }
        let path = paths.path(to: number, most: Difference.defaultMaxTokens)
        guard paths.depth(of: number) == path.count, path.count + steps.count < Difference.defaultMaxTokens else {
            return nil
        }
        return path.map { step in
            let node = paths.nodes[step]
            return (paths.nodes[Int(node.parent)].after, Int(node.positionAfter))
        } + steps
    }
}
