package import SaveCodec

/// How an object of an archive is encoded: where its contents are that the Foundation class table reads from its fields.
package enum ObjectEncoding: Sendable {
    /// nil.
    case null
    /// A plain value of the property list, without a class.
    case plain(ObjectID)
    /// The elements of an array or a set, under `NS.objects`: an inline array of references.
    case elements(StoredObject, Collection)
    /// The elements of an array or a set as fields of their own, `NS.object.0`, …
    case numbered(NumberedReferences, Collection)
    /// The pairs of a dictionary, under `NS.keys` and `NS.objects`: inline arrays of references.
    case pairs(keys: StoredObject, values: StoredObject)
    /// The pairs of a dictionary as fields of their own, `NS.key.0`, `NS.object.0`, …
    case numberedPairs(keys: NumberedReferences, values: NumberedReferences)
    /// A single value in place that stands for the object: text, bytes, the seconds of a date, a number.
    case scalar(Scalar, ObjectID)
    /// The null object, which is not nil.
    case nullObject
    /// Fields: the pairs of the dictionary, except `$class` at this position.
    case fields(StoredObject, classMember: Int)

    /// Whether elements have an order.
    package enum Collection: Sendable {
        case array, set
    }

    /// What a single value is.
    package enum Scalar: Sendable {
        /// `NS.string`, `NS.data`, `NS.time`.
        case string, data, date
        /// `NS.bytes` of an archiver other than NSKeyedArchiver.
        case bytes
        /// `NS.intval`, `NS.dblval` or `NS.boolval`, likewise.
        case number
    }
}

/// References that are fields of their own, `NS.object.0`, `NS.object.1`, …, in the order of their numbers: a part of
/// ``KeyedArchive/numberedReferences``.
package struct NumberedReferences: Sendable {
    let start: Int
    let count: Int
}

/// What is known of an entry of `$objects`, found once when the archive is opened: sixteen bytes, from which
/// ``KeyedArchive/encoding(of:)`` tells in constant time where the contents of the object are.
struct Entry: Sendable, Equatable {
    enum Kind: UInt8 {
        /// The string `$null`: nil, or the place of an object that was never encoded.
        case null
        /// A plain value: a string, a number, data, in GNUstep's archives a date; a container without `$class`.
        case value
        /// The record of a class.
        case classRecord
        /// Wrong; no sound archive has any.
        case broken
        // Objects of a class, as ``ObjectEncoding`` has them.
        case fields, elements, numbered, pairs, numberedPairs, string, data, date, bytes, number, nullObject
    }

    var kind: Kind
    /// The class of the object, or the class that the record describes, by position in ``KeyedArchive/classes``; else -1.
    var classPosition: Int32 = -1
    /// The position of the pair with `$class` in the object. Of pairs also, two bits further up, that of `NS.keys`; of
    /// numbered contents instead where they start in ``KeyedArchive/numberedReferences``.
    var slot = 0

    static let null = Entry(kind: .null)
    static let value = Entry(kind: .value)
    static let broken = Entry(kind: .broken)

    static func classRecord(_ position: Int32) -> Entry { Entry(kind: .classRecord, classPosition: position) }

    /// What the entry is for.
    var role: ObjectRole {
        switch kind {
        case .null, .broken: .null
        case .value: .value
        case .classRecord: .classRecord(Int(classPosition))
        default: .instance(Int(classPosition))
        }
    }

    var isInstance: Bool { kind.rawValue > Kind.broken.rawValue }
}

/// What an entry of `$objects` is for.
package enum ObjectRole: Sendable, Equatable {
    /// It stands for nil.
    case null
    /// A plain value.
    case value
    /// An object of the class at this position in ``KeyedArchive/classes``.
    case instance(Int)
    /// The record of the class at this position.
    case classRecord(Int)

    /// Whether it is an object to those who use the archive.
    package var isObject: Bool {
        switch self {
        case .value, .instance: true
        case .null, .classRecord: false
        }
    }
}

extension KeyedArchive {
    /// What an entry of `$objects` is for.
    package func role(of uid: UID) -> ObjectRole { entries[uid.index].role }

    /// The class of an object, by position in ``classes``; nil for plain values.
    package func classPosition(of uid: UID) -> Int? {
        let entry = entries[uid.index]
        return entry.isInstance ? Int(entry.classPosition) : nil
    }

    /// The dictionary of the roots as it is stored.
    package var storedTop: ObjectID { topID }

    /// An object as it lies in the image.
    package func stored(_ uid: UID) -> StoredObject {
        document.object(objectID(uid))
    }

    /// The object of the property list that an object of the archive is.
    package func objectID(_ uid: UID) -> ObjectID {
        document.reference(uid.index, of: objects)
    }

    /// The object that a reference leads to.
    package func target(of reference: ObjectID) -> UID {
        UID(Int(document.uid(document.object(reference))))
    }

    /// How an object is encoded.
    package func encoding(of uid: UID) -> ObjectEncoding {
        let entry = entries[uid.index]
        let id = objectID(uid)
        switch entry.kind {
        case .null: return .null
        case .value, .classRecord, .broken: return .plain(id)
        case .nullObject: return .nullObject
        case .fields: return .fields(document.object(id), classMember: entry.slot)
        case .elements: return .elements(document.object(soleField(of: id, entry)), collection(of: entry))
        case .pairs:
            let stored = document.object(id)
            let (member, keys) = (entry.slot & 3, entry.slot >> 2)
            return .pairs(
                keys: document.object(document.value(keys, of: stored)),
                values: document.object(document.value(3 - member - keys, of: stored)))
        case .numbered:
            return .numbered(
                NumberedReferences(start: entry.slot, count: document.object(id).count - 1), collection(of: entry))
        case .numberedPairs:
            let count = (document.object(id).count - 1) / 2
            return .numberedPairs(
                keys: NumberedReferences(start: entry.slot, count: count),
                values: NumberedReferences(start: entry.slot + count, count: count))
        case .string: return .scalar(.string, soleField(of: id, entry))
        case .data: return .scalar(.data, soleField(of: id, entry))
        case .date: return .scalar(.date, soleField(of: id, entry))
        case .bytes: return .scalar(.bytes, soleField(of: id, entry))
        case .number: return .scalar(.number, soleField(of: id, entry))
        }
    }

    /// The stored scalar that an object is or stands for, a date as a date; nil for what contains others.
    func scalar(_ uid: UID) -> StoredObject? {
        let entry = entries[uid.index]
        switch entry.kind {
        case .null, .nullObject: return .null
        case .value, .classRecord, .broken:
            let object = stored(uid)
            return object.kind.isContainer ? nil : object
        case .string, .data, .bytes, .number: return document.object(soleField(of: objectID(uid), entry))
        case .date: return document.object(soleField(of: objectID(uid), entry)).asDate
        case .fields, .elements, .numbered, .pairs, .numberedPairs: return nil
        }
    }

    /// The value of the only field of an object.
    private func soleField(of id: ObjectID, _ entry: Entry) -> ObjectID {
        document.value(1 - entry.slot, of: document.object(id))
    }

    private func collection(of entry: Entry) -> ObjectEncoding.Collection {
        guard case .elements(.set) = classes[Int(entry.classPosition)].foundation?.layout else { return .array }
        return .set
    }

    /// The position of the pair in the object of a class that `$class` is. Goes through an object whose contents are
    /// fields of their own; takes constant time for all others.
    package func classMember(of uid: UID) -> Int {
        document.classMember(of: stored(uid), entries[uid.index])
    }
}

extension Document {
    /// The position of the pair with `$class` in an object, of which it is known what it is.
    func classMember(of stored: @autoclosure () -> StoredObject, _ entry: Entry) -> Int {
        switch entry.kind {
        case .numbered, .numberedPairs: classMember(of: stored())
        case .pairs: entry.slot & 3
        default: entry.slot
        }
    }

    /// The position of the pair with `$class` in a dictionary; 0 if there is none.
    private func classMember(of stored: StoredObject) -> Int {
        (0..<stored.count).first { text(object(key($0, of: stored)), equals: "$class") } ?? 0
    }
}

// MARK: What is known of classes

extension KeyedArchive {
    /// How objects of a class store what they hold, as far as the class is known; nil for a class of fields.
    package static func layout(ofClass name: [UInt16]) -> ContentLayout? {
        switch foundation(name)?.layout {
        case .elements(let collection): .elements(collection)
        case .numbered: .numbered
        case .pairs: .pairs
        case .string, .data, .date, .number, .null: .scalar
        case .fields, nil: nil
        }
    }

    /// How the objects of a known class store what they hold.
    package enum ContentLayout: Sendable {
        case elements(ObjectEncoding.Collection)
        case numbered
        case pairs
        case scalar
    }

    /// The names of the classes that are known, in order.
    package static var knownClassNames: [[UInt16]] { FoundationClass.names.map { Array($0.utf16) } }

    /// The chain of a class that is known.
    package static func chain(ofClass name: [UInt16]) -> [[UInt16]]? {
        foundation(name)?.chain.map { Array($0.utf16) }
    }

    private static func foundation(_ name: [UInt16]) -> FoundationClass? {
        name.count <= 64 ? FoundationClass.named(String(decoding: name, as: UTF16.self)) : nil
    }
}

// MARK: Reading

/// Finds how the objects of an archive are encoded, one by one.
struct EncodingReader {
    let document: Document
    /// Whether the archiver is of a class that numbers the elements of collections instead of listing them.
    let numbersElements: Bool
    /// The references of all objects whose contents are fields of their own, in the order of their numbers.
    private(set) var numberedReferences: [ObjectID] = []

    init(_ document: Document, archiver: StoredString) {
        self.document = document
        numbersElements = !document.text(archiver.object, equals: "NSKeyedArchiver")
    }

    /// How the object of a class is encoded, in which `$class` stands once, at this position: as its class has it, or as
    /// fields if the class is not known or the object holds other things than the class says.
    ///
    /// - Parameter areReferences: whether the containers that it holds in place have nothing but references.
    mutating func entry(
        of stored: StoredObject, class position: Int32, _ layout: FoundationClass.Layout, member: Int,
        areReferences: Bool
    ) -> Entry {
        guard let (kind, slot) = contents(of: stored, layout, member: member, areReferences: areReferences)
        else { return Entry(kind: .fields, classPosition: position, slot: member) }
        return Entry(kind: kind, classPosition: position, slot: slot)
    }

    private mutating func contents(
        of stored: StoredObject, _ layout: FoundationClass.Layout, member: Int, areReferences: Bool
    ) -> (Entry.Kind, slot: Int)? {
        let kind: Entry.Kind? =
            switch layout {
            case .elements: areReferences && isArray("NS.objects", of: stored) ? .elements : nil
            case .string: isScalar("NS.string", of: stored) { $0.kind.isString } ? .string : nil
            case .data: isScalar("NS.data", of: stored) { $0.kind == .data } ? .data : bytes(of: stored)
            // A four-byte real is no date of NSDate's.
            case .date: isScalar("NS.time", of: stored) { $0.kind == .real && $0.count == 8 } ? .date : nil
            case .number: isNumber(stored) ? .number : nil
            case .null: stored.count == 1 ? .nullObject : nil
            case .numbered, .pairs, .fields: nil
            }
        if let kind { return (kind, member) }
        switch layout {
        case .elements where stored.count > 1 || numbersElements: fallthrough
        case .numbered: return numbered(stored, ["NS.object."]).map { (.numbered, $0) }
        case .pairs: return pairs(of: stored, member: member, areReferences: areReferences)
        default: return nil
        }
    }

    private func bytes(of stored: StoredObject) -> Entry.Kind? {
        isScalar("NS.bytes", of: stored) { $0.kind == .data } ? .bytes : nil
    }

    private func isNumber(_ stored: StoredObject) -> Bool {
        isScalar("NS.intval", of: stored) { $0.kind == .integer }
            || isScalar("NS.dblval", of: stored) { $0.kind == .real }
            || isScalar("NS.boolval", of: stored) { $0.kind == .true || $0.kind == .false }
    }

    /// Whether an object has this one field, with a value that fits.
    private func isScalar(
        _ key: StaticString, of stored: StoredObject, isFitting: (StoredObject) -> Bool
    ) -> Bool {
        guard stored.count == 2, let value = document.value(for: key, of: stored) else { return false }
        return isFitting(document.object(value))
    }

    /// Whether an object has this one field, an array.
    private func isArray(_ key: StaticString, of stored: StoredObject) -> Bool {
        isScalar(key, of: stored) { $0.kind == .array }
    }

    private mutating func pairs(
        of stored: StoredObject, member: Int, areReferences: Bool
    ) -> (Entry.Kind, slot: Int)? {
        if areReferences, stored.count == 3, let keys = document.position(of: "NS.keys", in: stored),
            let values = document.position(of: "NS.objects", in: stored),
            case let keyList = document.object(document.value(keys, of: stored)), keyList.kind == .array,
            case let valueList = document.object(document.value(values, of: stored)), valueList.kind == .array
        {
            return keyList.count == valueList.count ? (.pairs, member | keys << 2) : nil
        }
        guard stored.count > 1 || numbersElements else { return nil }
        return numbered(stored, ["NS.key.", "NS.object."]).map { (.numberedPairs, $0) }
    }

    /// Where the references `NS.object.0`, `NS.object.1`, … start of an object that has no other fields: for each prefix
    /// as many.
    private mutating func numbered(_ stored: StoredObject, _ prefixes: [String]) -> Int? {
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
        numberedReferences += present
        return numberedReferences.count - present.count
    }

    /// The number in a key `NS.object.5`, and which of the prefixes it has.
    private func number(of key: StoredObject, _ prefixes: [String]) -> (list: Int, number: Int)? {
        guard key.kind.isString, (8...20).contains(key.count) else { return nil }
        let text = StoredString(document, key).string
        guard let list = prefixes.firstIndex(where: text.hasPrefix) else { return nil }
        let digits = text.dropFirst(prefixes[list].count)
        guard let number = Int(digits), number >= 0, String(number) == digits else { return nil }
        return (list, number)
    }
}

extension Document {
    /// The value under a key of ASCII characters, of a repeated key the one that Foundation's readers take.
    func value(for key: StaticString, of dictionary: StoredObject) -> ObjectID? {
        position(of: key, in: dictionary).map { value($0, of: dictionary) }
    }

    /// The position of the pair under a key of ASCII characters, of a repeated key that of the one that Foundation's
    /// readers take.
    func position(of key: StaticString, in dictionary: StoredObject) -> Int? {
        func matches(_ position: Int) -> Bool {
            text(object(self.key(position, of: dictionary)), equals: key)
        }
        let positions = 0..<dictionary.count
        return lastRepeatedKeyWins ? positions.last(where: matches) : positions.first(where: matches)
    }
}
