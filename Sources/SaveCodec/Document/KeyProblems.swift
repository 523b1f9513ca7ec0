extension Document {
    /// Returns a warning for each dictionary with a duplicate key or a non-string key.
    ///
    /// At most a thousand are listed, and a last problem counts the rest. The time is linear in the document's size.
    package func keyProblems() -> [Problem] {
        guard mayHaveInvalidKeys else { return [] }
        var problems: [Problem] = []
        var count = 0
        var walk = DocumentWalk(self)
        while let visit = walk.next() {
            guard visit.object.kind == .dictionary, let invalidKey = invalidKey(of: visit.object) else { continue }
            count += 1
            if count <= Self.keyProblemLimit { problems.append(problem(invalidKey, of: visit, at: walk.address)) }
        }
        if count > Self.keyProblemLimit {
            problems.append(
                Problem(
                    "document.more-keys",
                    Phrase.count(count - Self.keyProblemLimit, "more dictionary", "has")
                        + " duplicate or non-string keys",
                    severity: .warning))
        }
        return problems
    }

    private static let keyProblemLimit = 1000

    private var mayHaveInvalidKeys: Bool { mayHaveDictionary { invalidKey(of: $0) != nil } }

    /// Whether any dictionary in the table may have duplicate keys. This is a quick check, which may also return true
    /// if none has any.
    package var mayHaveDuplicateKeys: Bool { mayHaveDictionary { firstDuplicateKey(of: $0) != nil } }

    /// Whether any dictionary in the table, reachable or not, satisfies `isMatch`.
    ///
    /// This takes one pass in the order of the table. Dictionaries with the keys of a recently checked one are skipped.
    /// Also returns true if dictionaries or keys overlap so much that a walk from the root is faster.
    private func mayHaveDictionary(where isMatch: (StoredObject) -> Bool) -> Bool {
        var budget = 2 * imageSize
        var sound = RecentKeySets(self)
        for index in 0..<count {
            guard let offset = offset(of: ObjectID(index)), image[offset] >= ObjectMarker.dictionary,
                let object = checkedObject(ObjectID(index))
            else { continue }
            budget -= object.referenceCount
            if budget < 0 { return true }
            if sound.slot(of: object).isKnown { continue }
            for position in 0..<object.count { budget -= self.object(key(position, of: object)).ownSize }
            if budget < 0 || isMatch(object) { return true }
        }
        return false
    }

    private enum InvalidKey {
        /// The pair at this position has the same key as an earlier one.
        case duplicate(Int)
        case kind
    }

    private func invalidKey(of dictionary: StoredObject) -> InvalidKey? {
        hasNonStringKey(dictionary) ? .kind : duplicateKey(of: dictionary)
    }

    /// Whether a dictionary has a key that is not a string.
    package func hasNonStringKey(_ dictionary: StoredObject) -> Bool {
        (0..<dictionary.count).contains { !ObjectMarker.isString(marker(of: key($0, of: dictionary))) }
    }

    private func duplicateKey(of dictionary: StoredObject) -> InvalidKey? {
        // Readers of text formats record dictionaries with duplicate keys.
        if lastDuplicateWins, facts.dictionariesWithDuplicates.isEmpty { return nil }
        return firstDuplicateKey(of: dictionary).map { .duplicate($0.second) }
    }

    private func problem(_ invalidKey: InvalidKey, of visit: DocumentWalk.Visit, at address: JSONPointer) -> Problem {
        let location =
            has(.objectTable) ? offset(of: visit.id).map(SourceLocation.byte) : nil
        switch invalidKey {
        case .kind:
            return Problem(
                "document.key-kind", "the dictionary has a non-string key", severity: .warning, at: location,
                address: address)
        case .duplicate(let position):
            var address = address
            append(step: position, of: visit.object, to: &address)
            return .duplicateKey(
                StoredString(self, object(key(position, of: visit.object))), lastWins: lastDuplicateWins, at: location,
                address: address)
        }
    }
}

extension Problem {
    fileprivate static func duplicateKey(
        _ key: StoredString, lastWins: Bool, at location: SourceLocation?, address: JSONPointer
    ) -> Problem {
        Problem(
            "document.repeated-key",
            "duplicate key \(Phrase.quoted(key)); readers keep its \(lastWins ? "last" : "first") value",
            severity: .warning, at: location, address: address)
    }
}

// MARK: Duplicate keys

extension Document {
    /// Returns the positions of the first two pairs of a dictionary with the same key, or nil if all keys differ.
    ///
    /// Keys are compared as ``sameScalar(_:as:in:)`` compares scalars. The time is linear in the size of the keys. Up
    /// to eight keys are compared pairwise, which is faster.
    package func firstDuplicateKey(of dictionary: StoredObject) -> (first: Int, second: Int)? {
        dictionary.count <= 8 ? duplicateKeyPairwise(dictionary) : duplicateKeyByHash(dictionary)
    }

    /// Returns the beginning of the first duplicate key of a dictionary, escaped for display; nil if all keys differ.
    func shownDuplicateKey(of dictionary: StoredObject) -> String? {
        firstDuplicateKey(of: dictionary).map { first, _ in
            text(key(first, of: dictionary)).map { Phrase.name($0) } ?? ""
        }
    }

    /// Returns the loss of all but one of the pairs with a duplicate key; nil if all keys differ.
    func duplicateKeyLoss(of dictionary: StoredObject) -> TextLoss? {
        shownDuplicateKey(of: dictionary).map { .duplicateKey($0) }
    }

    private func duplicateKeyPairwise(_ dictionary: StoredObject) -> (first: Int, second: Int)? {
        for second in 1..<max(dictionary.count, 1) {
            for first in 0..<second where sameKey(key(first, of: dictionary), key(second, of: dictionary)) {
                return (first, second)
            }
        }
        return nil
    }

    private func duplicateKeyByHash(_ dictionary: StoredObject) -> (first: Int, second: Int)? {
        var capacity = 16
        while capacity < dictionary.count * 2 { capacity *= 2 }
        var slots = [UInt32](repeating: 0, count: capacity)
        // Equal keys have equal hashes. The seed is random, so that no file can be made to cause collisions.
        let seed = UInt64.random(in: 0...UInt64.max)
        for position in 0..<dictionary.count {
            let id = key(position, of: dictionary)
            var slot = Int(truncatingIfNeeded: hash(ofScalar: object(id), seed: seed)) & (capacity - 1)
            while slots[slot] != 0 {
                let other = Int(slots[slot]) - 1
                if sameKey(id, key(other, of: dictionary)) { return (other, position) }
                slot = (slot + 1) & (capacity - 1)
            }
            slots[slot] = UInt32(truncatingIfNeeded: position + 1)
        }
        return nil
    }

    private func sameKey(_ a: ObjectID, _ b: ObjectID) -> Bool {
        a == b || sameScalar(object(a), as: object(b), in: self)
    }
}

// MARK: Dictionaries under construction

/// A search for duplicate keys in a dictionary under construction.
///
/// Equal keys of a text format are one object, so it suffices to compare object indices. A few keys are compared
/// pairwise, many by a mark on each object.
struct DuplicateKeySearch {
    private var marks: [UInt32] = []
    private var dictionary: UInt32 = 0

    /// Whether `contents`, a range of alternating keys and values in `pending`, has duplicate keys.
    mutating func hasDuplicates(in pending: [UInt32], _ contents: Range<Int>, objectCount: Int) -> Bool {
        contents.count <= 32 ? Self.pairwise(pending, contents) : marked(pending, contents, objectCount: objectCount)
    }

    private static func pairwise(_ pending: [UInt32], _ contents: Range<Int>) -> Bool {
        for a in stride(from: contents.lowerBound, to: contents.upperBound, by: 2) {
            for b in stride(from: a + 2, to: contents.upperBound, by: 2) where pending[a] == pending[b] { return true }
        }
        return false
    }

    private mutating func marked(_ pending: [UInt32], _ contents: Range<Int>, objectCount: Int) -> Bool {
        if marks.count < objectCount { marks += repeatElement(0, count: objectCount - marks.count) }
        dictionary += 1
        for position in stride(from: contents.lowerBound, to: contents.upperBound, by: 2) {
            if marks[Int(pending[position])] == dictionary { return true }
            marks[Int(pending[position])] = dictionary
        }
        return false
    }
}
