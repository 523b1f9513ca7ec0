import KeyedArchives
import SaveCodec

extension ThreeWayMerge {
    mutating func merge(_ pairing: Pairing, at container: MergeContainer) {
        var merging = ContainerMerge(self, pairing, at: container)
        merging.classPosition = mergeClasses(merging)
        mergeBaseSlots(&merging)
        insertNewSlots(&merging)
        let plan = merging.plan
        if plan.classPosition != nil || !plan.sets.isEmpty || !plan.slots.edits.isEmpty { plans.append(plan) }
    }

    // MARK: Classes

    /// Returns the class that a container takes from theirs, as a position among the classes in theirs; nil to keep the
    /// class.
    private mutating func mergeClasses(_ merging: ContainerMerge) -> Int? {
        guard merging.theirs.setsClass, let new = theirs[merging.pairing.theirs].classPosition else { return nil }
        guard merging.ours.setsClass else { return new }
        guard className(merging.pairing.ours, in: ours) != className(merging.pairing.theirs, in: theirs) else {
            return nil
        }
        let versions = SlotVersions(
            base: merging.base, ours: merging.pairing.ours, theirs: merging.pairing.theirs,
            state: rules.stateOfClass(in: merging.pairing.state))
        switch settle(versions, in: merging.container) {
        case .ours: return nil
        case .theirs: return new
        case nil:
            note(versions, .className, at: .container(merging.container))
            return nil
        }
    }

    func className(_ id: ViewID, in view: ObjectView) -> [UInt16]? {
        guard let archive = view.archive, let position = view.classPosition(of: id) else { return nil }
        return Array(archive.classes[position].name)
    }

    // MARK: Slots of the base

    private mutating func mergeBaseSlots(_ merging: inout ContainerMerge) {
        guard let base, let id = merging.base, let sides else { return }
        let contents = base[id].contents
        for position in 0..<contents.count {
            let (x, y) = (merging.ours.position(ofBase: position), merging.theirs.position(ofBase: position))
            let isOursChanged = merging.isChanged(
                position, in: merging.ours, of: sides.ours, pair: merging.pairing.oursPair)
            let isTheirsChanged = merging.isChanged(
                position, in: merging.theirs, of: sides.theirs, pair: merging.pairing.theirsPair)
            guard isTheirsChanged || isOursChanged && !rules.isEmpty else { continue }
            let site = MergeSite.slot(merging.container, ours: x, theirs: y)
            let versions = SlotVersions(
                base: base.item(position, of: contents).id, ours: x.map { merging.valueOurs($0) },
                theirs: y.map { merging.valueTheirs($0) }, state: state(site, merging))
            merging.take(decide(versions.changed(isOursChanged, isTheirsChanged), at: site), ours: x, theirs: y)
        }
    }

    /// Returns the state of the pattern matcher at a slot that at least one side has.
    private mutating func state(_ site: MergeSite, _ merging: ContainerMerge) -> Int {
        guard rules.hasPatterns, case .slot(_, let x, let y) = site else { return 0 }
        let state = merging.pairing.state
        if let x {
            let step = PathStep(key: ours.item(x, of: merging.pairing.ours).key, position: x)
            return rules.state(after: state, by: step, in: ours)
        }
        guard let y else { return state }
        let step = PathStep(key: theirs.item(y, of: merging.pairing.theirs).key, position: y)
        return rules.state(after: state, by: step, in: theirs)
    }

    // MARK: New slots

    /// Inserts the new slots from theirs and applies its moves. Each slot follows the one that it follows in theirs.
    private mutating func insertNewSlots(_ merging: inout ContainerMerge) {
        guard merging.bringsSlots else { return }
        var anchor = MergedSlots.head
        var pending: [Int] = []
        for position in 0..<merging.theirsCount {
            guard let base = merging.theirs.base(of: position) else {
                pending.append(position)
                continue
            }
            guard let x = merging.ours.position(ofBase: base), case let item = MergedSlots.item(ofOurs: x),
                !merging.slots.isRemoved[item]
            else {
                if merging.restored.contains(position) { pending.append(position) }
                continue
            }
            bring(pending, after: anchor, &merging)
            pending.removeAll(keepingCapacity: true)
            if merging.theirs.isMoved[base], !merging.ours.isMoved[base] {
                merging.slots.move(item, after: merging.lastNewItem(after: anchor))
            }
            anchor = item
            if merging.restored.contains(position) { pending.append(position) }
        }
        bring(pending, after: anchor, &merging)
    }

    private mutating func bring(_ positions: [Int], after anchor: Int, _ merging: inout ContainerMerge) {
        guard !positions.isEmpty else { return }
        switch merging.variant {
        case .dictionary, .object: insertPairs(positions, after: anchor, &merging)
        case .set: bringMembers(positions, after: anchor, &merging)
        case .array, .scalar:
            if rules.rule(at: merging.pairing.state) == .union || rules.isUnordered(at: merging.pairing.state) {
                bringMembers(positions, after: anchor, &merging)
            } else {
                insertElements(positions, after: anchor, &merging)
            }
        }
    }

    /// Inserts pairs with keys that ours does not have, and merges pairs that both sides added with the same key.
    private mutating func insertPairs(_ positions: [Int], after anchor: Int, _ merging: inout ContainerMerge) {
        var anchor = merging.newItems(after: anchor).last ?? anchor
        if merging.newSlotsByToken == nil {
            merging.index(merging.newPositions().map { ($0, tokenOurs(merging.keyOurs($0))) })
        }
        for y in positions {
            guard merging.theirs.base(of: y) == nil, merging.hasNewOurs,
                let x = merging.takeNewSlot(tokenTheirs(merging.keyTheirs(y)))
            else {
                anchor = merging.slots.insert(theirs: y, after: anchor)
                continue
            }
            let site = MergeSite.slot(merging.container, ours: x, theirs: y)
            let versions = SlotVersions(
                base: nil, ours: merging.valueOurs(x), theirs: merging.valueTheirs(y),
                state: state(site, merging))
            merging.take(decide(versions, at: site), ours: x, theirs: y)
            anchor = MergedSlots.item(ofOurs: x)
        }
    }

    /// Inserts members unless ours added them, too. With the union rule, inserts members that ours does not have.
    private mutating func bringMembers(_ positions: [Int], after anchor: Int, _ merging: inout ContainerMerge) {
        var anchor = merging.newItems(after: anchor).last ?? anchor
        let isUnion = rules.rule(at: merging.pairing.state) == .union
        if merging.newSlotsByToken == nil {
            merging.index(merging.newPositions(all: isUnion).map { ($0, tokenOurs(merging.valueOurs($0))) })
        }
        for y in positions {
            let value = merging.valueTheirs(y)
            if let partner = partner(ofTheirs: value), merging.hasNew(partner, all: isUnion) { continue }
            let token = tokenTheirs(value)
            if isUnion {
                guard merging.addToken(token) else { continue }
            } else if merging.hasNewOurs, merging.takeNewSlot(token) != nil {
                continue
            }
            anchor = merging.slots.insert(theirs: y, after: anchor)
        }
    }

    /// Inserts elements after the new ones from ours, in order, unless ours added them at the same position.
    private mutating func insertElements(_ positions: [Int], after anchor: Int, _ merging: inout ContainerMerge) {
        let items = merging.newItems(after: anchor)
        let positions = positions.filter { y in
            guard merging.hasNewOurs, let partner = partner(ofTheirs: merging.valueTheirs(y)) else { return true }
            return !merging.hasNew(partner, all: false)
        }
        var partners = [Int?](repeating: nil, count: positions.count)
        var isCommon = [Bool](repeating: false, count: items.count)
        if !items.isEmpty, !positions.isEmpty {
            let x = items.map { tokenOurs(merging.valueOurs($0 - 1)) }
            let y = positions.map { tokenTheirs(merging.valueTheirs($0)) }
            for (index, partner) in CommonSubsequence(x, y).partners.enumerated() where partner >= 0 {
                partners[partner] = index
                isCommon[index] = true
            }
        }
        var (last, next) = (anchor, 0)
        for (index, position) in positions.enumerated() {
            if let partner = partners[index] {
                (last, next) = (items[partner], partner + 1)
                continue
            }
            while next < items.count, !isCommon[next] {
                last = items[next]
                next += 1
            }
            last = merging.slots.insert(theirs: position, after: last)
        }
    }
}
