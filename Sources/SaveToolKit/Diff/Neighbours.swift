import KeyedArchive
import SaveCodec
import SaveOperations

/// What stands next to changes in their containers and has not changed itself.
struct Neighbours {
    private let difference: Difference
    private let count: Int
    /// The slots in which something changed, or that hold such slots.
    private var changed = Set<Slot>()
    /// The slots that were shown.
    private var shown = Set<Slot>()
    private var before: Abbreviation
    private var after: Abbreviation

    /// A slot of a container, on one side.
    private struct Slot: Hashable {
        let node: Int
        let isAfter: Bool
        let position: Int
    }

    /// What is told of a neighbour.
    struct Line {
        let address: Address
        /// The last step of the address.
        let label: String
        let value: String
    }

    /// - Parameter count: how many are shown on each side of a change.
    init(_ saves: ComparedSaves, count: Int) {
        difference = saves.difference
        self.count = count
        before = Abbreviation(of: difference.before)
        after = Abbreviation(of: difference.after)
        guard count > 0 else { return }
        for change in saves.changes { mark(change) }
    }

    private mutating func mark(_ change: Change) {
        var place = difference.place(of: change)
        while let current = place {
            var isNew = current.positionBefore == nil && current.positionAfter == nil
            if let position = current.positionBefore {
                isNew = changed.insert(Slot(node: current.node, isAfter: false, position: position)).inserted || isNew
            }
            if let position = current.positionAfter {
                isNew = changed.insert(Slot(node: current.node, isAfter: true, position: position)).inserted || isNew
            }
            place = isNew ? difference.place(around: current) : nil
        }
    }

    /// What stands before a change, a line each.
    mutating func ahead(of change: Change) -> [Line] {
        guard let (place, position, isAfter) = slot(of: change) else { return [] }
        return lines(place, max(0, position - count)..<position, isAfter)
    }

    /// What stands behind a change, a line each.
    mutating func behind(_ change: Change) -> [Line] {
        guard let (place, position, isAfter) = slot(of: change) else { return [] }
        let total = difference.items(of: place, isAfter: isAfter).count
        let start = min(position + 1, total)
        return lines(place, start..<start + min(count, total - start), isAfter)
    }

    private func slot(of change: Change) -> (place: ChangePlace, position: Int, isAfter: Bool)? {
        guard count > 0, let place = difference.place(of: change) else { return nil }
        if let position = place.positionAfter { return (place, position, true) }
        return place.positionBefore.map { (place, $0, false) }
    }

    private mutating func lines(_ place: ChangePlace, _ positions: Range<Int>, _ isAfter: Bool) -> [Line] {
        var lines: [Line] = []
        for position in positions {
            let slot = Slot(node: place.node, isAfter: isAfter, position: position)
            guard !changed.contains(slot), shown.insert(slot).inserted else { continue }
            lines.append(line(place, position, isAfter))
        }
        return lines
    }

    private mutating func line(_ place: ChangePlace, _ position: Int, _ isAfter: Bool) -> Line {
        let items = difference.items(of: place, isAfter: isAfter)
        let address = difference.address(ofSlot: position, in: place, isAfter: isAfter)
        let label = (isAfter ? after : before).label(position, items.key(position))
        let value = items.value(position).map { isAfter ? after.line($0) : before.line($0) }
        return Line(address: address, label: label, value: value ?? "")
    }
}
