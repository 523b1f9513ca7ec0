import SaveCodec

/// What an object of an archive is made of: what the Foundation class table reads from its fields, or the fields.
enum Shape {
    /// nil.
    case null
    /// A plain value, as stored.
    case plain(ObjectID)
    /// The elements of an array or a set: an inline array of references.
    case elements(StoredObject, FoundationClass.Collection)
    /// The elements of an array that are fields of their own, `NS.object.0`, …: the references.
    case numbered([ObjectID], FoundationClass.Collection)
    /// The pairs of a dictionary: inline arrays of references.
    case pairs(keys: StoredObject, values: StoredObject)
    /// The pairs of a dictionary that are fields of their own, `NS.key.0`, `NS.object.0`, …: the references.
    case numberedPairs(keys: [ObjectID], values: [ObjectID])
    /// A single value in place that stands for the object: text, bytes, the seconds of a date, a number.
    case scalar(Scalar, ObjectID)
    /// The null object, which is no nil.
    case nullObject
    /// Fields: the dictionary, of which `$class` is no field.
    case fields(StoredObject)

    /// What a single value is.
    enum Scalar {
        /// `NS.string`, `NS.data`, `NS.time`.
        case string, data, date
        /// `NS.bytes` of an archiver other than NSKeyedArchiver.
        case bytes
        /// `NS.intval`, `NS.dblval` or `NS.boolval`, likewise.
        case number
    }
}

/// Reads the shapes of objects, and tells what keeps an object of Foundation's classes from having its own.
struct ShapeReader {
    let document: Document
    let objects: StoredObject
    let entries: [Entry]
    let classes: [ClassRecord]
    /// How the objects of each class are made up, by its position; nil where that is not known.
    private let layouts: [FoundationClass.Layout?]
    /// Whether the archiver is of a class that numbers the elements of collections instead of listing them.
    let numbersElements: Bool

    init(_ document: Document, objects: StoredObject, entries: [Entry], classes: [ClassRecord], archiver: Text) {
        self.document = document
        self.objects = objects
        self.entries = entries
        self.classes = classes
        layouts = classes.map { $0.foundation?.layout }
        numbersElements = !document.text(archiver.object, equals: "NSKeyedArchiver")
    }

    /// The shape of an object.
    func shape(of uid: UID) -> Shape {
        let id = document.reference(uid.index, of: objects)
        switch entries[uid.index] {
        case .null: return .null
        case .value, .classRecord, .broken: return .plain(id)
        case .instance(let position):
            let stored = document.object(id)
            guard let layout = layouts[Int(position)] else { return .fields(stored) }
            return shape(of: stored, layout) ?? .fields(stored)
        }
    }

    /// The shape that a class of Foundation gives an object; nil if the object holds other things than the class says.
    private func shape(of stored: StoredObject, _ layout: FoundationClass.Layout) -> Shape? {
        switch layout {
        case .elements(let collection):
            if let objects = references("NS.objects", of: stored, count: 2) { return .elements(objects, collection) }
            guard stored.count > 1 || numbersElements else { return nil }
            return numbered(stored, ["NS.object."]).map { .numbered($0[0], collection) }
        case .numbered:
            return numbered(stored, ["NS.object."]).map { .numbered($0[0], .array) }
        case .pairs: return pairs(of: stored)
        case .string: return scalar("NS.string", .string, of: stored) { $0.isString }
        case .data:
            return scalar("NS.data", .data, of: stored) { $0 == .data }
                ?? scalar("NS.bytes", .bytes, of: stored) { $0 == .data }
        case .date: return scalar("NS.time", .date, of: stored) { $0 == .real }
        case .number:
            return scalar("NS.intval", .number, of: stored) { $0 == .integer }
                ?? scalar("NS.dblval", .number, of: stored) { $0 == .real }
                ?? scalar("NS.boolval", .number, of: stored) { $0 == .true || $0 == .false }
        case .null: return stored.count == 1 ? .nullObject : nil
        case .fields: return nil
        }
    }

    /// The array under a key of an object with so many members, if it holds nothing but references.
    private func references(_ key: StaticString, of stored: StoredObject, count: Int) -> StoredObject? {
        guard stored.count == count, let value = document.value(for: key, of: stored) else { return nil }
        let array = document.object(value)
        guard array.kind == .array else { return nil }
        for position in 0..<array.count
        where document.object(document.reference(position, of: array)).kind != .uid { return nil }
        return array
    }

    private func pairs(of stored: StoredObject) -> Shape? {
        if let keys = references("NS.keys", of: stored, count: 3),
            let values = references("NS.objects", of: stored, count: 3)
        {
            return keys.count == values.count ? .pairs(keys: keys, values: values) : nil
        }
        guard stored.count > 1 || numbersElements else { return nil }
        return numbered(stored, ["NS.key.", "NS.object."]).map { .numberedPairs(keys: $0[0], values: $0[1]) }
    }

    /// The references `NS.object.0`, `NS.object.1`, … of an object that has no other fields, in their order: for each
    /// prefix as many.
    private func numbered(_ stored: StoredObject, _ prefixes: [String]) -> [[ObjectID]]? {
        let (length, remainder) = (stored.count - 1).quotientAndRemainder(dividingBy: prefixes.count)
        guard remainder == 0 else { return nil }
        var values = [ObjectID?](repeating: nil, count: stored.count - 1)
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            if document.text(key, equals: "$class") { continue }
            guard let (list, number) = number(of: key, prefixes), number < length,
                values[list * length + number] == nil
            else { return nil }
            let value = document.value(position, of: stored)
            guard document.object(value).kind == .uid else { return nil }
            values[list * length + number] = value
        }
        let present = values.compactMap { $0 }
        guard present.count == values.count else { return nil }
        return prefixes.indices.map { Array(present[$0 * length..<($0 + 1) * length]) }
    }

    /// The number in a key `NS.object.5`, and which of the prefixes it has.
    private func number(of key: StoredObject, _ prefixes: [String]) -> (list: Int, number: Int)? {
        guard key.kind.isString, (8...20).contains(key.count) else { return nil }
        let text = Text(document, key).string
        guard let list = prefixes.firstIndex(where: text.hasPrefix) else { return nil }
        let digits = text.dropFirst(prefixes[list].count)
        guard let number = Int(digits), String(number) == digits else { return nil }
        return (list, number)
    }

    private func scalar(
        _ key: StaticString, _ scalar: Shape.Scalar, of stored: StoredObject, isFitting: (StoredObject.Kind) -> Bool
    ) -> Shape? {
        guard stored.count == 2, let value = document.value(for: key, of: stored) else { return nil }
        let object = document.object(value)
        // A four-byte real is no date of NSDate's.
        guard isFitting(object.kind), scalar != .date || object.count == 8 else { return nil }
        return .scalar(scalar, value)
    }
}
