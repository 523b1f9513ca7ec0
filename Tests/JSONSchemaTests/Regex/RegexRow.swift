@testable import JSONSchema
import Testing

/// A pattern, with texts that contain a match and texts that do not.
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

    /// Returns the texts for which the search has an unexpected verdict, with that verdict.
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

extension ECMARegex {
    /// Searches for a match anywhere in the text.
    func search(_ text: some Collection<UInt16>) -> Verdict {
        var search = RegexSearch(self)
        return search.search(text)
    }
}
