package import KeyedArchives
import SaveCodec

/// What a file has at the conflicts of a merge that somebody has gone on with by hand since it was written with ours at
/// each of them.
///
///     merged    A B C        a conflict at /1, which has ours
///     present   A x D C      the conflict is at /2, and settled: there is D
///
/// The way from what was written to what is there is a difference as any other (see ``Difference``), so elements that came
/// or went before a conflict hide nothing.
package struct ResolvedConflicts {
    /// What became of a conflict.
    package enum State {
        /// Ours still stands there, or nothing if ours removed it; or it is not known.
        case open
        /// Something else is there; nil for nothing.
        case settled(ViewID?)
    }

    private let merge: ThreeWayMerge
    private var places: ConflictSlots
    private let side: MergeSide
    /// Whether something is different in the containers of a pair, or within.
    private let isEdited: [Bool]
    private var slots: [Int: SideSlots] = [:]
    private var tokens: ValueTokens?
    /// The new elements of a pair's container now, by what they are.
    private var newElements: [Int: [UInt64: ViewID]] = [:]

    /// - Parameters:
    ///   - merged: what the merge leaves, with ours at its conflicts.
    ///   - present: what is there now; an archive if that is one.
    package init(_ merge: ThreeWayMerge, in merged: ObjectView, now present: ObjectView) {
        self.merge = merge
        places = ConflictSlots(merge)
        side = MergeSide(merged, present, options: merge.options.differences)
        let pairs = side.difference.pairs
        var isEdited = pairs.indices.map(side.hasEdits)
        for number in pairs.indices.reversed() where isEdited[number] { isEdited[Int(pairs[number].parent)] = true }
        self.isEdited = isEdited
    }

    /// What is there.
    var present: ObjectView { side.view }

    /// What became of a conflict of the merge.
    package mutating func state(of conflict: MergeConflict) -> State {
        guard let place = places.place(of: conflict),
            let path = ResolvedAddress(place.merged, in: side.difference.before)
        else { return .open }
        guard let container = path.containers.last else {
            let isChanged = side.replacesRoot || isEdited.first ?? false
            return isChanged ? state(of: conflict, with: side.difference.before.root, now: present.root) : .open
        }
        guard let pair = side.pair(ofBase: container) else { return .settled(nil) }
        if case .className = conflict.subject { return classState(of: pair) }
        if conflict.ours == nil { return removedState(of: conflict, at: place, path.end, in: pair) }
        guard case .slot(let position) = path.end else { return .open }
        let state = state(ofSlot: position, in: pair)
        guard case .settled(let now?) = state, let old = path.value else { return state }
        return self.state(of: conflict, with: old, now: now)
    }

    /// Of a conflict of a value that has changed: of one in saves that both hold settled if all that is in them are.
    private func state(of conflict: MergeConflict, with old: ViewID, now: ViewID) -> State {
        guard let inner = merge.inside(conflict), let merged = try? side.difference.before.nestedSave(in: old),
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

    /// Of a slot that has what ours has.
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

    /// Of what ours removed: settled if it is back, or another value under its key.
    private mutating func removedState(
        of conflict: MergeConflict, at place: ConflictSlots.Place, _ end: ResolvedAddress.End, in pair: Int
    ) -> State {
        let container = side.difference.pairs[pair].after
        if place.role != .element {
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
