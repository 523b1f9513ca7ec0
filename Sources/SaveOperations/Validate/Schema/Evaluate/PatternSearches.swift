/// The searches for the patterns of a schema, each of which remembers what it has learned.
///
/// All of them together have a number of steps beside reading the texts, so that a thousand texts do not take a thousand
/// times as long as the longest search may.
struct PatternSearches {
    /// How many patterns have a search that is kept. One may take some megabytes.
    private static let limit = 32

    /// The searches by the numbers of the patterns, as far as they have been asked for.
    private var searches: [PatternSearch?] = []
    private var stepsLeft: Int

    /// Searches with so many steps.
    init(steps: Int) {
        stepsLeft = steps
    }

    /// How many steps there are for a view of so many values.
    static func steps(values: Int) -> Int {
        let (steps, overflow) = values.multipliedReportingOverflow(by: 1000)
        return overflow ? Int.max / 2 : min(steps, Int.max / 2) + 300_000_000
    }

    /// Looks for a pattern in a text.
    mutating func search(_ units: [UInt16], for pattern: SchemaPattern) -> Pattern.Verdict {
        let number = pattern.number
        let granted = max(0, min(stepsLeft, Pattern.steps(for: units.count)))
        var steps = granted
        defer { stepsLeft -= granted - steps }
        guard number < Self.limit else {
            var search = PatternSearch(pattern.pattern)
            return search.search(units, steps: &steps)
        }
        while searches.count <= number { searches.append(nil) }
        if searches[number] == nil { searches[number] = PatternSearch(pattern.pattern) }
        return searches[number]?.search(units, steps: &steps) ?? .notMatched
    }
}
