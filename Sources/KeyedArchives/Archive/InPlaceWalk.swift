package import SaveCodec

/// A depth-first walk of a container's contents and of the containers that it holds in place, parents first. UIDs are
/// not followed.
///
/// The walk is iterative, so no nesting depth can overflow the stack.
package struct InPlaceWalk {
    private let document: Document
    /// The innermost open container. Most objects hold no containers in place, so the list of outer frames stays empty.
    private var frame: Frame
    private var outer: [Frame] = []
    /// The index of the reference that the walk skips in the outermost container; -1 for none.
    private let omitted: Int

    private struct Frame {
        let container: StoredObject
        /// The index of the next reference; -1 if the container itself was returned last.
        var next: Int
    }

    /// - Parameter pair: The position of the pair whose value is skipped; nil for none.
    package init(of container: StoredObject, in document: Document, omitting pair: Int? = nil) {
        self.document = document
        frame = Frame(container: container, next: 0)
        omitted = pair.map { container.count + $0 } ?? -1
    }

    /// The number of open containers in place, not counting the outermost container. If the object that was returned
    /// last is a container, it is open, too.
    var depth: Int { outer.count }

    /// Whether the object that was returned last is in a container that is stored in place.
    var isNested: Bool { outer.count > (frame.next < 0 ? 1 : 0) }

    /// Whether the object that was returned last is a key of a dictionary.
    package var isKey: Bool {
        // A container that was returned last is open already, but none of its contents have been returned.
        guard let frame = frame.next < 0 ? outer.last : frame else { return false }
        return frame.container.kind == .dictionary && frame.next <= frame.container.count
    }

    /// Returns the next object, keys included, or nil at the end.
    package mutating func next() -> (id: ObjectID, object: StoredObject)? {
        // If a container was returned last, its contents are next.
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

    /// Returns the address of the object that was returned last, given the address of the outermost container.
    func address(below start: JSONPointer) -> JSONPointer {
        var address = start
        for frame in outer + [frame] where frame.next > 0 {
            document.append(step: frame.next - 1, of: frame.container, to: &address)
        }
        return address
    }
}
