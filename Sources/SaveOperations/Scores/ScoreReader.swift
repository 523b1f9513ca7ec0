import KeyedArchives
import SaveCodec

/// Reads the records of a table.
struct ScoreReader {
    /// Where the fields of a record are among its contents.
    struct Places {
        var name: Int?
        var score: Int?
        var date: Int?
        let contents: ViewContents
    }

    /// An object with more fields is no record. Many objects may share the list of their keys, and each is looked through.
    private static let mostFields = 100

    private let view: ObjectView
    private let fields: ScoreFields
    /// The names that have been read, by the stored string, which records may share.
    private var names: [ObjectID: [UInt16]] = [:]

    init(_ view: ObjectView, _ fields: ScoreFields) {
        self.view = view
        self.fields = fields
    }

    /// The places of the fields in an object or a dictionary; nil for any other value.
    func places(in id: ViewID) -> Places? {
        let stored = view.document.object(view.stored(id))
        // A collection whose pairs are numbered has two members for each.
        guard stored.kind == .dictionary, stored.count <= 2 * Self.mostFields + 1 else { return nil }
        let value = view[id]
        guard value.form.isKeyed, value.contents.count <= Self.mostFields else { return nil }
        var places = Places(contents: value.contents)
        for position in 0..<value.contents.count {
            guard let key = view.item(position, of: value.contents).key.flatMap(view.text) else { continue }
            set(\.name, fields.name, key, position, &places)
            set(\.score, fields.score, key, position, &places)
            if let date = fields.date { set(\.date, date, key, position, &places) }
        }
        return places
    }

    /// Notes the position of a field; of a repeated key the one that counts.
    private func set(
        _ place: WritableKeyPath<Places, Int?>, _ field: [UInt16], _ key: StoredString, _ position: Int,
        _ places: inout Places
    ) {
        guard places[keyPath: place] == nil || view.document.lastRepeatedKeyWins, key.elementsEqual(field) else {
            return
        }
        places[keyPath: place] = position
    }

    /// Whether a value has the fields that every record has.
    func isRecord(_ id: ViewID) -> Bool {
        guard let places = places(in: id) else { return false }
        return places.name != nil && places.score != nil
    }

    /// The record that a value is. Problems have their address within it.
    mutating func record(_ id: ViewID) throws(Problem) -> ScoreRecord {
        guard let places = places(in: id) else { throw .scoresElement(phrase(id), fields) }
        guard let name = places.name else { throw .scoresField(fields.name) }
        guard let score = places.score else { throw .scoresField(fields.score) }
        func value(_ position: Int) -> ViewID { view.item(position, of: places.contents).id }
        return ScoreRecord(
            name: try self.name(value(name)), score: try self.score(value(score)),
            date: try places.date.flatMap { position throws(Problem) in try self.date(value(position)) })
    }

    private mutating func name(_ id: ViewID) throws(Problem) -> [UInt16] {
        guard case .string(let text) = view.scalar(id) else {
            throw .scoresType(phrase(id), "a string", fields.name)
        }
        guard text.count <= ScoreRecord.longestName else { throw .scoresName(text.count, fields.name) }
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
        case .real64(let value): throw .scoresType(ScalarText.real(value), "a finite number", fields.score)
        case .real32(let value): throw .scoresType(ScalarText.real(value), "a finite number", fields.score)
        default: throw .scoresType(phrase(id), "a number", fields.score)
        }
    }

    private func date(_ id: ViewID) throws(Problem) -> Double? {
        switch view.scalar(id) {
        case .null: return nil
        case .date(let seconds) where seconds.isFinite: return seconds
        case .date(let seconds):
            throw .scoresType(ScalarText.real(seconds) + " seconds", "a date", fields.date ?? [])
        case .string(let text):
            if text.count <= 100, let seconds = ScalarText.seconds(ofDate: text) { return seconds }
            throw .scoresType("another string", "a date such as 2009-09-06T12:34:56Z", fields.date ?? [])
        default: throw .scoresType(phrase(id), "a date", fields.date ?? [])
        }
    }

    private func phrase(_ id: ViewID) -> String {
        view.scalar(id).map(TypePhrase.of) ?? TypePhrase.of(id, in: view)
    }
}
