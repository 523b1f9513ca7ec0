import SaveCodec

/// Two long values, where they differ.
///
///     at 1204: …"the quick brown fox"… → …"the quick red fox"…
///     data, 20 bytes → data, 24 bytes, from byte 12 on 0A 0B → 0F 10 …
struct Excerpts {
    /// As many units of a string are shown, and so many of them that are the same.
    private static let longest = 60
    private static let surroundings = 16

    /// How much may be compared. A hostile file refers to a few long strings from everywhere.
    private var allowed: Int

    /// - Parameter size: the size of what is compared, in bytes.
    init(size: Int) {
        allowed = (64 << 20) + 16 * size
    }

    /// Two strings that differ, and where the excerpts are from if not from the beginning.
    mutating func strings(_ a: Text, _ b: Text) -> (place: String, before: String, after: String) {
        guard max(a.count, b.count) > Self.longest else { return ("", Shortened.string(a), Shortened.string(b)) }
        let same = commonPrefix(a.count, b.count) { a[$0] == b[$0] }
        let start = same <= Self.surroundings + 1 ? 0 : same - Self.surroundings
        let place = start > 0 ? "at \(same): " : ""
        return (place, Self.window(a, from: start), Self.window(b, from: start))
    }

    /// Data that differs.
    mutating func data(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> String {
        let same = commonPrefix(a.count, b.count) { a[a.startIndex + $0] == b[b.startIndex + $0] }
        let sizes = [a, b].map { "data, " + Counted.of($0.count, "byte") }
        let octets = [a, b].map { $0.count > same ? Shortened.data($0.dropFirst(same)) : "end" }
        return sizes.joined(separator: " → ") + ", from byte \(same) on " + octets.joined(separator: " → ")
    }

    /// How far two values are known to be the same.
    private mutating func commonPrefix(_ a: Int, _ b: Int, _ isSame: (Int) -> Bool) -> Int {
        let most = min(a, b, max(allowed, 0))
        var same = 0
        while same < most, isSame(same) { same += 1 }
        allowed -= same
        return same
    }

    /// A part of a string, which does not begin within a surrogate pair.
    private static func window(_ text: Text, from start: Int) -> String {
        var start = min(start, text.count)
        if start > 0, start < text.count, UTF16.isTrailSurrogate(text[start]) { start -= 1 }
        return (start > 0 ? "…" : "") + Shortened.string(text.dropFirst(start), longest: longest)
    }
}
