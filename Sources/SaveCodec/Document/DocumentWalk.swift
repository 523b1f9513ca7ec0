/// Visits every object that a document's root reaches, once, parents before their contents.
///
/// Iterative, so that no depth can overflow the stack; linear in the number of references, so that no sharing can
/// multiply the work. The address of a visit is composed only when asked for: of an object that can be reached by several
/// paths it is the first.
struct DocumentWalk {
    /// What an object is to the container that it was reached through.
    enum Role {
        case root, element, key, value
    }

    struct Visit {
        let id: ObjectID
        let object: StoredObject
        let role: Role
    }

    private struct Frame {
        let container: StoredObject
        var next = 0
    }

    private let document: Document
    private var visited: [Bool]
    private var frames: [Frame] = []
    private var started = false
    private var lastWasContainer = false

    init(_ document: Document) {
        self.document = document
        visited = [Bool](repeating: false, count: document.count)
    }

    /// The next object, or nil when all have been visited.
    mutating func next() -> Visit? {
        if !started {
            started = true
            return visit(document.root, role: .root)
        }
        while let frame = frames.last {
            guard frame.next < frame.container.referenceCount else {
                frames.removeLast()
                continue
            }
            frames[frames.count - 1].next += 1
            let id = document.reference(frame.next, of: frame.container)
            if !visited[id.index] { return visit(id, role: Self.role(frame)) }
        }
        return nil
    }

    /// The address of the object visited last. A key has the address of its value.
    var address: JSONPointer {
        var address = JSONPointer.root
        for frame in lastWasContainer ? frames.dropLast() : frames[...] {
            document.append(step: frame.next - 1, of: frame.container, to: &address)
        }
        return address
    }

    private mutating func visit(_ id: ObjectID, role: Role) -> Visit {
        visited[id.index] = true
        let object = document.object(id)
        lastWasContainer = object.kind.isContainer
        if lastWasContainer { frames.append(Frame(container: object)) }
        return Visit(id: id, object: object, role: role)
    }

    private static func role(_ frame: Frame) -> Role {
        guard frame.container.kind == .dictionary else { return .element }
        return frame.next < frame.container.count ? .key : .value
    }
}

extension Document {
    /// How much of a key an address of a problem shows. A file can refer to one long key on hundreds of levels, and
    /// report hundreds of problems below.
    private static let longestShownKey = 200

    /// Goes one step down from a container, to its reference number `position`, in an address to be shown: a long key is
    /// cut off.
    package func append(step position: Int, of container: StoredObject, to address: inout JSONPointer) {
        guard container.kind == .dictionary else {
            address.append(index: position)
            return
        }
        let pair = position < container.count ? position : position - container.count
        let key = object(self.key(pair, of: container))
        if key.kind.isString {
            let text = StoredString(self, key)
            address.append(key: text.prefix(Self.longestShownKey))
            if text.count > Self.longestShownKey { address.append(toLast: "…") }
        } else {
            address.append(AddressToken(key: node(key), at: pair))
        }
    }
}

extension Document {
    /// The address at which an object stands first; that of the root for one that the root does not reach.
    package func address(of id: ObjectID) -> JSONPointer {
        var walk = DocumentWalk(self)
        while let visit = walk.next() {
            if visit.id == id { return walk.address }
        }
        return .root
    }

    /// The addresses at which some objects stand first.
    func addresses(of ids: Set<ObjectID>) -> [ObjectID: JSONPointer] {
        var addresses: [ObjectID: JSONPointer] = [:]
        var walk = DocumentWalk(self)
        while addresses.count < ids.count, let visit = walk.next() {
            if ids.contains(visit.id) { addresses[visit.id] = walk.address }
        }
        return addresses
    }
}
