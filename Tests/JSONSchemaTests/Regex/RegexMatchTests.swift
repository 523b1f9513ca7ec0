@testable import JSONSchema
import Testing

/// Each element of the syntax, with texts that match and texts that do not.
@Suite struct RegexMatchTests {
    @Test(
        arguments: [
            characters, choices, quantifiers, classes, escapes, ends, lookarounds, references, references2, surrogates,
            cases,
        ].flatMap { $0 })
    func verdicts(_ row: RegexRow) throws {
        #expect(try row.surprises() == [])
    }

    static let characters: [RegexRow] = [
        .init("", in: ["", "a"], notIn: []),
        .init("a", in: ["a", "xa", "ax", "aa"], notIn: ["", "b", "A"]),
        .init("abc", in: ["abc", "ababc", "xabcx"], notIn: ["ab", "abd", "acb"]),
        .init("é", in: ["é", "café"], notIn: ["e", "e\u{301}"]),
        .init("漢字", in: ["漢字", "x漢字"], notIn: ["漢", "字漢"]),
        .init(".", in: ["a", "\t", "é", "😀", "\u{85}"], notIn: ["", "\n", "\r", "\u{2028}", "\u{2029}"]),
        .init("^.$", in: ["a", "😀", "\0"], notIn: ["ab", "a\n", "e\u{301}"]),
        .init("a.c", in: ["abc", "a.c", "a😀c"], notIn: ["ac", "a\nc", "abbc"]),
        .init("a-b", in: ["a-b"], notIn: ["ab", "a_b"]),
        .init("a,b=c:d<e>f!", in: ["a,b=c:d<e>f!"], notIn: ["a,b"]),
        .init("\n", in: ["a\nb"], notIn: ["n"]),
        .init("#&~`'\"@%;", in: ["#&~`'\"@%;"], notIn: ["#"]),
    ]

    static let cases: [RegexRow] = [
        .init("^aB1$", in: ["Ab1", "AB1"], notIn: ["Ab2"], ignoresCase: true),
        .init("^[a-c]$", in: ["A", "b"], notIn: ["d", "D"], ignoresCase: true),
        .init("^[^a-c]$", in: ["d", "D"], notIn: ["A", "b"], ignoresCase: true),
        .init("^\\u0041\\w\\D$", in: ["axY", "AXy"], notIn: ["bxy", "ax1"], ignoresCase: true),
        .init("^\\p{Lu}$", in: ["A", "a", "é"], notIn: ["1"], ignoresCase: true),
        .init("^(a)\\1$", in: ["aA", "Aa"], notIn: ["ab"], ignoresCase: true),
        .init("σ𐐀", in: ["ς𐐨", "Σ𐐀"], notIn: ["s𐐀"], ignoresCase: true),
        .init("(?<=X)y", in: ["xY"], notIn: ["y"], ignoresCase: true),
    ]

    static let choices: [RegexRow] = [
        .init("a|b", in: ["a", "b", "xb"], notIn: ["", "c"]),
        .init("a|", in: ["", "b"], notIn: []),
        .init("^(a|)$", in: ["", "a"], notIn: ["b", "aa"]),
        .init("^(?:ab|cd)$", in: ["ab", "cd"], notIn: ["ad", "abcd", "acd"]),
        .init("^ab|cd$", in: ["abx", "xcd"], notIn: ["xab", "cdx"]),
        .init("^(?:a|ab)(?:c|bcd)$", in: ["ac", "abc", "abcd", "abbcd"], notIn: ["ab", "acd", "abb"]),
        .init("^(?:a|b|c|d|e)+$", in: ["edcba"], notIn: ["", "abf"]),
        .init("^(?:|a|aa)b$", in: ["b", "ab", "aab"], notIn: ["aaab"]),
        .init("(a)(?<name>b)(?:c)", in: ["abc"], notIn: ["ab", "acb"]),
        .init("((((a))))", in: ["a"], notIn: ["b"]),
        .init("()", in: ["", "x"], notIn: []),
        .init("(?:)", in: ["", "x"], notIn: []),
        .init(#"^(?<$_\u0061\u{62}é>x)\k<$_abé>$"#, in: ["xx"], notIn: ["x"]),
    ]

    static let quantifiers: [RegexRow] = [
        .init("^a*$", in: ["", "a", "aaaa"], notIn: ["b", "ab"]),
        .init("^a+$", in: ["a", "aaaa"], notIn: ["", "b", "ab"]),
        .init("^a?$", in: ["", "a"], notIn: ["aa", "b"]),
        .init("^a{2}$", in: ["aa"], notIn: ["", "a", "aaa"]),
        .init("^a{2,}$", in: ["aa", "aaaaa"], notIn: ["", "a"]),
        .init("^a{1,3}$", in: ["a", "aa", "aaa"], notIn: ["", "aaaa"]),
        .init("^a{0}$", in: [""], notIn: ["a"]),
        .init("^a{0,0}b$", in: ["b"], notIn: ["ab"]),
        .init("^a{0,1}$", in: ["", "a"], notIn: ["aa"]),
        .init("^a{0,}$", in: ["", "aaa"], notIn: ["b"]),
        .init("^a{02}$", in: ["aa"], notIn: ["a"]),
        .init("^a*?$", in: ["", "aaa"], notIn: ["b"]),
        .init("^a+?b$", in: ["ab", "aab"], notIn: ["b"]),
        .init("^a??b$", in: ["b", "ab"], notIn: ["aab"]),
        .init("^a{1,2}?b$", in: ["ab", "aab"], notIn: ["b", "aaab"]),
        .init("^(?:ab)+$", in: ["ab", "abab"], notIn: ["", "aba"]),
        .init("^(?:a*)*$", in: ["", "aaa"], notIn: ["b"]),
        .init("^(?:a+)+b$", in: ["ab", "aaab"], notIn: ["aaa", "b"]),
        .init("^(?:a?){3}$", in: ["", "a", "aaa"], notIn: ["aaaa"]),
        .init("^(?:a|b){2,3}$", in: ["ab", "bab"], notIn: ["a", "abab"]),
        .init("^(?:a{2}){3}$", in: ["aaaaaa"], notIn: ["aaaaa", "aaaaaaa"]),
        .init("^(?:a{1,2}b){2}$", in: ["abab", "aabab", "abaab"], notIn: ["ab", "aaabab"]),
        .init("^(?:){99999999999999999999}$", in: [""], notIn: ["a"]),
        .init("^(?:(?:)*){1000000}(?:a{0}){1000000,}$", in: [""], notIn: ["a"]),
        .init("^[a-z]{3,}\\d{1,2}$", in: ["abc1", "abcd12"], notIn: ["ab1", "abc123"]),
        .init("^.{1000}$", in: [String(repeating: "x", count: 1000)], notIn: [String(repeating: "x", count: 1001)]),
        .init(
            "^.{0,4000}$", in: ["", String(repeating: "😀", count: 4000)], notIn: [String(repeating: "x", count: 4001)]),
    ]

    static let classes: [RegexRow] = [
        .init("[abc]", in: ["a", "xb", "c"], notIn: ["", "d"]),
        .init("^[a-c]$", in: ["a", "b", "c"], notIn: ["d", "-", "B"]),
        .init("^[^a-c]$", in: ["d", "-", "\n", "😀"], notIn: ["a", "b", "c", ""]),
        .init("^[a-cx-z_]$", in: ["b", "y", "_"], notIn: ["d", "-"]),
        .init("^[-a]$", in: ["-", "a"], notIn: ["b"]),
        .init("^[a-]$", in: ["-", "a"], notIn: ["b"]),
        .init("^[a\\-c]$", in: ["-", "a", "c"], notIn: ["b"]),
        .init("^[--/]$", in: ["-", ".", "/"], notIn: [",", "0"]),
        .init("^[a-c-e]$", in: ["a", "-", "e"], notIn: ["d"]),
        .init("[]", in: [], notIn: ["", "a"]),
        .init("^[^]$", in: ["a", "\n", "😀"], notIn: ["", "ab"]),
        .init("^[\\]\\\\\\[]$", in: ["]", "\\", "["], notIn: ["a"]),
        .init("^[[]$", in: ["["], notIn: ["]"]),
        .init("^[.*+?(){}|$^]$", in: [".", "*", "+", "?", "(", ")", "{", "}", "|", "$", "^"], notIn: ["a", "\\"]),
        .init("^[\\b]$", in: ["\u{8}"], notIn: ["b"]),
        .init("^[\\d]$", in: ["0", "9"], notIn: ["a", "٣"]),
        .init("^[\\D]$", in: ["a", "٣"], notIn: ["0"]),
        .init("^[\\w-]$", in: ["a", "_", "-"], notIn: ["é", " "]),
        .init("^[\\s\\S]$", in: ["a", "\n"], notIn: [""]),
        .init("^[^\\s\\d]$", in: ["a"], notIn: ["1", " "]),
        .init("^[\\p{Lu}\\d]$", in: ["A", "É", "7"], notIn: ["a", "-"]),
        .init("^[^\\p{Lu}]$", in: ["a", "-"], notIn: ["A", "É"]),
        .init("^[\\P{Lu}]$", in: ["a", "-"], notIn: ["A", "É"]),
        .init("^[\\x41-\\x43]$", in: ["A", "C"], notIn: ["D"]),
        .init("^[\\u{1F600}-\\u{1F602}]$", in: ["😀", "😂"], notIn: ["😃"]),
        .init("^[😀-😂]$", in: ["😀", "😁", "😂"], notIn: ["😃"]),
        .init(
            "^[\\t\\n\\v\\f\\r\\0\\cA]$", in: ["\t", "\n", "\u{B}", "\u{C}", "\r", "\0", "\u{1}"], notIn: ["t", "0"]),
        .init("^[a-a]$", in: ["a"], notIn: ["b"]),
        .init("^[a-zA-Z_$][\\w$]*$", in: ["a1", "$", "_x"], notIn: ["1a", ""]),
    ]

    static let escapes: [RegexRow] = [
        .init("^\\d$", in: ["0", "9"], notIn: ["a", "٣", "９"]),
        .init("^\\D$", in: ["a", "٣"], notIn: ["0"]),
        .init("^\\w$", in: ["a", "Z", "0", "_"], notIn: ["é", "-", "ſ", "\u{212A}"]),
        .init("^\\W$", in: ["é", "-", "\u{212A}"], notIn: ["a", "_"]),
        .init(
            "^\\s$",
            in: [
                " ", "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{A0}", "\u{1680}", "\u{2000}", "\u{200A}", "\u{2028}",
                "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}",
            ], notIn: ["a", "\u{85}", "\u{180E}", "\u{200B}"]),
        .init("^\\S$", in: ["a", "\u{85}", "\u{200B}"], notIn: [" ", "\u{FEFF}"]),
        .init("^\\t\\n\\v\\f\\r$", in: ["\t\n\u{B}\u{C}\r"], notIn: ["tnvfr"]),
        .init("^\\0$", in: ["\0"], notIn: ["0"]),
        .init("^\\0a$", in: ["\0a"], notIn: ["0a"]),
        .init("^\\cA\\cz$", in: ["\u{1}\u{1A}"], notIn: ["cAcz"]),
        .init("^\\x41\\xe9$", in: ["Aé"], notIn: ["x41"]),
        .init("^\\u0041\\u00E9$", in: ["Aé"], notIn: ["u0041"]),
        .init("^\\u{41}\\u{1F600}\\u{000000061}$", in: ["A😀a"], notIn: ["A😀"]),
        .init("^\\u{10FFFF}$", in: ["\u{10FFFF}"], notIn: ["\u{FFFF}"]),
        .init("^\\uD83D\\uDE00$", in: ["😀"], notIn: ["😁"]),
        .init("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", in: ["^$\\.*+?()[]{}|/"], notIn: ["^$"]),
        .init("a\\.b", in: ["a.b"], notIn: ["axb"]),
        .init("^/$", in: ["/"], notIn: ["\\/"]),
    ]

    static let ends: [RegexRow] = [
        .init("^", in: ["", "a"], notIn: []),
        .init("$", in: ["", "a"], notIn: []),
        .init("^$", in: [""], notIn: ["a", "\n"]),
        .init("^a", in: ["a", "ab"], notIn: ["ba", "\na"]),
        .init("a$", in: ["a", "ba"], notIn: ["ab", "a\n"]),
        .init("a^b", in: [], notIn: ["ab", "a\nb"]),
        .init("a$b", in: [], notIn: ["ab"]),
        .init("(?:^|,)a(?:,|$)", in: ["a", "b,a", "a,b", "b,a,c"], notIn: ["ba", "ab", "b,ab"]),
        .init("^^a$$", in: ["a"], notIn: ["aa"]),
        .init("(?:^a){2}", in: [], notIn: ["aa"]),
        .init("(?:^)*a", in: ["a", "ba"], notIn: ["b"]),
        .init("x*$", in: ["", "a"], notIn: []),
        .init("\\bfoo\\b", in: ["foo", "a foo.", "foo-bar"], notIn: ["food", "a_foo", "foo1"]),
        .init("\\Bo", in: ["foo", "o o_o"], notIn: ["o", " o "]),
        .init("^\\B$", in: [""], notIn: ["a"]),
        .init("^\\b", in: ["a"], notIn: ["", " a", "é"]),
        .init("é\\b", in: ["éa"], notIn: ["é", "é ", "aé"]),
        .init("(?:\\b|x)y", in: ["y", " y", "xy"], notIn: ["zy"]),
        .init("^(?:\\b\\w+\\b[ ,]*)+$", in: ["a, b c"], notIn: [", a", "a.b"]),
    ]

    static let lookarounds: [RegexRow] = [
        .init("a(?=b)", in: ["ab", "aab"], notIn: ["a", "ac", "ba"]),
        .init("a(?!b)", in: ["a", "ac", "aba"], notIn: ["ab", "b"]),
        .init("(?<=a)b", in: ["ab", "bab"], notIn: ["b", "cb", "ba"]),
        .init("(?<!a)b", in: ["b", "cb", "abb"], notIn: ["ab", "a"]),
        .init("^(?!.*foo).*$", in: ["", "fo o"], notIn: ["foo", "a foo b"]),
        .init("^(?=.*[A-Z])(?=.*\\d).{4,}$", in: ["A1xx", "xx1A"], notIn: ["A1x", "a1xx", "AAAA"]),
        .init("(?=a)a", in: ["a"], notIn: ["b"]),
        .init("(?=a)b", in: [], notIn: ["ab", "ba"]),
        .init("(?=a|b)[bc]", in: ["b"], notIn: ["a", "c"]),
        .init("(?=)", in: ["", "a"], notIn: []),
        .init("(?!)", in: [], notIn: ["", "a"]),
        .init("(?<=^a)b", in: ["ab"], notIn: ["aab", "b"]),
        .init("a(?=b$)", in: ["ab", "aab"], notIn: ["abb"]),
        .init("(?<=a+)b", in: ["ab", "aaab"], notIn: ["b"]),
        .init("(?<=^\\d{2,3})x", in: ["12x", "123x"], notIn: ["1x", "1234x"]),
        .init("(?<!^|,)x", in: ["ax"], notIn: ["x", ",x"]),
        .init("(?=(?=ab)a)a", in: ["ab"], notIn: ["a", "ac"]),
        .init("(?=a(?!b))a", in: ["ac", "aba"], notIn: ["ab"]),
        .init("(?<=(?<!x)a)b", in: ["ab", "yab"], notIn: ["xab", "b"]),
        .init("(?<=a(?=b))b", in: ["ab"], notIn: ["b", "cb"]),
        .init("(?<=\\bfoo)bar", in: ["foobar", "a foobar"], notIn: ["xfoobar", "bar"]),
        .init("^(?:(?!ab)[^])*$", in: ["", "ba", "acb"], notIn: ["ab", "cabc"]),
        .init("(?<=😀)a", in: ["😀a"], notIn: ["a", "😁a"]),
        .init("(?<=.)$", in: ["a", "😀"], notIn: ["", "\n"]),
        .init("(?:(?=a)[ab]){2}", in: ["aa"], notIn: ["ab", "ba"]),
    ]

    /// Patterns with backreferences, which an automaton alone could not match.
    static let references: [RegexRow] = [
        .init("^(a|b)\\1$", in: ["aa", "bb"], notIn: ["ab", "a", "ba", "aaa"]),
        .init("(.)\\1", in: ["aa", "xyyz", "😀😀"], notIn: ["abab", "😀😁"]),
        .init("^(.*)\\1$", in: ["", "aa", "abab", "漢字漢字"], notIn: ["a", "aba"]),
        .init("^(?<q>['\"]).*\\k<q>$", in: ["'a'", "\"a\""], notIn: ["'a\"", "'"]),
        .init("^\\1(a)$", in: ["a"], notIn: ["aa", ""]),
        .init("^\\k<n>(?<n>a)$", in: ["a"], notIn: ["aa"]),
        .init("^(a\\1)$", in: ["a"], notIn: ["aa"]),
        .init("^(?:(a)|b)\\1$", in: ["aa", "b"], notIn: ["a", "ba"]),
        .init("^(?:(a)|(b)|c)*\\1\\2$", in: ["ac", "abb", "c", "baa"], notIn: ["ab1"]),
        .init("^(a*)*\\1$", in: ["", "aa"], notIn: ["a", "b"]),
        .init("^(z)((a+)?(b+)?(c))*\\3$", in: ["zaacbbbcaca"], notIn: ["zaacbbbca"]),
        .init("^(a+)\\1{2}$", in: ["aaa", "aaaaaa"], notIn: ["aa", "aaaa"]),
        .init("^(a+?)(b*)\\2\\1$", in: ["abba", "aa", "aabbaa"], notIn: ["abb", "aba"]),
        .init("^(?:(.)(?!\\1))+$", in: ["abab"], notIn: ["aab", ""]),
        .init("^(?!.*(.)\\1).*$", in: ["", "abab"], notIn: ["abba"]),
        .init("^(?=(a+))\\1b$", in: ["ab", "aab"], notIn: ["a", "b"]),
        .init("^(?=(a+))a*b\\1$", in: ["aabaa"], notIn: ["aaba", "aab"]),
        .init("^(?!(a)b)a\\1c$", in: ["ac"], notIn: ["aac", "ab"]),
    ]

    static let references2: [RegexRow] = [
        .init("(?<=\\1(a))b", in: ["aab"], notIn: ["ab", "bab"]),
        .init("(?<=(a)\\1)b", in: ["ab", "aab"], notIn: ["b", "cb"]),
        .init("(?<=([ab]+)([bc]+))$", in: ["abc", "ab"], notIn: ["a", "c", "cb"]),
        .init("^(?<=\\1)(a)?$", in: ["", "a"], notIn: ["b"]),
        .init("(?<!(.)\\1)$", in: [], notIn: ["a", "aa"]),
        .init("(?<!\\1(.))$", in: ["", "ab"], notIn: ["aa", "baa"]),
        .init("^(?:(x)|y){2}\\1$", in: ["xxx", "xy", "yy", "yxx"], notIn: ["xyx", "yx"]),
        .init("^(a)?\\1b{2}$", in: ["bb", "aabb"], notIn: ["abb"]),
        .init("^(?:(a)?b){2,}?\\1$", in: ["abb", "bb", "baba"], notIn: ["bab", "b"]),
        .init("^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10$", in: ["abcdefghijj"], notIn: ["abcdefghija0", "abcdefghij"]),
        .init("\\b(\\w+) \\1\\b", in: ["the the", "is is it"], notIn: ["the then", "a b"]),
        .init("^(()|a)+?\\2b$", in: ["b", "ab", "aab"], notIn: ["a"]),
    ]

    /// A surrogate pair is one code point; a pattern does not match half of it.
    static let surrogates: [RegexRow] = [
        .init("^.{2}$", in: ["😀😀"], notIn: ["😀"]),
        .init("\\uD83D", in: [], notIn: ["😀"]),
        .init("\\uDE00", in: [], notIn: ["😀"]),
        .init("[\\uD83D]", in: [], notIn: ["😀"]),
        .init("^[^x]$", in: ["😀"], notIn: ["😀😀"]),
        .init("^😀{2}$", in: ["😀😀"], notIn: ["😀"]),
        .init("^🐲*$", in: ["", "🐲", "🐲🐲"], notIn: ["🐉", "D"]),
        .init("\\B😀", in: ["😀"], notIn: ["a😀"]),
        .init("(?<=\\uDE00)a", in: [], notIn: ["😀a"]),
        .init("^\\S$", in: ["😀"], notIn: ["😀😀"]),
        .init("\\p{Cs}", in: [], notIn: ["😀"]),
    ]

    @Test func matchesLoneSurrogatesAsCodePoints() throws {
        let rows: [(pattern: String, text: [UInt16], verdict: ECMARegex.Verdict)] = [
            ("^\\uD83D$", [0xD83D], .matched), ("^\\uDE00$", [0xDE00], .matched), ("^.$", [0xD83D], .matched),
            ("^..$", [0xDE00, 0xD83D], .matched), ("^..$", [0xD83D, 0xDE00], .notMatched),
            ("\\uD83D", [0xD83D, 0xD83D, 0xDE00], .matched), ("\\uDE00", [0xD83D, 0xDE00, 0xDE00], .matched),
            ("^\\p{Cs}$", [0xDFFF], .matched), ("^\\p{Assigned}$", [0xD800], .matched),
            ("^\\uD83D\\u{DE00}$", [0xD83D, 0xDE00], .notMatched), ("(?<=\\uD83D)a", [0xD83D, 0x61], .matched),
            ("^(.)\\1$", [0xD83D, 0xD83D, 0xDE00], .notMatched), ("^(.)\\1$", [0xD83D, 0xD83D], .matched),
        ]
        for row in rows {
            #expect(try ECMARegex(row.pattern.utf16).search(row.text) == row.verdict, "\(row.pattern) in \(row.text)")
        }
    }

    @Test func loneSurrogatesInAPattern() throws {
        #expect(try ECMARegex([0x5E, 0xD83D, 0x24]).search([0xD83D]) == .matched)
        #expect(try ECMARegex([0x5E, 0xD83D, 0x24]).search([0xD83D, 0xDE00]) == .notMatched)
        #expect(try ECMARegex([0x5B, 0xD83D, 0xDE00, 0x5D]).search("x😀".utf16) == .matched)
    }
}
