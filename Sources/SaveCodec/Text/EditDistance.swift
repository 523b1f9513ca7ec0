package enum EditDistance {
    /// Returns the minimum number of insertions, deletions, replacements and swaps of adjacent code units that turn one
    /// word into the other.
    ///
    /// Only the first 64 code units of each word are compared, which limits the work for long words.
    package static func between(_ a: some Sequence<UInt16>, _ b: some Sequence<UInt16>) -> Int {
        let a = Array(a.prefix(64))
        let b = Array(b.prefix(64))
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
                row.append(least)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
