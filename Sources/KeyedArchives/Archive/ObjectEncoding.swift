package import SaveCodec

/// The encoding of an object in an archive: the layout in which its contents are stored, according to the Foundation
/// class table.
package enum ObjectEncoding: Sendable {
    case null
    /// A plain value of the property list, without a class.
    case plain(ObjectID)
    /// The elements of an array or a set in `NS.objects`, an inline array of references.
    case elements(StoredObject, Collection)
    /// The elements of an array or a set as separate fields, `NS.object.0`, …
    case numbered(NumberedReferences, Collection)
    /// The pairs of a dictionary in `NS.keys` and `NS.objects`, inline arrays of references.
    case pairs(keys: StoredObject, values: StoredObject)
    /// The pairs of a dictionary as separate fields, `NS.key.0`, `NS.object.0`, …
    case numberedPairs(keys: NumberedReferences, values: NumberedReferences)
    /// A single value in place that the object represents: text, bytes, the seconds of a date, or a number.
    case scalar(Scalar, ObjectID)
    /// The NSNull object, which is different from nil.
    case nullObject
    /// Named fields: the pairs of the stored dictionary, except `$class` at the position `classMember`.
    case fields(StoredObject, classMember: Int)

    /// The kind of a collection.
    package enum Collection: Sendable {
        case array, set
    }

    /// The kind of a single value, with the fields that store it.
    package enum Scalar: Sendable {
        /// `NS.string`, `NS.data`, `NS.time`.
        case string, data, date
        /// `NS.bytes`, from an archiver other than NSKeyedArchiver.
        case bytes
        /// `NS.intval`, `NS.dblval` or `NS.boolval`, from an archiver other than NSKeyedArchiver.
        case number
    }
}

/// References that are stored as separate fields, `NS.object.0`, `NS.object.1`, …, in the order of their numbers.
///
/// They are a range of ``KeyedArchive/numberedReferences``.
package struct NumberedReferences: Sendable {
    let start: Int
    let count: Int
}

/// The role and encoding of an entry of `$objects`, in sixteen bytes.
///
/// Computed once, when the archive is opened, so that ``KeyedArchive/encoding(of:)`` takes constant time.
struct ObjectEntry: Sendable, Equatable {
    enum Kind: UInt8 {
        /// The string `$null`: nil, or an object that was never encoded.
        case null
        /// A plain value: a string, a number, data, a container without `$class`, or a date in an archive of GNUstep.
        case value
        case classRecord
        /// An invalid entry, which no sound archive has.
        case broken
        // Objects of a class, with one case for each encoding and each kind of scalar in ``ObjectEncoding``.
        case fields, elements, numbered, pairs, numberedPairs, string, data, date, bytes, number, nullObject
    }

    var kind: Kind
    /// The class of the object, or the class that the record describes, by position in ``KeyedArchive/classes``; -1 for
    /// an entry that is neither.
    var classPosition: Int32 = -1
    /// The position of the pair with `$class` in the object.
    ///
    /// For pairs, bits 0 and 1 hold the position of `$class`, and the higher bits hold the position of `NS.keys`. For
    /// numbered contents, this is the start in ``KeyedArchive/numberedReferences`` instead.
    var slot = 0

    static let null = ObjectEntry(kind: .null)
    static let value = ObjectEntry(kind: .value)
    static let broken = ObjectEntry(kind: .broken)

    static func classRecord(_ position: Int32) -> ObjectEntry {
        ObjectEntry(kind: .classRecord, classPosition: position)
    }

    /// The role of the entry. A broken entry counts as nil.
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

/// The role of an entry of `$objects`.
package enum ObjectRole: Sendable, Equatable {
    case null
    case value
    /// An object of the class at this position in ``KeyedArchive/classes``.
    case instance(Int)
    /// The record of the class at this position in ``KeyedArchive/classes``.
    case classRecord(Int)

    /// Whether the entry is an object from the viewpoint of a program that uses the archive.
    package var isObject: Bool {
        switch self {
        case .value, .instance: true
        case .null, .classRecord: false
        }
    }
}

extension KeyedArchive {
    /// Returns the role of an entry of `$objects`.
    package func role(of uid: UID) -> ObjectRole { entries[uid.index].role }

    /// Returns the class of an object, by position in ``classes``, or nil for plain values.
    package func classPosition(of uid: UID) -> Int? {
        let entry = entries[uid.index]
        return entry.isInstance ? Int(entry.classPosition) : nil
    }

    /// The stored dictionary of the root objects, `$top`.
    package var storedTop: ObjectID { topID }

    /// Returns the stored object for an object of the archive.
    package func stored(_ uid: UID) -> StoredObject {
        document.object(objectID(uid))
    }

    /// Returns the identity of the stored object for an object of the archive.
    package func objectID(_ uid: UID) -> ObjectID {
        document.reference(uid.index, of: objects)
    }

    /// Returns the target of a reference.
    package func target(of reference: ObjectID) -> UID {
        UID(Int(document.uid(document.object(reference))))
    }

    /// Returns the encoding of an object.
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

    /// Returns the scalar that an object represents; nil for containers and objects with fields. The seconds in an
    /// NSDate become a date.
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

    /// Returns the value of an object's only field.
    private func soleField(of id: ObjectID, _ entry: ObjectEntry) -> ObjectID {
        document.value(1 - entry.slot, of: document.object(id))
    }

    private func collection(of entry: ObjectEntry) -> ObjectEncoding.Collection {
        guard case .elements(.set) = classes[Int(entry.classPosition)].foundation?.layout else { return .array }
        return .set
    }

    /// Returns the position of the pair with `$class` in an object of a class.
    ///
    /// Takes constant time, except for an object with numbered fields, which is scanned.
    package func classMember(of uid: UID) -> Int {
        document.classMember(of: stored(uid), entries[uid.index])
    }
}

extension Document {
    /// Returns the position of the pair with `$class` in an object whose entry is known.
    func classMember(of stored: @autoclosure () -> StoredObject, _ entry: ObjectEntry) -> Int {
        switch entry.kind {
        case .numbered, .numberedPairs: classMember(of: stored())
        case .pairs: entry.slot & 3
        default: entry.slot
        }
    }

    /// Returns the position of the pair with `$class` in a dictionary, or 0 if it has none.
    private func classMember(of stored: StoredObject) -> Int {
        (0..<stored.count).first { text(object(key($0, of: stored)), equals: "$class") } ?? 0
    }
}

// MARK: Known classes

extension KeyedArchive {
    /// Returns the layout of the objects of a known class, or nil for a class with fields and for an unknown class.
    package static func layout(ofClass name: [UInt16]) -> ContentLayout? {
        switch foundation(name)?.layout {
        case .elements(let collection): .elements(collection)
        case .numbered: .numbered
        case .pairs: .pairs
        case .string, .data, .date, .number, .null: .scalar
        case .fields, nil: nil
        }
    }

    /// The layout of the contents of a known class.
    package enum ContentLayout: Sendable {
        case elements(ObjectEncoding.Collection)
        case numbered
        case pairs
        case scalar
    }

    /// The names of the known classes, sorted.
    package static var knownClassNames: [[UInt16]] { FoundationClass.names.map { Array($0.utf16) } }

    /// Returns the class chain of a known class, or nil for an unknown one.
    package static func chain(ofClass name: [UInt16]) -> [[UInt16]]? {
        foundation(name)?.chain.map { Array($0.utf16) }
    }

    private static func foundation(_ name: [UInt16]) -> FoundationClass? {
        name.count <= 64 ? FoundationClass.named(String(decoding: name, as: UTF16.self)) : nil
    }
}

// MARK: Reading

/// A reader that finds the encodings of an archive's objects, one by one.
struct ObjectEncodingReader {
    let document: Document
    /// Whether the archiver's class stores the elements of collections as numbered fields instead of arrays.
    let numbersElements: Bool
    /// The references in numbered fields, see ``KeyedArchive/numberedReferences``.
    private(set) var numberedReferences: [ObjectID] = []

    init(_ document: Document, archiver: StoredString) {
        self.document = document
        numbersElements = !document.text(archiver.object, equals: "NSKeyedArchiver")
    }

    /// Returns the entry of an object of a class.
    ///
    /// The encoding is the layout of the class, or fields if the object does not have exactly the fields of that
    /// layout.
    ///
    /// - Parameters:
    ///   - member: The position of the object's only pair with `$class`.
    ///   - areReferences: Whether the containers that the object holds in place contain nothing but references.
    mutating func entry(
        of stored: StoredObject, class position: Int32, _ layout: FoundationClass.Layout, member: Int,
        areReferences: Bool
    ) -> ObjectEntry {
        guard let (kind, slot) = contents(of: stored, layout, member: member, areReferences: areReferences)
        else { return ObjectEntry(kind: .fields, classPosition: position, slot: member) }
        return ObjectEntry(kind: kind, classPosition: position, slot: slot)
    }

    private mutating func contents(
        of stored: StoredObject, _ layout: FoundationClass.Layout, member: Int, areReferences: Bool
    ) -> (ObjectEntry.Kind, slot: Int)? {
        let kind: ObjectEntry.Kind? =
            switch layout {
            case .elements: areReferences && isArray("NS.objects", of: stored) ? .elements : nil
            case .string: isScalar("NS.string", of: stored) { $0.kind.isString } ? .string : nil
            case .data: isScalar("NS.data", of: stored) { $0.kind == .data } ? .data : bytes(of: stored)
            // NSDate never writes a four-byte real.
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

    private func bytes(of stored: StoredObject) -> ObjectEntry.Kind? {
        isScalar("NS.bytes", of: stored) { $0.kind == .data } ? .bytes : nil
    }

    private func isNumber(_ stored: StoredObject) -> Bool {
        isScalar("NS.intval", of: stored) { $0.kind == .integer }
            || isScalar("NS.dblval", of: stored) { $0.kind == .real }
            || isScalar("NS.boolval", of: stored) { $0.kind == .true || $0.kind == .false }
    }

    /// Whether an object has exactly one field, with this key and a value that `isFitting` accepts.
    private func isScalar(
        _ key: StaticString, of stored: StoredObject, isFitting: (StoredObject) -> Bool
    ) -> Bool {
        guard stored.count == 2, let value = document.value(for: key, of: stored) else { return false }
        return isFitting(document.object(value))
    }

    /// Whether an object has exactly one field, with this key and an array as its value.
    private func isArray(_ key: StaticString, of stored: StoredObject) -> Bool {
        isScalar(key, of: stored) { $0.kind == .array }
    }

    private mutating func pairs(
        of stored: StoredObject, member: Int, areReferences: Bool
    ) -> (ObjectEntry.Kind, slot: Int)? {
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

    /// Appends the references of an object whose only fields are references with numbered names, such as `NS.object.0`,
    /// `NS.object.1`. Each prefix must have the same numbers.
    ///
    /// - Returns: The start in ``numberedReferences``, or nil for any other object.
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

    /// Returns the number in a key such as `NS.object.5`, and the index of its prefix; nil for any other key.
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
    /// Returns the effective value for an ASCII key.
    func value(for key: StaticString, of dictionary: StoredObject) -> ObjectID? {
        position(of: key, in: dictionary).map { value($0, of: dictionary) }
    }

    /// Returns the position of the effective pair with an ASCII key.
    func position(of key: StaticString, in dictionary: StoredObject) -> Int? {
        effective(of: 0..<dictionary.count) { text(object(self.key($0, of: dictionary)), equals: key) }
    }
}
