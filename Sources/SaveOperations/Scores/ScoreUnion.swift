import SaveCodec

/// The records of several tables, those with the same name, score and date once.
struct ScoreUnion {
    /// A record, and which it is of which table.
    struct Member {
        let record: ScoreRecord
        let table: Int
        let position: Int
    }

    /// The records in the order of the tables.
    private(set) var members: [Member] = []

    private struct Key: Hashable {
        let name: [UInt16]
        let score: ScoreKey
        let date: Double?
    }

    /// A score as the number that it is, whatever its type.
    private enum ScoreKey: Hashable {
        case integer(Int128)
        case real(Double)

        init(_ score: Number) {
            switch score.normal {
            case .integer(let value): self = .integer(value)
            case .real(let value): self = .real(value)
            case .single(let value): self = .real(Double(value))
            }
        }
    }

    init(_ tables: [ScoreTable]) {
        var known: Set<Key> = []
        for (number, table) in tables.enumerated() {
            for (position, record) in table.records.enumerated() {
                let key = Key(name: record.name, score: ScoreKey(record.score), date: record.date)
                guard known.insert(key).inserted else { continue }
                members.append(Member(record: record, table: number, position: position))
            }
        }
    }
}
