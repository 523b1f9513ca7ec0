import KeyedArchives
import SaveCodec
import SaveOperations

/// Counts the changes by address pattern, and by the class of the object that contains them. `--ignore` and `--only`
/// accept the patterns:
///
///     4 changes: 1 added, 3 changed
///
///     place                     added  changed
///     /root/charList/*/health              3
///     /root/charList/*              1
struct DifferenceSummaryRenderer {
    /// The maximum numbers of rows in a table, steps in a pattern, and code units in a key of a pattern.
    private static let rows = 40
    private static let steps = 6
    private static let longestKey = 40

    func render(_ saves: ComparedSaves, to output: inout ByteWriter) {
        let counts = saves.counts
        let kinds = Change.Kind.allCases.filter { counts[$0] != nil }
        guard !kinds.isEmpty else { return output.write("no changes\n") }
        output.write(Self.counts(of: saves) + "\n\n")
        var places = ChangeTable()
        saves.forEachChange { change, difference in
            let place = difference.pattern(of: change, steps: Self.steps, longestKey: Self.longestKey)
            places.add(change.kind, to: place.description)
        }
        places.write("place", kinds, limit: Self.rows, to: &output)
        guard saves.haveArchives else { return }
        output.write("\n")
        var classes = ChangeTable()
        saves.forEachChange { change, difference in
            classes.add(change.kind, to: Self.className(around: change, in: difference))
        }
        classes.write("class", kinds, limit: Self.rows, to: &output)
    }

    /// Returns the number of changes by kind, after the total if there are several kinds: `3 changes: 1 added, 2
    /// changed`.
    static func counts(of saves: ComparedSaves) -> String {
        let parts = Change.Kind.allCases.compactMap { kind in saves.counts[kind].map(kind.count) }
        return (parts.count == 1 ? "" : Phrase.count(saves.count, "change") + ": ") + parts.joined(separator: ", ")
    }

    /// Returns the class of the object that contains a change.
    private static func className(around change: Change, in difference: Difference) -> String {
        guard let site = difference.site(of: change) else { return "(none)" }
        let names = [Side.after, .before].lazy.compactMap { side in
            let view = difference.view(side)
            return view.classPosition(of: site.container(side)).map(view.className)
        }
        return names.first ?? "(none)"
    }
}

extension Change.Kind {
    /// Returns a number of changes of this kind: `2 added`, `1 class changed`.
    fileprivate func count(_ number: Int) -> String {
        switch self {
        case .added, .removed, .changed, .moved: "\(number) \(rawValue)"
        case .type: Phrase.count(number, "type") + " changed"
        case .storage: "\(number) stored differently"
        case .class: Phrase.count(number, "class") + " changed"
        case .shared: "\(number) shared differently"
        }
    }
}

/// The number of changes of each kind in each of several groups.
private struct ChangeTable {
    /// The changes of one group.
    struct Row {
        let title: String
        var counts: [Change.Kind: Int] = [:]

        var total: Int { counts.values.reduce(0, +) }
    }

    private var list: [Row] = []
    private var numbers: [String: Int] = [:]

    /// The maximum number of groups that are counted separately. Changes of further groups are counted as `elsewhere`.
    private static let maxGroups = 10_000
    private static let rest = "elsewhere"

    mutating func add(_ kind: Change.Kind, to title: String) {
        let title = numbers[title] == nil && list.count >= Self.maxGroups ? Self.rest : title
        let number = numbers[title] ?? list.count
        if number == list.count {
            numbers[title] = number
            list.append(Row(title: title))
        }
        list[number].counts[kind, default: 0] += 1
    }

    /// The rows by descending number of changes. Rows with equal numbers keep their order.
    var rows: [Row] {
        list.enumerated().sorted { ($1.element.total, $0.offset) < ($0.element.total, $1.offset) }.map(\.element)
    }

    /// Writes the table with a heading and a column for each of the given kinds.
    func write(_ heading: String, _ kinds: [Change.Kind], limit: Int, to output: inout ByteWriter) {
        let rows = rows
        let shown = rows.prefix(limit)
        let counts = kinds.map { Table.Column(name: $0.rawValue, isNumeric: true, widths: 5...Int.max) }
        Table(
            columns: [Table.Column(name: heading)] + counts,
            rows: shown.map { row in
                let cells = kinds.map { kind in Table.Cell.literal(row.counts[kind].map { "\($0)" } ?? "") }
                return Table.Row(cells: [.text(row.title)] + cells)
            }
        ).writeText(.plain, to: &output)
        if rows.count > shown.count { output.write("… \(rows.count - shown.count) more\n") }
    }
}
