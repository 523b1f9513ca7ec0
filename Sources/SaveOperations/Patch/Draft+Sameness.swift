import KeyedArchives
import SaveCodec

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
