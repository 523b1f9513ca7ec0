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

/// The names of a record's fields, in UTF-16 code units. If records are arrays, the names are indices: `0`, `1`.
package struct ScoreFields: Sendable, Hashable {
    /// The field of the name; nil if records have none, or if the keys of a dictionary are the names.
    let name: [UInt16]?
    /// The field of the score; nil if the record is the score itself.
    let score: [UInt16]?
    /// The field of the date; nil if records have none.
    package let date: [UInt16]?

    /// Creates field names.
    ///
    /// - Parameters:
    ///   - name: The field of the name; nil if records have none.
    ///   - date: The field of the date; nil if records have none.
    package init(name: String?, score: String, date: String?) {
        self.init(name: name.map { Array($0.utf16) }, score: Array(score.utf16), date: date.map { Array($0.utf16) })
    }

    init(name: [UInt16]?, score: [UInt16]?, date: [UInt16]?) {
        (self.name, self.score, self.date) = (name, score, date)
    }

    /// The fields of records that are the scores themselves.
    static let number = ScoreFields(name: nil, score: nil, date: nil)

    /// The names for messages, such as `Name and TotalScore`.
    var shown: String {
        [name, score].compactMap { $0 }.map { SafeText.escaping($0.prefix(80)) }.joined(separator: " and ")
    }
}
