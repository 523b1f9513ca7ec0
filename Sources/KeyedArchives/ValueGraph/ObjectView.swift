package import SaveCodec
import Synchronization

/// The value graph that commands show, address, check and compare (<doc:ViewsAndAddresses>).
///
/// For an archive, it is the object graph from `$top` down, with references followed. For any other document, it is the
/// document itself.
///
///     $top {root: UID 1}                             dictionary
///     $objects  1 {$class: Map, name: UID 2, …}      └─ root   object, Map
///               2 "Swamp"                               └─ name   string, "Swamp"
///
/// Each value has an identity, its ``ViewID``, by which shared objects and cycles are recognized. Nothing is expanded:
/// a value is made on request, in constant time. A view is a handle, cheap to keep and to pass on.
package final class ObjectView: Sendable {
    /// The property list.
    package let document: Document
    /// The archive in the document; nil if the document is shown as stored.
    package let archive: KeyedArchive?

    /// The positions of keys, for address lookups.
    let keyIndex = KeyIndex()

    /// The graph; nil until it is first requested.
    private let knownGraph = Mutex<ContainerGraph?>(nil)

    /// Whether any stored dictionary may have duplicate keys; nil until this is first needed.
    private let knownDuplicates = Mutex<Bool?>(nil)

    /// The options for opening nested saves; nil if they are not opened.
    package let nesting: NestedSaveOptions?
    /// The results of opening nested saves. For the reason of the type, see ``KeyIndex``.
    private struct KeptSaves {
        /// The result for each value in which a nested save has been looked up; nil for a value that holds none.
        var byKey: [NestedSaveKey: Result<NestedSave?, Problem>] = [:]
    }

    private let nestedSaves = Mutex(KeptSaves())

    /// Creates the view of a document as a property list.
    package convenience init(_ document: Document) {
        self.init(document, nil)
    }

    /// Creates the view of an archive as an object graph.
    package convenience init(_ archive: KeyedArchive) {
        self.init(archive.document, archive)
    }

    /// Creates the view of a document as a property list, or as the archive in it.
    ///
    /// - Parameter nesting: The options for opening nested saves; nil if they are not opened.
    package init(_ document: Document, _ archive: KeyedArchive?, nesting: NestedSaveOptions? = nil) {
        self.document = document
        self.archive = archive
        self.nesting = nesting?.opened(for: document.imageSize)
    }

    /// Creates the view that users expect of a document: the object graph of an archive or of graph JSON, or the
    /// property list if `isRaw`.
    package convenience init(
        of document: Document, limits: Limits, isRaw: Bool, nesting: NestedSaveOptions? = nil
    ) throws(Problem) {
        guard !isRaw else {
            self.init(document, nil, nesting: nesting)
            return
        }
        let document = try document.resolvingGraphJSON()
        let archive = KeyedArchive.isArchive(document) ? try KeyedArchive(document, limits: limits).showingRuns() : nil
        self.init(archive?.document ?? document, archive, nesting: nesting)
    }

    /// Returns the view of an edited version of this view's document, as an archive if this view shows one.
    package func edited(_ document: Document, limits: Limits) throws(Problem) -> ObjectView {
        guard archive != nil else { return ObjectView(document, nil, nesting: nesting?.withoutBudget) }
        let archive = try KeyedArchive(document, limits: limits).showingRuns()
        return ObjectView(archive.document, archive, nesting: nesting?.withoutBudget)
    }

    /// The root of the value graph: the root of the property list, or `$top`.
    package var root: ViewID { ViewID(stored: archive?.topID ?? document.root) }

    /// The containers that the root reaches, found on first use.
    package var graph: ContainerGraph {
        knownGraph.withLock { known in
            if let known { return known }
            let graph = ContainerGraph(self)
            known = graph
            return graph
        }
    }

    /// Whether a container may have duplicate keys. The first call takes one pass over the document.
    ///
    /// An address with a duplicate key leads only to its effective value. The address of any other pair contains its
    /// position:
    ///
    ///     {"a": 1, "a": 2}     /a is 2, and /~#0 is 1
    package func mayHaveDuplicateKeys(in container: ViewValue) -> Bool {
        guard container.contents.count > 1 else { return false }
        switch container.variant {
        case .scalar, .array, .set: return false
        // An archived dictionary stores its keys in an array, which may contain an object twice.
        case .dictionary where container.classPosition != nil: return true
        case .dictionary, .object: break
        }
        return knownDuplicates.withLock { known in
            if let known { return known }
            let mayHaveDuplicates = document.mayHaveDuplicateKeys
            known = mayHaveDuplicates
            return mayHaveDuplicates
        }
    }

    /// Returns the nested save in a value, opened on first use; nil if the value holds no save.
    func keptSave(
        _ key: NestedSaveKey, _ open: () throws(Problem) -> NestedSave?
    ) throws(Problem) -> NestedSave? {
        let known: Result<NestedSave?, Problem> = nestedSaves.withLock { saves in
            if let known = saves.byKey[key] { return known }
            let save = Result(catching: open)
            saves.byKey[key] = save
            return save
        }
        return try known.get()
    }

    /// The upper bound of all ``ViewID/index`` values.
    package var count: Int { document.count + (archive?.count ?? 0) }

    /// The identities of all values, reachable or not. A value that is stored as an object of an archive has two.
    package var ids: some Sequence<ViewID> { (0..<count).lazy.map { ViewID(index: $0) } }

    /// Returns the value with an identity.
    package subscript(id: ViewID) -> ViewValue {
        guard let archive else { return value(stored: ObjectID(id.index)) }
        guard id.index >= document.count else { return value(stored: ObjectID(id.index)) }
        return archive.value(of: UID(id.index - document.count))
    }

    /// Returns the value with an identity if it is a container. For most scalars, this is cheaper than reading the
    /// value.
    package func container(_ id: ViewID) -> ViewValue? {
        guard let object = document.container(stored(id)) else { return nil }
        guard archive != nil, id.index >= document.count else { return ViewValue(object, in: document) }
        let value = self[id]
        return value.isContainer ? value : nil
    }

    /// Returns the item at a position of a container's contents.
    package func item(_ position: Int, of contents: ViewContents) -> ViewItem {
        let (key, value) = storedItem(position, of: contents)
        return ViewItem(key: key.map { identity(ofKey: $0, in: contents) }, id: follow(value))
    }

    /// Returns the item at a position of a container.
    package func item(_ position: Int, of container: ViewID) -> ViewItem {
        item(position, of: self[container].contents)
    }

    /// Returns the kind of a container, or nil for a scalar.
    package func kind(of id: ViewID) -> ContainerKind? { container(id).flatMap { ContainerKind($0.variant) } }

    /// Returns the stored objects of an item; in an archive, a reference is a UID.
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

    /// Returns the text of a string, or nil for any other value.
    package func text(_ id: ViewID) -> StoredString? {
        guard let object = scalarObject(id), object.kind.isString else { return nil }
        return StoredString(document, object)
    }

    /// Returns a scalar, or nil for a container.
    package func scalar(_ id: ViewID) -> Node? {
        guard let object = scalarObject(id) else { return nil }
        return document.node(object)
    }

    /// Returns the identity of a stored value. A UID in an archive has the identity of its target.
    private func follow(_ id: ObjectID) -> ViewID {
        guard archive != nil, let uid = document.uid(id) else { return ViewID(stored: id) }
        return ViewID(UID(Int(uid)), in: document)
    }

    private func value(stored id: ObjectID) -> ViewValue {
        ViewValue(document.object(id), in: document)
    }
}

/// The key of a search for a nested save: the location of the bytes, because several objects may share them.
package struct NestedSaveKey: Hashable {
    private let start: Int
    private let count: Int
    private let isData: Bool
    private let isUTF16: Bool
    /// Whether the search is for any save that an address can enter. Otherwise, it is only for a save that all views
    /// open.
    private let isEntered: Bool

    /// Creates the key of a search in a value; nil for a container.
    package init?(_ id: ViewID, in view: ObjectView, isEntered: Bool = false) {
        guard let object = view.scalarObject(id) else { return nil }
        (start, count, isData, isUTF16) = (
            object.start, object.count, object.kind == .data, object.kind == .utf16String
        )
        self.isEntered = isEntered
    }
}

/// The identity of a value in a view: an object of the property list, or an object of the archive in it.
package struct ViewID: Sendable, Hashable {
    /// A number from 0, for tables that are indexed by identity.
    package let index: Int

    init(stored id: ObjectID) {
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
    /// Returns the stored object of a value. For an object of an archive, this is its entry in `$objects`.
    package func stored(_ id: ViewID) -> ObjectID {
        guard let archive, id.index >= document.count else { return ObjectID(id.index) }
        return document.reference(id.index - document.count, of: archive.objects)
    }

    /// Returns the UID of an object of the archive, or nil for a value that is stored in place or outside an archive.
    package func uid(_ id: ViewID) -> UID? {
        archive != nil && id.index >= document.count ? UID(id.index - document.count) : nil
    }
}

// MARK: Stored objects

extension ObjectView {
    /// Returns the identity of an object of the archive.
    package func id(of uid: UID) -> ViewID {
        ViewID(uid, in: document)
    }

    /// Returns the identity of a stored value that is shown as stored, without following UIDs.
    package func id(stored object: ObjectID) -> ViewID {
        ViewID(stored: object)
    }

    /// Returns the identity of a stored value. A UID has the identity of the object that it refers to.
    package func identity(of object: ObjectID) -> ViewID { follow(object) }

    /// Returns the identity of a stored key. A key in the container itself, such as a field name, is not followed, even
    /// if it is a UID by mistake.
    package func identity(ofKey object: ObjectID, in contents: ViewContents) -> ViewID {
        contents.hasStoredKeys ? ViewID(stored: object) : follow(object)
    }

    /// Returns the stored object that holds a scalar's value, or nil for null, which has none.
    package func storedScalar(of id: ViewID) -> ObjectID? {
        guard let archive, let uid = uid(id) else { return stored(id) }
        switch archive.encoding(of: uid) {
        case .scalar(_, let value): return value
        case .null, .nullObject: return nil
        default: return stored(id)
        }
    }

    /// Returns the approximate byte count of a value in JSON, without the contents of a container.
    package func ownSize(of id: ViewID) -> Int {
        let name = self[id].classPosition.flatMap { archive?.classes[$0].name }
        return 1 + document.object(storedScalar(of: id) ?? stored(id)).ownSize + (name?.count ?? 0)
    }

    /// Returns the stored scalar of a value; nil for containers. The seconds in an NSDate become a date.
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
    /// Returns the class of an object, by position in ``KeyedArchive/classes``, or nil for a plain value.
    package func classPosition(of id: ViewID) -> Int? {
        uid(id).flatMap { archive?.classPosition(of: $0) }
    }

    /// Returns the stored key `$class` of an object, or nil for contents that are not the fields of an object.
    package func classKey(of contents: ViewContents) -> ViewID? {
        guard case .pairs(let pairs, let position) = contents.source, position < pairs.count else { return nil }
        return ViewID(stored: document.key(position, of: pairs))
    }
}

extension KeyedArchive {
    /// Returns the identity of the string that stores a class name, by position in ``classes``.
    package func storedName(ofClass position: Int) -> ViewID {
        ViewID(stored: classes[position].storedName)
    }
}

// MARK: Addresses

/// Address tokens of slots. ``TokenTarget`` describes the opposite direction.
extension ObjectView {
    /// Appends the token of a slot to the address of its container.
    ///
    /// The token is the key, the field name, or the index. A non-string key has a token such as `=5`; a duplicate key
    /// that is not the effective one has a token such as `#3`.
    package func append(_ position: Int, of id: ViewID, to address: inout JSONPointer) {
        guard let key = item(position, of: id).key else { return address.append(index: position) }
        let token = token(ofKey: key, at: position)
        address.append(target(of: token, in: id) == .slot(position) ? token : .pair(at: position))
    }

    /// Returns the address token of a pair, provided that no other pair has the same key.
    package func token(ofKey key: ViewID, at position: Int) -> AddressToken {
        AddressToken(key: scalar(key), at: position)
    }
}

// MARK: Annotations

/// Annotations: short texts that say what an object represents (<doc:ArchiveFormat>).
///
///     NSURL {NS.base: nil, NS.relative: "save.plist"}      save.plist
///     NSIndexSet {NSRangeCount: 2, NSRangeData: …}         1–3, 7
///     SKSpriteNode {_name: "enemy", _position: …}          "enemy" at {12, 34}
///
/// An object has an annotation only if all fields used have the kinds that its class prescribes. An annotation is never
/// longer than a few hundred characters, and its cost does not depend on the size of the object.
extension ObjectView {
    /// Returns the annotation of an object, on one line and safe to print; nil for plain values and for unknown
    /// classes.
    package func annotation(of id: ViewID) -> String? {
        guard let archive, let uid = uid(id), let fields = ObjectFields(uid, of: archive) else { return nil }
        return fields.annotation
    }

    /// Returns the annotation of an object such as an NSUUID or an NSColor, whose fields hold bytes or numbers instead
    /// of the shown text. Returns nil for any other value.
    package func shownText(of id: ViewID) -> StoredString? {
        guard let archive, let uid = uid(id), let fields = ObjectFields(uid, of: archive), fields.isPacked,
            let text = fields.annotation
        else { return nil }
        var builder = DocumentBuilder()
        builder.add(string: text)
        return (try? builder.finish()).flatMap { $0.text($0.root) }
    }

    /// Whether an object of a Foundation class needs a field: the class requires it, or without it the object has no
    /// annotation.
    package func isNeeded(_ name: StoredString, in id: ViewID) -> Bool {
        guard let archive, let uid = uid(id), var fields = ObjectFields(uid, of: archive),
            case .fields(let rules, _)? = fields.record.foundation?.layout
        else { return false }
        if showsRuns(of: id) {
            return name.elementsEqual(AttributedStrings.Field.text.utf16)
        }
        if rules.contains(where: { $0.isRequired && name.elementsEqual($0.name.description.utf16) }) { return true }
        guard fields.annotation != nil else { return false }
        fields.removed = name
        return fields.annotation == nil
    }

    /// Returns the fields to change so that an object represents a text such as `{1, 2}`.
    ///
    /// - Returns: nil if the object is not a point, a size, a rectangle, a range or the like, a UUID or a URL, or if the
    ///   text does not have the syntax for such an object.
    package func fields(of id: ViewID, reading text: StoredString) -> [(name: String, value: AnnotationFieldValue)]? {
        guard let archive, let uid = uid(id) else { return nil }
        return ObjectFields(uid, of: archive)?.fields(ofAnnotation: text)
    }

    /// Returns the annotation of an object if it describes the object completely; nil for nodes, which contain other
    /// objects, and for attributed strings with attributes.
    package func wholeAnnotation(of id: ViewID) -> String? {
        guard let archive, let position = uid(id).flatMap(archive.classPosition) else { return nil }
        switch archive.classes[position].foundation?.layout {
        case nil, .fields(_, .node?): return nil
        case .fields(_, .attributedString?) where self[id].contents.count > 1: return nil
        default: return annotation(of: id)
        }
    }

    /// Returns the annotation of a value in a field: the components of a vector that SceneKit stores in data.
    package func annotation(of id: ViewID, under key: ViewID, in container: ViewID) -> String? {
        guard let archive, case .data(let bytes) = scalar(id), let uid = uid(container),
            let position = archive.classPosition(of: uid), archive.classes[position].name.starts(with: "SCN".utf16),
            let name = text(key), Self.vectors.contains(where: { name.elementsEqual($0.utf16) })
        else { return nil }
        return VectorText.text(of: bytes)
    }

    private static let vectors = ["position", "scale", "eulerAngles", "rotation", "orientation", "transform"]
}
