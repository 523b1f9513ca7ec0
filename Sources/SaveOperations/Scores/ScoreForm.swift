/// The three forms in which games keep high scores, see `Fixtures/README.md`.
package enum ScoreForm: String, Sendable, CaseIterable {
    /// A keyed archive of HighScoreRecord objects.
    case archive
    /// A property list of dictionaries.
    case plist
    /// What a leaderboard sends: a property list, too, with names of its own.
    case feed

    /// What the fields of a record are called.
    package var fields: ScoreFields {
        switch self {
        case .archive: ScoreFields(name: "Name", score: "TotalScore", date: "DateRecorded")
        case .plist: ScoreFields(name: "playerName", score: "score", date: "date")
        case .feed: ScoreFields(name: "player_name", score: "total_score", date: "created_at")
        }
    }

    /// The key of an archive that the table is the root of.
    package static let archiveKey = "HighScores"
    /// The class of the records of an archive.
    package static let archiveClass = "HighScoreRecord"
}
