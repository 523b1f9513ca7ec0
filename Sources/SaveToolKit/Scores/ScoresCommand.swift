/// `savetool scores`: commands about high scores.
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
