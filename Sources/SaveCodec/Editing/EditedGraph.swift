/// The objects of a document under edit: those of the source by their numbers, new ones behind.
struct EditedGraph {
    /// An object that the source does not have.
    enum Added {
        /// An object of ``scalars``.
        case scalar(ObjectID)
        case container(StoredObject.Kind, [UInt32])
    }

    /// An object as it is now.
    struct Object {
        let kind: StoredObject.Kind
        /// Where the object is stored: in the source, or among the new scalars; nil for a new container.
        let stored: StoredObject?
        /// The contents of an edited or new container; nil for all others.
        let contents: [UInt32]?

        var referenceCount: Int { contents?.count ?? stored?.referenceCount ?? 0 }
        var keyCount: Int { kind == .dictionary ? referenceCount / 2 : 0 }
    }

    let source: Document
    var root: ObjectID
    /// The new scalars, once all are there.
    var scalars: Document?
    private(set) var added: [Added] = []
    /// The containers of the source that were edited, with their numbers in ``editedContents``.
    private var edited: NumberTable
    private var editedContents: [[UInt32]] = []
    /// Where members of edited containers were, as far as it was told.
    var memberOrigins: [Int: [Int?]] = [:]

    init(_ source: Document) {
        self.source = source
        root = source.root
        edited = NumberTable(count: source.count)
    }

    /// How many objects there are, old and new.
    var count: Int { source.count + added.count }

    mutating func add(_ object: Added) -> ObjectID {
        added.append(object)
        return ObjectID(count - 1)
    }

    mutating func setContents(of container: ObjectID, to contents: [UInt32]) {
        guard container.index >= source.count else {
            if let number = edited[container.index] {
                editedContents[number] = contents
            } else {
                edited[container.index] = editedContents.count
                editedContents.append(contents)
            }
            return
        }
        if case .container(let kind, _) = added[container.index - source.count] {
            added[container.index - source.count] = .container(kind, contents)
        }
    }

    func isNew(_ index: Int) -> Bool { index >= source.count }

    /// Whether an object is new, or a container with other contents than in the source.
    func isChanged(_ index: Int) -> Bool { isNew(index) || edited[index] != nil }

    /// The containers of the source that were edited, in order.
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

    /// The number of the object that a container refers to at a position: elements, or keys and then values.
    @inline(__always)
    func reference(_ position: Int, of container: Object) -> Int {
        if let contents = container.contents { return Int(contents[position]) }
        guard let stored = container.stored else { return root.index }
        return source.reference(position, of: stored).index
    }

    /// The document that holds the bytes of a scalar.
    func document(of index: Int) -> Document {
        isNew(index) ? scalars ?? source : source
    }
}
