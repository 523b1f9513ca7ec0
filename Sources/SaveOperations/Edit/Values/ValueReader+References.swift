import KeyedArchives
import SaveCodec

/// Values that are not told but referred to: by the number of an object, or by an address.
extension ValueReader {
    /// The object that a `$ref` mentions: by its `$id`, or by the address that it has before anything is changed.
    mutating func referred(
        to reference: ObjectID, of mention: GraphObject, like example: Example?, in draft: inout Draft
    ) throws(Problem) -> Value {
        if let pointer = document.text(reference) {
            if rules.trustsReferences {
                if let example, example.isPresent { return (example.value, nil) }
                return (draft.add(.null), nil)
            }
            guard let address = self.address(from: pointer) else {
                let meant = Suggestion.address(withSlashBefore: pointer.string)
                throw .patchReference(pointer, nearest: meant.flatMap(draft.view.nearest))
            }
            guard let object = rules.keepsObjects ? draft.presentValue(at: address) : draft.find(address) else {
                throw .patchNoObject(address, draft.advice(for: address))
            }
            if let copy = splits[object] { return (copy, nil) }
            if example?.value == object { return (object, nil) }
            return (draft.splitCopies[object.index] ?? object, nil)
        }
        let number = try mention.checkedReference(reference)
        if let known = numbered[number] { return (known, false) }
        guard let object = numberedValue(number) else { throw document.graphReference(number, at: mention.id) }
        var other = example
        other?.place = nil
        return try value(object, like: other, isRaw: false, in: &draft)
    }

    /// The address in the draft's own save that a `$ref` tells; it may be one in the file that the save is stored in. Nil
    /// for what is none.
    func address(from pointer: StoredString) -> JSONPointer? {
        guard let address = JSONPointer(units: pointer) else { return nil }
        return address.within(saveAt: rules.base) ?? address
    }

    /// Where an `$id` stands in the value that is being read, or among the objects that stand apart.
    mutating func numberedValue(_ number: Int128) -> ObjectID? {
        if let known = numberedValues { return known[number] }
        var found: [Int128: ObjectID] = [:]
        var seen: Set<ObjectID> = []
        var pending = [root] + sharedNumbers.keys.sorted(by: >)
        while let id = pending.popLast() {
            let stored = document.object(id)
            guard stored.kind.isContainer, seen.insert(id).inserted else { continue }
            if stored.kind == .dictionary {
                let object = GraphObject(id, in: document)
                if let number = object.number, found[number] == nil { found[number] = id }
                if case .raw = object.form { continue }
            }
            pending += (0..<stored.referenceCount).map { document.reference($0, of: stored) }
        }
        for (id, number) in sharedNumbers { found[number] = id }
        numberedValues = found
        return found[number]
    }

    /// Whether a value is what plain JSON has for one that is there where it would become too large otherwise:
    /// `{"$ref": "/b"}`, with an address at which the very same stands. In a property list anything else is data.
    func refers(_ id: ObjectID, to example: Example, _ draft: borrowing Draft) -> Bool {
        guard example.isPresent, draft.scalar(example.value) == nil, case .ref(let pointer) = document.soleForm(of: id),
            let text = document.text(pointer), let address = self.address(from: text)
        else { return false }
        return rules.trustsReferences || draft.presentValue(at: address) == example.value
    }
}
