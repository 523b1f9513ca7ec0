import KeyedArchives
package import SaveCodec

extension ScoreTable {
    /// A new save with these records, in their order.
    ///
    /// - Parameters:
    ///   - fields: what the fields are called; nil for as the form has them.
    ///   - key: the key that the table is under; nil for the root, or as archives have it.
    package static func document(
        of records: [ScoreRecord], form: ScoreForm, fields: ScoreFields? = nil, key: [UInt16]? = nil
    ) throws(Problem) -> Document {
        let fields = fields ?? form.fields
        return form == .archive
            ? try archive(of: records, fields, key ?? Array(ScoreForm.archiveKey.utf16))
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
        // No record of a class that no object has.
        let className = ScoreForm.archiveClass
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
    /// Adds the object that HighScoreRecord would encode, every field of it an object.
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
    /// A string as an object. A plain one of the text that stands for nil would be nil.
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
    /// Adds a score.
    mutating func add(_ score: Number) {
        switch score {
        case .integer(let value): add(integer: value)
        case .real(let value): add(real64: value)
        case .single(let value): add(real32: value)
        }
    }
}
