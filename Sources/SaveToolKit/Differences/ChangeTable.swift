import SaveCodec
import SaveOperations

/// How many changes of each kind there are in each of several groups.
struct ChangeTable {
    /// The changes of one group.
    struct Row {
        let title: String
        var counts: [Change.Kind: Int] = [:]

        /// How many there are.
        var total: Int { counts.values.reduce(0, +) }
    }

    private var list: [Row] = []
    private var numbers: [String: Int] = [:]

    /// As many groups are told apart; what comes after that is one.
    private static let mostGroups = 10_000
    private static let rest = "elsewhere"

    /// Counts a change.
    mutating func add(_ kind: Change.Kind, to title: String) {
        let title = numbers[title] == nil && list.count >= Self.mostGroups ? Self.rest : title
        let number = numbers[title] ?? list.count
        if number == list.count {
            numbers[title] = number
            list.append(Row(title: title))
        }
        list[number].counts[kind, default: 0] += 1
    }

    /// The rows with the most changes first; those with as many in the order in which they came.
    var rows: [Row] {
        list.enumerated().sorted { ($1.element.total, $0.offset) < ($0.element.total, $1.offset) }.map(\.element)
    }

    /// Writes the table under a heading, with a column for each of these kinds.
    func write(_ heading: String, _ kinds: [Change.Kind], limit: Int, to output: inout ByteWriter) {
        let rows = rows
        let shown = rows.prefix(limit)
        let width = ([heading] + shown.map(\.title)).map(\.unicodeScalars.count).max() ?? 0
        func write(_ title: String, _ cells: [String]) {
            var line = title + String(repeating: " ", count: width - title.unicodeScalars.count)
            for (kind, cell) in zip(kinds, cells) {
                line += String(repeating: " ", count: max(2, max(kind.rawValue.utf8.count, 5) + 2 - cell.utf8.count))
                line += cell
            }
            while line.hasSuffix(" ") { line.removeLast() }
            output.write(line + "\n")
        }
        write(heading, kinds.map(\.rawValue))
        for row in shown { write(row.title, kinds.map { kind in row.counts[kind].map { "\($0)" } ?? "" }) }
        if rows.count > shown.count { output.write("… \(rows.count - shown.count) more\n") }
    }
}
