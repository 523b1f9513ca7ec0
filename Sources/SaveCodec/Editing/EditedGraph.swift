/// The objects of a document during editing: the source's objects with their indices, followed by new ones.
struct EditedGraph {
    enum Added {
        /// An object of ``scalars``.
        case scalar(ObjectID)
        case container(StoredObject.Kind, Contents)
    }

    /// The contents of an edited or new container: a range of ``references``.
    struct Contents {
        fileprivate let start: UInt32
        fileprivate let length: UInt32

        var count: Int { Int(length) }

        static let empty = Contents(start: 0, length: 0)
    }

    struct Object {
        let kind: StoredObject.Kind
        /// The stored object, in the source or in ``scalars``, or nil for a new container.
        let stored: StoredObject?
        /// The contents of an edited or new container, or nil for any other object.
        let contents: Contents?

        var referenceCount: Int { contents?.count ?? stored?.referenceCount ?? 0 }
        var keyCount: Int { kind == .dictionary ? referenceCount / 2 : 0 }
    }

    let source: Document
    var root: ObjectID
    /// The new scalars, or nil until all have been added.
    var scalars: Document?
    private(set) var added: [Added] = []
    /// The contents of edited and new containers, one after the other.
    private var references: [UInt32] = []
    /// The edited containers of the source, with their indices in ``editedContents`` and ``memberOrigins``.
    private var edited: NumberTable
    private var editedContents: [Contents] = []
    /// The earlier positions of the members of edited containers, if known; empty for a binary file, which is laid out
    /// by objects.
    private var memberOrigins: [MemberOrigins?] = []

    init(_ source: Document) {
        self.source = source
        root = source.root
        edited = NumberTable(count: source.count)
    }

    var count: Int { source.count + added.count }

    mutating func add(_ object: Added) -> ObjectID {
        added.append(object)
        return ObjectID(count - 1)
    }

    mutating func setContents(
        of container: ObjectID, to contents: some Sequence<ObjectID>, origins: MemberOrigins?
    ) {
        let start = references.count
        for object in contents { append(object) }
        setContents(of: container, from: start, origins: origins)
    }

    /// Sets the contents of a container to the references added since `start`.
    private mutating func setContents(of container: ObjectID, from start: Int, origins: MemberOrigins?) {
        let contents = Contents(
            start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: references.count - start))
        guard container.index >= source.count else {
            if let number = edited[container.index] {
                editedContents[number] = contents
                if !source.isFile { memberOrigins[number] = origins }
            } else {
                edited[container.index] = editedContents.count
                editedContents.append(contents)
                if !source.isFile { memberOrigins.append(origins) }
            }
            return
        }
        if case .container(let kind, _) = added[container.index - source.count] {
            added[container.index - source.count] = .container(kind, contents)
        }
    }

    /// Replaces and removes members of an unedited container of the source.
    mutating func editMembers(of container: ObjectID, _ edits: [DocumentEditor.MemberEdit]) {
        let source = source
        let stored = source.object(container)
        let start = references.count
        let isKeyed = stored.kind == .dictionary
        if isKeyed { addReferences(from: 0, of: stored, edits) { source.key($0.position, of: stored) } }
        addReferences(from: isKeyed ? stored.count : 0, of: stored, edits) { $0.value }
        let origins = source.isFile ? nil : MemberOrigins(of: stored.count, after: edits)
        setContents(of: container, from: start, origins: origins)
    }

    /// Adds a reference for each member of a container of the source.
    ///
    /// - Parameters:
    ///   - first: The position of the first member's reference.
    ///   - edited: Returns the reference of a member with a new value.
    @inline(__always)
    private mutating func addReferences(
        from first: Int, of stored: StoredObject, _ edits: [DocumentEditor.MemberEdit],
        edited: (DocumentEditor.MemberEdit) -> ObjectID?
    ) {
        var next = 0
        for edit in edits {
            for position in next..<edit.position { append(source.reference(first + position, of: stored)) }
            if edit.value != nil, let reference = edited(edit) { append(reference) }
            next = edit.position + 1
        }
        for position in next..<stored.count { append(source.reference(first + position, of: stored)) }
    }

    private mutating func append(_ reference: ObjectID) {
        references.append(UInt32(truncatingIfNeeded: reference.index))
    }

    func isNew(_ index: Int) -> Bool { index >= source.count }

    /// Whether an object is new, or a container whose contents were edited.
    func isChanged(_ index: Int) -> Bool { isNew(index) || edited[index] != nil }

    /// The edited containers of the source, in ascending order.
    var editedContainers: [Int] { edited.entries }

    subscript(index: Int) -> Object {
        guard isNew(index) else {
            let stored = source.object(ObjectID(index))
            return Object(
                kind: stored.kind, stored: stored, contents: edited[index].map { editedContents[$0] })
        }
        switch added[index - source.count] {
        case .container(let kind, let contents): return Object(kind: kind, stored: nil, contents: contents)
        case .scalar(let id):
            let stored = (scalars ?? source).object(id)
            return Object(kind: stored.kind, stored: stored, contents: nil)
        }
    }

    /// Returns the index of the object at a position of a container. A dictionary has all keys before all values.
    @inline(__always)
    func reference(_ position: Int, of container: Object) -> Int {
        if let contents = container.contents { return Int(references[Int(contents.start) + position]) }
        guard let stored = container.stored else { return root.index }
        return source.reference(position, of: stored).index
    }

    /// Returns the document that holds the bytes of a scalar.
    func document(of index: Int) -> Document {
        isNew(index) ? scalars ?? source : source
    }
}

// MARK: The edited document

extension EditedGraph {
    private struct Frame {
        let index: Int
        let container: Object
        var next = 0
    }

    /// Returns the edited document of a source that is not a binary file.
    ///
    /// If the source was made by a builder, its objects come first. New objects follow, and copies of the containers
    /// whose contents were edited at any depth. From any other source, all reachable objects are copied.
    ///
    /// - Precondition: No cycle is reachable from the root (see ``EditCheck``).
    func rebuilt() throws(Problem) -> Document {
        let isExtended = source.table.referenceSize == DocumentBuilder.referenceSize
        var builder =
            isExtended ? DocumentBuilder(extending: source) : DocumentBuilder(expectedSize: source.imageSize)
        var copies = NumberTable(count: count)
        for index in isExtended ? unedited : Bitmap(count: 0) { copies[index] = index }
        var path: [Frame] = []
        var next: Int? = root.index
        repeat {
            if let index = next {
                let object = self[index]
                if let copy = copies[index] {
                    builder.add(ObjectID(copy), isShared: isShared(index, in: path.last))
                } else if object.kind.isContainer {
                    builder.open(container(object.kind))
                    path.append(Frame(index: index, container: object))
                } else if let stored = object.stored {
                    copies[index] = builder.add(stored, of: document(of: index)).index
                }
            }
            next = nil
            guard let frame = path.last else { break }
            if frame.next < frame.container.referenceCount {
                path[path.count - 1].next += 1
                next = reference(step(frame), of: frame.container)
            } else {
                path.removeLast()
                copies[frame.index] = builder.close().index
            }
        } while true
        let document = try builder.finish(editing: source)
        return document.with { $0.derivation = derivation(copies, count: document.count) }
    }

    /// The objects of the source that are unedited, including their contents. In the source's table, contents precede
    /// their containers, so one pass suffices.
    private var unedited: Bitmap {
        var unedited = Bitmap(count: source.count)
        for index in 0..<source.count where !isChanged(index) {
            let object = source.object(ObjectID(index))
            if (0..<object.referenceCount).allSatisfy({ unedited.contains(source.reference($0, of: object).index) }) {
                unedited.insert(index)
            }
        }
        return unedited
    }

    /// Whether this reference may make an object a shared container. References from unedited containers, and to a root
    /// that stays the root, existed before the edits.
    private func isShared(_ index: Int, in frame: Frame?) -> Bool {
        guard self[index].kind.isContainer else { return false }
        guard let frame else { return index != source.root.index }
        return isChanged(frame.index)
    }

    /// Returns the relation of the new document to the source.
    ///
    /// - Parameters:
    ///   - copies: The indices of the objects in the new document.
    ///   - count: The number of objects in the new document.
    private func derivation(_ copies: NumberTable, count: Int) -> Derivation {
        var origins = [UInt32](repeating: Derivation.none, count: count)
        for index in 0..<source.count {
            if let copy = copies[index] { origins[copy] = UInt32(truncatingIfNeeded: index) }
        }
        return Derivation(from: source, origins: origins, edited: edited, members: memberOrigins)
    }

    /// Returns the position of the next reference. A builder expects alternating keys and values.
    private func step(_ frame: Frame) -> Int {
        let pairs = frame.container.keyCount
        guard pairs > 0 else { return frame.next }
        return frame.next % 2 == 0 ? frame.next / 2 : pairs + frame.next / 2
    }

    private func container(_ kind: StoredObject.Kind) -> DocumentBuilder.Container {
        switch kind {
        case .dictionary: source.lastDuplicateWins ? .textDictionary : .dictionary
        case .set: .set
        default: .array
        }
    }
}

/// The relation of an edited document to its original: which objects are the same, and the earlier positions of the
/// members of edited containers.
///
///     before  #0 [#1, #1, #2]     after  #0 [#1, #3]     origins  #1: #1     members of #0: [1, –]
package struct Derivation: Sendable {
    private let source: Document.Storage
    /// The original of each object, or ``none`` for a new one. Containers may have been edited.
    private let origins: [UInt32]
    /// The edited containers of the original, with their indices in ``members``.
    private let edited: NumberTable
    /// The earlier positions of the members of edited containers, if known.
    private let members: [MemberOrigins?]

    static let none = UInt32.max

    init(from source: Document, origins: [UInt32], edited: NumberTable, members: [MemberOrigins?]) {
        self.source = source.storage
        self.origins = origins
        self.edited = edited
        self.members = members
    }

    /// Whether the document was derived from `document` itself, rather than from another document or a part of it.
    package func isFrom(_ document: Document) -> Bool { source === document.storage }

    /// Returns the earlier position of each member of a container, with nil for a new one. Returns nil if the positions
    /// are unknown.
    ///
    /// - Parameter count: The number of members.
    package func memberOrigins(of container: ObjectID, count: Int) -> MemberOrigins? {
        guard let origin = origin(of: container) else { return nil }
        guard let number = edited[origin.index] else { return MemberOrigins(unmoved: count) }
        return members[number]
    }

    /// Returns the original of an object, or nil for a new one.
    package func origin(of object: ObjectID) -> ObjectID? {
        guard object.index < origins.count, origins[object.index] != Self.none else { return nil }
        return ObjectID(Int(origins[object.index]))
    }
}

/// The earlier position of each member of an edited container; nil for a new member.
package struct MemberOrigins: RandomAccessCollection, MutableCollection, Sendable {
    /// The positions; nil if every member has kept its position.
    private var list: [Int?]?
    package let endIndex: Int

    package init(_ list: [Int?]) {
        self.list = list
        endIndex = list.count
    }

    fileprivate init(unmoved count: Int) {
        endIndex = count
    }

    /// - Parameters:
    ///   - count: The number of members before the edits.
    ///   - edits: The edits, in ascending order of their positions.
    fileprivate init(of count: Int, after edits: [DocumentEditor.MemberEdit]) {
        let removed = edits.lazy.filter { $0.value == nil }.map(\.position)
        endIndex = count - removed.count
        guard endIndex < count else { return }
        var list: [Int?] = []
        list.reserveCapacity(endIndex)
        var next = 0
        for position in removed {
            for kept in next..<position { list.append(kept) }
            next = position + 1
        }
        for kept in next..<count { list.append(kept) }
        self.list = list
    }

    package var startIndex: Int { 0 }

    /// Whether every member has kept its position, and none is new.
    package var areUnmoved: Bool { list == nil }

    package subscript(position: Int) -> Int? {
        get {
            guard let list else { return position }
            return list[position]
        }
        set {
            if list == nil { list = Array(self) }
            list?[position] = newValue
        }
    }
}
