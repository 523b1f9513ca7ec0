package import KeyedArchives
package import SaveCodec

/// The difference between two views by meaning, regardless of formats, UIDs, key order and layout.
///
///     before  {"a": [1, 2, 3], "b": {"x": 1}}        removed  /a/0     1
///     after   {"b": {"x": 2}, "a": [2, 3]}           changed  /b/x     1 → 2
///
/// A comparison first pairs the containers of ``before`` with their counterparts in ``after`` (``pairs``). The reported
/// ``changes`` and the ``edits`` that turn one document into the other are derived from the pairs. Takes O(*n* log *n*)
/// time in the size of both views. Not recursive, since objects may be shared and form cycles.
package struct Difference: Sendable {
    /// The compared views.
    package let before: ObjectView
    package let after: ObjectView
    /// The changes in the order of ``after``, with removals at their former position.
    package let changes: [Change]
    /// The containers that both views have. The roots come first, unless one replaces the other.
    package let pairs: [MatchedPair]
    /// The edits that turn ``before`` into ``after``, in the order of the pairs; none for differences that the options
    /// ignore. If ``pairs`` is empty, the whole document is replaced.
    ///
    /// The value that an edit sets or inserts is the *image* of the value in ``after``. The image of a container with a
    /// partner is the partner. The image of any other container is a single copy, which contains images in turn.
    let edits: [ContainerEdits]
    let paths: NodePaths
    /// The compared slots of each pair; empty unless the options keep them.
    let alignments: [[SlotPair]]
    private let looseNumbers: Bool
    /// The number of the pair of each container of ``after``, plus one; 0 if it has no pair. Indexed by
    /// ``ViewID/index``.
    private let pairsAfter: [UInt32]
    /// The addresses of the values that hold the views, on each side; nil for the views of files.
    var base = Sides { _ in JSONPointer?.none }
    private let nested: [Difference]
    /// The changes of data values whose bytes differ but whose nested saves are equal by meaning. They are not in
    /// ``changes``.
    package let equalNestedSaves: [Change]

    /// Compares two views.
    package init(_ before: ObjectView, _ after: ObjectView, options: DifferenceOptions = DifferenceOptions()) {
        self.init(before, after, options: options, keepsAlignments: options.keepsAlignments)
    }

    /// Creates the difference between a view and itself. It has no pairs.
    package init(none view: ObjectView) {
        (before, after, looseNumbers) = (view, view, false)
        (changes, equalNestedSaves, nested) = ([], [], [])
        (pairs, edits, paths, pairsAfter, alignments) = ([], [], NodePaths([]), [], [])
    }

    /// Compares two views.
    ///
    /// - Parameters:
    ///   - keepsAlignments: Whether to keep ``alignments``.
    ///   - context: The context of the views in the comparison around them, if they are nested saves.
    init(
        _ before: ObjectView, _ after: ObjectView, options: DifferenceOptions, keepsAlignments: Bool,
        in context: NestedComparisons.Context? = nil
    ) {
        self.before = before
        self.after = after
        looseNumbers = options.looseNumbers
        var comparison = Comparison(before, after, options: options, keepsAlignments: keepsAlignments, in: context)
        guard comparison.run() else {
            (changes, equalNestedSaves) = comparison.compareReplacedRoots()
            (pairs, edits, paths, pairsAfter, alignments) = ([], [], NodePaths([]), [], [])
            nested = comparison.nested.differences
            return
        }
        nested = comparison.nested.differences
        equalNestedSaves = comparison.nested.equalNestedSaves.map { ChangeList.change($0, of: comparison) }
        changes = ChangeList(comparison).changes
        edits = comparison.containerEdits
        paths = NodePaths(comparison.tree.nodes)
        pairs = Array(comparison.tree.nodes.prefix(comparison.tree.pairCount))
        alignments = comparison.tree.alignments ?? []
        var numbers = [UInt32](repeating: 0, count: after.count)
        for (number, pair) in pairs.enumerated() {
            numbers[pair.after.index] = UInt32(truncatingIfNeeded: number + 1)
        }
        pairsAfter = numbers
    }

    /// Returns the compared slots of a pair of containers; none unless the options keep them.
    package func aligned(_ pair: Int) -> [(before: Int, after: Int)] {
        alignments.indices.contains(pair) ? alignments[pair].map { (Int($0.before), Int($0.after)) } : []
    }

    /// Returns ``before`` or ``after``.
    package func view(_ side: Side) -> ObjectView { side == .before ? before : after }

    /// Whether there are no reported changes.
    package var isEmpty: Bool { changes.isEmpty }

    /// Whether the value of a change is an archived object on one side and stored in place on the other.
    package func changesStorage(_ change: Change) -> Bool {
        guard before.archive != nil, after.archive != nil, let a = change.before, let b = change.after,
            (before.uid(a) == nil) != (after.uid(b) == nil)
        else { return false }
        let (x, y) = (before.scalarObject(a), after.scalarObject(b))
        // Nil can be stored in only one way.
        guard x?.kind != .null, y?.kind != .null else { return false }
        return !(looseNumbers && x?.isNumber ?? false && y?.isNumber ?? false)
    }

    /// Returns the difference between the saves nested in the values of a change; nil if they hold none.
    package func nestedDifference(of change: Change) -> Difference? {
        guard var inner = change.nested.map({ nested[$0] }) else { return nil }
        inner.base = Sides { address(of: change, $0) }
        return inner
    }

    /// Returns the number of the pair of a container in ``after``; nil for a container without a partner.
    package func partner(ofAfter id: ViewID) -> Int? {
        guard id.index < pairsAfter.count, pairsAfter[id.index] > 0 else { return nil }
        return Int(pairsAfter[id.index]) - 1
    }
}

/// Addresses, computed on request.
extension Difference {
    /// The default for the maximum number of tokens in an address. Hostile archives can have chains of millions of
    /// objects.
    package static let defaultMaxTokens = 200

    /// Returns the address of a change on a side, cut off after `steps` tokens; nil without a value on that side.
    package func address(of change: Change, _ side: Side, steps: Int = defaultMaxTokens) -> JSONPointer? {
        guard change.value(side) != nil else { return nil }
        guard !pairs.isEmpty else { return rootAddress(side) }
        guard change.slots[side] >= 0, paths.depth(of: change.node) < steps else {
            return address(ofPair: change.node, side, steps: steps)
        }
        var address = commonAddress(ofPair: change.node, side, steps: steps)
        view(side).append(Int(change.slots[side]), of: paths.nodes[change.node].container(side), to: &address)
        return address
    }

    /// Returns the address of a change in ``after``, or in ``before`` for a removal. The address is cut off after
    /// `steps` tokens.
    package func address(of change: Change, steps: Int = defaultMaxTokens) -> JSONPointer {
        address(of: change, .after, steps: steps) ?? address(of: change, .before, steps: steps) ?? .root
    }

    /// Returns the address of a pair on a side, cut off after `steps` tokens.
    package func address(ofPair pair: Int, _ side: Side, steps: Int = defaultMaxTokens) -> JSONPointer {
        let address = commonAddress(ofPair: pair, side, steps: steps)
        return address == base[side]?.nestedSavePrefix ? rootAddress(side) : address
    }

    private func rootAddress(_ side: Side) -> JSONPointer { base[side]?.nestedSaveRoot ?? .root }

    /// Returns the common prefix of the addresses of a pair's slots, cut off after `steps` tokens.
    package func commonAddress(ofPair pair: Int, _ side: Side, steps: Int = defaultMaxTokens) -> JSONPointer {
        var address = base[side]?.nestedSavePrefix ?? .root
        for step in paths.path(to: pair, most: steps) {
            let node = paths.nodes[step]
            let parent = paths.nodes[Int(node.parent)].container(side)
            view(side).append(Int(node.position(side)), of: parent, to: &address)
        }
        return address
    }

    /// Returns the number of tokens in the whole address of a change.
    package func depth(of change: Change) -> Int {
        guard !pairs.isEmpty else { return 0 }
        return paths.depth(of: change.node) + (change.slots == .none ? 0 : 1)
    }
}

/// A container of the earlier view and its counterpart in the later view.
///
/// The pairs of a comparison form a tree: each pair except the roots is found through two slots of another pair.
package struct MatchedPair: Sendable {
    /// The container in the earlier view.
    package let before: ViewID
    let after: ViewID
    /// The number of the pair through whose slots this pair was found; its own number for the roots.
    let parent: Int32
    let positionBefore: Int32
    let positionAfter: Int32

    func container(_ side: Side) -> ViewID { side == .before ? before : after }

    func position(_ side: Side) -> Int32 { side == .before ? positionBefore : positionAfter }
}

/// The paths from the roots to the nodes of a comparison.
struct NodePaths: Sendable {
    let nodes: [MatchedPair]
    private var ancestors = AncestorLinks()

    init(_ nodes: [MatchedPair]) {
        self.nodes = nodes
        ancestors.reserveCapacity(nodes.count)
        for (number, node) in nodes.enumerated() {
            ancestors.append(below: node.parent < number ? Int(node.parent) : nil)
        }
    }

    /// Returns the number of steps from the roots to a node.
    func depth(of node: Int) -> Int { ancestors.depth(of: node) }

    /// Returns the nodes on the path to a node, without the roots, cut off after `most` nodes.
    func path(to node: Int, most: Int) -> [Int] {
        guard node < nodes.count else { return [] }
        return ancestors.path(to: node, most: most) { Int(nodes[$0].parent) }
    }
}

// MARK: Compared slots

/// The site of a change: two compared containers and their slots.
package struct ChangeSite: Sendable, Hashable {
    /// The number of the pair of containers in the comparison's nodes: a matched pair, or one that was compared only
    /// for the report.
    package let node: Int
    let before: ViewID
    let after: ViewID
    /// The position in the earlier container; nil for an addition, and for a change of the containers themselves.
    package let positionBefore: Int?
    /// The position in the later container; nil for a removal, and for a change of the containers themselves.
    package let positionAfter: Int?

    /// Returns the container on a side.
    package func container(_ side: Side) -> ViewID { side == .before ? before : after }

    /// Returns the position in the container on a side; nil for none.
    package func position(_ side: Side) -> Int? { side == .before ? positionBefore : positionAfter }
}

extension Difference {
    /// Returns the slots of a change; nil if one root replaces the other.
    package func site(of change: Change) -> ChangeSite? {
        guard change.node < paths.nodes.count else { return nil }
        let pair = paths.nodes[change.node]
        return ChangeSite(
            node: change.node, before: pair.before, after: pair.after,
            positionBefore: Self.position(change.slots.before), positionAfter: Self.position(change.slots.after))
    }

    /// Returns the slots whose values are the two containers of a site; nil for the roots.
    package func enclosingSite(of site: ChangeSite) -> ChangeSite? {
        guard site.node > 0 else { return nil }
        let pair = paths.nodes[site.node]
        let parent = paths.nodes[Int(pair.parent)]
        return ChangeSite(
            node: Int(pair.parent), before: parent.before, after: parent.after,
            positionBefore: Self.position(pair.positionBefore), positionAfter: Self.position(pair.positionAfter))
    }

    /// Returns the address of a slot of two compared containers, cut off after ``defaultMaxTokens`` tokens.
    package func address(ofSlot position: Int, in site: ChangeSite, _ side: Side) -> JSONPointer {
        var address = commonAddress(ofPair: site.node, side)
        view(side).append(position, of: site.container(side), to: &address)
        return address
    }

    /// Returns the address of a change as a pattern.
    ///
    /// - Parameters:
    ///   - steps: The number of tokens after which the pattern ends with `**`.
    ///   - longestKey: The length of the longest key to include. `*` replaces longer keys, positions, and keys that
    ///     have no token but their position.
    package func pattern(of change: Change, steps: Int, longestKey: Int) -> JSONPointer {
        let side: Side = change.after == nil ? .before : .after
        guard change.node < paths.nodes.count else { return rootAddress(side) }
        var pattern = base[side]?.nestedSavePrefix ?? .root
        let view = view(side)
        let graph = view.graph
        func isReported(_ key: ViewID) -> Bool {
            if let text = view.text(key) { return text.count <= longestKey }
            return !view.token(ofKey: key, at: 0).isNumberedPair
        }
        func append(_ slot: Int32, of container: ViewID) {
            let container = graph.containers[graph.number(of: container) ?? 0]
            if container.kind.isKeyed, isReported(graph.key(Int(slot), of: container)) {
                view.append(Int(slot), of: container.id, to: &pattern)
            } else {
                pattern.append(extensionToken: "*")
            }
        }
        for number in paths.path(to: change.node, most: steps) {
            let (node, parent) = (paths.nodes[number], paths.nodes[Int(paths.nodes[number].parent)])
            append(node.position(side), of: parent.container(side))
        }
        if depth(of: change) > steps {
            pattern.append(extensionToken: "**")
        } else if change.slots[side] >= 0 {
            append(change.slots[side], of: paths.nodes[change.node].container(side))
        }
        return pattern
    }

    private static func position(_ slot: Int32) -> Int? { slot < 0 ? nil : Int(slot) }
}
