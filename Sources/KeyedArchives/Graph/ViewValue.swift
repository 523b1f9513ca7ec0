package import SaveCodec

/// A value of a view: what it is, what it contains, and the class that an archive says it has.
package struct ViewValue: Sendable {
    /// What a value is.
    package enum Form: Sendable {
        /// A value that contains no others, and is no container of the property list.
        case scalar(Node)
        /// An ordered collection.
        case array
        /// A collection whose order means nothing.
        case set
        /// Pairs. Keys may repeat, and in an archive they may be any value.
        case dictionary
        /// An object as the fields that its class stored.
        case object
    }

    /// What the value is.
    package let form: Form
    /// What it contains; nothing for a scalar.
    package let contents: ViewContents
    /// Its class, by position in ``KeyedArchive/classes``; nil for plain values, which have none of their own.
    package let classPosition: Int?

    init(_ form: Form, _ contents: ViewContents = ViewContents(), class position: Int? = nil) {
        self.form = form
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

    /// Whether the value contains others, or could.
    package var isContainer: Bool {
        if case .scalar = form { return false }
        return true
    }
}

extension ViewValue.Form {
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

    /// The name of the stored type: that of the kind, except for `real32`.
    package var typeName: String {
        if case .scalar(let node) = self { node.typeName } else { kind.rawValue }
    }
}

/// What a container is.
package enum ContainerKind: UInt8, Sendable {
    case array, set, dictionary, object

    /// Whether its contents have keys.
    package var isKeyed: Bool { self == .dictionary || self == .object }

    package init?(_ form: ViewValue.Form) {
        switch form {
        case .scalar: return nil
        case .array: self = .array
        case .set: self = .set
        case .dictionary: self = .dictionary
        case .object: self = .object
        }
    }

    package var form: ViewValue.Form {
        switch self {
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        case .object: .object
        }
    }
}

/// The contents of a container, to be looked up with ``ObjectView/item(_:of:)``.
package struct ViewContents: Sendable {
    enum Source: Sendable {
        case none
        /// The elements of a stored array or set.
        case elements(StoredObject)
        /// Elements that are fields of their own, from this position of ``KeyedArchive/numberedReferences`` on.
        case numbered(Int)
        /// The elements of two stored arrays, keys and values.
        case entries(keys: StoredObject, values: StoredObject)
        /// Keys and values that are fields of their own, likewise.
        case numberedEntries(keys: Int, values: Int)
        /// The pairs of a stored dictionary but for one, `$class`.
        case pairs(StoredObject, omitting: Int)
    }

    let source: Source
    /// How many there are.
    package let count: Int

    init(_ source: Source = .none, count: Int = 0) {
        self.source = source
        self.count = count
    }

    /// Where in the image, or among the numbered references, the contents stand: the same for those of two containers
    /// only if these are stored once.
    struct Stored: Hashable {
        let keys: Int
        let values: Int
        let count: Int
    }

    var stored: Stored {
        switch source {
        case .none: Stored(keys: -1, values: -1, count: count)
        case .elements(let array): Stored(keys: -1, values: array.start, count: count)
        case .numbered(let start): Stored(keys: -2, values: start, count: count)
        case .entries(let keys, let values): Stored(keys: keys.start, values: values.start, count: count)
        case .numberedEntries(let keys, let values): Stored(keys: -3 - keys, values: values, count: count)
        case .pairs(let pairs, let omitted): Stored(keys: pairs.start, values: -1 - omitted, count: count)
        }
    }

    /// Whether keys are stored in the container itself, so that none is a reference.
    var hasStoredKeys: Bool {
        if case .pairs = source { return true }
        return false
    }

    /// Nothing.
    package static let empty = ViewContents()

    /// What a container of a property list contains.
    package init(of object: StoredObject) {
        let source: Source = object.kind == .dictionary ? .pairs(object, omitting: object.count) : .elements(object)
        self.init(source, count: object.count)
    }
}

/// One of the contents of a container: an element, or a value and its key.
package struct ViewItem: Sendable {
    /// The key, or the name of the field; nil for elements.
    package let key: ViewID?
    /// The value.
    package let id: ViewID
}

extension KeyedArchive {
    /// What a view shows of an object.
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
            return ViewValue(
                .object, ViewContents(.pairs(stored, omitting: member), count: stored.count - 1), class: position)
        }
    }
}
