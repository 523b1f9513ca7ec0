package import SaveCodec

/// A value of a view: its kind, its contents, and its class in the archive.
package struct ViewValue: Sendable {
    /// The kind of a value, with the value of a scalar.
    package enum Variant: Sendable {
        /// A value that is not a container.
        case scalar(Node)
        case array
        /// An unordered collection.
        case set
        /// Pairs of keys and values. Keys may be duplicates, and in an archive they may be values of any kind.
        case dictionary
        /// An object, shown as its stored fields.
        case object
    }

    /// The kind of the value, with the value of a scalar.
    package let variant: Variant
    /// The contents; empty for a scalar.
    package let contents: ViewContents
    /// The class, by position in ``KeyedArchive/classes``; nil for plain values.
    package let classPosition: Int?

    init(_ variant: Variant, _ contents: ViewContents = ViewContents(), class position: Int? = nil) {
        self.variant = variant
        self.contents = contents
        classPosition = position
    }

    init(_ object: StoredObject, in document: borrowing Document) {
        switch object.kind {
        case .array: self.init(.array, ViewContents(of: object))
        case .set: self.init(.set, ViewContents(of: object))
        case .dictionary: self.init(.dictionary, ViewContents(of: object))
        default: self.init(.scalar(document.node(object)))
        }
    }

    /// Whether the value is a container, empty or not.
    package var isContainer: Bool {
        if case .scalar = variant { return false }
        return true
    }
}

extension ViewValue.Variant {
    /// The kind of the value.
    package var kind: ValueKind {
        switch self {
        case .scalar(let node): node.kind
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        case .object: .object
        }
    }

    /// The name of the stored type: the name of the kind, or `real32`.
    package var typeName: String {
        if case .scalar(let node) = self { node.typeName } else { kind.rawValue }
    }
}

/// The kinds of values that have slots: every kind except scalars.
package enum ContainerKind: UInt8, Sendable {
    case array, set, dictionary, object

    /// Whether the slots have keys.
    package var isKeyed: Bool { self == .dictionary || self == .object }

    package init?(_ variant: ViewValue.Variant) {
        switch variant {
        case .scalar: return nil
        case .array: self = .array
        case .set: self = .set
        case .dictionary: self = .dictionary
        case .object: self = .object
        }
    }

    package var variant: ViewValue.Variant {
        switch self {
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        case .object: .object
        }
    }
}

/// The contents of a container, read with ``ObjectView/item(_:of:)``.
package struct ViewContents: Sendable {
    enum Source: Sendable {
        case none
        /// The elements of a stored array or set.
        case elements(StoredObject)
        /// Elements stored as separate fields, from this position of ``KeyedArchive/numberedReferences`` on.
        case numbered(Int)
        /// The elements of two stored arrays, one of keys and one of values.
        case entries(keys: StoredObject, values: StoredObject)
        /// Keys and values stored as separate fields, from these positions of ``KeyedArchive/numberedReferences`` on.
        case numberedEntries(keys: Int, values: Int)
        /// The pairs of a stored dictionary except one, `$class`.
        case pairs(StoredObject, omitting: Int)
    }

    let source: Source
    /// The number of slots.
    package let count: Int

    init(_ source: Source = .none, count: Int = 0) {
        self.source = source
        self.count = count
    }

    /// The location of contents in the image or among the numbered references. Two containers have equal locations only
    /// if they share their stored contents.
    struct StorageLocation: Hashable {
        let keys: Int
        let values: Int
        let count: Int
    }

    var storageLocation: StorageLocation {
        switch source {
        case .none: StorageLocation(keys: -1, values: -1, count: count)
        case .elements(let array): StorageLocation(keys: -1, values: array.start, count: count)
        case .numbered(let start): StorageLocation(keys: -2, values: start, count: count)
        case .entries(let keys, let values): StorageLocation(keys: keys.start, values: values.start, count: count)
        case .numberedEntries(let keys, let values): StorageLocation(keys: -3 - keys, values: values, count: count)
        case .pairs(let pairs, let omitted): StorageLocation(keys: pairs.start, values: -1 - omitted, count: count)
        }
    }

    /// The stored dictionary or array that holds the keys; nil for elements, and for keys in separate fields.
    package var keyHolder: StoredObject? {
        switch source {
        case .pairs(let pairs, _): pairs
        case .entries(let keys, _): keys
        case .none, .elements, .numbered, .numberedEntries: nil
        }
    }

    /// Whether the keys are stored in the container itself and are therefore never references.
    package var hasStoredKeys: Bool {
        if case .pairs = source { true } else { false }
    }

    /// Contents without slots.
    package static let empty = ViewContents()

    /// Creates the contents of a stored container.
    init(of object: StoredObject) {
        let source: Source = object.kind == .dictionary ? .pairs(object, omitting: object.count) : .elements(object)
        self.init(source, count: object.count)
    }
}

/// A slot's contents: an element, or a key and its value.
package struct ViewItem: Sendable {
    /// The key or the field name; nil for elements.
    package let key: ViewID?
    /// The identity of the value.
    package let id: ViewID
}

extension KeyedArchive {
    /// Returns the value that a view shows for an object.
    func value(of uid: UID) -> ViewValue {
        let position = classPosition(of: uid)
        switch encoding(of: uid) {
        case .null: return ViewValue(.scalar(.null))
        case .plain(let id): return ViewValue(document.object(id), in: document)
        case .elements(let array, let collection):
            return ViewValue(
                collection == .set ? .set : .array, ViewContents(.elements(array), count: array.count), class: position)
        case .numbered(let references, let collection):
            return ViewValue(
                collection == .set ? .set : .array, ViewContents(.numbered(references.start), count: references.count),
                class: position)
        case .pairs(let keys, let values):
            return ViewValue(
                .dictionary, ViewContents(.entries(keys: keys, values: values), count: keys.count), class: position)
        case .numberedPairs(let keys, let values):
            let source = ViewContents.Source.numberedEntries(keys: keys.start, values: values.start)
            return ViewValue(.dictionary, ViewContents(source, count: keys.count), class: position)
        case .scalar(.date, let id):
            return ViewValue(.scalar(.date(document.real64(document.object(id)))), class: position)
        case .scalar(_, let id): return ViewValue(.scalar(document[id]), class: position)
        case .nullObject: return ViewValue(.scalar(.null), class: position)
        case .fields(let stored, let member):
            if let string = attributedStrings.element(uid) {
                let shown = document.object(string.dictionary)
                let contents = ViewContents(.pairs(shown, omitting: string.classMember), count: shown.count - 1)
                return ViewValue(.object, contents, class: position)
            }
            return ViewValue(
                .object, ViewContents(.pairs(stored, omitting: member), count: stored.count - 1), class: position)
        }
    }
}
