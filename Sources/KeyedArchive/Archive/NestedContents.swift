import SaveCodec

/// Goes through the contents of a container and of those that it holds in place, parents first. UIDs are not followed.
///
/// Iterative, so that no depth can overflow the stack.
struct NestedContents {
    private let document: Document
    private var path: [(container: StoredObject, next: Int)]
    /// The reference of the outermost container that is passed over.
    private let omitted: Int

    /// - Parameter pair: the position of a pair of the container whose value is passed over; nil for none.
    init(of container: StoredObject, in document: Document, omitting pair: Int? = nil) {
        self.document = document
        path = [(container, 0)]
        omitted = pair.map { container.count + $0 } ?? -1
    }

    /// How many containers are open around the object that came last, but for the outermost.
    var depth: Int { path.count - 1 }

    /// The next object, keys included; nil at the end.
    mutating func next() -> (id: ObjectID, object: StoredObject)? {
        if let last = path.last, last.next < 0 {
            // The object that came last is a container: its contents come next.
            path[path.count - 1].next = 0
        }
        while let frame = path.last {
            guard frame.next < frame.container.referenceCount else {
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            if path.count == 1, frame.next == omitted { continue }
            let id = document.reference(frame.next, of: frame.container)
            let object = document.object(id)
            if object.kind.isContainer { path.append((object, -1)) }
            return (id, object)
        }
        return nil
    }

    /// The address of the object that came last, below that of the container.
    func address(below start: Address) -> Address {
        var address = start
        for frame in path where frame.next > 0 {
            document.append(step: frame.next - 1, of: frame.container, to: &address)
        }
        return address
    }
}
