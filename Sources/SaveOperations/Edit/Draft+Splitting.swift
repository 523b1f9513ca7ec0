import KeyedArchives

extension Draft {
    /// Returns the container of a slot. Containers on the path are copied first if the edit must not be visible
    /// elsewhere, see ``EditSlot/splits``. Each is copied once for all slots below it.
    mutating func container(of slot: EditSlot) -> ID {
        let path = slot.path
        guard !slot.splits.isEmpty else { return path.containers.last.map { self.id(of: $0) } ?? root }
        var id = root
        for (depth, position) in path.positions.enumerated() {
            guard let item = item(position, of: id) else { return id }
            let copy: ID?
            if view.archive == nil {
                copy = split(item.value)
            } else if slot.splits.contains(depth + 1),
                splitSlots.insert(SplitSlot(container: id, position: position)).inserted
            {
                copy = splitObject(item.value, from: self.id(of: path.containers[depth + 1]))
            } else {
                copy = nil
            }
            if let copy { replace(at: position, of: id, with: copy, inPlace: item.isInPlace) }
            id = copy ?? item.value
        }
        return id
    }

    /// Copies an object of an archive, with all containers that are only reachable through it.
    private mutating func splitObject(_ id: ID, from original: ID) -> ID {
        let copies = copies(of: [id])
        splitCopies.merge(copies) { $1 }
        let copy = copies[id.index] ?? id
        splitCopies[original.index] = copy
        return copy
    }

    // MARK: Shared containers of property lists

    /// Whether several slots of a property list refer to a container, either in the file or because the draft copied a
    /// container that refers to it.
    func isSharedInPropertyList(_ id: ID) -> Bool {
        sharedByCopies.contains(id) || viewID(of: id).map(view.graph.isShared) ?? false
    }

    mutating func noteShared(_ id: ID) { sharedByCopies.insert(id) }

    /// Returns a copy of a shared container of a property list for one of its slots; nil if the container is not
    /// shared. The containers in it become shared.
    ///
    ///     {"a": X, "b": X}     for an edit in b     {"a": X, "b": X'}, and both refer to the contents of X
    mutating func split(_ id: ID) -> ID? {
        guard isSharedInPropertyList(id), let number = open(id) else { return nil }
        let container = containers[number]
        splitSize += 1 + container.count
        for slot in container.contents {
            let value = ID(index: Int(slot.value))
            if isContainer(value) { noteShared(value) }
        }
        return add(container)
    }
}
