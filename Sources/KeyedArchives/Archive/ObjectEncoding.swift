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
