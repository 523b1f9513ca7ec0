import KeyedArchives
import SaveCodec

/// Matching of given members with the present slots that they replace.
extension ValueReader {
    /// Returns the members of a container, with the positions in the template that they replace.
    mutating func members(
        of given: GivenContainer, like template: Draft.ID?, isPresent: Bool, isRaw: Bool, in draft: inout Draft
    ) throws(Problem) -> [OpenContainer.Member] {
        var members = given.members.map {
            OpenContainer.Member(key: $0.key, name: nil, keyID: nil, value: $0.value, position: nil)
        }
        guard given.kind.isKeyed else {
            if let template { matcher.match(&members, with: template, isRaw: isRaw, in: &draft) }
            return members
        }
        var matching = KeyMatching(given, like: template, isPresent: isPresent)
        for index in members.indices {
            switch members[index].key {
            case .name?: try matchName(&members[index], at: index, &matching, in: &draft)
            case .value(let id)?:
                try matchKey(id, of: &members[index], at: index, &matching, in: &draft)
            case nil: break
            }
            if let position = members[index].position { matching.used.insert(position) }
        }
        return members
    }

    /// The maximum depth of keys inside keys, which are read recursively.
    static let maxKeyDepth = 8

    /// The state of the matching of a container's keys.
    private struct KeyMatching {
        let given: GivenContainer
        let template: Draft.ID?
        let isPresent: Bool
        /// Whether names are stored unchanged, because one of them begins with exactly one `$`.
        let keepsDollarNames: Bool
        /// The positions in the template that are already matched.
        var used: Set<Int> = []
        /// The unmatched positions of each string key, the last first.
        var strings: [[UInt16]: [Int]] = [:]
        /// The positions of keys other than strings, by their names in plain JSON; nil until needed.
        var printed: [[UInt16]: [Int]]?
        /// The positions of keys other than strings, by their address tokens, such as `=5`; nil until needed.
        var forms: [String: [Int]]?
        /// The positions of the unmatched keys that are containers; nil until needed.
        var containerKeys: [Int]?
        var new: Set<[UInt16]> = []

        init(_ given: GivenContainer, like template: Draft.ID?, isPresent: Bool) {
            (self.given, self.template, self.isPresent) = (given, template, isPresent)
            keepsDollarNames = given.members.contains { $0.key?.hasSingleDollar ?? false }
        }

        /// Removes and returns the next position that is not matched yet.
        func next(_ positions: inout [Int]?) -> Int? {
            while let position = positions?.popLast() {
                if !used.contains(position) { return position }
            }
            return nil
        }
    }

    /// Matches a name with a string key, or with a key that plain JSON prints as this name.
    private func matchName(
        _ member: inout OpenContainer.Member, at index: Int, _ matching: inout KeyMatching, in draft: inout Draft
    ) throws(Problem) {
        let (given, template) = (matching.given, matching.template)
        guard let key = member.key else { return }
        let candidates = matching.keepsDollarNames ? key.candidates.reversed() : key.candidates
        if let template {
            for name in candidates {
                var positions: [Int]? = matching.strings.removeValue(forKey: name)
                if positions == nil { positions = draft.positions(of: name, in: template).reversed() }
                member.position = matching.next(&positions)
                matching.strings[name] = positions
                member.name = name
                if member.position != nil { return }
            }
            if rules.readsPlain, let name = key.candidates.last {
                if matching.printed == nil {
                    matching.printed = draft.printedKeys(of: template).mapValues { $0.reversed() }
                }
                var positions = matching.printed?.removeValue(forKey: name)
                member.name = nil
                member.position = matching.next(&positions)
                matching.printed?[name] = positions
                // Plain JSON prints only a description of a key that is a container.
                if member.position == nil {
                    member.position = containerKey(at: index, of: template, &matching, in: &draft)
                }
                if member.position != nil { return }
            }
        }
        guard let name = candidates.first else { return }
        if inArchive, key.hasSingleDollar {
            throw document.graphName(name, at: given.id)
        }
        guard matching.new.insert(name).inserted || !inArchive || given.hasPairs else {
            throw document.graphNameTwice(name, at: given.id)
        }
        member.name = name
        member.keyID = draft.add(string: name)
    }

    /// Returns the position of a key that is a container. Its printed name is not known, so the result is the position
    /// of the member or, if other tools may have changed the order, the first unmatched position.
    private func containerKey(
        at index: Int, of template: Draft.ID, _ matching: inout KeyMatching, in draft: inout Draft
    ) -> Int? {
        let given = matching.given
        if !matching.used.contains(index), draft.hasContainerKey(at: index, of: template) { return index }
        guard rules.acceptsUntypedTools, given.members.count == draft.value(template).count else { return nil }
        var keys =
            matching.containerKeys ?? given.members.indices.filter { draft.hasContainerKey(at: $0, of: template) }
        let next = keys.firstIndex { !matching.used.contains($0) }
        keys = next.map { Array(keys[$0...]) } ?? []
        matching.containerKeys = keys
        return keys.first
    }

    /// Matches a key that is not a string: a scalar by its value, a container by its position.
    private mutating func matchKey(
        _ id: ObjectID, of member: inout OpenContainer.Member, at index: Int, _ matching: inout KeyMatching,
        in draft: inout Draft
    ) throws(Problem) {
        let (given, template) = (matching.given, matching.template)
        if given.kind == .object || !inArchive || given.isRaw {
            if document.object(id).kind == .uid, inArchive { throw document.graphUID(at: id) }
            guard !document.object(id).kind.isContainer else { throw keyProblem(given) }
        }
        if let template, !document.object(id).kind.isContainer {
            var nodes = [document[id]]
            if rules.acceptsUntypedTools, case .integer(let integer) = nodes[0] {
                nodes.append(.real64(Double(integer.value)))
            }
            if matching.forms == nil { matching.forms = draft.keyForms(of: template) }
            for node in nodes {
                let form = JSONPointer.extensionToken(ofKey: node, at: index)
                var positions = matching.forms?.removeValue(forKey: form)
                member.position = matching.next(&positions)
                matching.forms?[form] = positions
                if member.position != nil { return }
            }
        }
        let present = template.flatMap { draft.item(index, of: $0)?.key }
        stack.owner = .key
        guard keyDepth < Self.maxKeyDepth else {
            throw Problem("edit.key", "keys are nested in keys more than \(Self.maxKeyDepth) deep")
        }
        keyDepth += 1
        defer { keyDepth -= 1 }
        let isUnboxed = given.kind == .object || !inArchive || given.isRaw
        let key = try value(
            id,
            like: present.map {
                StorageTemplate($0, isInPlace: isUnboxed, isPresent: matching.isPresent && !isUnboxed)
            },
            isRaw: isUnboxed, in: &draft)
        member.keyID = key.id
        guard !matching.used.contains(index) else { return }
        if key.id == present || present.map({ isSame($0, id, in: draft) }) ?? false { member.position = index }
    }

    private func isSame(_ present: Draft.ID, _ id: ObjectID, in draft: borrowing Draft) -> Bool {
        draft.scalar(present).map { document[id].isIdentical(to: $0) } ?? false
    }

    private func keyProblem(_ given: GivenContainer) -> Problem {
        guard inArchive else {
            return Problem("edit.key", "found a container as a key; a property list allows only scalar keys")
        }
        return document.graphFieldName(at: given.id)
    }
}

extension Draft {
    /// Returns the positions of all slots with a string key, in ascending order.
    fileprivate mutating func positions(of key: [UInt16], in container: ID) -> [Int] {
        guard let first = position(of: key, in: container) else { return [] }
        return positions(ofKeyAt: first, in: container).sorted()
    }

    fileprivate mutating func hasContainerKey(at position: Int, of container: ID) -> Bool {
        item(position, of: container)?.key.map { isContainer($0) } ?? false
    }

    /// Returns the positions of the slots whose keys are scalars other than strings, by their address tokens, such as
    /// `=5`. The last position comes first.
    fileprivate mutating func keyForms(of container: ID) -> [String: [Int]] {
        var forms: [String: [Int]] = [:]
        for position in (0..<value(container).count).reversed() {
            guard let key = item(position, of: container)?.key, let form = extensionToken(ofKey: key) else { continue }
            forms[form, default: []].append(position)
        }
        return forms
    }

    /// Returns the positions of the slots whose keys are not strings, by the names that plain JSON prints for them.
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
            // The key nil of an archive is the string `$null`.
            if case .null = node, view.archive != nil { bytes = Array("$null".utf8)[...] }
            if bytes.first == UInt8(ascii: "\"") { bytes = bytes.dropFirst().dropLast() }
            names[Array(String(decoding: bytes, as: UTF8.self).utf16), default: []].append(position)
        }
        return names
    }
}
