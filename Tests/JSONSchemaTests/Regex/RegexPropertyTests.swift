@testable import JSONSchema
import Testing

/// The properties of `\p{…}`, with a few characters that have each and a few that do not.
@Suite struct RegexPropertyTests {
    @Test(arguments: rows) func members(_ row: RegexRow) throws {
        #expect(try row.surprises() == [])
    }

    private static func row(_ property: String, has members: String, not others: String) -> RegexRow {
        RegexRow(
            "^\\p{\(property)}$", in: members.unicodeScalars.map { String($0) },
            notIn: others.unicodeScalars.map { String($0) })
    }

    static let rows: [RegexRow] = [
        row("L", has: "aÉπ漢אㄱ𝒜", not: "1_ ́"), row("Letter", has: "a", not: "1"),
        row("gc=L", has: "a", not: "1"), row("General_Category=Letter", has: "a", not: "1"),
        row("Lu", has: "AÉΠ", not: "aǅ"), row("Uppercase_Letter", has: "A", not: "a"), row("Ll", has: "aß", not: "A"),
        row("Lt", has: "ǅ", not: "A"), row("LC", has: "aAǅ", not: "漢ʰ"), row("Cased_Letter", has: "a", not: "漢"),
        row("Lm", has: "ʰ", not: "h"), row("Lo", has: "漢ª", not: "a"),
        row("M", has: "\u{301}\u{903}\u{20DD}", not: "a"),
        row("Combining_Mark", has: "\u{301}", not: "a"), row("Mn", has: "\u{301}", not: "\u{903}"),
        row("Mc", has: "\u{903}", not: "\u{301}"), row("Me", has: "\u{20DD}", not: "\u{301}"),
        row("N", has: "1٣Ⅷ½", not: "a"), row("Nd", has: "1٣", not: "½"), row("digit", has: "1٣", not: "½"),
        row("Nl", has: "Ⅷ", not: "8"), row("No", has: "½²", not: "2"), row("P", has: "_-()«».", not: "+a"),
        row("punct", has: ".", not: "+"), row("Pc", has: "_‿", not: "-"), row("Pd", has: "-–", not: "_"),
        row("Ps", has: "([", not: ")"), row("Pe", has: ")]", not: "("), row("Pi", has: "«“", not: "»"),
        row("Pf", has: "»”", not: "«"), row("Po", has: ".!¿", not: "("), row("S", has: "+$^😀", not: "a."),
        row("Sm", has: "+÷", not: "$"), row("Sc", has: "$€", not: "+"), row("Sk", has: "^`", not: "+"),
        row("So", has: "😀©", not: "+"), row("Z", has: " \u{2028}\u{2029}\u{A0}", not: "\ta"),
        row("Zs", has: " \u{A0}", not: "\u{2028}"), row("Zl", has: "\u{2028}", not: "\u{2029}"),
        row("Zp", has: "\u{2029}", not: "\u{2028}"), row("C", has: "\0\u{AD}\u{E000}\u{FFFF}", not: "a"),
        row("Cc", has: "\0\u{85}", not: "\u{AD}"), row("cntrl", has: "\0", not: "a"),
        row("Cf", has: "\u{AD}", not: "\0"),
        row("Co", has: "\u{E000}\u{F0000}\u{10FFFD}", not: "\u{FFFF}\u{10FFFF}"),
        row("Cn", has: "\u{FFFF}\u{50000}\u{10FFFF}", not: "a\u{E000}"),
        row("Any", has: "a\0\u{10FFFF}", not: ""), row("Assigned", has: "a\u{E000}", not: "\u{50000}"),
        row("ASCII", has: "a\u{7F}", not: "\u{80}"), row("Alphabetic", has: "aⅧ漢", not: "1"),
        row("Alpha", has: "a", not: "1"), row("White_Space", has: " \u{85}", not: "\u{200B}\u{FEFF}"),
        row("space", has: " ", not: "a"), row("Lowercase", has: "aªⓐ", not: "A"), row("Upper", has: "AⒶ", not: "a"),
        row("ID_Start", has: "aπ", not: "1_$"), row("IDC", has: "a1_", not: "$-"), row("XIDS", has: "a", not: "1"),
        row("Emoji", has: "😀#1", not: "a"), row("Emoji_Presentation", has: "😀", not: "#"),
        row("EMod", has: "\u{1F3FB}", not: "😀"),
        row("EBase", has: "👋", not: "😀"), row("Emoji_Component", has: "#\u{200D}\u{FE0F}\u{1F1E6}", not: "😀"),
        row("Extended_Pictographic", has: "😀©", not: "#"), row("RI", has: "\u{1F1E6}\u{1F1FF}", not: "\u{1F1E5}😀"),
        row("AHex", has: "09afAF", not: "gＡ"), row("Hex_Digit", has: "0aＡ", not: "g"),
        row("Math", has: "+∑^", not: "a"),
        row("Dash", has: "-–", not: "_"), row("Quotation_Mark", has: "\"'«", not: "`"),
        row("Ideo", has: "漢〇", not: "あ"),
        row("UIdeo", has: "漢", not: "〇"), row("Radical", has: "⺀", not: "漢"), row("Cased", has: "aA", not: "1"),
        row("CI", has: "'.\u{301}", not: "a"), row("CWL", has: "A", not: "a"), row("CWU", has: "aß", not: "A"),
        row("CWT", has: "a", not: "A"), row("CWCF", has: "Aß", not: "a"), row("CWCM", has: "aA", not: "1"),
        row("CWKCF", has: "A①", not: "a"), row("DI", has: "\u{AD}\u{200B}", not: "a"),
        row("Dep", has: "\u{149}", not: "n"),
        row("Dia", has: "^\u{301}", not: "a"), row("Ext", has: "·ー", not: "a"),
        row("Gr_Base", has: "a ", not: "\u{301}"),
        row("Gr_Ext", has: "\u{301}", not: "a"), row("Join_C", has: "\u{200C}\u{200D}", not: "\u{200B}"),
        row("LOE", has: "เ", not: "ก"), row("NChar", has: "\u{FFFF}\u{1FFFE}", not: "\u{FFFD}"),
        row("Pat_WS", has: " \u{200E}", not: "\u{A0}"), row("Pattern_Syntax", has: "!+«", not: "a_"),
        row("STerm", has: ".!?", not: ","), row("Term", has: ".,", not: "-"), row("SD", has: "ij", not: "a"),
        row("VS", has: "\u{FE0F}", not: "a"), row("Bidi_C", has: "\u{202E}", not: "a"),
        row("Bidi_M", has: "(<", not: "a"),
        row("IDSB", has: "⿰", not: "⿲"), row("IDST", has: "⿲", not: "⿰"),
        row("Script=Latin", has: "aÉªＡ", not: "α1ー"), row("sc=Latn", has: "a", not: "α"),
        row("Script=Greek", has: "αΩ", not: "a"), row("Script=Cyrillic", has: "яЖ", not: "a"),
        row("Script=Han", has: "漢々𠀀", not: "あ"), row("Script=Hiragana", has: "あ", not: "アー"),
        row("Script=Katakana", has: "ア", not: "あー"), row("Script=Hangul", has: "한ㄱ", not: "漢"),
        row("Script=Arabic", has: "ع", not: "،א"), row("Script=Hebrew", has: "א", not: "ع"),
        row("Script=Thai", has: "ก", not: "฿"),
        row("Script=Devanagari", has: "अ", not: "।"), row("Script=Common", has: "1 ,😀", not: "a"),
        row("Script=Inherited", has: "\u{301}", not: "a"), row("sc=Qaai", has: "\u{301}", not: "a"),
        row("sc=Garay", has: "\u{10D50}", not: "a"), row("Script=Unknown", has: "\u{50000}\u{E000}", not: "a1"),
        row("Script_Extensions=Katakana", has: "アー", not: "あ"), row("scx=Deva", has: "अ।", not: "a"),
        row("scx=Zyyy", has: "1", not: "।a"), row("scx=Grek", has: "α\u{342}", not: "a"),
    ]

    @Test(arguments: ["L", "sc=Greek", "ASCII", "Emoji", "scx=Deva"])
    func invertedPropertyMatchesAllOtherCharacters(_ property: String) throws {
        var both = RegexSearch(
            try ECMARegex("^(?:\\p{\(property)}(?<=\\P{\(property)})|[^\\p{\(property)}\\P{\(property)}])".utf16))
        var either = RegexSearch(try ECMARegex("^[\\p{\(property)}\\P{\(property)}]$".utf16))
        for point in stride(from: UInt32(0), to: 0x110000, by: 97) {
            let text = Unicode.Scalar(point).map { Array(String($0).utf16) } ?? [UInt16(truncatingIfNeeded: point)]
            try #require(both.search(text) == .notMatched && either.search(text) == .matched, "\(point)")
        }
    }
}
