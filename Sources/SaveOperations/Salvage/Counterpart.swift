package import KeyedArchives
package import SaveCodec

extension SalvagedSave {
    /// The value that an older copy of the save has in place of a loss.
    package struct Counterpart: Sendable {
        /// The kind and class of the value: `an integer`, `an object of class Player`.
        package let text: String
        /// Whether the value was written in place of the loss.
        package var isFilled = false
    }

    /// Finds the values that an older copy of the save has in place of the losses.
    ///
    /// Arrays are aligned as in a comparison, so an element need not have the same position in both.
    ///
    /// - Parameter fills: Whether the values are copied into the repaired save.
    package mutating func compare(with older: ObjectView, fills: Bool, limits: Limits) throws(Problem) {
        let lost = Set(losses.lazy.filter { $0.loss.kind != .key }.compactMap(\.address))
        guard !lost.isEmpty else { return }
        let difference = Difference(save.view, older)
        var found: [JSONPointer: Counterpart] = [:]
        for change in difference.changes {
            guard let id = change.value(.after), let address = difference.address(of: change, .before),
                lost.contains(address)
            else { continue }
            found[address] = Counterpart(text: TypePhrase.of(id, in: older))
        }
        guard !found.isEmpty else { return }
        // Doubtful values were kept, and may be newer.
        let placeholders = Set(
            losses.lazy.filter { $0.loss.kind != .key && $0.loss.kind != .doubtful }.compactMap(\.address))
        let filled = found.keys.filter(placeholders.contains)
        if fills, !filled.isEmpty {
            var options = DifferenceOptions()
            options.only = filled.sorted { $0.description < $1.description }.map { PointerPattern($0) }
            options.distinguishesWidths = true
            var draft = Draft(save.view)
            try draft.apply(Difference(save.view, older, options: options))
            try replace(with: draft.editedView(limits: limits))
            for address in filled { found[address]?.isFilled = true }
        }
        for index in losses.indices {
            guard let address = losses[index].address else { continue }
            losses[index].counterpart = found[address]
        }
    }
}
