/// A walk over all objects reachable from a document's root, which visits each object once, parents before contents.
///
/// The walk is iterative, so depth cannot overflow the stack. It takes time linear in the number of references, even if
/// containers are shared. The address of a visit is computed only on request. If an object has several addresses, the
/// visit has the first.
struct DocumentWalk {
    /// The role of an object in the container through which it was reached.
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

    /// The address of the last visited object. A key has the address of its value.
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
    /// The maximum number of a key's code units in the address of a problem.
    ///
    /// A file can refer to one long key on hundreds of levels, and cause hundreds of problems below them.
    private static let longestShownKey = 200

    /// Appends a step to an address for display: from a container to one of its references. Long keys are shortened.
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

    /// Returns the first address of an object, or the root's address for an unreachable object.
    package func address(of id: ObjectID) -> JSONPointer {
        var walk = DocumentWalk(self)
        while let visit = walk.next() {
            if visit.id == id { return walk.address }
        }
        return .root
    }

    /// Returns the first address of each of the given objects.
    package func addresses(of ids: Set<ObjectID>) -> [ObjectID: JSONPointer] {
        var addresses: [ObjectID: JSONPointer] = [:]
        var walk = DocumentWalk(self)
        while addresses.count < ids.count, let visit = walk.next() {
            if ids.contains(visit.id) { addresses[visit.id] = walk.address }
        }
        return addresses
    }

    /// Calls a closure for each container, and for the scalar in each slot, keys included. A shared scalar is visited
    /// in every slot, a shared container only once.
    ///
    /// The address closure is valid only during the call. The address of a key is that of its value.
    func forEachSlot(_ body: (_ object: StoredObject, _ address: () -> JSONPointer) -> Void) {
        var walk = DocumentWalk(self)
        while let visit = walk.next() {
            let container = visit.object
            if container.kind.isContainer || visit.role == .root { body(container) { walk.address } }
            for position in 0..<container.referenceCount {
                let object = object(reference(position, of: container))
                guard !object.kind.isContainer else { continue }
                body(object) {
                    var address = walk.address
                    append(step: position, of: container, to: &address)
                    return address
                }
            }
        }
    }

    /// The objects that the root reaches, each object once and after its contents.
    ///
    ///     {"a": [1, 2]}     "a", 1, 2, the array, the dictionary
    ///
    /// In reverse order, each object comes before its contents. The search is iterative, so depth cannot overflow the
    /// stack.
    package var contentsFirst: [ObjectID] {
        var order: [ObjectID] = []
        order.reserveCapacity(count)
        var known = Bitmap(count: count)
        var path: [(id: ObjectID, container: StoredObject, next: Int)] = []
        var next: ObjectID? = root
        while true {
            if let id = next, !known.contains(id.index) {
                known.insert(id.index)
                let object = object(id)
                if object.kind.isContainer { path.append((id, object, 0)) } else { order.append(id) }
            }
            guard let (id, container, position) = path.last else { return order }
            if position < container.referenceCount {
                path[path.count - 1].next += 1
                next = reference(position, of: container)
            } else {
                path.removeLast()
                order.append(id)
                next = nil
            }
        }
    }
}
