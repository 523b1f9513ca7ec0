package import SaveCodec

/// One high score.
package struct ScoreRecord: Sendable {
    /// The name of the player, in UTF-16 code units.
    package let name: [UInt16]
    /// The score, which is finite.
    package let score: Number
    /// When it was reached, in seconds since 2001-01-01T00:00:00Z, if that is known.
    package let date: Double?

    /// Creates a record.
    package init(name: [UInt16], score: Number, date: Double?) {
        self.name = name
        self.score = score
        self.date = date
    }

    /// Names are not longer than so many UTF-16 code units, so that no file can ask for more work than its size is worth.
    package static let longestName = 1000
}
