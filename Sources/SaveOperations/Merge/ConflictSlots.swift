import KeyedArchives
package import SaveCodec

/// Where conflicts are once a merge is applied, when ours stands at each of them, and where they are in theirs.
///
///     ours    A B C      a conflict at /2
///     theirs  A x B D    /3
///     merged  A x B C    /3
package struct ConflictSlots {
    /// Where a conflict is.
    package struct Place {
        /// In what is merged; of what ours removed where theirs would be put back.
        package let merged: JSONPointer
        /// In theirs; nil if theirs removed it, or where it is not known.
        package let theirs: JSONPointer?
        /// What of its container it is; nil for the root and for classes.
        package let role: Role?

        /// The place in the file around a save that is stored in the value at another place; nil for a save of its own.
        package func within(_ other: Place?) -> Place {
            guard let other else { return self }
            let merged = other.merged.entering(self.merged)
            let theirs = other.theirs.flatMap { outer in self.theirs.map { outer.entering($0) } }
            return Place(merged: merged, theirs: theirs, role: role)
        }
    }

    /// What of its container something is.
    package enum Role {
        case element, entry, field
    }

    private let merge: ThreeWayMerge
    private let plans: [ViewID: Int]
    private var positions: [ViewID: MergedPositions] = [:]

    /// The places of the conflicts of a merge.
    package init(_ merge: ThreeWayMerge) {
        self.merge = merge
        plans = Dictionary(merge.plans.enumerated().map { ($1.pairing.ours, $0) }) { first, _ in first }
    }

    /// Where a conflict is; nil if no address of usual length leads there.
    package mutating func place(of conflict: MergeConflict) -> Place? {
        switch conflict.place {
        case .root:
            if case .theirs? = merge.newRoot { return nil }
            return Place(merged: .root, theirs: .root, role: nil)
        case .container(let container):
            guard var merged = address(of: container) else { return nil }
            merged.append(key: "$class".utf16)
            return Place(merged: merged, theirs: nil, role: nil)
        case .slot(let container, let x, let y): return place(in: container, ours: x, theirs: y)
        }
    }

    private mutating func place(in container: MergeContainer, ours x: Int?, theirs y: Int?) -> Place? {
        guard var merged = address(of: container), let pairing = merge.pairing(of: container),
            let kind = merge.ours.kind(of: pairing.ours)
        else { return nil }
        if let x {
            guard append(x, of: pairing.ours, to: &merged) else { return nil }
        } else if let y, kind.isKeyed {
            merge.theirs.append(y, of: pairing.theirs, to: &merged)
        } else if let y {
            merged.append(index: positions(of: pairing.ours).place(ofTheirs: y, pairing, merge))
        }
        let role: Role = kind == .object ? .field : kind == .dictionary ? .entry : .element
        return Place(merged: merged, theirs: y.flatMap { theirs($0, of: container, pairing) }, role: role)
    }

    private func theirs(_ position: Int, of container: MergeContainer, _ pairing: ThreeWayMerge.Pairing) -> JSONPointer?
    {
        guard case .pair = container, let side = merge.sides?.theirs, let number = pairing.theirsPair else {
            return nil
        }
        var address = side.difference.address(ofPair: number, .after)
        guard address.tokens.count < Difference.usualSteps else { return nil }
        merge.theirs.append(position, of: pairing.theirs, to: &address)
        return address
    }

    /// The address of a container of ours in what is merged; nil if it is too long.
    private mutating func address(of container: MergeContainer) -> JSONPointer? {
        guard let steps = merge.steps(to: container) else { return nil }
        var address = JSONPointer.root
        for step in steps {
            guard append(step.position, of: step.container, to: &address) else { return nil }
        }
        return address
    }

    /// Goes a step down in what is merged, to a slot of ours. False if it is not there.
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

/// Where the slots of a container of ours are once it is merged.
private final class MergedPositions {
    /// By their position in ours, negative for those that are gone; nil if all is as it was.
    private let positions: [Int32]?
    /// The slots that have a value of theirs.
    private let replaced: Set<Int>
    /// Where the slots of theirs are that were brought in, by their position there.
    private let brought: [Int: Int]
    /// By the position in theirs of an element that ours removed, where it would be put back; once asked for.
    private var insertions: [Int] = []

    init(_ plan: ThreeWayMerge.Plan?) {
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

    /// The position of a slot of ours; nil if what it held is not there.
    func merged(_ position: Int) -> Int? {
        replaced.contains(position) ? nil : place(of: position)
    }

    private func place(of position: Int) -> Int? {
        guard let positions else { return position }
        return positions[position] < 0 ? nil : Int(positions[position])
    }

    /// Where an element of theirs that ours removed would stand: behind all that is there of what stands before it in the
    /// base and in theirs, and behind what ours has new there.
    func place(ofTheirs position: Int, _ pairing: ThreeWayMerge.Pairing, _ merge: ThreeWayMerge) -> Int {
        if insertions.isEmpty, let sides = merge.sides, let x = pairing.oursPair, let y = pairing.theirsPair {
            findInsertions(SideSlots(sides.ours, pair: x), SideSlots(sides.theirs, pair: y))
        }
        return insertions.indices.contains(position) ? insertions[position] : 0
    }

    private func findInsertions(_ ours: SideSlots, _ theirs: SideSlots) {
        // What is new in ours, and where the run of it ends.
        let new = ours.bases.indices.filter { ours.base(of: $0) == nil }.compactMap(place)
        var ends: [Int: Int] = [:]
        for place in new.sorted(by: >) { ends[place] = ends[place + 1] ?? place + 1 }
        // By the position in the base: behind all before it.
        var places = [0]
        for base in ours.partners.indices {
            let place = ours.position(ofBase: base).flatMap(place)
            places.append(max(places[base], place.map { $0 + 1 } ?? 0))
        }
        var next = 0
        for position in theirs.bases.indices {
            let base = theirs.base(of: position)
            let first = max(next, base.map { places[$0] } ?? 0)
            insertions.append(ends[first] ?? first)
            let own = base.flatMap { ours.position(ofBase: $0) }.flatMap(self.place)
            if let place = brought[position] ?? own { next = max(next, place + 1) }
        }
    }
}

extension ThreeWayMerge {
    /// The way from the root of ours to a container, slot by slot; nil if it is longer than addresses usually are.
    fileprivate func steps(to container: MergeContainer) -> [(container: ViewID, position: Int)]? {
        var steps: [(container: ViewID, position: Int)] = []
        var current = container
        while case .added(let number) = current, let parent = additions[number].parent {
            current = parent.isAdded ? .added(parent.number) : .pair(parent.number)
            guard steps.count < Difference.usualSteps, let pairing = pairing(of: current) else { return nil }
            steps.append((pairing.ours, parent.position))
        }
        steps.reverse()
        guard case .pair(let number) = current, let paths = sides?.ours.difference.paths else { return steps }
        let path = paths.path(to: number, most: Difference.usualSteps)
        guard paths.depth(of: number) == path.count, path.count + steps.count < Difference.usualSteps else {
            return nil
        }
        return path.map { step in
            let node = paths.nodes[step]
            return (paths.nodes[Int(node.parent)].after, Int(node.positionAfter))
        } + steps
    }
}
