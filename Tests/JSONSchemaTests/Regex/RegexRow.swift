@testable import JSONSchema
import Testing

/// A pattern, texts that it is in, and texts that it is not in.
struct RegexRow: CustomTestStringConvertible, Sendable {
    let pattern: String
    let matching: [String]
    let others: [String]
    let ignoresCase: Bool

    init(_ pattern: String, in matching: [String], notIn others: [String], ignoresCase: Bool = false) {
        self.pattern = pattern
        self.ignoresCase = ignoresCase
        self.matching = matching
        self.others = others
    }

    var testDescription: String { pattern }

    /// The texts about which a search says otherwise, and what it says.
    func surprises() throws -> [String] {
        var search = RegexSearch(try ECMARegex(pattern.utf16, ignoresCase: ignoresCase))
        let expected =
            matching.map { ($0, ECMARegex.Verdict.matched) } + others.map { ($0, ECMARegex.Verdict.notMatched) }
        return expected.compactMap { text, verdict in
            let found = search.search(text.utf16)
            return found == verdict ? nil : "“\(text)”: \(found)"
        }
    }
}
