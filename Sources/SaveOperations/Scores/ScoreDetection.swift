import KeyedArchives
import SaveCodec

/// A test of the first elements of a container: whether it can be read as a table of high scores, and with which
/// fields. Results are cached, since containers may be shared.
struct ScoreDetection {
    /// The kind of elements.
    enum Shape {
        /// `{"name": "Ada", "score": 5}`, in an array or in a dictionary.
        case records
        /// `["Ada", 5]`.
        case tuples
        /// `{"Ada": 5}`.
        case scoresOfNames
        /// `[5, 3]`.
        case numbers
    }

    /// A container that can be read as a table.
    struct Table {
        let shape: Shape
        /// The fields, or a problem if two are equally plausible.
        let fields: Result<ScoreFields, Problem>
        var isNamed = true
        var kind = ScoreWords.ScoreKind.score
        /// Whether an array has at least three numbers and they never rise.
        var isRanked = false
        /// Whether a key is a word for a quantity of the game.
        var hasQuantities = false
    }

    /// The kind of the values that share a parent with a container.
    enum Siblings {
        /// Only tables and empty containers.
        case tables
        /// Tables, empty containers and scalars.
        case tablesAndScalars
        case others
    }

    /// The maximum number of elements to examine in a container. The limit bounds the work if many containers share
    /// their elements.
    static let sampleSize = 100
    private static let maxFields = 100

    private let view: ObjectView
    private var tables: [ViewID: Table?] = [:]
    private var records: [ViewID: RecordFields?] = [:]
    private var knownSiblings: [Int: Siblings] = [:]
    private let candidates: [ScoreContainers.Candidate]

    init(_ view: ObjectView, _ candidates: [ScoreContainers.Candidate]) {
        self.view = view
        self.candidates = candidates
    }

    /// Returns the shape and the fields of a container that can be read as a table; nil for any other container.
    mutating func table(_ candidate: ScoreContainers.Candidate) -> Table? {
        if let known = tables[candidate.array] { return known }
        let contents = view[candidate.array].contents
        let table =
            recordTable(contents, isList: candidate.isList)
            ?? (candidate.isList ? TupleColumns(contents, in: view)?.table : nil)
            ?? numberTable(contents, isList: candidate.isList)
        tables[candidate.array] = .some(table)
        return table
    }

    /// Whether a container around this one is a table, so that this one is a part of a record.
    mutating func isInsideTable(_ candidate: ScoreContainers.Candidate) -> Bool {
        var parent = candidate.parent
        while let position = parent {
            if table(candidates[position]) != nil { return true }
            parent = candidates[position].parent
        }
        return false
    }

    /// Whether the container around this one is the only value in the root.
    func isOnlyGroup(around candidate: ScoreContainers.Candidate) -> Bool {
        guard candidate.depth == 2, let group = candidate.parent, let root = candidates[group].parent else {
            return false
        }
        return view[candidates[root].array].contents.count == 1
    }

    /// Returns the kind of the values that share a parent with a container.
    mutating func siblings(of candidate: ScoreContainers.Candidate) -> Siblings {
        guard let parent = candidate.parent else { return .others }
        if let known = knownSiblings[parent] { return known }
        let contents = view[candidates[parent].array].contents
        var siblings = Siblings.tables
        for position in 0..<contents.count {
            let id = view.item(position, of: contents).id
            guard let value = view.container(id) else {
                siblings = .tablesAndScalars
                continue
            }
            let isList = view.isList(id)
            let sibling = ScoreContainers.Candidate(
                address: .root, array: id, isList: isList, depth: 0, parent: nil)
            guard isList || value.variant.isKeyed, value.contents.count == 0 || table(sibling) != nil else {
                siblings = .others
                break
            }
        }
        knownSiblings[parent] = siblings
        return siblings
    }

    // MARK: Records

    /// The fields of a record, with the likelihood of each: a lower rank is likelier.
    private struct RecordFields {
        var name: (key: [UInt16], rank: Int)?
        var date: (key: [UInt16], rank: Int)?
        var score: (key: [UInt16], kind: ScoreWords.ScoreKind, rank: Int)?
        /// Another field that is as likely the score.
        var otherScore: [UInt16]?

        /// Takes the likelier fields of another record of the same table.
        mutating func join(_ other: RecordFields) {
            if let name = other.name, name.rank < self.name?.rank ?? .max { self.name = name }
            if let date = other.date, date.rank < self.date?.rank ?? .max { self.date = date }
            if let score = other.score { take(score.key, score.kind, rank: score.rank) }
            if let key = other.otherScore, let kind = other.score?.kind {
                take(key, kind, rank: other.score?.rank ?? 0)
            }
        }

        mutating func take(_ key: [UInt16], _ kind: ScoreWords.ScoreKind, rank: Int) {
            guard let known = score else { return score = (key, kind, rank) }
            guard known.key != key else { return }
            if (kind.rawValue, rank) < (known.kind.rawValue, known.rank) {
                (score, otherScore) = ((key, kind, rank), nil)
            } else if (kind.rawValue, rank) == (known.kind.rawValue, known.rank) {
                otherScore = otherScore ?? key
            }
        }
    }

    private mutating func recordTable(_ contents: ViewContents, isList: Bool) -> Table? {
        var fields: RecordFields?
        for position in 0..<min(contents.count, Self.sampleSize) {
            let id = view.item(position, of: contents).id
            guard !view.isNull(id) else { continue }
            let known = records[id] ?? recordFields(id)
            records[id] = .some(known)
            guard let known, known.score != nil else {
                // An element of an array that is not a record is an unreadable record. A member of a dictionary that is
                // not one shows that the dictionary is not a table.
                if isList { continue } else { return nil }
            }
            if fields == nil { fields = known } else { fields?.join(known) }
        }
        guard let fields, let score = fields.score else { return nil }
        // If no record has a date, the date of a new record gets a field with the same capitalization as the others.
        let isCapital = score.key.first.map { 0x41...0x5A ~= $0 } ?? false
        let date = fields.date?.key ?? Array((isCapital ? "Date" : "date").utf16)
        let read = ScoreFields(name: fields.name?.key, score: score.key, date: date)
        var problem: Problem?
        if let other = fields.otherScore {
            let found = [score.key, other].map { ScoreFields(name: read.name, score: $0, date: fields.date?.key) }
            problem = Self.ambiguous(found[0], found[1])
        }
        return Table(
            shape: .records, fields: problem.map { .failure($0) } ?? .success(read), isNamed: fields.name != nil,
            kind: score.kind)
    }

    private func recordFields(_ id: ViewID) -> RecordFields? {
        guard view.document.object(view.stored(id)).count <= 2 * Self.maxFields + 1, let value = view.container(id),
            value.variant.isKeyed, value.contents.count <= Self.maxFields
        else { return nil }
        var fields = RecordFields()
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let key = item.key.flatMap(view.text), let word = ScoreWords.normal(key),
                let node = view.scalar(item.id)
            else { continue }
            var isText = view.isNull(item.id)
            if case .string = node { isText = true }
            if isText, let rank = ScoreWords.nameRank(word), rank < fields.name?.rank ?? .max {
                fields.name = (Array(key), rank)
            } else if let (kind, rank) = ScoreWords.scoreRank(word), view.scoreNumber(item.id) != nil {
                fields.take(Array(key), kind, rank: rank)
            } else if let rank = ScoreWords.dateRank(word), rank < fields.date?.rank ?? .max {
                fields.date = (Array(key), rank)
            }
        }
        return fields
    }

    // MARK: Numbers

    /// Reads `{"Ada": 5, "Bob": 3}` or `[5, 3]`.
    private func numberTable(_ contents: ViewContents, isList: Bool) -> Table? {
        var table = Table(shape: isList ? .numbers : .scoresOfNames, fields: .success(.number), isNamed: !isList)
        var last: Number?
        table.isRanked = isList && contents.count >= 3
        for position in 0..<min(contents.count, Self.sampleSize) {
            let item = view.item(position, of: contents)
            if let key = item.key.flatMap(view.text), ScoreWords.isQuantity(key) { table.hasQuantities = true }
            if let number = view.scoreNumber(item.id) {
                if let last, last < number { table.isRanked = false }
                last = number
            } else {
                guard !isList, view.isNull(item.id) else { return nil }
            }
        }
        return last == nil ? nil : table
    }

    // MARK: Problems

    /// Returns a problem that names two readings of a table, each with the option that selects it.
    static func ambiguous(_ first: ScoreFields, _ second: ScoreFields) -> Problem {
        let options = [first, second].map { "--fields \(Shell.word($0.option) ?? "…")" }
        return Problem(
            "scores.ambiguous",
            "\(first.scoreShown) and \(second.scoreShown) could both be the score; choose with "
                + options.joined(separator: " or "))
    }
}

extension ScoreFields {
    fileprivate var scoreShown: String { SafeText.escaping((score ?? []).prefix(80)) }

    /// The argument of `--fields`.
    fileprivate var option: String {
        [("name", name), ("score", score), ("date", date)].compactMap { what, field in
            field.map { "\(what)=\(Phrase.name($0))" }
        }.joined(separator: ",")
    }
}

extension ScoreDetection {
    /// Returns the fields of a table; nil for other values, and if it is unclear which fields the table has.
    mutating func fields(of candidate: ScoreContainers.Candidate) -> ScoreFields? {
        try? table(candidate)?.fields.get(at: candidate.address)
    }
}

extension Result where Success == ScoreFields, Failure == Problem {
    /// Returns the fields.
    ///
    /// - Throws: The problem, with the address of the table.
    func get(at address: JSONPointer) throws(Problem) -> ScoreFields {
        switch self {
        case .success(let fields): return fields
        case .failure(let problem): throw problem.at(address)
        }
    }
}

// MARK: Tuples

/// The columns of a table whose records are arrays of equal length:
///
///     ["Ada", 62032]    [62032, "Ada"]    ["Ada", 62032, 3]    ["Ada", 62032, "2025-03-19"]    ["2025-03-19", 62032]
///
/// The name is a text that is not a date, and the score a number. If there are two numbers, the date is the one that
/// can be a time since 1970 in all records. If neither can, the score is the first number, unless that is doubtful (see
/// ``table``).
struct TupleColumns {
    private struct Column {
        /// Whether all values are numbers, or texts that spell one.
        var isNumber = true
        /// Whether all values are texts or null.
        var isText = true
        /// Whether all values other than null are dates.
        var isDate = true
        /// Whether the numbers never rise, and whether they change.
        var descends = true
        var changes = false
        var last: Number?

        /// Whether the numbers are in the order of high scores.
        var isRanked: Bool { isNumber && descends && changes }

        mutating func take(_ node: Node, _ number: Number?) {
            switch node {
            case .null: isNumber = false
            case .string(let text):
                if number == nil { isNumber = false }
                if DateSpelling.read(Array(text.prefix(64))) == nil { isDate = false }
            case .date: (isNumber, isText) = (false, true)
            default:
                isText = false
                if number.flatMap({ Epoch($0) }) == nil { isDate = false }
            }
            guard let number else { return }
            if let last {
                if last < number { descends = false }
                if !(last == number) { changes = true }
            }
            last = number
        }
    }

    private var columns: [Column] = []

    /// Reads the first elements; nil unless all are arrays of scalars and of equal length, from 2 to 4.
    init?(_ contents: ViewContents, in view: ObjectView) {
        guard contents.count > 0 else { return nil }
        for position in 0..<min(contents.count, ScoreDetection.sampleSize) {
            guard let record = view.shortArray(view.item(position, of: contents).id), 2...4 ~= record.count,
                columns.isEmpty || columns.count == record.count
            else { return nil }
            if columns.isEmpty { columns = Array(repeating: Column(), count: record.count) }
            for index in 0..<record.count {
                guard let node = view.scalar(view.item(index, of: record).id) else { return nil }
                columns[index].take(node, view.scoreNumber(view.item(index, of: record).id))
            }
        }
    }

    /// The table; nil if the columns have no score, or neither a name nor a date.
    var table: ScoreDetection.Table? {
        let numbers = columns.indices.filter { columns[$0].isNumber }
        let epochs = numbers.filter { columns[$0].isDate }
        let texts = columns.indices.filter { columns[$0].isText && !columns[$0].isNumber }
        let names = texts.filter { !columns[$0].isDate }
        let scores = epochs.count < numbers.count ? numbers.filter { !epochs.contains($0) } : numbers
        guard let name = names.first ?? texts.first, let score = scores.first else { return nil }
        // The first number is the score unless this is doubtful: if there are three numbers, if the name follows both,
        // or if only the second column is in the order of high scores.
        let other = scores.dropFirst().first
        let isAmbiguous = other.map { other in
            scores.count > 2 || name > other || (!columns[score].isRanked && columns[other].isRanked)
        }
        let isNamed = !names.isEmpty
        let date = texts.first { $0 != name || !isNamed } ?? (epochs.count < numbers.count ? epochs.first : nil)
        func fields(_ score: Int) -> ScoreFields {
            ScoreFields(name: isNamed ? "\(name)" : nil, score: "\(score)", date: date.map { "\($0)" })
        }
        guard isAmbiguous ?? false, let other else {
            return ScoreDetection.Table(shape: .tuples, fields: .success(fields(score)), isNamed: isNamed)
        }
        let problem = ScoreDetection.ambiguous(fields(score), fields(other))
        return ScoreDetection.Table(shape: .tuples, fields: .failure(problem), isNamed: isNamed)
    }
}
