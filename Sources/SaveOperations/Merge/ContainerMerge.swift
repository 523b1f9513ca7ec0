import KeyedArchives

/// The merge of one container that both sides have, in progress. The result is its ``plan``.
struct ContainerMerge {
    let pairing: ThreeWayMerge.Pairing
    let container: MergeContainer
    /// The container in the base; nil if it is new on both sides.
    let base: ViewID?
    let variant: ViewValue.Variant
    let ours: SideSlots
    let theirs: SideSlots
    var slots: MergedSlots
    private(set) var sets: [(position: Int, value: MergedValue)] = []
    var classPosition: Int?
    /// The slots in theirs that the base also has but that must be inserted, because ours removed them or both values
    /// are kept.
    private(set) var restored: Set<Int> = []
    /// Whether ours has slots that the base does not have.
    let hasNewOurs: Bool
    /// The positions of the new slots in ours by token, in descending order; nil until ``index(_:)`` is called.
    private(set) var newSlotsByToken: [UInt64: [Int]]?
    private let views: (ours: ObjectView, theirs: ObjectView)
    private let contents: (ours: ViewContents, theirs: ViewContents)
    private var newContainers: Set<ViewID>?

    init(_ merge: ThreeWayMerge, _ pairing: ThreeWayMerge.Pairing, at container: MergeContainer) {
        self.pairing = pairing
        self.container = container
        let (mine, other) = (merge.ours[pairing.ours], merge.theirs[pairing.theirs])
        variant = mine.variant
        views = (merge.ours, merge.theirs)
        contents = (mine.contents, other.contents)
        slots = MergedSlots(count: mine.contents.count)
        guard let sides = merge.sides, let x = pairing.oursPair, let y = pairing.theirsPair else {
            base = nil
            ours = SideSlots(newCount: mine.contents.count)
            theirs = SideSlots(newCount: other.contents.count)
            hasNewOurs = mine.contents.count > 0
            return
        }
        base = sides.ours.difference.pairs[x].before
        ours = SideSlots(sides.ours, pair: x)
        theirs = SideSlots(sides.theirs, pair: y)
        hasNewOurs = ours.bases.contains { $0 < 0 }
    }

    var plan: ThreeWayMerge.ContainerPlan {
        ThreeWayMerge.ContainerPlan(pairing: pairing, slots: slots, sets: sets, classPosition: classPosition)
    }

    var theirsCount: Int { contents.theirs.count }

    func valueOurs(_ position: Int) -> ViewID { views.ours.item(position, of: contents.ours).id }

    func valueTheirs(_ position: Int) -> ViewID { views.theirs.item(position, of: contents.theirs).id }

    func keyOurs(_ position: Int) -> ViewID {
        let item = views.ours.item(position, of: contents.ours)
        return item.key ?? item.id
    }

    func keyTheirs(_ position: Int) -> ViewID {
        let item = views.theirs.item(position, of: contents.theirs)
        return item.key ?? item.id
    }

    /// Whether a side changed a slot of the base: it removed the slot or replaced its value. A change inside a
    /// container in the slot counts only if the other side no longer has the container.
    func isChanged(_ position: Int, in slots: SideSlots, of side: SideChanges, pair: Int?) -> Bool {
        if slots.isSet[position] || slots.position(ofBase: position) == nil { return true }
        guard !side.lostSlots.isEmpty, let pair else { return false }
        return side.lostSlots.contains(SideChanges.Slot(pair: pair, position: position))
    }

    // MARK: Taking

    mutating func take(_ decision: MergeDecision, ours x: Int?, theirs y: Int?) {
        switch (decision, x, y) {
        case (.ours, _, _), (.theirs, nil, nil), (.both, _, nil): break
        case (.theirs, let x?, let y?): sets.append((x, .theirs(y)))
        case (.theirs, let x?, nil): slots.remove(MergedSlots.item(ofOurs: x))
        case (.theirs, nil, let y?), (.both, _, let y?): restored.insert(y)
        case (.value(let value), let x?, _): sets.append((x, value))
        case (.value, nil, _): break
        }
    }

    /// Whether theirs has slots to insert or to move.
    var bringsSlots: Bool {
        !restored.isEmpty || theirs.bases.contains { $0 < 0 } || theirs.isMoved.contains(true)
    }

    // MARK: New slots in ours

    /// Returns the positions of the new slots in ours, or of all slots in ours, in descending order.
    func newPositions(all: Bool = false) -> [Int] {
        ours.bases.indices.reversed().filter { all || ours.bases[$0] < 0 }
    }

    /// Makes slots in ours available to ``takeNewSlot(_:)``.
    ///
    /// - Parameter newSlots: The slots, in descending order of position.
    mutating func index(_ newSlots: [(position: Int, token: UInt64)]) {
        newSlotsByToken = Dictionary(grouping: newSlots, by: \.token).mapValues { $0.map(\.position) }
    }

    /// Returns the first remaining slot in ours with a token, and removes it from the index.
    mutating func takeNewSlot(_ token: UInt64) -> Int? {
        newSlotsByToken?[token]?.popLast()
    }

    /// Adds a token to the index.
    ///
    /// - Returns: False if the index has the token already.
    mutating func addToken(_ token: UInt64) -> Bool {
        guard newSlotsByToken?[token] == nil else { return false }
        newSlotsByToken?[token] = []
        return true
    }

    /// Whether a container is the value of a new slot in ours or, with `all`, of any slot in ours.
    ///
    /// - Parameter all: Whether slots of the base count, too. Must be the same in all calls, since the result is
    ///   cached.
    mutating func hasNew(_ id: ViewID, all: Bool) -> Bool {
        let known = newContainers ?? Set(newPositions(all: all).map { valueOurs($0) })
        newContainers = known
        return known.contains(id)
    }

    /// Returns the new items in ours that directly follow an item.
    func newItems(after item: Int) -> [Int] {
        var items: [Int] = []
        var last = item
        while let next = slots.item(after: last), case .ours(let position) = slots.sources[next],
            ours.base(of: position) == nil
        {
            items.append(next)
            last = next
        }
        return items
    }

    /// Returns the last of the new items, of either side, that directly follow an item. Returns the item itself if no
    /// new item follows it.
    func lastNewItem(after item: Int) -> Int {
        var last = item
        while let next = slots.item(after: last), isNew(next) { last = next }
        return last
    }

    private func isNew(_ item: Int) -> Bool {
        switch slots.sources[item] {
        case .ours(let position): ours.base(of: position) == nil
        case .theirs: true
        }
    }
}

/// The changes of one side to the slots of a container of the base.
///
///     base  A B C        partners   0 - 1        B is removed
///     side  A C x        bases      0 2 -        x is new
struct SideSlots {
    /// For each slot of the base, its position on the side; negative for a removed slot.
    private(set) var partners: [Int32]
    /// For each slot of the side, its position in the base; negative for a new slot.
    private(set) var bases: [Int32]
    /// Whether the value of each slot of the base was replaced.
    private(set) var isSet: [Bool]
    private(set) var isMoved: [Bool]
    private(set) var setsClass = false

    init(_ side: SideChanges, pair: Int) {
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

    /// Treats all slots of a container as new.
    init(newCount count: Int) {
        self.init(baseCount: 0, count: count)
    }

    private init(baseCount: Int, count: Int) {
        partners = [Int32](repeating: -1, count: baseCount)
        bases = [Int32](repeating: -1, count: count)
        isSet = [Bool](repeating: false, count: baseCount)
        isMoved = isSet
    }

    func position(ofBase position: Int) -> Int? {
        partners[position] < 0 ? nil : Int(partners[position])
    }

    func base(of position: Int) -> Int? {
        bases[position] < 0 ? nil : Int(bases[position])
    }
}
