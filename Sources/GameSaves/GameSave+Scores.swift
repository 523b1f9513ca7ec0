public import ArchiveCoding
import KeyedArchives
public import SaveCodec
import SaveOperations

/// A high score.
public struct HighScore: Sendable, Hashable {
    /// The name of the player.
    public var name: String
    /// The score. Beyond 2^53, this is the nearest `Double` to the number in the save.
    public var score: Double
    /// The date of the score, if it is known and its spelling can be read. Provide one for a table whose records have
    /// dates, since a game may rely on it.
    public var date: ArchivedDate?

    /// Creates a score.
    public init(name: String, score: Double, date: ArchivedDate? = nil) {
        (self.name, self.score, self.date) = (name, score, date)
    }

    init(_ record: ScoreRecord) {
        name = String(decoding: record.name, as: UTF16.self)
        score = record.score.rounded
        date = record.date?.seconds.map { ArchivedDate(secondsSince2001: $0) }
    }

    /// Returns the record to add to a table. A whole score becomes an integer.
    fileprivate func record(for table: ScoreTable, in view: ObjectView) throws(Problem) -> ScoreRecord {
        guard score.isFinite, name.utf16.count <= ScoreRecord.longestName else {
            throw Problem(
                "scores.entry",
                "expected a finite score, and a name of at most \(ScoreRecord.longestName) code units")
        }
        let number = Int128(exactly: score).map { Number.integer($0) } ?? .real(score)
        let seconds = date?.secondsSince2001
        let dates = table.records.lazy.compactMap(\.date)
        let isDate = if case .date? = dates.first?.stored { true } else { dates.isEmpty }
        let isRounded = isDate && view.archive == nil && view.document.has(.wholeSeconds)
        return ScoreRecord(
            name: Array(name.utf16), score: number,
            date: seconds.map { ScoreDate(isRounded ? $0.rounded(.down) : $0) })
    }
}

extension GameSave {
    /// Returns the high scores in the save, highest first. Equal scores are ordered by date, oldest first.
    ///
    /// The table is detected by its content: records with names and scores, pairs, or one score for each name; or a
    /// table of a database.
    ///
    /// - Throws: A problem if the save does not contain exactly one table, or if a record is malformed.
    public func highScores() throws(Problem) -> [HighScore] {
        let table = try ScoreSearch().table(in: view)
        return ScoreRanking(table.records).order.map { HighScore(table.records[$0]) }
    }

    /// Returns the save with a new score, added as games do.
    ///
    /// The score follows all equal scores of a sorted table; it is appended to any other. If the table then has more
    /// than `count` records, the worst ones are removed; 0 means no limit. Equal scores share a rank. A date
    /// is rounded down in XML and in the GNUstep format, which store dates in whole seconds.
    ///
    /// - Returns: The save and the rank of the score; nil if the table is full and the score does not beat the last
    ///   one, or if the table has one score for each name and the present score of the name is not worse.
    /// - Throws: A problem if the save does not contain exactly one table, if none of the types of its scores can hold
    ///   the score, or if the lowest score of a full table is first, so that it is unclear which one is the worst.
    public func adding(_ score: HighScore, keeping count: Int) throws(Problem) -> (save: GameSave, rank: Int)? {
        let table = try ScoreSearch().table(in: view)
        switch try table.adding(score.record(for: table, in: view), keep: max(count, 0), limits: limits) {
        case .refused: return nil
        case .entered(let entry): return (try edited(entry.edited), entry.rank)
        }
    }
}
