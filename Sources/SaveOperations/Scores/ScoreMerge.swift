package import KeyedArchives
package import SaveCodec

/// A table with the records of others in it.
package struct ScoreMerge: Sendable {
    /// The save; nil if it is as it was.
    package let edited: ObjectView?
    /// How many records there are.
    package let count: Int
    /// How many there would be without a bound.
    package let total: Int
    /// Fields of records of each of the tables that the save does not take over.
    package let losses: [[Problem]]
}

/// A record that the save of another table cannot take.
package struct ScoreMergeFault: Error {
    /// Which of the tables it is in; 0 for the one that takes the others.
    package let table: Int
    package let problem: Problem
}

extension ScoreTable {
    /// The save with the records of other tables in it, ranked: the same name, score and date once, equal scores in the
    /// order of the tables.
    ///
    /// A record of another save is taken over as a whole if that has the same fields and types, and made like those of
    /// this one if not.
    ///
    /// - Parameters:
    ///   - keep: how many records there may be; 0 for any number.
    ///   - changesType: whether scores of other types than those of this table are stored as they are.
    package func merging(
        _ others: [ScoreTable], keep: Int, changesType: Bool = false, limits: Limits = Limits()
    ) throws(ScoreMergeFault) -> ScoreMerge {
        let union = ScoreUnion([self] + others)
        let ranking = ScoreRanking(union.members.map(\.record))
        let kept = ranking.order.prefix(keep == 0 ? Int.max : keep).map { union.members[$0] }
        var draft = ScoreDraft(self, changesType: changesType)
        var sources = others.map { _ in Int?.none }
        var made = others.map { _ in [Int]() }
        var rows: [ScoreDraft.Row] = []
        for member in kept {
            guard member.table > 0, case let number = member.table - 1 else {
                rows.append(.present(member.position))
                continue
            }
            do throws(Problem) {
                if takes(member.position, of: others[number]) {
                    rows.append(try draft.take(member.position, of: others[number], &sources[number]))
                } else {
                    made[number].append(member.position)
                    rows.append(try draft.make(member.record, near: 0))
                }
            } catch {
                var problem = error
                // It is of the record that is given, not of those here that are of another type.
                problem.address =
                    error.kind == .scoreFit ? JSONPointer(tokens: [others[number].fields.score]) : nil
                throw ScoreMergeFault(
                    table: member.table, problem: problem.at(others[number].address(of: member.position)))
            }
        }
        let isUnchanged = rows.count == records.count && rows.enumerated().allSatisfy { $1.isPresent(at: $0) }
        do throws(Problem) {
            try draft.arrange(rows)
            return ScoreMerge(
                edited: isUnchanged ? nil : try draft.finish(limits: limits), count: rows.count,
                total: union.members.count,
                losses: zip(others, made).map { $0.extraFields(of: $1) })
        } catch {
            throw ScoreMergeFault(table: 0, problem: error)
        }
    }

    /// Whether a record of another table can stand in this one as it is.
    private func takes(_ position: Int, of other: ScoreTable) -> Bool {
        guard fields == other.fields, (view.archive == nil) == (other.view.archive == nil), !records.isEmpty else {
            return false
        }
        let record = other.records[position]
        guard hasScores(ofTypeOf: record.score) else { return false }
        return record.date == nil || other.hasTextDate(position) == datesAreText
    }
}

extension ScoreDraft.Row {
    fileprivate func isPresent(at place: Int) -> Bool {
        if case .present(let position) = self { return position == place }
        return false
    }
}

/// The records of several tables, those with the same name, score and date once.
private struct ScoreUnion {
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
