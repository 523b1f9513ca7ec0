import SaveCodec
import SaveOperations

/// Shows a table of high scores in columns.
///
///     rank  name    score  date
///        1  Ada     98200  2009-09-06T12:34:56Z
enum ScoreTextRenderer {
    /// Longer names are cut.
    private static let widestName = 40

    static func render(_ list: ScoreList, to output: inout ByteWriter) {
        let rows = list.rows.map { row in
            [
                "\(row.rank)", Columns.fit(SafeText.escaping(row.record.name), to: widestName), "\(row.record.score)",
                row.record.shownDate,
            ]
        }
        let table = [["rank", "name", "score", "date"]] + rows
        let widths = (0..<4).map { column in table.map { Columns.width(of: $0[column]) }.max() ?? 0 }
        for row in table {
            var line = ""
            for (column, cell) in row.enumerated() {
                let gap = String(repeating: " ", count: widths[column] - Columns.width(of: cell))
                // Numbers stand to the right.
                line += (column == 0 ? "" : "  ") + (column % 2 == 0 ? gap + cell : cell + gap)
            }
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            output.write(line + "\n")
        }
    }
}

extension ScoreRecord {
    /// The date as text, or as seconds since 2001 where no text tells it exactly; empty if there is none.
    var shownDate: String {
        date.map { ScalarText.date($0) ?? ScalarText.real($0) } ?? ""
    }
}
