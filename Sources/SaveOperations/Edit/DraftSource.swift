package import KeyedArchives
package import SaveCodec

/// A view from which values are imported into a draft. A value that is imported twice is added to the draft only once.
struct DraftSource {
    let view: ObjectView
    /// The index in the draft of each imported value of the view, plus one; 0 for a value that has not been imported.
    var values: [UInt32]
    /// The number in the draft of each imported class of the view.
    var classes: [Int?]
}

extension Draft {
    /// Adds a view to import values from, and returns its number.
    mutating func addSource(_ view: ObjectView) -> Int {
        acceptsNil = true
        sources.append(
            DraftSource(
                view: view, values: [UInt32](repeating: 0, count: view.count),
                classes: [Int?](repeating: nil, count: view.archive?.classes.count ?? 0)))
        return sources.count - 1
    }

    /// Imports a value of another view and all values in it, with their cycles and sharing.
    ///
    /// - Parameters:
    ///   - source: The number of the view, see ``addSource(_:)``.
    ///   - partners: Returns the value of the draft to use for a container; nil to copy the container.
    /// - Throws: A problem if the document cannot hold the value. A plain document cannot hold objects, shared
    ///   containers of an archive, or containers as keys.
    mutating func importValue(
        _ id: ViewID, of source: Int, partners: (ViewID) -> ID? = { _ in nil }
    ) throws(Problem) -> ID {
        var pending: [(ViewID, Int)] = []
        let result = try adopt(id, of: source, partners: partners, pending: &pending)
        while let (container, number) = pending.popLast() {
            try fill(number, from: container, of: source, partners: partners, pending: &pending)
        }
        return result
    }

    /// Returns the value of the draft for a value of another view. The contents of a container are imported later.
    private mutating func adopt(
        _ id: ViewID, of source: Int, partners: (ViewID) -> ID?, pending: inout [(ViewID, Int)]
    ) throws(Problem) -> ID {
        let other = sources[source].view
        let known = sources[source].values[id.index]
        let isScalar = other.scalar(id) != nil
        if known > 0 {
            guard isScalar || view.archive != nil || other.archive == nil else {
                throw Problem(
                    "edit.shared-plain",
                    "found a shared container; a plain property list cannot represent sharing")
            }
            return ID(index: Int(known) - 1)
        }
        if !isScalar, let partner = partners(id) { return partner }
        let new = isScalar ? adoptScalar(id, of: source) : try reserve(id, of: source, pending: &pending)
        sources[source].values[id.index] = UInt32(truncatingIfNeeded: new.index + 1)
        return new
    }

    private mutating func adoptScalar(_ id: ViewID, of source: Int) -> ID {
        let other = sources[source].view
        let classNumber = view.archive == nil ? nil : adoptedClass(id, of: source)
        return add(
            DraftScalar(node: other.scalar(id) ?? .null, classNumber: classNumber, isRaw: other.isRawDate(id)))
    }

    /// Returns the class of an object of another view, by its number in the draft.
    private mutating func adoptedClass(_ id: ViewID, of source: Int) -> Int? {
        let other = sources[source].view
        guard let archive = other.archive, let position = other.uid(id).flatMap(archive.classPosition) else {
            return nil
        }
        if let known = sources[source].classes[position] { return known }
        let number = classes.number(adding: ArchiveClass(archive.classes[position]))
        sources[source].classes[position] = number
        return number
    }

    private mutating func reserve(
        _ id: ViewID, of source: Int, pending: inout [(ViewID, Int)]
    ) throws(Problem) -> ID {
        let other = sources[source].view
        guard let kind = ContainerKind(other[id].variant) else { throw .editForm() }
        var container = DraftContainer(kind, classNumber: nil)
        if view.archive != nil {
            container.classNumber = adoptedClass(id, of: source)
            container.isRaw = container.classNumber == nil && other.uid(id) != nil
        } else if kind == .object {
            throw .editClassInPlain(
                other.archive.flatMap { archive in
                    other.uid(id).flatMap(archive.classPosition).map { ArchiveClass(archive.classes[$0]) }
                })
        }
        let new = add(container)
        pending.append((id, values.containers.count - 1))
        return new
    }

    private mutating func fill(
        _ number: Int, from id: ViewID, of source: Int, partners: (ViewID) -> ID?,
        pending: inout [(ViewID, Int)]
    ) throws(Problem) {
        let other = sources[source].view
        let contents = other[id].contents
        var slots: [DraftContainer.Slot] = []
        slots.reserveCapacity(contents.count)
        for position in 0..<contents.count {
            let (storedKey, storedValue) = other.storedItem(position, of: contents)
            let value = try adopt(
                other.identity(of: storedValue), of: source, partners: partners, pending: &pending)
            let isReference = other.archive == nil || other.document.object(storedValue).kind == .uid
            var slot = DraftContainer.Slot(
                value: UInt32(truncatingIfNeeded: value.index), isInPlace: view.archive == nil || !isReference)
            if let storedKey {
                let key = other.identity(ofKey: storedKey, in: contents)
                guard view.archive != nil || other.scalar(key) != nil else {
                    throw Problem("edit.key", "found a container as a key; a property list allows only scalar keys")
                }
                let adopted = try adopt(key, of: source, partners: partners, pending: &pending)
                slot.key = UInt32(truncatingIfNeeded: adopted.index)
            }
            countReference(slot, by: 1)
            slots.append(slot)
        }
        let container = values.containers[number]
        var filled = DraftContainer(container.kind, classNumber: container.classNumber, slots: slots)
        filled.isRaw = container.isRaw
        filled.isEdited = true
        values.containers[number] = filled
    }
}

extension ObjectView {
    /// Returns a value as a property list.
    ///
    /// - Throws: A problem if the value contains an object that is not a collection, or if a container is shared or
    ///   contains itself.
    package func plainDocument(of id: ViewID, limits: Limits = Limits()) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        builder.addNull()
        var draft = Draft(ObjectView(try builder.finish()))
        draft.replaceRoot(with: try draft.importValue(id, of: draft.addSource(self)))
        return try draft.finish(limits: limits)
    }
}
