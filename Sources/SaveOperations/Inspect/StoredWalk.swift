import SaveCodec

/// Goes through a stored value and what it holds in place, containers before their contents. UIDs are not followed.
///
/// Iterative, so that no depth can overflow the stack; it keeps its memory from one value to the next.
struct StoredWalk {
    struct Visit {
        let id: ObjectID
        let object: StoredObject
        let isKey: Bool
    }

    private let document: Document
    private var start: ObjectID?
    private var path: [(container: StoredObject, next: Int)] = []

    init(_ document: Document) {
        self.document = document
    }

    /// Begins with another value.
    mutating func begin(_ id: ObjectID) {
        path.removeAll(keepingCapacity: true)
        start = id
    }

    /// The next value, the one that it began with first; nil at the end.
    mutating func next() -> Visit? {
        if let id = start {
            start = nil
            return visit(id, isKey: false)
        }
        while let (container, next) = path.last {
            guard next < container.referenceCount else {
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            let isKey = container.kind == .dictionary && next < container.count
            return visit(document.reference(next, of: container), isKey: isKey)
        }
        return nil
    }

    private mutating func visit(_ id: ObjectID, isKey: Bool) -> Visit {
        let object = document.object(id)
        if object.kind.isContainer { path.append((object, 0)) }
        return Visit(id: id, object: object, isKey: isKey)
    }
}
