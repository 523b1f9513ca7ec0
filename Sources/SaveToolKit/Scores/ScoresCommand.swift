import SaveCodec
import SaveOperations

/// The command group `savetool scores`, for tables of high scores.
enum ScoresCommand {
    static let command = Command(
        name: "scores", summary: "high scores: list, add, remove, merge, convert",
        examples: [
            "the best first": "savetool scores list highscores.plist",
            "enter a score": "savetool scores add highscores.plist --name Ada --score 99000",
            "merge two tables": "savetool scores merge highscores.plist leaderboard.plist -o best.plist",
        ],
        discussion: """
            Tables are detected by their content: archive (HighScoreRecord objects), plist (dictionaries with
            score, date and playerName), feed (a leaderboard's records). Tables of many other games are
            recognized, too; see scores list --help. scores FILE is short for scores list FILE.
            """,
        sections: [
            Command.Section(title: "look", entries: [Command.Entry("list", ScoresListCommand.command)]),
            Command.Section(
                title: "change",
                entries: [
                    Command.Entry("add", ScoresAddCommand.command),
                    Command.Entry("remove", ScoresRemoveCommand.command),
                    Command.Entry("merge", ScoresMergeCommand.command),
                    Command.Entry("convert", ScoresConvertCommand.command),
                ]),
            Command.Section(
                title: "plumbing",
                entries: [
                    Command.Entry("submit", ScoresSubmitCommand.command),
                    Command.Entry("form", ScoresFormCommand.command),
                    Command.Entry("token", ScoresTokenCommand.command),
                ]),
        ], forFiles: Command.Entry("list", ScoresListCommand.command))
}

// MARK: Convert

/// The command `savetool scores convert`, which writes a table in another form.
private enum ScoresConvertCommand {
    static let command = Command(
        name: "scores convert", summary: "write high scores in another form", operands: [.file],
        examples: [
            "an archive from a property list":
                "savetool scores convert highscores.plist --form archive -o highscores.archive",
            "a feed, as leaderboards send it": "savetool scores convert highscores.plist --form feed",
            "the same in JSON": "savetool scores convert highscores.plist --form feed --to json",
        ],
        discussion: """
            Writes a table as archive (HighScoreRecord objects), plist or feed, in the order of its records.
            Archives and plists are binary and feeds are XML, unless --to or the extension of the --output
            file selects a format. If the result cannot hold something (other fields, values beside the table,
            fractions of seconds in XML), the losses are listed and nothing is written without --allow-loss.
            """,
        exitStatus: [.done: "done", .cannot: "error"],
        options: [
            .scoreForm, .newFormat, .output, .backup, .newOwner, .allowLoss, .scoreFields, .tableAddress, .from,
            .unwrap, .unwrapAt, .filterIn, .filterOut, .maxDepth, .maxWork,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let name = try arguments.soleOperand("FILE")
        guard let form: ScoreTableFormat = try arguments.choice(of: .scoreForm) else {
            throw UsageError.missingOption(
                .scoreForm, because: "expected \(UsageError.list(ScoreTableFormat.allCases.map(\.rawValue)))")
        }
        let file = try ScoreFile(name, arguments, in: invocation, isForm: false, isOnlyRead: true)
        return try invocation.inFile(name) {
            try invocation.whileEditing(file.plan.written, reading: [name]) {
                let table = try file.read(invocation)
                return try file.deliver(table.records, as: form, leaving: table.conversionLosses(), invocation)
            }
        }
    }
}
