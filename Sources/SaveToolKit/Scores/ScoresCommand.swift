import SaveCodec
import SaveOperations

/// The command group `savetool scores`, for tables of high scores.
enum ScoresCommand {
    static let command = Command(
        name: "scores", summary: "high scores: list, add, merge, convert, submit",
        examples: [
            "the best first": "savetool scores list highscores.plist",
            "enter a score": "savetool scores add highscores.plist --name Ada --score 99000",
            "join two tables": "savetool scores merge highscores.plist leaderboard.plist -o best.plist",
        ],
        discussion: """
            Tables of high scores, in three forms that are recognised by their content: archives of
            HighScoreRecord objects (archive), property lists of dictionaries with score, date and
            playerName (plist), and what leaderboards send, with player_name, total_score and created_at
            (feed). scores FILE is short for scores list FILE.
            """,
        sections: [
            Command.Section(title: "look", commands: [ScoresListCommand.command]),
            Command.Section(
                title: "change",
                commands: [ScoresAddCommand.command, ScoresMergeCommand.command, ScoresConvertCommand.command]),
            Command.Section(
                title: "leaderboards",
                commands: [ScoresSubmitCommand.command, ScoresFormCommand.command, ScoresTokenCommand.command]),
        ], forFiles: ScoresListCommand.command)
}

// MARK: Convert

/// The command `savetool scores convert`, which writes a table in another form.
private enum ScoresConvertCommand {
    static let command = Command(
        name: "scores convert", summary: "write high scores in another form", operands: [.file],
        examples: [
            "what a game keeps, of a property list":
                "savetool scores convert highscores.plist --form archive -o highscores.archive",
            "a feed, as leaderboards send it": "savetool scores convert highscores.plist --form feed",
            "the same in JSON": "savetool scores convert highscores.plist --form feed --to json",
        ],
        discussion: """
            Writes the table in a file in the form archive (of HighScoreRecord objects), plist or feed, its
            records in their order, to standard output unless --output says otherwise. Archives and plists
            are binary and feeds are XML, unless --to or the ending of the output's name says otherwise.

            What the form or the format cannot hold is not lost silently: further fields of the records,
            what stands beside the table, and in XML fractions of seconds are listed and nothing is
            written, unless --allow-loss.
            """,
        exitStatus: [.done: "done", .cannot: "the table could not be converted"],
        options: [
            .scoreForm, .newFormat, .output, .backup, .newOwner, .allowLoss, .scoreFields, .tableAddress, .from,
            .unwrap, .filterIn, .filterOut, .maxDepth, .maxWork,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let name = try arguments.soleOperand("FILE")
        guard let form: ScoreForm = try arguments.choice(of: .scoreForm) else {
            throw UsageError.missingOption(.scoreForm, because: "it says what to make")
        }
        let file = try ScoreFile(name, arguments, isForm: false, isOnlyRead: true)
        return try invocation.inFile(name) {
            try invocation.whileEditing(file.plan.written, reading: [name]) {
                let table = try file.read(invocation)
                return try file.deliver(table.records, as: form, leaving: table.conversionLosses(), invocation)
            }
        }
    }
}
