import KeyedArchives
import SaveCodec

/// The root of an older copy, in place of a lost one. The containers that came back take the places of their
/// counterparts, if they have the same kinds in the same order:
///
///     repaired   [{"name": "Zoe"}, ["axe"]]
///     older      {"title": "Hall", "player": {"name": "Zo"}, "items": []}
///     result     {"title": "Hall", "player": {"name": "Zoe"}, "items": ["axe"]}
extension SalvagedSave {
    /// Finds the counterpart of a lost root of a property list.
    ///
    /// - Parameter fills: Whether it is copied into the repaired save.
    mutating func compareRoot(with older: ObjectView, fills: Bool, limits: Limits) throws(Problem) {
        let view = save.view
        guard view.archive == nil, salvage.format.has(.objectTable), older.container(older.root) != nil,
            let index = losses.firstIndex(where: { $0.loss.kind == .value && $0.address == .root })
        else { return }
        let text = TypePhrase.of(older.root, in: older)
        guard fills else {
            losses[index].counterpart = Counterpart(text: text)
            return
        }
        var draft = Draft(view)
        let source = draft.addSource(older)
        let positions = slotsOfOrphans(in: older)
        let partners = Dictionary(
            positions.enumerated().map { orphan, position in
                (older.item(position, of: older.root).id, draft.id(of: view.item(orphan, of: view.root).id))
            }, uniquingKeysWith: { first, _ in first })
        draft.root = try draft.importValue(older.root, of: source) { partners[$0] }
        try replace(with: draft.editedView(limits: limits))
        losses[index].counterpart = Counterpart(text: text, isFilled: true)
        moveLosses(to: positions, of: older)
    }

    /// Returns the positions of the slots of an older root that contain the counterparts of the orphans, which are in
    /// place of the lost root. Returns none if the containers differ in number or kind.
    private func slotsOfOrphans(in older: ObjectView) -> [Int] {
        let view = save.view
        guard view.container(view.root) != nil else { return [] }
        let orphans = (0..<view[view.root].contents.count).map { view.item($0, of: view.root).id }
        let positions = (0..<older[older.root].contents.count).filter {
            older.container(older.item($0, of: older.root).id) != nil
        }
        let isSame =
            orphans.count == positions.count
            && zip(orphans, positions).allSatisfy { orphan, position in
                view.kind(of: orphan) == older.kind(of: older.item(position, of: older.root).id)
            }
        return isSame ? positions : []
    }

    /// Changes the addresses of losses in the orphans to those in the new root.
    private mutating func moveLosses(to positions: [Int], of older: ObjectView) {
        var prefixes: [JSONPointer: JSONPointer] = [:]
        for (orphan, position) in positions.enumerated() {
            var address = JSONPointer.root
            older.append(position, of: older.root, to: &address)
            prefixes[JSONPointer.root.appending(key: String(orphan).utf16)] = address
        }
        for index in losses.indices {
            guard let address = losses[index].address, !address.tokens.isEmpty else { continue }
            losses[index].address = prefixes[address.prefix(1)].map { $0.appending(address, from: 1) }
        }
    }
}
