import SaveCodec

/// What the fields of a record are called, in UTF-16 code units.
package struct ScoreFields: Sendable, Hashable {
    /// The field that the player's name is in.
    package let name: [UInt16]
    /// The field that the score is in.
    package let score: [UInt16]
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
