package import KeyedArchives
package import SaveCodec

extension SalvagedSave {
    /// The value that an older copy of the save has in place of a loss.
    package struct Counterpart: Sendable {
        /// The kind and class of the value, or the name: `an integer`, `the key health`, `the class Player`.
        package let text: String
        /// Whether it was written in place of the loss.
        package var isFilled = false
    }

    /// Finds the values, keys and classes that an older copy of the save has in place of the losses.
    ///
    /// - Parameter fills: Whether they are copied into the repaired save. Values that were read are kept.
    package mutating func compare(with older: ObjectView, fills: Bool, limits: Limits) throws(Problem) {
        if try fill(from: older, fills: fills) { return }
        var copy = OlderCopy(of: save.view, older, open: openContainers)
        if !copy.classes.isEmpty {
            try compareClasses(copy, fills: fills)
            if fills { copy = OlderCopy(of: save.view, older, open: openContainers) }
        }
        let slots = slots(in: copy)
        guard !slots.isEmpty else { return }
        var filled: [(slot: OlderCopy.Slot, isFilled: Bool)] = slots.map { ($0, false) }
        let places = self.places(of: slots, in: older)
        if fills {
            var draft = Draft(save.view)
            let source = draft.addSource(older)
            // A container of the older copy may have several counterparts. Then none takes its place.
            let partners = Dictionary(grouping: copy.partners) { $0.value }
                .compactMapValues { $0.count == 1 ? $0[0].key : nil }
            for index in filled.indices {
                filled[index].isFilled = draft.fill(slots[index], from: source) { id in
                    partners[id].map { Draft.ID(index: $0.index) }
                }
            }
            try replace(with: draft.editedView(limits: limits))
        }
        note(filled, at: places, in: older)
    }

    /// The number of losses that were not filled. A loss that has no placeholder of its own is not counted if it is
    /// part of another one: of a lost container, or of the end of a text.
    package var unfilledCount: Int {
        let view = save.view
        let countsAll = !salvage.format.has(.objectTable) && !isCutOff
        return losses.count { loss in
            guard loss.loss.kind != .doubtful, !(loss.counterpart?.isFilled ?? false) else { return false }
            guard loss.loss.kind == .value || loss.loss.kind == .missing else { return true }
            guard let address = loss.address else { return countsAll }
            return ResolvedAddress(address, in: view)?.value.map(view.isPlaceholder) ?? true
        }
    }

    // MARK: Classes

    private mutating func compareClasses(_ copy: OlderCopy, fills: Bool) throws(Problem) {
        var chains: [Int: [String]] = [:]
        for (id, number) in copy.classes {
            guard let uid = copy.view.uid(id), let record = copy.older.archive?.classes[number] else { continue }
            let names = record.chain.map { $0.map(\.string) } ?? []
            chains[uid.index] = names.isEmpty ? [record.name.string, "NSObject"] : names
        }
        guard fills else {
            for index in losses.indices where losses[index].loss.kind == .className {
                guard let object = losses[index].loss.archiveObject, let name = chains[object]?.first else { continue }
                losses[index].counterpart = Counterpart(text: "the class \(name)")
            }
            return
        }
        try repairArchive(withClasses: chains)
    }

    // MARK: Slots

    /// The containers that may lack members at their end.
    private var openContainers: Set<ViewID> {
        let view = save.view
        return Set(
            losses.lazy.filter(\.loss.isOpen).compactMap { loss in
                guard let path = loss.address.flatMap({ ResolvedAddress($0, in: view) }) else { return nil }
                guard let value = path.value, view.container(value) != nil else { return path.containers.last }
                return value
            })
    }

    /// Returns the slots that are lost in the repaired save and present in the older copy.
    private func slots(in copy: OlderCopy) -> [OlderCopy.Slot] {
        let view = save.view
        let graph = view.graph
        let places = losses.filter { [.value, .missing, .key].contains($0.loss.kind) }
        var lost: [ViewID: Set<Int>] = [:]
        var lostKeys: [ViewID: Set<Int>] = [:]
        var values: Set<ViewID> = []
        var keys: Set<ViewID> = []
        for loss in places {
            guard let path = loss.address.flatMap({ ResolvedAddress($0, in: view) }),
                let container = path.containers.last,
                case .slot(let position) = path.end
            else { continue }
            let item = view.item(position, of: container)
            if loss.loss.kind == .key {
                item.key.map { _ = keys.insert($0) }
                lostKeys[container, default: []].insert(position)
            } else if view.isPlaceholder(item.id), view.uid(item.id)?.index != 0 {
                // In a file that shares values, several slots may refer to a lost one.
                if view.document.has(.objectTable) { values.insert(item.id) }
                lost[container, default: []].insert(position)
            }
        }
        for container in graph.containers {
            for position in 0..<container.count {
                if values.contains(graph.value(position, of: container)) {
                    lost[container.id, default: []].insert(position)
                }
                if container.kind.isKeyed, keys.contains(graph.key(position, of: container)) {
                    lostKeys[container.id, default: []].insert(position)
                }
            }
        }
        addBrokenObjects(to: &lost, lostKeys: lostKeys, copy)
        let affected = Set(lost.keys).union(lostKeys.keys).union(openContainers)
        return graph.containers.map(\.id).filter(affected.contains).flatMap {
            copy.slots(of: $0, lost: lost[$0] ?? [], lostKeys: lostKeys[$0] ?? [])
        }.filter { slot in
            // An object of another class is not the one that lost its fields.
            guard let other = slot.value, slot.position < view[slot.container].contents.count,
                let name = className(of: view.item(slot.position, of: slot.container).id, in: view),
                name != SalvageLoss.className
            else { return true }
            return className(of: other, in: copy.older) == name
        }
    }

    private func className(of id: ViewID, in view: ObjectView) -> String? {
        view.classPosition(of: id).flatMap { view.archive?.classes[$0].name.string }
    }

    /// Adds the slots of objects that lost everything they contain, and that the older copy has as values of another
    /// kind: of a dictionary whose lists of keys and elements are lost, only the class came back.
    private func addBrokenObjects(
        to lost: inout [ViewID: Set<Int>], lostKeys: [ViewID: Set<Int>], _ copy: OlderCopy
    ) {
        let view = save.view
        guard view.archive != nil else { return }
        var pending = lost.keys.filter { copy.partners[$0] == nil }
        guard !pending.isEmpty else { return }
        var holders: [ViewID: [(container: ViewID, position: Int)]] = [:]
        let graph = view.graph
        for container in graph.containers {
            for position in 0..<container.count {
                let value = graph.value(position, of: container)
                if copy.partners[value] == nil, view.container(value) != nil {
                    holders[value, default: []].append((container.id, position))
                }
            }
        }
        var broken: Set<ViewID> = []
        while let id = pending.popLast() {
            guard lostKeys[id] == nil, lost[id]?.count == view[id].contents.count, broken.insert(id).inserted else {
                continue
            }
            for (holder, position) in holders[id] ?? [] {
                let hasPartner = copy.partners[holder] != nil
                guard !hasPartner || view.classPosition(of: id) != nil else { continue }
                lost[holder, default: []].insert(position)
                if !hasPartner { pending.append(holder) }
            }
        }
    }

    /// The address of a slot, and whether the save does not have it.
    private typealias Place = (address: JSONPointer, isNew: Bool)

    /// Returns the addresses of slots before they are filled; nil if they are too long.
    private func places(of slots: [OlderCopy.Slot], in older: ObjectView) -> [Place?] {
        let view = save.view
        let paths = view.graph.paths(to: Set(slots.map(\.container)), longest: Self.longestAddress - 1)
        let translator = StoredAddressTranslator(view)
        return slots.map { slot in
            guard var address = paths[slot.container].flatMap(translator.address) else { return nil }
            let isNew = slot.position >= view[slot.container].contents.count
            if !isNew {
                view.append(slot.position, of: slot.container, to: &address)
            } else if let key = slot.key.flatMap(older.text) {
                address.append(key: key.units)
            } else {
                address.append(index: slot.position)
            }
            return (address, isNew)
        }
    }

    /// Records the counterparts of objects that were replaced because all of their fields were lost.
    private mutating func noteParts(
        of slots: [(slot: OlderCopy.Slot, isFilled: Bool)], at places: [Place?], in older: ObjectView
    ) {
        var counterparts: [JSONPointer: Counterpart] = [:]
        for (index, (slot, isFilled)) in slots.enumerated() {
            guard let (address, _) = places[index], let value = slot.value else { continue }
            counterparts[address] = Counterpart(text: TypePhrase.of(value, in: older), isFilled: isFilled)
        }
        for index in losses.indices where losses[index].loss.kind != .doubtful {
            guard var address = losses[index].address else { continue }
            // The loss is a field, or an element of a field.
            for _ in 0..<min(2, address.tokens.count) {
                address.removeLast()
                if let counterpart = counterparts[address] { losses[index].counterpart = counterpart }
            }
        }
    }

    /// Records the counterparts of losses. Adds a loss for each slot that has none: one that refers to a lost value, or
    /// that follows the end of a container.
    private mutating func note(
        _ slots: [(slot: OlderCopy.Slot, isFilled: Bool)], at places: [Place?], in older: ObjectView
    ) {
        noteParts(of: slots, at: places, in: older)
        // A key and its value have the same address.
        var positions: [JSONPointer: [Int]] = [:]
        for index in losses.indices where losses[index].loss.kind != .doubtful {
            if let address = losses[index].address { positions[address, default: []].append(index) }
        }
        var renamed: [JSONPointer: JSONPointer] = [:]
        for (index, (slot, isFilled)) in slots.enumerated() {
            guard let (address, isNew) = places[index] else { continue }
            let key = isNew ? nil : slot.key.flatMap(older.text)
            if let key, isFilled {
                var name = address
                name.removeLast()
                name.append(key: key.units)
                renamed[address] = name
            }
            let parts = [
                key.map { "the key \(Phrase.quoted($0.string))" }, slot.value.map { TypePhrase.of($0, in: older) },
            ]
            let text = parts.compactMap(\.self).joined(separator: " with ")
            let counterpart = Counterpart(text: text, isFilled: isFilled)
            if let found = positions[address], !isNew {
                for position in found { losses[position].counterpart = counterpart }
            } else {
                losses.append(
                    Loss(
                        loss: SalvageLoss(
                            .missing, nil, at: .unknown,
                            isNew ? "it is not in the file" : "it is a reference to a lost value"), address: address,
                        counterpart: counterpart))
            }
        }
        rename(renamed)
    }

    /// Replaces the placeholders of keys in the addresses of losses by the keys that were filled in.
    private mutating func rename(_ addresses: [JSONPointer: JSONPointer]) {
        guard !addresses.isEmpty else { return }
        for index in losses.indices {
            guard var address = losses[index].address else { continue }
            for depth in stride(from: address.tokens.count, to: 0, by: -1)
            where address.tokens[depth - 1].starts(with: SalvageLoss.keyPrefix.utf16) {
                if let name = addresses[address.prefix(depth)] { address = name.appending(address, from: depth) }
            }
            losses[index].address = address
        }
    }
}

extension ObjectView {
    /// Whether a value may be the placeholder of a lost one: null or an empty string.
    fileprivate func isPlaceholder(_ id: ViewID) -> Bool {
        switch scalar(id) {
        case .null: true
        case .string(let text): text.isEmpty
        default: false
        }
    }
}

extension Draft {
    /// Copies a value, a key or both of an older copy. Returns whether the document can hold them.
    fileprivate mutating func fill(
        _ slot: OlderCopy.Slot, from source: Int, partners: (ViewID) -> ID?
    ) -> Bool {
        do throws(Problem) {
            let container = id(of: slot.container)
            let key: ID? = if let key = slot.key { try importValue(key, of: source) } else { nil }
            let value: ID? =
                if let value = slot.value { try importValue(value, of: source, partners: partners) } else { nil }
            if let value, slot.position >= self.value(container).count {
                insert(value, key: key, at: self.value(container).count, of: container)
                return true
            }
            if let key { renameKey(at: slot.position, of: container, to: key) }
            if let value { replace(at: slot.position, of: container, with: value) }
            return true
        } catch {
            return false
        }
    }
}
