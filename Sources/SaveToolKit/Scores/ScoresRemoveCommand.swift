import SaveCodec
import SaveOperations

/// The command `savetool scores remove`, which removes scores from a table.
enum ScoresRemoveCommand {
    static let command = Command(
        name: "scores remove", summary: "remove a score", operands: [.file],
        examples: [
            "remove a score": "savetool scores remove highscores.plist --name Ada --score 98200",
            "remove the best score": "savetool scores remove highscores.plist --rank 1",
            "remove all scores of a player": "savetool scores remove highscores.plist --name Bob --all",
        ],
        discussion: """
            Removes the record that has the given name, score, date and rank, as scores list shows them. At
            least one of them is required. If several records match, they are listed and nothing is removed
            without --all. If records are equal in every field, the last one is removed.
            """,
        exitStatus: [
            .done: "done",
            .negative: "no such record; nothing is written",
            .cannot: "error, or several records match",
        ],
        options: [.player, .score, .date, .rank, .all, .scoreOrder, .scoreFields, .tableAddress],
        writing: .inPlace,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let name = try arguments.soleOperand("FILE")
        let wanted = try WantedRecord(arguments)
        let file = try ScoreFile(name, arguments, in: invocation)
        return try invocation.inFile(name) {
            var isMissing = false
            let status = try file.change(invocation) { table in
                let positions = wanted.positions(in: table)
                isMissing = positions.isEmpty
                guard !isMissing else { return nil }
                let removed = try choose(positions, of: table, arguments.has(.all), in: name)
                return try table.removing(Set(removed), limits: file.plan.reading.limits)
            }
            if isMissing {
                invocation.printError("\(Invocation.shownName(name)): no such record; see savetool scores list")
            }
            return status ?? .negative
        }
    }

    /// Returns the positions of the records to remove. Throws if several different records match, unless all of them
    /// are to be removed.
    private static func choose(
        _ positions: [Int], of table: ScoreTable, _ takesAll: Bool, in name: String
    ) throws(FileError) -> [Int] {
        if takesAll || positions.count == 1 { return positions }
        if table.areEqual(positions) { return [positions.max() ?? 0] }
        let shown = positions.prefix(maxShown).map { position in
            let record = table.records[position]
            return
                "\(table.recordAddress(position).description.prefix(80)) (\(Phrase.name(record.name))"
                + "\(record.name.isEmpty ? "" : " ")\(record.score))"
        }
        throw FileError(
            Invocation.shownName(name),
            "\(positions.count) records match: \(Phrase.list(shown, of: positions.count)); choose one with --name, "
                + "--score, --date or --rank, use --all, or remove an address with savetool remove")
    }

    private static let maxShown = 5
}

/// The record that the options of `scores remove` describe.
private struct WantedRecord {
    private let name: [UInt16]?
    private let score: Number?
    private let date: String?
    private let rank: Int?

    init(_ arguments: Arguments) throws(UsageError) {
        name = arguments.value(of: .player).map { Array($0.utf16) }
        score = try arguments.scoreNumber()
        date = arguments.value(of: .date)
        rank = try arguments.number(of: .rank)
        guard name != nil || score != nil || date != nil || rank != nil else {
            throw .missingOption(.player, because: "--name, --score, --date or --rank selects a record")
        }
    }

    /// Returns the positions of the matching records, best first.
    func positions(in table: ScoreTable) -> [Int] {
        let ranking = ScoreRanking(table.records, table.order)
        return zip(ranking.order, ranking.ranks).filter { position, rank in
            let record = table.records[position]
            return (name.map { $0 == record.name } ?? true) && (score.map { $0 == record.score } ?? true)
                && (self.rank.map { $0 == rank } ?? true) && (date.map { isDate(record.date, $0) } ?? true)
        }.map(\.0)
    }

    /// Whether a date is the given one: the text that `scores list` shows, the same time, or `none`.
    private func isDate(_ date: ScoreDate?, _ text: String) -> Bool {
        guard let date else { return text == "none" }
        switch date.stored {
        case .text(let stored) where stored.elementsEqual(text.utf16): return true
        case .number(let number) where "\(number)" == text: return true
        default: return date.seconds != nil && date.seconds == ScoreDate(Array(text.utf16)).seconds
        }
    }
}

extension Option {
    fileprivate static let score = Option("score", value: "N", for: .scores, help: "the score")
    fileprivate static let date = Option(
        "date", value: "DATE", for: .scores, help: "the date as scores list shows it, or none")
    fileprivate static let rank = Option("rank", value: "N", for: .scores, help: "the rank")
    fileprivate static let all = Option("all", "a", for: .scores, help: "remove all matching records")
}
