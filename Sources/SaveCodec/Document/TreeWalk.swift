/// A walk over a document as a tree, in the order of a binary file: a dictionary, all its keys, then all its values
/// with their contents.
///
/// A shared object is visited once per reference, so check the expansion first (``Document/checkExpansion(_:)``). The
/// walk is iterative, so depth cannot overflow the stack.
struct TreeWalk {
    /// The role of an object in its container.
    enum Role: Hashable {
        case root
        /// A key of a dictionary.
        case key
        /// The value for the given key.
        case value(ObjectID)
        /// An element of an array or set, with the key of that array or set if it is a value of a dictionary.
        case element(ObjectID?)
    }

    enum Step {
        case scalar(ObjectID, StoredObject, Role)
        case open(ObjectID, StoredObject)
        case close
    }

    private struct Frame {
        let container: StoredObject
        /// The key whose value is the container, if any.
        let key: ObjectID?
        var next = 0
    }

    private let document: Document
    private var start: ObjectID?
    private var path: [Frame] = []

    init(_ document: Document, from start: ObjectID? = nil) {
        self.document = document
        self.start = start ?? document.root
    }

    mutating func next() -> Step? {
        if let root = start {
            start = nil
            return enter(root, role: .root)
        }
        guard let frame = path.last else { return nil }
        guard frame.next < frame.container.referenceCount else {
            path.removeLast()
            return .close
        }
        path[path.count - 1].next += 1
        return enter(document.reference(frame.next, of: frame.container), role: role(in: frame))
    }

    private mutating func enter(_ id: ObjectID, role: Role) -> Step {
        let object = document.object(id)
        guard object.kind.isContainer else { return .scalar(id, object, role) }
        if case .value(let key) = role {
            path.append(Frame(container: object, key: key))
        } else {
            path.append(Frame(container: object, key: nil))
        }
        return .open(id, object)
    }

    private func role(in frame: Frame) -> Role {
        guard frame.container.kind == .dictionary else { return .element(frame.key) }
        guard frame.next >= frame.container.count else { return .key }
        return .value(document.key(frame.next - frame.container.count, of: frame.container))
    }
}
