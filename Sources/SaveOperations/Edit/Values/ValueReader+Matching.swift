import KeyedArchives
import SaveCodec

/// Which of the contents of a container that is there the given ones take the place of.
extension ValueReader {
    /// The contents of a container, with the positions in the example that they take the place of.
    ///
    /// - Parameter isAgain: whether the example has been met before, so that elements are matched by their places.
    mutating func members(
        of given: GivenContainer, like example: Draft.ID?, isPresent: Bool, isAgain: Bool, in draft: inout Draft
    ) throws(Problem) -> [Member] {
        var members = given.members.map { Member(key: $0.key, name: nil, keyID: nil, value: $0.value, position: nil) }
        guard given.kind.isKeyed else {
            guard let example else { return members }
            if isAgain {
                for index in 0..<min(members.count, draft.value(example).count) { members[index].position = index }
            } else {
                matchElements(&members, with: example, in: &draft)
            }
            return members
        }
        var matching = KeyMatching(isPlain: given.members.contains { $0.key?.isPlain ?? false })
        for index in members.indices {
            switch members[index].key {
            case .name?: try matchName(&members[index], index, &matching, of: given, like: example, in: &draft)
            case .value(let id)?:
                try matchKey(id, &members[index], index, of: given, like: example, isPresent: isPresent, in: &draft)
            case nil: break
            }
            if let position = members[index].position { matching.used.insert(position) }
        }
        return members
    }

    /// What is known while keys are matched.
    private struct KeyMatching {
        /// Whether names stand as they are, as one begins with one `$`.
        let isPlain: Bool
        /// The positions in the example that have been given.
        var used: Set<Int> = []
        /// The positions of the keys that are no strings, by their names in plain JSON, once asked for.
        var printed: [[UInt16]: [Int]]?
        /// The positions of the keys that hold others and are left, once asked for.
        var containerKeys: [Int]?
        /// The names that the example does not have.
        var new: Set<[UInt16]> = []
    }

    /// Matches a name: with a string, or with the key that has it in plain JSON.
    private func matchName(
        _ member: inout Member, _ index: Int, _ matching: inout KeyMatching, of given: GivenContainer,
        like example: Draft.ID?, in draft: inout Draft
    ) throws(Problem) {
        guard let key = member.key else { return }
        let candidates = matching.isPlain ? key.candidates.reversed() : key.candidates
        if let example {
            for name in candidates {
                member.position = draft.positions(of: name, in: example).first { !matching.used.contains($0) }
                member.name = name
                if member.position != nil { return }
            }
            if rules.readsPlain, let name = key.candidates.last {
                let printed = matching.printed ?? draft.printedKeys(of: example)
                matching.printed = printed
                member.name = nil
                member.position = printed[name]?.first { !matching.used.contains($0) }
                // Of a key that holds others plain JSON has what it stands for.
                if member.position == nil {
                    member.position = containerKey(index, &matching, of: given, like: example, in: &draft)
                }
                if member.position != nil { return }
            }
        }
        guard let name = candidates.first else { return }
        if inArchive, candidates.count == 1, name.first == 0x24, case .name(_, isPlain: false) = key {
            throw document.graphName(name, at: given.id)
        }
        guard matching.new.insert(name).inserted || !inArchive || given.hasPairs else {
            throw document.graphNameTwice(name, at: given.id)
        }
        member.name = name
        member.keyID = draft.add(string: name)
    }

    /// The position of a key that holds others, of which no name is known: that of the member, or where other tools may
    /// have put the members in another order the first that is left.
    private func containerKey(
        _ index: Int, _ matching: inout KeyMatching, of given: GivenContainer, like example: Draft.ID,
        in draft: inout Draft
    ) -> Int? {
        if !matching.used.contains(index), draft.hasContainerKey(at: index, of: example) { return index }
        guard rules.readsWholeReals, given.members.count == draft.value(example).count else { return nil }
        var keys = matching.containerKeys ?? given.members.indices.filter { draft.hasContainerKey(at: $0, of: example) }
        let next = keys.firstIndex { !matching.used.contains($0) }
        keys = next.map { Array(keys[$0...]) } ?? []
        matching.containerKeys = keys
        return keys.first
    }

    /// Matches a key that is no string: by its value, or one that holds others by its position.
    private mutating func matchKey(
        _ id: ObjectID, _ member: inout Member, _ index: Int, of given: GivenContainer, like example: Draft.ID?,
        isPresent: Bool, in draft: inout Draft
    ) throws(Problem) {
        if given.kind == .object || !inArchive || given.isRaw {
            if document.object(id).kind == .uid, inArchive { throw document.graphUID(at: id) }
            guard !document.object(id).kind.isContainer else { throw keyProblem(given) }
        }
        if let example, !document.object(id).kind.isContainer {
            var nodes = [document[id]]
            if rules.readsWholeReals, case .integer(let integer) = nodes[0] {
                nodes.append(.real64(Double(integer.value)))
            }
            for node in nodes {
                let form = JSONPointer.form(ofKey: node, at: index)
                guard form.hasPrefix("="),
                    let position = draft.position(of: Array(form.utf16), isForm: true, at: example)
                else { continue }
                member.position = position
                return
            }
        }
        let present = example.flatMap { draft.item(index, of: $0)?.key }
        owner = .key
        let isPlain = given.kind == .object || !inArchive || given.isRaw
        let key = try value(
            id, like: present.map { Example($0, isInPlace: isPlain, isPresent: isPresent && !isPlain) },
            isRaw: isPlain, at: nil, in: &draft)
        member.keyID = key.id
        if key.id == present || present.map({ isSame($0, id, in: draft) }) ?? false { member.position = index }
    }

    private func isSame(_ present: Draft.ID, _ id: ObjectID, in draft: borrowing Draft) -> Bool {
        draft.scalar(present).map { document[id].isIdentical(to: $0) } ?? false
    }

    private func keyProblem(_ given: GivenContainer) -> Problem {
        guard inArchive else {
            return Problem("edit.key", "the key is a container, which a property list cannot have as key")
        }
        return document.graphProblem(
            "graph.field-name", "the name of a field is an array or an object", at: given.id)
    }

    // MARK: Elements

    /// Matches elements: those that look the same at both ends, then those that look the same anywhere, and of the rest
    /// one with the next.
    private func matchElements(_ members: inout [Member], with example: Draft.ID, in draft: inout Draft) {
        let count = draft.value(example).count
        guard count > 0, !members.isEmpty else { return }
        let given = members.map { signature(of: $0.value) }
        let present = (0..<count).map { position in
            draft.item(position, of: example).map { draft.signature(of: $0.value) } ?? 0
        }
        var start = 0
        while start < min(given.count, count), given[start] == present[start] { start += 1 }
        var end = 0
        while end < min(given.count, count) - start, given[given.count - 1 - end] == present[count - 1 - end] {
            end += 1
        }
        for index in 0..<start { members[index].position = index }
        for index in 0..<end { members[given.count - 1 - index].position = count - 1 - index }
        var places: [Int: [Int]] = [:]
        for position in (start..<count - end).reversed() { places[present[position], default: []].append(position) }
        var left = Set(start..<count - end)
        for index in start..<given.count - end {
            guard let position = places[given[index]]?.popLast() else { continue }
            members[index].position = position
            left.remove(position)
        }
        matchRest(&members, in: start..<given.count - end, with: left.sorted(by: >), of: example, in: &draft)
    }

    /// Matches what looks different one by one. Where there are not as many, each takes the place of one of its kind.
    private func matchRest(
        _ members: inout [Member], in range: Range<Int>, with rest: [Int], of example: Draft.ID, in draft: inout Draft
    ) {
        let open = range.filter { members[$0].position == nil }
        var places: [Int: [Int]] = [:]
        let isOneToOne = open.count == rest.count
        for position in rest {
            let kind = isOneToOne ? 0 : draft.item(position, of: example).map { draft.rank(of: $0.value) } ?? 0
            places[kind, default: []].append(position)
        }
        for index in open {
            members[index].position = places[isOneToOne ? 0 : rank(of: members[index].value)]?.popLast()
        }
    }

    /// A number that values have in common of which one may become the other.
    private func rank(of id: ObjectID) -> Int {
        switch document.object(id).kind {
        case .array, .set: 1
        case .dictionary: 2
        default: document[id].rank
        }
    }

    /// A number that values of the same plain JSON have in common, as far as their scalars tell.
    private func signature(of id: ObjectID) -> Int {
        var bare = id
        for name in [GraphName.inline, .object, .raw] where inArchive {
            bare = document.soleMember(name, of: bare) ?? bare
        }
        let stored = document.object(bare)
        guard stored.kind.isContainer else { return document[bare].plainHash }
        guard stored.kind == .dictionary else { return elementSignature(of: stored) }
        var signature = ValueSignature()
        var count = stored.count
        for position in 0..<stored.count {
            let value = document.value(position, of: stored)
            guard let name = document.text(document.key(position, of: stored)) else { continue }
            if inArchive, GraphMembers.isForm(name) {
                if name.elementsEqual("$elements".utf16) { return elementSignature(of: document.object(value)) }
                count -= 1
            } else {
                signature.add(inArchive && name.first == 0x24 ? name.dropFirst() : name[...], document.plainHash(value))
            }
        }
        return signature.number(count)
    }

    private func elementSignature(of list: StoredObject) -> Int {
        var signature = ValueSignature()
        for position in 0..<min(list.count, ValueSignature.most) {
            signature.add([UInt16(position)], document.plainHash(document.reference(position, of: list)))
        }
        return signature.number(list.count)
    }
}

/// What a container looks like: how much is in it, and the first of its scalars.
private struct ValueSignature {
    static let most = 32
    private var sum = 0
    private var added = 0

    /// Adds a scalar under a key; nil for what is none.
    mutating func add(_ key: some Collection<UInt16>, _ scalar: Int?) {
        guard let scalar, added < Self.most else { return }
        added += 1
        var hasher = Hasher()
        for unit in key { hasher.combine(unit) }
        hasher.combine(scalar)
        sum &+= hasher.finalize()
    }

    func number(_ count: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(count)
        hasher.combine(sum)
        return hasher.finalize()
    }
}

extension Document {
    /// The hash of a scalar, wrapped or not; nil for a container.
    fileprivate func plainHash(_ id: ObjectID) -> Int? {
        let bare = soleMember(.inline, of: id) ?? soleMember(.object, of: id) ?? id
        return object(bare).kind.isContainer ? nil : self[bare].plainHash
    }
}

extension Node {
    /// A hash of the plain JSON of a scalar. A whole number is the same as integer and as real.
    fileprivate var plainHash: Int {
        if let integer { return Double(integer).hashValue }
        if let real, real.isFinite { return real.hashValue }
        return plainText.hashValue
    }
}

extension Node {
    fileprivate var rank: Int {
        switch self {
        case .null: 3
        case .boolean: 4
        case .integer, .real32, .real64: 5
        case .string, .date, .data: 6
        case .uid, .array, .set, .dictionary: 7
        }
    }
}

extension Draft {
    fileprivate mutating func rank(of id: ID) -> Int {
        if let node = scalar(id) { return node.rank }
        return isKeyed(id) ? 2 : 1
    }

    /// The positions of all slots that have a string for a key.
    fileprivate mutating func positions(of key: [UInt16], in container: ID) -> [Int] {
        guard let first = position(of: key, in: container) else { return [] }
        return positions(ofKeyAt: first, in: container).sorted()
    }

    /// Whether a key holds others.
    fileprivate mutating func hasContainerKey(at position: Int, of container: ID) -> Bool {
        item(position, of: container)?.key.map { isContainer($0) } ?? false
    }

    /// The positions of the slots whose keys are no strings, by the names that plain JSON has for these.
    mutating func printedKeys(of container: ID) -> [[UInt16]: [Int]] {
        var names: [[UInt16]: [Int]] = [:]
        for position in 0..<value(container).count {
            guard let key = item(position, of: container)?.key, text(key) == nil else { continue }
            guard let node = scalar(key) else {
                if let note = viewID(of: key).flatMap(view.annotation) {
                    names[Array(note.utf16), default: []].append(position)
                }
                continue
            }
            var bytes = node.plainText[...]
            // In an archive nil is a string.
            if case .null = node, view.archive != nil { bytes = Array("$null".utf8)[...] }
            if bytes.first == UInt8(ascii: "\"") { bytes = bytes.dropFirst().dropLast() }
            names[Array(String(decoding: bytes, as: UTF8.self).utf16), default: []].append(position)
        }
        return names
    }

    fileprivate mutating func signature(of id: ID) -> Int {
        if let node = scalar(id) { return node.plainHash }
        let count = value(id).count
        let isKeyed = isKeyed(id)
        var signature = ValueSignature()
        for position in 0..<(isKeyed ? count : min(count, ValueSignature.most)) {
            guard let item = item(position, of: id) else { continue }
            let hash = scalar(item.value)?.plainHash
            if !isKeyed {
                signature.add([UInt16(position)], hash)
            } else if let key = item.key, let text = text(key) {
                signature.add(text, hash)
            }
        }
        return signature.number(count)
    }
}
