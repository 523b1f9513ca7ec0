import SaveCodec
import SaveOperations

/// Writes differences as rows of an HTML page, with the unchanged values next to them, which are collapsed. The words
/// in which an old and a new value differ are emphasized.
final class DifferencePageRenderer {
    /// The number of further neighbours that a page may have. Without a limit, they would outnumber the changes.
    final class NeighbourBudget {
        var rest = 1000
    }

    private let saves: ComparedSaves
    private let text: ChangeText
    private let locations: ChangeLocations
    private let context: Int
    private let budget: NeighbourBudget
    private let neighbours: Neighbours
    private var heading: String?
    /// The neighbours after the latest change, which are written before the next one.
    private var pending: [Neighbours.Line] = []

    /// - Parameter context: The number of neighbours on each side of a change.
    init(_ saves: ComparedSaves, context: Int, within budget: NeighbourBudget = NeighbourBudget()) {
        (self.saves, self.context, self.budget) = (saves, context, budget)
        text = ChangeText(saves.difference)
        locations = ChangeLocations(saves)
        neighbours = Neighbours(saves, count: budget.rest > 0 ? context : 0)
    }

    /// Writes a page about the two files, with a group for each container.
    ///
    /// - Parameter names: The names of both files, safe to print.
    func render(named names: [String], within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        ListPage.begin(
            title: names.joined(separator: " → "),
            about: saves.areSame ? "no changes" : DifferenceSummaryRenderer.counts(of: saves),
            kinds: ListPage.Kind.of(saves.counts), hasNeighbours: context > 0 && !saves.areSame, to: &output)
        try addGroups(within: bound, to: &output)
        ListPage.end(to: &output)
    }

    private func addGroups(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            switch entry {
            case .change(let change):
                let container = text.container(of: change)
                if heading != container {
                    endGroup(to: &output)
                    ListPage.beginGroup(container, to: &output)
                    heading = container
                }
                add(change, to: &output)
            case .nested(let saves):
                endGroup(to: &output)
                try inside(saves).addGroups(within: bound, to: &output)
            }
            try bound.check(output)
        }
        endGroup(to: &output)
    }

    /// The byte count after which no more rows are added. Whole addresses can be very long.
    private static let maxRowByteCount = 8 << 20

    /// Writes the first changes as rows with whole addresses, for a page about several files.
    ///
    /// - Parameter limit: The number of rows that may be written. It is reduced by the number of written rows.
    func addRows(atMost limit: inout Int, within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        for entry in saves.entries
        where !output.hasFailed && limit > 0 && output.count < Self.maxRowByteCount {
            switch entry {
            case .change(let change):
                limit -= 1
                add(change, isAddressed: true, to: &output)
            case .nested(let saves):
                addPending(isAddressed: true, to: &output)
                try inside(saves).addRows(atMost: &limit, within: bound, to: &output)
            }
            try bound.check(output)
        }
        addPending(isAddressed: true, to: &output)
    }

    private func inside(_ saves: ComparedSaves) -> DifferencePageRenderer {
        DifferencePageRenderer(saves, context: context, within: budget)
    }

    private func endGroup(to output: inout ByteWriter) {
        guard heading != nil else { return }
        addPending(to: &output)
        ListPage.endGroup(to: &output)
        heading = nil
    }

    /// - Parameter isAddressed: Whether rows have whole addresses, rather than their last steps.
    private func add(_ change: Change, isAddressed: Bool = false, to output: inout ByteWriter) {
        if budget.rest > 0 { pending += neighbours.ahead(of: change) }
        addPending(isAddressed: isAddressed, to: &output)
        let label = isAddressed ? text.address(of: change) : text.label(of: change)
        let beginning = ListPage.text("\(change.kind.marker)", change.kind.textRole) + " "
        let key = label.isEmpty ? "" : ListPage.text(label, .key)
        let note = locations.note(on: change)
        ListPage.add(
            beginning + key + (note.isEmpty ? "" : ListPage.text(note, .note)) + (label.isEmpty ? "" : ": ")
                + Self.values(text.description(change), change), kind: change.kind.rawValue, to: &output)
        if budget.rest > 0 { pending = neighbours.linesAfter(change) }
    }

    private func addPending(isAddressed: Bool = false, to output: inout ByteWriter) {
        let lines = pending.prefix(budget.rest)
        pending = []
        budget.rest -= lines.count
        ListPage.addNeighbours(
            lines.map { line in
                let step = line.labels.after.isEmpty ? line.labels.before : line.labels.after
                let label = isAddressed ? line.address.description : step
                return ListPage.text(label + line.location, .key) + ": " + ListPage.text(line.value, .plain)
            }, to: &output)
    }

    /// Returns the values of a change: the old one on red, the new one on green.
    private static func values(_ description: ChangeDescription, _ change: Change) -> String {
        let tags = Sides { $0 == .before ? "del" : "ins" }
        var values: Sides<String?> = Sides { description.values[$0].map(Page.escaped) }
        if let before = description.values.before, let after = description.values.after {
            let difference = WordDifference(before, after)
            if difference.haveCommonWords {
                values = Sides { side in
                    difference.pieces[side].map { piece in
                        piece.isChanged ? "<mark>\(Page.escaped(piece.text))</mark>" : Page.escaped(piece.text)
                    }.joined()
                }
            }
        }
        let shown = [Side.before, .after].compactMap { side -> String? in
            guard let value = values[side] else { return nil }
            return change.kind == .moved ? "<bdi>\(value)</bdi>" : "<\(tags[side])><bdi>\(value)</bdi></\(tags[side])>"
        }
        return Page.escaped(description.prefix) + shown.joined(separator: " → ") + Page.escaped(description.suffix)
    }
}

extension ListPage.Kind {
    /// Returns the kinds of rows for counted changes.
    static func of(_ counts: [Change.Kind: Int]) -> [ListPage.Kind] {
        Change.Kind.allCases.compactMap { kind in counts[kind].map { ListPage.Kind(name: kind.rawValue, count: $0) } }
    }
}
