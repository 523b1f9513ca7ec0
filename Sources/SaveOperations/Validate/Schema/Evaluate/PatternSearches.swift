/// The searches for the patterns of a schema, each of which remembers what it has learned.
struct PatternSearches {
    /// How many patterns have a search that is kept. One may take some megabytes.
    private static let limit = 32

    private var searches = [PatternSearch?](repeating: nil, count: limit)

    /// Looks for a pattern in a text.
    mutating func search(_ units: [UInt16], for pattern: SchemaPattern) -> Pattern.Verdict {
        let number = pattern.number
        guard number < Self.limit else { return pattern.pattern.search(units) }
        if searches[number] == nil { searches[number] = PatternSearch(pattern.pattern) }
        return searches[number]?.search(units) ?? .notMatched
    }
}
