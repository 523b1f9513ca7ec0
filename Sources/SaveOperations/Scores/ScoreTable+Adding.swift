package import KeyedArchives
package import SaveCodec

/// What comes of a new score.
package enum ScoreAddition: Sendable {
    /// The table is full, and the score does not beat the last that counts, which is this.
    case refused(last: ScoreRecord)
    /// The score is in the table.
    case entered(ScoreEntry)
}

/// A table with a new score in it.
package struct ScoreEntry: Sendable {
    /// The save.
    package let edited: ObjectView
    /// The rank of the new score.
    package let rank: Int
    /// How many records there are now.
    package let count: Int
    /// How many records have been dropped.
    package let dropped: Int
    /// Whether the records had to be put in order.
    package let isReordered: Bool
}

extension ScoreTable {
    /// The save with a new score, by the rule of the games: at most so many records, in falling order. A new score enters
    /// if there is room, or if it beats the last; it stands behind those that it equals.
    ///
    /// - Parameters:
    ///   - keep: how many records there may be; 0 for any number.
    ///   - changesType: whether the score stands as it was given, of whatever type.
    /// - Throws: a problem if the score is of another type than those of the table.
    package func adding(
        _ record: ScoreRecord, keep: Int, changesType: Bool = false, limits: Limits = Limits()
    ) throws(Problem) -> ScoreAddition {
        let ranking = ScoreRanking(records)
        func stored(near record: Int, _ score: Number) throws(Problem) -> Number {
            changesType ? score : try fitted(score, near: record)
        }
        let before = place(of: try stored(near: 0, record.score), ranking) - 1
        let near = ranking.order.isEmpty ? 0 : ranking.order[max(before, 0)]
        let score = try stored(near: near, record.score)
        let place = place(of: score, ranking)
        let room = keep == 0 ? Int.max : keep
        guard place < room else { return .refused(last: records[ranking.order[room - 1]]) }

        var draft = ScoreDraft(self, changesType: changesType)
        var rows = ranking.order.map { ScoreDraft.Row.present($0) }
        rows.insert(try draft.make(record, near: near), at: place)
        let dropped = max(0, rows.count - room)
        rows.removeLast(dropped)
        try draft.arrange(rows)
        return .entered(
            ScoreEntry(
                edited: try draft.finish(limits: limits), rank: rank(of: score, ranking, place), count: rows.count,
                dropped: dropped, isReordered: !ranking.isPresent))
    }

    /// The place that a score gets: behind those that are not lower.
    private func place(of score: Number, _ ranking: ScoreRanking) -> Int {
        ranking.order.firstIndex { records[$0].score < score } ?? ranking.order.count
    }

    private func rank(of score: Number, _ ranking: ScoreRanking, _ place: Int) -> Int {
        guard place > 0, records[ranking.order[place - 1]].score == score else { return place + 1 }
        return ranking.ranks[place - 1]
    }
}
