package import KeyedArchives
package import SaveCodec

/// The decisions of a multi-edit's caller: what each edit does, and what is reported.
package protocol MultiEditDelegate {
    /// The error type. An error about a nested save contains the address in the file.
    associatedtype Failure: Error

    /// Whether all edits so far succeeded, so that the save can be written.
    var isSuccessful: Bool { get }

    /// Makes one edit in a draft.
    func edit(
        _ number: Int, at slot: EditSlot, of save: Save, in draft: inout Draft
    ) throws(Failure)

    /// Makes one edit that only changes the slot. Returns false if ``edit(_:at:of:in:)`` must make it.
    func editLeaf(_ slot: LeafSlot, of save: Save, in draft: inout Draft) -> Bool

    /// Handles an address that does not exist.
    func handleMissing(_ address: JSONPointer, in save: Save) throws(Failure)

    /// Returns whether to write an edited nested save into the value that holds it.
    func accepts(_ result: EditedSave, _ edited: ObjectView, of save: Save) throws(Failure) -> Bool

    /// Reports a value that now holds an edited nested save.
    func reportHolder(_ slot: EditSlot, of save: Save, in draft: borrowing Draft)

    /// Reports the edits of a save after all of them were made.
    func report(_ slots: MultiEditSlots, of save: Save, in draft: inout Draft)

    /// Returns the failure for a problem in a save.
    func failure(_ problem: Problem, in save: Save) -> Failure
}

extension MultiEditDelegate {
    package func editLeaf(_ slot: LeafSlot, of save: Save, in draft: inout Draft) -> Bool { false }
}

/// One edit of a multi-edit.
package struct EditTarget {
    /// The location of an edit in the value graph.
    package enum Location {
        /// A slot, whose path the closure returns until the next target is requested.
        case leaf(LeafSlot, path: () -> ResolvedAddress)
        case path(ResolvedAddress)
        /// An address that may not exist, or that may lead into a nested save.
        case address(JSONPointer)
    }

    let location: Location
    /// The number of the edit: 0 unless the targets are edited in different ways.
    let number: Int

    package init(_ location: Location, number: Int = 0) {
        (self.location, self.number) = (location, number)
    }

    /// Whether the pattern that found this target has no match inside it.
    var isLeaf: Bool { if case .leaf = location { true } else { false } }
}

/// Edits of several slots of a save and of its nested saves. A nested save is edited as a save of its own and then
/// written into the value that holds it:
///
///     /gems  /fog/root/x  /fog/root/y  /level ─▶ /gems  /level          edited in a draft of the save
///                                              └▶ /fog ─▶ /root/x  /root/y   in a draft of the nested save
///
/// Targets are edited as they are found. A pattern may match very many of them, so only those needed again are kept.
package struct MultiEdit<Delegate: MultiEditDelegate> {
    private let delegate: Delegate
    private let effect: MultiEditEffect
    private let unshares: Bool
    private let keepsComments: Bool
    private var isSet: Bool { effect == .set }

    /// - Parameters:
    ///   - effect: The effect on the slots.
    ///   - unshares: Whether shared objects are split, see ``EditSlot``.
    ///   - keepsComments: Whether comments above values that are removed from nested saves stay.
    package init(
        _ delegate: Delegate, _ effect: MultiEditEffect = .anyEdit, unsharing unshares: Bool = false,
        keepsComments: Bool = false
    ) {
        self.delegate = delegate
        (self.effect, self.unshares, self.keepsComments) = (effect, unshares, keepsComments)
    }

    /// Edits a save. Recursive for nested saves, whose depth is limited.
    ///
    /// - Parameter next: Returns the next target, or nil at the end. The targets inside a container directly follow it.
    /// - Returns: The view after the edits; nil if nothing changed, or if an edit failed.
    package func view(
        of save: Save, at next: () throws(Problem) -> EditTarget?
    ) throws(Delegate.Failure) -> ObjectView? {
        var draft = Draft(save.view)
        var slots = MultiEditSlots(save.view, effect)
        var nested = NestedTargets()
        // An edit waits until the next target is known. If that target is inside the edited container, the error about
        // nested targets takes precedence over errors of the edit.
        var pending: (slot: EditSlot, number: Int)?
        while let target = try within(save, next) {
            if case .leaf(let leaf, _) = target.location, slots.acceptsLeaves, nested.list.isEmpty {
                if let edit = pending.take() { try self.edit(edit, of: save, in: &draft) }
                if delegate.editLeaf(leaf, of: save, in: &draft) {
                    slots.add(leaf)
                    try checkAddedSize(draft, of: save)
                    continue
                }
            }
            let slot = try slot(of: target, in: save, after: slots.last, &nested)
            if let last = nested.list.last, slots.holdsSave(at: last.slot) {
                throw delegate.failure(.nestedSlots(last.entrance.address), in: save)
            }
            guard let slot, try within(save, { () throws(Problem) in try slots.add(slot, of: target) }) else {
                continue
            }
            if isSet, nested.isHolder(slot) { throw delegate.failure(.nestedSlots(slot.path.address), in: save) }
            if let pending { try edit(pending, of: save, in: &draft) }
            pending = (slot, target.number)
        }
        if let pending { try edit(pending, of: save, in: &draft) }
        guard delegate.isSuccessful else { return nil }
        try edit(nested, of: save, in: &draft)
        guard delegate.isSuccessful else { return nil }
        delegate.report(slots, of: save, in: &draft)
        guard !draft.isUnchanged else { return nil }
        do throws(Problem) {
            return try draft.editedView(limits: save.limits)
        } catch {
            throw delegate.failure(error, in: save)
        }
    }

    /// Returns the slot of a target; nil if it does not exist, or if it is in a nested save, where it is edited later.
    private func slot(
        of target: EditTarget, in save: Save, after last: EditSlot?, _ nested: inout NestedTargets
    ) throws(Delegate.Failure) -> EditSlot? {
        switch target.location {
        case .leaf(_, let path): return EditSlot(path(), after: last, isSet: isSet, unsharing: unshares)
        case .path(let path): return EditSlot(path, after: last, isSet: isSet, unsharing: unshares)
        case .address(let address):
            if let entrance = save.view.entrance(on: address),
                let slot = EditSlot(entrance.address, in: save.view, unsharing: unshares)
            {
                nested.add(.init(address: entrance.rest, number: target.number), entrance, at: slot)
                return nil
            }
            if let slot = EditSlot(address, in: save.view, isSet: isSet, unsharing: unshares) { return slot }
            try delegate.handleMissing(address, in: save)
            return nil
        }
    }

    private func edit(
        _ target: (slot: EditSlot, number: Int), of save: Save, in draft: inout Draft
    ) throws(Delegate.Failure) {
        let (count, addedSize) = (draft.values.added.count, draft.values.addedSize)
        try delegate.edit(target.number, at: target.slot, of: save, in: &draft)
        // A pattern may add a large value to very many slots. Split containers are among the added values.
        draft.values.addedSize = max(
            draft.values.addedSize, addedSize + draft.values.size(ofAddedFrom: count))
        try checkAddedSize(draft, of: save)
    }

    private func checkAddedSize(_ draft: borrowing Draft, of save: Save) throws(Delegate.Failure) {
        let size = draft.values.addedByteCount
        try within(save) { () throws(Problem) in try save.limits.check(expandedSize: size, of: save.view.document) }
    }

    private func edit(_ nested: NestedTargets, of save: Save, in draft: inout Draft) throws(Delegate.Failure) {
        // A value that is stored once but is in several slots is written once per slot, so each copy counts towards the
        // limit.
        var size = 0
        for holder in nested.list {
            let inner = Save(holder.entrance, in: save)
            try within(inner) { () throws(Problem) in try inner.checkIsWritable() }
            var targets = holder.targets.makeIterator()
            let edited = try view(of: inner) {
                targets.next().map { EditTarget(.address($0.address), number: $0.number) }
            }
            guard let edited, delegate.isSuccessful else { continue }
            let result = try within(inner) { () throws(Problem) in
                try inner.edited(to: edited, keepsComments: keepsComments)
            }
            guard try delegate.accepts(result, edited, of: inner) else { return }
            let bytes = try within(inner) { () throws(Problem) in try result.bytes() }
            size += bytes.count
            try within(save) { () throws(Problem) in
                try save.limits.check(expandedSize: size, of: save.view.document)
                try draft.replace(holder.entrance.save, at: holder.slot, with: bytes)
            }
            delegate.reportHolder(holder.slot, of: save, in: draft)
        }
    }

    private func within<Result>(
        _ save: Save, _ body: () throws(Problem) -> Result
    ) throws(Delegate.Failure) -> Result {
        do throws(Problem) {
            return try body()
        } catch {
            throw delegate.failure(error, in: save)
        }
    }
}

/// The nested saves that contain targets, each once.
private struct NestedTargets {
    /// A target inside a nested save.
    struct NestedTarget: Hashable {
        let address: JSONPointer
        let number: Int
    }

    private(set) var list: [(entrance: ObjectView.Entrance, slot: EditSlot, targets: [NestedTarget])] = []
    private var numbers: [EditSlot.Identity: Int] = [:]
    /// The targets in each save. Several addresses may lead to the same target.
    private var known: [Set<NestedTarget>] = []

    mutating func add(_ rest: NestedTarget, _ entrance: ObjectView.Entrance, at slot: EditSlot) {
        guard let number = numbers[slot.identity] else {
            numbers[slot.identity] = list.count
            list.append((entrance, slot, [rest]))
            known.append([rest])
            return
        }
        if known[number].insert(rest).inserted { list[number].targets.append(rest) }
    }

    /// Whether the value of a slot holds one of the saves.
    func isHolder(_ slot: EditSlot) -> Bool { numbers[slot.identity] != nil }
}

/// The effect of a multi-edit on its slots.
package enum MultiEditEffect {
    /// Each slot is edited in any way.
    case anyEdit
    /// The slots are set, see ``EditSlot``.
    case set
    /// The slots are removed, with everything in them.
    case removal
}

/// The slots of a save that a multi-edit has edited.
package struct MultiEditSlots {
    private let view: ObjectView
    private let effect: MultiEditEffect
    package private(set) var count = 0
    private(set) var last: EditSlot?
    /// The slots to report: the first one, the first ones that may be in shared objects, and new keys.
    package private(set) var reportedSlots: [EditSlot] = []
    /// The number of further slots that may be in shared objects.
    package private(set) var unlistedCount = 0
    /// The edits in objects that may be shared. Several addresses may lead to the same one.
    private var shared: Set<SharedEdit> = []
    /// The containers on the paths of slots; empty for a property list.
    private var passed: Bitmap
    /// The replaced containers; empty for a property list.
    private var replaced: Bitmap
    /// The path of the last replaced container of a property list. Other paths may still lead to the same container.
    private var lastReplaced: ResolvedAddress?
    /// The slots with strings and data, which may hold saves.
    private var mayHoldSaves: Set<EditSlot.Identity> = []
    /// The last slot that was edited alone. The targets in the save that it may hold directly follow it.
    private var lastLeaf: LeafSlot?

    private struct SharedEdit: Hashable {
        let slot: EditSlot.Identity
        let number: Int
    }

    init(_ view: ObjectView, _ effect: MultiEditEffect) {
        self.view = view
        self.effect = effect
        passed = Bitmap(count: effect == .set ? view.count : 0)
        replaced = Bitmap(count: effect == .set ? view.count : 0)
    }

    /// Adds a slot. Returns false if the same edit was already made there: a slot of an object is the same slot at all
    /// of its addresses. Also returns false for a slot in the value of one that is removed, even if the value is an
    /// object that other slots keep.
    ///
    /// - Throws: A problem if one of the slots is inside another.
    mutating func add(_ slot: EditSlot, of target: EditTarget) throws(Problem) -> Bool {
        if effect == .removal, let last, slot.path.leads(through: last.path) { return false }
        if slot.mayBeShared {
            guard shared.insert(SharedEdit(slot: slot.identity, number: target.number)).inserted else { return false }
        }
        if effect == .set { try note(slot, of: target) }
        count += 1
        last = slot
        let isListed = slot.mayBeShared && shared.count <= Self.maximumListed
        if count == 1 || isListed || slot.path.isNewKey {
            reportedSlots.append(slot)
        } else if slot.mayBeShared {
            unlistedCount += 1
        }
        return true
    }

    /// Whether a leaf needs no check against the slots before. The first slot is reported.
    var acceptsLeaves: Bool { count > 0 && lastReplaced == nil && view.archive == nil }

    mutating func add(_ slot: LeafSlot) {
        count += 1
        lastLeaf = slot
    }

    /// The maximum number of possibly shared slots to report. Each needs a walk through the view.
    private static let maximumListed = 64

    private mutating func note(_ slot: EditSlot, of target: EditTarget) throws(Problem) {
        let value = slot.path.value
        let isContainer = value.flatMap(view.container) != nil
        if view.archive == nil {
            // Slots inside a container directly follow it.
            if let lastReplaced, slot.path.leads(through: lastReplaced) { throw .nestedSlots(slot.path.address) }
            // Only one pattern is set, so no target is inside a leaf.
            if isContainer, !target.isLeaf { lastReplaced = slot.path }
        } else {
            let isInside = slot.path.containers.contains { replaced.contains($0.index) }
            let isAround = isContainer && value.map { passed.contains($0.index) } ?? false
            if isInside || isAround { throw .nestedSlots(slot.path.address) }
            for container in slot.path.containers { passed.insert(container.index) }
            if isContainer, let value { replaced.insert(value.index) }
        }
        if !isContainer, view.nesting != nil, let kind = value.flatMap(view.scalarObject)?.kind,
            kind == .data || kind.isString
        {
            mayHoldSaves.insert(slot.identity)
        }
    }

    /// Whether a slot is set itself and may hold a save.
    func holdsSave(at slot: EditSlot) -> Bool {
        if effect == .set, let lastLeaf, slot.path.containers.last == lastLeaf.container,
            slot.path.end == .slot(lastLeaf.position)
        {
            return true
        }
        return mayHoldSaves.contains(slot.identity)
    }
}

extension Problem {
    /// Returns the problem of a pattern that matches a value and another value inside it.
    fileprivate static func nestedSlots(_ address: JSONPointer) -> Problem {
        Problem(
            "set.nested", "the pattern matches this value and one around it; only one of them can be set",
            address: address)
    }
}
