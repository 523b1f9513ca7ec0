/// A step of the way from a container before to its partner after.
///
/// Positions are those of the contents in the views, `before` in the container as it was and `after` in the container as
/// it will be, so that no step shifts those of another. Applied to an array: the elements at the positions `before` of
/// ``remove(before:)`` and ``move(before:after:)`` are taken out; what is left keeps its order; then the values of
/// ``insert(after:)`` and ``move(before:after:)`` are put in, in rising order of `after`, each at just that position. In
/// a set and in a dictionary, where nothing is moved, positions only name the slots.
enum SlotEdit: Sendable, Hashable {
    /// The slot stays, with its key; its value becomes that of the slot after.
    case set(before: Int, after: Int)
    /// The slot goes.
    case remove(before: Int)
    /// A slot comes, with key and value.
    case insert(after: Int)
    /// An element takes another place among the others. Its value may be set besides.
    case move(before: Int, after: Int)
    /// The container becomes an object of its partner's class.
    case setClass
}

/// The steps for one pair of containers.
struct PairEdit: Sendable {
    /// The number of the pair.
    let pair: Int
    /// The steps.
    let edits: [SlotEdit]
}

// MARK: Alignment

/// What an alignment says of a slot.
struct SlotStep {
    enum Kind {
        /// Both are one slot, to be compared.
        case kept
        /// The slot is the same, what is in it has nothing in common.
        case replaced
        case removed, added
        /// Both are one element, which has another place.
        case moved
    }

    let kind: Kind
    let slots: SlotPair

    /// The steps in the order of the slots after; those that are gone behind the one that they stood behind.
    ///
    /// - Parameters:
    ///   - partners: for every slot after the one before and how they belong together; nil for a new one.
    ///   - omitted: the slots that tell the classes and are none; negative where there are none.
    static func merge(
        _ count: Int, _ partners: [(slot: Int, kind: Kind)?], omitting omitted: SlotPair = .none
    ) -> [SlotStep] {
        var isTaken = [Bool](repeating: false, count: count)
        if omitted.before >= 0 { isTaken[Int(omitted.before)] = true }
        for case .some(let partner) in partners { isTaken[partner.slot] = true }
        var steps: [SlotStep] = []
        steps.reserveCapacity(partners.count)
        func addRemoved(from start: Int) {
            var slot = start
            while slot < count, !isTaken[slot] {
                steps.append(SlotStep(kind: .removed, slots: SlotPair(slot, -1)))
                slot += 1
            }
        }
        addRemoved(from: 0)
        if omitted.before == 0 { addRemoved(from: 1) }
        for (slot, partner) in partners.enumerated() where slot != Int(omitted.after) {
            guard let partner else {
                steps.append(SlotStep(kind: .added, slots: SlotPair(-1, slot)))
                continue
            }
            steps.append(SlotStep(kind: partner.kind, slots: SlotPair(partner.slot, slot)))
            addRemoved(from: partner.slot + 1)
            if partner.slot + 1 == Int(omitted.before) { addRemoved(from: partner.slot + 2) }
        }
        return steps
    }
}
