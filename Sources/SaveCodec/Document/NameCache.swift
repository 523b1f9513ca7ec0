/// A cache of the keys that a text reader read most recently, looked up by their bytes.
///
/// Records of a list have the same keys, so the reader finds the existing object without building another one:
///
///     "name": "Zoé", …, "name": "Łucja"     the second `name` is the object of the first
///
/// Each key has one slot, which another key may take over. A cached key is compared with the text itself.
struct NameCache {
    private struct Entry {
        /// The first eight bytes, or fewer for a shorter key.
        var word: UInt64 = 0
        var start = 0
        /// The number of bytes of the key. An unused entry has a count that matches no key.
        var count = -1
        var object = ObjectID(0)
    }

    private var entries = [Entry](repeating: Entry(), count: 256)

    /// Returns the cached key that starts at an offset of the text and is followed by `end`, or nil.
    ///
    /// The offset lies within the text or at its end.
    @inline(__always)
    func key(in text: Span<UInt8>, at start: Int, before end: UInt8) -> (object: ObjectID, count: Int)? {
        let (word, length) = Self.beginning(text, start, before: end)
        let entry = entries[Self.slot(word)]
        guard entry.word == word else { return nil }
        if length < 8 { return entry.count == length ? (entry.object, length) : nil }
        guard entry.count >= 8, entry.count < text.count &- start, text[start &+ entry.count] == end,
            text.holdsSame(entry.count, at: entry.start, and: start)
        else { return nil }
        return (entry.object, entry.count)
    }

    /// Caches a key that appears without escapes in a range of the text, followed by `end`.
    @inline(__always)
    mutating func keep(_ object: ObjectID, in text: Span<UInt8>, _ range: Range<Int>, before end: UInt8) {
        let (word, _) = Self.beginning(text, range.lowerBound, before: end)
        entries[Self.slot(word)] = Entry(word: word, start: range.lowerBound, count: range.count, object: object)
    }

    /// Returns the bytes before `end`, at most eight, and their count.
    @inline(__always)
    private static func beginning(_ text: Span<UInt8>, _ start: Int, before end: UInt8) -> (word: UInt64, length: Int) {
        let bytes = EightBytes(text, at: start)
        let length = EightBytes.first(bytes.marks(of: end))
        return (bytes.first(length).word, length)
    }

    @inline(__always)
    private static func slot(_ word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
