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
            builder.add(utf16: fields.name.span)
            builder.add(utf16: record.name.span)
            builder.add(utf16: fields.score.span)
            builder.add(record.score)
            if let date = record.date, let field = fields.date {
                builder.add(utf16: field.span)
                builder.add(date: date)
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
        var values = [(fields.name, builder.add(text: name)), (fields.score, builder.add { $0.add(score) })]
        if let date, let field = fields.date {
            let object = builder.reserve()
            builder.begin(object, of: dateClass)
            builder.contents.add(string: "NS.time")
            builder.contents.add(real64: date)
            builder.end()
            values.append((field, object))
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
            address: address(of: fields.score, record))
    }

    /// Returns the position of the template for a new record: the given record if its score has the type of `score`,
    /// and preferably a record with a date if the new one has a date.
    func model(_ score: Number, hasDate: Bool, near record: Int) -> Int {
        let alike = ([record] + firstOfTypes).filter { records[$0].score.isOfType(of: score) }
        let dated = hasDate ? alike.first { records[$0].date != nil } : nil
        return dated ?? alike.first ?? record
    }

    /// Whether the table has scores of the type of a given one.
    func hasScores(ofTypeOf score: Number) -> Bool {
        firstOfTypes.contains { records[$0].score.isOfType(of: score) }
    }

    /// Whether the date of a record is a string, as in JSON, which has no dates.
    func hasTextDate(_ position: Int) -> Bool {
        let places = ScoreReader(view, fields).places(in: element(position))
        guard let places, let place = places.date else { return false }
        return view.text(view.item(place, of: places.contents).id) != nil
    }

    /// Returns a date in the form of the first date of a database's table: SQLite's own form, or a day.
    func dateText(_ seconds: Double) -> [UInt16]? {
        guard let date = ScalarText.date(seconds).map({ Array($0.utf16) }) else { return nil }
        guard let firstDated, let places = ScoreReader(view, fields).places(in: element(firstDated)),
            let place = places.date, let text = view.text(view.item(place, of: places.contents).id)
        else { return date }
        let first = Array(text.units)
        if first.count == 10 { return Array(date.prefix(10)) }
        guard first.count > 10, first[10] == 0x20 else { return date }
        return Array(date.prefix(10)) + [0x20] + Array(date.dropFirst(11).dropLast())
    }

    /// Whether the table stores dates as strings. If no record has a date, tables in JSON and OpenStep text do. A table
    /// without records gets dates as in typed JSON, which convert to every form.
    var datesAreText: Bool {
        firstDated.map(hasTextDate) ?? (view.document.has(.textDates) && !records.isEmpty)
    }

    private func fitted(_ score: Number, to present: Number) -> Number? {
        switch ScalarFit(score.node.whole(for: present.node), "\(score)", for: present.node) {
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
