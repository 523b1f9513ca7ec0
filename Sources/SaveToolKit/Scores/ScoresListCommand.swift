import SaveCodec
import SaveOperations

/// The command `savetool scores list`, which shows a table of high scores.
enum ScoresListCommand {
    static let command = Command(
        name: "scores list", summary: "show high scores", operands: [.file.optional],
        examples: [
            "the best first": "savetool scores list highscores.plist",
            "the three best, as Markdown": "savetool scores list --top 3 -f markdown highscores.plist",
            "a table with other field names":
                "savetool scores list --at /best --fields name=who,score=points arcade.json",
        ],
        discussion: """
            Shows the high scores in a file, the best first. Equal scores share a rank; the older is first.

            The table is found by its content: records with a name and a score under the usual names, pairs or
            triples such as ["Ada", 62032], or one score for each name, {"Ada": 62032}. If a file has several
            tables, the message lists them, and --at selects one. --fields names other fields; the fields of a
            pair are 0 and 1.

            --form prints the table as a save of that form.
            """,
        details: """
            An empty array is a table at --at, at the root, or under a key such as highScores. A record that cannot be read is
            reported and left out, unless it is the only one; --form then writes nothing without --allow-loss.

            csv has the line ends of RFC 4180, and an apostrophe before names that a spreadsheet would treat as
            a formula. Names are escaped for terminals and Markdown; json and csv have them unchanged, except
            for csv on a terminal. --form reports what the form cannot hold.

            --cgi answers GET and HEAD requests as a script of a web server (RFC 3875), with an empty table if
            FILE does not exist. Errors go to standard error and are answered with 500.

            With --allow-loss a record that is left out does not change the exit status. --sort date lists the
            newest first.
            """,
        exitStatus: [
            .done: "done; with --cgi, also if the answer is an error",
            .negative: "a record cannot be read",
            .cannot: "error: no table, or more than one",
        ],
        options: [
            .format, .top, .sort, .scoreOrder, .scoreForm, .newFormat, .allowLoss, .scoreFields, .tableAddress, .from,
            .unwrap, .unwrapAt, .filterIn, .maxDepth, .maxWork, .cgi, .fullPath,
        ] + Option.onScreen,
        foreignSpellings: ["--limit": Option.top.shown, "-n": Option.top.shown], run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        guard arguments.has(.cgi) else { return try list(arguments, invocation) }
        return try CGIRequest.answer(invocation) { page in
            if arguments.operands.isEmpty { throw UsageError.missingOperand("FILE") }
            return try list(arguments, page) == .cannot ? nil : try mediaType(arguments)
        }
    }

    /// Refuses a folder and suggests commands for all files in it.
    private static func refuseFolder(_ name: String, _ invocation: Invocation) throws {
        guard name != "-", (try? FileSystem.status(invocation.path(name)))?.kind == .folder else { return }
        throw FileError(
            Invocation.shownName(name),
            "this is a folder; expected a file; to list each table in it: find FOLDER -type f -exec savetool "
                + "\(command.name) {} ';'; to list one value of each file: "
                + "savetool get \(Option.at.shown) ADDRESS FOLDER"
        )
    }

    private static func mediaType(_ arguments: Arguments) throws(UsageError) -> MediaType {
        if let form: ScoreTableFormat = try arguments.choice(of: .scoreForm) {
            return MediaType(try arguments.format(of: .newFormat, among: Format.written) ?? form.defaultFormat)
        }
        return try (arguments.choice(of: .format) ?? ScoreListFormat.text).mediaType
    }

    private static func list(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if arguments.operands.count > 1 { throw UsageError.extraOperand(arguments.operands[1]) }
        let format: ScoreListFormat? = try arguments.choice(of: .format)
        let form: ScoreTableFormat? = try arguments.choice(of: .scoreForm)
        let top = try arguments.number(of: .top)
        let order: ScoreListOrder = try arguments.choice(of: .sort) ?? .rank
        if format != nil, form != nil { throw UsageError.conflict(.format, .scoreForm) }
        for option in [Option.newFormat, .allowLoss] where arguments.has(option) && form == nil {
            throw UsageError.needsOneOf(option, [.scoreForm])
        }
        try arguments.checkFit(format ?? .text, of: .format, [.fullPath: [.html]])
        if arguments.operands.isEmpty { invocation.announceInput() }
        let name = arguments.operands.first ?? "-"
        try refuseFolder(name, invocation)
        return try invocation.inFile(name) {
            let file = try ScoreFile(name, arguments, in: invocation, isForm: false, isOnlyRead: true)
            let isAnswer = arguments.has(.cgi)
            let table = try isAnswer ? file.readableTableIfExisting(invocation) : file.readableTable(invocation)
            if form != nil, !isAnswer { invocation.warn(table?.conversionLosses() ?? [], in: name) }
            let unreadable = table?.unreadable ?? []
            if let first = unreadable.first, table?.records.isEmpty ?? true { throw first }
            let list = ScoreList(
                table?.records ?? [], top: top ?? Int.max, sortedBy: order, best: file.search.order ?? .highest)
            if form == nil || isAnswer { invocation.warn(unreadable, count: table?.unreadableCount, in: name) }
            if let form {
                let lost = isAnswer ? [] : unreadable
                return try file.deliver(list.rows.map(\.record), as: form, leaving: lost, invocation)
            }
            let isTerminal = invocation.output.isTerminal
            // The path of the file on a server is private.
            let shownFile = isAnswer ? nil : arguments.pageNames([name])[0]
            try invocation.writeOutput { output in
                (format ?? .text).render(list, of: shownFile, isTerminal: isTerminal, invocation.palette, to: &output)
            }
            return unreadable.isEmpty ? .done : .negative
        }
    }
}

extension Option {
    fileprivate static let format = Option(
        "format", "f", value: "FORMAT", among: ScoreListFormat.self, usual: .text, for: .output)
    fileprivate static let top = Option("top", value: "N", for: .output, help: "show only the N best")
    fileprivate static let sort = Option(
        "sort", value: "ORDER", among: ScoreListOrder.self, usual: .rank, for: .output, help: "by ")
}

// MARK: Lists

/// The records of a table in display order.
private struct ScoreList {
    struct Row {
        let rank: Int
        let record: ScoreRecord
    }

    let rows: [Row]
    /// The number of records in the file.
    private let total: Int

    /// Creates a list of the best records. Records that are equal in the chosen order are ordered by rank.
    init(_ records: [ScoreRecord], top: Int, sortedBy order: ScoreListOrder, best: ScoreOrder) {
        let ranking = ScoreRanking(records, best)
        let best = zip(ranking.ranks, ranking.order).prefix(top).map { Row(rank: $0, record: records[$1]) }
        let keys = order.keys(of: best.map(\.record))
        total = records.count
        rows = best.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { best[$0] }
    }

    /// The number of records, for people.
    var about: String {
        let records = Phrase.count(total, "record")
        let hasTimes = rows.contains { $0.record.date?.seconds != nil }
        return (rows.count < total ? "\(CountText.of(rows.count)) of \(records)" : records)
            + (hasTimes ? ", times in UTC" : "")
    }

    /// The maximum width of a name in a text table.
    private static let widestName = 40

    var table: Table {
        Table(
            columns: [
                Table.Column(name: "rank", isNumeric: true), Table.Column(name: "name", widths: 0...Self.widestName),
                Table.Column(name: "score", isNumeric: true), Table.Column(name: "date"),
            ],
            rows: rows.map { row in
                Table.Row(cells: [
                    .literal("\(row.rank)"), .string(row.record.name), .quantity("\(row.record.score)"),
                    row.record.date.cell,
                ])
            })
    }
}

private enum ScoreListOrder: String, CaseIterable {
    case rank, name, date

    fileprivate func keys(of records: [ScoreRecord]) -> [Double] {
        switch self {
        case .rank: records.map { _ in 0 }
        case .name: Self.ranks(of: records.map(\.name))
        case .date: records.map { $0.date?.seconds.map { -$0 } ?? .infinity }
        }
    }

    /// Returns the position of each name in the order of UTF-16 code units. Equal names are compared only once, because
    /// there may be many long ones.
    private static func ranks(of names: [[UInt16]]) -> [Double] {
        var ranks: [[UInt16]: Double] = [:]
        for (rank, name) in Set(names).sorted(by: { $0.lexicographicallyPrecedes($1) }).enumerated() {
            ranks[name] = Double(rank)
        }
        return names.map { ranks[$0] ?? 0 }
    }
}

private enum ScoreListFormat: String, CaseIterable {
    case text, json, csv, markdown, html

    var mediaType: MediaType {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        case .markdown: .markdown
        case .html: .html
        }
    }

    /// - Parameter file: The name of the file in a page; nil to leave it out.
    func render(
        _ list: ScoreList, of file: String?, isTerminal: Bool, _ palette: Palette, to output: inout ByteWriter
    ) {
        let table = list.table
        switch self {
        case .text: table.writeText(palette, to: &output)
        case .json: table.writeJSON(to: &output)
        case .csv:
            table.writeCSVHeading(to: &output)
            for row in table.rows { row.writeCSV(isTerminal: isTerminal, to: &output) }
        case .markdown: table.writeMarkdown(to: &output)
        case .html: table.writePage(titled: "High scores", of: file, about: list.about, to: &output)
        }
    }
}

extension ScoreDate? {
    /// The cell of a table, with the date as it is stored.
    fileprivate var cell: Table.Cell {
        let stored: Table.Cell =
            switch self?.stored {
            case nil, .date: .date(self?.seconds)
            case .text(let text): .string(text)
            case .number(let number): .literal("\(number)")
            }
        return self?.seconds.map { .moment($0, stored) } ?? stored
    }
}
