package import SaveCodec
import Synchronization

/// What people look at, address, check and compare (<doc:ViewsAndAddresses>): of an archive its object graph, from
/// `$top` down, with references followed; of any other document the document itself.
///
///     $top {root: UID 1}                             dictionary
///     $objects  1 {$class: Map, name: UID 2, …}      └─ root   object, Map
///               2 "Swamp"                               └─ name   string, "Swamp"
///
/// A value of the view has an identity, its ``ViewID``, by which shared objects and cycles are known. Nothing is expanded:
/// values are made when they are asked for, each in constant time. A view is a handle, cheap to keep and to pass on.
package final class ObjectView: Sendable {
    /// The property list.
    package let document: Document
    /// The archive that is in it; nil if it is shown as it is stored.
    package let archive: KeyedArchive?

    /// Where keys are, as addresses look them up.
    let keyIndex = KeyIndex()

    /// What the root reaches, once it has been asked for.
    private let knownGraph = Mutex<ObjectGraph?>(nil)

    /// How saves in its values are opened; nil if they are not.
    package let nesting: Nesting?
    /// The saves in its values that have been opened, and those that could not be; nil for text that holds none.
    private let nestedSaves = Mutex<[ViewID: Result<NestedSave?, Problem>]>([:])

    /// The view of a document as a property list.
    package convenience init(_ document: Document) {
        self.init(document, nil)
    }

    /// The view of an archive as an object graph.
    package convenience init(_ archive: KeyedArchive) {
        self.init(archive.document, archive)
    }

    /// The view of a document as a property list, or as the archive that is in it.
    ///
    /// - Parameter nesting: how saves in its values are opened; nil if they are not.
    package init(_ document: Document, _ archive: KeyedArchive?, nesting: Nesting? = nil) {
        self.document = document
        self.archive = archive
        self.nesting = nesting?.opened(for: document.imageSize)
    }

    /// The view that people expect of a document: the object graph of an archive and of graph JSON, unless they want it
    /// raw.
    package convenience init(
        of document: Document, limits: Limits, isRaw: Bool, nesting: Nesting? = nil
    ) throws(Problem) {
        guard !isRaw else {
            self.init(document, nil, nesting: nesting)
            return
        }
        let document = try document.resolvingGraphJSON()
        let archive = KeyedArchive.isArchive(document) ? try KeyedArchive(document, limits: limits) : nil
        self.init(document, archive, nesting: nesting)
    }

    /// The view of a document that was made of this one's, an archive if this is one.
    package func edited(_ document: Document, limits: Limits) throws(Problem) -> ObjectView {
        ObjectView(
            document, archive == nil ? nil : try KeyedArchive(document, limits: limits), nesting: nesting?.anew)
    }

    /// The value that the others are contents of: the root of the property list, or `$top`.
    package var root: ViewID {
        ViewID(stored: archive?.topID ?? document.root)
    }

    /// What the root reaches, found when it is asked for first.
    package var graph: ObjectGraph {
        knownGraph.withLock { known in
            if let known { return known }
            let graph = ObjectGraph(self)
            known = graph
            return graph
        }
    }

    /// The save in a value, opened when it is asked for first; nil if it holds none.
    func keptSave(
        in id: ViewID, _ open: () throws(Problem) -> NestedSave?
    ) throws(Problem) -> NestedSave? {
        let known: Result<NestedSave?, Problem> = nestedSaves.withLock { saves in
            if let known = saves[id] { return known }
            let save = Result(catching: open)
            saves[id] = save
            return save
        }
        return try known.get()
    }

    /// How many identities there may be; those below have an ``ViewID/index`` below.
    package var count: Int { document.count + (archive?.count ?? 0) }

    /// The value with this identity.
    package subscript(id: ViewID) -> ViewValue {
        guard let archive else { return value(stored: ObjectID(id.index)) }
        guard id.index >= document.count else { return value(stored: ObjectID(id.index)) }
        return archive.value(of: UID(id.index - document.count))
    }

    /// The value with this identity if it is a container; of most scalars it takes less to know that than what they are.
    package func container(_ id: ViewID) -> ViewValue? {
        guard let object = document.container(stored(id)) else { return nil }
        guard archive != nil, id.index >= document.count else { return ViewValue(object, in: document) }
        let value = self[id]
        return value.isContainer ? value : nil
    }

    /// The content at a position of a container.
    package func item(_ position: Int, of contents: ViewContents) -> ViewItem {
        let (key, value) = storedItem(position, of: contents)
        return ViewItem(key: key.map { identity(ofKey: $0, in: contents) }, id: follow(value))
    }

    /// The content at a position of a container.
    package func item(_ position: Int, of container: ViewID) -> ViewItem {
        item(position, of: self[container].contents)
    }

    /// What a container is; nil for a scalar.
    package func kind(of id: ViewID) -> ContainerKind? { container(id).flatMap { ContainerKind($0.form) } }

    /// The stored objects that an item of a container consists of: in an archive a reference is a UID.
    package func storedItem(_ position: Int, of contents: ViewContents) -> (key: ObjectID?, value: ObjectID) {
        switch contents.source {
        case .none: return (nil, document.root)
        case .elements(let array): return (nil, document.reference(position, of: array))
        case .numbered(let start): return (nil, numberedReference(start + position))
        case .entries(let keys, let values):
            return (document.reference(position, of: keys), document.reference(position, of: values))
        case .numberedEntries(let keys, let values):
            return (numberedReference(keys + position), numberedReference(values + position))
        case .pairs(let pairs, let omitted):
            let position = position < omitted ? position : position + 1
            return (document.key(position, of: pairs), document.value(position, of: pairs))
        }
    }

    private func numberedReference(_ position: Int) -> ObjectID {
        archive?.numberedReferences[position] ?? document.root
    }

    /// The text of a value, or nil if it is no string.
    package func text(_ id: ViewID) -> StoredString? {
        guard let object = scalarObject(id), object.kind.isString else { return nil }
        return StoredString(document, object)
    }

    /// The value if it is a scalar, or nil.
    package func scalar(_ id: ViewID) -> Node? {
        guard let object = scalarObject(id) else { return nil }
        return document.node(object)
    }

    /// The identity of a stored value: in an archive, a UID has that of the object that it refers to.
    private func follow(_ id: ObjectID) -> ViewID {
        guard archive != nil, let uid = document.uid(id) else { return ViewID(stored: id) }
        return ViewID(UID(Int(uid)), in: document)
    }

    private func value(stored id: ObjectID) -> ViewValue {
        ViewValue(document.object(id), in: document)
    }
}

/// The identity of a value in a view: an object of the property list, or an object of the archive in it.
package struct ViewID: Sendable, Hashable {
    /// A number from zero, for tables by identity.
    package let index: Int

    package init(stored id: ObjectID) {
        index = id.index
    }

    @inlinable
    init(index: Int) {
        self.index = index
    }

    init(_ uid: UID, in document: Document) {
        index = document.count + uid.index
    }
}

extension ObjectView {
    /// The stored object that a value is: of an object of an archive its entry in `$objects`.
    package func stored(_ id: ViewID) -> ObjectID {
        guard let archive, id.index >= document.count else { return ObjectID(id.index) }
        return document.reference(id.index - document.count, of: archive.objects)
    }

    /// The number of an object of the archive; nil for a value that is stored in place, or in no archive.
    package func uid(_ id: ViewID) -> UID? {
        archive != nil && id.index >= document.count ? UID(id.index - document.count) : nil
    }
}

// MARK: What is stored

extension ObjectView {
    /// The identity of an object of the archive.
    package func id(of uid: UID) -> ViewID {
        ViewID(uid, in: document)
    }

    /// The identity of a stored value that is shown as it stands.
    package func id(stored object: ObjectID) -> ViewID {
        ViewID(stored: object)
    }

    /// The identity of a stored value: a UID has that of the object that it refers to.
    package func identity(of object: ObjectID) -> ViewID { follow(object) }

    /// The identity of a stored key: of a field its name, which is a UID only by mistake, and no reference.
    package func identity(ofKey object: ObjectID, in contents: ViewContents) -> ViewID {
        contents.hasStoredKeys ? ViewID(stored: object) : follow(object)
    }

    /// The object that holds the scalar that a value is or stands for; nil for null, which none may hold.
    package func storedScalar(of id: ViewID) -> ObjectID? {
        guard let archive, let uid = uid(id) else { return stored(id) }
        switch archive.encoding(of: uid) {
        case .scalar(_, let value): return value
        case .null, .nullObject: return nil
        default: return stored(id)
        }
    }

    /// The stored scalar that a value is or stands for, a date as a date; nil for containers.
    package func scalarObject(_ id: ViewID) -> StoredObject? {
        guard let archive, let uid = uid(id) else {
            let object = document.object(ObjectID(id.index))
            return object.kind.isContainer ? nil : object
        }
        return archive.scalar(uid)
    }
}

// MARK: Classes

extension ObjectView {
    /// The class of an object, by position in ``KeyedArchive/classes``; nil for a plain value.
    package func classPosition(of id: ViewID) -> Int? {
        uid(id).flatMap { archive?.classPosition(of: $0) }
    }

    /// The key `$class` of an object, as the object stores it; nil for contents that are not the fields of one.
    package func classKey(of contents: ViewContents) -> ViewID? {
        guard case .pairs(let pairs, let position) = contents.source, position < pairs.count else { return nil }
        return ViewID(stored: document.key(position, of: pairs))
    }
}

extension KeyedArchive {
    /// The identity of the string that the name of a class is, by position in ``classes``.
    package func storedName(ofClass position: Int) -> ViewID {
        ViewID(stored: classes[position].storedName)
    }
}

// MARK: Addresses

/// The tokens of addresses: which one leads to a slot of a container. What a token leads to, see ``AddressTarget``.
extension ObjectView {
    /// Appends the token that leads to the value at a position of a container, and to no other: the key, the field's name,
    /// or the index. A non-string key, and a duplicate key that is not the effective one, have a form such as `=5`
    /// or `#3`.
    package func append(_ position: Int, of id: ViewID, to address: inout JSONPointer) {
        guard let key = item(position, of: id).key else { return address.append(index: position) }
        let token = token(ofKey: key, at: position)
        address.append(target(of: token, in: id) == .slot(position) ? token : .pair(at: position))
    }

    /// The token of an address that leads to a pair with a key if no other pair has that key.
    package func token(ofKey key: ViewID, at position: Int) -> AddressToken {
        AddressToken(key: scalar(key), at: position)
    }
}

// MARK: Annotations

/// What objects stand for, as text for the eye (<doc:ArchiveFormat>).
///
///     NSURL {NS.base: nil, NS.relative: "save.plist"}      save.plist
///     NSIndexSet {NSRangeCount: 2, NSRangeData: …}         1–3, 7
///     SKSpriteNode {_name: "enemy", _position: …}          "enemy" at {12, 34}
///
/// A text is told only where all fields that it takes are what the class says, and is never longer than a few hundred
/// characters. Telling it costs no more for large objects than for small ones.
extension ObjectView {
    /// What an object stands for, on one line and safe to print; nil for values that speak for themselves, and for
    /// classes that are not known.
    package func annotation(of id: ViewID) -> String? {
        guard let archive, let uid = uid(id), let fields = Fields(uid, of: archive) else { return nil }
        return fields.annotation
    }

    /// Whether an object of a class of Foundation needs one of its fields: the class says so, or without it nothing is
    /// left that the object stands for.
    package func isNeeded(_ name: StoredString, in id: ViewID) -> Bool {
        guard let archive, let uid = uid(id), var fields = Fields(uid, of: archive),
            case .fields(let rules, _)? = fields.record.foundation?.layout
        else { return false }
        if rules.contains(where: { $0.isRequired && name.elementsEqual($0.name.description.utf16) }) { return true }
        guard fields.annotation != nil else { return false }
        fields.removed = name
        return fields.annotation == nil
    }

    /// The fields of an object that change if it is to stand for a text such as `{1, 2}`; nil for an object that stands for
    /// no point, size, rectangle, range or the like, and for a text that is none of its kind.
    package func geometryFields(of id: ViewID, reading text: StoredString) -> [(name: String, value: GeometryPart)]? {
        guard let archive, let uid = uid(id) else { return nil }
        return Fields(uid, of: archive)?.fields(ofGeometry: text)
    }

    /// What an object stands for that holds nothing else worth telling; nil for nodes, which hold others.
    package func wholeAnnotation(of id: ViewID) -> String? {
        guard let archive, let position = uid(id).flatMap(archive.classPosition) else { return nil }
        switch archive.classes[position].foundation?.layout {
        case nil, .fields(_, .node?): return nil
        default: return annotation(of: id)
        }
    }

    /// What a value stands for as a field: the components of a vector, which SceneKit keeps in data.
    package func annotation(of id: ViewID, under key: ViewID, in container: ViewID) -> String? {
        guard let archive, case .data(let bytes) = scalar(id), let uid = uid(container),
            let position = archive.classPosition(of: uid), archive.classes[position].name.starts(with: "SCN".utf16),
            let name = text(key), Self.vectors.contains(where: { name.elementsEqual($0.utf16) })
        else { return nil }
        return VectorText.text(of: bytes)
    }

    private static let vectors = ["position", "scale", "eulerAngles", "rotation", "orientation", "transform"]
}
