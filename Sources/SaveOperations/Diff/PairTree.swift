import KeyedArchives
import SaveCodec

/// The pairs of a comparison. Each pair except the roots is found through two slots of another pair, its parent.
///
/// First come the pairs of matched containers. A container is in at most one of them. After ``endMatching()``, further
/// pairs are only compared for the report.
struct PairTree {
    /// The data of a node in ``nodes``, in addition to its two containers.
    struct NodeFacts {
        /// The index among the steps of its parent.
        let order: Int32
        /// The state of the pattern matcher.
        let state: Int32
        /// The number of slots found equal.
        fileprivate(set) var kept: Int32 = 0
        fileprivate(set) var hasSameKeys = false
    }

    /// The pairs of matched containers, followed by pairs that were only compared for the report.
    private(set) var nodes: [MatchedPair] = []
    /// The number of matched pairs at the beginning of ``nodes``; 0 until all pairs are found.
    private(set) var pairCount = 0
    private(set) var facts: [NodeFacts] = []
    /// The compared slots of each node, if the options keep them.
    private(set) var alignments: [[SlotPair]]?
    /// The pair of each container, by number; negative for none.
    private(set) var pairs: Sides<[Int32]>
    /// A random seed for tokens, against deliberate collisions.
    private let seed = UInt64.random(in: 0...UInt64.max)

    init(_ sides: Sides<ComparedSide>, keepsAlignments: Bool) {
        alignments = keepsAlignments ? [] : nil
        pairs = Sides { [Int32](repeating: -1, count: sides[$0].graph.containers.count) }
    }

    var keepsAlignments: Bool { alignments != nil }

    /// Whether a node is a pair of matched containers.
    func isMatched(_ node: Int) -> Bool { pairCount == 0 || node < pairCount }

    /// Returns the token of a pair, for the alignment of elements.
    func token(ofPair pair: Int32) -> UInt64 { ScalarHash.mix(seed, UInt64(pair)) }

    // MARK: Adding

    /// Makes the next node the pair of two containers, given by number.
    mutating func match(_ before: Int, _ after: Int) {
        pairs.before[before] = Int32(truncatingIfNeeded: nodes.count)
        pairs.after[after] = Int32(truncatingIfNeeded: nodes.count)
    }

    /// Adds a node for two containers that were found in a pair of slots.
    ///
    /// - Returns: The number of the node.
    mutating func add(_ before: ViewID, _ after: ViewID, at slots: Comparison.SlotCandidate) -> Int {
        nodes.append(
            MatchedPair(
                before: before, after: after, parent: Int32(truncatingIfNeeded: slots.node),
                positionBefore: slots.positions.before, positionAfter: slots.positions.after))
        facts.append(
            NodeFacts(order: Int32(truncatingIfNeeded: slots.order), state: Int32(truncatingIfNeeded: slots.state)))
        return nodes.count - 1
    }

    mutating func endMatching() {
        pairCount = nodes.count
    }

    // MARK: Slots

    /// Counts slots of a node that were found equal.
    mutating func countKept(_ count: Int = 1, of node: Int) {
        facts[node].kept &+= Int32(truncatingIfNeeded: count)
    }

    mutating func noteKeys(of node: Int, areSame: Bool) {
        facts[node].hasSameKeys = areSame
    }

    /// Keeps the slots that both containers of the next node have, if the options ask for them.
    mutating func noteAlignment(_ steps: [AlignmentStep]) {
        alignments?.append(steps.compactMap { $0.slots.before < 0 || $0.slots.after < 0 ? nil : $0.slots })
    }
}
