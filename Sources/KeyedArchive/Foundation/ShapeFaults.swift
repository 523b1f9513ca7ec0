import SaveCodec

/// What is wrong with an object of a class of Foundation, told by the first fault (formats.md §5.4).
extension ShapeReader {
    /// The fault of an object; nil if there is none, or if its class is not known.
    func fault(of uid: UID) -> Problem? {
        guard case .instance(let position) = entries[uid.index] else { return nil }
        let record = classes[Int(position)]
        guard let layout = record.foundation?.layout else { return nil }
        let object = Suspect(
            uid: uid, id: document.reference(uid.index, of: objects), name: record.name,
            stored: document.object(document.reference(uid.index, of: objects)))
        switch layout {
        case .elements: return faultOfElements(object)
        case .numbered, .null: return nil
        case .pairs: return faultOfPairs(object)
        case .string: return fault("NS.string", or: "NS.bytes", of: object, expected: "a string") { $0.isString }
        case .data: return fault("NS.data", or: "NS.bytes", of: object, expected: "data") { $0 == .data }
        case .date: return fault("NS.time", of: object, expected: "a real") { $0 == .real }
        case .fields(let rules, _): return rules.lazy.compactMap { fault($0, of: object) }.first
        }
    }

    /// An object that is looked at.
    private struct Suspect {
        let uid: UID
        let id: ObjectID
        let name: Text
        let stored: StoredObject
    }

    // MARK: Collections

    private func faultOfElements(_ object: Suspect) -> Problem? {
        if document.value(for: "NS.objects", of: object.stored) == nil, isNumbered(object) { return nil }
        return faultOfReferences("NS.objects", of: object)
    }

    /// Whether an object has numbered elements, or none where its archiver would number them.
    private func isNumbered(_ object: Suspect) -> Bool {
        guard case .numbered(let elements, _) = shape(of: object.uid) else { return false }
        return !elements.isEmpty || numbersElements
    }

    private func faultOfPairs(_ object: Suspect) -> Problem? {
        let keys = document.value(for: "NS.keys", of: object.stored).map(document.object)
        let values = document.value(for: "NS.objects", of: object.stored).map(document.object)
        if keys == nil, values == nil, numbersElements { return nil }
        if let fault = faultOfReferences("NS.keys", of: object) ?? faultOfReferences("NS.objects", of: object) {
            return fault
        }
        guard let keys, let values, keys.count != values.count else { return nil }
        return .pairCount(
            keys: keys.count, values: values.count, of: object.name, document, object.id, .object(object.uid))
    }

    /// What keeps a field from being an array of references to objects that are not nil.
    private func faultOfReferences(_ field: StaticString, of object: Suspect) -> Problem? {
        guard let value = document.value(for: field, of: object.stored) else {
            // Pairs are numbered like elements by archivers of other classes.
            if numbersElements { return nil }
            return .fieldMissing(field.description, of: object.name, document, object.id, .object(object.uid))
        }
        let array = document.object(value)
        let address = Address.object(object.uid, field)
        guard array.kind == .array else {
            return .fieldKind(
                field.description, of: object.name, is: document.kindName(value), expected: "an array of UIDs",
                document,
                value, address)
        }
        for position in 0..<array.count {
            let id = document.reference(position, of: array)
            let element = document.object(id)
            var address: Address {
                var address = Address.object(object.uid, field)
                address.append(index: position)
                return address
            }
            guard element.kind == .uid else { return .elementKind(of: object.name, document, id, address) }
            if entries[Int(document.uid(element))] == .null {
                return .elementNil(of: object.name, document, id, address)
            }
        }
        return nil
    }

    // MARK: Fields

    private func fault(
        _ field: StaticString, or other: StaticString? = nil, of object: Suspect, expected: String,
        isFitting: (StoredObject.Kind) -> Bool
    ) -> Problem? {
        guard let value = document.value(for: field, of: object.stored) else {
            if let other, document.value(for: other, of: object.stored) != nil { return nil }
            return .fieldMissing(field.description, of: object.name, document, object.id, .object(object.uid))
        }
        guard !isFitting(target(of: value).kind) else { return nil }
        return .fieldKind(
            field.description, of: object.name, is: document.kindName(value), expected: expected, document, value,
            .object(object.uid, field))
    }

    private func fault(_ rule: FieldRule, of object: Suspect) -> Problem? {
        var address: Address {
            var address = Address.object(object.uid)
            address.append(key: rule.name.utf16)
            return address
        }
        guard let value = document.value(named: rule.name, of: object.stored) else {
            guard rule.isRequired else { return nil }
            return .fieldMissing(rule.name, of: object.name, document, object.id, .object(object.uid))
        }
        guard !rule.kind.accepts(document.object(value).kind) else { return nil }
        return .fieldKind(
            rule.name, of: object.name, is: document.kindName(value), expected: rule.kind.description, document, value,
            address)
    }

    /// An object, or what the reference that it is leads to.
    private func target(of id: ObjectID) -> StoredObject {
        let object = document.object(id)
        guard object.kind == .uid else { return object }
        return document.object(document.reference(Int(document.uid(object)), of: objects))
    }
}

extension FieldRule.Kind {
    func accepts(_ kind: StoredObject.Kind) -> Bool {
        switch self {
        case .reference: kind == .uid
        case .integer: [.integer, .true, .false].contains(kind)
        case .real: kind == .real
        case .boolean: [.true, .false].contains(kind)
        case .data: kind == .data
        }
    }

    var description: String {
        switch self {
        case .reference: "a UID"
        case .integer: "an integer"
        case .real: "a real"
        case .boolean: "a boolean"
        case .data: "data"
        }
    }
}

extension Document {
    /// The value under a key; see ``value(for:of:)``.
    func value(named name: String, of dictionary: StoredObject) -> ObjectID? {
        Pairs(self, dictionary).value(for: name.utf16)
    }
}
