import KeyedArchives
import SaveCodec

/// A reader of the records of a table of high scores.
struct ScoreReader {
    /// The positions of a record's fields in its contents.
    struct FieldPositions {
        var name: Int?
        var score: Int?
        var date: Int?
        let contents: ViewContents
    }

    /// The maximum number of fields of a record. The limit bounds the work if many objects share a long list of keys.
    private static let maxFields = 100

    private let view: ObjectView
    private let fields: ScoreFields
    /// The names that were read, by their stored strings, which records may share.
    private var names: [ObjectID: [UInt16]] = [:]

    init(_ view: ObjectView, _ fields: ScoreFields) {
        self.view = view
        self.fields = fields
    }

    /// Returns the positions of the fields in an object, a dictionary or an array; nil for any other value.
    func fieldPositions(in id: ViewID) -> FieldPositions? {
        if let array = view.shortArray(id), let score = fields.score, Self.index(score) != nil {
            return fieldPositions(inArray: array)
        }
        let stored = view.document.object(view.stored(id))
        // A collection with numbered keys has two stored members for each pair.
        guard stored.kind == .dictionary, stored.count <= 2 * Self.maxFields + 1 else { return nil }
        let value = view[id]
        guard value.variant.isKeyed, value.contents.count <= Self.maxFields else { return nil }
        var fieldPositions = FieldPositions(contents: value.contents)
        for position in 0..<value.contents.count {
            guard let key = view.item(position, of: value.contents).key.flatMap(view.text) else { continue }
            if let name = fields.name { note(key, at: position, as: \.name, named: name, in: &fieldPositions) }
            if let score = fields.score { note(key, at: position, as: \.score, named: score, in: &fieldPositions) }
            if let date = fields.date { note(key, at: position, as: \.date, named: date, in: &fieldPositions) }
        }
        return fieldPositions
    }

    /// Returns the positions of the fields in an array, whose names are indices.
    private func fieldPositions(inArray contents: ViewContents) -> FieldPositions {
        func index(_ field: [UInt16]?) -> Int? {
            field.flatMap(Self.index).flatMap { 0..<contents.count ~= $0 ? $0 : nil }
        }
        return FieldPositions(
            name: index(fields.name), score: index(fields.score), date: index(fields.date), contents: contents)
    }

    /// Returns the index that a field name such as `0` or `1` represents, if records are arrays; nil for any other
    /// name.
    private static func index(_ field: [UInt16]) -> Int? {
        field.count < 3 ? Int(String(decoding: field, as: UTF16.self)) : nil
    }

    /// Records the position of a key if it is a field. For duplicate keys, records the effective one.
    private func note(
        _ key: StoredString, at position: Int, as field: WritableKeyPath<FieldPositions, Int?>, named name: [UInt16],
        in fieldPositions: inout FieldPositions
    ) {
        guard fieldPositions[keyPath: field] == nil || view.document.lastDuplicateWins, key.elementsEqual(name) else {
            return
        }
        fieldPositions[keyPath: field] = position
    }

    /// Whether a value has the required fields of a record.
    func isRecord(_ id: ViewID) -> Bool {
        guard fields.score != nil else { return view.scoreNumber(id) != nil }
        guard let fieldPositions = fieldPositions(in: id) else { return false }
        return (fieldPositions.name != nil || fields.name == nil) && fieldPositions.score != nil
    }

    /// Returns the record in a value.
    ///
    /// - Parameter key: The key of the record, if the table is a dictionary. If records have no name, the key is the
    ///   name.
    /// - Throws: A problem with an address inside the record.
    mutating func record(_ id: ViewID, key: StoredString? = nil) throws(Problem) -> ScoreRecord {
        let keyName = fields.name == nil ? try key.map { text throws(Problem) in try name(text, nil) } ?? [] : []
        guard fields.score != nil else { return ScoreRecord(name: keyName, score: try score(id), date: nil) }
        guard let fieldPositions = fieldPositions(in: id) else {
            throw Problem("scores.record", "found \(phrase(id)); expected a record with \(fields.shown)")
        }
        guard let score = fieldPositions.score else { throw Self.missing(fields.score ?? []) }
        func value(_ position: Int) -> ViewID { view.item(position, of: fieldPositions.contents).id }
        return ScoreRecord(
            name: try fieldPositions.name.map { position throws(Problem) in try self.name(value(position)) } ?? keyName,
            score: try self.score(value(score)),
            date: try fieldPositions.date.flatMap { position throws(Problem) in try self.date(value(position)) })
    }

    private mutating func name(_ id: ViewID) throws(Problem) -> [UInt16] {
        switch view.scalar(id) {
        case .null: return []
        case .string(let text): return try name(text, view.storedScalar(of: id))
        default: throw Self.typeProblem(phrase(id), expected: "a string", in: fields.name)
        }
    }

    private mutating func name(_ text: StoredString, _ stored: ObjectID?) throws(Problem) -> [UInt16] {
        guard text.count <= ScoreRecord.longestName else {
            throw Problem(
                "scores.name",
                "a name of \(Phrase.count(text.count, "UTF-16 code unit")); expected at most \(CountText.of(ScoreRecord.longestName))",
                address: fields.name.map { JSONPointer(tokens: [$0]) })
        }
        if let stored, let known = names[stored] { return known }
        let name = Array(text)
        if let stored { names[stored] = name }
        return name
    }

    private func score(_ id: ViewID) throws(Problem) -> Number {
        if let number = view.scoreNumber(id) { return number }
        switch view.scalar(id) {
        case .real64(let value):
            throw Self.typeProblem(ScalarText.real(value), expected: "a finite number", in: fields.score)
        case .real32(let value):
            throw Self.typeProblem(ScalarText.real(value), expected: "a finite number", in: fields.score)
        default: throw Self.typeProblem(phrase(id), expected: "a number", in: fields.score)
        }
    }

    private func date(_ id: ViewID) throws(Problem) -> ScoreDate? {
        switch view.scalar(id) {
        case .null: return nil
        // Some games store the parts of a date in a dictionary. It is ignored, because a list of scores cannot show it.
        case nil where view.archive == nil: return nil
        case .date(let seconds) where seconds.isFinite: return ScoreDate(seconds)
        case .date(let seconds):
            throw Self.typeProblem(ScalarText.real(seconds) + " seconds", expected: "a date", in: fields.date)
        case .string(let text):
            guard text.count <= ScoreRecord.longestName else {
                throw Self.typeProblem(
                    "a string of \(text.count) UTF-16 code units", expected: "a date", in: fields.date)
            }
            return ScoreDate(Array(text))
        default:
            guard let number = view.scoreNumber(id) else {
                throw Self.typeProblem(phrase(id), expected: "a date", in: fields.date)
            }
            return ScoreDate(number)
        }
    }

    // MARK: Problems

    private static func missing(_ field: [UInt16]) -> Problem {
        Problem("scores.field", "the record has no \(Phrase.name(field))")
    }

    private static func typeProblem(_ found: String, expected: String, in field: [UInt16]?) -> Problem {
        Problem(
            "scores.type", "found \(found); expected \(expected)", address: field.map { JSONPointer(tokens: [$0]) })
    }

    private func phrase(_ id: ViewID) -> String {
        view.scalar(id).map(TypePhrase.of) ?? TypePhrase.of(id, in: view)
    }
}

extension ObjectView {
    /// Returns the finite number of a scalar, also of a string that spells one; nil for any other value.
    func scoreNumber(_ id: ViewID) -> Number? {
        guard let scalar = scalar(id) else { return nil }
        if case .string(let text) = scalar { return text.number }
        return Number(scalar).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the elements of an array that may be a record: a pair, a triple or a little more; nil for any other
    /// value.
    func shortArray(_ id: ViewID) -> ViewContents? {
        guard document.object(stored(id)).kind != .dictionary, let value = container(id), case .array = value.variant,
            value.contents.count <= Self.longestRecord
        else { return nil }
        return value.contents
    }

    /// The maximum number of elements of a record that is an array.
    private static let longestRecord = 8
}
