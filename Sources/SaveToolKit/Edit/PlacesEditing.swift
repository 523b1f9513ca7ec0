import KeyedArchives
import SaveCodec
import SaveOperations

/// Edits of several places of a file, and of the saves that are stored in its values: those first, each as a file of its
/// own, and then the values that hold them.
final class PlacesEditing {
    /// Edits places of a save in a draft of it.
    typealias Edit = (SaveFile, [EditPlace], inout Draft) throws -> ExitStatus

    private let plan: EditPlan
    private let invocation: Invocation
    private let isSet: Bool
    private let edit: Edit
    /// Whether nothing was at one of the addresses, or an edited save cannot be written, which has been said.
    private(set) var status = ExitStatus.done

    /// - Parameter isSet: whether the places get a value, see ``EditPlace``.
    init(_ plan: EditPlan, isSet: Bool = false, _ invocation: Invocation, _ edit: @escaping Edit) {
        self.plan = plan
        self.isSet = isSet
        self.invocation = invocation
        self.edit = edit
    }

    /// The document of a file that has been edited at some addresses; nil if nothing has changed, or it could not be made,
    /// which has been said. Calls itself for saves in values, of which only so many are opened within each other.
    func document(of file: SaveFile, at addresses: [JSONPointer]) throws -> Document? {
        try file.whileBased {
            let (places, entrances) = self.places(of: addresses, in: file)
            let values = Set(places.map { $0.path.place(in: file.view, unsharing: plan.unshares) })
            if isSet, let inner = entrances.first(where: { place(of: $0, in: file).map(values.contains) ?? false }) {
                throw Problem.nestedPlaces(inner.address)
            }
            var draft = Draft(file.view)
            try editSaves(at: entrances, in: file, &draft)
            guard status == .done else { return nil }
            status = try edit(file, places, &draft)
            guard status == .done, !draft.isUnchanged else { return nil }
            return try draft.finish(limits: plan.reading.limits)
        }
    }

    /// The place of the value that an address leads into.
    private func place(of entrance: ObjectView.Entrance, in file: SaveFile) -> SlotPath.Place? {
        SlotPath(entrance.address, in: file.view)?.place(in: file.view, unsharing: plan.unshares)
    }

    private func editSaves(
        at entrances: [ObjectView.Entrance], in file: SaveFile, _ draft: inout Draft
    ) throws {
        var rests: [SlotPath.Place?: [JSONPointer]] = [:]
        for entrance in entrances { rests[place(of: entrance, in: file), default: []].append(entrance.rest) }
        // A value that is stored once at many places is written at each.
        var size = 0
        for entrance in entrances {
            guard let rest = rests.removeValue(forKey: place(of: entrance, in: file)) else { continue }
            let inner = try SaveFile(entrance, in: file)
            try inner.whileBased { try inner.checkIsWritten() }
            guard let edited = try document(of: inner, at: rest), status == .done,
                let place = EditPlace(entrance.address, in: file, plan)
            else { continue }
            let result = try EditedSave(edited, of: inner, keepsComments: plan.keepsComments)
            guard plan.accepts(result, edited, of: inner, invocation) else {
                status = .cannot
                return
            }
            let bytes = try result.bytes()
            size += bytes.count
            try plan.reading.limits.check(expandedSize: size, of: file.view.document)
            draft.replace(entrance.save, at: place.path, splitting: place.isSplit, with: bytes)
            place.reportWhatElseChanges(of: draft, in: file, invocation)
        }
    }

    /// What the addresses lead to in a file, and the saves in its values that they lead into.
    private func places(
        of addresses: [JSONPointer], in file: SaveFile
    ) -> (places: [EditPlace], entrances: [ObjectView.Entrance]) {
        var places: [EditPlace] = []
        var entrances: [ObjectView.Entrance] = []
        for address in addresses {
            if let entrance = file.view.entrance(on: address) {
                entrances.append(entrance)
            } else if let place = EditPlace(address, in: file, plan, after: places.last, isSet: isSet) {
                places.append(place)
            } else {
                file.reportMissing(address, invocation)
                status = .negative
            }
        }
        return (places, entrances)
    }
}

extension Problem {
    /// A pattern leads to two values of which one is in the other.
    static func nestedPlaces(_ address: JSONPointer) -> Problem {
        Problem(
            "set.nested", "the pattern leads to this place and to one around it, and only one of them can be set",
            address: address)
    }
}
