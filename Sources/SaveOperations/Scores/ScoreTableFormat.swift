import SaveCodec

/// The three forms of high scores, see `Fixtures/README.md`.
package enum ScoreTableFormat: String, Sendable, CaseIterable {
    /// A keyed archive of HighScoreRecord objects.
    case archive
    /// A property list of dictionaries.
    case plist
    /// A property list from a leaderboard, with different field names.
    case feed

    var fields: ScoreFields {
        switch self {
        case .archive: ScoreFields(name: "Name", score: "TotalScore", date: "DateRecorded")
        case .plist: ScoreFields(name: "playerName", score: "score", date: "date")
        case .feed: ScoreFields(name: "player_name", score: "total_score", date: "created_at")
        }
    }

    /// The key of the table in an archive's `$top`.
    static let archiveKey = "HighScores"
    /// The class of the records in an archive of high scores.
    static let archiveClass = "HighScoreRecord"
}

/// The names of a record's fields, in UTF-16 code units.
package struct ScoreFields: Sendable, Hashable {
    let name: [UInt16]
    let score: [UInt16]
    /// The field of the date; nil if records have none.
    package let date: [UInt16]?

    /// Creates field names.
    ///
    /// - Parameter date: The field of the date; nil if records have none.
    package init(name: String, score: String, date: String?) {
        self.name = Array(name.utf16)
        self.score = Array(score.utf16)
        self.date = date.map { Array($0.utf16) }
    }

    /// The names for messages, such as `Name and TotalScore`.
    var shown: String {
        SafeText.escaping(name.prefix(80)) + " and " + SafeText.escaping(score.prefix(80))
    }
}
