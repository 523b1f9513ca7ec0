import SaveCodec
import SaveOperations

/// What summaries are made of, of documents as of archives: facts, and a table.
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

    /// A row of a table: a name, and numbers or nothing.
    struct Row {
        let name: String
        let numbers: [String]
        /// What belongs together; between two sections is an empty line.
        var section = 0
    }

    /// Writes a fact behind a label; the next of several facts behind an empty one.
    func writeFact(_ label: String, _ text: String, to output: inout ByteWriter) {
        palette.write(label, in: .key, to: &output)
        output.write(String(repeating: " ", count: Self.labelWidth - label.utf8.count) + text + "\n")
    }

    /// Writes a table with an empty line before it.
    func writeTable(_ titles: Row, _ rows: [Row], to output: inout ByteWriter) {
        let width = rows.reduce(0) { max($0, Columns.width(of: $1.name)) }
        output.write("\n")
        palette.write(line(titles, width), in: .heading, to: &output)
        var section = rows.first?.section
        for row in rows {
            output.write(row.section == section ? "\n" : "\n\n")
            section = row.section
            output.write(line(row, width))
        }
        output.write("\n")
    }

    private func line(_ row: Row, _ width: Int) -> String {
        var line = Columns.pad(row.name, to: max(width, Self.labelWidth))
        for number in row.numbers {
            line += "  " + String(repeating: " ", count: max(0, Self.numberWidth - number.utf8.count)) + number
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }

    /// `none`, or how many there are of what, and what that means.
    static func objects(_ counts: [(count: Int, noun: String)], _ remark: String) -> String {
        let parts = counts.filter { $0.count > 0 }.map { Grouped.of($0.count, $0.noun) }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ") + ", " + remark
    }

    /// Files within data, by kind; nil for none.
    static func payloads(_ counts: [Payload: Int]) -> String? {
        let parts = Payload.allCases.compactMap { kind in counts[kind].map { Grouped.of($0, kind.rawValue) } }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
