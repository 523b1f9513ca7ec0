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
    /// by objects. In containers without an entry, all members have kept their positions.
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
            let number = edited[container.index] ?? editedContents.count
            if number < editedContents.count {
                editedContents[number] = contents
            } else {
                edited[container.index] = number
                editedContents.append(contents)
            }
            return setOrigins(origins, at: number)
        }
        if case .container(let kind, _) = added[container.index - source.count] {
            added[container.index - source.count] = .container(kind, contents)
        }
    }

    private mutating func setOrigins(_ origins: MemberOrigins?, at number: Int) {
        guard !source.isFile, number < memberOrigins.count || !(origins?.areUnmoved ?? false) else { return }
        while memberOrigins.count <= number { memberOrigins.append(MemberOrigins(unmoved: 0)) }
        memberOrigins[number] = origins
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
        let unedited = unedited(contentsComeFirst: isExtended)
        var copies = NumberTable(count: count)
        if isExtended { for index in unedited { copies[index] = index } }
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
        let keptCount = isExtended ? source.count : 0
        var origins = [UInt32](repeating: Derivation.none, count: document.count - keptCount)
        for index in 0..<source.count {
            if let copy = copies[index], copy >= keptCount {
                origins[copy - keptCount] = UInt32(truncatingIfNeeded: index)
            }
        }
        let derivation = Derivation(
            source: source.storage, unedited: unedited, keptCount: keptCount, origins: origins, edited: edited,
            members: memberOrigins)
        return document.with { $0.derivation = derivation }
    }

    /// Returns the objects of the source that are unedited, including their contents.
    ///
    /// - Parameter contentsComeFirst: Whether contents precede their containers in the source's table.
    private func unedited(contentsComeFirst: Bool) -> Bitmap {
        var unedited = Bitmap(count: source.count)
        func isUnedited(_ id: ObjectID, given unedited: Bitmap) -> Bool {
            let object = source.object(id)
            let edited = self.edited[id.index].map { editedContents[$0] }
            guard edited?.count ?? object.referenceCount == object.referenceCount else { return false }
            return (0..<object.referenceCount).allSatisfy { position in
                let reference = source.reference(position, of: object).index
                return unedited.contains(reference)
                    && edited.map { Int(references[Int($0.start) + position]) == reference } ?? true
            }
        }
        if contentsComeFirst {
            for index in 0..<source.count where isUnedited(ObjectID(index), given: unedited) { unedited.insert(index) }
        } else {
            for id in source.contentsFirst where isUnedited(id, given: unedited) { unedited.insert(id.index) }
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
    fileprivate let source: Document.Storage
    /// The objects of the original that are unedited, including their contents.
    fileprivate let unedited: Bitmap
    /// The number of objects that the table takes over from the original, with their indices.
    fileprivate let keptCount: Int
    /// The original of each further object, or ``none`` for a new one. Containers may have been edited.
    fileprivate let origins: [UInt32]
    /// The edited containers of the original, with their indices in ``members``.
    fileprivate let edited: NumberTable
    /// The earlier positions of the members of edited containers, if known. In containers without an entry, all members
    /// have kept their positions.
    fileprivate let members: [MemberOrigins?]

    fileprivate static let none = UInt32.max

    /// Whether the document was derived from `document` itself, rather than from another document or a part of it.
    package func isFrom(_ document: Document) -> Bool { source === document.storage }

    /// The number of containers whose contents were edited at any depth; 0 if it is unknown.
    package var changedCount: Int { keptCount == 0 ? 0 : origins.count { $0 != Self.none } }

    /// Returns the earlier position of each member of a container, with nil for a new one. Returns nil if the positions
    /// are unknown.
    ///
    /// - Parameter count: The number of members.
    package func memberOrigins(of container: ObjectID, count: Int) -> MemberOrigins? {
        guard let origin = origin(of: container) else { return nil }
        guard let number = edited[origin.index], number < members.count else { return MemberOrigins(unmoved: count) }
        return members[number].map { $0.areUnmoved ? MemberOrigins(unmoved: count) : $0 }
    }

    /// Returns the original of an object, or nil for a new one.
    package func origin(of object: ObjectID) -> ObjectID? {
        guard object.index >= keptCount else { return unedited.contains(object.index) ? object : nil }
        let index = object.index - keptCount
        guard index < origins.count, origins[index] != Self.none else { return nil }
        return ObjectID(Int(origins[index]))
    }

    /// Returns the original of an object that is unedited, including its contents; nil for any other object.
    package func uneditedOrigin(of object: ObjectID) -> ObjectID? {
        guard let origin = origin(of: object), unedited.contains(origin.index) else { return nil }
        return origin
    }
}

/// The earlier position of each member of an edited container; nil for a new member.
package struct MemberOrigins: RandomAccessCollection, MutableCollection, Sendable {
    /// The positions, with ``none`` for new members; nil if no member is new or has moved, and at most one run of
    /// members was removed.
    private var list: [UInt32]?
    private let count32: UInt32
    /// The first position of the removed run.
    private var removedStart: UInt32 = 0
    /// The length of the removed run; 0 if every member has kept its position.
    private var removedCount: UInt32 = 0

    private static let none = UInt32.max

    package init(_ positions: some Sequence<Int?>) {
        let list = positions.map(Self.stored)
        self.list = list
        count32 = UInt32(truncatingIfNeeded: list.count)
    }

    /// Creates the positions of members that all have kept their positions and keys.
    package init(unmoved count: Int) {
        count32 = UInt32(truncatingIfNeeded: count)
    }

    /// - Parameters:
    ///   - count: The number of members before the edits.
    ///   - edits: The edits, in ascending order of their positions.
    fileprivate init(of count: Int, after edits: [DocumentEditor.MemberEdit]) {
        let removed = edits.lazy.filter { $0.value == nil }.map(\.position)
        let removedCount = removed.count
        count32 = UInt32(truncatingIfNeeded: count - removedCount)
        guard let first = removed.first else { return }
        guard removed.last == first + removedCount - 1 else {
            var list: [UInt32] = []
            list.reserveCapacity(count - removedCount)
            var next = 0
            for position in removed {
                for kept in next..<position { list.append(Self.stored(kept)) }
                next = position + 1
            }
            for kept in next..<count { list.append(Self.stored(kept)) }
            self.list = list
            return
        }
        removedStart = UInt32(truncatingIfNeeded: first)
        self.removedCount = UInt32(truncatingIfNeeded: removedCount)
    }

    private static func stored(_ position: Int?) -> UInt32 {
        position.map { UInt32(truncatingIfNeeded: $0) } ?? none
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(count32) }

    /// Whether every member has kept its position, and none is new.
    package var areUnmoved: Bool { list == nil && removedCount == 0 }

    /// Whether a member is new.
    package var haveNew: Bool { list?.contains(Self.none) ?? false }

    /// Whether the members that are not new have kept their order.
    package var areOrdered: Bool {
        guard let list else { return true }
        var last = -1
        return list.allSatisfy { origin in
            guard origin != Self.none else { return true }
            defer { last = Int(origin) }
            return Int(origin) > last
        }
    }

    package subscript(position: Int) -> Int? {
        get {
            guard let list else { return position < removedStart ? position : position + Int(removedCount) }
            return list[position] == Self.none ? nil : Int(list[position])
        }
        set {
            if list == nil { list = map(Self.stored) }
            list?[position] = Self.stored(newValue)
        }
    }
}
