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
        case .date: return fault("NS.time", of: object, expected: "a real") { $0.isNumber }
        case .number: return fault(Self.number, of: object)
        case .fields(let rules, _): return fault(rules, of: object)
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
        if document.value(for: "NS.objects", of: object.stored) == nil, case .numbered = shape(of: object.uid) {
            return nil
        }
        return faultOfReferences("NS.objects", of: object)
    }

    private func faultOfPairs(_ object: Suspect) -> Problem? {
        let keys = document.value(for: "NS.keys", of: object.stored).map(document.object)
        let values = document.value(for: "NS.objects", of: object.stored).map(document.object)
        if keys == nil, values == nil, case .numberedPairs = shape(of: object.uid) { return nil }
        if let fault = faultOfReferences("NS.keys", of: object) ?? faultOfReferences("NS.objects", of: object) {
            return fault
        }
        guard let keys, let values else { return nil }
        guard keys.count == values.count else {
            return .pairCount(
                keys: keys.count, values: values.count, of: object.name, document, object.id, .object(object.uid))
        }
        return repeatedKey(keys, of: object)
    }

    /// The first key that stands twice in a dictionary.
    private func repeatedKey(_ keys: StoredObject, of object: Suspect) -> Problem? {
        let uids = (0..<keys.count).lazy.map { document.uid(document.object(document.reference($0, of: keys))) }
        // As a rule keys have been numbered one after the other, which saves the set.
        guard !zip(uids, uids.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        var seen: Set<UInt32> = []
        guard let position = uids.firstIndex(where: { !seen.insert($0).inserted }) else { return nil }
        var address = Address.object(object.uid, "NS.keys")
        address.append(index: position)
        return .keyRepeated(of: object.name, document, document.reference(position, of: keys), address)
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
            // The string "$null" as another object is nil as well, and has been told of.
            if document.uid(element) == 0 {
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

    private static let number =
        FieldRule.all(.integer, "NS.intval") + FieldRule.all(.real, "NS.dblval") + FieldRule.all(.boolean, "NS.boolval")

    private func fault(_ rules: [FieldRule], of object: Suspect) -> Problem? {
        rules.lazy.compactMap { fault($0, of: object) }.first
    }

    private func fault(_ rule: FieldRule, of object: Suspect) -> Problem? {
        guard let value = document.value(for: rule.name, of: object.stored) else {
            guard rule.isRequired else { return nil }
            return .fieldMissing(rule.name.description, of: object.name, document, object.id, .object(object.uid))
        }
        guard !accepts(rule.kind, value) else { return nil }
        return .fieldKind(
            rule.name.description, of: object.name, is: foundName(value), expected: rule.kind.description, document,
            value, .object(object.uid, rule.name))
    }

    private func accepts(_ kind: FieldRule.Kind, _ value: ObjectID) -> Bool {
        let object = document.object(value)
        guard kind.isReference else { return kind.accepts(object.kind) }
        guard object.kind == .uid else { return false }
        switch entries[Int(document.uid(object))] {
        case .value: return kind.accepts(target(of: value).kind)
        case .null, .instance: return true
        case .classRecord, .broken: return false
        }
    }

    /// What stands in a field, through a reference: `a UID of an integer`.
    private func foundName(_ value: ObjectID) -> String {
        let object = document.object(value)
        guard object.kind == .uid else { return document.kindName(value) }
        return "a UID of \(document.kindName(document.reference(Int(document.uid(object)), of: objects)))"
    }

    /// An object, or what the reference that it is leads to.
    private func target(of id: ObjectID) -> StoredObject {
        let object = document.object(id)
        guard object.kind == .uid else { return object }
        return document.object(document.reference(Int(document.uid(object)), of: objects))
    }
}

extension FieldRule.Kind {
    fileprivate var isReference: Bool {
        [.reference, .string, .number, .bytes].contains(self)
    }

    /// Whether a plain value in the field, or that the field refers to, is of this kind.
    fileprivate func accepts(_ kind: StoredObject.Kind) -> Bool {
        switch self {
        case .reference: true
        case .string: kind.isString
        case .number, .real: kind.isNumber
        case .bytes, .data: kind == .data
        case .integer, .boolean: kind == .integer || kind == .true || kind == .false
        }
    }

    fileprivate var description: String {
        switch self {
        case .reference: "a UID"
        case .string: "a UID of a string"
        case .number: "a UID of a number"
        case .bytes: "a UID of data"
        case .integer: "an integer"
        case .real: "a real"
        case .boolean: "a boolean"
        case .data: "data"
        }
    }
}

extension StoredObject.Kind {
    /// Whether it is a number or a boolean: what a field holds in place as a rule, and what archivers of Linux store as
    /// one object if it is equal.
    var isNumber: Bool {
        switch self {
        case .integer, .real, .true, .false: true
        default: false
        }
    }
}
