import SaveCodec

/// Where elements stand that two lists have once each.
///
/// A hash table in three arrays. Places are drawn with a random seed, so that no list can be made to collide.
struct UniquePlaces {
    private static let none: Int32 = -1
    private static let several: Int32 = -2

    private let seed = UInt64.random(in: 0...UInt64.max)
    private let mask: Int
    private var keys: [UInt64]
    /// The place in each list, by slot of the table.
    private var xs: [Int32]
    private var ys: [Int32]

    init(capacity: Int) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        mask = size - 1
        keys = [UInt64](repeating: 0, count: size)
        xs = [Int32](repeating: Self.none, count: size)
        ys = xs
    }

    /// Notes an element of the first list.
    mutating func addFirst(_ key: UInt64, at place: Int) {
        let slot = slot(of: key)
        xs[slot] = xs[slot] == Self.none ? Int32(truncatingIfNeeded: place) : Self.several
        keys[slot] = key
    }

    /// Notes an element of the second list, after all of the first.
    mutating func addSecond(_ key: UInt64, at place: Int) {
        let slot = slot(of: key)
        guard xs[slot] >= 0 else { return }
        ys[slot] = ys[slot] == Self.none ? Int32(truncatingIfNeeded: place) : Self.several
    }

    /// The place in the second list of an element that both have once.
    func partner(of key: UInt64) -> Int? {
        let slot = slot(of: key)
        return xs[slot] >= 0 && ys[slot] >= 0 ? Int(ys[slot]) : nil
    }

    /// The slot that has a key, or is to have it.
    private func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: ScalarHash.mix(seed, key)) & mask
        while xs[slot] != Self.none, keys[slot] != key { slot = (slot + 1) & mask }
        return slot
    }
}
