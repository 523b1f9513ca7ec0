import SaveCodec

/// The three forms in which games keep high scores, see `Fixtures/README.md`.
package enum ScoreForm: String, Sendable, CaseIterable {
    /// A keyed archive of HighScoreRecord objects.
    case archive
    /// A property list of dictionaries.
    case plist
    /// What a leaderboard sends: a property list, too, with names of its own.
    case feed

    /// What the fields of a record are called.
    var fields: ScoreFields {
        switch self {
        case .archive: ScoreFields(name: "Name", score: "TotalScore", date: "DateRecorded")
        case .plist: ScoreFields(name: "playerName", score: "score", date: "date")
        case .feed: ScoreFields(name: "player_name", score: "total_score", date: "created_at")
        }
    }

    /// The key of an archive that the table is the root of.
    static let archiveKey = "HighScores"
    /// The class of the records of an archive.
    static let archiveClass = "HighScoreRecord"
}

/// What the fields of a record are called, in UTF-16 code units.
package struct ScoreFields: Sendable, Hashable {
    /// The field that the player's name is in.
    let name: [UInt16]
    /// The field that the score is in.
    let score: [UInt16]
    /// The field that the date is in; nil for records without one.
    package let date: [UInt16]?

    /// Creates the names of fields; nil for the date of records that have none.
    package init(name: String, score: String, date: String?) {
        self.name = Array(name.utf16)
        self.score = Array(score.utf16)
        self.date = date.map { Array($0.utf16) }
    }

    /// `Name and TotalScore`, as sentences have it.
    var shown: String {
        SafeText.escaping(name.prefix(80)) + " and " + SafeText.escaping(score.prefix(80))
    }
}
