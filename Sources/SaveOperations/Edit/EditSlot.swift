package import KeyedArchives
package import SaveCodec

/// A slot to edit, and the containers on its path that are copied first so that the edit is not visible elsewhere.
package struct EditSlot: Sendable {
    /// The path of the slot.
    package let path: ResolvedAddress
    /// Whether the edit sets a value.
    private let isSet: Bool
    /// Whether a container on the path is referred to more than once, even if only from inside itself.
    package let mayBeShared: Bool
    /// The depths of the containers on the path that are copied before the edit.
    let splits: Set<Int>
    /// The result of ``sharing`` if the splits depend on it.
    private let sharingToSplit: OtherAddresses?
    /// The shared containers of the view, if this slot or an earlier one needed them.
    private let sharedContainers: SharedContainers?

    /// Creates the slot at an address; nil if the address does not exist.
    ///
    /// - Parameters:
    ///   - isSet: Whether the edit sets a value. Missing dictionaries on the path are then created, and a present
    ///     container is edited.
    ///   - unshares: Whether to split shared objects of an archive. A shared container of a property list is not an
    ///     object and is always split.
    package init?(_ address: JSONPointer, in view: ObjectView, isSet: Bool = false, unsharing unshares: Bool = false) {
        guard let path = ResolvedAddress(address, in: view, makingDictionaries: isSet) else { return nil }
        self.init(path, isSet: isSet, unsharing: unshares)
    }

    /// Creates the slot at the end of a path.
    ///
    /// - Parameter last: The previous slot, if there are several. What it knows about shared containers is reused.
    init(
        _ path: ResolvedAddress, after last: EditSlot? = nil, isSet: Bool = false, unsharing unshares: Bool = false
    ) {
        self.path = path
        self.isSet = isSet
        let seen = isSet && path.view.mayShareContainers ? path.entering() ?? path : path
        mayBeShared = seen.mayBeShared
        guard mayBeShared, unshares || path.view.archive == nil else {
            (splits, sharingToSplit, sharedContainers) = ([], nil, last?.sharedContainers)
            return
        }
        guard path.view.archive != nil else {
            // A property list has no cycles, so each further reference is another path.
            splits = Set(seen.containers.indices.filter { path.view.graph.isShared(seen.containers[$0]) })
            (sharingToSplit, sharedContainers) = (nil, nil)
            return
        }
        let shared = last?.sharedContainers ?? SharedContainers(path.view.graph)
        sharedContainers = shared
        if let depths = shared.depths(of: seen) {
            (splits, sharingToSplit) = (depths, nil)
            return
        }
        let sharing = last?.sharingToSplit?.result(for: seen) ?? OtherAddresses(seen)
        (splits, sharingToSplit) = (sharing.depths, sharing)
    }

    /// The other paths to the slot or, if the edit sets a container, to its contents. Nil if no container on the path
    /// can be shared. Needs a walk through the view.
    package var sharing: OtherAddresses? {
        guard mayBeShared else { return nil }
        return sharingToSplit ?? OtherAddresses(isSet ? path.entering() ?? path : path)
    }

    /// Returns the other paths on which the change in a draft is visible. Returns nil if the edit splits the shared
    /// containers, or if nothing on the path can be shared.
    package func sharingOfChange(in draft: borrowing Draft) -> OtherAddresses? {
        guard splits.isEmpty, mayBeShared else { return nil }
        // A container that the edit replaces is unchanged on its other paths.
        guard isSet, let container = path.value, path.view.container(container) != nil, !draft.isEdited(container)
        else { return sharing }
        return path.mayBeShared ? OtherAddresses(path) : nil
    }

    /// The identity of a slot: the slot itself, or its path if containers on the path are split.
    enum Identity: Hashable, Sendable {
        case slot(ViewID?, ResolvedAddress.End)
        case path([ViewID], [Int], ResolvedAddress.End)
    }

    /// The identity of the slot in its view.
    var identity: Identity {
        splits.isEmpty ? .slot(path.containers.last, path.end) : .path(path.containers, path.positions, path.end)
    }
}

extension ResolvedAddress {
    /// Whether one of the containers is referred to more than once.
    fileprivate var mayBeShared: Bool {
        guard view.mayShareContainers else { return false }
        return containers.count > 1 && containers.contains(where: view.graph.isShared)
    }
}

// MARK: Splitting

extension Draft {
    /// Returns the container of a slot. Containers on the path are copied first if the edit must not be visible
    /// elsewhere, see ``EditSlot/splits``. Each is copied once for all slots below it.
    mutating func container(of slot: EditSlot) -> ID {
        let path = slot.path
        guard !slot.splits.isEmpty else { return path.containers.last.map { self.id(of: $0) } ?? root }
        var id = root
        for (depth, position) in path.positions.enumerated() {
            guard let item = item(position, of: id) else { return id }
            guard view.archive != nil else {
                let copy = split(item.value)
                if let copy { replace(at: position, of: id, with: copy, inPlace: item.isInPlace) }
                id = copy ?? item.value
                continue
            }
            let isSplit =
                slot.splits.contains(depth + 1)
                && sharing.beginSplit(at: Slot(container: id, position: position))
            guard isSplit else {
                id = item.value
                continue
            }
            id = splitObject(item, at: position, of: id, from: self.id(of: path.containers[depth + 1]))
        }
        return id
    }

    /// Copies the object of an archive in a slot, with all containers that are only reachable through it, and puts the
    /// copy into the slot.
    private mutating func splitObject(_ item: Item, at position: Int, of container: ID, from original: ID) -> ID {
        let copies = self.copies(of: [item.value])
        let copy = copies[item.value.index] ?? item.value
        sharing.noteSplit(of: original, into: copy, copies)
        // Counting the references again for each slot of a pattern would take quadratic time.
        var counts = referenceCounts.take()
        replace(at: position, of: container, with: copy, inPlace: item.isInPlace)
        guard copy != item.value, counts != nil else { return copy }
        counts?[copy.index, default: 0] += 1
        counts?[item.value.index, default: 0] -= 1
        // Containers that are only reachable through the object become unreachable together with it.
        let references = copies.keys.map { ($0, containersIn($0)) }
        let innerCount = references.reduce(0) { sum, inner in sum + inner.1.count { $0 == item.value.index } }
        if counts?[item.value.index] == innerCount {
            for (_, contents) in references { for child in contents { counts?[child, default: 0] -= 1 } }
            for (index, _) in references { counts?[index] = nil }
        }
        referenceCounts = counts
        return copy
    }

    // MARK: Shared containers of property lists

    /// Whether several slots of a property list refer to a container, either in the file or because the draft copied a
    /// container that refers to it.
    func isSharedInPropertyList(_ id: ID) -> Bool {
        sharing.isSharedByCopy(id) || viewID(of: id).map(view.graph.isShared) ?? false
    }

    mutating func noteShared(_ id: ID) { sharing.noteShared(id) }

    /// Returns a copy of a shared container of a property list for one of its slots; nil if the container is not
    /// shared. The containers in it become shared.
    ///
    ///     {"a": X, "b": X}     for an edit in b     {"a": X, "b": X'}, and both refer to the contents of X
    mutating func split(_ id: ID) -> ID? {
        guard isSharedInPropertyList(id), let number = open(id) else { return nil }
        let container = values.containers[number]
        values.addedSize += 1 + container.count
        for slot in container.contents {
            let value = ID(index: Int(slot.value))
            if isContainer(value) { noteShared(value) }
        }
        return add(container)
    }
}
