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
///
/// A pattern may change very many containers, so the stored numbers have 32 bits, and their order leaves no padding.
package struct ContainerChange {
    /// A slot of a changed container.
    package struct Slot {
        private let change32: UInt32
        private let position32: UInt32

        /// The index of the container's change in ``DocumentChange/containers``.
        package var change: Int { Int(change32) }
        /// The position in the container before the change.
        package var position: Int { Int(position32) }

        package init(change: Int, position: Int) {
            change32 = UInt32(truncatingIfNeeded: change)
            position32 = UInt32(truncatingIfNeeded: position)
        }

        fileprivate static let none = Slot(change: Int(UInt32.max), position: 0)
        fileprivate var isNone: Bool { change32 == .max }
    }

    /// The positions, after the change, of the existing members whose values are replaced.
    package var replaced = Positions()
    private let before32: UInt32
    /// For each member after the change, its position before the change, in ascending order; nil for a new member.
    package var origins: MemberOrigins
    private let after32: UInt32
    private let enclosing: Slot
    /// The previous slots of new members that were elsewhere in this or another container, by their new positions.
    package var moved: [Int: Slot] = [:]

    /// The container in the document before the change.
    package var before: ObjectID { ObjectID(Int(before32)) }
    /// The container in the document after the change.
    package var after: ObjectID { ObjectID(Int(after32)) }
    /// The slot in the enclosing container; nil for the root.
    var parent: Slot? { enclosing.isNone ? nil : enclosing }

    /// The slot of a value in the document before the change.
    package struct Source {
        package let container: ObjectID
        package let position: Int

        package init(container: ObjectID, position: Int) {
            self.container = container
            self.position = position
        }
    }

    /// A list of positions. A single one, as in many similar containers, takes no further memory.
    package struct Positions: Sequence {
        private var others: [UInt32] = []
        private var first = UInt32.max

        package var count: Int { isEmpty ? 0 : 1 + others.count }

        /// Whether the list is empty.
        package var isEmpty: Bool { first == .max }

        /// Adds a position at the end.
        package mutating func append(_ position: Int) {
            let position32 = UInt32(truncatingIfNeeded: position)
            if isEmpty { first = position32 } else { others.append(position32) }
        }

        package func makeIterator() -> Iterator {
            Iterator(first: isEmpty ? nil : Int(first), others: others[...])
        }

        package struct Iterator: IteratorProtocol {
            fileprivate var first: Int?
            fileprivate var others: ArraySlice<UInt32>

            package mutating func next() -> Int? { first.take() ?? others.popFirst().map(Int.init) }
        }
    }

    package init(before: ObjectID, after: ObjectID, parent: Slot?) {
        before32 = UInt32(truncatingIfNeeded: before.index)
        after32 = UInt32(truncatingIfNeeded: after.index)
        enclosing = parent ?? .none
        origins = MemberOrigins([])
    }
}
