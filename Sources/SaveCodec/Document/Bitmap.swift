/// A set of small nonnegative integers, with one bit for each.
package struct Bitmap: Sequence {
    private var words: [UInt64]

    /// Creates an empty set for numbers below `count`.
    package init(count: Int) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    @inline(__always)
    package mutating func insert(_ number: Int) {
        words[number >> 6] |= 1 << UInt64(number & 63)
    }

    package mutating func remove(_ number: Int) {
        words[number >> 6] &= ~(1 << UInt64(number & 63))
    }

    @inline(__always)
    package func contains(_ number: Int) -> Bool {
        words[number >> 6] & (1 << UInt64(number & 63)) != 0
    }

    /// Returns an iterator over the numbers in ascending order.
    package func makeIterator() -> Iterator {
        Iterator(words: words)
    }

    package struct Iterator: IteratorProtocol {
        fileprivate let words: [UInt64]
        private var position = -1
        private var word: UInt64 = 0

        fileprivate init(words: [UInt64]) {
            self.words = words
        }

        package mutating func next() -> Int? {
            while word == 0 {
                position += 1
                guard position < words.count else { return nil }
                word = words[position]
            }
            let bit = word.trailingZeroBitCount
            word &= word - 1
            return position << 6 | bit
        }
    }
}

/// Optional numbers for the entries of a table.
///
/// Takes four bytes per entry once any entry has a number, and no memory before.
package struct NumberTable {
    private let count: Int
    /// Each number plus one, or 0 for an entry without a number.
    private var numbers: [UInt32] = []

    /// Creates a table of `count` entries without numbers.
    package init(count: Int) {
        self.count = count
    }

    /// The number of an entry, below 2³² − 1, or nil.
    package subscript(entry: Int) -> Int? {
        @inline(__always)
        get { numbers.isEmpty || numbers[entry] == 0 ? nil : Int(numbers[entry]) - 1 }
        set {
            if numbers.isEmpty { numbers = [UInt32](repeating: 0, count: count) }
            numbers[entry] = newValue.map { UInt32(truncatingIfNeeded: $0 + 1) } ?? 0
        }
    }

    /// The entries with a number, in ascending order.
    package var entries: [Int] { numbers.indices.filter { numbers[$0] != 0 } }
}
