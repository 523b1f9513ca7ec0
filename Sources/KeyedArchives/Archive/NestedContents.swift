package import SaveCodec

/// Goes through the contents of a container and of those that it holds in place, parents first. UIDs are not followed.
///
/// Iterative, so that no depth can overflow the stack.
package struct NestedContents {
    private let document: Document
    /// The innermost open container. Most objects hold no others in place, so the list of those around it stays empty.
    private var frame: Frame
    private var outer: [Frame] = []
    /// The reference of the outermost container that is passed over.
    private let omitted: Int

    private struct Frame {
        let container: StoredObject
        /// The reference that comes next; -1 where the container itself came last.
        var next: Int
    }

    /// - Parameter pair: the position of a pair of the container whose value is passed over; nil for none.
    package init(of container: StoredObject, in document: Document, omitting pair: Int? = nil) {
        self.document = document
        frame = Frame(container: container, next: 0)
        omitted = pair.map { container.count + $0 } ?? -1
    }

    /// How many containers are open around the object that came last, but for the outermost.
    var depth: Int { outer.count }

    /// Whether the object that came last is in a container in place.
    var isNested: Bool { outer.count > (frame.next < 0 ? 1 : 0) }

    /// Whether the object that came last is a key of a dictionary.
    package var isKey: Bool {
        // A container that came last is open already, and nothing of it has been passed.
        guard let frame = frame.next < 0 ? outer.last : frame else { return false }
        return frame.container.kind == .dictionary && frame.next <= frame.container.count
    }

    /// The next object, keys included; nil at the end.
    package mutating func next() -> (id: ObjectID, object: StoredObject)? {
        // If the object that came last is a container, its contents come next.
        if frame.next < 0 { frame.next = 0 }
        while true {
            let position = frame.next
            guard position < frame.container.referenceCount else {
                guard let container = outer.popLast() else { return nil }
                frame = container
                continue
            }
            frame.next += 1
            if position == omitted, outer.isEmpty { continue }
            let id = document.reference(position, of: frame.container)
            let object = document.object(id)
            if object.kind.isContainer {
                outer.append(frame)
                frame = Frame(container: object, next: -1)
            }
            return (id, object)
        }
    }

    /// The address of the object that came last, below that of the container.
    func address(below start: JSONPointer) -> JSONPointer {
        var address = start
        for frame in outer + [frame] where frame.next > 0 {
            document.append(step: frame.next - 1, of: frame.container, to: &address)
        }
        return address
    }
}
