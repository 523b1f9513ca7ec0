import KeyedArchives
import SaveCodec

/// A draft of a table of high scores. New records are stored like present ones: same class, fields and order, types,
/// and storage in place or as an object. ``ValueReader`` reads a new record as it reads the values of `set`, with a
/// present record as the template.
struct ScoreDraft: ~Copyable {
    enum Row {
        /// A record of the table, by its position.
        case present(Int)
        /// A record of another table.
        case taken(Draft.ID)
        /// A new record, by its number.
        case made(Int)
    }

    private struct NewRecord {
        let record: ScoreRecord
        /// The field of the date, and the date in the table's spelling; nil for a record without a date.
        let date: (field: [UInt16], stored: ScoreDate.Stored)?
        /// Whether the table stores scores as strings.
        let isTextScore: Bool
        /// The record of ``ScoreDraft/model`` that is the template, by its position; nil if that table has no records.
        let model: Int?
    }

    let table: ScoreTable
    /// The table with the templates, see ``ScoreTable/templates``.
    private let model: ScoreTable
    /// Whether a score whose type the table does not have is stored unconverted.
    private let changesType: Bool
    private var draft: Draft
    private let array: Draft.ID
    private var new: [NewRecord] = []
    /// The fields that all other records have and the first new record lacks, except for the date. Known after
    /// ``arrange(_:)``.
    private(set) var missingFields: [[UInt16]] = []

    init(_ table: ScoreTable, changesType: Bool) {
        self.table = table
        model = table.templates
        self.changesType = changesType
        draft = Draft(table.view)
        array = draft.id(of: table.array)
    }

    consuming func finish(limits: Limits) throws(Problem) -> ObjectView {
        try draft.editedView(limits: limits)
    }

    // MARK: Records

    /// Imports a record of another table unchanged, with everything that it refers to.
    ///
    /// - Parameter source: The number of the other save among the sources of the draft; nil to add it.
    mutating func take(_ position: Int, of other: ScoreTable, _ source: inout Int?) throws(Problem) -> Row {
        let number = source ?? draft.addSource(other.view)
        source = number
        return .taken(try draft.importValue(other.element(position), of: number))
    }

    /// Adds a new record.
    ///
    /// - Parameter near: The position of the preferred template.
    /// - Throws: A problem if the table cannot store the score or the date.
    mutating func make(_ record: ScoreRecord, near position: Int) throws(Problem) -> Row {
        let score = changesType ? record.score : try model.fitted(record.score, near: position)
        let template =
            model.records.isEmpty ? nil : model.model(score, hasDate: record.date != nil, near: position)
        if record.date != nil, table.fields.date == nil, areTuples || table.fields.score == nil {
            throw Problem("scores.date", "the records have no date; use --date none", address: table.address)
        }
        let date = try record.date.flatMap { date throws(Problem) in
            try table.fields.date.map { field throws(Problem) in (field, try model.stored(date, like: template)) }
        }
        let fitted = ScoreRecord(name: record.name, score: score, date: record.date)
        let isTextScore = template.map { table.view.document.has(.textDates) && model.hasTextScore($0) } ?? false
        new.append(NewRecord(record: fitted, date: date, isTextScore: isTextScore, model: template))
        return .made(new.count - 1)
    }

    /// Whether the records are arrays.
    private var areTuples: Bool {
        !model.records.isEmpty && table.view.shortArray(model.element(0)) != nil
    }

    /// Adds a record that is a score or an array.
    private mutating func addPlain(_ new: NewRecord, to given: inout DocumentBuilder) {
        let fields = table.fields
        func addScore(_ given: inout DocumentBuilder) {
            if new.isTextScore { given.add(string: "\(new.record.score)") } else { given.add(new.record.score) }
        }
        guard fields.score != nil else { return addScore(&given) }
        let count = new.model.flatMap { table.view.shortArray(model.element($0)) }?.count ?? 0
        given.open(.array)
        for index in 0..<count {
            let name = Array("\(index)".utf16)
            if name == fields.score {
                addScore(&given)
            } else if name == fields.name {
                given.add(utf16: new.record.name.span)
            } else if name == fields.date, let date = new.date {
                given.add(date.stored, seconds: new.record.date?.seconds)
            } else {
                given.addNull()
            }
        }
        given.close()
    }

    /// Adds a record to the given values: an object of graph JSON in an archive, and otherwise a dictionary.
    private mutating func add(_ new: NewRecord, to given: inout DocumentBuilder) {
        let record = new.record
        if table.fields.score == nil || areTuples { return addPlain(new, to: &given) }
        let element = new.model.map { draft.id(of: model.element($0)) }
        let className = element.map { draft.classOf($0)?.name } ?? emptyTableClass
        let isObject = element.map { draft.value($0).variant.isObject } ?? (className != nil)
        func key(_ name: [UInt16]) -> [UInt16] { className != nil && name.first == 0x24 ? [0x24] + name : name }
        given.open(.dictionary)
        if isObject, let className {
            given.add(string: GraphJSONName.className.rawValue)
            given.add(utf16: className.span)
        }
        if let name = table.fields.name {
            let key = key(name)
            given.add(utf16: key.span)
            given.add(utf16: record.name.span)
        }
        let scoreKey = key(table.fields.score ?? [])
        given.add(utf16: scoreKey.span)
        // As there is no template, `$object` states that the score is an object, as in HighScoreRecord.
        if new.model == nil, className != nil {
            given.open(.dictionary)
            given.add(string: GraphJSONName.object.rawValue)
            given.add(record.score)
            given.close()
        } else if new.isTextScore {
            given.add(string: "\(record.score)")
        } else {
            given.add(record.score)
        }
        if let (name, stored) = new.date {
            given.add(utf16: key(name).span)
            // A dictionary without a class may be inside a value that cannot contain references.
            let isRaw = element.map { table.view.archive == nil || draft.isWithinRaw($0) } ?? true
            let isInline = className == nil && !isRaw
            if isInline {
                given.open(.dictionary)
                given.add(string: GraphJSONName.inline.rawValue)
            }
            given.add(stored, seconds: record.date?.seconds)
            if isInline { given.close() }
        }
        given.close()
    }

    /// The class of records in an archive with an empty table; nil for other saves.
    private var emptyTableClass: [UInt16]? {
        table.view.archive == nil ? nil : Array(ScoreTableFormat.archiveClass.utf16)
    }

    private mutating func readMade() throws(Problem) -> [Draft.ID] {
        guard !new.isEmpty else { return [] }
        var given = DocumentBuilder()
        given.open(.array)
        for record in new { add(record, to: &given) }
        given.close()
        let document = try given.finish()
        if new.contains(where: { $0.model == nil }), let name = emptyTableClass {
            draft.classes.label(draft.classes.named(name), as: name)
        }
        var reader = ValueReader(
            document, at: EnclosingSlots(at: table.address), rules: changesType ? .anyType : .strict, for: draft)
        let list = document.object(document.root)
        var made: [Draft.ID] = []
        for (number, record) in new.enumerated() {
            let isPlain = table.fields.score == nil || areTuples
            let example =
                isPlain
                ? nil
                : record.model.map {
                    StorageTemplate(draft.id(of: model.element($0)), isInPlace: false, isPresent: false)
                }
            made.append(try reader.read(document.reference(number, of: list), like: example, in: &draft).id)
        }
        return made
    }

    private mutating func findMissingFields(of made: [Draft.ID]) {
        guard let record = made.first, draft.isKeyed(record),
            let fields = RecordFields(
                of: draft.id(of: model.array), classNumber: draft.classNumber(of: record), in: &draft)
        else { return }
        missingFields = fields.missing(in: record, of: &draft).filter { $0 != table.fields.date }
    }

    // MARK: The table

    /// Replaces the records of the table with these rows. Other elements, such as null in a dictionary, stay.
    mutating func arrange(_ rows: [Row]) throws(Problem) {
        let made = try readMade()
        findMissingFields(of: made)
        let present = rows.compactMap { row -> Int? in
            if case .present(let position) = row { return position }
            return nil
        }
        let items = table.positions.map { draft.item($0, of: array) }
        let isRising = zip(present, present.dropFirst()).allSatisfy { $0 < $1 }
        let kept = isRising ? Set(present) : []
        // For each kept record, its position after the removals.
        var places: [Int: Int] = [:]
        for position in items.indices {
            if kept.contains(position) { places[position] = table.positions[position] - position + places.count }
        }
        for position in items.indices.reversed() where !kept.contains(position) {
            draft.remove(at: table.positions[position], of: array)
        }
        let isInPlace = items.first??.isInPlace ?? false
        var place = 0
        var inserted = 0
        for row in rows {
            switch row {
            case .present(let position):
                if let kept = places[position] {
                    place = kept + inserted
                } else if let item = items[position] {
                    draft.insert(item.value, key: item.key, at: place, of: array, inPlace: item.isInPlace)
                    inserted += 1
                }
            case .taken(let id):
                draft.insert(id, at: place, of: array, inPlace: isInPlace)
                inserted += 1
            case .made(let number):
                let key = table.isKeyedByName ? draft.add(string: new[number].record.name) : nil
                draft.insert(made[number], key: key, at: place, of: array, inPlace: isInPlace)
                inserted += 1
            }
            place += 1
        }
    }
}

extension DocumentBuilder {
    /// Adds a date as it is stored.
    fileprivate mutating func add(_ stored: ScoreDate.Stored, seconds: Double?) {
        switch stored {
        case .date: if let seconds { add(date: seconds) } else { addNull() }
        case .text(let text): add(utf16: text.span)
        case .number(let number): add(number)
        }
    }
}

extension ViewValue.Variant {
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }
}
