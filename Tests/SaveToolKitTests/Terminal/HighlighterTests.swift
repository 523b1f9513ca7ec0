import SaveCodec
import Testing

@testable import SaveToolKit

/// Tests the color of each token, and that the text stays the same. `⟨k key⟩` marks the colors.
@Suite struct HighlighterTests {
    @Test(
        arguments: [
            (
                #"{"a": -1.5e3, "b": [true, null], "c\"d": "e:f\\"}"#,
                #"{⟨k "a"⟩: ⟨n -1.5e3⟩, ⟨k "b"⟩: [⟨n true⟩, ⟨n null⟩], ⟨k "c\"d"⟩: ⟨s "e:f\\"⟩}"#
            ),
            (#"{"a":1,"b":"c"}"#, #"{⟨k "a"⟩:⟨n 1⟩,⟨k "b"⟩:⟨s "c"⟩}"#),
            ("Player {type: 3, weapons: […], x y}", "⟨t Player⟩ {⟨k type:⟩ ⟨n 3⟩, ⟨k weapons:⟩ […], x y}"),
            ("NSMutableArray [Foo {…}, 2 bytes]", "⟨t NSMutableArray⟩ [⟨t Foo⟩ {…}, ⟨n 2⟩ bytes]"),
            ("Player, 3 fields", "⟨t Player⟩, 3 fields"), ("2009-09-06T12:34:56Z", "⟨n 2009-09-06T12:34:56Z⟩"),
            ("type integer → real: 42 → 42.0", "type integer → real: ⟨n 42⟩ → ⟨n 42.0⟩"),
            ("NSURL, https://a.example/?b=[1]", "⟨t NSURL⟩, https://a.example/?b=[⟨n 1⟩]"),
            (#""unfinished"#, #"⟨s "unfinished⟩"#), ("", ""), ("]}: \"", "]}: ⟨s \"⟩"),
        ])
    func values(_ text: String, _ colored: String) {
        #expect(Self.colored(text, .values) == colored)
    }

    @Test func lines() {
        let text = "/a/b = {\"$date\": \"x\"}\n/a = → /b\nno address\n\"/a = b\" = \"\\u202E\"\n/c = \"torn\n/d = 1"
        #expect(
            Self.colored(text, .lines) == """
                ⟨k /a/b = ⟩{⟨k "$date"⟩: ⟨s "x"⟩}
                ⟨k /a = ⟩→ /b
                ⟨k no address⟩
                ⟨k "/a = ⟩b⟨s " = "⟩\\u202E⟨s "⟩
                ⟨k /c = ⟩⟨s "torn⟩
                ⟨k /d = ⟩⟨n 1⟩
                """)
    }

    /// Only colors are added, for any text and any division into pieces.
    @Test func coloursKeepText() {
        var dice = SystemRandomNumberGenerator()
        let parts = ["\"", "\\", "a", "1", " ", ":", ",", "{", "}", "[", "]", "\n", " = ", "é", "true", "-"]
        for notation in [Highlighter.Notation.values, .lines] {
            for _ in 0..<500 {
                let text = (0..<30).map { _ in parts.randomElement(using: &dice)! }.joined()
                let colored = Self.colored(text, notation, pieces: Int.random(in: 1...9, using: &dice))
                let plain = Self.inks.reduce(colored) { $0.replacing("⟨\($1.value) ", with: "") }.replacing(
                    "⟩", with: "")
                #expect(plain == text)
            }
        }
        let long = "\"" + String(repeating: "x", count: 10_000) + "\""
        #expect(Self.colored(long, .values).filter { $0 == "x" }.count == 10_000)
        for start in 0..<4 {
            let wide = "\"" + String(repeating: "x", count: start) + String(repeating: "é漢😀", count: 3000) + "\""
            #expect(Self.colored(wide, .values).filter { "é漢😀".contains($0) }.count == 9000)
        }
    }

    private static let inks = ["\u{1B}[36m": "k", "\u{1B}[32m": "s", "\u{1B}[35m": "n", "\u{1B}[1m": "t"]

    private static func colored(_ text: String, _ notation: Highlighter.Notation, pieces: Int = .max) -> String {
        var highlighter = Highlighter(notation)
        var output = ByteWriter()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            highlighter.write(Array(rest.prefix(pieces)).span, to: &output)
            rest = rest.dropFirst(pieces)
        }
        highlighter.finish(to: &output)
        let colored = String(decoding: output.takeBytes(), as: UTF8.self)
        return inks.reduce(colored) { $0.replacing($1.key, with: "⟨\($1.value) ") }
            .replacing("\u{1B}[0m", with: "⟩")
    }
}
