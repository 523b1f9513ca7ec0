/// A set of small whole numbers, one bit each.
struct Bitmap: Sequence {
    private var words: [UInt64]

    /// An empty set of numbers below `count`.
    init(count: Int) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    @inline(__always)
    mutating func insert(_ number: Int) {
        words[number >> 6] |= 1 << UInt64(number & 63)
    }

    @inline(__always)
    func contains(_ number: Int) -> Bool {
        words[number >> 6] & (1 << UInt64(number & 63)) != 0
    }

    /// The numbers in rising order.
    func makeIterator() -> Iterator {
        Iterator(words: words)
    }

    struct Iterator: IteratorProtocol {
        fileprivate let words: [UInt64]
        private var position = -1
        private var word: UInt64 = 0

        fileprivate init(words: [UInt64]) {
            self.words = words
        }

        mutating func next() -> Int? {
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
