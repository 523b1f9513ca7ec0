import KeyedArchives
import SaveCodec

/// Edits of single slots, which take effect when the draft is finished or their container is opened.
///
/// A pattern may match very many slots. An edit takes 12 bytes here, and an open container takes far more.
struct SlotEdits {
    struct Edit {
        /// The numbers of the values, see ``Draft/ID``.
        let container: UInt32
        let position: UInt32
        /// The number of the new value; ``removed`` if the slot is removed.
        let value: UInt32

        static let removed = UInt32.max

        fileprivate var slot: UInt64 { UInt64(container) << 32 | UInt64(position) }
    }

    private var values: [Edit] = []
    /// The containers of ``values``, with numbers below ``count``.
    private var valueContainers = Bitmap(count: 0)
    private var count = 0
    private var removed: [Edit] = []

    var isEmpty: Bool { values.isEmpty && removed.isEmpty }

    /// - Parameter count: The upper bound of the containers' numbers.
    mutating func add(_ value: Draft.ID, at position: Int, of container: Draft.ID, among count: Int) {
        if self.count == 0 { (valueContainers, self.count) = (Bitmap(count: count), count) }
        valueContainers.insert(container.index)
        values.append(Self.edit(position, of: container, value: UInt32(truncatingIfNeeded: value.index)))
    }

    mutating func addRemoval(at position: Int, of container: Draft.ID) {
        removed.append(Self.edit(position, of: container, value: Edit.removed))
    }

    private static func edit(_ position: Int, of container: Draft.ID, value: UInt32) -> Edit {
        Edit(
            container: UInt32(truncatingIfNeeded: container.index), position: UInt32(truncatingIfNeeded: position),
            value: value)
    }

    /// Whether a slot of a container is set.
    func isSet(in container: Draft.ID) -> Bool {
        container.index < count && valueContainers.contains(container.index)
    }

    /// Takes out the slots that are set.
    mutating func takeSet() -> [Edit] {
        for edit in values { valueContainers.remove(Int(edit.container)) }
        defer { values = [] }
        return values
    }

    /// Takes out all edits in ascending order of containers and positions, each slot once.
    mutating func takeSorted() -> [Edit] {
        var edits = removed.isEmpty ? values : values + removed
        self = SlotEdits()
        guard !zip(edits, edits.dropFirst()).allSatisfy({ $0.slot < $1.slot }) else { return edits }
        edits.sort { $0.slot < $1.slot }
        var count = 0
        for edit in edits where count == 0 || edits[count - 1].slot != edit.slot {
            edits[count] = edit
            count += 1
        }
        edits.removeSubrange(count...)
        return edits
    }

    /// Puts back edits that ``takeSorted()`` returned. Only another call of it may follow, because removals are then
    /// among the values.
    mutating func putBack(_ edits: [Edit]) {
        values = edits
    }
}

/// The scalar that was set last. Its values in the draft are reused for further slots.
struct RepeatedScalar {
    let given: Node
    let isTyped: Bool
    let changesType: Bool
    private var values: [(kind: ReplacedKind, value: Draft.ID, node: Node)] = []

    /// The properties of a present value that decide how a scalar replaces it.
    private enum ReplacedKind: Equatable {
        case boolean, string
        /// An integer, with the width if it is wider than necessary.
        case integer(width: Int?)
        /// Any container. A scalar replaces it only if the type may change.
        case container
    }

    init(_ given: GivenValue, changesType: Bool) {
        (self.given, isTyped, self.changesType) = (given.node, given.isTyped, changesType)
    }

    /// Whether another value is the same one.
    func equals(_ other: GivenValue, changesType: Bool) -> Bool {
        isTyped == other.isTyped && self.changesType == changesType && given.isIdentical(to: other.node)
    }

    /// Returns the value that replaces a present one; nil if it is not known.
    ///
    /// - Parameter present: The present scalar, or nil for a container.
    func value(replacing present: Node?) -> (id: Draft.ID, node: Node)? {
        let kind = Self.kind(of: present)
        return values.first { $0.kind == kind }.map { ($0.value, $0.node) }
    }

    mutating func add(_ value: Draft.ID, _ node: Node, replacing present: Node?) {
        guard let kind = Self.kind(of: present), self.value(replacing: present) == nil else { return }
        values.append((kind, value, node))
    }

    /// Returns nil if the present value itself decides how it is replaced.
    private static func kind(of present: Node?) -> ReplacedKind? {
        switch present {
        case nil: .container
        case .boolean: .boolean
        case .string: .string
        case .integer(let integer):
            .integer(width: integer.width > StoredInteger(integer.value).width ? integer.width : nil)
        case .null, .real32, .real64, .date, .data, .uid, .array, .set, .dictionary: nil
        }
    }
}

extension Draft {
    /// Sets a slot to the scalar that was set last if that needs no conversion that the draft has not made; otherwise
    /// returns nil.
    package mutating func setRepeatedScalar(at slot: LeafSlot) -> SetResult? {
        let (container, present) = (id(of: slot.container), view.scalar(slot.value))
        guard let (value, node) = lastScalar?.value(replacing: present), !needsMembers(slot.container) else {
            return nil
        }
        let number = openedNumber(container.index)
        if let number, values.containers[number][slot.position].value != slot.value.index { return nil }
        if let present, node.isIdentical(to: present) { return .unchanged }
        values.addedSize += 1
        if number == nil {
            slotEdits.add(value, at: slot.position, of: container, among: view.count)
        } else {
            replace(at: slot.position, of: container, with: value)
        }
        return .done
    }

    /// Records the value that a slot was set to, so that ``setRepeatedScalar(at:)`` reuses it.
    mutating func noteScalar(_ given: GivenValue, setAt slot: EditSlot, changesType: Bool) {
        guard view.archive == nil, slot.splits.isEmpty, case .slot(let position) = slot.path.end,
            let container = slot.path.containers.last, let present = slot.path.value,
            let value = item(position, of: id(of: container))?.value, let node = scalar(value)
        else { return }
        if !(lastScalar?.equals(given, changesType: changesType) ?? false) {
            lastScalar = RepeatedScalar(given, changesType: changesType)
        }
        lastScalar?.add(value, node, replacing: view.scalar(present))
    }

    /// Marks a slot for removal, see ``noteRemoval(at:)-(EditSlot)``.
    ///
    /// - Returns: False if other slots may have the same key, so that nothing is removed.
    package mutating func noteRemoval(at slot: LeafSlot) -> Bool {
        guard hasUniqueKeys(id(of: slot.container)) else { return false }
        slotEdits.addRemoval(at: slot.position, of: id(of: slot.container))
        return true
    }

    /// Whether a container is not open and has no duplicate keys.
    func hasUniqueKeys(_ container: ID) -> Bool {
        guard openedNumber(container.index) == nil, let id = viewID(of: container) else { return false }
        return !view.mayHaveDuplicateKeys(in: view[id])
    }

    /// Whether setting a slot needs the other members of its container: keys may be duplicates, or the container is a set.
    private func needsMembers(_ container: ViewID) -> Bool {
        let value = view[container]
        if case .set = value.variant { return true }
        return view.mayHaveDuplicateKeys(in: value)
    }

    /// Opens the containers with slots that are set, and sets the slots in them.
    mutating func openSetContainers() {
        for edit in slotEdits.takeSet() {
            replace(at: Int(edit.position), of: ID(index: Int(edit.container)), with: ID(index: Int(edit.value)))
        }
    }

    /// Applies the edits of slots, except in containers of a property list that are not open.
    mutating func applySlotEdits() {
        guard !slotEdits.isEmpty else { return }
        var edits = slotEdits.takeSorted()
        func isKept(_ edit: SlotEdits.Edit) -> Bool {
            view.archive == nil && openedNumber(Int(edit.container)) == nil
        }
        for edit in edits.reversed() where !isKept(edit) {
            remove(at: Int(edit.position), of: ID(index: Int(edit.container)))
        }
        edits.removeAll { !isKept($0) }
        slotEdits.putBack(edits)
    }
}
