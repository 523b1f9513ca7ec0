/// Sorts the keys of one dictionary by their UTF-16 code units.
///
/// Keys of a dictionary often begin alike (`com.apple.…`), so they are not compared from the start again and again, but
/// eight bytes at a time: all keys by their first eight, those that are equal in them by the next ones, and so on. The
/// bytes are code units in an encoding that has their order, in which nearly all characters of keys take one byte:
///
///     unit up to 0x00EE    the unit plus one
///     unit from 0x00EF     F0, and the unit in two bytes
///     end                  zeros
struct KeySort {
    /// A few words, as a dictionary may have millions; the key itself is looked up when it is needed.
    private struct Key {
        let position: UInt32
        /// Eight bytes from an offset on, the first the most significant; of keys that are no strings ``other``.
        var word: UInt64 = 0
        /// Whether the key in front of this one is the same.
        var isRepeat = false
    }

    /// Neighbours that are equal up to an offset, in code units.
    private struct Run {
        let range: Range<Int>
        let offset: Int
    }

    /// No unit begins with such a byte.
    private static let other = UInt64.max
    /// The byte in front of a unit of two bytes.
    private static let wide: UInt64 = 0xF0

    private let document: Document
    private let dictionary: StoredObject
    private var keys: [Key] = []
    private var sorted: [Key] = []

    init(_ document: Document, _ dictionary: StoredObject) {
        self.document = document
        self.dictionary = dictionary
        keys.reserveCapacity(dictionary.count)
        for position in 0..<dictionary.count {
            keys.append(Key(position: UInt32(truncatingIfNeeded: position)))
        }
    }

    /// The positions of the pairs in the order of their keys, those of equal keys in stored order.
    ///
    /// - Parameter dropsRepeats: whether of pairs with the same key only the one is among them that a reader of the
    ///   document's format takes.
    mutating func positions(dropsRepeats: Bool) -> [UInt32] {
        var runs = [Run(range: keys.indices, offset: 0)]
        while let run = runs.popLast() {
            for index in run.range { keys[index].word = word(of: keys[index], from: run.offset) }
            if run.range.count > Self.manyKeys { sortMany(run.range) } else { keys[run.range].sort(by: Self.isBefore) }
            divide(run, into: &runs)
        }
        var positions: [UInt32] = []
        positions.reserveCapacity(keys.count)
        for key in keys {
            if !key.isRepeat || !dropsRepeats {
                positions.append(key.position)
            } else if document.lastRepeatedKeyWins {
                positions[positions.count - 1] = key.position
            }
        }
        return positions
    }

    // MARK: Words

    private func word(of key: Key, from offset: Int) -> UInt64 {
        let object = document.object(document.key(Int(key.position), of: dictionary))
        guard object.kind.isString else { return Self.other }
        guard offset < object.count else { return 0 }
        if object.kind == .oneByteString {
            let bytes = EightBytes(document.image.span, at: object.start + offset).first(object.count - offset)
            // Most keys are ASCII: no byte is carried into the next.
            if bytes.nonASCII == 0 {
                let ends = EightBytes(0x0101_0101_0101_0101).first(object.count - offset)
                return (bytes.word + ends.word).byteSwapped
            }
        }
        return wordOfUnits(object, from: offset)
    }

    private func wordOfUnits(_ string: StoredObject, from offset: Int) -> UInt64 {
        var (word, left, position) = (UInt64(0), 64, offset)
        while left > 0, position < string.count {
            let unit = UInt64(document.codeUnit(position, of: string))
            let (code, size) = unit < Self.wide - 1 ? (unit + 1, 8) : (Self.wide << 16 | unit, 24)
            left -= size
            // Of a unit that does not fit the first bytes count; it is taken as a whole the next time.
            word |= left >= 0 ? code << UInt64(left) : code >> UInt64(-left)
            position += 1
        }
        return word
    }

    /// How many code units a word holds as a whole; nil if the keys end in it.
    private static func unitCount(_ word: UInt64) -> Int? {
        var (count, shift) = (0, 56)
        while shift >= 0 {
            let lead = word >> UInt64(shift) & 0xFF
            if lead == 0 { return nil }
            shift -= lead == wide ? 24 : 8
            if shift >= -8 { count += 1 }
        }
        return count
    }

    // MARK: Order

    /// Equal keys keep their stored order.
    private static func isBefore(_ a: Key, _ b: Key) -> Bool {
        a.word == b.word ? a.position < b.position : a.word < b.word
    }

    /// From so many keys on, counting bytes is faster than comparing words.
    private static let manyKeys = 256

    /// Sorts by one byte after the other, from the last on, leaving out those that all keys have in common. What is equal
    /// in a byte keeps its order.
    private mutating func sortMany(_ range: Range<Int>) {
        if sorted.isEmpty { sorted = keys }
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            var ends = [Int](repeating: 0, count: 256)
            for index in range { ends[Int(keys[index].word >> shift & 0xFF)] += 1 }
            if ends.contains(range.count) { continue }
            var end = range.lowerBound
            for byte in ends.indices {
                end += ends[byte]
                ends[byte] = end
            }
            for index in range.reversed() {
                let byte = Int(keys[index].word >> shift & 0xFF)
                ends[byte] -= 1
                sorted[ends[byte]] = keys[index]
            }
            for index in range { keys[index] = sorted[index] }
        }
    }

    /// Finds the keys of a sorted run that are not told apart yet.
    private mutating func divide(_ run: Run, into runs: inout [Run]) {
        var start = run.range.lowerBound
        while start < run.range.upperBound {
            let word = keys[start].word
            var end = start + 1
            while end < run.range.upperBound, keys[end].word == word { end += 1 }
            if end - start > 1 {
                if word == Self.other {
                    sortOthers(start..<end)
                } else if let count = Self.unitCount(word) {
                    runs.append(Run(range: start..<end, offset: run.offset + count))
                } else {
                    for index in start + 1..<end { keys[index].isRepeat = true }
                }
            }
            start = end
        }
    }

    // MARK: Keys that are no strings

    /// Sorts keys that are no strings by their kind and bytes.
    private mutating func sortOthers(_ range: Range<Int>) {
        let (document, dictionary) = (document, dictionary)
        func order(_ a: Key, _ b: Key) -> Int {
            Self.compare(
                document.object(document.key(Int(a.position), of: dictionary)),
                document.object(document.key(Int(b.position), of: dictionary)), in: document.image)
        }
        keys[range].sort { a, b in
            let order = order(a, b)
            return order == 0 ? a.position < b.position : order < 0
        }
        for index in range.dropFirst() { keys[index].isRepeat = order(keys[index - 1], keys[index]) == 0 }
    }

    private static func compare(_ a: StoredObject, _ b: StoredObject, in image: [UInt8]) -> Int {
        if a.kind != b.kind { return Int(a.kind.rank) - Int(b.kind.rank) }
        if a.count != b.count { return a.count - b.count }
        for offset in 0..<a.count where image[a.start + offset] != image[b.start + offset] {
            return Int(image[a.start + offset]) - Int(image[b.start + offset])
        }
        return 0
    }
}
