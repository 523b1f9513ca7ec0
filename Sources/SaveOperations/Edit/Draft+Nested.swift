package import KeyedArchives
package import SaveCodec

extension Draft {
    /// Replaces the bytes of a nested save. The value holds the new bytes in the same way, for example as Base64.
    mutating func replace(_ save: NestedSave, at slot: EditSlot, with bytes: [UInt8]) throws(Problem) {
        let value = try add(save, holding: bytes)
        guard case .slot(let position) = slot.path.end else { return replaceRoot(with: value) }
        replace(at: position, of: container(of: slot), with: value)
    }

    /// Adds a value that holds bytes in the same way as the value of a nested save.
    private mutating func add(_ save: NestedSave, holding bytes: [UInt8]) throws(Problem) -> ID {
        let value = try save.value(holding: bytes)
        return add(value[value.root])
    }

    /// Adds a value that holds an edited nested save in the same way as the present value.
    ///
    /// - Throws: The problem of the first value that the format of the nested save cannot store.
    mutating func add(_ save: NestedSave, editedTo view: ObjectView, limits: Limits) throws(Problem) -> ID {
        try add(save, holding: save.bytes(of: view, limits: limits))
    }

    /// Returns the first nested save on the path of an address; nil if the path has no nested save.
    ///
    /// - Throws: The problem of a value that begins like a save but cannot be read.
    mutating func entrance(on address: JSONPointer) throws(Problem) -> ObjectView.Entrance? {
        guard view.nesting != nil else { return nil }
        var id = root
        for depth in address.tokens.indices {
            if let save = try save(enteredAt: id) { return ObjectView.Entrance(save, on: address, at: depth) }
            guard let next = step(by: address.token(at: depth), from: id) else { return nil }
            id = next
        }
        return nil
    }

    /// Returns the nested save in a value for an address that continues below it, see
    /// ``ObjectView/nestedSave(enteredAt:)``.
    private func save(enteredAt id: ID) throws(Problem) -> NestedSave? {
        guard let (view, id) = scalarView(of: id) else { return nil }
        return try view.nestedSave(enteredAt: id)
    }

    /// Returns the nested save in data that begins like one, see ``ObjectView/nestedSave(in:)``.
    func save(in id: ID) throws(Problem) -> NestedSave? {
        guard let (view, id) = scalarView(of: id) else { return nil }
        return try view.nestedSave(in: id)
    }

    /// Returns a scalar with a view that contains it; nil for a container, or if nested saves are not opened.
    private func scalarView(of id: ID) -> (ObjectView, ViewID)? {
        guard let nesting = view.nesting, let node = scalar(id) else { return nil }
        if let id = viewID(of: id) { return (view, id) }
        var builder = DocumentBuilder()
        builder.add(node)
        guard let document = try? builder.finish() else { return nil }
        let view = ObjectView(document, nil, nesting: nesting)
        return (view, view.root)
    }
}

extension Save.Holder {
    /// Returns the view of the save that holds the nested save, after the bytes of the nested save have been replaced.
    ///
    /// - Parameters:
    ///   - unshares: Whether to split shared objects of an archive on the path to the nested save.
    ///   - inspect: Called with the edited draft and the edited slot.
    package func view(
        holding bytes: [UInt8], unsharing unshares: Bool = false,
        _ inspect: (borrowing Draft, EditSlot) -> Void = { _, _ in }
    ) throws(Problem) -> ObjectView {
        guard let slot = EditSlot(address, in: save.view, unsharing: unshares) else { return save.view }
        var draft = Draft(save.view)
        try draft.replace(nested, at: slot, with: bytes)
        inspect(draft, slot)
        return try draft.editedView(limits: save.limits)
    }
}

extension Save {
    /// Returns the view of the file after an edit of this save, which may be a nested one.
    package func viewOfFile(holding edited: ObjectView) throws(Problem) -> ObjectView {
        var (view, inner) = (edited, self)
        while let holder = inner.holder {
            let bytes: [UInt8]
            do throws(Problem) {
                bytes = try holder.nested.bytes(of: view, limits: limits)
            } catch {
                throw inner.based(error)
            }
            view = try holder.view(holding: bytes)
            inner = holder.save
        }
        return view
    }
}
