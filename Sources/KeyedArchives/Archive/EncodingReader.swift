import SaveCodec

/// Finds how the objects of an archive are encoded, one by one.
struct EncodingReader {
    let document: Document
    /// Whether the archiver is of a class that numbers the elements of collections instead of listing them.
    let numbersElements: Bool
    /// The references of all objects whose contents are fields of their own, in the order of their numbers.
    private(set) var numberedReferences: [ObjectID] = []

    init(_ document: Document, archiver: StoredString) {
        self.document = document
        numbersElements = !document.text(archiver.object, equals: "NSKeyedArchiver")
    }

    /// How the object of a class is encoded, in which `$class` stands once, at this position: as its class has it, or as
    /// fields if the class is not known or the object holds other things than the class says.
    ///
    /// - Parameter areReferences: whether the containers that it holds in place have nothing but references.
    mutating func entry(
        of stored: StoredObject, class position: Int32, _ layout: FoundationClass.Layout, member: Int,
        areReferences: Bool
    ) -> Entry {
        guard let (kind, slot) = contents(of: stored, layout, member: member, areReferences: areReferences)
        else { return Entry(kind: .fields, classPosition: position, slot: member) }
        return Entry(kind: kind, classPosition: position, slot: slot)
    }

    private mutating func contents(
        of stored: StoredObject, _ layout: FoundationClass.Layout, member: Int, areReferences: Bool
    ) -> (Entry.Kind, slot: Int)? {
        let kind: Entry.Kind? =
            switch layout {
            case .elements: areReferences && isArray("NS.objects", of: stored) ? .elements : nil
            case .string: isScalar("NS.string", of: stored) { $0.kind.isString } ? .string : nil
            case .data: isScalar("NS.data", of: stored) { $0.kind == .data } ? .data : bytes(of: stored)
            // A four-byte real is no date of NSDate's.
            case .date: isScalar("NS.time", of: stored) { $0.kind == .real && $0.count == 8 } ? .date : nil
            case .number: isNumber(stored) ? .number : nil
            case .null: stored.count == 1 ? .nullObject : nil
            case .numbered, .pairs, .fields: nil
            }
        if let kind { return (kind, member) }
        switch layout {
        case .elements where stored.count > 1 || numbersElements: fallthrough
        case .numbered: return numbered(stored, ["NS.object."]).map { (.numbered, $0) }
        case .pairs: return pairs(of: stored, member: member, areReferences: areReferences)
        default: return nil
        }
    }

    private func bytes(of stored: StoredObject) -> Entry.Kind? {
        isScalar("NS.bytes", of: stored) { $0.kind == .data } ? .bytes : nil
    }

    private func isNumber(_ stored: StoredObject) -> Bool {
        isScalar("NS.intval", of: stored) { $0.kind == .integer }
            || isScalar("NS.dblval", of: stored) { $0.kind == .real }
            || isScalar("NS.boolval", of: stored) { $0.kind == .true || $0.kind == .false }
    }

    /// Whether an object has this one field, with a value that fits.
    private func isScalar(
        _ key: StaticString, of stored: StoredObject, isFitting: (StoredObject) -> Bool
    ) -> Bool {
        guard stored.count == 2, let value = document.value(for: key, of: stored) else { return false }
        return isFitting(document.object(value))
    }

    /// Whether an object has this one field, an array.
    private func isArray(_ key: StaticString, of stored: StoredObject) -> Bool {
        isScalar(key, of: stored) { $0.kind == .array }
    }

    private mutating func pairs(
        of stored: StoredObject, member: Int, areReferences: Bool
    ) -> (Entry.Kind, slot: Int)? {
        if areReferences, stored.count == 3, let keys = document.position(of: "NS.keys", in: stored),
            let values = document.position(of: "NS.objects", in: stored),
            case let keyList = document.object(document.value(keys, of: stored)), keyList.kind == .array,
            case let valueList = document.object(document.value(values, of: stored)), valueList.kind == .array
        {
            return keyList.count == valueList.count ? (.pairs, member | keys << 2) : nil
        }
        guard stored.count > 1 || numbersElements else { return nil }
        return numbered(stored, ["NS.key.", "NS.object."]).map { (.numberedPairs, $0) }
    }

    /// Where the references `NS.object.0`, `NS.object.1`, … start of an object that has no other fields: for each prefix
    /// as many.
    private mutating func numbered(_ stored: StoredObject, _ prefixes: [String]) -> Int? {
        let (length, remainder) = (stored.count - 1).quotientAndRemainder(dividingBy: prefixes.count)
        guard remainder == 0 else { return nil }
        var values = [ObjectID?](repeating: nil, count: stored.count - 1)
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            if document.text(key, equals: "$class") { continue }
            guard let (list, number) = number(of: key, prefixes), number < length,
                values[list * length + number] == nil
            else { return nil }
            let value = document.value(position, of: stored)
            guard document.object(value).kind == .uid else { return nil }
            values[list * length + number] = value
        }
        let present = values.compactMap { $0 }
        guard present.count == values.count else { return nil }
        numberedReferences += present
        return numberedReferences.count - present.count
    }

    /// The number in a key `NS.object.5`, and which of the prefixes it has.
    private func number(of key: StoredObject, _ prefixes: [String]) -> (list: Int, number: Int)? {
        guard key.kind.isString, (8...20).contains(key.count) else { return nil }
        let text = StoredString(document, key).string
        guard let list = prefixes.firstIndex(where: text.hasPrefix) else { return nil }
        let digits = text.dropFirst(prefixes[list].count)
        guard let number = Int(digits), number >= 0, String(number) == digits else { return nil }
        return (list, number)
    }
}

extension Document {
    /// The value under a key of ASCII characters, of a repeated key the one that Foundation's readers take.
    func value(for key: StaticString, of dictionary: StoredObject) -> ObjectID? {
        position(of: key, in: dictionary).map { value($0, of: dictionary) }
    }

    /// The position of the pair under a key of ASCII characters, of a repeated key that of the one that Foundation's
    /// readers take.
    func position(of key: StaticString, in dictionary: StoredObject) -> Int? {
        func matches(_ position: Int) -> Bool {
            text(object(self.key(position, of: dictionary)), equals: key)
        }
        let positions = 0..<dictionary.count
        return lastRepeatedKeyWins ? positions.last(where: matches) : positions.first(where: matches)
    }
}
