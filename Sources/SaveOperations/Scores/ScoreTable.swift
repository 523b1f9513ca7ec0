import KeyedArchives
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
