package import KeyedArchives
package import SaveCodec

/// The result of merging tables of high scores.
package struct ScoreMerge: Sendable {
    /// The edited save; nil if nothing changed.
    package let edited: ObjectView?
    /// The number of records.
    package let count: Int
    /// The number of records before the limit was applied.
    package let total: Int
    /// For each other table, the fields of its records that the save does not keep.
    package let losses: [[Problem]]
}

/// A problem with a record of one of the tables.
package struct ScoreMergeFault: Error {
    /// The index of the table; 0 for the table that receives the records.
    package let table: Int
    package let problem: Problem
}

extension ScoreTable {
    /// Merges other tables into this one, ranked by score. Records with equal name, score and date are kept once. Equal
    /// scores are ordered by date, oldest first, and otherwise in the order of the tables.
    ///
    /// A record of another save is imported unchanged if its table has the same fields and types. Otherwise a new
    /// record is made like the records of this table.
    ///
    /// - Parameters:
    ///   - keep: The maximum number of records; 0 for no limit.
    ///   - changesType: Whether scores whose type this table does not have are stored unconverted.
    package func merging(
        _ others: [ScoreTable], keep: Int, changesType: Bool = false, limits: Limits = Limits()
    ) throws(ScoreMergeFault) -> ScoreMerge {
        if isKeyedOtherwise {
            throw ScoreMergeFault(
                table: 0,
                problem: Problem(
                    "scores.keys", "the table is a dictionary whose keys are not names; no record can be added",
                    address: address))
        }
        let union = ScoreUnion([self] + others, order, hasUniqueNames: isKeyedByName)
        let ranking = ScoreRanking(union.members.map(\.record), order)
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
                // The error names a field of a record in this table. The report needs the field of the given record
                // instead.
                problem.address =
                    error.kind == .scoreFit ? JSONPointer(tokens: [others[number].fields.score].compactMap { $0 }) : nil
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

    /// Whether this table can hold a record of another table unchanged.
    private func takes(_ position: Int, of other: ScoreTable) -> Bool {
        guard fields == other.fields, (view.archive == nil) == (other.view.archive == nil), !records.isEmpty,
            !isKeyedByName, !other.isKeyedByName
        else { return false }
        let record = other.records[position]
        guard hasScores(ofTypeOf: record.score), hasTextScore(0) == other.hasTextScore(position) else { return false }
        return storesDates(like: other, position)
    }
}

extension ScoreDraft.Row {
    fileprivate func isPresent(at place: Int) -> Bool {
        if case .present(let position) = self { return position == place }
        return false
    }
}

/// The records of several tables, without duplicates in name, score and date.
private struct ScoreUnion {
    struct Member {
        let record: ScoreRecord
        let table: Int
        let position: Int
    }

    /// The records, in the order of the tables.
    private(set) var members: [Member] = []

    private struct Key: Hashable {
        let name: [UInt16]
        let score: ScoreKey
        let date: ScoreDate.Key?
    }

    /// The numeric value of a score, regardless of its type.
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

    /// - Parameter hasUniqueNames: Whether only the best score of each name is kept.
    init(_ tables: [ScoreTable], _ order: ScoreOrder, hasUniqueNames: Bool) {
        var known: Set<Key> = []
        for (number, table) in tables.enumerated() {
            for (position, record) in table.records.enumerated() {
                let key = Key(name: record.name, score: ScoreKey(record.score), date: record.date?.key)
                guard known.insert(key).inserted else { continue }
                members.append(Member(record: record, table: number, position: position))
            }
        }
        guard hasUniqueNames else { return }
        var names: Set<[UInt16]> = []
        let ranking = ScoreRanking(members.map(\.record), order)
        let best = Set(ranking.order.filter { names.insert(members[$0].record.name).inserted })
        members = members.indices.filter(best.contains).map { members[$0] }
    }
}
