import Testing

@testable import SaveCodec

/// SQL literals that every version of SQLite reads as the same value.
@Suite struct SQLValueTests {
    @Test(arguments: [
        (26.75, "26.75"), (-0.1234, "-0.1234"), (0.0, "0.0"), (-5.0, "-5.0"),
        (9007199254740991.0, "9007199254740991.0"),
        (26.74998368597692, "(7529451035020782 * 1.0 / 281474976710656)"),
        (0x1p53, "(4503599627370496 * 1.0 * 2)"),
        (-0x1p-60, "(-4503599627370496 * 1.0 / 4611686018427387904 / 1125899906842624)"),
        (.infinity, "9e999"), (-.infinity, "-9e999"),
    ]) func reals(_ value: Double, _ literal: String) {
        #expect(SQLValue.real(value).literal() == literal)
    }

    /// A real written as arithmetic evaluates to exactly that real, from the smallest to the largest.
    @Test(arguments: [0x1p-1074, 0x1.8p-1040, 0x1p-1022, 1e-300, 0.1, 1e300, 1.7976931348623157e308, -3.3e-7])
    func arithmetic(_ value: Double) throws {
        let literal = try #require(SQLValue.real(value).literal())
        guard literal.hasPrefix("(") else { return #expect(Double(literal) == value) }
        let words = literal.dropFirst().dropLast().split(separator: " ")
        var result = try #require(Double(words[0]))
        for position in stride(from: 1, to: words.count, by: 2) {
            let operand = try #require(Double(words[position + 1]))
            result = words[position] == "*" ? result * operand : result / operand
        }
        #expect(result == value)
    }

    @Test(arguments: [
        ("", "''"), ("it's", "'it''s'"), ("a\nb", "'a' || char(10) || 'b'"), ("\n\t", "char(10) || char(9)"),
    ]) func texts(_ text: String, _ literal: String) {
        #expect(SQLValue.text(Array(text.utf16)).literal() == literal)
    }

    /// In UTF-16, `char(65535)` would become U+FFFD.
    @Test func noncharacters() {
        let text = SQLValue.text([0x61, 0xFFFF])
        #expect(text.literal() == "'a' || char(65535)")
        #expect(text.literal(in: .utf16LittleEndian) == "CAST(x'6100ffff' AS TEXT)")
        #expect(text.literal(in: .utf16BigEndian) == "CAST(x'0061ffff' AS TEXT)")
        #expect(SQLValue.text([0xD800, 0xFFFF]).literal(in: .utf16BigEndian) == nil)
    }

    /// SQLite refuses expressions that are 1,000 levels deep.
    @Test func manyLines() throws {
        let text = String(repeating: "line\n", count: 3_000)
        let literal = try #require(SQLValue.text(Array(text.utf16)).literal())
        var (depth, deepest) = (0, 0)
        for byte in literal.utf8 {
            depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
            deepest = max(deepest, depth)
        }
        #expect(deepest < 20)
        #expect(literal.matches(of: /'line'/).count == 3_000)
    }

    @Test func names() {
        #expect("a\"b".sqlIdentifier == "\"a\"\"b\"")
        #expect("a\u{FFFD}".sqlIdentifier == nil)
        #expect("a\u{202E}".sqlIdentifier == nil)
    }
}
