import SaveOperations

/// The records of a table as they are shown.
struct ScoreList {
    /// A record and its rank.
    struct Row {
        let rank: Int
        let record: ScoreRecord
    }

    let rows: [Row]

    /// The best records of a table in some order; those that are equal in it in the order of their ranks.
    init(_ records: [ScoreRecord], top: Int, _ order: ScoreListOrder) {
        let ranking = ScoreRanking(records)
        let best = zip(ranking.ranks, ranking.order).prefix(top).map { Row(rank: $0, record: records[$1]) }
        let keys = order.keys(of: best.map(\.record))
        rows = best.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { best[$0] }
    }
}

/// What a table is sorted by when it is shown.
enum ScoreListOrder: String, CaseIterable {
    case rank, name, date

    /// What each record is sorted by.
    fileprivate func keys(of records: [ScoreRecord]) -> [Double] {
        switch self {
        case .rank: records.map { _ in 0 }
        case .name: Self.places(of: records.map(\.name))
        case .date: records.map { $0.date.map { -$0 } ?? .infinity }
        }
    }

    /// The place of each name among all, in the order of their UTF-16 code units. Many long names may be the same, so each
    /// is compared once.
    private static func places(of names: [[UInt16]]) -> [Double] {
        var places: [[UInt16]: Double] = [:]
        for (place, name) in Set(names).sorted(by: { $0.lexicographicallyPrecedes($1) }).enumerated() {
            places[name] = Double(place)
        }
        return names.map { places[$0] ?? 0 }
    }
}
