import Testing

@testable import SaveOperations

/// Tests which words of two texts are emphasized. Changed parts are in brackets.
@Suite struct WordDifferenceTests {
    private static func marked(_ pieces: [WordDifference.Piece]) -> String {
        pieces.map { $0.isChanged ? "[\($0.text)]" : $0.text }.joined()
    }

    @Test(arguments: [
        ("", "", "", ""), ("a", "a", "a", "a"), ("a", "", "[a]", ""),
        ("100", "64", "[100]", "[64]"), ("x: 1.5, y: 2", "x: 1.25, y: 2", "x: [1.5], y: 2", "x: [1.25], y: 2"),
        ("-1.5e-7 m", "-1.5e-8 m", "[-1.5e-7] m", "[-1.5e-8] m"), ("a -1", "a 1", "a [-1]", "a [1]"),
        ("a-1", "a-2", "a-[1]", "a-[2]"), ("1.", "2.", "[1].", "[2]."), ("v1.2", "v1.3", "[v1.2]", "[v1.3]"),
        ("\"the quick fox\"", "\"the slow fox\"", "\"the [quick] fox\"", "\"the [slow] fox\""),
        ("Kraków 1", "Krakow 1", "[Kraków] 1", "[Krakow] 1"), ("a🐉b c", "a🐍b c", "[a🐉b] c", "[a🐍b] c"),
        (#"a\nb"#, #"a\nc"#, #"a\n[b]"#, #"a\n[c]"#), (#"a\\nb"#, #"a\\nc"#, #"a\\[nb]"#, #"a\\[nc]"#),
        (#"a\u0007b"#, #"a\u0008b"#, #"a[\u0007]b"#, #"a[\u0008]b"#),
    ])
    func words(before: String, after: String, markedBefore: String, markedAfter: String) {
        let difference = WordDifference(before, after)
        #expect(Self.marked(difference.pieces.before) == markedBefore)
        #expect(Self.marked(difference.pieces.after) == markedAfter)
        // The parts are the whole text.
        #expect(difference.pieces.before.map(\.text).joined() == before)
        #expect(difference.pieces.after.map(\.text).joined() == after)
    }

    @Test func wholeTextsHaveNoCommonWord() {
        #expect(!WordDifference("100", "64").haveCommonWords)
        #expect(!WordDifference("\"a\"", "\"b\"").haveCommonWords)
        #expect(WordDifference("\"a b\"", "\"a c\"").haveCommonWords)
    }

    @Test func longTextsAreNotCompared() {
        let text = String(repeating: "a ", count: 2000)
        #expect(WordDifference(text, text + "b").pieces.before == [.init(text: text, isChanged: true)])
    }
}
