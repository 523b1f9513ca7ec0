import KeyedArchives
package import SaveCodec

extension ScoreTable {
    /// Creates a save with these records, in order.
    ///
    /// - Parameters:
    ///   - fields: The field names; nil to use the names of the form.
    ///   - key: The key of the table; nil for the root, or in an archive for `HighScores`.
    package static func document(
        of records: [ScoreRecord], form: ScoreTableFormat, fields: ScoreFields? = nil, key: [UInt16]? = nil
    ) throws(Problem) -> Document {
        let fields = fields ?? form.fields
        return form == .archive
            ? try archive(of: records, fields, key ?? Array(ScoreTableFormat.archiveKey.utf16))
            : try plist(of: records, fields, key)
    }

    private static func plist(
        of records: [ScoreRecord], _ fields: ScoreFields, _ key: [UInt16]?
    ) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        if let key {
            builder.open(.dictionary)
            builder.add(utf16: key.span)
        }
        builder.open(.array)
        for record in records {
            builder.open(.dictionary)
            if let name = fields.name {
                builder.add(utf16: name.span)
                builder.add(utf16: record.name.span)
            }
            let score = fields.score ?? []
            builder.add(utf16: score.span)
            builder.add(record.score)
            if let date = record.date, let field = fields.date {
                builder.add(utf16: field.span)
                builder.add(date)
            }
            builder.close()
        }
        builder.close()
        if key != nil { builder.close() }
        return try builder.finish()
    }

    private static func archive(
        of records: [ScoreRecord], _ fields: ScoreFields, _ key: [UInt16]
    ) throws(Problem) -> Document {
        var builder = KeyedArchiveBuilder()
        let list = builder.reserve()
        builder.beginTop()
        builder.contents.add(utf16: key.span)
        builder.refer(to: list)
        builder.end()
        // An archive has no class record for a class without objects.
        let className = ScoreTableFormat.archiveClass
        let recordClass = records.isEmpty ? UID.null : builder.addClass(className, chain: [className, "NSObject"])
        let hasDates = fields.date != nil && records.contains { $0.date != nil }
        let dateClass = hasDates ? builder.addClass("NSDate", chain: ["NSDate", "NSObject"]) : .null
        let elements = records.map { $0.add(to: &builder, as: recordClass, dateClass: dateClass, fields: fields) }
        builder.begin(list, of: builder.addClass("NSMutableArray", chain: ["NSMutableArray", "NSArray", "NSObject"]))
        builder.addCollection(elements)
        builder.end()
        return try builder.finish()
    }
}

extension ScoreRecord {
    /// Adds an object as HighScoreRecord encodes itself, with every field as an object.
    fileprivate func add(
        to builder: inout KeyedArchiveBuilder, as recordClass: UID, dateClass: UID, fields: ScoreFields
    ) -> UID {
        var values = fields.name.map { [($0, builder.add(text: name))] } ?? []
        values.append((fields.score ?? [], builder.add { $0.add(score) }))
        if let date, let field = fields.date {
            if let seconds = date.seconds {
                let object = builder.reserve()
                builder.begin(object, of: dateClass)
                builder.contents.add(string: "NS.time")
                builder.contents.add(real64: seconds)
                builder.end()
                values.append((field, object))
            } else if case .text(let text) = date.stored {
                values.append((field, builder.add(text: text)))
            }
        }
        let object = builder.reserve()
        builder.begin(object, of: recordClass)
        for (field, value) in values {
            builder.contents.add(utf16: field.span)
            builder.refer(to: value)
        }
        builder.end()
        return object
    }
}

extension KeyedArchiveBuilder {
    /// Adds a string object. The text `$null` is stored as an NSMutableString, since a plain string with this text
    /// reads as nil.
    fileprivate mutating func add(text: [UInt16]) -> UID {
        guard text.elementsEqual("$null".utf16) else { return add { $0.add(utf16: text.span) } }
        let record = addClass("NSMutableString", chain: ["NSMutableString", "NSString", "NSObject"])
        let object = reserve()
        begin(object, of: record)
        contents.add(string: "NS.string")
        contents.add(utf16: text.span)
        end()
        return object
    }
}

extension DocumentBuilder {
    /// Adds a date, or the text or number of a date that cannot be read.
    mutating func add(_ date: ScoreDate) {
        switch (date.seconds, date.stored) {
        case (let seconds?, _): add(date: seconds)
        case (nil, .text(let text)): add(utf16: text.span)
        case (nil, .number(let number)): add(number)
        case (nil, .date): addNull()
        }
    }

    mutating func add(_ score: Number) {
        switch score {
        case .integer(let value): add(integer: value)
        case .real(let value): add(real64: value)
        case .single(let value): add(real32: value)
        }
    }
}

// MARK: Types

/// The types of scores and dates. A table may have several types, since JSON writers may write 13.0 as 13.
extension ScoreTable {
    /// Returns a score in a type of the table.
    ///
    /// - Parameter record: The position of a record whose type is preferred.
    /// - Throws: A problem if no type of the table can hold the number exactly.
    func fitted(_ score: Number, near record: Int) throws(Problem) -> Number {
        guard !records.isEmpty else { return score }
        for position in [record] + firstOfTypes {
            if let fitted = fitted(score, to: records[position].score) { return fitted }
        }
        let present = TypePhrase.of(records[record].score.node)
        throw Problem(
            .scoreFit, "the score \(score) cannot be stored as \(present), the type of the other scores",
            address: fields.score.map { address(of: $0, record) } ?? address(of: record))
    }

    /// Returns the position of the template for a new record: the given record if its score has the type of `score`,
    /// and preferably a record with a date if the new one has a date.
    func model(_ score: Number, hasDate: Bool, near record: Int) -> Int {
        let alike = ([record] + firstOfTypes).filter { records[$0].score.isOfType(of: score) }
        let dated = hasDate ? alike.first { records[$0].date != nil } : nil
        return dated ?? alike.first ?? record
    }

    /// Whether the table has a score of the same type as the given score.
    func hasScores(ofTypeOf score: Number) -> Bool {
        firstOfTypes.contains { records[$0].score.isOfType(of: score) }
    }

    /// Returns the stored value of a record's field.
    private func scalar(_ field: (ScoreReader.FieldPositions) -> Int?, _ position: Int) -> Node? {
        guard let fieldPositions = ScoreReader(view, fields).fieldPositions(in: element(position)),
            let field = field(fieldPositions)
        else {
            return nil
        }
        return view.scalar(view.item(field, of: fieldPositions.contents).id)
    }

    /// Whether the score of a record is a string, as some games write numbers.
    func hasTextScore(_ position: Int) -> Bool {
        let node = fields.score == nil ? view.scalar(element(position)) : scalar(\.score, position)
        return if case .string = node { true } else { false }
    }

    /// Whether a record of the table has a field for the date, which may be null.
    var hasDateField: Bool {
        firstDated != nil
            || records.indices.contains { ScoreReader(view, fields).fieldPositions(in: element($0))?.date != nil }
    }

    /// Whether the save is text without dates, such as JSON.
    private var hasPlainText: Bool { view.archive == nil && view.document.has(.textDates) }

    /// Returns the record, but without its date if the date is only implied and the neighboring records have none.
    func withoutUnusualDate(_ record: ScoreRecord) -> ScoreRecord {
        guard record.isDateImplied, view.archive == nil,
            fields.date == nil || (templates.records.isEmpty ? hasPlainText : !templates.hasDateField)
        else { return record }
        return ScoreRecord(name: record.name, score: record.score, date: nil)
    }

    /// Returns a date as the table stores it: like the date of the given record, or else like the first one. If no
    /// record has a date, the result is a date or, in JSON and OpenStep, a text in the format of RFC 3339.
    ///
    /// - Throws: A problem if the table's spelling is unknown.
    func stored(_ date: ScoreDate, like record: Int?) throws(Problem) -> ScoreDate.Stored {
        let dated = record.flatMap { records[$0].date == nil ? nil : $0 } ?? firstDated
        let present = dated.flatMap { records[$0].date?.stored }
        func unknown(_ shown: String) -> Problem {
            Problem(
                "scores.date",
                "the date cannot be written like \(shown); give it as text with --date TEXT, or leave it out with --date none"
            )
        }
        switch present {
        case nil:
            if date.seconds == nil { return date.stored }
            guard hasPlainText, let seconds = date.seconds else { return .date }
            return .text(try Self.text(seconds))
        case .date:
            guard date.seconds != nil else {
                throw Problem(
                    "scores.date", "the date cannot be read; the table needs one such as 2009-09-06T12:34:56Z")
            }
            return .date
        case .text(let text):
            guard let spelling = DateSpelling.read(text)?.spelling else {
                if case .text = date.stored { return date.stored }
                throw unknown(Phrase.name(text))
            }
            guard let seconds = date.seconds else { throw unknown(Phrase.name(text)) }
            guard let written = spelling.write(seconds) else { return .text(try Self.text(seconds)) }
            return .text(written)
        case .number(let number):
            guard let seconds = date.seconds, let written = Epoch(number)?.number(seconds, like: number) else {
                throw unknown("\(number)")
            }
            return .number(written)
        }
    }

    private static func text(_ seconds: Double) throws(Problem) -> [UInt16] {
        guard let text = ScalarText.date(seconds) else {
            throw Problem(
                "scores.date",
                "a string cannot represent the date \(ScalarText.real(seconds)) seconds after 2001 exactly")
        }
        return Array(text.utf16)
    }

    /// Returns a date as a database's table stores it.
    func sqlDate(_ date: ScoreDate) throws(Problem) -> SQLValue? {
        switch try stored(date, like: nil) {
        case .text(let text): .text(text)
        case .number(.integer(let number)): Int64(exactly: number).map { .integer($0) }
        case .number(let number): .real(number.rounded)
        case .date: date.seconds.flatMap { ScalarText.date($0) }.map { .text(Array($0.utf16)) }
        }
    }

    /// Whether the table stores dates as another one does.
    func storesDates(like other: ScoreTable, _ position: Int) -> Bool {
        guard let date = other.records[position].date else { return true }
        switch (firstDated.flatMap { records[$0].date?.stored }, date.stored) {
        case (nil, .date): return !hasPlainText
        case (nil, .text): return hasPlainText
        case (.date, .date), (.text, .text), (.number, .number): return true
        default: return false
        }
    }

    private func fitted(_ score: Number, to present: Number) -> Number? {
        switch GivenScalarConversion(score.node.whole(for: present.node), "\(score)", for: present.node) {
        case .integer(let integer): .integer(integer.value)
        case .real64(let value): .real(value)
        case .real32(let value, isRounded: false): .single(value)
        case .asGiven: score
        default: nil
        }
    }
}

extension Number {
    var node: Node {
        switch self {
        case .integer(let value): .integer(StoredInteger(value))
        case .real(let value): .real64(value)
        case .single(let value): .real32(value)
        }
    }

    /// Whether two numbers have the same stored type.
    func isOfType(of other: Number) -> Bool {
        switch (self, other) {
        case (.integer, .integer), (.real, .real), (.single, .single): true
        default: false
        }
    }
}

extension Problem.Kind {
    /// The table has no type that holds a score.
    package static let scoreFit = Problem.Kind("scores.fit")
}
