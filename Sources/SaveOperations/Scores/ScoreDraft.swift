import KeyedArchives
import SaveCodec

/// Changes the records of a table, and makes new ones as those that are there are made: class, fields and their order,
/// types, what stands in place and what is an object.
struct ScoreDraft: ~Copyable {
    /// A place in the table that is to be.
    enum Row {
        /// A record of the table, by its position.
        case present(Int)
        /// A value of the draft.
        case new(Draft.ID)
    }

    /// A field of a record that is there.
    private struct Sample {
        /// Where in the record it is.
        let order: Int
        let key: Draft.ID
        let value: ViewID
        let isNull: Bool
        let isInPlace: Bool
    }

    /// A field of a record that is made.
    private struct Field {
        let order: Int
        let key: Draft.ID
        let value: Draft.ID
        let isInPlace: Bool
    }

    let table: ScoreTable
    private(set) var draft: Draft
    private let array: Draft.ID
    private let reader: ScoreReader

    init(_ table: ScoreTable) {
        self.table = table
        draft = Draft(table.view)
        array = draft.id(of: table.array)
        reader = ScoreReader(table.view, table.fields)
    }

    consuming func finish(limits: Limits) throws(Problem) -> Document {
        try draft.finish(limits: limits)
    }

    // MARK: Records

    /// Takes a record of another table over as it is, with all that it refers to.
    ///
    /// - Parameter source: the number that the draft knows the other save by, once it has one.
    mutating func take(_ position: Int, of other: ScoreTable, _ source: inout Int?) throws(Problem) -> Draft.ID {
        let number = source ?? draft.addSource(other.view)
        source = number
        return try draft.importValue(other.element(position), of: number)
    }

    /// Makes a record with a score of any type.
    ///
    /// - Parameter template: the position of the record that it is made like, if the table has any.
    mutating func make(_ record: ScoreRecord, near template: Int) throws(Problem) -> Draft.ID {
        let score = try table.fitted(record.score, near: template)
        return try make(
            ScoreRecord(name: record.name, score: score, date: record.date),
            like: table.records.isEmpty ? nil : template)
    }

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - record: one whose score is such as the table has them, see ``ScoreTable/fitted(_:like:)``.
    ///   - template: the position of the record that it is made like; nil where the table has none.
    mutating func make(_ record: ScoreRecord, like template: Int?) throws(Problem) -> Draft.ID {
        let container = try container(like: template)
        let score = template.map { table.scoreSample(of: record.score, near: $0) }
        var fields = [
            field(table.fields.name, like: template, or: nil) { $0.add(utf16: record.name.span) },
            field(table.fields.score, like: score, or: nil) { $0.add(record.score) },
        ]
        if let seconds = record.date, let name = table.fields.date {
            fields.append(try date(seconds, under: name, like: template))
        }
        for (position, field) in fields.sorted(by: { $0.order < $1.order }).enumerated() {
            draft.insert(field.value, key: field.key, at: position, of: container, inPlace: field.isInPlace)
        }
        return container
    }

    private mutating func container(like template: Int?) throws(Problem) -> Draft.ID {
        if let template {
            let element = table.element(template)
            return try draft.add(table.view[element].form, class: draft.classOf(draft.id(of: element)))
        }
        guard table.view.archive != nil else { return try draft.add(.dictionary) }
        return try draft.add(.object, class: draft.classNamed(Array(ScoreForm.archiveClass.utf16)))
    }

    /// A date as the others of the table are stored: in JSON, which has none, it may be a string.
    private mutating func date(_ seconds: Double, under name: [UInt16], like template: Int?) throws(Problem) -> Field {
        let dated = template.map { table.records[$0].date == nil } ?? true ? table.firstDated : template
        guard dated.map(table.hasTextDate) ?? table.datesAreText else {
            return field(name, like: template, or: dated) { $0.add(date: seconds, shared: false) }
        }
        guard let text = ScalarText.date(seconds) else {
            throw Problem(
                "scores.date", "a date of \(ScalarText.real(seconds)) seconds since 2001, which no text tells exactly")
        }
        return field(name, like: template, or: dated) { $0.add(string: text) }
    }

    /// A field whose value `add` adds to a builder, stored as the record `template` has it, or if that has none there as
    /// another one.
    private mutating func field(
        _ name: [UInt16], like template: Int?, or other: Int?, _ add: (inout DocumentBuilder) -> Void
    ) -> Field {
        let own = sample(name, of: template)
        let model = if let own, !own.isNull { own } else { sample(name, of: other) }
        var value = draft.add(add)
        if let model, let className = draft.classOf(draft.id(of: model.value)) {
            value = draft.add(value, as: className)
        }
        let key = (own ?? model)?.key ?? draft.add(string: name)
        return Field(
            order: own?.order ?? Int.max, key: key, value: value, isInPlace: model?.isInPlace ?? isPlain(template))
    }

    /// Whether a record is a dictionary without a class, which in an archive may be where nothing can be referred to.
    private mutating func isPlain(_ record: Int?) -> Bool {
        guard let record else { return false }
        return draft.classOf(draft.id(of: table.element(record))) == nil
    }

    private mutating func sample(_ field: [UInt16], of record: Int?) -> Sample? {
        guard let record else { return nil }
        let element = table.element(record)
        guard let places = reader.places(in: element) else { return nil }
        let place =
            field == table.fields.name ? places.name : field == table.fields.score ? places.score : places.date
        guard let place, let item = draft.item(place, of: draft.id(of: element)), let key = item.key else { return nil }
        let value = table.view.item(place, of: places.contents).id
        var isNull = false
        if case .null = table.view.scalar(value) { isNull = true }
        return Sample(order: place, key: key, value: value, isNull: isNull, isInPlace: item.isInPlace)
    }

    // MARK: The table

    /// Makes the table consist of these rows. Records that are not among them are removed.
    mutating func arrange(_ rows: [Row]) {
        let present = rows.compactMap { row -> Int? in
            if case .present(let position) = row { return position }
            return nil
        }
        let items = (0..<table.records.count).map { draft.item($0, of: array) }
        let isRising = zip(present, present.dropFirst()).allSatisfy { $0 < $1 }
        let kept = isRising ? Set(present) : []
        for position in items.indices.reversed() where !kept.contains(position) {
            draft.remove(at: position, of: array)
        }
        for (place, row) in rows.enumerated() {
            switch row {
            case .present(let position):
                guard !isRising, let item = items[position] else { continue }
                draft.insert(item.value, at: place, of: array, inPlace: item.isInPlace)
            case .new(let id):
                draft.insert(id, at: place, of: array, inPlace: items.first??.isInPlace ?? false)
            }
        }
    }
}
