import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes the numbers of a keyed archive:
///
///     keyed archive by NSKeyedArchiver in a binary property list, 2,113 bytes
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
    let format: Format
    /// The size of the file in bytes.
    let size: Int
    /// How many rows the table has at most; nil for all.
    let limit: Int?

    private static let shownRoots = 12
    private static let labelWidth = 13
    private static let widestName = 48

    private struct Row {
        let name: String
        let tally: ArchiveSummary.Tally
        let section: Int
    }

    /// Writes the summary.
    func render(to output: inout ByteWriter) {
        let archiver = Shortened.key(summary.archive.archiver)
        output.write("keyed archive by \(archiver) in \(format.titleWithArticle), \(Grouped.of(size, "byte"))\n")
        writeRoots(to: &output)
        writeFacts(to: &output)
        output.write("\n")
        writeTable(to: &output)
    }

    // MARK: Facts

    private func writeRoots(to output: inout ByteWriter) {
        let view = ObjectView(summary.archive)
        let roots = view[view.root].contents
        for position in 0..<min(roots.count, Self.shownRoots) {
            let root = view.item(position, of: roots)
            let key = root.key.flatMap(view.text).map(Shortened.key) ?? "\(position)"
            writeFact(position == 0 ? "roots" : "", key + ": " + view.caption(view[root.id]), to: &output)
        }
        if roots.count > Self.shownRoots {
            writeFact("", "… \(Grouped.of(roots.count - Self.shownRoots)) more", to: &output)
        }
        if roots.count == 0 { writeFact("roots", "none", to: &output) }
    }

    private func writeFacts(to output: inout ByteWriter) {
        let classes = Grouped.of(summary.instances) + " of " + Grouped.of(summary.classes, "class")
        writeFact(
            "objects", Grouped.of(summary.objects) + ": \(classes), " + Grouped.of(summary.values, "plain value"),
            to: &output)
        writeFact("depth", Grouped.of(summary.depth, "reference") + " from a root to the farthest object", to: &output)
        writeFact("shared", objects(summary.shared, "referred to more than once"), to: &output)
        let cycles = summary.cycles == 1 ? "in a cycle" : "in \(Grouped.of(summary.cycles)) separate cycles"
        writeFact("cyclic", objects(summary.cyclic, cycles), to: &output)
        writeFact("unreachable", objects(summary.unreachable, "no root leads there"), to: &output)
        let payloads = Payload.allCases.compactMap { kind in
            summary.payloads[kind].map { Grouped.of($0, kind.rawValue) }
        }
        if !payloads.isEmpty { writeFact("in data", payloads.joined(separator: ", "), to: &output) }
    }

    private func objects(_ count: Int, _ remark: String) -> String {
        count == 0 ? "none" : Grouped.of(count, "object") + ", " + remark
    }

    private func writeFact(_ label: String, _ text: String, to output: inout ByteWriter) {
        output.write(label + blanks(Self.labelWidth - label.utf8.count) + text + "\n")
    }

    // MARK: Table

    private func writeTable(to output: inout ByteWriter) {
        let rows = summary.rows.prefix(limit ?? .max).map(Self.row)
        let width = rows.reduce(5) { max($0, $1.name.unicodeScalars.count) }
        write(("class", "objects", "bytes"), width, to: &output)
        var section = rows.first?.section
        for row in rows {
            if row.section != section { output.write("\n") }
            section = row.section
            write((row.name, Grouped.of(row.tally.objects), Grouped.of(row.tally.bytes)), width, to: &output)
        }
        let others = summary.rows.dropFirst(rows.count)
        guard !others.isEmpty else { return }
        let sums = others.reduce((0, 0)) { ($0.0 + $1.tally.objects, $0.1 + $1.tally.bytes) }
        write(("… \(Grouped.of(others.count)) more", Grouped.of(sums.0), Grouped.of(sums.1)), width, to: &output)
    }

    private func write(_ cells: (String, String, String), _ width: Int, to output: inout ByteWriter) {
        var line = cells.0 + blanks(width - cells.0.unicodeScalars.count)
        for cell in [cells.1, cells.2] { line += "  " + blanks(11 - cell.utf8.count) + cell }
        output.write(line + "\n")
    }

    /// Names, objects and bytes of the classes that a picture has room for, and of the others together.
    static func sizes(_ summary: ArchiveSummary) -> [(name: String, objects: Int, bytes: Int)] {
        let rows = summary.rows.sorted { $0.tally.bytes > $1.tally.bytes }
        let shown = rows.prefix(40).map { (row($0).name, $0.tally.objects, $0.tally.bytes) }
        let others = rows.dropFirst(40)
        guard !others.isEmpty else { return shown }
        let sums = others.reduce((0, 0)) { ($0.0 + $1.tally.objects, $0.1 + $1.tally.bytes) }
        return shown + [("\(Grouped.of(others.count)) more", sums.0, sums.1)]
    }

    private static func row(_ row: ArchiveSummary.Row) -> Row {
        switch row.subject {
        case .gameClass(let name): Row(name: shown(name), tally: row.tally, section: 0)
        case .systemClass(let name): Row(name: shown(name), tally: row.tally, section: 1)
        case .value(let kind): Row(name: kind.rawValue, tally: row.tally, section: 2)
        case .names: Row(name: "(field names)", tally: row.tally, section: 3)
        case .classRecords: Row(name: "(class records)", tally: row.tally, section: 3)
        }
    }

    private static func shown(_ name: StoredString) -> String {
        let text = Shortened.key(name).unicodeScalars
        return text.count > widestName ? String(text.prefix(widestName - 1)) + "…" : String(text)
    }

    private func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}
