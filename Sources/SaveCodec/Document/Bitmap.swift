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
