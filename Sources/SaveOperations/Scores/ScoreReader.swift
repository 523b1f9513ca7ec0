import KeyedArchives
import SaveCodec

struct ScoreReader {
    /// The positions of a record's fields in its contents.
    struct Places {
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

    /// Returns the positions of the fields in an object or a dictionary; nil for any other value.
    func places(in id: ViewID) -> Places? {
        let stored = view.document.object(view.stored(id))
        // A collection with numbered keys has two stored members for each pair.
        guard stored.kind == .dictionary, stored.count <= 2 * Self.maxFields + 1 else { return nil }
        let value = view[id]
        guard value.variant.isKeyed, value.contents.count <= Self.maxFields else { return nil }
        var places = Places(contents: value.contents)
        for position in 0..<value.contents.count {
            guard let key = view.item(position, of: value.contents).key.flatMap(view.text) else { continue }
            note(key, at: position, as: \.name, named: fields.name, in: &places)
            note(key, at: position, as: \.score, named: fields.score, in: &places)
            if let date = fields.date { note(key, at: position, as: \.date, named: date, in: &places) }
        }
        return places
    }

    /// Records the position of a key if it is a field. For duplicate keys, records the effective one.
    private func note(
        _ key: StoredString, at position: Int, as place: WritableKeyPath<Places, Int?>, named field: [UInt16],
        in places: inout Places
    ) {
        guard places[keyPath: place] == nil || view.document.lastDuplicateWins, key.elementsEqual(field) else {
            return
        }
        places[keyPath: place] = position
    }

    /// Whether a value has the required fields of a record.
    func isRecord(_ id: ViewID) -> Bool {
        guard let places = places(in: id) else { return false }
        return places.name != nil && places.score != nil
    }

    /// Returns the record in a value.
    ///
    /// - Throws: A problem with an address inside the record.
    mutating func record(_ id: ViewID) throws(Problem) -> ScoreRecord {
        guard let places = places(in: id) else {
            throw Problem("scores.record", "found \(phrase(id)); expected a record with \(fields.shown)")
        }
        guard let name = places.name else { throw Self.missing(fields.name) }
        guard let score = places.score else { throw Self.missing(fields.score) }
        func value(_ position: Int) -> ViewID { view.item(position, of: places.contents).id }
        return ScoreRecord(
            name: try self.name(value(name)), score: try self.score(value(score)),
            date: try places.date.flatMap { position throws(Problem) in try self.date(value(position)) })
    }

    private mutating func name(_ id: ViewID) throws(Problem) -> [UInt16] {
        guard case .string(let text) = view.scalar(id) else {
            throw Self.typeProblem(phrase(id), expected: "a string", in: fields.name)
        }
        guard text.count <= ScoreRecord.longestName else {
            throw Problem(
                "scores.name",
                "a name of \(text.count) UTF-16 code units; expected at most \(ScoreRecord.longestName)",
                address: JSONPointer(tokens: [fields.name]))
        }
        let stored = view.storedScalar(of: id)
        if let stored, let known = names[stored] { return known }
        let name = Array(text)
        if let stored { names[stored] = name }
        return name
    }

    private func score(_ id: ViewID) throws(Problem) -> Number {
        switch view.scalar(id) {
        case .integer(let integer): return .integer(integer.value)
        case .real64(let value) where value.isFinite: return .real(value)
        case .real32(let value) where value.isFinite: return .single(value)
        case .real64(let value):
            throw Self.typeProblem(ScalarText.real(value), expected: "a finite number", in: fields.score)
        case .real32(let value):
            throw Self.typeProblem(ScalarText.real(value), expected: "a finite number", in: fields.score)
        case .string(let text):
            if let number = number(text) { return number }
            throw Self.typeProblem(phrase(id), expected: "a number", in: fields.score)
        default: throw Self.typeProblem(phrase(id), expected: "a number", in: fields.score)
        }
    }

    /// Returns the number in a text if all scalars of the format are text, as in OpenStep; nil otherwise.
    private func number(_ text: StoredString) -> Number? {
        view.hasTextScalars ? text.number : nil
    }

    private func date(_ id: ViewID) throws(Problem) -> Double? {
        switch view.scalar(id) {
        case .null: return nil
        case .date(let seconds) where seconds.isFinite: return seconds
        case .date(let seconds):
            throw Self.typeProblem(ScalarText.real(seconds) + " seconds", expected: "a date", in: fields.date ?? [])
        case .string(let text):
            if text.count <= 100, let seconds = ScalarText.seconds(ofDate: text) ?? databaseSeconds(text) {
                return seconds
            }
            throw Self.typeProblem(
                "another string", expected: "a date such as 2009-09-06T12:34:56Z", in: fields.date ?? [])
        default: throw Self.typeProblem(phrase(id), expected: "a date", in: fields.date ?? [])
        }
    }

    /// Returns the seconds of a database's date in UTC, in SQLite's own form, `2009-09-06 12:34:56` or `2009-09-06`;
    /// nil for any other text.
    private func databaseSeconds(_ text: StoredString) -> Double? {
        guard view.document.has(.database), text.count >= 10 else { return nil }
        var units = Array(text)
        if units.count == 10 { units += " 00:00:00".utf16 }
        guard units[10] == 0x20 else { return nil }
        units[10] = 0x54
        return ScalarText.seconds(ofDate: units + "Z".utf16)
    }

    // MARK: Problems

    private static func missing(_ field: [UInt16]) -> Problem {
        Problem("scores.field", "the record has no \(SafeText.escaping(field.prefix(80)))")
    }

    private static func typeProblem(_ found: String, expected: String, in field: [UInt16]) -> Problem {
        Problem("scores.type", "found \(found); expected \(expected)", address: JSONPointer(tokens: [field]))
    }

    private func phrase(_ id: ViewID) -> String {
        view.scalar(id).map(TypePhrase.of) ?? TypePhrase.of(id, in: view)
    }
}
