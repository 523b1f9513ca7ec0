import Testing

@testable import SaveCodec

@Suite("Phrases") struct PhraseTests {
    @Test(
        "Nouns and verbs follow the count",
        arguments: [
            (Phrase.count(1, "key"), "1 key"), (Phrase.count(0, "key"), "0 keys"),
            (Phrase.count(2000, "dictionary"), "2,000 dictionaries"), (Phrase.count(2, "class"), "2 classes"),
            (Phrase.count(1, "byte", "follows"), "1 byte follows"),
            (Phrase.count(2, "byte", "follows"), "2 bytes follow"),
            (Phrase.count(3, "warning", "is"), "3 warnings are"),
            (Phrase.count(3, "dictionary", "has"), "3 dictionaries have"),
            (Phrase.count(3, "file", "was"), "3 files were"),
        ])
    func counts(text: String, expected: String) {
        #expect(text == expected)
    }

    @Test(
        "A list ends with the number of omitted words",
        arguments: [
            (Phrase.list(["a", "b"], of: 2), "a, b"), (Phrase.list(["a", "b"], of: 1002), "a, b and 1,000 more"),
            (Phrase.list(["a"], of: 2, more: "file"), "a and 1 more file"), (Phrase.list([], of: 0), ""),
            ("first" + Phrase.others(of: 1), "first"), ("first" + Phrase.others(of: 3), "first (and 2 more like it)"),
        ])
    func lists(text: String, expected: String) {
        #expect(text == expected)
    }

    @Test("Long names and texts end with an ellipsis") func cutsTexts() {
        let text = String(repeating: "a", count: 81)
        #expect(Phrase.name(text.utf16) == String(text.dropLast()) + "…")
        #expect(Phrase.name(text.utf16.dropLast()) == String(text.dropLast()))
        #expect(Phrase.quoted(text) == "\"\(text.prefix(40))…\"")
    }
}
