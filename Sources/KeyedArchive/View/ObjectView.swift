public import SaveCodec

/// What people look at, address, check and compare (design.md §4): of an archive its object graph, from `$top` down, with
/// references followed; of any other document the document itself.
///
///     $top {root: UID 1}                             dictionary
///     $objects  1 {$class: Map, name: UID 2, …}      └─ root   object, Map
///               2 "Swamp"                               └─ name   string, "Swamp"
///
/// A value of the view has an identity, its ``ViewID``, by which shared objects and cycles are known. Nothing is expanded:
/// values are made when they are asked for.
public struct ObjectView: Sendable {
    /// The property list.
    public let document: Document
    /// The archive that is in it; nil if it is shown as it is stored.
    public let archive: KeyedArchive?

    /// The view of a document as a property list.
    public init(_ document: Document) {
        self.document = document
        archive = nil
    }

    /// The view of an archive as an object graph.
    public init(_ archive: KeyedArchive) {
        document = archive.document
        self.archive = archive
    }

    /// The value that the others are contents of: the root of the property list, or `$top`.
    public var root: ViewID {
        ViewID(stored: archive?.topID ?? document.root)
    }

    /// How many identities there may be; those below have an ``ViewID/index`` below.
    public var count: Int { document.count + (archive?.count ?? 0) }

    /// The value with this identity.
    public subscript(id: ViewID) -> ViewValue {
        guard let archive else { return value(stored: ObjectID(id.index)) }
        guard id.index >= document.count else { return value(stored: ObjectID(id.index)) }
        return archive.value(of: UID(id.index - document.count))
    }

    /// The content at a position of a container.
    @inline(__always)
    public func item(_ position: Int, of contents: ViewContents) -> ViewItem {
        switch contents.source {
        case .none:
            return ViewItem(key: nil, id: root)
        case .elements(let array):
            return ViewItem(key: nil, id: follow(document.reference(position, of: array)))
        case .references(let ids):
            return ViewItem(key: nil, id: follow(ids[position]))
        case .entries(let keys, let values):
            return ViewItem(
                key: follow(document.reference(position, of: keys)),
                id: follow(document.reference(position, of: values)))
        case .numberedEntries(let keys, let values):
            return ViewItem(key: follow(keys[position]), id: follow(values[position]))
        case .pairs(let pairs, let omitted):
            let position = position < omitted ? position : position + 1
            return ViewItem(
                key: ViewID(stored: document.key(position, of: pairs)), id: follow(document.value(position, of: pairs)))
        }
    }

    /// The text of a value, or nil if it is no string.
    public func text(_ id: ViewID) -> Text? {
        guard case .string(let text) = scalar(id) else { return nil }
        return text
    }

    /// The value if it is a scalar, or nil. Takes no longer for large collections and objects than for small ones, which
    /// the subscript looks into.
    public func scalar(_ id: ViewID) -> Node? {
        if let archive, let uid = uid(id), case .instance(let position) = archive.entries[uid.index] {
            // An object that stands for a scalar has no more members than `$class` and the value.
            guard archive.classes[Int(position)].standsForScalar, document.object(stored(id)).count <= 2 else {
                return nil
            }
        }
        guard case .scalar(let node) = self[id].form else { return nil }
        return node
    }

    /// The identity of a stored value: in an archive, a UID has that of the object that it refers to.
    @inline(__always)
    private func follow(_ id: ObjectID) -> ViewID {
        guard archive != nil else { return ViewID(stored: id) }
        let object = document.object(id)
        guard object.kind == .uid else { return ViewID(stored: id) }
        return ViewID(UID(Int(document.uid(object))), in: document)
    }

    private func value(stored id: ObjectID) -> ViewValue {
        ViewValue(document.object(id), in: document)
    }
}

/// The identity of a value in a view: an object of the property list, or an object of the archive in it.
public struct ViewID: Sendable, Hashable {
    /// A number from zero, for tables by identity.
    public let index: Int

    package init(stored id: ObjectID) {
        index = id.index
    }

    init(_ uid: UID, in document: Document) {
        index = document.count + uid.index
    }
}

extension ObjectView {
    /// The stored object that a value is: of an object of an archive its entry in `$objects`.
    public func stored(_ id: ViewID) -> ObjectID {
        guard let archive, id.index >= document.count else { return ObjectID(id.index) }
        return document.reference(id.index - document.count, of: archive.objects)
    }

    /// The number of an object of the archive; nil for a value that is stored in place, or in no archive.
    public func uid(_ id: ViewID) -> UID? {
        archive != nil && id.index >= document.count ? UID(id.index - document.count) : nil
    }
}
