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
    package let edits: [PairEdit]
    let paths: NodePaths
    /// The slots of the containers, in which keys are found at once.
    let graphs: (before: ComparedGraph, after: ComparedGraph)
    /// For each pair the slots of both containers that are compared with each other; none unless they are kept.
    let alignments: [[SlotPair]]
    /// One more than the number of the pair of each container after, by identity.
    private let pairsAfter: [UInt32]

    /// Compares two views.
    package init(_ before: ObjectView, _ after: ObjectView, _ options: DifferenceOptions = DifferenceOptions()) {
        self.init(before, after, options, keepsAlignments: false)
    }

    /// Compares two views.
    ///
    /// - Parameter keepsAlignments: whether ``alignments`` are wanted.
    init(_ before: ObjectView, _ after: ObjectView, _ options: DifferenceOptions, keepsAlignments: Bool) {
        self.before = before
        self.after = after
        var comparison = Comparison(before, after, options, keepsAlignments: keepsAlignments)
        graphs = (comparison.before, comparison.after)
        guard comparison.run() else {
            let kind = comparison.kindOfReplacedRoot()
            changes =
                kind.map { [Change(kind: $0, before: before.root, after: after.root, node: 0, slots: .none)] } ?? []
            (pairs, edits, paths, pairsAfter, alignments) = ([], [], NodePaths([]), [], [])
            return
        }
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

    /// Whether nothing is different that is reported.
    package var isEmpty: Bool { changes.isEmpty }

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

    /// Where a change is before, no more than so many steps of it; nil for what was added.
    package func addressBefore(of change: Change, steps: Int = usualSteps) -> JSONPointer? {
        change.before == nil
            ? nil : address(change, in: graphs.before, steps, \.slots.before) { ($0.before, $0.positionBefore) }
    }

    /// Where a change is after, no more than so many steps of it; nil for what was removed.
    package func addressAfter(of change: Change, steps: Int = usualSteps) -> JSONPointer? {
        change.after == nil
            ? nil : address(change, in: graphs.after, steps, \.slots.after) { ($0.after, $0.positionAfter) }
    }

    /// Where a change is: after, or for what was removed before.
    package func address(of change: Change, steps: Int = usualSteps) -> JSONPointer {
        addressAfter(of: change, steps: steps) ?? addressBefore(of: change, steps: steps) ?? .root
    }

    /// The address of a pair before, no more than so many steps of it.
    package func addressBefore(ofPair pair: Int, steps: Int = .max) -> JSONPointer {
        address(ofNode: pair, in: graphs.before, steps) { ($0.before, $0.positionBefore) }
    }

    /// The address of a pair after, no more than so many steps of it.
    package func addressAfter(ofPair pair: Int, steps: Int = .max) -> JSONPointer {
        address(ofNode: pair, in: graphs.after, steps) { ($0.after, $0.positionAfter) }
    }

    /// How many steps the whole address of a change has.
    package func depth(of change: Change) -> Int {
        guard !pairs.isEmpty else { return 0 }
        return paths.depth(of: change.node) + (change.slots == .none ? 0 : 1)
    }

    private func address(
        _ change: Change, in graph: ComparedGraph, _ steps: Int, _ slot: (Change) -> Int32,
        _ place: (MatchedPair) -> (ViewID, Int32)
    ) -> JSONPointer {
        guard !pairs.isEmpty else { return .root }
        var address = address(ofNode: change.node, in: graph, steps, place)
        if slot(change) >= 0, paths.depth(of: change.node) < steps {
            graph.append(slot(change), of: place(paths.nodes[change.node]).0, to: &address)
        }
        return address
    }

    private func address(
        ofNode node: Int, in graph: ComparedGraph, _ steps: Int, _ place: (MatchedPair) -> (ViewID, Int32)
    ) -> JSONPointer {
        var address = JSONPointer.root
        for step in paths.path(to: node, most: steps) {
            let parent = place(paths.nodes[Int(paths.nodes[step].parent)]).0
            graph.append(place(paths.nodes[step]).1, of: parent, to: &address)
        }
        return address
    }
}

extension ComparedGraph {
    /// Goes one step down in an address, to a slot of a container.
    func append(_ slot: Int32, of container: ViewID, to address: inout JSONPointer) {
        view.append(Outline.PathStep(key: key(Int(slot), of: container), position: Int(slot)), to: &address)
    }

    /// The key of a slot; nil for elements.
    func key(_ position: Int, of id: ViewID) -> ViewID? {
        guard let container = number(of: id).map({ containers[$0] }), container.kind.isKeyed else { return nil }
        return key(position, of: container)
    }
}
