import KeyedArchives
package import SaveCodec

/// What patches ask of a draft.
extension Draft {
    /// Whether a value is a container.
    func isContainer(_ id: ID) -> Bool { scalar(id) == nil }

    /// Whether a value is a dictionary or an object.
    mutating func isKeyed(_ id: ID) -> Bool {
        switch value(id).form {
        case .dictionary, .object: true
        case .scalar, .array, .set: false
        }
    }

    /// Whether a value is an array.
    mutating func isArray(_ id: ID) -> Bool {
        guard case .array = value(id).form else { return false }
        return true
    }

    /// How many values have been added since there were so many, with what they hold.
    func size(ofAddedFrom start: Int) -> Int {
        added[start...].reduce(0) { sum, new in
            guard case .container(let number) = new else { return sum + 1 }
            return sum + 1 + containers[number].count
        }
    }

    /// The key that a form such as `=5` stands for; nil if it stands for none.
    mutating func add(keyOfForm form: [UInt16]) -> ID? {
        JSONPointer.key(ofForm: form).map { add($0[$0.root]) }
    }

    // MARK: Classes

    /// The class that a JSON value describes: a name, a chain of names, or the members of a record.
    func readClass(_ id: ObjectID, of document: Document) throws(Problem) -> ArchiveClass {
        switch document[id] {
        case .string(let name): return try knownClass(name)
        case .array(let elements):
            let chain = document.names(elements)
            guard let chain, let name = chain.first else { break }
            return ArchiveClass(name: name, chain: chain)
        case .dictionary(let pairs):
            guard let name = pairs.value(for: "name".utf16).flatMap({ document.text($0) }) else { break }
            return ArchiveClass(
                name: Array(name), chain: document.names(pairs.value(for: "chain".utf16)),
                hints: document.names(pairs.value(for: "hints".utf16)))
        default: break
        }
        throw .patchClassValue(document[id].kind)
    }

    private func knownClass(_ text: StoredString) throws(Problem) -> ArchiveClass {
        let name = Array(text)
        if let number = newNames[name] { return archiveClass(number) }
        guard knownNames[name] != nil || KeyedArchive.chain(ofClass: name) != nil else {
            throw .patchUnknownClass(text, Suggestion.sentence(nearestClass(to: name)))
        }
        return classNamed(name)
    }

    // MARK: Words

    /// A value in a few words: a scalar itself, of a container what it is.
    package mutating func brief(_ id: ID) -> String {
        let value = value(id)
        switch value.form {
        case .scalar(let node): return Self.brief(node)
        case .array, .set, .dictionary:
            let kind = value.form.kind
            return "\(kind.withArticle) of \(Phrase.count(value.count, kind.contentNoun))"
        case .object:
            let name = SafeText.escaping((classOf(id)?.name ?? []).prefix(80))
            return "an object of class \(name) with \(Phrase.count(value.count, "field"))"
        }
    }

    /// A value in a few words, told apart from another one that reads the same.
    mutating func brief(_ id: ID, besides other: ID) -> String {
        let (text, found) = (brief(id), brief(other))
        return text == found ? text + " that holds something else" : text
    }

    private static func brief(_ node: Node) -> String {
        switch node {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let integer): "\(integer.value)"
        case .real32(let value): ScalarText.real(value)
        case .real64(let value): ScalarText.real(value)
        case .string(let text): "\"\(SafeText.escaping(text.prefix(40)))\(text.count > 40 ? "…" : "")\""
        case .date(let seconds): ScalarText.date(seconds).map { "the date \($0)" } ?? "a date"
        case .data(let bytes): "data of \(Phrase.count(bytes.count, "byte"))"
        case .uid(let uid): "UID \(uid.value)"
        case .array, .set, .dictionary: "a container"
        }
    }
}

extension Document {
    /// The strings of an array; nil if it holds anything else.
    fileprivate func names(_ elements: Elements) -> [[UInt16]]? {
        let names = elements.compactMap { text($0) }.map { Array($0) }
        return names.count == elements.count ? names : nil
    }

    fileprivate func names(_ id: ObjectID?) -> [[UInt16]]? {
        guard let id, case .array(let elements) = self[id] else { return nil }
        return names(elements)
    }
}

extension JSONPointer {
    /// The key that a form such as `=5` stands for, as a document; nil if it stands for none.
    package static func key(ofForm form: [UInt16]) -> Document? {
        guard form.first == UInt16(UInt8(ascii: "=")) else { return nil }
        let text = String(decoding: form.dropFirst(), as: UTF16.self)
        for json in [text, "{\"$date\": \"\(text)\"}"] {
            guard let document = try? JSON.readTyped(Array(json.utf8)),
                !document.object(document.root).kind.isContainer,
                JSONPointer.form(ofKey: document[document.root], at: 0).utf16.elementsEqual(form)
            else { continue }
            return document
        }
        return nil
    }
}

// MARK: Equality

/// Comparing by meaning, as the operation `test` does (RFC 6902 §4.6): numbers by value whatever their type, strings by
/// code units, dictionaries and objects whatever the order of keys.
extension Draft {
    private struct CandidatePair: Hashable {
        let found: ID
        let expected: ID
    }

    /// Whether a value is what is expected, with all that is in it. Takes no longer than what is expected is large.
    mutating func isSame(_ found: ID, _ expected: ID) -> Bool {
        var pending = [CandidatePair(found: found, expected: expected)]
        var met: Set<CandidatePair> = []
        while let candidate = pending.popLast() {
            if candidate.found == candidate.expected { continue }
            if let a = scalar(candidate.found) {
                guard let b = scalar(candidate.expected), a.isSame(as: b) else { return false }
            } else {
                guard met.insert(candidate).inserted else { continue }
                guard haveSameForm(candidate), addContents(candidate, to: &pending) else { return false }
            }
        }
        return true
    }

    /// Whether both are containers of one kind, size and class. An array or a dictionary of which no class is told may
    /// be of any.
    private mutating func haveSameForm(_ candidate: CandidatePair) -> Bool {
        guard let a = open(candidate.found), let b = open(candidate.expected),
            containers[a].kind == containers[b].kind, containers[a].count == containers[b].count
        else { return false }
        guard let expected = classOf(candidate.expected)?.name, let found = classOf(candidate.found)?.name else {
            return containers[a].kind != .object
        }
        return found == expected || expected.elementsEqual("NSArray".utf16)
            || expected.elementsEqual("NSDictionary".utf16)
    }

    /// Adds what two containers hold to what is to be compared; false if their keys or members differ.
    private mutating func addContents(_ candidate: CandidatePair, to pending: inout [CandidatePair]) -> Bool {
        guard let number = open(candidate.found) else { return false }
        switch containers[number].kind {
        case .set: return addMembers(candidate, to: &pending)
        case .dictionary, .object: return addPairs(candidate, to: &pending)
        case .array:
            for position in 0..<containers[number].count { add(position, position, of: candidate, to: &pending) }
            return true
        }
    }

    private mutating func add(_ a: Int, _ b: Int, of candidate: CandidatePair, to pending: inout [CandidatePair]) {
        guard let found = item(a, of: candidate.found), let expected = item(b, of: candidate.expected) else { return }
        pending.append(CandidatePair(found: found.value, expected: expected.value))
    }

    /// Pairs the values under the same keys. Keys that no address names are compared by their position.
    private mutating func addPairs(_ candidate: CandidatePair, to pending: inout [CandidatePair]) -> Bool {
        let count = value(candidate.expected).count
        for position in 0..<count {
            var address = JSONPointer.root
            append(slot: position, of: candidate.expected, to: &address)
            let token = address.token(at: 0)
            guard let other = self.position(of: token, at: candidate.found) else { return false }
            if token.isNumberedPair,
                let a = item(other, of: candidate.found)?.key, let b = item(position, of: candidate.expected)?.key
            {
                pending.append(CandidatePair(found: a, expected: b))
            }
            add(other, position, of: candidate, to: &pending)
        }
        return true
    }

    /// Pairs members that are equal scalars, and containers in their order.
    private mutating func addMembers(_ candidate: CandidatePair, to pending: inout [CandidatePair]) -> Bool {
        var scalars: [String: Int] = [:]
        var containers: [[ID]] = [[], []]
        for (side, set) in [candidate.found, candidate.expected].enumerated() {
            for position in 0..<value(set).count {
                guard let member = item(position, of: set)?.value else { continue }
                if let node = scalar(member) {
                    scalars[node.identity, default: 0] += side == 0 ? 1 : -1
                } else {
                    containers[side].append(member)
                }
            }
        }
        guard scalars.values.allSatisfy({ $0 == 0 }), containers[0].count == containers[1].count else { return false }
        pending += zip(containers[0], containers[1]).map { CandidatePair(found: $0, expected: $1) }
        return true
    }
}

extension Node {
    /// Whether two scalars mean the same.
    fileprivate func isSame(as other: Node) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)): a.hasSameUnits(as: b)
        case (.data(let a), .data(let b)): a.elementsEqual(b)
        case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.boolean(let a), .boolean(let b)): a == b
        case (.uid(let a), .uid(let b)): a.value == b.value
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a.value == b.value
        default: isSameNumber(as: other)
        }
    }

    private func isSameNumber(as other: Node) -> Bool {
        switch (real, other.real) {
        case (let a?, let b?): a == b || (a.isNaN && a.bitPattern == b.bitPattern)
        case (let a?, nil): other.integer.map { Int128(exactly: a) == $0 } ?? false
        case (nil, let b?): integer.map { Int128(exactly: b) == $0 } ?? false
        case (nil, nil): false
        }
    }

    /// A text that scalars share which are the same.
    fileprivate var identity: String {
        if let integer { return "n\(integer)" }
        if let real { return Int128(exactly: real).map { "n\($0)" } ?? "r\(real.bitPattern)" }
        switch self {
        case .string(let text): return "s" + text.map { String($0, radix: 36) }.joined(separator: " ")
        case .data(let bytes): return "d" + bytes.map { String($0, radix: 36) }.joined(separator: " ")
        case .date(let seconds): return "t\(seconds.bitPattern)"
        case .boolean(let value): return "b\(value)"
        case .uid(let uid): return "u\(uid.value)"
        default: return ""
        }
    }
}

// MARK: Storage

/// How the values of patches are stored of which nothing is said. Those who read patches and those who write them ask the
/// same.
extension Draft {
    /// The container of an archive after whose contents those of a container in a patch are stored, member by member: the
    /// one that it replaces, if that is of the same kind, and of objects if the class has the same name.
    mutating func patchReplaced(by kind: ContainerKind, className: [UInt16]?, like example: StorageTemplate?) -> ID? {
        guard let example, !example.isInPlace, let number = open(example.value), containers[number].kind == kind,
            !containers[number].isRaw, kind != .object || classOf(example.value)?.name == className
        else { return nil }
        return example.value
    }

    /// What a member of such a container is stored after: what stands at its place, the same key or the same position.
    /// Nil where nothing stands or null, which has no type.
    mutating func patchExample(at position: Int?, of replaced: ID) -> StorageTemplate? {
        guard let position, let item = item(position, of: replaced), !isNull(item.value) else { return nil }
        guard case .object = value(replaced).form else {
            // What a collection holds is referred to.
            return StorageTemplate(item.value, isInPlace: false, isPresent: false)
        }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
    }

    /// Where a scalar stands, nil for as it comes, and whether it becomes another one: a real of four bytes, or an object
    /// of the class that the example has.
    ///
    /// - Parameter className: the class of the scalar.
    mutating func patchStorage(
        of node: Node, _ className: ArchiveClass?, like example: StorageTemplate?
    ) -> (isInPlace: Bool?, isOther: Bool) {
        guard let example, let present = scalar(example.value) else { return (nil, false) }
        let isAlike = ScalarGroup(present) == ScalarGroup(node)
        var isOther = false
        if case .real64 = node, case .real32(_, isRounded: false)? = Setting(node, nil, for: present) { isOther = true }
        if isAlike, let presentClass = classOf(example.value), presentClass != className { isOther = true }
        if isAlike, className != nil, isRawDate(example.value) { isOther = true }
        return (isAlike ? example.isInPlace : nil, isOther)
    }
}
