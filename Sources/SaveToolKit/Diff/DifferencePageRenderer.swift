import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// Writes differences as rows of an HTML page, with the unchanged values next to them and the contents of added and
/// removed containers, which are collapsed. The words in which an old and a new value differ are emphasized.
final class DifferencePageRenderer {
    /// The numbers of further rows that a page may have. They are limited, because they could outnumber the changes.
    final class Budget {
        var neighbours = 1000
        /// The contents of added and removed containers. A long text counts like rows of its size.
        var contents = 20_000
    }

    /// The maximum number of rows inside one added or removed container, and their maximum depth.
    private static let maxContents = 1000
    private static let maxDepth = 40

    private let saves: ComparedSaves
    private let text: ChangeText
    private let locations: ChangeLocations
    private let context: Int
    private let budget: Budget
    private let neighbours: Neighbours
    private var heading: String?
    /// The neighbours after the latest change, which are written before the next one.
    private var pending: [Neighbours.Line] = []
    /// The node of the latest change, and the neighbour that was written last.
    private var latest: (node: Int?, line: Neighbours.Line?) = (nil, nil)

    /// - Parameter context: The number of neighbours on each side of a change.
    init(_ saves: ComparedSaves, context: Int, within budget: Budget = Budget()) {
        (self.saves, self.context, self.budget) = (saves, context, budget)
        text = ChangeText(saves.difference)
        locations = ChangeLocations(saves)
        neighbours = Neighbours(saves, count: budget.neighbours > 0 ? context : 0, hasWholeKeys: true)
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
        ListPage.end(hasFilter: !saves.areSame, to: &output)
    }

    /// Writes a page that says why files could not be compared.
    ///
    /// - Parameters:
    ///   - names: The names of both files, safe to print.
    ///   - reasons: The unreadable files with the reasons, safe to print.
    static func renderUnreadable(
        named names: [String], _ reasons: [(side: Side, reason: String)], to output: inout ByteWriter
    ) {
        ListPage.begin(
            title: names.joined(separator: " → "),
            about: "not compared: " + (reasons.count == 1 ? "a file is unreadable" : "both files are unreadable"),
            kinds: [], to: &output)
        for (side, reason) in reasons {
            ListPage.beginGroup(names[side == .before ? 0 : 1], note: "unreadable", .error, to: &output)
            ListPage.addNote(reason, to: &output)
            ListPage.endGroup(to: &output)
        }
        ListPage.end(hasFilter: false, to: &output)
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
        // The lines are in order of position, so all after the first later one are later, too.
        let split = pending.firstIndex { neighbours.isChange(change, before: $0) } ?? pending.count
        var later = split == 0 ? [] : Array(pending[split...])
        if split == 0 { swap(&later, &pending) } else { pending.removeSubrange(split...) }
        let ahead = budget.neighbours > 0 ? neighbours.ahead(of: change) : []
        let node = saves.difference.site(of: change)?.node
        addPending(and: ahead, isContinued: node == latest.node, isAddressed: isAddressed, to: &output)
        latest.node = node
        let label = isAddressed ? text.address(of: change) : text.label(of: change)
        // A no-break space keeps a long key on the line of the marker.
        let beginning = ListPage.text("\(change.kind.marker)", change.kind.textRole) + "\u{A0}"
        let key = label.isEmpty ? "" : ListPage.text(label, .key)
        let note = locations.note(on: change)
        let row =
            beginning + key + (note.isEmpty ? "" : ListPage.text(note, .note)) + (label.isEmpty ? "" : ": ")
            + Self.values(text.description(change), change)
        let contents = contents(of: change) ?? longTexts(of: change)
        ListPage.add(row, contents: contents, kind: change.kind.rawValue, to: &output)
        let after = budget.neighbours > 0 ? neighbours.linesAfter(change) : []
        later += after
        if later.count > budget.neighbours { later.removeLast(later.count - budget.neighbours) }
        pending = later
    }

    // MARK: Neighbours

    /// Writes the neighbours after the latest change, and those before the next one.
    ///
    /// - Parameter isContinued: Whether the next change is in the same container as the latest one.
    private func addPending(
        and ahead: [Neighbours.Line] = [], isContinued: Bool = false, isAddressed: Bool = false,
        to output: inout ByteWriter
    ) {
        let lines = pending + ahead
        let count = pending.count
        pending = []
        guard let last = lines.last, budget.neighbours > 0 else { return }
        var rows: [ListPage.Neighbour] = []
        for (number, line) in lines.enumerated() {
            rows.append(.gap(gap(before: number, in: lines, count)))
            guard budget.neighbours > 0 else {
                rows.append(.gap(1))
                continue
            }
            budget.neighbours -= 1
            let step = line.labels.after.isEmpty ? line.labels.before : line.labels.after
            let label = isAddressed ? line.address.description : step
            rows.append(
                .value(ListPage.text(label + line.location, .key) + ": " + ListPage.text(line.value, .plain)))
        }
        if ahead.isEmpty, !isContinued { rows.append(.gap(neighbours.gap(after: last))) }
        latest.line = last
        ListPage.addNeighbours(rows, to: &output)
    }

    /// Returns the number of unchanged slots that are left out before a line.
    ///
    /// - Parameter count: The number of lines that belong to the latest change; the others belong to the next one.
    private func gap(before number: Int, in lines: [Neighbours.Line], _ count: Int) -> Int {
        guard number > 0 else { return count > 0 ? 0 : neighbours.gap(before: lines[0], after: latest.line) }
        let (previous, line) = (lines[number - 1], lines[number])
        guard number == count, !neighbours.areInSameContainer(previous, line) else {
            return neighbours.gap(from: previous, to: line)
        }
        return neighbours.gap(after: previous) + neighbours.gap(before: line, after: latest.line)
    }

    // MARK: Values

    /// Returns both values of a change of long strings as a list in HTML; nil for any other change.
    private func longTexts(of change: Change) -> [UInt8]? {
        guard change.kind == .changed, let before = change.before, let after = change.after,
            let old = saves.difference.before.text(before), let new = saves.difference.after.text(after),
            max(old.count, new.count) > ChangeText.longestExcerpt, budget.contents > 0
        else { return nil }
        let texts = [("del", old), ("ins", new)].map { tag, text in
            let shown = Page.escaped(TruncatedText.string(text, longest: Self.maxLongText))
            return "<li><\(tag)><bdi>\(shown)</bdi></\(tag)></li>\n"
        }
        let html = Array("<ul>\n\(texts.joined())</ul>".utf8)
        budget.contents -= 1 + html.count / Self.rowByteCount
        return html
    }

    /// The length up to which a string that is not shown whole in its row is shown below.
    private static let maxLongText = 2000
    /// The approximate size of a row.
    private static let rowByteCount = 100

    /// Returns the contents of an added or removed container as lists in HTML; nil for any other change.
    private func contents(of change: Change) -> [UInt8]? {
        let side: Side = change.kind == .added ? .after : .before
        let view = saves.difference.view(side)
        guard change.kind == .added || change.kind == .removed, let id = change.value(side),
            view.scalar(id) == nil, view[id].contents.count > 0, budget.contents > 0
        else { return nil }
        var outline = Outline(of: view, from: id, scope: Outline.Scope(depth: Self.maxDepth, annotates: true))
        var texts = PageRowText()
        var html = ByteWriter()
        var room = min(Self.maxContents, budget.contents)
        budget.contents -= room
        // The first row shows the change itself.
        _ = outline.next()
        html.write("<ul>\n")
        while outline.depth > 0, let step = outline.next() {
            switch step {
            case .value(let row) where room == 0:
                if row.isOpened { outline.close() }
                html.write("<li>\(ListPage.text("… more, shown by savetool get", .note))</li>\n")
                while outline.depth > 0 {
                    outline.close()
                    if outline.depth > 0 { html.write("</ul></li>\n") }
                }
            case .value(let row):
                room -= 1
                let line = texts.line(row, outline)
                html.write("<li>\(ListPage.text(texts.label(row), .key)): \(ListPage.text(line.text, line.textRole))")
                let isOpened = row.isOpened && row.value.contents.count > 0
                if row.isOpened, !isOpened { outline.close() }
                html.write(isOpened ? "<ul>\n" : "</li>\n")
            case .more: break
            case .end: if outline.depth > 0 { html.write("</ul></li>\n") }
            }
        }
        budget.contents += room
        html.write("</ul>")
        return html.takeBytes()
    }

    /// Returns the values of a change: the old one on red, the new one on green.
    private static func values(_ description: ChangeDescription, _ change: Change) -> String {
        let marked = description.marked { part, isDifferent, _ in
            isDifferent ? "<mark>\(Page.escaped(part))</mark>" : Page.escaped(part)
        }
        let shown = [Side.before, .after].compactMap { side -> String? in
            let tag = side == .before ? "del" : "ins"
            return marked[side].map { change.kind == .moved ? "<bdi>\($0)</bdi>" : "<\(tag)><bdi>\($0)</bdi></\(tag)>" }
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
