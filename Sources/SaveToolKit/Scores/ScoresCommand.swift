/// `savetool scores`: commands about high scores.
enum ScoresCommand {
    static let command = Command(
        name: "scores", summary: "high scores: list, add, merge, convert, submit",
        discussion: """
            Tables of high scores, in three forms that are recognised by their content: archives of
            HighScoreRecord objects (archive), property lists of dictionaries with score, date and
            playerName (plist), and what leaderboards send, with player_name, total_score and created_at
            (feed).
            """,
        commands: [
            ScoresAddCommand.command, ScoresConvertCommand.command, ScoresFormCommand.command,
            ScoresListCommand.command, ScoresMergeCommand.command, ScoresSubmitCommand.command,
            ScoresTokenCommand.command,
        ])
}
