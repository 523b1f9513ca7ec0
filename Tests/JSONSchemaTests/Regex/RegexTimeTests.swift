import TestSupport
import Testing

@testable import JSONSchema

/// Patterns that take exponential time in other engines, on long texts. Exponential time would exceed any time limit.
@Suite struct RegexTimeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let pattern: String
        let verdict: ECMARegex.Verdict
        var tail = "b"

        var testDescription: String { pattern }
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            Row(pattern: "(a+)+$", verdict: .notMatched), Row(pattern: "(a|a)*c", verdict: .notMatched),
            Row(pattern: "(a*)*c", verdict: .notMatched), Row(pattern: "^(a|aa)+$", verdict: .notMatched),
            Row(pattern: "^(?:a?){1000}a{1000}$", verdict: .notMatched),
            Row(pattern: "^(?:(?:a{1,30}){1,30})$", verdict: .notMatched),
            Row(pattern: "(?=(a+)+b)c", verdict: .notMatched), Row(pattern: "(?=(a+)+b)a", verdict: .matched),
            Row(pattern: "(?<=(a+)+b)c", verdict: .notMatched), Row(pattern: "(?!(a*)*)", verdict: .notMatched),
            Row(pattern: "^(?:(?=a*b)a)*c", verdict: .notMatched),
            Row(pattern: "(?:.*.*.*.*)=[^b]", verdict: .notMatched),
            Row(pattern: "(?:a|b)*a(?:a|b){16}c", verdict: .notMatched),
            Row(pattern: "(?:a{2})*\\bb", verdict: .notMatched),
            Row(pattern: "(((((((((((a+)+)+)+)+)+)+)+)+)+)+)+c", verdict: .notMatched),
            Row(pattern: "(a*)*\\1c", verdict: .notMatched), Row(pattern: "^(a+)\\1b$", verdict: .matched),
            Row(pattern: "^(a*)*\\1bb?$", verdict: .matched),
            Row(pattern: "^(?:(?=(a))a)*\\1$", verdict: .matched, tail: ""),
            Row(pattern: "^(a+)+\\1\\1\\1b\\1$", verdict: .gaveUp),
            Row(pattern: "^(?:(a|aa)+)+\\1$", verdict: .gaveUp, tail: "ba"),
        ])
    func takesBoundedTime(_ row: Row) throws {
        // A search gives up only if the text is long enough to use all its steps.
        let length = row.verdict == .gaveUp ? 100_000 : TestScale.count(10_000, long: 100_000)
        let text = [UInt16](repeating: 0x61, count: length) + row.tail.utf16
        #expect(try ECMARegex(row.pattern.utf16).search(text) == row.verdict)
    }

    /// Thousands of threads at each position of the text are too many, whereas a large pattern alone is not. The number
    /// of steps is lower than usual to save time.
    @Test(arguments: [
        Row(pattern: "[^x]{5000}y", verdict: .gaveUp), Row(pattern: "(?<=[^x]{5000}y)z", verdict: .gaveUp),
        Row(pattern: "^[^x]{5000}y", verdict: .notMatched), Row(pattern: "^.{1,20000}$", verdict: .matched),
        Row(pattern: "a{200}c", verdict: .notMatched), Row(pattern: "^(a+)+\\1\\1\\1b\\1$", verdict: .gaveUp),
    ])
    func givesUpAtStepLimit(_ row: Row) throws {
        let text = [UInt16](repeating: 0x61, count: 10_000) + row.tail.utf16
        var search = RegexSearch(try ECMARegex(row.pattern.utf16))
        var steps = 3_000_000
        #expect(search.search(text, steps: &steps) == row.verdict)
    }

    /// Characters that cannot begin a match are skipped without following the pattern, in either direction.
    @Test(arguments: [
        Row(pattern: "k1.*x", verdict: .notMatched), Row(pattern: "[c-e]+$|(?:ca|dd)*e", verdict: .notMatched),
        Row(pattern: "b", verdict: .matched), Row(pattern: "a(?=b)", verdict: .matched),
        Row(pattern: "c|$", verdict: .matched), Row(pattern: "[^a]$", verdict: .matched, tail: "é"),
        Row(pattern: "c(?=dc)", verdict: .matched, tail: "cdc"),
    ])
    func skipsCharacters(_ row: Row) throws {
        let text = [UInt16](repeating: 0x61, count: 100_000) + row.tail.utf16
        var search = RegexSearch(try ECMARegex(row.pattern.utf16))
        var steps = row.pattern.hasPrefix("a") || row.pattern.hasSuffix("|$") ? 1_000_000 : 90_000
        #expect(search.search(text, steps: &steps) == row.verdict)
    }

    /// A match is found after a long text in which many different sets of threads occur.
    @Test func dropsCachedStatesSafely() throws {
        var search = RegexSearch(try ECMARegex("a[ab]{12}c".utf16))
        var random = SystemRandomNumberGenerator()
        var text = (0..<200_000).map { _ in UInt16.random(in: 0x61...0x62, using: &random) }
        #expect(search.search(text) == .notMatched)
        text += "aabababababab".utf16
        #expect(search.search(text) == .notMatched)
        #expect(search.search(text + "c".utf16) == .matched)
    }

    /// A search has the same verdicts regardless of the texts searched before.
    @Test func cachedStatesStayCorrect() throws {
        var search = RegexSearch(try ECMARegex("^(?!.*\\bfoo\\b)[a-z ]*$".utf16))
        let texts = ["food", "a foo", "", "foo", "afoo b", "A"]
        for _ in 0..<3 {
            #expect(
                texts.map { search.search($0.utf16) }
                    == [.matched, .notMatched, .matched, .notMatched, .matched, .notMatched])
        }
    }
}
