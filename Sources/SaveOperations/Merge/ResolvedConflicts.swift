package import KeyedArchives
import SaveCodec

/// The state of the conflicts of a merge after the merged file was edited by hand.
///
///     merged    A B C        a conflict at /1, which has ours
///     present   A x D C      the conflict is now at /2 and settled: the value is D
///
/// The merged and the present file are compared (see ``Difference``), so that elements inserted or removed before a
/// conflict do not hide it.
package struct ResolvedConflicts {
    /// The state of a conflict.
    package enum State {
        /// The slot still has the value from ours, or is still removed as in ours, or its state is unknown.
        case open
        /// The slot has another value; nil if it now has no value.
        case settled(ViewID?)
    }

    private let merge: ThreeWayMerge
    private var addresses: ConflictAddresses
    private let side: SideChanges
    /// Whether anything changed in the container of each pair, or inside it.
    private let isEdited: [Bool]
    private var slots: [Int: SideSlots] = [:]
    private var tokens: ValueTokens?
    /// For each pair, the new elements of its container by token.
    private var newElements: [Int: [UInt64: ViewID]] = [:]

    /// - Parameters:
    ///   - merged: The result of the merge, with ours at its conflicts.
    ///   - present: The file as edited since; an archive if `merged` is one.
    package init(_ merge: ThreeWayMerge, in merged: ObjectView, now present: ObjectView) {
        self.merge = merge
        addresses = ConflictAddresses(merge)
        side = SideChanges(merged, present, options: merge.options.differences)
        let pairs = side.difference.pairs
        var isEdited = pairs.indices.map(side.hasEdits)
        for number in pairs.indices.reversed() where isEdited[number] { isEdited[Int(pairs[number].parent)] = true }
        self.isEdited = isEdited
    }

    var present: ObjectView { side.view }

    /// Returns the state of a conflict of the merge.
    package mutating func state(of conflict: MergeConflict) -> State {
        guard let conflictAddresses = addresses.addresses(of: conflict),
            let path = ResolvedAddress(conflictAddresses.merged, in: side.difference.before)
        else { return .open }
        guard let container = path.containers.last else {
            let isChanged = side.replacesRoot || isEdited.first ?? false
            return isChanged ? state(of: conflict, with: side.difference.before.root, now: present.root) : .open
        }
        guard let pair = side.pair(ofBase: container) else { return .settled(nil) }
        if case .className = conflict.subject { return classState(of: pair) }
        if conflict.ours == nil { return removedState(of: conflict, at: conflictAddresses, path.end, in: pair) }
        guard case .slot(let position) = path.end else { return .open }
        let state = state(ofSlot: position, in: pair)
        guard case .settled(let now?) = state, let old = path.value else { return state }
        return self.state(of: conflict, with: old, now: now)
    }

    /// Returns the state of a conflict whose value has changed. A conflict between nested saves is settled if all
    /// conflicts inside are.
    private func state(of conflict: MergeConflict, with old: ViewID, now: ViewID) -> State {
        guard let inner = merge.nestedMerge(of: conflict), let merged = try? side.difference.before.nestedSave(in: old),
            let save = try? present.nestedSave(in: now)
        else { return .settled(now) }
        var within = ResolvedConflicts(inner, in: merged.view, now: save.view)
        for conflict in inner.conflicts { if case .open = within.state(of: conflict) { return .open } }
        return .settled(now)
    }

    private func classState(of pair: Int) -> State {
        let isSet = side.edits(of: pair).contains(.setClass)
        return isSet ? .settled(side.difference.pairs[pair].after) : .open
    }

    /// Returns the state of a slot that had the value from ours.
    private mutating func state(ofSlot position: Int, in pair: Int) -> State {
        let containers = side.difference.pairs[pair]
        let slots = slots(of: pair)
        guard let now = slots.position(ofBase: position) else { return .settled(nil) }
        let value = present.item(now, of: present[containers.after].contents).id
        let before = side.difference.before
        let old = before.item(position, of: before[containers.before].contents).id
        let isChanged = slots.isSet[position] || side.pair(ofBase: old).map { isEdited[$0] } ?? false
        return isChanged ? .settled(value) : .open
    }

    /// Returns the state of a conflict where ours removed the value. It is settled if the slot exists again or, for an
    /// element, if an equal element was added.
    private mutating func removedState(
        of conflict: MergeConflict, at addresses: ConflictAddresses.Pair, _ end: ResolvedAddress.End, in pair: Int
    ) -> State {
        let container = side.difference.pairs[pair].after
        if addresses.role != .element {
            guard case .nothing(let token) = end, let position = present.position(of: token, in: container) else {
                return .open
            }
            return .settled(present.item(position, of: present[container].contents).id)
        }
        guard let theirs = conflict.theirs else { return .open }
        var tokens = self.tokens ?? ValueTokens(merge.theirs, present)
        defer { self.tokens = tokens }
        let elements = newElements[pair] ?? newElements(of: pair, &tokens)
        newElements[pair] = elements
        return elements[tokens.token(of: theirs, .before)].map { .settled($0) } ?? .open
    }

    private mutating func newElements(of pair: Int, _ tokens: inout ValueTokens) -> [UInt64: ViewID] {
        let contents = present[side.difference.pairs[pair].after].contents
        let slots = slots(of: pair)
        var elements: [UInt64: ViewID] = [:]
        for position in 0..<contents.count where slots.base(of: position) == nil {
            let value = present.item(position, of: contents).id
            elements[tokens.token(of: value, .after)] = value
        }
        return elements
    }

    private mutating func slots(of pair: Int) -> SideSlots {
        if let known = slots[pair] { return known }
        let new = SideSlots(side, pair: pair)
        slots[pair] = new
        return new
    }
}
