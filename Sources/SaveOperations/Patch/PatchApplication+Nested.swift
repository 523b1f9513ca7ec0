import KeyedArchives
import SaveCodec

/// Operations within saves that are stored in values. Those that follow each other in one save are applied to it as a patch
/// of its own, and the value gets the bytes that it becomes.
extension PatchApplication {
    /// A save that an address leads into, and how many steps lead to its value.
    struct Entrance {
        let address: JSONPointer
        let save: NestedSave

        /// Whether another address leads into the save, too.
        func leads(_ other: JSONPointer) -> Bool {
            let depth = address.tokens.count
            return other.tokens.count > depth && other.prefix(depth) == address
        }

        /// An address in the save.
        func rest(of other: JSONPointer) -> JSONPointer {
            let depth = address.tokens.count
            return JSONPointer.root.appending(other, from: depth + (other.entersSave(at: depth) ? 1 : 0))
        }
    }

    /// The first save that an address of an operation leads into; nil for none.
    mutating func entrance(of operation: PatchOperation, on address: JSONPointer) throws(Problem) -> Entrance? {
        do throws(Problem) {
            return try entrance(on: address)
        } catch {
            var problem = error
            problem.address = address
            throw problem.of(operation)
        }
    }

    /// The first save that an address leads into; nil for none.
    private mutating func entrance(on address: JSONPointer) throws(Problem) -> Entrance? {
        guard draft.view.nesting != nil else { return nil }
        var id = draft.root
        for (depth, token) in address.tokens.enumerated() {
            if let save = try draft.save(enteredAt: id) { return Entrance(address: address.prefix(depth), save: save) }
            guard let position = draft.position(of: token, isForm: address.isForm(at: depth), at: id),
                let item = draft.item(position, of: id)
            else { return nil }
            id = item.value
        }
        return nil
    }

    /// Applies operations of a patch from one on that lead into a save; returns how many.
    mutating func apply(_ patch: JSONPatch, from first: Int, inside entrance: Entrance) throws(Problem) -> Int {
        let operations = patch.operations[first...].prefix { entrance.leads($0.path) }
        for operation in operations {
            if let source = operation.source, !entrance.leads(source) { throw .patchCrossing().of(operation) }
        }
        let inner = patch.with(
            operations.map { operation in
                operation.at(entrance.rest(of: operation.path), from: operation.source.map(entrance.rest))
            })
        let base = base.appending(entrance.address)
        try change(entrance) { view, limits throws(Problem) in try inner.changed(view, limits: limits, at: base) }
        return operations.count
    }

    /// Puts into a value what its save becomes.
    mutating func change(
        _ entrance: Entrance, _ edit: (ObjectView, Limits) throws(Problem) -> Document?
    ) throws(Problem) {
        do throws(Problem) {
            guard let edited = try edit(entrance.save.view, limits) else { return }
            let value = draft.add(entrance.save, holding: try entrance.save.bytes(of: edited, limits: limits))
            try put(value, at: entrance.address)
        } catch {
            var problem = error
            problem.address = entrance.address.appending(error.address ?? .root)
            throw problem
        }
    }
}
