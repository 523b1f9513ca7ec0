package import SaveCodec

/// How an object of an archive stores what a view shows of it.
package enum ObjectStorage: Sendable {
    /// As a value of the property list, without a class.
    case plain
    /// `NS.objects`.
    case elements
    /// `NS.object.0`, …
    case numbered
    /// `NS.keys` and `NS.objects`.
    case pairs
    /// `NS.key.0`, `NS.object.0`, …
    case numberedPairs
    /// The one value that it stands for, in a field.
    case scalar(ObjectID)
    /// Nothing: nil, or the null object.
    case nothing
    /// Fields.
    case fields
}

extension KeyedArchive {
    /// How an object stores what a view shows of it.
    package func storage(of uid: UID) -> ObjectStorage {
        switch shape(of: uid) {
        case .plain: .plain
        case .elements: .elements
        case .numbered: .numbered
        case .pairs: .pairs
        case .numberedPairs: .numberedPairs
        case .scalar(_, let value): .scalar(value)
        case .null, .nullObject: .nothing
        case .fields: .fields
        }
    }

    /// Whether the archiver is of a class that numbers the elements of collections instead of listing them.
    package var numbersElements: Bool { shapes.numbersElements }

    /// How objects of a class store what they hold, as far as the class is known; nil for a class of fields.
    package static func storage(ofClass name: [UInt16]) -> ObjectStorage? {
        switch foundation(name)?.layout {
        case .elements: .elements
        case .numbered: .numbered
        case .pairs: .pairs
        case .string, .data, .date, .number, .null: .nothing
        case .fields, nil: nil
        }
    }

    /// Whether the class is that of a set.
    package static func isSet(_ name: [UInt16]) -> Bool {
        if case .elements(.set) = foundation(name)?.layout { return true }
        return false
    }

    /// The chain of a class that is known.
    package static func chain(ofClass name: [UInt16]) -> [[UInt16]]? {
        foundation(name)?.chain.map { Array($0.utf16) }
    }

    private static func foundation(_ name: [UInt16]) -> FoundationClass? {
        name.count <= 64 ? FoundationClass.named(String(decoding: name, as: UTF16.self)) : nil
    }
}

extension ObjectView {
    /// The stored objects that an item of a container consists of: in an archive a reference is a UID.
    package func storedItem(_ position: Int, of contents: ViewContents) -> (key: ObjectID?, value: ObjectID) {
        switch contents.source {
        case .none: (nil, document.root)
        case .elements(let array): (nil, document.reference(position, of: array))
        case .references(let ids): (nil, ids[position])
        case .entries(let keys, let values):
            (document.reference(position, of: keys), document.reference(position, of: values))
        case .numberedEntries(let keys, let values): (keys[position], values[position])
        case .pairs(let pairs, let omitted):
            Self.pair(position < omitted ? position : position + 1, of: pairs, in: document)
        }
    }

    private static func pair(
        _ position: Int, of pairs: StoredObject, in document: Document
    ) -> (key: ObjectID?, value: ObjectID) {
        (document.key(position, of: pairs), document.value(position, of: pairs))
    }

    /// The value with this identity.
    package func id(stored object: ObjectID) -> ViewID {
        ViewID(stored: object)
    }

    /// The identity of a stored value: a UID has that of the object that it refers to.
    package func identity(of object: ObjectID) -> ViewID {
        let stored = document.object(object)
        guard archive != nil, stored.kind == .uid else { return ViewID(stored: object) }
        return id(of: UID(Int(document.uid(stored))))
    }

    /// The stored scalar that a value is, whichever object holds it; nil for null, which none may hold.
    package func storedScalar(of id: ViewID) -> ObjectID? {
        guard let archive, let uid = uid(id) else { return stored(id) }
        switch archive.storage(of: uid) {
        case .scalar(let value): return value
        case .nothing: return nil
        default: return stored(id)
        }
    }
}

extension KeyedArchive {
    /// The position of the pair in the object of a class that `$class` is.
    package func classMember(of uid: UID) -> Int { document.classMember(of: stored(uid)) }
}
