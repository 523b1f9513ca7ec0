public import KeyedArchives
public import SaveCodec

/// One high score.
public struct HighScore: Sendable, Hashable {
    /// The name of the player.
    public var name: String
    /// The score; beyond 2^53 the nearest that a `Double` can hold, whatever the save has.
    public var score: Double
    /// When it was reached, if that is known. Give one where the records of the table have dates, as games may count on it.
    public var date: ArchivedDate?

    /// Creates a score.
    public init(name: String, score: Double, date: ArchivedDate? = nil) {
        (self.name, self.score, self.date) = (name, score, date)
    }

    init(_ record: ScoreRecord) {
        name = String(decoding: record.name, as: UTF16.self)
        score =
            switch record.score {
            case .integer(let value): Double(value)
            case .real(let value): value
            case .single(let value): Double(value)
            }
        date = record.date.map { ArchivedDate(secondsSince2001: $0) }
    }

    /// The record that a table takes, whole numbers as such.
    fileprivate var record: ScoreRecord {
        get throws(Problem) {
            guard score.isFinite, name.utf16.count <= ScoreRecord.longestName else {
                throw Problem(
                    "scores.entry",
                    "expected a finite score, and a name of at most \(ScoreRecord.longestName) code units")
            }
            let number = Int128(exactly: score).map { Number.integer($0) } ?? .real(score)
            return ScoreRecord(name: Array(name.utf16), score: number, date: date?.secondsSince2001)
        }
    }
}

extension GameSave {
    /// The high scores in the save, the highest first, equal ones in its order. The table is found by its content: an
    /// array at the root or in one of its members, whose elements have names and scores.
    ///
    /// - Throws: a problem if there is no table, more than one, or one with a malformed record.
    public func highScores() throws(Problem) -> [HighScore] {
        let table = try ScoreSearch().table(in: view)
        return ScoreRanking(table.records).order.map { HighScore(table.records[$0]) }
    }

    /// The save with a new score, as games enter it: the table is put in order, the score stands behind those that it
    /// equals, and of more than `count` records, if that is not 0, the last are dropped. Equal scores share a rank.
    ///
    /// - Returns: the save and the rank of the score; nil if the table is full and the score does not beat the last.
    /// - Throws: a problem if there is no table, or the score is of another type than those in it.
    public func adding(_ score: HighScore, keeping count: Int) throws(Problem) -> (save: GameSave, rank: Int)? {
        let table = try ScoreSearch().table(in: view)
        switch try table.adding(score.record, keep: max(count, 0), limits: limits) {
        case .refused: return nil
        case .entered(let entry): return (try edited(entry.edited), entry.rank)
        }
    }
}
