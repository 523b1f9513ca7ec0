/// An edit in the list that turns a container into its later counterpart.
///
/// Positions refer to the views: `before` in the unedited container and `after` in the result, so no edit shifts the
/// positions of another. The edits of an array are applied in this order:
///
/// 1. ``remove(before:)`` and ``move(before:after:)`` take out the elements at their positions `before`.
/// 2. The remaining elements keep their order.
/// 3. ``insert(after:)`` and ``move(before:after:)`` put in their values in ascending order of `after`, each at exactly
///    that position.
///
/// In sets and dictionaries, edits move nothing, and positions only identify slots.
enum SlotEdit: Sendable, Hashable {
    /// Replaces the value of a slot with the value of the later slot. The key stays.
    case set(before: Int, after: Int)
    case remove(before: Int)
    /// Adds a slot, with its key and value.
    case insert(after: Int)
    /// Moves an element to another position. A separate edit may set its value.
    case move(before: Int, after: Int)
    /// Gives the container the class of its later counterpart.
    case setClass
}

/// The edits of one pair of containers.
struct ContainerEdits: Sendable {
    let pair: Int
    let edits: [SlotEdit]
}

// MARK: Alignment

/// One step of an alignment.
struct AlignmentStep {
    enum Kind {
        /// The slots are the same, and their values are compared.
        case kept
        /// The slots are the same, but their values have nothing in common.
        case replaced
        case removed, added
        /// The slots hold the same element, at another position.
        case moved
    }

    let kind: Kind
    let slots: SlotPair

    /// Returns the steps in the order of the later slots. A removal follows the slot that it followed before.
    ///
    /// - Parameters:
    ///   - count: The number of earlier slots.
    ///   - partners: For each later slot, the earlier slot and the kind of step; nil for a new slot.
    ///   - omitted: The slots that hold class names and are left out; negative for none.
    static func merge(
        _ count: Int, _ partners: [(slot: Int, kind: Kind)?], omitting omitted: SlotPair = .none
    ) -> [AlignmentStep] {
        var isTaken = [Bool](repeating: false, count: count)
        if omitted.before >= 0 { isTaken[Int(omitted.before)] = true }
        for case .some(let partner) in partners { isTaken[partner.slot] = true }
        var steps: [AlignmentStep] = []
        steps.reserveCapacity(partners.count)
        func addRemoved(from start: Int) {
            var slot = start
            while slot < count, !isTaken[slot] {
                steps.append(AlignmentStep(kind: .removed, slots: SlotPair(slot, -1)))
                slot += 1
            }
        }
        addRemoved(from: 0)
        if omitted.before == 0 { addRemoved(from: 1) }
        for (slot, partner) in partners.enumerated() where slot != Int(omitted.after) {
            guard let partner else {
                steps.append(AlignmentStep(kind: .added, slots: SlotPair(-1, slot)))
                continue
            }
            steps.append(AlignmentStep(kind: partner.kind, slots: SlotPair(partner.slot, slot)))
            addRemoved(from: partner.slot + 1)
            if partner.slot + 1 == Int(omitted.before) { addRemoved(from: partner.slot + 2) }
        }
        return steps
    }
}
