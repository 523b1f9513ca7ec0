import KeyedArchives
import SaveCodec
import SaveOperations

/// What stands next to changes in their containers and has not changed itself.
final class Neighbours {
    private let difference: Difference
    private let count: Int
    /// The slots in which something changed, or that hold such slots.
    private var changed = Set<Slot>()
    /// The slots that were shown.
    private var shown = Set<Slot>()
    private let values: Sides<Abbreviation>
    private let locations: ChangeLocations
    /// By the position of a slot on one side that on the other, of containers that have been asked for.
    private var partners: [Int: Sides<[Int: Int]>] = [:]

    /// A slot of a container, on one side.
    private struct Slot: Hashable {
        let node: Int
        let side: Side
        let position: Int
    }

    /// What is told of a neighbour.
    struct Line {
        let address: JSONPointer
        /// The last step of the address on each side.
        let labels: Sides<String>
        let value: String
        /// Where it stands in a text: ` (6:2)`.
        let location: String
    }

    /// - Parameter count: how many are shown on each side of a change.
    init(_ saves: ComparedSaves, count: Int) {
        difference = saves.difference
        self.count = count
        values = Sides { Abbreviation(of: saves.difference.view($0)) }
        locations = ChangeLocations(saves)
        guard count > 0 else { return }
        for change in saves.ownChanges { mark(change) }
    }

    private func mark(_ change: Change) {
        var place = difference.place(of: change)
        while let current = place {
            var isNew = current.positionBefore == nil && current.positionAfter == nil
            for side in [Side.before, .after] {
                guard let position = current.position(side) else { continue }
                let slot = Slot(node: current.node, side: side, position: position)
                isNew = changed.insert(slot).inserted || isNew
            }
            place = isNew ? difference.place(around: current) : nil
        }
    }

    /// What stands before a change, a line each.
    func ahead(of change: Change) -> [Line] {
        guard let (place, position, side) = slot(of: change) else { return [] }
        return lines(max(0, position - count)..<position, in: place, side)
    }

    /// What stands behind a change, a line each.
    func behind(_ change: Change) -> [Line] {
        guard let (place, position, side) = slot(of: change) else { return [] }
        let total = difference.view(side)[place.container(side)].contents.count
        let start = min(position + 1, total)
        return lines(start..<start + min(count, total - start), in: place, side)
    }

    private func slot(of change: Change) -> (place: ChangePlace, position: Int, side: Side)? {
        guard count > 0, let place = difference.place(of: change) else { return nil }
        if let position = place.positionAfter { return (place, position, .after) }
        return place.positionBefore.map { (place, $0, .before) }
    }

    private func lines(_ positions: Range<Int>, in place: ChangePlace, _ side: Side) -> [Line] {
        let contents = difference.view(side)[place.container(side)].contents
        var lines: [Line] = []
        for position in positions {
            let slots = slots(position, of: place.node, side)
            let slot = slots.after ?? Slot(node: place.node, side: side, position: position)
            guard slots.before.map(changed.contains) != true, !changed.contains(slot), shown.insert(slot).inserted
            else { continue }
            lines.append(
                Line(
                    address: difference.address(ofSlot: slot.position, in: place, slot.side),
                    labels: Sides { label(slots[$0] ?? slot, place) },
                    value: values[side].line(difference.view(side).item(position, of: contents).id),
                    location: locations.note(on: slot.position, of: place, slot.side)))
        }
        return lines
    }

    private func label(_ slot: Slot, _ place: ChangePlace) -> String {
        let key = difference.view(slot.side).item(slot.position, of: place.container(slot.side)).key
        return values[slot.side].label(slot.position, key)
    }

    /// The slot at a position on a side, and the one that it is compared with on the other.
    private func slots(_ position: Int, of node: Int, _ side: Side) -> Sides<Slot?> {
        if partners[node] == nil {
            let aligned = difference.aligned(node)
            partners[node] = Sides { side in
                Dictionary(
                    aligned.map { side == .before ? ($0.before, $0.after) : ($0.after, $0.before) },
                    uniquingKeysWith: { first, _ in first })
            }
        }
        let partner = partners[node]?[side][position]
        return Sides { other in
            let position = other == side ? position : partner
            return position.map { Slot(node: node, side: other, position: $0) }
        }
    }
}
