import Testing

@testable import SaveToolKit

/// Hostile names in a picture: no text ends its label, its record or its line.
@Suite struct DotTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("\"", "\\\""),
        ("\\", "\\\\"),
        ("\\\"", "\\\\\\\""),
        ("a|b {c} <d>", "a\\|b \\{c\\} \\<d\\>"),
        ("  two", "\\ \\ two"),
        ("in  between", "in \\ between"),
        ("&amp; & <", "&amp;amp; &amp; \\<"),
        ("\\N \\G \\l", "\\\\N \\\\G \\\\l"),
        ("Zoë 🐉", "Zoë 🐉"),
    ])
    func escaping(_ text: String, _ expected: String) {
        #expect(DotText.escaping(text) == expected)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 60), String(repeating: "a", count: 60)),
        (String(repeating: "🐉", count: 61), String(repeating: "🐉", count: 60) + "…"),
        ("", ""),
    ])
    func cutting(_ text: String, _ expected: String) {
        #expect(DotText.cut(text) == expected)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
    func thousands(_ number: Int, _ expected: String) {
        #expect(Grouped.of(number) == expected)
    }
}
