package import KeyedArchives
package import SaveCodec

/// What is different between two views, by meaning: whatever the formats, UIDs, the order of keys and the layout.
///
///     before  {"a": [1, 2, 3], "b": {"x": 1}}        removed  /a/0     1
///     after   {"b": {"x": 2}, "a": [2, 3]}           changed  /b/x     1 → 2
///
/// A comparison finds out which container after is which one before (``pairs``). What is reported (``changes``) and what
/// leads from the one document to the other (``edits``) follow from that. Linear in the size of both but for a logarithm,
/// and never recursive: objects may be shared and form cycles.
package struct Difference: Sendable {
    /// The view before.
    package let before: ObjectView
    /// The view after.
    package let after: ObjectView
    /// What is different, in the order of the document after; what is gone where it stood.
    package let changes: [Change]
    /// The containers that are the same; first the roots, unless one replaces the other.
    package let pairs: [MatchedPair]
    /// The way from before to after, in the order of the pairs; none for what the options forgive. If there are no
    /// ``pairs``, the document after takes the place of the one before.
    ///
    /// A value that is set or inserted is the *image* of the one after: of a container that has a partner before, that;
    /// of any other a copy, made once, in which containers are images again.
    let edits: [PairEdit]
    let paths: NodePaths
    /// For each pair the slots of both containers that are compared with each other; none unless they are kept.
    let alignments: [[SlotPair]]
    private let looseNumbers: Bool
    /// One more than the number of the pair of each container after, by identity.
    private let pairsAfter: [UInt32]
    /// Where the values are that hold the views, on each side; nil if the views are those of files.
    var base = Sides { _ in JSONPointer?.none }
    private let nested: [Difference]
    /// What ``changes`` would tell of data that holds the same saves by meaning, in other bytes.
    package let sameSaves: [Change]

    /// Compares two views.
    package init(_ before: ObjectView, _ after: ObjectView, options: DifferenceOptions = DifferenceOptions()) {
        self.init(before, after, options: options, keepsAlignments: options.keepsAlignments)
    }

    /// Compares two views.
    ///
    /// - Parameters:
    ///   - keepsAlignments: whether ``alignments`` are wanted.
    ///   - place: where the views are within others, if they are those of saves in values.
    init(
        _ before: ObjectView, _ after: ObjectView, options: DifferenceOptions, keepsAlignments: Bool,
        at place: NestedComparisons.Place? = nil
    ) {
        self.before = before
        self.after = after
        looseNumbers = options.looseNumbers
        var comparison = Comparison(before, after, options: options, keepsAlignments: keepsAlignments, at: place)
        guard comparison.run() else {
            (changes, sameSaves) = comparison.compareReplacedRoots()
            (pairs, edits, paths, pairsAfter, alignments) = ([], [], NodePaths([]), [], [])
            nested = comparison.nested.differences
            return
        }
        nested = comparison.nested.differences
        sameSaves = comparison.nested.sameSaves.map { ChangeList.change($0, of: comparison) }
        changes = ChangeList(comparison).changes
        edits = comparison.pairEdits
        paths = NodePaths(comparison.nodes)
        pairs = Array(comparison.nodes.prefix(comparison.pairCount))
        alignments = comparison.alignments ?? []
        var numbers = [UInt32](repeating: 0, count: after.count)
        for (number, pair) in pairs.enumerated() {
            numbers[pair.after.index] = UInt32(truncatingIfNeeded: number + 1)
        }
        pairsAfter = numbers
    }

    /// The slots of a pair of containers that are compared with each other; none unless they are kept.
    package func aligned(_ pair: Int) -> [(before: Int, after: Int)] {
        alignments.indices.contains(pair) ? alignments[pair].map { (Int($0.before), Int($0.after)) } : []
    }

    /// The view on a side.
    package func view(_ side: Side) -> ObjectView { side == .before ? before : after }

    /// Whether nothing is different that is reported.
    package var isEmpty: Bool { changes.isEmpty }

    /// Whether the value of a change is an object of its archive on one side and stored in place on the other.
    package func changesStorage(_ change: Change) -> Bool {
        guard before.archive != nil, after.archive != nil, let a = change.before, let b = change.after,
            (before.uid(a) == nil) != (after.uid(b) == nil)
        else { return false }
        let (x, y) = (before.scalarObject(a), after.scalarObject(b))
        // Nil has one form only.
        guard x?.kind != .null, y?.kind != .null else { return false }
        return !(looseNumbers && x?.isNumber ?? false && y?.isNumber ?? false)
    }

    /// What is different between the saves that the values of a change hold; nil where they hold none.
    package func inside(_ change: Change) -> Difference? {
        guard var inner = change.nested.map({ nested[$0] }) else { return nil }
        inner.base = Sides { address(of: change, $0) }
        return inner
    }

    /// The number of the pair that a container after is part of; nil for one that has no partner before.
    package func partner(ofAfter id: ViewID) -> Int? {
        guard id.index < pairsAfter.count, pairsAfter[id.index] > 0 else { return nil }
        return Int(pairsAfter[id.index]) - 1
    }
}

/// Addresses, made when they are asked for.
extension Difference {
    /// As many steps of an address are told unless more are asked for; chains of millions of objects are usual in
    /// hostile archives.
    package static let usualSteps = 200

    /// Where a change is on a side, no more than so many steps of it; nil where its value is not.
    package func address(of change: Change, _ side: Side, steps: Int = usualSteps) -> JSONPointer? {
        guard change.value(side) != nil else { return nil }
        guard !pairs.isEmpty else { return rootAddress(side) }
        guard change.slots[side] >= 0, paths.depth(of: change.node) < steps else {
            return address(ofPair: change.node, side, steps: steps)
        }
        var address = way(toPair: change.node, side, steps: steps)
        view(side).append(Int(change.slots[side]), of: paths.nodes[change.node].container(side), to: &address)
        return address
    }

    /// Where a change is: after, or for what was removed before.
    package func address(of change: Change, steps: Int = usualSteps) -> JSONPointer {
        address(of: change, .after, steps: steps) ?? address(of: change, .before, steps: steps) ?? .root
    }

    /// The address of a pair on a side, no more than so many steps of it.
    package func address(ofPair pair: Int, _ side: Side, steps: Int = usualSteps) -> JSONPointer {
        let way = way(toPair: pair, side, steps: steps)
        return way == base[side]?.withoutEntrances ? rootAddress(side) : way
    }

    /// The address of the root on a side.
    private func rootAddress(_ side: Side) -> JSONPointer { base[side]?.enteredRoot ?? .root }

    /// What the addresses of the contents of a pair begin with.
    package func way(toPair pair: Int, _ side: Side, steps: Int = usualSteps) -> JSONPointer {
        var address = base[side]?.withoutEntrances ?? .root
        for step in paths.path(to: pair, most: steps) {
            let node = paths.nodes[step]
            let parent = paths.nodes[Int(node.parent)].container(side)
            view(side).append(Int(node.position(side)), of: parent, to: &address)
        }
        return address
    }

    /// How many steps the whole address of a change has.
    package func depth(of change: Change) -> Int {
        guard !pairs.isEmpty else { return 0 }
        return paths.depth(of: change.node) + (change.slots == .none ? 0 : 1)
    }
}

/// Two containers that are the same one, before and after.
///
/// The pairs of a comparison form a tree: each but that of the roots was found through a pair of slots of another.
package struct MatchedPair: Sendable {
    /// The container before.
    package let before: ViewID
    /// The container after.
    let after: ViewID
    /// The number of the pair through whose slots this was found; its own for the roots.
    let parent: Int32
    /// The position of the slot before.
    let positionBefore: Int32
    /// The position of the slot after.
    let positionAfter: Int32

    /// The container on a side.
    func container(_ side: Side) -> ViewID { side == .before ? before : after }

    /// The position of the slot on a side.
    func position(_ side: Side) -> Int32 { side == .before ? positionBefore : positionAfter }
}

/// The ways from the roots to the nodes of a comparison.
///
/// Every node knows an ancestor far up besides its parent, by which any other is found in logarithmic time (Myers 1983).
struct NodePaths: Sendable {
    let nodes: [MatchedPair]
    private var depths: [UInt32] = []
    private var jumps: [UInt32] = []

    init(_ nodes: [MatchedPair]) {
        self.nodes = nodes
        depths.reserveCapacity(nodes.count)
        jumps.reserveCapacity(nodes.count)
        for (number, node) in nodes.enumerated() {
            let parent = Int(node.parent)
            guard parent < number else {
                depths.append(0)
                jumps.append(UInt32(truncatingIfNeeded: number))
                continue
            }
            depths.append(depths[parent] &+ 1)
            let first = Int(jumps[parent])
            let isEven = depths[parent] &- depths[first] == depths[first] &- depths[Int(jumps[first])]
            jumps.append(isEven ? jumps[first] : UInt32(truncatingIfNeeded: parent))
        }
    }

    /// How many steps a node is from the roots.
    func depth(of node: Int) -> Int { Int(depths[node]) }

    /// The nodes on the way to one, without the roots; no more than so many.
    func path(to node: Int, most: Int) -> [Int] {
        guard node < nodes.count else { return [] }
        let depth = UInt32(clamping: most)
        var number = node
        while depths[number] > depth {
            number = depths[Int(jumps[number])] >= depth ? Int(jumps[number]) : Int(nodes[number].parent)
        }
        var path: [Int] = []
        while depths[number] > 0 {
            path.append(number)
            number = Int(nodes[number].parent)
        }
        return path.reversed()
    }
}

// MARK: Places

/// Where a change happened: two containers that were compared, and their slots.
package struct ComparedSlots: Sendable, Hashable {
    /// The number of the two containers among those that were compared.
    package let node: Int
    /// The container before.
    let before: ViewID
    /// The container after.
    let after: ViewID
    /// The position in the container before; nil for what was added, and for a change of the containers themselves.
    package let positionBefore: Int?
    /// The position in the container after; nil for what was removed, and for a change of the containers themselves.
    package let positionAfter: Int?

    /// The container on a side.
    package func container(_ side: Side) -> ViewID { side == .before ? before : after }

    /// The position in the container of a side; nil for none.
    package func position(_ side: Side) -> Int? { side == .before ? positionBefore : positionAfter }
}

extension Difference {
    /// Where a change happened; nil where one root replaces the other.
    package func place(of change: Change) -> ComparedSlots? {
        guard change.node < paths.nodes.count else { return nil }
        let pair = paths.nodes[change.node]
        return ComparedSlots(
            node: change.node, before: pair.before, after: pair.after,
            positionBefore: Self.position(change.slots.before), positionAfter: Self.position(change.slots.after))
    }

    /// The slots through which the containers of a place were found; nil for the roots.
    package func place(around place: ComparedSlots) -> ComparedSlots? {
        guard place.node > 0 else { return nil }
        let pair = paths.nodes[place.node]
        let parent = paths.nodes[Int(pair.parent)]
        return ComparedSlots(
            node: Int(pair.parent), before: parent.before, after: parent.after,
            positionBefore: Self.position(pair.positionBefore), positionAfter: Self.position(pair.positionAfter))
    }

    /// The address of a slot of the containers of a place, no more than ``usualSteps`` of it.
    package func address(ofSlot position: Int, in place: ComparedSlots, _ side: Side) -> JSONPointer {
        var address = way(toPair: place.node, side)
        view(side).append(position, of: place.container(side), to: &address)
        return address
    }

    /// Where a change is, as a pattern: `*` for positions, also those of pairs whose keys no address tells, and for long
    /// keys, `**` for what is below so many steps.
    package func pattern(of change: Change, steps: Int, longestKey: Int) -> JSONPointer {
        let side: Side = change.after == nil ? .before : .after
        guard change.node < paths.nodes.count else { return rootAddress(side) }
        var pattern = base[side]?.withoutEntrances ?? .root
        let view = view(side)
        let graph = view.graph
        func isTold(_ key: ViewID) -> Bool {
            if let text = view.text(key) { return text.count <= longestKey }
            return !view.token(ofKey: key, at: 0).isNumberedPair
        }
        func append(_ slot: Int32, of container: ViewID) {
            let container = graph.containers[graph.number(of: container) ?? 0]
            if container.kind.isKeyed, isTold(graph.key(Int(slot), of: container)) {
                view.append(Int(slot), of: container.id, to: &pattern)
            } else {
                pattern.append(form: "*")
            }
        }
        for number in paths.path(to: change.node, most: steps) {
            let (node, parent) = (paths.nodes[number], paths.nodes[Int(paths.nodes[number].parent)])
            append(node.position(side), of: parent.container(side))
        }
        if depth(of: change) > steps {
            pattern.append(key: "**".utf16)
        } else if change.slots[side] >= 0 {
            append(change.slots[side], of: paths.nodes[change.node].container(side))
        }
        return pattern
    }

    private static func position(_ slot: Int32) -> Int? { slot < 0 ? nil : Int(slot) }
}
