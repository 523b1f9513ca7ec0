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
    /// A single value in place that stands for the object: text, bytes, the seconds of a date.
    case scalar(Scalar, ObjectID)
    /// The null object, which is no nil.
    case nullObject
    /// Fields: the dictionary, of which `$class` is no field.
    case fields(StoredObject)

    /// What a single value is.
    enum Scalar {
        case string, data, date
    }
}

/// Reads the shapes of objects, and tells what keeps an object of Foundation's classes from having its own.
struct ShapeReader {
    let document: Document
    let objects: StoredObject
    let entries: [Entry]
    let classes: [ClassRecord]
    /// Whether the archiver is of a class that numbers the elements of collections instead of listing them.
    let numbersElements: Bool

    init(_ document: Document, objects: StoredObject, entries: [Entry], classes: [ClassRecord], archiver: Text) {
        self.document = document
        self.objects = objects
        self.entries = entries
        self.classes = classes
        numbersElements = !archiver.elementsEqual("NSKeyedArchiver".utf16)
    }

    /// The shape of an object.
    func shape(of uid: UID) -> Shape {
        let id = document.reference(uid.index, of: objects)
        switch entries[uid.index] {
        case .null: return .null
        case .value, .classRecord, .broken: return .plain(id)
        case .instance(let position):
            let stored = document.object(id)
            guard let layout = classes[Int(position)].foundation?.layout else { return .fields(stored) }
            return shape(of: stored, layout) ?? .fields(stored)
        }
    }

    /// The shape that a class of Foundation gives an object; nil if the object holds other things than the class says.
    private func shape(of stored: StoredObject, _ layout: FoundationClass.Layout) -> Shape? {
        switch layout {
        case .elements(let collection):
            if let objects = references("NS.objects", of: stored, count: 2) { return .elements(objects, collection) }
            return numbered(stored).map { .numbered($0, collection) }
        case .numbered:
            return numbered(stored).map { .numbered($0, .array) }
        case .pairs:
            guard let keys = references("NS.keys", of: stored, count: 3),
                let values = references("NS.objects", of: stored, count: 3), keys.count == values.count
            else { return nil }
            return .pairs(keys: keys, values: values)
        case .string: return scalar("NS.string", .string, of: stored) { $0.isString }
        case .data: return scalar("NS.data", .data, of: stored) { $0 == .data }
        case .date: return scalar("NS.time", .date, of: stored) { $0 == .real }
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

    /// The references `NS.object.0`, `NS.object.1`, … of an object that has no other fields, in their order.
    private func numbered(_ stored: StoredObject) -> [ObjectID]? {
        var values = [ObjectID?](repeating: nil, count: stored.count - 1)
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            if document.text(key, equals: "$class") { continue }
            guard let number = number(of: key), number < values.count, values[number] == nil else { return nil }
            let value = document.value(position, of: stored)
            guard document.object(value).kind == .uid else { return nil }
            values[number] = value
        }
        let present = values.compactMap { $0 }
        return present.count == values.count ? present : nil
    }

    /// The number in a key `NS.object.5`.
    private func number(of key: StoredObject) -> Int? {
        guard key.kind.isString, (11...20).contains(key.count) else { return nil }
        let text = Text(document, key).string
        guard text.hasPrefix("NS.object."), let number = Int(text.dropFirst(10)), String(number) == text.dropFirst(10)
        else { return nil }
        return number
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
