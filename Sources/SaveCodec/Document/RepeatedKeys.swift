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
        let seed = UInt64.random(in: 0...UInt64.max)
        for position in 0..<dictionary.count {
            let id = key(position, of: dictionary)
            var slot = Int(truncatingIfNeeded: keyHash(object(id), seed)) & (capacity - 1)
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

    /// A hash that is the same for keys that are the same. The seed is random, so that no file can be made to collide.
    private func keyHash(_ key: StoredObject, _ seed: UInt64) -> UInt64 {
        var state = seed
        for position in 0..<key.count {
            let unit = key.kind.isString ? codeUnit(position, of: key) : UInt16(image[key.start + position])
            let product = (state ^ UInt64(unit)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            state = product.high ^ product.low
        }
        return state ^ state >> 32
    }
}
