import SaveCodec

/// Goes through the contents of a container and of those that it holds in place, parents first. UIDs are not followed.
///
/// Iterative, so that no depth can overflow the stack; nothing is allocated for a container that holds no other.
struct NestedContents {
    private let document: Document
    private let container: StoredObject
    private var position = 0
    /// The reference of the container that is passed over.
    private let omitted: Int
    /// The containers that are open in it.
    private var path: [(container: StoredObject, next: Int)] = []

    /// - Parameter pair: the position of a pair of the container whose value is passed over; nil for none.
    init(of container: StoredObject, in document: Document, omitting pair: Int? = nil) {
        self.document = document
        self.container = container
        omitted = pair.map { container.count + $0 } ?? -1
    }

    /// How many containers are open in the outermost: of a container that came last, itself included.
    var depth: Int { path.count }

    /// The next object, keys included; nil at the end.
    mutating func next() -> (id: ObjectID, object: StoredObject)? {
        while let frame = path.last {
            guard frame.next < frame.container.referenceCount else {
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            return enter(document.reference(frame.next, of: frame.container))
        }
        if position == omitted { position += 1 }
        guard position < container.referenceCount else { return nil }
        position += 1
        return enter(document.reference(position - 1, of: container))
    }

    private mutating func enter(_ id: ObjectID) -> (id: ObjectID, object: StoredObject) {
        let object = document.object(id)
        if object.kind.isContainer { path.append((object, 0)) }
        return (id, object)
    }

    /// The address of the object that came last, below that of the container.
    func address(below start: Address) -> Address {
        var address = start
        if position > 0 { document.append(step: position - 1, of: container, to: &address) }
        for frame in path where frame.next > 0 {
            document.append(step: frame.next - 1, of: frame.container, to: &address)
        }
        return address
    }
}
