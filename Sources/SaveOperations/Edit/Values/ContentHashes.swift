import KeyedArchives
import SaveCodec

/// Hashes of values with their contents. Values with the same plain JSON have the same hash; the order of keys is
/// ignored. Numbers are hashed as reals of eight bytes, so integers beyond 2⁵³ may collide, and 0 and −0 do. Other
/// values collide with a probability of 2⁻⁶⁴. A cycle is hashed up to the reference that closes it.
///
/// The walk is iterative and hashes each value once.
struct ContentHashes {
    private var given: [ObjectID: Int] = [:]
    private var present: [Draft.ID: Int] = [:]
    /// Whether values that are equal for the operation `test` of a patch have the same hash. If so, the order of sets
    /// does not affect hashes, but the classes of objects do.
    private let isByMeaning: Bool

    private static let reference = 1

    init(byMeaning isByMeaning: Bool = false) {
        self.isByMeaning = isByMeaning
    }

    // MARK: Given values

    /// Returns the hash of a value of the JSON text.
    ///
    /// - Parameter isRaw: Whether the value is a value of a property list and not graph JSON.
    mutating func hash(of root: ObjectID, in document: Document, isRaw: Bool) -> Int {
        var pending: [(id: ObjectID, isRaw: Bool, opened: Contents?)] = [(root, isRaw, nil)]
        while let (id, isRaw, opened) = pending.popLast() {
            guard given[id] == nil else { continue }
            if let opened {
                given[id] = Self.number(opened.isKeyed, opened.members.map { ($0.key, given[$0.value] ?? 0) })
                continue
            }
            switch Given(id, in: document, isRaw: isRaw) {
            case .reference: given[id] = Self.reference
            case .scalar(let node): given[id] = node.plainHash
            case .container(let contents):
                pending.append((id, isRaw, contents))
                pending += contents.members.map { ($0.value, contents.isRaw, nil) }
            }
        }
        return given[root] ?? 0
    }

    /// Returns the hashes of a container's slots; empty for a scalar or a reference.
    mutating func parts(of id: ObjectID, in document: Document, isRaw: Bool) -> [Int] {
        guard case .container(let contents) = Given(id, in: document, isRaw: isRaw) else { return [] }
        return contents.members.map { Self.pair($0.key, hash(of: $0.value, in: document, isRaw: contents.isRaw)) }
    }

    /// A value of the JSON text, without the wrapper `$inline`, `$object` or `$raw`.
    enum Given {
        case reference(ObjectID)
        case scalar(Node)
        case container(Contents)

        init(_ id: ObjectID, in document: Document, isRaw: Bool) {
            let (bare, isRaw) = isRaw ? (id, true) : document.unwrapping(id)
            if case .ref(let target) = document.soleValueKind(of: bare) {
                self = .reference(target)
            } else if let contents = GraphJSONContents(of: bare, in: document, isRaw: isRaw) {
                self = .container(Contents(contents, in: document, isRaw: isRaw))
            } else {
                self = .scalar(document[bare])
            }
        }
    }

    /// The contents of a container of the JSON text, with the hashes of their keys.
    struct Contents {
        let isKeyed: Bool
        /// Whether the contents are values of a property list and not graph JSON.
        let isRaw: Bool
        let members: [(key: Int, value: ObjectID)]

        fileprivate init(_ contents: GraphJSONContents, in document: Document, isRaw: Bool) {
            if case .elements = contents { isKeyed = false } else { isKeyed = true }
            self.isRaw = isRaw
            members = contents.slots(in: document).map { slot in
                let name = slot.key.flatMap { document.text($0) }
                return (name.map { Draft.hash(contents.storedName($0) ?? $0[...]) } ?? 0, slot.value)
            }
        }
    }

    // MARK: Present values

    mutating func hash(of root: Draft.ID, in draft: inout Draft) -> Int {
        var pending = [(id: root, isOpen: false)]
        while let (id, isOpen) = pending.popLast() {
            if isOpen {
                var members = Self.contents(of: id, in: &draft).map { ($0.key, present[$0.value] ?? 0) }
                let isOrdered = isByMeaning ? draft.isArray(id) : !draft.isKeyed(id)
                if isByMeaning, case .object = draft.value(id).variant, let name = draft.classOf(id)?.name {
                    members.append((Draft.hash(name), 0))
                }
                present[id] = Self.number(!isOrdered, members)
                continue
            }
            guard present[id] == nil else { continue }
            if let node = draft.scalar(id) {
                present[id] = isByMeaning ? node.meaningHash : node.plainHash
                continue
            }
            present[id] = Self.reference
            pending.append((id, true))
            pending += Self.contents(of: id, in: &draft).map { ($0.1, false) }
        }
        return present[root] ?? 0
    }

    mutating func parts(of id: Draft.ID, in draft: inout Draft) -> [Int] {
        Self.contents(of: id, in: &draft).map { Self.pair($0.0, hash(of: $0.1, in: &draft)) }
    }

    /// Returns the contents of a present container, with the hashes of their keys.
    static func contents(of id: Draft.ID, in draft: inout Draft) -> [(key: Int, value: Draft.ID)] {
        (0..<draft.value(id).count).compactMap { position in
            draft.item(position, of: id).map { item in
                (item.key.flatMap { draft.text($0) }.map { Draft.hash($0) } ?? 0, item.value)
            }
        }
    }

    // MARK: Numbers

    private static func pair(_ key: Int, _ value: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(value)
        return hasher.finalize()
    }

    private static func number(_ isKeyed: Bool, _ members: [(Int, Int)]) -> Int {
        var hasher = Hasher()
        hasher.combine(members.count)
        if isKeyed {
            hasher.combine(members.reduce(0) { $0 &+ pair($1.0, $1.1) })
        } else {
            for member in members { hasher.combine(member.1) }
        }
        return hasher.finalize()
    }
}

extension Node {
    /// The hash of a scalar's plain JSON. An integer and a real with the same value have the same hash.
    var plainHash: Int {
        if let integer {
            let real = Double(integer)
            return Int128(exactly: real) == integer ? real.hashValue : integer.hashValue
        }
        // Plain JSON prints the shortest digits that identify a four-byte real. Read as eight bytes, they are another
        // number.
        let printed: Double? = if case .real32(let real) = self { Double(real.description) } else { real }
        // A hash of reals does not distinguish -0 from 0.
        if let printed, printed.isFinite, printed != 0 || printed.sign == .plus { return printed.hashValue }
        return plainText.hashValue
    }

    /// A hash that is equal for scalars with the same meaning. An integer and a real with the same value have the same
    /// hash.
    fileprivate var meaningHash: Int {
        var hasher = Hasher()
        hasher.combine(isNumber ? .integer : kind)
        switch self {
        case .integer(let integer): hasher.combine(integer.value)
        case .real32, .real64:
            let real = real ?? .nan
            if let integer = Int128(exactly: real) { hasher.combine(integer) } else { hasher.combine(real.bitPattern) }
        case .string(let text): hasher.combine(Draft.hash(text))
        case .data(let bytes): hasher.combine(bytes)
        case .date(let seconds): hasher.combine(seconds.bitPattern)
        case .boolean(let value): hasher.combine(value)
        case .uid(let uid): hasher.combine(uid.value)
        case .null, .array, .set, .dictionary: break
        }
        return hasher.finalize()
    }
}
