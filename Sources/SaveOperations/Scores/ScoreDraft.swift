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
        /// The text of the date if the table stores dates as strings.
        let dateText: String?
        /// The position of the record that is the template; nil if the table is empty.
        let model: Int?
    }

    let table: ScoreTable
    /// Whether a score whose type the table does not have is stored unconverted.
    private let changesType: Bool
    private var draft: Draft
    private let array: Draft.ID
    private var new: [NewRecord] = []

    init(_ table: ScoreTable, changesType: Bool) {
        self.table = table
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
    /// - Parameter near: The position of the preferred template, if the table has records.
    /// - Throws: A problem if the table cannot store the score or the date.
    mutating func make(_ record: ScoreRecord, near position: Int) throws(Problem) -> Row {
        let score = changesType ? record.score : try table.fitted(record.score, near: position)
        let model = table.records.isEmpty ? nil : table.model(score, hasDate: record.date != nil, near: position)
        var date: String?
        let isDateText = model.flatMap { table.records[$0].date == nil ? nil : table.hasTextDate($0) }
        if let seconds = record.date, isDateText ?? table.datesAreText {
            date = ScalarText.date(seconds)
            guard date != nil else {
                throw Problem(
                    "scores.date",
                    "a date of \(ScalarText.real(seconds)) seconds since 2001, which a string cannot represent exactly")
            }
        }
        let fitted = ScoreRecord(name: record.name, score: score, date: record.date)
        new.append(NewRecord(record: fitted, dateText: date, model: model))
        return .made(new.count - 1)
    }

    /// Adds a record to the given values: an object of graph JSON in an archive, and otherwise a dictionary.
    private mutating func add(_ new: NewRecord, to given: inout DocumentBuilder) {
        let record = new.record
        let element = new.model.map { draft.id(of: table.element($0)) }
        let className = element.map { draft.classOf($0)?.name } ?? emptyTableClass
        let isObject = element.map { draft.value($0).variant.isObject } ?? (className != nil)
        func key(_ name: [UInt16]) -> [UInt16] { className != nil && name.first == 0x24 ? [0x24] + name : name }
        given.open(.dictionary)
        if isObject, let className {
            given.add(string: GraphName.className.rawValue)
            given.add(utf16: className.span)
        }
        given.add(utf16: key(table.fields.name).span)
        given.add(utf16: record.name.span)
        given.add(utf16: key(table.fields.score).span)
        // Without a template, only this states that the score is an object, as in HighScoreRecord.
        if new.model == nil, className != nil {
            given.open(.dictionary)
            given.add(string: GraphName.object.rawValue)
            given.add(record.score)
            given.close()
        } else {
            given.add(record.score)
        }
        if let seconds = record.date, let name = table.fields.date {
            given.add(utf16: key(name).span)
            // A dictionary without a class may be inside a value that cannot contain references.
            let isRaw = element.map { table.view.archive == nil || draft.isWithinRaw($0) } ?? true
            let isInline = className == nil && !isRaw
            if isInline {
                given.open(.dictionary)
                given.add(string: GraphName.inline.rawValue)
            }
            if let dateText = new.dateText { given.add(string: dateText) } else { given.add(date: seconds) }
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
            draft.newNames[name] = draft.number(of: draft.classNamed(name))
        }
        var reader = ValueReader(
            document, at: EnclosingSlots(at: table.address), rules: changesType ? .anyType : .strict, for: draft)
        let list = document.object(document.root)
        var made: [Draft.ID] = []
        for (number, record) in new.enumerated() {
            let example = record.model.map {
                StorageTemplate(draft.id(of: table.element($0)), isInPlace: false, isPresent: false)
            }
            made.append(try reader.read(document.reference(number, of: list), like: example, in: &draft).id)
        }
        return made
    }

    // MARK: The table

    /// Replaces the records of the table with these rows.
    mutating func arrange(_ rows: [Row]) throws(Problem) {
        let made = try readMade()
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
        let isInPlace = items.first??.isInPlace ?? false
        for (place, row) in rows.enumerated() {
            switch row {
            case .present(let position):
                guard !isRising, let item = items[position] else { continue }
                draft.insert(item.value, at: place, of: array, inPlace: item.isInPlace)
            case .taken(let id): draft.insert(id, at: place, of: array, inPlace: isInPlace)
            case .made(let number): draft.insert(made[number], at: place, of: array, inPlace: isInPlace)
            }
        }
    }
}

extension ViewValue.Variant {
    fileprivate var isObject: Bool {
        if case .object = self { return true }
        return false
    }
}
