/// The keys that the reader of a text has met last, found by their bytes: records of a list have the same keys, and need not
/// make an object of each again to learn that there is one.
///
///     "name": "Zoé", …, "name": "Łucja"     the second `name` is the object of the first
///
/// Each key has one place, which another one may take from it; what is found is compared with the text itself.
struct NameCache {
    private struct Entry {
        /// The first eight bytes, or as many as there are.
        var word: UInt64 = 0
        var start = 0
        /// How many bytes the key has; a place that is free has none that any key has.
        var count = -1
        var object = ObjectID(0)
    }

    private var entries = [Entry](repeating: Entry(), count: 256)

    /// The key whose bytes start at an offset, which lies within the text or at its end, and are followed by `end`; nil if
    /// it is none of those that are kept.
    @inline(__always)
    func key(in text: Span<UInt8>, at start: Int, before end: UInt8) -> (object: ObjectID, count: Int)? {
        let (word, length) = Self.beginning(text, start, before: end)
        let entry = entries[Self.place(word)]
        guard entry.word == word else { return nil }
        if length < 8 { return entry.count == length ? (entry.object, length) : nil }
        guard entry.count >= 8, entry.count < text.count &- start, text[start &+ entry.count] == end,
            text.holdsSame(entry.count, at: entry.start, and: start)
        else { return nil }
        return (entry.object, entry.count)
    }

    /// Keeps a key, which stands in a range of the text as it is, with `end` behind it.
    @inline(__always)
    mutating func keep(_ object: ObjectID, in text: Span<UInt8>, _ range: Range<Int>, before end: UInt8) {
        let (word, _) = Self.beginning(text, range.lowerBound, before: end)
        entries[Self.place(word)] = Entry(word: word, start: range.lowerBound, count: range.count, object: object)
    }

    /// The first eight bytes, or those in front of `end`, and how many those are.
    @inline(__always)
    private static func beginning(_ text: Span<UInt8>, _ start: Int, before end: UInt8) -> (word: UInt64, length: Int) {
        let bytes = EightBytes(text, at: start)
        let length = EightBytes.first(bytes.marks(of: end))
        return (bytes.first(length).word, length)
    }

    @inline(__always)
    private static func place(_ word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
