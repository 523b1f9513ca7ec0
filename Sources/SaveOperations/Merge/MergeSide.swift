import KeyedArchives

/// One of the sides.
package enum MergeSideName: Sendable {
    case ours, theirs
}

/// What one side made of the base.
struct MergeSide {
    /// A slot of a pair's container before.
    struct Slot: Hashable {
        let pair: Int
        let position: Int
    }

    /// The way from the base to the side.
    let difference: Difference
    /// The slots whose containers the other side no longer has although this one changed something in them.
    private(set) var lostSlots: Set<Slot> = []
    /// Whether this side changed something in the root, and the other side has another one.
    private(set) var hasLostRoot = false
    /// One more than the number of the pair of each container of the base, by identity.
    private let pairs: [UInt32]
    /// One more than the position among the edits of each pair's.
    private let edits: [UInt32]

    init(_ base: ObjectView, _ side: ObjectView, options: DifferenceOptions) {
        difference = Difference(base, side, options: options, keepsAlignments: true)
        var pairs = [UInt32](repeating: 0, count: base.count)
        for (number, pair) in difference.pairs.enumerated() {
            pairs[pair.before.index] = UInt32(truncatingIfNeeded: number + 1)
        }
        var edits = [UInt32](repeating: 0, count: difference.pairs.count)
        for (position, edit) in difference.edits.enumerated() {
            edits[edit.pair] = UInt32(truncatingIfNeeded: position + 1)
        }
        (self.pairs, self.edits) = (pairs, edits)
    }

    /// The view of the side.
    var view: ObjectView { difference.after }

    /// Whether the root is no longer the same container, or another scalar.
    var replacesRoot: Bool { difference.pairs.isEmpty && !difference.isEmpty }

    /// The number of the pair of a container of the base; nil for one that the side no longer has.
    func pair(ofBase id: ViewID) -> Int? {
        pairs[id.index] == 0 ? nil : Int(pairs[id.index]) - 1
    }

    /// The container of the base that one of the side is; nil for a new one.
    func base(of id: ViewID) -> ViewID? {
        difference.partner(ofAfter: id).map { difference.pairs[$0].before }
    }

    /// What the side did to the slots of a pair.
    func edits(of pair: Int) -> [SlotEdit] {
        edits[pair] == 0 ? [] : difference.edits[Int(edits[pair]) - 1].edits
    }

    func hasEdits(_ pair: Int) -> Bool { edits[pair] > 0 }

    /// Finds the changes of this side in what the other side no longer has.
    mutating func findLost(_ other: MergeSide) {
        let pairs = difference.pairs
        var isLost = edits.map { $0 > 0 }
        for (number, pair) in pairs.enumerated().reversed() {
            guard isLost[number], other.pair(ofBase: pair.before) == nil else { continue }
            let parent = Int(pair.parent)
            if number == 0 {
                hasLostRoot = true
            } else if other.pair(ofBase: pairs[parent].before) == nil {
                isLost[parent] = true
            } else {
                lostSlots.insert(Slot(pair: parent, position: Int(pair.positionBefore)))
            }
        }
    }
}
