import SaveCodec

/// The order of the scores of a table.
package enum ScoreOrder: String, Sendable, CaseIterable {
    /// The highest score is the best.
    case highest
    /// The lowest score is the best, such as the shortest time.
    case lowest

    /// Whether a score is better than another one.
    func isBetter(_ a: Number, than b: Number) -> Bool {
        self == .highest ? b < a : a < b
    }
}

/// The order of high scores: best first. Equal scores are ordered by date, the older first. Scores without a readable
/// date follow in stored order.
///
///     scores   70 90 70 50        order   1 0 2 3        ranks   1 2 2 4
package struct ScoreRanking: Sendable {
    /// The positions of the records, best first.
    package let order: [Int]
    /// The rank of each record in ``order``. Equal scores share a rank.
    package let ranks: [Int]

    package init(_ records: [ScoreRecord], _ scoreOrder: ScoreOrder = .highest) {
        let order = records.indices.sorted { a, b in
            let (first, second) = (records[a], records[b])
            if scoreOrder.isBetter(first.score, than: second.score) { return true }
            if scoreOrder.isBetter(second.score, than: first.score) { return false }
            let dates = (first.date?.seconds ?? .infinity, second.date?.seconds ?? .infinity)
            return dates.0 == dates.1 ? a < b : dates.0 < dates.1
        }
        var ranks: [Int] = []
        ranks.reserveCapacity(order.count)
        for place in order.indices {
            let isTie = place > 0 && records[order[place]].score == records[order[place - 1]].score
            ranks.append(isTie ? ranks[place - 1] : place + 1)
        }
        (self.order, self.ranks) = (order, ranks)
    }
}

/// The order in which a table stores its records.
enum StoredScoreOrder {
    case bestFirst, bestLast, none

    init(_ records: [ScoreRecord], _ order: ScoreOrder) {
        var rises = false
        var falls = false
        for (record, next) in zip(records, records.dropFirst()) {
            if order.isBetter(next.score, than: record.score) { rises = true }
            if order.isBetter(record.score, than: next.score) { falls = true }
        }
        self = rises && falls ? .none : rises ? .bestLast : .bestFirst
    }
}
