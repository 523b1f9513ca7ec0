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

    /// Writes a fact behind a label; the next of several facts behind an empty one.
    func writeFact(_ label: String, _ text: String, to output: inout ByteWriter) {
        palette.write(label, in: .key, to: &output)
        output.write(String(repeating: " ", count: Self.labelWidth - label.utf8.count) + text + "\n")
    }

    /// Writes a table of names and numbers with an empty line before it.
    func writeTable(_ title: String, _ numbers: [String], _ rows: [Table.Row], to output: inout ByteWriter) {
        output.write("\n")
        let names = Table.Column(name: title, widths: Self.labelWidth...Int.max)
        let columns = numbers.map { Table.Column(name: $0, isNumeric: true, widths: Self.numberWidth...Int.max) }
        Table(columns: [names] + columns, rows: rows).writeText(palette, to: &output)
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
