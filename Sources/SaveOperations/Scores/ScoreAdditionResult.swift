package import KeyedArchives
package import SaveCodec

/// The result of adding a score.
package enum ScoreAdditionResult: Sendable {
    /// The table is full, and the score does not beat its worst record, `last`; or the table has one score for each
    /// name, and the present score of the name, `last`, is not worse.
    case refused(last: ScoreRecord)
    /// The score is in the table.
    case entered(ScoreInsertion)
}

/// A table with a new score.
package struct ScoreInsertion: Sendable {
    /// The edited save.
    package let edited: ObjectView
    /// The rank of the new score.
    package let rank: Int
    /// The number of records after the change.
    package let count: Int
    /// The number of removed records.
    package let dropped: Int
    /// The worst of the removed records; nil if none is removed.
    package let worstDropped: ScoreRecord?
    /// The address of the new record.
    package let address: JSONPointer
    /// The fields that all other records have and the new one lacks, except for the date.
    package let missingFields: [[UInt16]]
    /// The names of ``missingFields``, as a list for messages.
    package var missingFieldNames: String { Draft.list(missingFields) }
    /// Whether the table is not sorted by score, so that the new record is the last one.
    package let isAppended: Bool
    /// The positions that are null in a new record, if records are arrays. Only the game knows the values for these
    /// positions.
    package let unknownElements: [Int]
    /// Whether a name is given, but not stored because the records have no names.
    package let isNameless: Bool
}

extension ScoreTable {
    /// Adds a score as games do. A full table accepts it only if it beats the worst record, which is then removed. In a
    /// sorted table, the score follows all equal scores; in any other table, it is appended.
    ///
    /// - Parameters:
    ///   - keep: The maximum number of records; 0 for no limit.
    ///   - changesType: Whether the score is stored unconverted, in any type.
    /// - Throws: A problem if none of the table's number types can hold the score, if the table's spelling of dates is
    ///   unknown, or if it is unclear which record is the worst. In a table with names as keys, also a problem if the
    ///   name occurs several times or its value is not a score.
    package func adding(
        _ record: ScoreRecord, keep: Int, changesType: Bool = false, limits: Limits = Limits()
    ) throws(Problem) -> ScoreAdditionResult {
        guard !isKeyedOtherwise else {
            throw Problem(
                "scores.keys", "the table is a dictionary whose keys are not names; use savetool set for its records",
                address: address)
        }
        let record = withoutUnusualDate(record)
        let present = isKeyedByName ? records.firstIndex { $0.name == record.name } : nil
        if isKeyedByName { try checkKeys(named: record.name, present) }
        if let present, !order.isBetter(record.score, than: records[present].score) {
            return .refused(last: records[present])
        }
        let ranking = ScoreRanking(records, order)
        func stored(near record: Int, _ score: Number) throws(Problem) -> Number {
            changesType ? score : try fitted(score, near: record)
        }
        let before = place(of: try stored(near: 0, record.score), ranking) - 1
        let near = ranking.order.isEmpty ? 0 : ranking.order[max(before, 0)]
        let score = try stored(near: near, record.score)
        let place = place(of: score, ranking)
        let room = keep == 0 ? Int.max : keep
        let dropped = present == nil ? max(0, records.count + 1 - room) : 0
        if dropped > 0 { try checkOrder() }
        guard place < room else { return .refused(last: records[ranking.order[room - 1]]) }

        var draft = ScoreDraft(self, changesType: changesType)
        let made = try draft.make(record, near: near)
        let better = ranking.order.prefix(place)
        let rank = better.last.map { records[$0].score == score } ?? false ? ranking.ranks[place - 1] : place + 1
        let lost = Set(ranking.order.suffix(dropped) + (present.map { [$0] } ?? []))
        var rows = records.indices.filter { !lost.contains($0) }.map { ScoreDraft.Row.present($0) }
        let order = StoredScoreOrder(records, self.order)
        let index = (order == .none ? present : nil) ?? insertion(of: score, order, without: lost)
        let position = min(index, rows.count)
        rows.insert(made, at: position)
        try draft.arrange(rows)
        let missingFields = draft.missingFields
        let address = isKeyedByName ? address.appending(key: record.name) : address.appending(index: position)
        return .entered(
            ScoreInsertion(
                edited: try draft.finish(limits: limits), rank: rank, count: rows.count, dropped: dropped,
                worstDropped: dropped > 0 ? ranking.order.last.map { records[$0] } : nil, address: address,
                missingFields: missingFields,
                isAppended: order == .none && present == nil, unknownElements: unknownElements(near, record),
                isNameless: !hasNames && !record.name.isEmpty))
    }

    /// Checks that no pair has the name as its key, except the record at position `present`. Any other such pair is a
    /// duplicate, or its value is not a score.
    private func checkKeys(named name: [UInt16], _ present: Int?) throws(Problem) {
        let contents = view[array].contents
        let count = (0..<contents.count).count { position in
            view.item(position, of: contents).key.flatMap(view.text)?.elementsEqual(name) ?? false
        }
        guard count > (present == nil ? 0 : 1) else { return }
        throw Problem(
            "scores.keys",
            count > 1
                ? "the name occurs \(count) times; use savetool set to change its score"
                : "the value under this name is not a score; use savetool set to change it", address: address)
    }

    /// Checks that it is clear which record is the worst. A table with the lowest score first may be a list of times,
    /// in which the highest score is the worst.
    private func checkOrder() throws(Problem) {
        guard !isOrderGiven, !isKeyedByName, StoredScoreOrder(records, order) == .bestLast else { return }
        throw Problem(
            "scores.order",
            "the table is full, and its first score is the lowest; use --order lowest if that is the best, or else "
                + "--order highest", address: address)
    }

    /// Returns the index of a new score in the ranking: after all scores that are not worse.
    private func place(of score: Number, _ ranking: ScoreRanking) -> Int {
        ranking.order.firstIndex { order.isBetter(score, than: records[$0].score) } ?? ranking.order.count
    }

    /// Returns the index of a new score among the stored records that are kept.
    private func insertion(of score: Number, _ stored: StoredScoreOrder, without lost: Set<Int>) -> Int {
        let kept = records.indices.filter { !lost.contains($0) }
        let index =
            switch stored {
            case .bestFirst: kept.firstIndex { order.isBetter(score, than: records[$0].score) }
            case .bestLast: kept.firstIndex { !order.isBetter(score, than: records[$0].score) }
            case .none: Int?.none
            }
        return index ?? kept.count
    }

    private func unknownElements(_ position: Int, _ new: ScoreRecord) -> [Int] {
        guard !records.isEmpty, view.shortArray(element(position)) != nil,
            let fieldPositions = ScoreReader(view, fields).fieldPositions(in: element(position))
        else { return [] }
        let known = [fieldPositions.name, fieldPositions.score, new.date == nil ? nil : fieldPositions.date]
        return (0..<fieldPositions.contents.count).filter { !known.contains($0) }
    }
}

// MARK: Removing

extension ScoreTable {
    /// Removes records.
    ///
    /// - Parameter positions: The positions of the records.
    package func removing(_ positions: Set<Int>, limits: Limits = Limits()) throws(Problem) -> ObjectView {
        var draft = ScoreDraft(self, changesType: false)
        try draft.arrange(records.indices.filter { !positions.contains($0) }.map { .present($0) })
        return try draft.finish(limits: limits)
    }

    /// Returns the address of a record.
    package func recordAddress(_ position: Int) -> JSONPointer { address(of: position) }

    /// Whether records are equal in every field that they have.
    package func areEqual(_ positions: [Int]) -> Bool {
        guard let first = positions.first.map({ records[$0] }), extraFields(of: positions).isEmpty else { return false }
        return positions.allSatisfy { position in
            let record = records[position]
            return record.name == first.name && record.score == first.score && record.date?.key == first.date?.key
        }
    }
}
