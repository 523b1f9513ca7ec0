import KeyedArchives
import SaveCodec

/// Numbers for all that values hold: the same for values of which plain JSON is the same, in whichever order their
/// members are, and another for others but for one chance in 2⁶⁴. A circle counts as far as to where it closes.
///
/// Iterative, and each value is looked at once.
struct ContentHashes {
    private var given: [ObjectID: Int] = [:]
    private var present: [Draft.ID: Int] = [:]

    /// What is mentioned, not told.
    private static let mention = 1

    // MARK: Given values

    /// The number of a value of the JSON text.
    mutating func hash(of root: ObjectID, in document: Document, _ inArchive: Bool) -> Int {
        var pending = [(id: root, isOpen: false)]
        while let (id, isOpen) = pending.popLast() {
            guard given[id] == nil else { continue }
            guard let contents = Contents(of: id, in: document, inArchive) else {
                given[id] = document.plainHash(id) ?? Self.mention
                continue
            }
            guard isOpen else {
                pending.append((id, true))
                pending += contents.members.map { ($0.value, false) }
                continue
            }
            given[id] = Self.number(contents.isKeyed, contents.members.map { ($0.key, given[$0.value] ?? 0) })
        }
        return given[root] ?? 0
    }

    /// The numbers of a container's contents; none of a scalar, and of what is only mentioned.
    mutating func parts(of id: ObjectID, in document: Document, _ inArchive: Bool) -> [Int] {
        guard let contents = Contents(of: id, in: document, inArchive) else { return [] }
        return contents.members.map { Self.pair($0.key, hash(of: $0.value, in: document, inArchive)) }
    }

    /// The contents of a container of the JSON text, with the hashes of their names.
    struct Contents {
        private(set) var isKeyed = false
        private(set) var members: [(key: Int, value: ObjectID)] = []

        /// Nil for scalars and mentions.
        init?(of id: ObjectID, in document: Document, _ inArchive: Bool) {
            var bare = id
            for name in [GraphName.inline, .object, .raw] where inArchive {
                bare = document.soleMember(name, of: bare) ?? bare
            }
            let stored = document.object(bare)
            guard stored.kind.isContainer, document.soleMember(.ref, of: bare) == nil else { return nil }
            guard stored.kind == .dictionary else {
                members = (0..<stored.count).map { (0, document.reference($0, of: stored)) }
                return
            }
            isKeyed = true
            for position in 0..<stored.count {
                let value = document.value(position, of: stored)
                guard let name = document.text(document.key(position, of: stored)) else {
                    members.append((0, value))
                    continue
                }
                if inArchive, name.elementsEqual("$elements".utf16), document.object(value).kind == .array {
                    let list = document.object(value)
                    members = (0..<list.count).map { (0, document.reference($0, of: list)) }
                    isKeyed = false
                    return
                } else if inArchive, name.elementsEqual("$entries".utf16) {
                    addEntries(document.object(value), of: document)
                } else if !inArchive || !GraphMembers.isForm(name) {
                    members.append((Draft.hash(inArchive && name.first == 0x24 ? name.dropFirst() : name[...]), value))
                }
            }
        }

        private mutating func addEntries(_ stored: StoredObject, of document: Document) {
            for position in 0..<stored.count {
                var (key, value) = (ObjectID(0), document.reference(position, of: stored))
                if stored.kind == .dictionary {
                    (key, value) = (document.key(position, of: stored), document.value(position, of: stored))
                } else {
                    let pair = document.object(value)
                    guard pair.kind == .array, pair.count == 2 else { continue }
                    (key, value) = (document.reference(0, of: pair), document.reference(1, of: pair))
                }
                members.append((document.text(key).map { Draft.hash($0) } ?? 0, value))
            }
        }
    }

    // MARK: Values that are there

    /// The number of a value that is there.
    mutating func hash(of root: Draft.ID, in draft: inout Draft) -> Int {
        var pending = [(id: root, isOpen: false)]
        while let (id, isOpen) = pending.popLast() {
            if isOpen {
                let contents = Self.contents(of: id, in: &draft)
                present[id] = Self.number(draft.isKeyed(id), contents.map { ($0.0, present[$0.1] ?? 0) })
                continue
            }
            guard present[id] == nil else { continue }
            if let node = draft.scalar(id) {
                present[id] = node.plainHash
                continue
            }
            present[id] = Self.mention
            pending.append((id, true))
            pending += Self.contents(of: id, in: &draft).map { ($0.1, false) }
        }
        return present[root] ?? 0
    }

    /// The numbers of the contents of a container that is there.
    mutating func parts(of id: Draft.ID, in draft: inout Draft) -> [Int] {
        Self.contents(of: id, in: &draft).map { Self.pair($0.0, hash(of: $0.1, in: &draft)) }
    }

    /// The contents of a container that is there, with the hashes of their names.
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

extension Document {
    /// The hash of a scalar, wrapped or not; nil for a container.
    func plainHash(_ id: ObjectID) -> Int? {
        let bare = soleMember(.inline, of: id) ?? soleMember(.object, of: id) ?? id
        return object(bare).kind.isContainer ? nil : self[bare].plainHash
    }
}

extension Node {
    /// A hash of the plain JSON of a scalar. A whole number is the same as integer and as real.
    var plainHash: Int {
        if let integer { return Double(integer).hashValue }
        // Its digits are as few as tell it from other reals of four bytes, and as one of eight they are another number.
        if case .real32(let real) = self, real.isFinite, let printed = Double(real.description) {
            return printed.hashValue
        }
        if let real, real.isFinite { return real.hashValue }
        return plainText.hashValue
    }
}
