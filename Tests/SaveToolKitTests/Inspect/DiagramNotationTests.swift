import SaveCodec
import Testing

@testable import SaveToolKit

/// Tests that hostile names in a diagram cannot end their label, record or line.
@Suite struct DiagramNotationTests {
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
    func graphviz(_ text: String, _ expected: String) {
        #expect(GraphvizNotation().escaping(text) == expected)
    }

    @Test(arguments: [
        ("plain text, 1:2 (a/b) 'c' -1.5", "plain text, 1:2 (a/b) 'c' -1.5"), ("\"", "#34;"), ("\\n", "#92;n"),
        ("#34;", "#35;34#59;"), ("a|b {c} <d> [e]", "a#124;b #123;c#125; #60;d#62; #91;e#93;"),
        ("`_md_` **b** $$x$$", "#96;#95;md#95;#96; #42;#42;b#42;#42; #36;#36;x#36;#36;"),
        ("1. list", "1.#32;list"), ("- list", "-#32;list"), ("Zoë 🐉", "Zoë 🐉"), ("&lt;", "#38;lt#59;"),
    ])
    func mermaid(_ text: String, _ expected: String) {
        #expect(MermaidNotation().escaping(text) == expected)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 60), String(repeating: "a", count: 60)),
        (String(repeating: "🐉", count: 61), String(repeating: "🐉", count: 60) + "…"),
        ("", ""),
    ])
    func cutsLongTexts(_ text: String, _ expected: String) {
        #expect(DiagramRenderer.cut(text) == expected)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
    func thousands(_ number: Int, _ expected: String) {
        #expect(CountText.of(number) == expected)
    }
}
