import KeyedArchives

/// What one side made of the slots of a container of the base.
///
///     base  A B C        partners   0 - 1        B is gone
///     side  A C x        bases      0 2 -        x is new
struct SideSlots {
    /// The position on the side of each slot of the base; negative if it is gone.
    private(set) var partners: [Int32]
    /// The position in the base of each slot of the side; negative if it is new.
    private(set) var bases: [Int32]
    /// The slots of the base whose value is another now, or that stand elsewhere among the others.
    private(set) var isSet: [Bool]
    private(set) var isMoved: [Bool]
    private(set) var setsClass = false

    /// The slots of a pair.
    init(_ side: MergeSide, pair: Int) {
        let difference = side.difference
        let (before, after) = (difference.pairs[pair].before, difference.pairs[pair].after)
        self.init(baseCount: difference.before[before].contents.count, count: difference.after[after].contents.count)
        for slots in difference.alignments[pair] {
            partners[Int(slots.before)] = slots.after
            bases[Int(slots.after)] = slots.before
        }
        for edit in side.edits(of: pair) {
            switch edit {
            case .set(let before, _): isSet[before] = true
            case .move(let before, _): isMoved[before] = true
            case .setClass: setsClass = true
            case .remove, .insert: break
            }
        }
    }

    /// The slots of a container that the base does not have.
    init(newCount count: Int) {
        self.init(baseCount: 0, count: count)
    }

    private init(baseCount: Int, count: Int) {
        partners = [Int32](repeating: -1, count: baseCount)
        bases = [Int32](repeating: -1, count: count)
        isSet = [Bool](repeating: false, count: baseCount)
        isMoved = isSet
    }

    /// The position on the side of a slot of the base.
    func position(ofBase position: Int) -> Int? {
        partners[position] < 0 ? nil : Int(partners[position])
    }

    /// The position in the base of a slot of the side.
    func base(of position: Int) -> Int? {
        bases[position] < 0 ? nil : Int(bases[position])
    }
}
