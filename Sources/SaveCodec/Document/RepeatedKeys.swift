extension Document {
    /// The positions of the first two pairs of a dictionary whose keys are the same, or nil if every key stands once.
    ///
    /// Strings are the same if their code units are, however they are stored; other scalars if their kind and bytes are.
    /// Linear in the size of the keys, except that up to eight are compared pairwise, which is faster.
    package func firstRepeatedKey(of dictionary: StoredObject) -> (first: Int, second: Int)? {
        dictionary.count <= 8 ? repeatedKeyPairwise(dictionary) : repeatedKeyByHash(dictionary)
    }

    private func repeatedKeyPairwise(_ dictionary: StoredObject) -> (first: Int, second: Int)? {
        for second in 1..<max(dictionary.count, 1) {
            for first in 0..<second where sameKey(key(first, of: dictionary), key(second, of: dictionary)) {
                return (first, second)
            }
        }
        return nil
    }

    private func repeatedKeyByHash(_ dictionary: StoredObject) -> (first: Int, second: Int)? {
        var capacity = 16
        while capacity < dictionary.count * 2 { capacity *= 2 }
        var slots = [UInt32](repeating: 0, count: capacity)
        // Keys that are the same have the same hash; the seed keeps files from being made to collide.
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
        if a == b { return true }
        let first = object(a)
        let second = object(b)
        guard first.count == second.count else { return false }
        if first.kind.isString && second.kind.isString { return sameText(first, as: second, in: self) }
        guard first.kind == second.kind else { return false }
        for offset in 0..<first.count where image[first.start + offset] != image[second.start + offset] { return false }
        return true
    }
}
