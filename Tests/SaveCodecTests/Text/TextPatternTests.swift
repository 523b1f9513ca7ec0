import Testing

@testable import SaveCodec

/// Case folding, and searches for one text in another.
@Suite struct TextPatternTests {
    @Test(arguments: [
        ("A", "a"), ("É", "é"), ("Σ", "σ"), ("ς", "σ"), ("ß", "ß"), ("ẞ", "ß"), ("İ", "İ"), ("ı", "ı"), ("ſ", "s"),
        ("µ", "μ"), ("\u{212A}", "k"), ("Ǆ", "ǆ"), ("ǅ", "ǆ"), ("\u{AB70}", "\u{13A0}"), ("𐐀", "𐐨"), ("1", "1"),
    ]) func folding(_ text: String, _ expected: String) {
        #expect(CaseFolding.folded(Array(text.utf16)) == Array(expected.utf16))
    }

    /// Folding is idempotent, and all code points with the same fold are in one class.
    @Test func classesOfFolding() {
        var inClasses: Set<UInt32> = []
        for members in CaseFolding.classes {
            #expect(members.count > 1 && Set(members.map(CaseFolding.folded)) == [members[0]])
            inClasses.formUnion(members)
        }
        for value in UInt32(0)..<0x20000 where CaseFolding.folded(value) != value {
            #expect(inClasses.contains(value))
        }
    }

    struct Row: Sendable {
        let pattern: String
        let text: String
        var ignoresCase = false
        let match: TextPattern.Match
    }

    /// Only two other characters fold to an ASCII letter.
    @Test func foldsToASCIIWithoutTable() {
        for unit in UInt16.min...UInt16.max {
            let (folded, ascii) = (CaseFolding.folded(unit), CaseFolding.foldedToASCII(unit))
            if folded < 0x80 ? folded != ascii : ascii < 0x80 { Issue.record("\(unit): \(folded), \(ascii)") }
        }
        #expect(TextPattern(Array("ks".utf16), ignoresCase: true).match(whole: [0x212A, 0x17F]) == .found)
        #expect(TextPattern(Array("ks".utf16)).match(whole: [0x212A, 0x17F]) == .inOtherCase)
    }

    @Test(arguments: [
        Row(pattern: "bc", text: "abcd", match: .found), Row(pattern: "BC", text: "abcd", match: .inOtherCase),
        Row(pattern: "BC", text: "abcd", ignoresCase: true, match: .found),
        Row(pattern: "BC", text: "bcBC", match: .found), Row(pattern: "bd", text: "abcd", match: .none),
        Row(pattern: "", text: "", match: .found), Row(pattern: "a", text: "", match: .none),
        Row(pattern: "zoË", text: "Zoë", ignoresCase: true, match: .found),
        Row(pattern: "ΌΔΟΣ", text: "όδος", ignoresCase: true, match: .found),
        Row(pattern: "𐐀", text: "x𐐨", match: .inOtherCase), Row(pattern: "𐐀", text: "𐐩", match: .none),
        Row(pattern: "aab", text: "aaab", match: .found),
    ]) func matches(_ row: Row) throws {
        let pattern = TextPattern(Array(row.pattern.utf16), ignoresCase: row.ignoresCase)
        #expect(pattern.match(in: Array(row.text.utf16)) == row.match)
        var builder = DocumentBuilder()
        builder.add(string: row.text)
        let document = try builder.finish()
        let text = try #require(document.text(document.root))
        #expect(pattern.match(in: text) == row.match)
        if row.text.utf8.allSatisfy({ $0 < 0x80 }) {
            #expect(pattern.match(inASCII: Array(row.text.utf8)) == row.match)
        }
    }
}
