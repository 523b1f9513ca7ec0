import SaveCodec
import SaveOperations

/// The command `savetool scores add`, which adds a score to a table.
enum ScoresAddCommand {
    static let command = Command(
        name: "scores add", summary: "add a score", operands: [.file],
        examples: [
            "enter a score": "savetool scores add highscores.plist --name Ada --score 99000",
            "keep any number of records": "savetool scores add highscores.plist --name Bob --score 5 --keep 0",
            "create the file": "savetool scores add new.plist --form plist --name Ada --score 5",
        ],
        discussion: """
            Adds a score to a table as games do: at most 10 records (--keep). A new score enters if there is
            room or if it beats the worst one, and follows equal scores. If the table is not sorted, the score
            is added at its end.

            The record is stored like its neighbours: their fields, their spelling of dates, no date if they
            have none. A score of another type is refused without --change-type. If the file does not exist,
            --form creates it: archive (binary, under HighScores), plist (binary) or feed (XML).
            """,
        details: """
            For an existing file, --form must be the form of the file. The record gets the class, the names and
            order of fields, and the types of its neighbours; 12.0 is 12 among integers. In a table with one
            score for each name, a better score replaces the old one.
            """,
        exitStatus: [
            .done: "done",
            .negative: "the score is too low; nothing is written",
            .cannot: "error",
        ],
        options: [
            .player, .score, .date, .keep, .scoreOrder, .changeScoreType, .scoreForm, .newFormat, .scoreFields,
            .tableAddress,
        ],
        writing: .inPlace,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if let error = arguments.recordAsOperands { throw error }
        let name = try arguments.soleOperand("FILE")
        let record = try arguments.scoreRecord()
        let keep = try arguments.number(of: .keep)
        let file = try ScoreFile(name, arguments, in: invocation)
        if let fields = file.search.fields, fields.date == nil, arguments.has(.date), record.date != nil {
            throw UsageError.onlyWith(.date, .scoreFields, values: ["name=A,score=B,date=C"])
        }
        return try invocation.inFile(name) {
            var result: ScoreAdditionResult?
            var hasUniqueNames = false
            let status = try file.change(adding: record, invocation) { table in
                try checkSize(of: table, keep: keep, in: name)
                let addition: ScoreAdditionResult
                do throws(Problem) {
                    addition = try table.adding(
                        record, keep: keep ?? defaultKeep, changesType: arguments.has(.changeScoreType),
                        limits: file.plan.reading.limits)
                } catch {
                    throw error.withHintOfType
                }
                (result, hasUniqueNames) = (addition, table.isKeyedByName)
                guard case .entered(let entry) = addition else { return nil }
                return entry.edited
            }
            switch result {
            case .entered(let entry)? where status == .done:
                entry.warn(in: name, invocation)
                entry.reportOmissions(in: file.plan, at: file.base, invocation)
                try entry.reportRank(in: file.plan, invocation)
            case .refused(let last)?:
                let reason = refusal(
                    of: record, by: last, order: file.search.order ?? .highest, hasUniqueNames: hasUniqueNames)
                invocation.printError("\(Invocation.shownName(name)): \(reason)")
            default: break
            }
            return status ?? .negative
        }
    }

    /// - Parameter hasUniqueNames: Whether the table has one score for each name.
    private static func refusal(
        of record: ScoreRecord, by last: ScoreRecord, order: ScoreOrder, hasUniqueNames: Bool
    ) -> String {
        if hasUniqueNames, record.name == last.name {
            return "\(SafeText.escaping(last.name)) already has \(last.score)"
        }
        let problem = order == .highest ? "too low" : "too high"
        return "\(record.score) is \(problem): the table is full and ends at \(last.score)"
    }

    static let defaultKeep = 10

    /// Refuses to shorten a table that exceeds the default number of records unless `--keep` is given.
    private static func checkSize(of table: ScoreTable, keep: Int?, in name: String) throws {
        guard keep == nil, table.records.count > defaultKeep else { return }
        throw FileError(
            Invocation.shownName(name),
            "the table has \(table.records.count) records, more than \(defaultKeep); use --keep N to keep the N best, or "
                + "--keep 0 to keep all")
    }
}

extension Arguments {
    /// Returns the record that `--name`, `--score` and `--date` describe.
    fileprivate func scoreRecord() throws(UsageError) -> ScoreRecord {
        let name = value(of: .player) ?? ""
        guard !has(.player) || !SubmissionRules.isBlank(name) else {
            throw .badValue(name, .player, expected: "a name that is not blank")
        }
        guard name.utf16.count <= ScoreRecord.longestName else {
            throw .badValue(name, .player, expected: "at most \(ScoreRecord.longestName) UTF-16 units")
        }
        return ScoreRecord(
            name: Array(name.utf16), score: try score(), date: try scoreDate(), isDateImplied: !has(.date))
    }

    /// The error for a record given as operands, `FILE NAME SCORE`, with the options to use; nil for other operands.
    fileprivate var recordAsOperands: UsageError? {
        let words = operands.dropFirst()
        let scores = words.filter { Double($0)?.isFinite ?? false }
        guard words.count == 2, scores.count == 1, let score = scores.first, !has(.player), !has(.score),
            let name = words.first(where: { $0 != score })
        else { return nil }
        let command = [
            "savetool \(ScoresAddCommand.command.name)", Shell.word(operands[0]) ?? "FILE",
            Option.player.shown, Shell.word(name) ?? "NAME", Option.score.shown, score,
        ]
        return UsageError(
            "the name and the score are options" + Suggestion.sentence(command.joined(separator: " ")))
    }

    private func score() throws(UsageError) -> Number {
        guard let score = try scoreNumber() else { throw .missingOption(.score, because: "a record needs a score") }
        return score
    }

    /// Returns the number that `--score` gives; nil without it.
    func scoreNumber() throws(UsageError) -> Number? {
        guard let text = value(of: .score) else { return nil }
        let document = try? JSON.readTyped(Array(text.utf8))
        guard JSON.inexactNumbers(in: Array(text.utf8)).isEmpty else {
            throw .badValue(text, .score, expected: "a number that fits in 64 bits without rounding")
        }
        guard let number = document.flatMap({ Number($0[$0.root]) }), number.isFinite else {
            throw .badValue(text, .score, expected: "a number, such as 98200 or 12.5")
        }
        return number
    }

    private func scoreDate() throws(UsageError) -> ScoreDate? {
        guard let text = value(of: .date) else { return ScoreDate(CurrentProcess.secondsSince2001) }
        if text == "none" { return nil }
        if let seconds = ScalarText.seconds(ofDate: text.utf16) { return ScoreDate(seconds) }
        // A game may spell dates in any way, but not without a digit.
        let hasDigit = text.utf8.contains(where: \.isDigit)
        guard hasDigit, !Self.beginsWithUnknownDay(text), text.utf16.count <= ScoreRecord.longestName else {
            throw .badValue(text, .date, expected: "a date such as 2009-09-06T12:34:56Z, or none")
        }
        return ScoreDate(Array(text.utf16))
    }

    /// Whether a text begins with a day that no calendar has, such as 2009-02-30.
    private static func beginsWithUnknownDay(_ text: String) -> Bool {
        let day = Array(text.utf16.prefix(10))
        let isDay = day.map { (0x30...0x39).contains($0) ? 0x30 : $0 }.elementsEqual("0000-00-00".utf16)
        return isDay && ScoreDate(day).seconds == nil
    }
}

extension ScoreInsertion {
    var sentence: String { "rank \(rank) of \(count)" }

    /// Prints the rank of the new score on standard output, or on standard error if the table is written to standard
    /// output. A failure to print does not undo the score.
    func reportRank(in plan: EditPlan, _ invocation: Invocation) throws {
        if plan.output == nil, !plan.isDryRun { return invocation.printError(sentence) }
        do {
            try invocation.writeOutput { $0.write(sentence + "\n") }
        } catch let error as FileError where invocation.replaced != nil {
            throw error.after("entered as \(sentence)")
        }
    }

    /// Prints the fields that the new record lacks, and the removed record if the changes are not printed.
    ///
    /// - Parameter base: The address of the nested save with the table; the root without one.
    func reportOmissions(in plan: EditPlan, at base: JSONPointer, _ invocation: Invocation) {
        let name = Invocation.shownName(plan.file)
        if dropped == 1, let record = worstDropped, !plan.report.showsChanges, !plan.report.isQuiet {
            let player = record.name.isEmpty ? "" : SafeText.escaping(record.name) + " "
            invocation.printError(
                "\(name): dropped the worst record: \(player)\(record.score); \(Option.keep.shown) 0 keeps all")
        }
        guard let first = missingFields.first else { return }
        let (noun, object) = missingFields.count == 1 ? ("a field", "it") : ("fields", "each")
        // Only a written file has the new record.
        let word = plan.written.flatMap { $0 == "-" ? nil : Shell.word($0) } ?? "FILE"
        let slot = ScoreGuess.word(for: base.appending(address).appending(key: first)) ?? "ADDRESS"
        invocation.printError(
            "\(name): warning: the new record lacks \(noun) that all other records have: \(missingFieldNames); add "
                + "\(object) with savetool set -i --add \(word) \(slot) VALUE")
    }

    /// Prints notes about the new record, and a warning if several other records were dropped.
    func warn(in file: String, _ invocation: Invocation) {
        let name = Invocation.shownName(file)
        if isAppended { invocation.printError("\(name): the table is not sorted by score; added at its end") }
        if dropped > 1 { invocation.printError("\(name): warning: the worst \(dropped) records have been dropped") }
        if isNameless { invocation.printError("\(name): the records have no names, so the name is not stored") }
        for position in unknownElements {
            invocation.printError(
                "\(name): warning: element \(position) of the new record is null; other records have a value there")
        }
    }
}

extension Problem {
    /// The problem, with a hint if the score has another type than the table's scores.
    var withHintOfType: Problem {
        guard kind == .scoreFit else { return self }
        return Problem(
            kind, message + "; use \(Option.changeScoreType.shown) to allow it", severity: severity, at: location,
            address: address)
    }
}

extension Option {
    /// The name of the player of a new score.
    static let player = Option("name", value: "NAME", for: .scores, help: "the name of the player")
    fileprivate static let score = Option(
        "score", value: "N", for: .scores, help: "the score, an integer or a real")
    fileprivate static let date = Option(
        "date", value: "DATE", for: .scores, help: "the date: 2009-09-06T12:34:56Z, or none (now)")
    static let keep = Option(
        "keep", value: "N", for: .scores, help: "keep the N best records (10); 0 for all")
    static let changeScoreType = Option(
        "change-type", for: .scores, help: "accept scores of another type")
}
