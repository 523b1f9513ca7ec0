/// Goes through a document as a tree, in the order of a binary file: a dictionary, all its keys, all its values with what
/// is in them. A shared object is met wherever it is referred to; check the expansion before (``Document/checkExpansion(_:)``).
///
/// Iterative, so that no depth can overflow the stack.
struct TreeWalk {
    /// Where an object stands.
    enum Role: Hashable {
        /// The root.
        case root
        /// A key of a dictionary.
        case key
        /// The value under the key with this number.
        case value(ObjectID)
        /// An element of an array or set that is itself the value under the key with this number, if it is one.
        case element(ObjectID?)
    }

    enum Step {
        case scalar(ObjectID, StoredObject, Role)
        case open(ObjectID, StoredObject)
        case close
    }

    private struct Frame {
        let container: StoredObject
        /// The key that the container is the value of.
        let key: ObjectID?
        var next = 0
    }

    private let document: Document
    private var start: ObjectID?
    private var path: [Frame] = []

    /// A walk from the root, or from another object.
    init(_ document: Document, from start: ObjectID? = nil) {
        self.document = document
        self.start = start ?? document.root
    }

    /// The next step, or nil at the end.
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
