/// A document before and after an edit of its text.
package struct DocumentChange {
    let before: Document
    let after: Document
    /// What becomes of the containers, each behind the one around it; none for another root.
    let containers: [ContainerChange]

    package init(from before: Document, to after: Document, _ containers: [ContainerChange]) {
        self.before = before
        self.after = after
        self.containers = containers
    }
}

/// The texts that new values are copied from.
package struct TextSources {
    /// For new values that stood elsewhere in the edited text, where that was.
    let elsewhere: [ObjectID: ContainerChange.Source]
    /// Another text.
    let donor: DonorText?
    /// The texts of new values that are spelled already, by the offsets at which those begin that they replace.
    let spelled: [Int: [UInt8]]

    package init(
        elsewhere: [ObjectID: ContainerChange.Source], donor: DonorText? = nil, spelled: [Int: [UInt8]] = [:]
    ) {
        self.elsewhere = elsewhere
        self.donor = donor
        self.spelled = spelled
    }
}

/// What becomes of the members of a container, and of those in it that are not replaced as a whole.
package struct ContainerChange {
    /// Where a container stands in the one around it.
    package struct Parent {
        /// The number of the change of the container around it.
        let change: Int
        /// The position in that, as it was.
        let position: Int

        package init(change: Int, position: Int) {
            self.change = change
            self.position = position
        }
    }

    /// The container as it was, and as it is to be.
    package let before: ObjectID
    package let after: ObjectID
    /// The container around it; nil for the root.
    let parent: Parent?
    /// For each member that there is to be the position of the one that it was, in rising order; nil for new ones.
    package var origins: [Int?]
    /// The positions, as they are to be, of members that there were and that get other values.
    package var replaced: [Int]
    /// For new members that stood elsewhere in the container, where that was.
    package var moved: [Int: Int] = [:]

    /// The place of a value in the document as it was.
    package struct Source {
        let container: ObjectID
        let position: Int

        package init(container: ObjectID, position: Int) {
            self.container = container
            self.position = position
        }
    }

    package init(before: ObjectID, after: ObjectID, parent: Parent?, origins: [Int?] = [], replaced: [Int] = []) {
        self.before = before
        self.after = after
        self.parent = parent
        self.origins = origins
        self.replaced = replaced
    }
}
