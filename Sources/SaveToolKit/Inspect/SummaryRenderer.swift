import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// Writes the statistics of a document, below its headline:
///
///     root         dictionary
///     objects      24: 3 containers, 21 scalars
///     keys         8
///     depth        2 nested containers
///     shared       1 container, referenced more than once
///     unreachable  none
///
///     kind               objects     contents        bytes
///     dictionary               2            4
///     string                   4                        31
struct SummaryRenderer {
    let summary: DocumentSummary
    /// The registered defaults and their overlay; nil for none.
    let lower: (file: DefaultsFile, overlay: DefaultsOverlay)?
    let text: SummaryText

    func render(to output: inout ByteWriter) {
        writeFacts(to: &output)
        text.writeTable(of: "kind", numbers: [noun, "contents", "bytes"], rows, to: &output)
    }

    private func writeFacts(to output: inout ByteWriter) {
        let containers = ValueKind.containers.reduce(0) { $0 + (summary.tallies[$1]?.objects ?? 0) }
        let parts = [Phrase.count(containers, "container"), Phrase.count(summary.reachable - containers, "scalar")]
        text.writeFact("root", summary.root.rawValue, to: &output)
        text.writeFact(
            noun, CountText.of(summary.reachable) + ": " + parts.joined(separator: ", "), to: &output)
        text.writeFact("keys", CountText.of(summary.keys), to: &output)
        text.writeFact("depth", Phrase.count(summary.depth, "nested container"), to: &output)
        if !summary.isText { writeReferences(to: &output) }
        if let payloads = SummaryText.payloads(summary.payloads) { text.writeFact("in data", payloads, to: &output) }
        if let (_, overlay) = lower { text.writeFact("origins", DefaultsNotes.summary(overlay), to: &output) }
    }

    /// The noun for values. Only binary files have objects.
    private var noun: String { summary.isText ? "values" : "objects" }

    private func writeReferences(to output: inout ByteWriter) {
        text.writeFact(
            "shared",
            SummaryText.objects(
                [(summary.sharedContainers, "container"), (summary.sharedScalars, "scalar")],
                "referenced more than once"), to: &output)
        text.writeFact(
            "unreachable", SummaryText.objects([(summary.unreachable, "object")], "not reachable from the root"),
            to: &output)
    }

    private var rows: [Table.Row] {
        (ValueKind.containers + ValueKind.scalars).compactMap { kind in
            guard let tally = summary.tallies[kind] else { return nil }
            let isContainer = ValueKind.containers.contains(kind)
            return Table.Row(cells: [
                .text(kind.rawValue), .literal(CountText.of(tally.objects)),
                .literal(isContainer ? CountText.of(tally.contents) : ""),
                .literal(isContainer ? "" : CountText.of(tally.bytes)),
            ])
        }
    }
}

extension ValueKind {
    fileprivate static let containers: [ValueKind] = [.dictionary, .array, .set]
    fileprivate static let scalars: [ValueKind] = [.string, .integer, .real, .boolean, .date, .data, .uid, .null]
}

extension Format {
    /// The name of the format for use within a sentence: `XML property list`.
    var title: String { definition.title }

    /// The name with an indefinite article.
    var titleWithArticle: String { definition.article + title }
}

// MARK: Archives

/// Writes the statistics of a keyed archive, below its headline:
///
///     roots        root: Map, 3 fields
///     objects      24: 11 of 5 classes, 13 plain values
///     depth        4 references from a root to the farthest object
///     shared       2 objects, referenced more than once
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
    /// The maximum number of rows of the table; nil for no limit.
    let limit: Int?
    let text: SummaryText

    private static let shownRoots = 12
    private static let widestName = 48

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
            let key = root.key.flatMap(view.text).map(TruncatedText.key) ?? "\(position)"
            text.writeFact(position == 0 ? "roots" : "", key + ": " + view.caption(view[root.id]), to: &output)
        }
        if roots.count > Self.shownRoots {
            text.writeFact("", "… \(CountText.of(roots.count - Self.shownRoots)) more", to: &output)
        }
        if roots.count == 0 { text.writeFact("roots", "none", to: &output) }
    }

    private func writeFacts(to output: inout ByteWriter) {
        let classes = CountText.of(summary.instances) + " of " + Phrase.count(summary.classes, "class")
        text.writeFact(
            "objects", CountText.of(summary.objects) + ": \(classes), " + Phrase.count(summary.values, "plain value"),
            to: &output)
        text.writeFact(
            "depth", Phrase.count(summary.depth, "reference") + " from a root to the farthest object", to: &output)
        text.writeFact(
            "shared", SummaryText.objects([(summary.shared, "object")], "referenced more than once"), to: &output)
        let cycles = summary.cycles == 1 ? "in a cycle" : "in \(CountText.of(summary.cycles)) separate cycles"
        text.writeFact("cyclic", SummaryText.objects([(summary.cyclic, "object")], cycles), to: &output)
        text.writeFact(
            "unreachable", SummaryText.objects([(summary.unreachable, "object")], "not reachable from any root"),
            to: &output)
        if let payloads = SummaryText.payloads(summary.payloads) { text.writeFact("in data", payloads, to: &output) }
    }

    // MARK: Table

    private func writeTable(to output: inout ByteWriter) {
        var rows = summary.rows.prefix(limit ?? .max).map(Self.row)
        let others = summary.rows.dropFirst(rows.count)
        if !others.isEmpty {
            let sums = others.reduce((0, 0)) { ($0.0 + $1.tally.objects, $0.1 + $1.tally.bytes) }
            rows.append(Self.row("… \(CountText.of(others.count)) more", sums, section: rows.last?.section ?? 0))
        }
        text.writeTable(of: "class", numbers: ["objects", "bytes"], rows, to: &output)
    }

    private static func row(_ name: String, _ counts: (objects: Int, bytes: Int), section: Int) -> Table.Row {
        let numbers = [counts.objects, counts.bytes].map { Table.Cell.literal(CountText.of($0)) }
        return Table.Row(cells: [.text(name)] + numbers, section: section)
    }

    /// Returns the sizes of the 40 largest classes, of all others together, and of the parts without values.
    static func sizes(_ summary: ArchiveSummary) -> [TreePage.Size] {
        let all = summary.rows.sorted { $0.tally.bytes > $1.tally.bytes }.map { row in
            let (name, section) = title(of: row)
            return TreePage.Size(
                name: name, objects: row.tally.objects, bytes: row.tally.bytes, isContent: section < overheadSection)
        }
        let classes = all.filter(\.isContent)
        var sizes = Array(classes.prefix(40))
        let others = classes.dropFirst(40)
        if !others.isEmpty {
            sizes.append(
                others.reduce(into: TreePage.Size(name: "\(CountText.of(others.count)) more", objects: 0, bytes: 0)) {
                    $0.objects += $1.objects
                    $0.bytes += $1.bytes
                })
        }
        return sizes + all.filter { !$0.isContent }
    }

    /// The section of the rows that count bytes without values: names of fields and records of classes.
    private static let overheadSection = 3

    private static func row(_ row: ArchiveSummary.Row) -> Table.Row {
        let (name, section) = title(of: row)
        return Self.row(name, (row.tally.objects, row.tally.bytes), section: section)
    }

    private static func title(of row: ArchiveSummary.Row) -> (name: String, section: Int) {
        switch row.subject {
        case .gameClass(let name): (shown(name), 0)
        case .systemClass(let name): (shown(name), 1)
        case .value(let kind): (kind.rawValue, 2)
        case .names: ("(field names)", overheadSection)
        case .classRecords: ("(class records)", overheadSection)
        }
    }

    private static func shown(_ name: StoredString) -> String {
        let text = TruncatedText.className(name.shownClassName).unicodeScalars
        return text.count > widestName ? String(text.prefix(widestName - 1)) + "…" : String(text)
    }
}

// MARK: Facts and tables

/// The parts of summaries of documents and archives: labeled facts, and a table.
///
///     depth        3 references from a root to the farthest object
///     shared       none
///
///     class            objects      bytes
///     Player                 3        214
struct SummaryText {
    let palette: Palette

    private static let labelWidth = 13
    private static let numberWidth = 11

    /// Writes a fact after its label. The label is empty after the first of several facts.
    fileprivate func writeFact(_ label: String, _ text: String, to output: inout ByteWriter) {
        palette.write(label, in: .key, to: &output)
        output.write(String(repeating: " ", count: Self.labelWidth - label.utf8.count) + text + "\n")
    }

    /// Writes a table of names and numbers with an empty line before it.
    func writeTable(of title: String, numbers: [String], _ rows: [Table.Row], to output: inout ByteWriter) {
        output.write("\n")
        let names = Table.Column(name: title, widths: Self.labelWidth...Int.max)
        let columns = numbers.map { Table.Column(name: $0, isNumeric: true, widths: Self.numberWidth...Int.max) }
        Table(columns: [names] + columns, rows: rows).writeText(palette, to: &output)
    }

    /// Returns the counts followed by a remark, or `none` if all counts are 0.
    static func objects(_ counts: [(count: Int, noun: String)], _ remark: String) -> String {
        let parts = counts.filter { $0.count > 0 }.map { Phrase.count($0.count, $0.noun) }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ") + ", " + remark
    }

    /// Returns the number of files in data values by kind, as text; nil for none.
    static func payloads(_ counts: [EmbeddedFileType: Int]) -> String? {
        let parts = EmbeddedFileType.allCases.compactMap { kind in counts[kind].map { Phrase.count($0, kind.rawValue) }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
