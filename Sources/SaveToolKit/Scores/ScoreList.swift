import SaveCodec
import SaveOperations

/// The records of a table as they are shown.
struct ScoreList {
    /// A record and its rank.
    struct Row {
        let rank: Int
        let record: ScoreRecord
    }

    let rows: [Row]

    /// The best records of a table in some order; those that are equal in it in the order of their ranks.
    init(_ records: [ScoreRecord], top: Int, _ order: ScoreListOrder) {
        let ranking = ScoreRanking(records)
        let best = zip(ranking.ranks, ranking.order).prefix(top).map { Row(rank: $0, record: records[$1]) }
        let keys = order.keys(of: best.map(\.record))
        rows = best.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { best[$0] }
    }
}

/// What a table is sorted by when it is shown.
enum ScoreListOrder: String, CaseIterable {
    case rank, name, date

    /// What each record is sorted by.
    fileprivate func keys(of records: [ScoreRecord]) -> [Double] {
        switch self {
        case .rank: records.map { _ in 0 }
        case .name: Self.places(of: records.map(\.name))
        case .date: records.map { $0.date.map { -$0 } ?? .infinity }
        }
    }

    /// The place of each name among all, in the order of their UTF-16 code units. Many long names may be the same, so each
    /// is compared once.
    private static func places(of names: [[UInt16]]) -> [Double] {
        var places: [[UInt16]: Double] = [:]
        for (place, name) in Set(names).sorted(by: { $0.lexicographicallyPrecedes($1) }).enumerated() {
            places[name] = Double(place)
        }
        return names.map { places[$0] ?? 0 }
    }
}

/// How a table is shown.
enum ScoreListFormat: String, CaseIterable {
    case text, json, csv, markdown, html

    /// What the list is to a browser.
    var mediaType: MediaType {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        case .markdown: .markdown
        case .html: .html
        }
    }

    func render(_ list: ScoreList, isTerminal: Bool, _ palette: Palette, to output: inout ByteWriter) {
        switch self {
        case .text: ScoreTextRenderer.render(list, palette, to: &output)
        case .json: ScoreJSONRenderer.render(list, to: &output)
        case .csv: ScoreCSVRenderer.render(list, isTerminal: isTerminal, to: &output)
        case .markdown: ScoreMarkdownRenderer.render(list, to: &output)
        case .html: ScorePageRenderer.render(list, to: &output)
        }
    }
}

/// Shows a table of high scores in columns.
///
///     rank  name    score  date
///        1  Ada     98200  2009-09-06T12:34:56Z
private enum ScoreTextRenderer {
    /// Longer names are cut.
    private static let widestName = 40

    static func render(_ list: ScoreList, _ palette: Palette, to output: inout ByteWriter) {
        let rows = list.rows.map { row in
            [
                "\(row.rank)", Columns.fit(SafeText.escaping(row.record.name), to: widestName), "\(row.record.score)",
                row.record.shownDate,
            ]
        }
        let table = [["rank", "name", "score", "date"]] + rows
        let widths = (0..<4).map { column in table.map { Columns.width(of: $0[column]) }.max() ?? 0 }
        for (position, row) in table.enumerated() {
            var line = ""
            for (column, cell) in row.enumerated() {
                let gap = String(repeating: " ", count: widths[column] - Columns.width(of: cell))
                // Numbers stand to the right.
                line += (column == 0 ? "" : "  ") + (column % 2 == 0 ? gap + cell : cell + gap)
            }
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            palette.write(line, in: position == 0 ? .heading : .plain, to: &output)
            output.write("\n")
        }
    }
}

extension ScoreRecord {
    /// The date as text, or as seconds since 2001 where no text tells it exactly; empty if there is none.
    var shownDate: String {
        date.map { ScalarText.date($0) ?? ScalarText.real($0) } ?? ""
    }
}

/// Shows a table of high scores as a JSON array of objects, one on each line.
private enum ScoreJSONRenderer {
    static func render(_ list: ScoreList, to output: inout ByteWriter) {
        var json = JSONOutput(.records(indentedBy: 2))
        json.open(.array, to: &output)
        for row in list.rows {
            let row: JSONMembers = [
                ("rank", .integer(row.rank)), ("name", .text(row.record.name)),
                ("score", .written(Array("\(row.record.score)".utf8))), ("date", date(row.record.date)),
            ]
            json.write(.object(row), to: &output)
        }
        json.close(to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    private static func date(_ date: Double?) -> JSONValue {
        guard let date else { return .null }
        return ScalarText.date(date).map { .string($0) } ?? .written(Array(ScalarText.real(date).utf8))
    }
}

/// Shows a table of high scores as comma-separated values (RFC 4180).
private enum ScoreCSVRenderer {
    static func render(_ list: ScoreList, isTerminal: Bool, to output: inout ByteWriter) {
        output.write("rank,name,score,date\r\n")
        for row in list.rows {
            let name = CSV.field(row.record.name, isTerminal: isTerminal)
            output.write("\(row.rank),\(name),\(row.record.score),\(row.record.shownDate)\r\n")
        }
    }
}

/// Shows a table of high scores as a table of GitHub's Markdown.
private enum ScoreMarkdownRenderer {
    static func render(_ list: ScoreList, to output: inout ByteWriter) {
        output.write("| rank | name | score | date |\n| ---: | :--- | ---: | :--- |\n")
        for row in list.rows {
            output.write(
                "| \(row.rank) | \(escaped(row.record.name)) | \(row.record.score) | \(row.record.shownDate) |\n")
        }
    }

    /// A name as text: no column, markup or HTML. GitHub makes a link of a bare address all the same; no escape keeps it
    /// from that. What is escaped for terminals has its backslashes doubled already.
    private static func escaped(_ name: [UInt16]) -> String {
        var text = ""
        for scalar in SafeText.escaping(name).unicodeScalars {
            if "|`<>*_[]&~$".unicodeScalars.contains(scalar) { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

/// Shows a table of high scores as a page of HTML, without a script.
private enum ScorePageRenderer {
    static func render(_ list: ScoreList, to output: inout ByteWriter) {
        Page.begin(title: "High scores", runsScript: false, to: &output)
        output.write("<main>\n<h1>High scores</h1>\n<table>\n<thead>\n")
        writeRow(["Rank", "Name", "Score", "Date"], "th scope=\"col\"", to: &output)
        output.write("</thead>\n<tbody>\n")
        for row in list.rows {
            let name = "<bdi>\(Page.escaped(SafeText.escaping(row.record.name)))</bdi>"
            writeRow(["\(row.rank)", name, "\(row.record.score)", row.record.shownDate], "td", to: &output)
        }
        output.write("</tbody>\n</table>\n</main>\n")
        Page.end(to: &output)
    }

    private static func writeRow(_ cells: [String], _ element: String, to output: inout ByteWriter) {
        output.write("<tr>")
        for (column, cell) in cells.enumerated() {
            // Numbers stand to the right.
            output.write("<\(element)\(column % 2 == 0 ? " class=\"count\"" : "")>\(cell)</\(element.prefix(2))>")
        }
        output.write("</tr>\n")
    }
}
