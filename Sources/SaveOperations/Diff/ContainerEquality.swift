import KeyedArchives
import SaveCodec

/// The equality by meaning of the containers of two graphs: two containers are equal if no path from them leads to a
/// difference, regardless of sharing.
///
///     a ─▶ b ─▶ a      equal to      c ─▶ c      if all references are called "next"
///
/// Containers that are equal apart from the containers in them form a block. Blocks are split by their references into
/// other blocks until no block can be split (Hopcroft 1971; with counts for members of sets, Valmari and Franceschinis
/// 2010). Takes O(*n* log *n*) time, cycles included. Labels and scalars are compared by hashes with a random seed,
/// which no file can be made to collide with.
///
/// A pair whose key is a container is a node of its own, with references to the key and to the value:
///
///     {(url): 5}      dictionary ─▶ pair ─▶ url
///                                     └──▶ 5
struct ContainerEquality {
    private let sides: Sides<ComparedSide>
    private let seed = UInt64.random(in: 0...UInt64.max)
    private let areArchives: Bool
    private let distinguishesWidths: Bool
    /// The number of pairs whose keys are containers, in both graphs.
    private let pairCount: Int
    /// The block of each container; the containers of the second graph follow the first graph's, and the pairs with
    /// container keys follow all containers.
    private var blocks: [Int32] = []
    /// The containers, block by block, and the position of each.
    private var order: [Int32] = []
    private var places: [Int32] = []
    private var ranges: [Range<Int>] = []
    /// The blocks that may split others.
    private var pending: [Int] = []
    private var isPending: [Bool] = []
    /// The slots that refer to each container: the first index for each container, then the source and the label of
    /// each slot.
    private var starts: [Int] = []
    private var sources: [Int32] = []
    private var labels: [UInt64] = []

    /// - Parameter distinguishesWidths: Whether equal reals of different widths are distinguished.
    init(_ sides: Sides<ComparedSide>, distinguishesWidths: Bool = false) {
        self.sides = sides
        self.distinguishesWidths = distinguishesWidths
        areArchives = sides.before.view.archive != nil && sides.after.view.archive != nil
        pairCount = [sides.before.graph, sides.after.graph].reduce(0) { $0 + $1.containerKeyCount }
        addReferences()
        addBlocks(signatures())
        var weights = [UInt64](repeating: 0, count: order.count)
        while let block = pending.popLast() {
            isPending[block] = false
            split(by: block, &weights)
        }
        (order, places, ranges, pending, isPending) = ([], [], [], [], [])
        (starts, sources, labels) = ([], [], [])
    }

    /// Whether a container of the first graph and one of the second are equal.
    func areEqual(_ a: Int, _ b: Int) -> Bool {
        block(of: a, .before) == block(of: b, .after)
    }

    /// Whether two containers of the second graph are equal.
    func areEqualAfter(_ a: Int, _ b: Int) -> Bool {
        block(of: a, .after) == block(of: b, .after)
    }

    /// Returns the number of a container's block, which all containers equal to it share.
    func block(of number: Int, _ side: Side) -> Int {
        Int(blocks[first(side) + number])
    }

    /// Returns the index of a graph's first container among the containers of both graphs.
    private func first(_ side: Side) -> Int { side == .before ? 0 : sides.before.graph.containers.count }

    /// A new cache of hashes of long scalars in one graph, for ``token(of:_:hashes:)``.
    var scalarHashes: ScalarHashes { ScalarHashes(seed: seed) }

    /// Returns a number for a value. Equal values of both graphs have the same number; different values do so only by
    /// chance.
    func token(of id: ViewID, _ side: Side, hashes: inout ScalarHashes) -> UInt64 {
        guard let number = sides[side].graph.number(of: id) else { return hash(ofScalar: id, of: sides[side], &hashes) }
        return ScalarHash.mix(seed, UInt64(block(of: number, side)))
    }

    // MARK: The graphs

    /// The number of containers in both graphs.
    private var containerCount: Int { sides.before.graph.containers.count + sides.after.graph.containers.count }

    /// Calls a closure for every slot with the container, the label, and the value as a container or as a scalar. A
    /// pair with a container key is a slot of its container and has two slots itself.
    private func forEachSlot(_ body: (_ source: Int, _ label: UInt64, _ target: Int?, _ scalar: UInt64) -> Void) {
        var pair = containerCount
        for side in Side.allCases {
            let (base, side) = (first(side), sides[side])
            let graph = side.graph
            var hashes = ScalarHashes(seed: seed)
            for (number, container) in graph.containers.enumerated() {
                let classSlot = side.classes.slot(of: container)
                for position in 0..<container.count where position != classSlot {
                    let value = graph.value(position, of: container)
                    let target = graph.number(of: value)
                    let scalar = target == nil ? hash(ofScalar: value, of: side, &hashes) : 0
                    let label = label(position, of: container, in: side, &hashes)
                    guard let key = graph.containerKey(position, of: container) else {
                        body(base + number, label, target.map { base + $0 }, scalar)
                        continue
                    }
                    body(base + number, label, pair, 0)
                    body(pair, Self.keyLabel, base + key, 0)
                    body(pair, Self.valueLabel, target.map { base + $0 }, scalar)
                    pair += 1
                }
            }
        }
    }

    private static let keyLabel: UInt64 = 1
    private static let valueLabel: UInt64 = 2

    private func label(
        _ position: Int, of container: ContainerGraph.Container, in side: ComparedSide, _ hashes: inout ScalarHashes
    ) -> UInt64 {
        switch container.kind {
        case .array: return ScalarHash.mix(seed, UInt64(position))
        case .set: return seed
        case .dictionary, .object:
            let key = side.graph.key(position, of: container)
            guard let object = side.view.scalarObject(key) else { return seed }
            return hashes.hash(of: object, key, in: side)
        }
    }

    private func hash(ofScalar id: ViewID, of side: ComparedSide, _ hashes: inout ScalarHashes) -> UInt64 {
        guard let object = side.view.scalarObject(id) else { return seed }
        let value = hashes.hash(of: object, id, in: side)
        let hash = distinguishesWidths && object.kind == .real ? ScalarHash.mix(value, UInt64(object.count)) : value
        guard areArchives else { return hash }
        let uid = side.view.uid(id)
        let isObject: UInt64 = object.kind == .null || uid != nil ? 1 : 0
        let classNumber = UInt64(bitPattern: Int64(side.classes.number(ofScalar: uid)))
        return ScalarHash.mix(hash, ScalarHash.mix(classNumber ^ seed, isObject))
    }

    /// Returns a hash of each container, without the containers in it.
    private func signatures() -> [UInt64] {
        var signatures: [UInt64] = []
        for side in [sides.before, sides.after] {
            for container in side.graph.containers {
                let form = areArchives ? UInt64(container.kind.rawValue) : container.kind.isKeyed ? 2 : 0
                let classNumber = areArchives ? UInt64(bitPattern: Int64(side.classes.number(of: container))) : 0
                // Values without a class may be stored in place or as objects.
                let isObject: UInt64 = areArchives && side.view.uid(container.id) != nil ? 1 : 0
                signatures.append(ScalarHash.mix(seed ^ form, ScalarHash.mix(classNumber ^ seed, isObject)))
            }
        }
        signatures += [UInt64](repeating: seed, count: pairCount)
        forEachSlot { source, label, _, scalar in
            signatures[source] = signatures[source] &+ ScalarHash.mix(label, scalar ^ seed)
        }
        return signatures
    }

    private mutating func addReferences() {
        let count = containerCount + pairCount
        var starts = [Int](repeating: 0, count: count + 1)
        forEachSlot { _, _, target, _ in
            if let target { starts[target + 1] += 1 }
        }
        for index in 0..<count { starts[index + 1] += starts[index] }
        var next = starts
        var sources = [Int32](repeating: 0, count: starts[count])
        var labels = [UInt64](repeating: 0, count: starts[count])
        forEachSlot { source, label, target, _ in
            guard let target else { return }
            sources[next[target]] = Int32(truncatingIfNeeded: source)
            labels[next[target]] = label
            next[target] += 1
        }
        (self.starts, self.sources, self.labels) = (starts, sources, labels)
    }

    // MARK: Blocks

    private mutating func addBlocks(_ signatures: [UInt64]) {
        order = signatures.indices.map { Int32(truncatingIfNeeded: $0) }
            .sorted { signatures[Int($0)] < signatures[Int($1)] }
        places = [Int32](repeating: 0, count: order.count)
        blocks = places
        var start = 0
        for position in order.indices {
            places[Int(order[position])] = Int32(truncatingIfNeeded: position)
            let isLast = position + 1 == order.count
            guard isLast || signatures[Int(order[position])] != signatures[Int(order[position + 1])] else { continue }
            addBlock(start..<position + 1, isPending: true)
            start = position + 1
        }
    }

    private mutating func addBlock(_ range: Range<Int>, isPending: Bool) {
        for position in range { blocks[Int(order[position])] = Int32(truncatingIfNeeded: ranges.count) }
        if isPending { pending.append(ranges.count) }
        self.isPending.append(isPending)
        ranges.append(range)
    }

    /// Splits all blocks by the references of their members to the given block. The *weight* of a member is a hash of
    /// these references.
    private mutating func split(by block: Int, _ weights: inout [UInt64]) {
        var touched: [Int32] = []
        for position in ranges[block] {
            let target = Int(order[position])
            for reference in starts[target]..<starts[target + 1] {
                let source = sources[reference]
                if weights[Int(source)] == 0 { touched.append(source) }
                // An odd number is never zero. If a sum wraps around to zero by chance, its source is listed twice, but
                // its weight is reset at its first use below.
                weights[Int(source)] &+= ScalarHash.mix(labels[reference], seed) | 1
            }
        }
        var groups: [(block: Int32, weight: UInt64, member: Int32)] = []
        for member in touched where weights[Int(member)] != 0 {
            groups.append((blocks[Int(member)], weights[Int(member)], member))
            weights[Int(member)] = 0
        }
        groups.sort { ($0.block, $0.weight, $0.member) < ($1.block, $1.weight, $1.member) }
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end].block == groups[start].block { end += 1 }
            split(Int(groups[start].block), into: groups[start..<end])
            start = end
        }
    }

    /// Splits a block into groups of members with equal weight. Members that are not in `groups` have no weight.
    private mutating func split(
        _ block: Int, into groups: ArraySlice<(block: Int32, weight: UInt64, member: Int32)>
    ) {
        let whole = ranges[block]
        guard groups.count < whole.count || groups.first?.weight != groups.last?.weight else { return }
        // The listed members move to the end of the block, group by group.
        var parts: [Range<Int>] = []
        var position = whole.upperBound - groups.count
        moveToEnd(groups, of: whole)
        if whole.lowerBound < position { parts.append(whole.lowerBound..<position) }
        var start = position
        var last: UInt64?
        for group in groups {
            if let last, last != group.weight {
                parts.append(start..<position)
                start = position
            }
            last = group.weight
            position += 1
        }
        parts.append(start..<position)
        replace(block, by: parts)
    }

    private mutating func moveToEnd(
        _ groups: ArraySlice<(block: Int32, weight: UInt64, member: Int32)>, of whole: Range<Int>
    ) {
        var position = whole.upperBound
        for group in groups.reversed() {
            position -= 1
            let from = Int(places[Int(group.member)])
            let other = order[position]
            order[position] = group.member
            order[from] = other
            places[Int(group.member)] = Int32(truncatingIfNeeded: position)
            places[Int(other)] = Int32(truncatingIfNeeded: from)
        }
    }

    /// Replaces a block by its parts. The largest part keeps the number of the block, and stays pending only if the
    /// block was; the other parts become pending.
    private mutating func replace(_ block: Int, by parts: [Range<Int>]) {
        guard let largest = parts.max(by: { $0.count < $1.count }) else { return }
        ranges[block] = largest
        for part in parts where part != largest { addBlock(part, isPending: true) }
    }
}
