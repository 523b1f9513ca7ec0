package import KeyedArchives
package import SaveCodec

/// A table of high scores in a save: where it is, and the records in it.
///
///     archive   $top ─ HighScores ─ [HighScoreRecord {Name, TotalScore, DateRecorded}, …]
///     plist     [{playerName, score, date}, …]
///     feed      [{player_name, total_score, created_at}, …]
package struct ScoreTable: Sendable {
    /// The save.
    let view: ObjectView
    /// What kind of table it is.
    let form: ScoreForm
    /// Where the records are: the address of an array, or of a table of a database.
    let address: JSONPointer
    /// The records in the order of the save, without those that cannot be read.
    package let records: [ScoreRecord]
    /// Why the others cannot be read, with their addresses; of very many the last tells how many more there are.
    package let unreadable: [Problem]
    /// How many cannot be read.
    package let unreadableCount: Int
    /// What the fields of its records are called.
    let fields: ScoreFields
    /// The array.
    let array: ViewID
    /// Its elements. To look them up anew takes as long as there are many.
    private let elements: ViewContents
    /// The positions of the records among the elements.
    private let positions: [Int]
    /// The positions of the first records whose scores are an integer, a real, and a real of four bytes.
    let firstOfTypes: [Int]
    /// The position of the first record with a date.
    let firstDated: Int?

    /// Reads the records of an array. An element that is no record, or has a field of another type, is unreadable.
    init(_ array: ViewID, at address: JSONPointer, _ fields: ScoreFields, in view: ObjectView) {
        self.view = view
        self.address = address
        self.fields = fields
        self.array = array
        form = view.archive != nil ? .archive : fields == ScoreForm.feed.fields ? .feed : .plist
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

    /// The element that a record is read from.
    func element(_ position: Int) -> ViewID {
        view.item(positions[position], of: elements).id
    }

    /// The address of a field of a record.
    func address(of field: [UInt16], _ position: Int) -> JSONPointer {
        var address = self.address(of: position)
        address.append(key: field)
        return address
    }

    /// The address of a record.
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
    /// The problem of an element, or of a field of it, with the address that it has in the save.
    func at(_ element: JSONPointer) -> Problem {
        var problem = self
        var place = element
        for token in address?.tokens ?? [] { place.append(key: token) }
        problem.address = place
        return problem
    }
}

extension ScoreTable {
    /// What is in the save and is not kept where only names, scores and dates are: further fields of the records, and what
    /// stands beside the table.
    package func leftOut() -> [Problem] {
        let beside = address.tokens.count > 1 || address.tokens.count == 1 && view[view.root].contents.count > 1
        return extraFields(of: records.indices)
            + (beside ? [Problem("scores.beside", "what stands beside the table, for which there is no place")] : [])
    }

    /// The further fields of some records, each once, with how many records have it.
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
                "the field \(SafeText.escaping(name)) of \(Phrase.count(count, "record")), for which there is no place")
        }
    }
}

// MARK: Records

/// One high score.
package struct ScoreRecord: Sendable {
    /// The name of the player, in UTF-16 code units.
    package let name: [UInt16]
    /// The score, which is finite.
    package let score: Number
    /// When it was reached, in seconds since 2001-01-01T00:00:00Z, if that is known.
    package let date: Double?

    /// Creates a record.
    package init(name: [UInt16], score: Number, date: Double?) {
        self.name = name
        self.score = score
        self.date = date
    }

    /// Names are not longer than so many UTF-16 code units, so that no file can ask for more work than its size is worth.
    package static let longestName = 1000
}

// MARK: Ranking

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

// MARK: Adding

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
