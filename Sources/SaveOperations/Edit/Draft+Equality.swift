import KeyedArchives
import SaveCodec

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
            values.containers[a].kind == values.containers[b].kind,
            values.containers[a].count == values.containers[b].count
        else { return false }
        guard let expected = classOf(candidate.expected)?.name else { return values.containers[a].kind != .object }
        // A new collection without a class is written with the usual one.
        return expected == classOf(candidate.found)?.name ?? Array(values.containers[a].kind.className.utf16)
    }

    /// Adds the contents of two containers to the pending comparisons.
    ///
    /// - Returns: False if their keys differ.
    private mutating func addContents(
        _ candidate: CandidatePair, to pending: inout [CandidatePair], _ hashes: inout ContentHashes
    ) -> Bool {
        guard let number = open(candidate.found) else { return false }
        switch values.containers[number].kind {
        case .set:
            addMembers(candidate, to: &pending, &hashes)
            return true
        case .dictionary, .object: return addPairs(candidate, to: &pending)
        case .array:
            for position in 0..<values.containers[number].count { add(position, position, of: candidate, to: &pending) }
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
            guard let other = self.position(of: token, at: candidate.found, exactly: true) else { return false }
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
    /// Whether two scalars have the same meaning: numbers by value, other scalars with all bits.
    func isSame(as other: Node) -> Bool {
        if isIdentical(to: other) { return true }
        guard let a = Number(comparable: self), let b = Number(comparable: other) else {
            // A NaN equals a NaN with the same bits.
            return real != nil && real?.bitPattern == other.real?.bitPattern
        }
        return a == b
    }
}
