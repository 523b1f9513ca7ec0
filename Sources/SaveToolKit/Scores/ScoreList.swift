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

    /// Longer names are cut in text.
    private static let widestName = 40

    var table: Table {
        Table(
            columns: [
                Table.Column(name: "rank", isNumeric: true), Table.Column(name: "name", widths: 0...Self.widestName),
                Table.Column(name: "score", isNumeric: true), Table.Column(name: "date"),
            ],
            rows: rows.map { row in
                Table.Row(cells: [
                    .literal("\(row.rank)"), .string(row.record.name), .literal("\(row.record.score)"),
                    .date(row.record.date),
                ])
            })
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

    func render(_ table: Table, isTerminal: Bool, _ palette: Palette, to output: inout ByteWriter) {
        switch self {
        case .text: table.writeText(palette, to: &output)
        case .json: table.writeJSON(to: &output)
        case .csv:
            table.writeCSVHeading(to: &output)
            for row in table.rows { row.writeCSV(isTerminal: isTerminal, to: &output) }
        case .markdown: table.writeMarkdown(to: &output)
        case .html: table.writePage(titled: "High scores", to: &output)
        }
    }
}
