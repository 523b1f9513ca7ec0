import KeyedArchives
package import SaveCodec

extension Draft {
    func isContainer(_ id: ID) -> Bool { scalar(id) == nil }

    /// Whether a value is a dictionary or an object.
    mutating func isKeyed(_ id: ID) -> Bool {
        switch value(id).variant {
        case .dictionary, .object: true
        case .scalar, .array, .set: false
        }
    }

    mutating func isArray(_ id: ID) -> Bool {
        guard case .array = value(id).variant else { return false }
        return true
    }

    /// Returns the size of the values that were added since `start`, counted in values and slots.
    func size(ofAddedFrom start: Int) -> Int {
        added[start...].reduce(0) { sum, new in
            guard case .container(let number) = new else { return sum + 1 }
            return sum + 1 + containers[number].count
        }
    }

    /// Adds the non-string key that a token such as `=5` describes; nil for a token such as `#3`, which describes no
    /// key.
    mutating func add(keyOfExtension form: [UInt16]) -> ID? {
        JSONPointer.key(ofExtension: form).map { add($0[$0.root]) }
    }

    // MARK: Classes

    /// Returns the class that a JSON value describes: a name, a chain of names, or the members of a class record.
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

    /// Returns a short description of a value: a scalar itself, or the kind and size of a container.
    package mutating func brief(_ id: ID) -> String {
        let value = value(id)
        switch value.variant {
        case .scalar(let node): return Self.brief(node)
        case .array, .set, .dictionary:
            let kind = value.variant.kind
            return "\(kind.withArticle) of \(Phrase.count(value.count, kind.contentNoun))"
        case .object:
            let name = classOf(id)?.shownName ?? ""
            return "an object of class \(name) with \(Phrase.count(value.count, "field"))"
        }
    }

    /// Returns a short description of a value. If the description of `other` is the same, adds a note that the values
    /// differ.
    mutating func brief(_ id: ID, besides other: ID) -> String {
        let (text, found) = (brief(id), brief(other))
        return text == found ? text + " with other contents" : text
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
    /// Returns the strings of an array; nil if it contains anything else.
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
    /// Returns a document whose root is the key that a token such as `=5` describes; nil if the token describes no key.
    package static func key(ofExtension form: [UInt16]) -> Document? {
        guard form.first == UInt16(UInt8(ascii: "=")) else { return nil }
        let text = String(decoding: form.dropFirst(), as: UTF16.self)
        for json in [text, "{\"$date\": \"\(text)\"}"] {
            guard let document = try? JSON.readTyped(Array(json.utf8)),
                !document.object(document.root).kind.isContainer,
                JSONPointer.extensionToken(ofKey: document[document.root], at: 0).utf16.elementsEqual(form)
            else { continue }
            return document
        }
        return nil
    }
}

// MARK: Equality

/// Comparison by meaning, as in the operation `test` (RFC 6902 §4.6): numbers by value regardless of type, strings by
/// code units, dictionaries and objects regardless of key order.
extension Draft {
    private struct CandidatePair: Hashable {
        let found: ID
        let expected: ID
    }

    /// Whether a value equals the expected one, including its contents. Time is linear in the size of both values,
    /// except for sorting the members of sets.
    mutating func isSame(_ found: ID, _ expected: ID) -> Bool {
        var pending = [CandidatePair(found: found, expected: expected)]
        var met: Set<CandidatePair> = []
        var hashes = ContentHashes(byMeaning: true)
        while let candidate = pending.popLast() {
            if candidate.found == candidate.expected { continue }
            if let a = scalar(candidate.found) {
                guard let b = scalar(candidate.expected), a.isSame(as: b) else { return false }
            } else {
                guard met.insert(candidate).inserted else { continue }
                guard haveSameForm(candidate), addContents(candidate, to: &pending, &hashes) else { return false }
            }
        }
        return true
    }

    /// Whether both are containers of one kind, size and class. An expected collection without a class matches any
    /// class.
    private mutating func haveSameForm(_ candidate: CandidatePair) -> Bool {
        guard let a = open(candidate.found), let b = open(candidate.expected),
            containers[a].kind == containers[b].kind, containers[a].count == containers[b].count
        else { return false }
        guard let expected = classOf(candidate.expected)?.name else { return containers[a].kind != .object }
        // A new collection without a class is written with the usual one.
        return expected == classOf(candidate.found)?.name ?? Array(containers[a].kind.className.utf16)
    }

    /// Adds the contents of two containers to the pending comparisons.
    ///
    /// - Returns: False if their keys differ.
    private mutating func addContents(
        _ candidate: CandidatePair, to pending: inout [CandidatePair], _ hashes: inout ContentHashes
    ) -> Bool {
        guard let number = open(candidate.found) else { return false }
        switch containers[number].kind {
        case .set:
            addMembers(candidate, to: &pending, &hashes)
            return true
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

    /// Adds the values with equal keys. Keys that no address can name are compared by position. Returns false if a key
    /// is missing.
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

    /// Adds a comparison for each pair of members of two sets.
    ///
    /// Members with equal hashes are paired. If the sets do not have the same hashes, members are paired by position
    /// instead: equal values in a cycle can have different hashes, because a hash depends on where it enters the cycle.
    private mutating func addMembers(
        _ candidate: CandidatePair, to pending: inout [CandidatePair], _ hashes: inout ContentHashes
    ) {
        let found = members(of: candidate.found, &hashes)
        let expected = members(of: candidate.expected, &hashes)
        let haveSameHashes = found.map(\.hash) == expected.map(\.hash)
        for (index, (found, expected)) in zip(found, expected).enumerated() {
            let (a, b) = haveSameHashes ? (found.position, expected.position) : (index, index)
            add(a, b, of: candidate, to: &pending)
        }
    }

    /// Returns the hashes and positions of a set's members, sorted.
    private mutating func members(
        of set: ID, _ hashes: inout ContentHashes
    ) -> [(hash: Int, position: Int)] {
        var members: [(hash: Int, position: Int)] = []
        for position in 0..<value(set).count {
            guard let member = item(position, of: set)?.value else { continue }
            members.append((hashes.hash(of: member, in: &self), position))
        }
        return members.sorted { $0 < $1 }
    }
}

extension Node {
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

    /// A text that is equal for scalars with the same meaning.
    var identity: String {
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

/// The default storage of values in patches, which the reader and the writer of patches share.
extension Draft {
    /// Returns the container whose members are the templates for the members of a container in a patch: the replaced
    /// container of the archive, if it has the same kind and, for objects, the same class name. Otherwise returns nil.
    mutating func patchReplaced(by kind: ContainerKind, className: [UInt16]?, like template: StorageTemplate?) -> ID? {
        guard let template, !template.isInPlace, let number = open(template.value), containers[number].kind == kind,
            !containers[number].isRaw, kind != .object || classOf(template.value)?.name == className
        else { return nil }
        return template.value
    }

    /// Returns the template for a member of a replaced container: the value with the same key or position. Returns nil
    /// for a missing value, and for null, which has no type.
    mutating func patchTemplate(at position: Int?, of replaced: ID) -> StorageTemplate? {
        guard let position, let item = item(position, of: replaced), !isNull(item.value) else { return nil }
        guard case .object = value(replaced).variant else {
            // Collections contain references.
            return StorageTemplate(item.value, isInPlace: false, isPresent: false)
        }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
    }

    /// Returns the default storage of a scalar; nil for the default of its kind. Also returns whether the default
    /// changes the scalar itself: to a 32-bit real, or to an object of the template's class.
    ///
    /// - Parameter className: The class of the scalar.
    mutating func patchStorage(
        of node: Node, _ className: ArchiveClass?, like template: StorageTemplate?
    ) -> (isInPlace: Bool?, isOther: Bool) {
        guard let template, let present = scalar(template.value) else { return (nil, false) }
        let isAlike = ScalarGroup(present) == ScalarGroup(node)
        var isOther = false
        if case .real64 = node, case .real32(_, isRounded: false)? = GivenScalarConversion(node, nil, for: present) {
            isOther = true
        }
        if isAlike, let presentClass = classOf(template.value), presentClass != className { isOther = true }
        if isAlike, className != nil, isRawDate(template.value) { isOther = true }
        return (isAlike ? template.isInPlace : nil, isOther)
    }
}
