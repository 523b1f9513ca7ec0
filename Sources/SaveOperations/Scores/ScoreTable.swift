import KeyedArchives
package import SaveCodec

/// A table of high scores in a save.
///
///     archive   $top ─ HighScores ─ [HighScoreRecord {Name, TotalScore, DateRecorded}, …]
///     plist     [{playerName, score, date}, …]
///     feed      [{player_name, total_score, created_at}, …]
///     others    [{name, score}, …], [["Ada", 5], …], {"Ada": 5, …}, {"first": {name, score}, …}
package struct ScoreTable: Sendable {
    let view: ObjectView
    let form: ScoreTableFormat
    /// The address of the array, or of the table of a database.
    package let address: JSONPointer
    /// The readable records, in stored order.
    package let records: [ScoreRecord]
    /// The problems of the unreadable records, with their addresses. If there are too many, the last problem counts the
    /// rest.
    package let unreadable: [Problem]
    /// The number of unreadable records.
    package let unreadableCount: Int
    package let fields: ScoreFields
    /// The order of the scores, if it was given.
    private let givenOrder: ScoreOrder?
    let array: ViewID
    private let isList: Bool
    /// The elements of the array. Cached, since a lookup takes linear time.
    private let elements: ViewContents
    /// For each record, its position among the elements.
    let positions: [Int]
    /// The positions of the first records whose scores are an integer, a 64-bit real, and a 32-bit real.
    let firstOfTypes: [Int]
    /// The position of the first record with a date.
    let firstDated: Int?
    /// If this table is empty, a table that shares its parent, such as the table of another level; otherwise an empty
    /// array.
    private var sibling: [ScoreTable] = []

    /// The order of the scores.
    package var order: ScoreOrder { givenOrder ?? .highest }
    /// Whether the order was given, rather than assumed.
    var isOrderGiven: Bool { givenOrder != nil }
    /// Whether the table is a dictionary whose keys are the names.
    package var isKeyedByName: Bool { !isList && fields.name == nil }
    /// Whether the table is a dictionary with other keys, such as `first`.
    var isKeyedOtherwise: Bool { !isList && fields.name != nil }
    /// Whether the records have names, in a field or as keys.
    package var hasNames: Bool { fields.name != nil || isKeyedByName }

    /// The table whose records are templates for new ones. For an empty table, this is its sibling, if it has one.
    var templates: ScoreTable { sibling.first ?? self }

    /// Reads the records of an array. An element is unreadable if it is not a record or has a field of another type.
    init(
        _ array: ViewID, at address: JSONPointer, _ fields: ScoreFields, order: ScoreOrder? = nil,
        in view: ObjectView
    ) {
        self.view = view
        givenOrder = order
        let isList = view.isList(array)
        self.isList = isList
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
        var unreadableCount = 0
        records.reserveCapacity(elements.count)
        for position in 0..<elements.count {
            let item = view.item(position, of: elements)
            if !isList, view.isNull(item.id) { continue }
            do throws(Problem) {
                records.append(try reader.record(item.id, key: isList ? nil : item.key.flatMap(view.text)))
                positions.append(position)
            } catch {
                unreadableCount += 1
                unreadable.add { error.at(Self.address(of: position, in: elements, at: address, view)) }
            }
        }
        (self.records, self.positions) = (records, positions)
        self.unreadableCount = unreadableCount
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

    /// Returns this empty table with another one as its sibling.
    func beside(_ other: ScoreTable) -> ScoreTable {
        var table = self
        table.sibling = [other]
        return table
    }

    func element(_ position: Int) -> ViewID {
        view.item(positions[position], of: elements).id
    }

    package func address(of field: [UInt16], _ position: Int) -> JSONPointer {
        address(of: position).appending(key: field)
    }

    func address(of position: Int) -> JSONPointer {
        Self.address(of: positions[position], in: elements, at: address, view)
    }

    private static func address(
        of position: Int, in elements: ViewContents, at table: JSONPointer, _ view: ObjectView
    ) -> JSONPointer {
        var address = table
        let step = PathStep(key: view.item(position, of: elements).key, position: position)
        view.append(step, longest: .max, to: &address)
        return address
    }
}

extension Problem {
    /// Returns the problem of an element, or of a field of it, with its address in the save.
    func at(_ element: JSONPointer) -> Problem {
        var problem = self
        var fieldAddress = element
        for token in address?.tokens ?? [] { fieldAddress.append(key: token) }
        problem.address = fieldAddress
        return problem
    }
}

extension ScoreTable {
    /// Returns the losses of a conversion that keeps only names, scores and dates: other fields of the records, and
    /// values next to the table.
    package func conversionLosses() -> [Problem] {
        let beside = address.tokens.count > 1 || address.tokens.count == 1 && view[view.root].contents.count > 1
        return extraFields(of: records.indices)
            + (beside ? [Problem("scores.beside", "the result cannot hold the values outside the table")] : [])
    }

    /// Returns the distinct other fields of some records, with the number of records that have each.
    func extraFields(of positions: some Sequence<Int>) -> [Problem] {
        let reader = ScoreReader(view, fields)
        var numbers: [ViewID: Int] = [:]
        var numbersByName: [[UInt16]: Int] = [:]
        var counts: [(name: [UInt16], count: Int)] = []
        for position in positions {
            guard let fieldPositions = reader.fieldPositions(in: element(position)) else { continue }
            for field in 0..<fieldPositions.contents.count
            where field != fieldPositions.name && field != fieldPositions.score && field != fieldPositions.date {
                // The elements of an array have no keys, and their positions are names.
                let item = view.item(field, of: fieldPositions.contents)
                let key = item.key ?? item.id
                if item.key == nil || numbers[key] == nil {
                    let name =
                        item.key.map { view.text($0).map { Array($0.prefix(80)) } ?? [] } ?? Array("\(field)".utf16)
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
    /// The name of the player, in UTF-16 code units; empty if the records have no names.
    package let name: [UInt16]
    /// The score; always finite.
    package let score: Number
    /// The date of the score; nil if it is unknown.
    package let date: ScoreDate?
    /// Whether the date is the present time, which is only stored if other records have dates.
    let isDateImplied: Bool

    package init(name: [UInt16], score: Number, date: ScoreDate?, isDateImplied: Bool = false) {
        self.name = name
        self.score = score
        self.date = date
        self.isDateImplied = isDateImplied
    }

    /// The maximum length of a name in UTF-16 code units. Bounds the work for malicious files.
    package static let longestName = 1000
}

// MARK: Forms

/// The three forms of high scores, see `Fixtures/README.md`.
package enum ScoreTableFormat: String, Sendable, CaseIterable {
    /// A keyed archive of HighScoreRecord objects.
    case archive
    /// A property list of dictionaries.
    case plist
    /// A property list from a leaderboard, with different field names.
    case feed

    var fields: ScoreFields {
        switch self {
        case .archive: ScoreFields(name: "Name", score: "TotalScore", date: "DateRecorded")
        case .plist: ScoreFields(name: "playerName", score: "score", date: "date")
        case .feed: ScoreFields(name: "player_name", score: "total_score", date: "created_at")
        }
    }

    /// The key of the table in an archive's `$top`.
    static let archiveKey = "HighScores"
    /// The class of the records in an archive of high scores.
    static let archiveClass = "HighScoreRecord"
}

/// The names of a record's fields, in UTF-16 code units. If records are arrays, the names are indices: `0`, `1`.
package struct ScoreFields: Sendable, Hashable {
    /// The field of the name; nil if records have none, or if the keys of a dictionary are the names.
    let name: [UInt16]?
    /// The field of the score; nil if the record is the score itself.
    package let score: [UInt16]?
    /// The field of the date; nil if records have none.
    package let date: [UInt16]?

    /// Creates field names.
    ///
    /// - Parameters:
    ///   - name: The field of the name; nil if records have none.
    ///   - date: The field of the date; nil if records have none.
    package init(name: String?, score: String, date: String?) {
        self.init(name: name.map { Array($0.utf16) }, score: Array(score.utf16), date: date.map { Array($0.utf16) })
    }

    init(name: [UInt16]?, score: [UInt16]?, date: [UInt16]?) {
        (self.name, self.score, self.date) = (name, score, date)
    }

    /// The fields of records that are the scores themselves.
    static let number = ScoreFields(name: nil, score: nil, date: nil)

    /// The names for messages, such as `Name and TotalScore`.
    var shown: String {
        [name, score].compactMap { $0 }.map { Phrase.name($0) }.joined(separator: " and ")
    }
}
