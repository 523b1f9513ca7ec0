/// A set of positions in a pattern. A set of positions below 64 is stored without further memory.
struct PositionSet: Sequence {
    private var low: UInt64 = 0
    private var high: [UInt64] = []

    init() {}

    init(_ position: Int) {
        insert(position)
    }

    init(_ positions: some Sequence<Int>) {
        for position in positions { insert(position) }
    }

    var isEmpty: Bool { low == 0 && high.isEmpty }

    var count: Int { high.reduce(low.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

    func contains(_ position: Int) -> Bool {
        let word = position >> 6
        guard word <= high.count else { return false }
        return (word == 0 ? low : high[word - 1]) >> UInt64(position & 63) & 1 == 1
    }

    mutating func insert(_ position: Int) {
        let (word, bit) = (position >> 6, UInt64(1) << UInt64(position & 63))
        if word == 0 {
            low |= bit
        } else {
            while high.count < word { high.append(0) }
            high[word - 1] |= bit
        }
    }

    mutating func formUnion(_ other: PositionSet) {
        low |= other.low
        while high.count < other.high.count { high.append(0) }
        for word in other.high.indices { high[word] |= other.high[word] }
    }

    struct Iterator: IteratorProtocol {
        fileprivate var bits: UInt64
        fileprivate let high: [UInt64]
        fileprivate var word = 0

        mutating func next() -> Int? {
            while bits == 0 {
                guard word < high.count else { return nil }
                bits = high[word]
                word += 1
            }
            let bit = bits.trailingZeroBitCount
            bits &= bits &- 1
            return word << 6 + bit
        }
    }

    func makeIterator() -> Iterator { Iterator(bits: low, high: high) }
}

/// The effect of positions in a pattern on a value in which the search does not continue.
struct LeafEffect {
    /// Whether the value matches.
    private(set) var isMatch = false
    /// Whether a container, or a nested save, would be searched.
    private(set) var leadsOn = false
    /// Whether a save would be searched that only an address enters.
    private(set) var entersAnySave = false

    init(of positions: PositionSet, in pattern: PointerPattern) {
        let segments = pattern.segments
        for position in positions {
            if position < segments.count {
                leadsOn = true
                if segments[position].entersAnySave { entersAnySave = true }
            }
            isMatch = isMatch || pattern.closure(from: position).upperBound == segments.count
        }
    }
}
