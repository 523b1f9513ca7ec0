import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes differences as text, one per line:
///
///     ~ /root/charList/0/health: 100 → 64
///     + /root/charList/2: Player {type: 3, health: 80}
///     > /root/charList/1 → /root/charList/4: Player {type: 1, health: 100}
///     ~ /root/score: type integer → real: 42 → 42.0
final class DifferenceTextRenderer {
    private let saves: ComparedSaves
    private let palette: Palette
    private let text: ChangeText
    private let neighbours: Neighbours
    private let locations: ChangeLocations
    private let context: Int

    /// - Parameter context: The number of neighbours shown on each side of a change.
    init(_ saves: ComparedSaves, palette: Palette, context: Int = 0) {
        self.saves = saves
        self.context = context
        self.palette = palette
        text = ChangeText(saves.difference)
        neighbours = Neighbours(saves, count: context)
        locations = ChangeLocations(saves)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            guard case .change(let change) = entry else {
                try inside(entry)?.render(within: bound, to: &output)
                continue
            }
            write(neighbours.ahead(of: change), to: &output)
            output.write(line(change) + "\n")
            write(neighbours.linesAfter(change), to: &output)
            try bound.check(output)
        }
    }

    /// Returns the lines of the first changes.
    func lines(atMost limit: Int) -> [String] {
        var lines: [String] = []
        for entry in saves.entries where lines.count < limit {
            if case .change(let change) = entry { lines.append(line(change)) }
            lines += inside(entry)?.lines(atMost: limit - lines.count) ?? []
        }
        return lines
    }

    private func line(_ change: Change) -> String {
        let place = "\(change.kind.marker) \(text.address(of: change))\(locations.note(on: change)):"
        return palette.text(place, in: change.kind.textRole) + " " + palette.text(text.words(change), in: .value)
    }

    private func inside(_ entry: ComparedSaves.Entry) -> DifferenceTextRenderer? {
        guard case .nested(let saves) = entry else { return nil }
        return DifferenceTextRenderer(saves, palette: palette, context: context)
    }

    private func write(_ lines: [Neighbours.Line], to output: inout ByteWriter) {
        for line in lines {
            palette.write("  \(line.address)\(line.location): \(line.value)", in: .note, to: &output)
            output.write("\n")
        }
    }
}

// MARK: Side by side

/// Writes the values that differ in two columns, before and after, under the addresses of their containers:
///
///     /root/charList/0
///       health: 100                          ~ health: 64
///                                            + shield: 5
final class SideBySideRenderer {
    /// The width of the narrowest terminal that can show two columns.
    static let narrowest = 80

    private let saves: ComparedSaves
    private let palette: Palette
    /// The width of each column.
    private let width: Int
    private let text: ChangeText
    private let neighbours: Neighbours
    private let context: Int
    private var heading: String?

    convenience init(_ saves: ComparedSaves, width: Int, palette: Palette, context: Int) {
        self.init(saves, columnWidth: (min(width, 1000) - 5) / 2, palette: palette, context: context)
    }

    private init(_ saves: ComparedSaves, columnWidth: Int, palette: Palette, context: Int) {
        self.saves = saves
        self.palette = palette
        self.context = context
        width = columnWidth
        text = ChangeText(saves.difference)
        neighbours = Neighbours(saves, count: context)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        writeTitles(to: &output)
        try renderRows(within: bound, to: &output)
    }

    private func renderRows(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            guard case .change(let change) = entry else {
                try inside(entry)?.renderRows(within: bound, to: &output)
                heading = nil
                continue
            }
            writeHeading(of: change, to: &output)
            writeNeighbours(neighbours.ahead(of: change), to: &output)
            write(change, to: &output)
            writeNeighbours(neighbours.linesAfter(change), to: &output)
            try bound.check(output)
        }
    }

    private func inside(_ entry: ComparedSaves.Entry) -> SideBySideRenderer? {
        guard case .nested(let saves) = entry else { return nil }
        return SideBySideRenderer(saves, columnWidth: width, palette: palette, context: context)
    }

    private func writeTitles(to output: inout ByteWriter) {
        guard !saves.areSame else { return }
        let titles = [saves.before, saves.after].map { Invocation.shownName($0.title) }
        writeRow(titles[0], titles[1], in: .plain, to: &output)
    }

    /// Writes the address of a change's container, unless it is already the current heading.
    private func writeHeading(of change: Change, to output: inout ByteWriter) {
        let address = text.container(of: change)
        guard heading != address else { return }
        heading = address
        palette.write(address, in: .key, to: &output)
        output.write("\n")
    }

    private func write(_ change: Change, to output: inout ByteWriter) {
        let columns = text.columns(change)
        writeRow(columns.before, columns.after, marker: change.kind.marker, in: change.kind.textRole, to: &output)
    }

    private func writeNeighbours(_ lines: [Neighbours.Line], to output: inout ByteWriter) {
        for line in lines {
            let cells = Sides { line.labels[$0] + ": " + line.value }
            writeRow(cells.before, cells.after, in: .note, to: &output)
        }
    }

    private func writeRow(
        _ left: String, _ right: String, marker: Character = " ", in textRole: TextRole, to output: inout ByteWriter
    ) {
        let (left, right) = (
            DisplayWidth.fit(left.isEmpty ? "" : "  " + left, to: width), DisplayWidth.fit(right, to: width)
        )
        let gap = String(repeating: " ", count: max(0, width - DisplayWidth.width(of: left)))
        palette.write(left, in: textRole == .changed ? .removed : textRole, to: &output)
        output.write(gap + " \(marker)" + (right.isEmpty ? "" : " "))
        palette.write(right, in: textRole == .changed ? .added : textRole, to: &output)
        output.write("\n")
    }
}

// MARK: Neighbours

/// The unchanged values next to changes in the same containers.
final class Neighbours {
    private let difference: Difference
    private let count: Int
    /// The slots that changed, or that contain changes.
    private var changed = Set<Slot>()
    private var shown = Set<Slot>()
    private let hasWholeKeys: Bool
    private let values: Sides<ValueAbbreviator>
    private let locations: ChangeLocations
    /// The sorted positions in the save after at which each node has changed. Filled on demand.
    private var changedPositions: [Int: [Int]]?
    /// The position of each slot's counterpart on the other side, by node. Filled on demand.
    private var partners: [Int: Sides<[Int: Int]>] = [:]

    /// A slot of a container, on one side.
    private struct Slot: Hashable {
        let node: Int
        let side: Side
        let position: Int
    }

    /// The output for one neighbour.
    struct Line {
        let address: JSONPointer
        /// The last step of the address on each side.
        let labels: Sides<String>
        let value: String
        /// The location in a text file, such as ` (6:2)`, or an empty string.
        let location: String
        /// The slot in the save after; nil if only the save before has it.
        fileprivate let slot: (node: Int, container: ViewID, position: Int)?
    }

    /// The positions of each container that were examined last.
    private var examined = Sides { _ in [Int: Range<Int>]() }

    /// - Parameters:
    ///   - count: The number of neighbours shown on each side of a change.
    ///   - hasWholeKeys: Whether long keys are not cut.
    init(_ saves: ComparedSaves, count: Int, hasWholeKeys: Bool = false) {
        difference = saves.difference
        (self.count, self.hasWholeKeys) = (count, hasWholeKeys)
        values = Sides { ValueAbbreviator(of: saves.difference.view($0)) }
        locations = ChangeLocations(saves)
        guard count > 0 else { return }
        for change in saves.ownChanges { mark(change) }
    }

    private func mark(_ change: Change) {
        var place = difference.site(of: change)
        while let current = place {
            var isNew = current.positionBefore == nil && current.positionAfter == nil
            for side in [Side.before, .after] {
                guard let position = current.position(side) else { continue }
                let slot = Slot(node: current.node, side: side, position: position)
                isNew = changed.insert(slot).inserted || isNew
            }
            place = isNew ? difference.enclosingSite(of: current) : nil
        }
    }

    /// Returns the neighbours before a change that have not been shown yet.
    func ahead(of change: Change) -> [Line] {
        guard let (place, position, side) = slot(of: change) else { return [] }
        return lines(max(0, position - count)..<position, in: place, side)
    }

    /// Returns the neighbours after a change that have not been shown yet.
    func linesAfter(_ change: Change) -> [Line] {
        guard let (place, position, side) = slot(of: change) else { return [] }
        let total = difference.view(side)[place.container(side)].contents.count
        let start = min(position + 1, total)
        return lines(start..<start + min(count, total - start), in: place, side)
    }

    // MARK: Gaps

    /// Returns the number of unchanged slots between two lines; 0 if they are not in the same container.
    func gap(from line: Line, to next: Line) -> Int {
        guard let first = line.slot, let second = next.slot, first.node == second.node else { return 0 }
        let changed = Sides { side in
            changedPositions(before: side == .before ? first.position : second.position, of: first.node).count
        }
        return max(0, second.position - first.position - 1 - (changed.after - changed.before))
    }

    /// Whether two lines are in the same container.
    func areInSameContainer(_ a: Line, _ b: Line) -> Bool { a.slot?.node == b.slot?.node }

    /// Whether a change is in the container of a line, at a slot before it.
    func isChange(_ change: Change, before line: Line) -> Bool {
        guard let slot = line.slot, let site = difference.site(of: change), site.node == slot.node else { return false }
        return site.positionAfter.map { $0 < slot.position } ?? false
    }

    /// Returns the number of unchanged slots before a line, back to the last change or the start of the container.
    ///
    /// - Parameter previous: The last line that was shown before. If it is nearer, the slots after it are counted.
    func gap(before line: Line, after previous: Line?) -> Int {
        guard let slot = line.slot else { return 0 }
        let (changed, number) = changedPositions(before: slot.position, of: slot.node)
        var start = number > 0 ? changed[number - 1] + 1 : 0
        if let shown = previous?.slot, shown.node == slot.node { start = max(start, shown.position + 1) }
        return max(0, slot.position - start)
    }

    /// Returns the number of unchanged slots after a line, up to the next change or the end of the container.
    func gap(after line: Line) -> Int {
        guard let slot = line.slot else { return 0 }
        let (changed, number) = changedPositions(before: slot.position, of: slot.node)
        let end = number < changed.count ? changed[number] : difference.after[slot.container].contents.count
        return max(0, end - slot.position - 1)
    }

    /// Returns the sorted positions in the save after at which a node has changed, and how many of them are before
    /// `position`.
    private func changedPositions(before position: Int, of node: Int) -> (positions: [Int], count: Int) {
        if changedPositions == nil {
            let slots = Dictionary(grouping: changed.lazy.filter { $0.side == .after }, by: \.node)
            changedPositions = slots.mapValues { $0.map(\.position).sorted() }
        }
        let positions = changedPositions?[node] ?? []
        return (positions, positions.partitioningIndex { $0 >= position })
    }

    private func slot(of change: Change) -> (place: ChangeSite, position: Int, side: Side)? {
        guard count > 0, let place = difference.site(of: change) else { return nil }
        if let position = place.positionAfter { return (place, position, .after) }
        return place.positionBefore.map { (place, $0, .before) }
    }

    private func lines(_ positions: Range<Int>, in site: ChangeSite, _ side: Side) -> [Line] {
        let contents = difference.view(side)[site.container(side)].contents
        var lines: [Line] = []
        for position in unexamined(positions, of: site.node, side) {
            let slots = slots(position, of: site.node, side)
            let slot = slots.after ?? Slot(node: site.node, side: side, position: position)
            guard slots.before.map(changed.contains) != true, !changed.contains(slot), shown.insert(slot).inserted
            else { continue }
            lines.append(
                Line(
                    address: difference.address(ofSlot: slot.position, in: site, slot.side),
                    labels: Sides { label(slots[$0] ?? slot, site) },
                    value: values[side].line(difference.view(side).item(position, of: contents).id),
                    location: locations.note(on: slot.position, of: site, slot.side),
                    slot: slots.after.map { ($0.node, site.container(.after), $0.position) }))
        }
        return lines
    }

    /// Returns the positions of a range that were not examined for the changes before, and notes the range. The
    /// position between adjacent ranges is that of the change itself.
    private func unexamined(_ positions: Range<Int>, of node: Int, _ side: Side) -> [Int] {
        guard let known = examined[side][node], positions.lowerBound <= known.upperBound + 1,
            known.lowerBound <= positions.upperBound + 1
        else {
            examined[side][node] = positions
            return Array(positions)
        }
        let lower = min(known.lowerBound, positions.lowerBound)
        let upper = max(known.upperBound, positions.upperBound)
        examined[side][node] = lower..<upper
        return Array(lower..<known.lowerBound) + Array(known.upperBound..<upper)
    }

    private func label(_ slot: Slot, _ site: ChangeSite) -> String {
        let key = difference.view(slot.side).item(slot.position, of: site.container(slot.side)).key
        return values[slot.side].label(slot.position, key, isWhole: hasWholeKeys)
    }

    /// Returns the slot at a position on one side, and its counterpart on the other side.
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
