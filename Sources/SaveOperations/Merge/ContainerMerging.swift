import KeyedArchives

/// A container while it is merged.
struct ContainerMerging {
    let pairing: ThreeWayMerge.Pairing
    let container: MergeContainer
    /// The container of the base.
    let base: ViewID?
    let form: ViewValue.Form
    let ours: SideSlots
    let theirs: SideSlots
    var slots: MergedSlots
    private(set) var sets: [(position: Int, value: MergedValue)] = []
    var classPosition: Int?
    /// The slots of theirs that are in the base, too, and that are to be brought in all the same: ours removed them, or
    /// has another value there.
    private(set) var restored: Set<Int> = []
    /// Whether ours has slots that the base does not have.
    let hasNewOurs: Bool
    /// The new slots of ours by a token, once asked for: those of one token in falling order.
    private(set) var newPlaces: [UInt64: [Int]]?
    private let views: (ours: ObjectView, theirs: ObjectView)
    private let contents: (ours: ViewContents, theirs: ViewContents)
    private var newContainers: Set<ViewID>?

    init(_ merge: ThreeWayMerge, _ pairing: ThreeWayMerge.Pairing, at container: MergeContainer) {
        self.pairing = pairing
        self.container = container
        let (mine, other) = (merge.ours[pairing.ours], merge.theirs[pairing.theirs])
        form = mine.form
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

    var plan: ThreeWayMerge.Plan {
        ThreeWayMerge.Plan(pairing: pairing, slots: slots, sets: sets, classPosition: classPosition)
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

    /// Whether a side changed a slot of the base: removed it, gave it another value, or changed in the one that it has
    /// what the other side no longer has.
    func isChanged(_ position: Int, in slots: SideSlots, of side: MergeSide, pair: Int?) -> Bool {
        if slots.isSet[position] || slots.position(ofBase: position) == nil { return true }
        guard !side.lostSlots.isEmpty, let pair else { return false }
        return side.lostSlots.contains(MergeSide.Slot(pair: pair, position: position))
    }

    // MARK: Taking

    /// Does with a slot what was decided.
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

    /// Whether theirs has slots for which a place is to be found.
    var bringsSlots: Bool {
        !restored.isEmpty || theirs.bases.contains { $0 < 0 } || theirs.isMoved.contains(true)
    }

    // MARK: New slots of ours

    /// The new slots of ours, or all, from the last.
    func newPositions(all: Bool = false) -> [Int] {
        ours.bases.indices.reversed().filter { all || ours.bases[$0] < 0 }
    }

    /// Lets slots of ours be found by a token.
    mutating func index(_ places: [(position: Int, token: UInt64)]) {
        newPlaces = Dictionary(grouping: places, by: \.token).mapValues { $0.map(\.position) }
    }

    /// The first new slot of ours with a token, which is not found again.
    mutating func takeNewPlace(_ token: UInt64) -> Int? {
        newPlaces?[token]?.popLast()
    }

    /// Notes a token. False if it was known.
    mutating func addPlace(_ token: UInt64) -> Bool {
        guard newPlaces?[token] == nil else { return false }
        newPlaces?[token] = []
        return true
    }

    /// Whether a container is in a new slot of ours, or in any.
    mutating func hasNew(_ id: ViewID, all: Bool) -> Bool {
        let known = newContainers ?? Set(newPositions(all: all).map { valueOurs($0) })
        newContainers = known
        return known.contains(id)
    }

    /// The new items of ours that follow one directly.
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

    /// The last of the items behind one that are new, of either side; the one itself if there is none.
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
