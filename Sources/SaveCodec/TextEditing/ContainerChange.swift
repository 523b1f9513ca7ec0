/// A document before and after an edit of its text.
package struct DocumentChange {
    let before: Document
    let after: Document
    /// The changes of its containers, outer containers first; empty if the root is replaced.
    let containers: [ContainerChange]

    package init(from before: Document, to after: Document, _ containers: [ContainerChange]) {
        self.before = before
        self.after = after
        self.containers = containers
    }
}

/// The texts that new values are copied from.
package struct TextSources {
    /// The slots, before the change, of new values that were elsewhere in the edited text.
    let elsewhere: [ObjectID: ContainerChange.Source]
    /// Another text, from which values equal to new ones are copied.
    let donor: DonorText?
    /// The finished texts of new values, by the offset of the value that they replace.
    let spelled: [Int: [UInt8]]

    package init(
        elsewhere: [ObjectID: ContainerChange.Source], donor: DonorText? = nil, spelled: [Int: [UInt8]] = [:]
    ) {
        self.elsewhere = elsewhere
        self.donor = donor
        self.spelled = spelled
    }
}

/// The change of a container's members. A member that is itself a changed container has its own change, unless it is
/// replaced as a whole.
package struct ContainerChange {
    /// A slot of a changed container.
    package struct Slot {
        /// The index of the container's change in ``DocumentChange/containers``.
        let change: Int
        /// The position in the container before the change.
        let position: Int

        package init(change: Int, position: Int) {
            self.change = change
            self.position = position
        }
    }

    /// The container in the document before the change.
    package let before: ObjectID
    /// The container in the document after the change.
    package let after: ObjectID
    /// The slot in the enclosing container; nil for the root.
    let parent: Slot?
    /// For each member after the change, its position before the change, in ascending order; nil for a new member.
    package var origins: MemberOrigins
    /// The positions, after the change, of the existing members whose values are replaced.
    package var replaced = Positions()
    /// The previous positions of new members that were elsewhere in the container, by their new positions.
    package var moved: [Int: Int] = [:]
    /// The previous slots of new members that were in other containers, by their new positions.
    package var transferred: [Int: Slot] = [:]

    /// The slot of a value in the document before the change.
    package struct Source {
        let container: ObjectID
        let position: Int

        package init(container: ObjectID, position: Int) {
            self.container = container
            self.position = position
        }
    }

    /// A list of positions. A single one, as in many similar containers, takes no further memory.
    package struct Positions: Sequence {
        private var first: UInt32?
        private var others: [Int] = []

        /// Whether the list is empty.
        package var isEmpty: Bool { first == nil }

        /// Adds a position at the end.
        package mutating func append(_ position: Int) {
            if first == nil { first = UInt32(truncatingIfNeeded: position) } else { others.append(position) }
        }

        package func makeIterator() -> Iterator { Iterator(first: first.map { Int($0) }, others: others[...]) }

        package struct Iterator: IteratorProtocol {
            fileprivate var first: Int?
            fileprivate var others: ArraySlice<Int>

            package mutating func next() -> Int? { first.take() ?? others.popFirst() }
        }
    }

    package init(before: ObjectID, after: ObjectID, parent: Slot?) {
        self.before = before
        self.after = after
        self.parent = parent
        origins = MemberOrigins([])
    }
}
