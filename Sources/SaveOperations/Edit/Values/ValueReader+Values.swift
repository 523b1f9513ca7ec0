import KeyedArchives
import SaveCodec

/// Values of all kinds, and the keys of dictionaries.
extension ValueReader {
    /// Reads a value, or as much of it as comes before its contents.
    ///
    /// - Parameters:
    ///   - isRaw: whether it is a plain value of a property list.
    ///   - place: where it stands among what is there.
    mutating func value(
        _ id: ObjectID, like example: Example?, isRaw: Bool, in draft: inout Draft
    ) throws(Problem) -> Value {
        if let example, isUnchanged(id, example) { return (example.value, example.isInPlace) }
        if isRaw { return try plainValue(id, like: example, in: &draft) }
        guard document.object(id).kind == .dictionary else {
            return try value(bare: id, isInPlace: nil, like: example, in: &draft)
        }
        let object = try graphObject(id, like: example, in: &draft)
        switch object.form {
        case .inline(let bare):
            return try value(bare: bare, isInPlace: true, like: example, in: &draft)
        case .object(let bare):
            return try value(bare: bare, isInPlace: false, like: example, in: &draft)
        case .ref, .raw, .instance, .plain:
            return try read(object, like: example, isInPlace: nil, in: &draft)
        }
    }

    /// Reads a value without the `$inline` or `$object` that was around it.
    private mutating func value(
        bare: ObjectID, isInPlace: Bool?, like example: Example?, in draft: inout Draft
    ) throws(Problem) -> Value {
        switch document.object(bare).kind {
        case .uid: throw document.graphUID(at: bare)
        case .set where isInPlace != true: throw document.graphSet(at: bare)
        case .array, .set:
            return try open(elements(of: bare), like: example, isInPlace: isInPlace, in: &draft)
        case .dictionary:
            let object = try graphObject(bare, like: example, in: &draft)
            return try read(object, like: example, isInPlace: isInPlace, in: &draft)
        default:
            return try scalar(bare, like: example, isInPlace: isInPlace, in: &draft)
        }
    }

    /// Reads a value that is no object of a class.
    private mutating func plainValue(
        _ id: ObjectID, like example: Example?, in draft: inout Draft
    ) throws(Problem) -> Value {
        let kind = document.object(id).kind
        if kind == .uid, inArchive { throw document.graphUID(at: id) }
        if rules.readsPlain, kind == .dictionary, let example {
            if isUnchangedUID(id, example.value, draft) { return (example.value, example.isInPlace) }
            if refers(id, to: example, draft) { return (example.value, example.isInPlace) }
        }
        switch kind {
        case .array, .set:
            var given = elements(of: id)
            given.isRaw = inArchive
            return try open(given, like: example, isInPlace: nil, in: &draft)
        case .dictionary:
            let given = GivenContainer(
                id: id, kind: .dictionary, isRaw: inArchive, members: pairs(of: id, isPlain: true))
            return try open(given, like: example, isInPlace: nil, in: &draft)
        default: return try scalar(id, like: example, isInPlace: nil, in: &draft)
        }
    }

    private func elements(of id: ObjectID) -> GivenContainer {
        let stored = document.object(id)
        var given = GivenContainer(
            id: id, kind: stored.kind == .set ? .set : .array,
            members: (0..<stored.count).map { (nil, document.reference($0, of: stored)) })
        given.number = sharedNumbers[id]
        return given
    }

    /// The pairs of a dictionary of the JSON text.
    ///
    /// - Parameter isPlain: whether names that begin with `$` stand as they are.
    func pairs(of id: ObjectID, isPlain: Bool) -> [(key: GivenContainer.Key?, value: ObjectID)] {
        let stored = document.object(id)
        return (0..<stored.count).map {
            (key(document.key($0, of: stored), isPlain: isPlain), document.value($0, of: stored))
        }
    }

    /// A key of the JSON text.
    ///
    /// - Parameter isPlain: whether a name that begins with `$` stands as it is.
    func key(_ id: ObjectID, isPlain: Bool) -> GivenContainer.Key {
        document.text(id).map { .name(Array($0), isPlain: isPlain) } ?? .value(id)
    }

    /// Whether a value is the plain JSON of a UID that is there: `{"CF$UID": 5}`.
    private func isUnchangedUID(_ id: ObjectID, _ present: Draft.ID, _ draft: borrowing Draft) -> Bool {
        guard case .uid(let uid) = draft.scalar(present), case .dictionary(let pairs) = document[id], pairs.count == 1,
            let value = pairs.value(for: "CF$UID".utf16), case .integer(let number) = document[value]
        else { return false }
        return number.value == Int128(uid.value)
    }
}

extension Draft {
    /// Whether a container is in one that stands in `$objects` without a class.
    mutating func isWithinRaw(_ id: ID) -> Bool {
        guard let present = viewID(of: id), view.uid(present) == nil, let number = open(id) else { return false }
        return containers[number].isRaw
    }

    /// Whether a value is null, which has no type.
    func isNull(_ id: ID) -> Bool {
        if case .null = scalar(id) { return true }
        return false
    }

    /// Whether a value is a number or a boolean.
    func isNumber(_ id: ID) -> Bool {
        switch scalar(id) {
        case .boolean, .integer, .real32, .real64: true
        default: false
        }
    }
}
