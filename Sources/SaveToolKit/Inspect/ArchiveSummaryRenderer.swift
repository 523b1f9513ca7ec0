import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes the numbers of a keyed archive, below its headline:
///
///     roots        root: Map, 3 fields
///     objects      24: 11 of 5 classes, 13 plain values
///     depth        4 references from a root to the farthest object
///     shared       2 objects, referred to more than once
///     cyclic       none
///     unreachable  none
///
///     class            objects      bytes
///     Player                 3        214
///     Map                    1         28
///
///     NSMutableArray         1         22
///
///     string                13         77
struct ArchiveSummaryRenderer {
    let summary: ArchiveSummary
    /// How many rows the table has at most; nil for all.
    let limit: Int?
    let text: SummaryText

    private static let shownRoots = 12
    private static let widestName = 48

    /// Writes the summary.
    func render(to output: inout ByteWriter) {
        writeRoots(to: &output)
        writeFacts(to: &output)
        writeTable(to: &output)
    }

    // MARK: Facts

    private func writeRoots(to output: inout ByteWriter) {
        let view = ObjectView(summary.archive)
        let roots = view[view.root].contents
        for position in 0..<min(roots.count, Self.shownRoots) {
            let root = view.item(position, of: roots)
            let key = root.key.flatMap(view.text).map(Shortened.key) ?? "\(position)"
            text.writeFact(position == 0 ? "roots" : "", key + ": " + view.caption(view[root.id]), to: &output)
        }
        if roots.count > Self.shownRoots {
            text.writeFact("", "… \(Grouped.of(roots.count - Self.shownRoots)) more", to: &output)
        }
        if roots.count == 0 { text.writeFact("roots", "none", to: &output) }
    }

    private func writeFacts(to output: inout ByteWriter) {
        let classes = Grouped.of(summary.instances) + " of " + Grouped.of(summary.classes, "class")
        text.writeFact(
            "objects", Grouped.of(summary.objects) + ": \(classes), " + Grouped.of(summary.values, "plain value"),
            to: &output)
        text.writeFact(
            "depth", Grouped.of(summary.depth, "reference") + " from a root to the farthest object", to: &output)
        text.writeFact(
            "shared", SummaryText.objects([(summary.shared, "object")], "referred to more than once"), to: &output)
        let cycles = summary.cycles == 1 ? "in a cycle" : "in \(Grouped.of(summary.cycles)) separate cycles"
        text.writeFact("cyclic", SummaryText.objects([(summary.cyclic, "object")], cycles), to: &output)
        text.writeFact(
            "unreachable", SummaryText.objects([(summary.unreachable, "object")], "no root leads there"), to: &output)
        if let payloads = SummaryText.payloads(summary.payloads) { text.writeFact("in data", payloads, to: &output) }
    }

    // MARK: Table

    private func writeTable(to output: inout ByteWriter) {
        var rows = summary.rows.prefix(limit ?? .max).map(Self.row)
        let others = summary.rows.dropFirst(rows.count)
        if !others.isEmpty {
            let sums = others.reduce((0, 0)) { ($0.0 + $1.tally.objects, $0.1 + $1.tally.bytes) }
            rows.append(Self.row("… \(Grouped.of(others.count)) more", sums, rows.last?.section ?? 0))
        }
        text.writeTable("class", ["objects", "bytes"], rows, to: &output)
    }

    private static func row(_ name: String, _ counts: (objects: Int, bytes: Int), _ section: Int) -> Table.Row {
        let numbers = [counts.objects, counts.bytes].map { Table.Cell.literal(Grouped.of($0)) }
        return Table.Row(cells: [.text(name)] + numbers, section: section)
    }

    /// Names, objects and bytes of the classes that a picture has room for, and of the others together.
    static func sizes(_ summary: ArchiveSummary) -> [(name: String, objects: Int, bytes: Int)] {
        let rows = summary.rows.sorted { $0.tally.bytes > $1.tally.bytes }
        let shown = rows.prefix(40).map { (title(of: $0).name, $0.tally.objects, $0.tally.bytes) }
        let others = rows.dropFirst(40)
        guard !others.isEmpty else { return shown }
        let sums = others.reduce((0, 0)) { ($0.0 + $1.tally.objects, $0.1 + $1.tally.bytes) }
        return shown + [("\(Grouped.of(others.count)) more", sums.0, sums.1)]
    }

    private static func row(_ row: ArchiveSummary.Row) -> Table.Row {
        let (name, section) = title(of: row)
        return Self.row(name, (row.tally.objects, row.tally.bytes), section)
    }

    /// What a row is called, and where it belongs.
    private static func title(of row: ArchiveSummary.Row) -> (name: String, section: Int) {
        switch row.subject {
        case .gameClass(let name): (shown(name), 0)
        case .systemClass(let name): (shown(name), 1)
        case .value(let kind): (kind.rawValue, 2)
        case .names: ("(field names)", 3)
        case .classRecords: ("(class records)", 3)
        }
    }

    private static func shown(_ name: StoredString) -> String {
        let text = Shortened.key(name).unicodeScalars
        return text.count > widestName ? String(text.prefix(widestName - 1)) + "…" : String(text)
    }
}
