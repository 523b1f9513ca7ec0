import SaveCodec

/// The order of high scores: falling by score, and equal ones as they have arrived.
///
///     scores   70 90 70 50        order   1 0 2 3        ranks   1 2 2 4
package struct ScoreRanking: Sendable {
    /// The positions of the records, the best first.
    package let order: [Int]
    /// The rank of each place in ``order``. Equal scores share one.
    package let ranks: [Int]

    package init(_ records: [ScoreRecord]) {
        let order = records.indices.sorted { a, b in
            records[b].score < records[a].score || (!(records[a].score < records[b].score) && a < b)
        }
        var ranks: [Int] = []
        ranks.reserveCapacity(order.count)
        for place in order.indices {
            let isTie = place > 0 && records[order[place]].score == records[order[place - 1]].score
            ranks.append(isTie ? ranks[place - 1] : place + 1)
        }
        (self.order, self.ranks) = (order, ranks)
    }

    /// Whether the records stand in this order already.
    var isPresent: Bool {
        order.indices.allSatisfy { order[$0] == $0 }
    }
}
