package import KeyedArchives
package import SaveCodec

/// Where an edit takes place, and what of the way there is split from what others see.
package struct EditSlot: Sendable {
    /// The way to it.
    package let path: ResolvedAddress
    /// Whether the place gets a value.
    private let isSet: Bool
    /// Whether a container on the way is referred to more than once, be it only from within itself.
    package let mayBeShared: Bool
    /// The containers on the way that are copied before the edit, by depth: others go on seeing them as they were.
    let splits: Set<Int>
    /// Who else sees what is there, where that decides on the splits.
    private let sharingToSplit: Sharing?

    /// The place at an address; nil if the address leads nowhere.
    ///
    /// - Parameters:
    ///   - isSet: whether the place gets a value, so that dictionaries may be made on the way, and a container that is
    ///     there is edited.
    ///   - unshares: whether objects of an archive that others refer to are split from what those see. What a property
    ///     list has stored once for two places is no object that they share, and is always split.
    package init?(_ address: JSONPointer, in view: ObjectView, isSet: Bool = false, unsharing unshares: Bool = false) {
        guard let path = ResolvedAddress(address, in: view, makingDictionaries: isSet) else { return nil }
        self.init(path, isSet: isSet, unsharing: unshares)
    }

    /// The place at the end of a way.
    ///
    /// - Parameter last: the place before, of several.
    package init(
        _ path: ResolvedAddress, after last: EditSlot? = nil, isSet: Bool = false, unsharing unshares: Bool = false
    ) {
        self.path = path
        self.isSet = isSet
        let seen = isSet ? path.entering() ?? path : path
        mayBeShared = seen.mayBeShared
        guard mayBeShared, unshares || path.view.archive == nil else {
            (splits, sharingToSplit) = ([], nil)
            return
        }
        guard path.view.archive != nil else {
            // No container is in itself, so that every further reference is another way to it.
            splits = Set(seen.containers.indices.filter { path.view.graph.isShared(seen.containers[$0]) })
            sharingToSplit = nil
            return
        }
        let sharing = last?.sharingToSplit?.along(seen) ?? Sharing(seen)
        (splits, sharingToSplit) = (sharing.depths, sharing)
    }

    /// The place at the end of a way on which nothing is split.
    init(whole path: ResolvedAddress) {
        (self.path, isSet, mayBeShared, splits, sharingToSplit) = (path, true, false, [], nil)
    }

    /// Who else sees what is at the place, of a container that is set also what is in it; nil if nobody does. It takes a
    /// walk through the view.
    package var sharing: Sharing? {
        guard mayBeShared else { return nil }
        return sharingToSplit ?? Sharing(isSet ? path.entering() ?? path : path)
    }

    /// Who else sees what a draft has changed at the place; nil if nobody does.
    package func sharingOfChange(in draft: borrowing Draft) -> Sharing? {
        guard splits.isEmpty, mayBeShared else { return nil }
        // A container that another one has taken the place of is what it was to the others.
        guard isSet, let container = path.value, path.view.container(container) != nil, !draft.isEdited(container)
        else { return sharing }
        return path.mayBeShared ? Sharing(path) : nil
    }

    /// What tells places apart: the slot, or the way to it if containers on the way are split.
    package enum Identity: Hashable, Sendable {
        case slot(ViewID?, ResolvedAddress.End)
        case way([ViewID], [Int], ResolvedAddress.End)
    }

    /// What tells the place apart from others in the view.
    package var identity: Identity {
        splits.isEmpty ? .slot(path.containers.last, path.end) : .way(path.containers, path.positions, path.end)
    }
}

extension ResolvedAddress {
    /// Whether one of the containers is referred to more than once.
    fileprivate var mayBeShared: Bool {
        // Text has no containers with two places.
        guard view.archive != nil || view.document.has(.objectTable) else { return false }
        return containers.count > 1 && containers.contains(where: view.graph.isShared)
    }
}
