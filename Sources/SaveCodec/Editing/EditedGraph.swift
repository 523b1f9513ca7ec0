/// The objects of a document during editing: the source's objects with their indices, followed by new ones.
struct EditedGraph {
    enum Added {
        /// An object of ``scalars``.
        case scalar(ObjectID)
        case container(StoredObject.Kind, [UInt32])
    }

    struct Object {
        let kind: StoredObject.Kind
        /// The stored object, in the source or in ``scalars``, or nil for a new container.
        let stored: StoredObject?
        /// The contents of an edited or new container, or nil for any other object.
        let contents: [UInt32]?

        var referenceCount: Int { contents?.count ?? stored?.referenceCount ?? 0 }
        var keyCount: Int { kind == .dictionary ? referenceCount / 2 : 0 }
    }

    let source: Document
    var root: ObjectID
    /// The new scalars, or nil until all have been added.
    var scalars: Document?
    private(set) var added: [Added] = []
    /// The edited containers of the source, with the indices of their contents in ``editedContents``.
    private var edited: NumberTable
    private var editedContents: [[UInt32]] = []
    /// The earlier positions of the members of edited containers, if known.
    var memberOrigins: [Int: [Int?]] = [:]

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
        if let contents = container.contents { return Int(contents[position]) }
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
        var copies = [UInt32?](repeating: nil, count: count)
        for index in isExtended ? unedited : Bitmap(count: 0) { copies[index] = UInt32(truncatingIfNeeded: index) }
        var path: [Frame] = []
        var next: Int? = root.index
        repeat {
            if let index = next {
                let object = self[index]
                if let copy = copies[index] {
                    builder.add(ObjectID(Int(copy)), isShared: isShared(index, in: path.last))
                } else if object.kind.isContainer {
                    builder.open(container(object.kind))
                    path.append(Frame(index: index, container: object))
                } else if let stored = object.stored {
                    copies[index] = UInt32(
                        truncatingIfNeeded: builder.add(stored, of: document(of: index)).index)
                }
            }
            next = nil
            guard let frame = path.last else { break }
            if frame.next < frame.container.referenceCount {
                path[path.count - 1].next += 1
                next = reference(step(frame), of: frame.container)
            } else {
                path.removeLast()
                copies[frame.index] = UInt32(truncatingIfNeeded: builder.close().index)
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
    private func derivation(_ copies: [UInt32?], count: Int) -> Derivation {
        var origins = [UInt32](repeating: Derivation.none, count: count)
        for index in 0..<source.count {
            if let copy = copies[index] { origins[Int(copy)] = UInt32(truncatingIfNeeded: index) }
        }
        var members: [Int: [Int?]] = [:]
        for (index, origins) in memberOrigins {
            if let copy = copies[index] { members[Int(copy)] = origins }
        }
        return Derivation(from: source, origins: origins, members: members)
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
    /// The earlier positions of the members of edited containers, by the containers' new indices.
    private let members: [Int: [Int?]]

    static let none = UInt32.max

    init(from source: Document, origins: [UInt32], members: [Int: [Int?]]) {
        self.source = source.storage
        self.origins = origins
        self.members = members
    }

    /// Whether the document was derived from `document` itself, rather than from another document or a part of it.
    package func isFrom(_ document: Document) -> Bool { source === document.storage }

    /// Returns the earlier position of each member of a container, with nil for a new one. Returns nil if the positions
    /// are unknown.
    package func memberOrigins(of container: ObjectID) -> [Int?]? { members[container.index] }

    /// Returns the original of an object, or nil for a new one.
    package func origin(of object: ObjectID) -> ObjectID? {
        guard object.index < origins.count, origins[object.index] != Self.none else { return nil }
        return ObjectID(Int(origins[object.index]))
    }
}
