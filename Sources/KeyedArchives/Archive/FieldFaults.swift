import SaveCodec

/// Checks of the fields of objects of Foundation classes (<doc:ArchiveFindings>). Only the first problem of each field
/// is reported.
///
/// A reference of an unsound archive may lead to no object or to a broken one. Other checks report these references.
extension ArchiveCheck {
    /// Returns the problems with the fields of an object; empty if its class is not known.
    mutating func fieldFaults(of uid: UID) -> [Problem] {
        guard case .instance(let position) = entries[uid.index].role else { return [] }
        let record = classes.records[position]
        guard let layout = record.foundation?.layout else { return [] }
        let object = CheckedObject(uid: uid, id: object(uid), name: record.name, stored: document.object(object(uid)))
        switch layout {
        case .null: return []
        case .elements, .numbered: return list(faultOfElements(object, layout))
        case .pairs: return faultsOfPairs(object)
        case .string: return list(fault("NS.string", or: "NS.bytes", of: object, expected: "a string") { $0.isString })
        case .data: return list(fault("NS.data", or: "NS.bytes", of: object, expected: "data") { $0 == .data })
        case .date: return list(fault("NS.time", of: object, expected: "a real") { $0.isNumber } ?? faultOfTime(object))
        case .number: return Self.number.compactMap { fault($0, of: object) }
        case .fields(let rules, let annotation):
            let faults = rules.compactMap { fault($0, of: object) }
            return faults.isEmpty ? annotation.map { valueFaults(of: object, $0) } ?? [] : faults
        }
    }

    private func list(_ fault: Problem?) -> [Problem] {
        fault.map { [$0] } ?? []
    }

    struct CheckedObject {
        let uid: UID
        let id: ObjectID
        let name: StoredString
        let stored: StoredObject
    }

    // MARK: Collections

    private func faultOfElements(_ object: CheckedObject, _ layout: FoundationClass.Layout) -> Problem? {
        if document.value(for: "NS.objects", of: object.stored) == nil,
            let references = numberedReferences(of: object)
        {
            return faultOfNumbered("NS.object.", references, of: object)
        }
        if case .numbered = layout { return nil }
        return faultOfReferences("NS.objects", of: object)
    }

    /// Returns the references of an object that stores its contents as numbered fields, or nil for any other object.
    private func numberedReferences(of object: CheckedObject) -> ArraySlice<ObjectID>? {
        let entry = entries[object.uid.index]
        guard entry.kind == .numbered || entry.kind == .numberedPairs else { return nil }
        return encodings.numberedReferences[entry.slot..<entry.slot + object.stored.count - 1]
    }

    /// Returns a problem for the first nil among elements that are numbered fields.
    private func faultOfNumbered(
        _ prefix: String, _ elements: ArraySlice<ObjectID>, of object: CheckedObject
    ) -> Problem? {
        guard let position = elements.firstIndex(where: { document.uid(document.object($0)) == 0 }) else { return nil }
        let name = "\(prefix)\(position - elements.startIndex)"
        let address = JSONPointer.object(object.uid).appending(key: name.utf16)
        return nilElement(elements[position], of: object, at: address)
    }

    private func nilElement(_ element: ObjectID, of object: CheckedObject, at address: JSONPointer) -> Problem {
        reported(element, at: address).problem(
            "archive.element-nil",
            "an element of \(object.name.shownAsClass) is nil; readers drop it or reject the archive")
    }

    private func faultsOfPairs(_ object: CheckedObject) -> [Problem] {
        let keys = document.value(for: "NS.keys", of: object.stored).map(document.object)
        let values = document.value(for: "NS.objects", of: object.stored).map(document.object)
        if keys == nil, values == nil, let references = numberedReferences(of: object) {
            let half = references.startIndex + references.count / 2
            return list(faultOfNumbered("NS.key.", references[..<half], of: object))
                + list(faultOfNumbered("NS.object.", references[half...], of: object))
        }
        let faults =
            list(faultOfReferences("NS.keys", of: object)) + list(faultOfReferences("NS.objects", of: object))
        guard faults.isEmpty, let keys, let values else { return faults }
        guard keys.count == values.count else {
            let (keys, values) = (Phrase.count(keys.count, "key"), Phrase.count(values.count, "value"))
            return [
                reported(object.uid).problem(
                    "archive.pair-count", "\(object.name.shownAsClass) has \(keys) for \(values)")
            ]
        }
        return list(duplicateKey(keys, of: object))
    }

    /// Returns a problem for the first duplicate key of a dictionary.
    private func duplicateKey(_ keys: StoredObject, of object: CheckedObject) -> Problem? {
        let uids = (0..<keys.count).lazy.map { document.uid(document.object(document.reference($0, of: keys))) }
        // Keys are usually numbered in ascending order, which makes the set unnecessary.
        guard !zip(uids, uids.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        var seen: Set<UInt32> = []
        guard let position = uids.firstIndex(where: { !seen.insert($0).inserted }) else { return nil }
        let address = JSONPointer.object(object.uid, "NS.keys").appending(index: position)
        return reported(document.reference(position, of: keys), at: address).problem(
            "archive.key-repeated",
            "duplicate key in this \(object.name.shownAsClass); readers keep one of its values", severity: .warning)
    }

    /// Returns a problem if a field is not an array of references to objects other than nil.
    private func faultOfReferences(_ field: StaticString, of object: CheckedObject) -> Problem? {
        guard let value = document.value(for: field, of: object.stored) else {
            // Archivers other than NSKeyedArchiver store the keys and values of a dictionary as numbered fields.
            if encodings.numbersElements { return nil }
            return missing(field, of: object)
        }
        let array = document.object(value)
        guard array.kind == .array else {
            return wrongKind(value, field, of: object, expected: "an array of UIDs")
        }
        for position in 0..<array.count {
            let id = document.reference(position, of: array)
            let element = document.object(id)
            var address: JSONPointer { .object(object.uid, field).appending(index: position) }
            guard element.kind == .uid else {
                return reported(id, at: address).problem(
                    "archive.element-kind",
                    "an element of \(object.name.shownAsClass) is \(document.kindName(id)); expected a UID")
            }
            // Another object that is the string "$null" is nil, too, but has been reported already.
            if document.uid(element) == 0 {
                return nilElement(id, of: object, at: address)
            }
        }
        return nil
    }

    // MARK: Fields

    private func missing(_ field: StaticString, of object: CheckedObject) -> Problem {
        reported(object.uid).problem("archive.field-missing", "\(object.name.shownAsClass) has no \(field)")
    }

    /// Returns the problem of a value of the wrong kind.
    ///
    /// - Parameter found: A description of the value; nil for its kind.
    private func wrongKind(
        _ value: ObjectID, _ field: StaticString, of object: CheckedObject, found: String? = nil, expected: String
    ) -> Problem {
        let found = found ?? document.kindName(value)
        return reported(value, at: .object(object.uid, field)).problem(
            "archive.field-kind",
            "\(field) of \(object.name.shownAsClass) is \(found); expected \(expected)")
    }

    private func fault(
        _ field: StaticString, or other: StaticString? = nil, of object: CheckedObject, expected: String,
        isFitting: (StoredObject.Kind) -> Bool
    ) -> Problem? {
        guard let value = document.value(for: field, of: object.stored) else {
            if let other, document.value(for: other, of: object.stored) != nil { return nil }
            return missing(field, of: object)
        }
        guard let target = target(of: value), !isFitting(target.kind) else { return nil }
        return wrongKind(value, field, of: object, expected: expected)
    }

    private static let number =
        FieldRule.all(.integer, "NS.intval") + FieldRule.all(.real, "NS.dblval") + FieldRule.all(.boolean, "NS.boolval")

    /// Returns a problem for a time that is NaN. Every reader accepts it, but it is not a date.
    private func faultOfTime(_ object: CheckedObject) -> Problem? {
        guard let value = document.value(for: "NS.time", of: object.stored), let time = target(of: value),
            case .real64(let seconds) = document.node(time), seconds.isNaN
        else { return nil }
        return reported(value, at: .object(object.uid, "NS.time")).problem(
            "archive.time-nan", "NS.time of \(object.name.shownAsClass) is NaN, which is not a date", severity: .warning
        )
    }

    private func fault(_ rule: FieldRule, of object: CheckedObject) -> Problem? {
        guard let value = document.value(for: rule.name, of: object.stored) else {
            guard rule.isRequired else { return nil }
            return missing(rule.name, of: object)
        }
        guard !accepts(rule.kind, value) else { return nil }
        return wrongKind(
            value, rule.name, of: object, found: foundName(value, rule.kind), expected: rule.kind.description)
    }

    private func accepts(_ kind: FieldRule.Kind, _ value: ObjectID) -> Bool {
        let object = document.object(value)
        guard kind.isReference else { return kind.accepts(object) }
        guard object.kind == .uid else { return false }
        guard let target = target(of: value) else { return true }
        switch entries[Int(document.uid(object))].kind {
        case .value: return kind.accepts(target)
        case .classRecord: return false
        default: return true
        }
    }

    /// Returns a description of the value in a field, following a reference: `a UID of an integer`.
    private func foundName(_ value: ObjectID, _ kind: FieldRule.Kind) -> String {
        let object = document.object(value)
        if kind == .uuid, object.kind == .data { return "data of \(Phrase.count(object.count, "byte"))" }
        guard object.kind == .uid, Int(document.uid(object)) < entries.count else { return document.kindName(value) }
        return "a UID of \(document.kindName(self.object(UID(Int(document.uid(object))))))"
    }

    /// Returns an object or, for a reference, its target; nil if the reference leads to no object.
    func target(of id: ObjectID) -> StoredObject? {
        let object = document.object(id)
        guard object.kind == .uid else { return object }
        let uid = Int(document.uid(object))
        return uid < entries.count ? document.object(self.object(UID(uid))) : nil
    }
}

extension KeyedArchive {
    /// Whether an object is a dictionary of Foundation with its keys and values in two lists, `NS.keys` and
    /// `NS.objects`.
    package func isDictionary(_ uid: UID) -> Bool {
        let entry = entries[uid.index]
        guard case .instance(let position) = entry.role, case .pairs? = classes[position].foundation?.layout
        else {
            return false
        }
        return entry.kind != .numberedPairs && !numbersElements
    }

    /// Returns the fields that an object of a Foundation class needs and lacks.
    package func missingFields(of uid: UID) -> [StaticString] {
        let entry = entries[uid.index]
        guard case .instance(let position) = entry.role, let layout = classes[position].foundation?.layout,
            entry.kind != .numbered, entry.kind != .numberedPairs
        else { return [] }
        let stored = document.object(document.reference(uid.index, of: objects))
        func lacks(_ field: StaticString) -> Bool { document.value(for: field, of: stored) == nil }
        let fields: [StaticString] =
            switch layout {
            case .null, .numbered, .number: []
            case .elements: numbersElements ? [] : ["NS.objects"]
            case .pairs: numbersElements ? [] : ["NS.keys", "NS.objects"]
            case .string: lacks("NS.bytes") ? ["NS.string"] : []
            case .data: lacks("NS.bytes") ? ["NS.data"] : []
            case .date: ["NS.time"]
            case .fields(let rules, _): rules.filter(\.isRequired).map(\.name)
            }
        return fields.filter(lacks)
    }
}

extension FieldRule.Kind {
    fileprivate var isReference: Bool { [.reference, .string, .number, .bytes].contains(self) }

    /// Whether an object has the kind that the rule requires. The object is the field's value or, if that is a
    /// reference, its target.
    fileprivate func accepts(_ object: StoredObject) -> Bool {
        switch self {
        case .reference: true
        case .string: object.kind.isString
        case .number, .real: object.kind.isNumber
        case .bytes, .data: object.kind == .data
        case .uuid: object.kind == .data && object.count == 16
        case .integer, .boolean: object.kind == .integer || object.kind == .true || object.kind == .false
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
        case .uuid: "data of 16 bytes"
        }
    }
}

extension StoredObject.Kind {
    /// Whether the kind is a number or a Boolean. A Boolean counts because archivers on Linux store it and an equal
    /// number as one object.
    var isNumber: Bool {
        switch self {
        case .integer, .real, .true, .false: true
        default: false
        }
    }
}
