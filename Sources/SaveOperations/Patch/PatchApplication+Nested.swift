import KeyedArchives
import SaveCodec

/// Operations in nested saves. Consecutive operations in one save are applied to that save as a separate patch. The
/// resulting bytes are then stored in the value that holds the save.
extension PatchApplication {
    /// Returns the outermost nested save that an address of an operation enters; nil if it enters none.
    mutating func entrance(
        of operation: PatchOperation, on address: JSONPointer
    ) throws(Problem) -> ObjectView.Entrance? {
        do throws(Problem) {
            return try draft.entrance(on: address)
        } catch {
            var problem = error
            problem.address = address
            throw problem.of(operation)
        }
    }

    /// Applies the consecutive operations from `first` on that enter a nested save, and returns their number.
    mutating func apply(
        _ patch: JSONPatch, from first: Int, inside entrance: ObjectView.Entrance
    ) throws(Problem) -> Int {
        var operations: [PatchOperation] = []
        for operation in patch.operations[first...] {
            guard let path = operation.path.within(saveAt: entrance.address) else { break }
            let source = operation.source?.within(saveAt: entrance.address)
            guard operation.source == nil || source != nil else { throw .patchCrossing().of(operation) }
            operations.append(operation.at(path, from: source))
        }
        let inner = patch.with(operations)
        let base = base.appending(entrance.address)
        let changesType = changesType
        try change(entrance) { view, limits throws(Problem) in
            try inner.result(on: view, limits: limits, changesType: changesType, at: base)
        }
        return operations.count
    }

    /// Edits a nested save, and sets the value to the resulting bytes.
    mutating func change(
        _ entrance: ObjectView.Entrance, _ edit: (ObjectView, Limits) throws(Problem) -> PatchResult
    ) throws(Problem) {
        do throws(Problem) {
            let result = try edit(entrance.save.view, limits)
            roundings += result.roundings.map { $0.within(saveAt: entrance.address) }
            guard let edited = result.edited else { return }
            try put(draft.add(entrance.save, editedTo: edited, limits: limits), at: entrance.address)
        } catch {
            throw error.within(saveAt: entrance.address)
        }
    }
}
