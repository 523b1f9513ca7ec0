package import KeyedArchives
package import SaveCodec

/// A table of high scores in a save.
///
///     archive   $top ─ HighScores ─ [HighScoreRecord {Name, TotalScore, DateRecorded}, …]
///     plist     [{playerName, score, date}, …]
///     feed      [{player_name, total_score, created_at}, …]
package struct ScoreTable: Sendable {
    let view: ObjectView
    let form: ScoreTableFormat
    /// The address of the array, or of the table of a database.
    let address: JSONPointer
    /// The readable records, in stored order.
    package let records: [ScoreRecord]
    /// The problems of the unreadable records, with their addresses. If there are too many, the last problem counts the
    /// rest.
    package let unreadable: [Problem]
    /// The number of unreadable records.
    package let unreadableCount: Int
    let fields: ScoreFields
    let array: ViewID
    /// The elements of the array. Cached, since a lookup takes linear time.
    private let elements: ViewContents
    /// For each record, its position among the elements.
    private let positions: [Int]
    /// The positions of the first records whose scores are an integer, a 64-bit real, and a 32-bit real.
    let firstOfTypes: [Int]
    /// The position of the first record with a date.
    let firstDated: Int?

    /// Reads the records of an array. An element is unreadable if it is not a record or has a field of another type.
    init(_ array: ViewID, at address: JSONPointer, _ fields: ScoreFields, in view: ObjectView) {
        self.view = view
        self.address = address
        self.fields = fields
        self.array = array
        form = view.archive != nil ? .archive : fields == ScoreTableFormat.feed.fields ? .feed : .plist
        var reader = ScoreReader(view, fields)
        let elements = view[array].contents
        self.elements = elements
        var records: [ScoreRecord] = []
        var positions: [Int] = []
        var unreadable = LossList()
        records.reserveCapacity(elements.count)
        for position in 0..<elements.count {
            do throws(Problem) {
                records.append(try reader.record(view.item(position, of: elements).id))
                positions.append(position)
            } catch {
                unreadable.add { error.at(Self.address(of: position, in: elements, at: address, view)) }
            }
        }
        (self.records, self.positions) = (records, positions)
        unreadableCount = elements.count - records.count
        let rest = unreadable.rest
        let sentence = "\(Phrase.count(rest, "more record")) cannot be read"
        var more = Problem("scores.more", sentence, address: address)
        more.count = rest
        self.unreadable = unreadable.listed + (rest == 0 ? [] : [more])
        firstOfTypes = [Number.integer(0), .real(0), .single(0)].compactMap { type in
            records.firstIndex { $0.score.isOfType(of: type) }
        }
        firstDated = records.firstIndex { $0.date != nil }
    }

    func element(_ position: Int) -> ViewID {
        view.item(positions[position], of: elements).id
    }

    func address(of field: [UInt16], _ position: Int) -> JSONPointer {
        var address = self.address(of: position)
        address.append(key: field)
        return address
    }

    func address(of position: Int) -> JSONPointer {
        Self.address(of: positions[position], in: elements, at: address, view)
    }

    private static func address(
        of position: Int, in elements: ViewContents, at table: JSONPointer, _ view: ObjectView
    ) -> JSONPointer {
        var address = table
        let step = Outline.PathStep(key: view.item(position, of: elements).key, position: position)
        view.append(step, longest: .max, to: &address)
        return address
    }
}

extension Problem {
    /// Returns the problem of an element, or of a field of it, with its address in the save.
    func at(_ element: JSONPointer) -> Problem {
        var problem = self
        var place = element
        for token in address?.tokens ?? [] { place.append(key: token) }
        problem.address = place
        return problem
    }
}

extension ScoreTable {
    /// Returns the losses if only names, scores and dates are kept: other fields of the records, and values next to the
    /// table.
    package func conversionLosses() -> [Problem] {
        let beside = address.tokens.count > 1 || address.tokens.count == 1 && view[view.root].contents.count > 1
        return extraFields(of: records.indices)
            + (beside ? [Problem("scores.beside", "the result cannot hold the values next to the table")] : [])
    }

    /// Returns the distinct other fields of some records, with the number of records that have each.
    func extraFields(of positions: some Sequence<Int>) -> [Problem] {
        let reader = ScoreReader(view, fields)
        var numbers: [ViewID: Int] = [:]
        var numbersByName: [[UInt16]: Int] = [:]
        var counts: [(name: [UInt16], count: Int)] = []
        for position in positions {
            guard let places = reader.places(in: element(position)) else { continue }
            for place in 0..<places.contents.count
            where place != places.name && place != places.score && place != places.date {
                guard let key = view.item(place, of: places.contents).key else { continue }
                if numbers[key] == nil {
                    let name = view.text(key).map { Array($0.prefix(80)) } ?? []
                    numbers[key] = numbersByName[name] ?? counts.count
                    if numbersByName[name] == nil { counts.append((name, 0)) }
                    numbersByName[name] = numbers[key]
                }
                if let number = numbers[key] { counts[number].count += 1 }
            }
        }
        return counts.map { name, count in
            Problem(
                "scores.extra",
                "the result cannot hold the field \(SafeText.escaping(name)) of \(Phrase.count(count, "record"))")
        }
    }
}

// MARK: Records

/// A high score.
package struct ScoreRecord: Sendable {
    /// The name of the player, in UTF-16 code units.
    package let name: [UInt16]
    /// The score; always finite.
    package let score: Number
    /// The date of the score, in seconds since 2001-01-01T00:00:00Z; nil if it is unknown.
    package let date: Double?

    package init(name: [UInt16], score: Number, date: Double?) {
        self.name = name
        self.score = score
        self.date = date
    }

    /// The maximum length of a name in UTF-16 code units. Bounds the work for malicious files.
    package static let longestName = 1000
}

// MARK: Ranking

/// The order of high scores: descending by score, and stable for equal scores.
///
///     scores   70 90 70 50        order   1 0 2 3        ranks   1 2 2 4
package struct ScoreRanking: Sendable {
    /// The positions of the records, best first.
    package let order: [Int]
    /// The rank of each record in ``order``. Equal scores share a rank.
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

    /// Whether the records are in this order already.
    var isPresent: Bool {
        order.indices.allSatisfy { order[$0] == $0 }
    }
}

// MARK: Adding

/// The result of adding a score.
package enum ScoreAddition: Sendable {
    /// The table is full, and the score does not beat its last record, `last`.
    case refused(last: ScoreRecord)
    /// The score is in the table.
    case entered(ScoreEntry)
}

/// A table with a new score.
package struct ScoreEntry: Sendable {
    /// The edited save.
    package let edited: ObjectView
    /// The rank of the new score.
    package let rank: Int
    /// The number of records after the change.
    package let count: Int
    /// The number of removed records.
    package let dropped: Int
    /// Whether the records had to be sorted.
    package let isReordered: Bool
}

extension ScoreTable {
    /// Adds a score by the rule of the games: the table keeps a limited number of records in descending order. A new
    /// score enters if there is room or if it beats the last one, and is inserted after equal scores.
    ///
    /// - Parameters:
    ///   - keep: The maximum number of records; 0 for no limit.
    ///   - changesType: Whether the score is stored unconverted, in any type.
    /// - Throws: A problem if the table has no type that holds the score.
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

    /// Returns the index of a new score in the ranking: after all scores that are not lower.
    private func place(of score: Number, _ ranking: ScoreRanking) -> Int {
        ranking.order.firstIndex { records[$0].score < score } ?? ranking.order.count
    }

    private func rank(of score: Number, _ ranking: ScoreRanking, _ position: Int) -> Int {
        guard position > 0, records[ranking.order[position - 1]].score == score else { return position + 1 }
        return ranking.ranks[position - 1]
    }
}
