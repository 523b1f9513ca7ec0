@testable import JSONSchema
import Testing

/// Invalid patterns, with the position and the message of each error.
@Suite struct RegexSyntaxErrorTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let pattern: String
        let position: Int
        let sentence: String

        init(_ pattern: String, _ position: Int, _ sentence: String) {
            self.pattern = pattern
            self.position = position
            self.sentence = sentence
        }

        var testDescription: String { String(pattern.prefix(40)) }
    }

    @Test(arguments: rows) func fault(_ row: Row) throws {
        let fault = #expect(throws: RegexSyntaxError.self) { try ECMARegex(row.pattern.utf16) }
        #expect(fault?.position == row.position)
        #expect(fault?.sentence == row.sentence)
    }

    private static let property = "“\\p” is not followed by “{name}” or “{name=value}”"
    private static let digits =
        "“\\u” must be followed by four hexadecimal digits, or by “{…}” with a number up to 10FFFF"
    private static let name = "expected a group name between “<” and “>”: a letter, “$” or “_”, then also digits"
    private static let group = "“(?” is not followed by “:”, “=”, “!”, “<=”, “<!” or “<name>”"
    private static let quantifier = "“{” must begin “{n}”, “{n,}” or “{n,m}”"
    private static let falling = "the range's second character is before its first"
    private static let classRange = "a range ends in a character class; expected a single character"
    private static let tooLarge = "the pattern compiles to more than 100000 instructions; use smaller repetition counts"

    private static let tooManyRanges = "the pattern's classes have more than 1000000 ranges of characters"

    static let rows: [Row] = [
        Row("*", 0, "“*” has nothing to repeat before it"),
        Row("a|+", 2, "“+” has nothing to repeat before it"),
        Row("(?)", 0, group),
        Row("(?:?)", 3, "“?” has nothing to repeat before it"),
        Row("{1}", 0, "“{” has nothing to repeat before it"),
        Row("a**", 2, "“*” has nothing to repeat before it"),
        Row("a{1}{2}", 4, "“{” has nothing to repeat before it"),
        Row("a{1,1000}{1,1000}", 9, "“{” has nothing to repeat before it"),
        Row("a???", 3, "“?” has nothing to repeat before it"),
        Row("^*", 1, "“*” has nothing to repeat before it"),
        Row("$?", 1, "“?” has nothing to repeat before it"),
        Row("\\b+", 2, "“+” has nothing to repeat before it"),
        Row("(?=a)*", 5, "“*” has nothing to repeat before it"),
        Row("(?!a){2}", 5, "“{” has nothing to repeat before it"),
        Row("(?<=a)?", 6, "“?” has nothing to repeat before it"),
        Row("a}", 1, "“}” is not escaped; use “\\}” for the character"),
        Row("😀😀]", 2, "“]” is not escaped; use “\\]” for the character"),
        Row("a{", 1, quantifier), Row("a{}", 1, quantifier), Row("a{,2}", 1, quantifier), Row("a{1", 1, quantifier),
        Row("a{1,", 1, quantifier), Row("a{1,2", 1, quantifier), Row("a{x}", 1, quantifier),
        Row("a{ 1}", 1, quantifier),
        Row("a{2,1}", 1, "the quantifier's second number is less than its first"),
        Row(")", 0, "unmatched “)”"), Row("(a))b", 3, "unmatched “)”"),
        Row("(", 0, "unclosed “(”"), Row("a(b(c)", 1, "unclosed “(”"),
        Row("(?:a", 0, "unclosed “(”"), Row("x(?=a", 1, "unclosed “(”"),
        Row("(?<!a", 0, "unclosed “(”"), Row("(?<n>a", 0, "unclosed “(”"),
        Row("(?i)a", 0, group), Row("(?i:a)", 0, group), Row("(?#x)", 0, group), Row("(?>a)", 0, group),
        Row("(?P<n>a)", 0, group), Row("(?", 0, group),
        Row("[", 0, "unclosed “[”"), Row("a[b", 1, "unclosed “[”"),
        Row("[a\\]", 0, "unclosed “[”"),
        Row("[]a]", 3, "“]” is not escaped; use “\\]” for the character"),
        Row("[b-a]", 1, falling), Row("[xb-a]", 2, falling), Row("[\\x62-\\x61]", 1, falling), Row("[😁-😀]", 1, falling),
        Row("[\\d-a]", 1, classRange), Row("[a-\\d]", 1, classRange), Row("[\\w-\\w]", 1, classRange),
        Row("[a-\\p{L}]", 1, classRange),
        Row("\\", 0, "“\\” is the last character; expected an escaped character after it"),
        Row("[\\", 1, "“\\” is the last character; expected an escaped character after it"),
        Row("\\a", 0, "“\\a” is not an escape"), Row("a\\-", 1, "“\\-” is not an escape"),
        Row("\\e", 0, "“\\e” is not an escape"), Row("\\é", 0, "“\\é” is not an escape"),
        Row("\\😀", 0, "“\\😀” is not an escape"), Row("\\_", 0, "“\\_” is not an escape"),
        Row("\\Z", 0, "“\\Z” is not an escape"), Row("\\A", 0, "“\\A” is not an escape"),
        Row("[\\B]", 1, "“\\B” is not an escape"), Row("[\\k]", 1, "“\\k” is not an escape"),
        Row("[\\1]", 1, "“\\1” is not an escape"), Row("[\\_]", 1, "“\\_” is not an escape"),
        Row("\\\u{7}", 0, "“\\\\u0007” is not an escape"), Row("\\\n", 0, "“\\\\n” is not an escape"),
        Row("\\00", 0, "“\\0” is followed by a digit"), Row("a\\01", 1, "“\\0” is followed by a digit"),
        Row("\\c", 0, "“\\c” is not followed by a letter from A to Z"),
        Row("\\c1", 0, "“\\c” is not followed by a letter from A to Z"),
        Row("[\\c_]", 1, "“\\c” is not followed by a letter from A to Z"),
        Row("\\x", 0, "“\\x” is not followed by two hexadecimal digits"),
        Row("\\x4", 0, "“\\x” is not followed by two hexadecimal digits"),
        Row("\\xg0", 0, "“\\x” is not followed by two hexadecimal digits"),
        Row("\\u", 0, digits), Row("\\u004", 0, digits), Row("\\u{}", 0, digits), Row("\\u{110000}", 0, digits),
        Row("\\u{41", 0, digits), Row("\\u{4x}", 0, digits), Row("\\ud83d\\u00", 6, digits),
        Row("\\p", 0, property), Row("\\pL", 0, property), Row("\\p{L", 0, property), Row("[\\P]", 1, property),
        Row("\\p{}", 0, "“” is not a character property"), Row("\\p{l}", 0, "“l” is not a character property"),
        Row("\\p{Nope}", 0, "“Nope” is not a character property"),
        Row("\\p{Latin}", 0, "“Latin” is not a character property"),
        Row("a\\P{Script=Nope}", 1, "“Script=Nope” is not a character property"),
        Row("\\p{Script}", 0, "“Script” is not a character property"),
        Row("\\p{L=}", 0, "“L=” is not a character property"),
        Row("\\p{ L}", 0, "“ L” is not a character property"),
        Row("\\p{RGI_Emoji}", 0, "“RGI_Emoji” is not a character property"),
        Row("\\p{\n}", 0, "“\\n” is not a character property"),
        Row("(?<", 3, name), Row("(?<>a)", 3, name), Row("(?<1>a)", 3, name), Row("(?<a-b>a)", 3, name),
        Row("(?<n", 3, name), Row("\\k", 2, name), Row("\\ka", 2, name), Row("\\k<", 3, name), Row("\\k<>", 3, name),
        Row("(?<\\u{3>a)", 3, digits),
        Row("(?<n>a)(?<n>b)", 7, "another group has the same name"),
        Row("(?<n>a)|(?<n>b)", 8, "another group has the same name"),
        Row("\\1", 0, "“\\1” refers to a missing group; the group count is 0"),
        Row("(a)\\2", 3, "“\\2” refers to a missing group; the group count is 1"),
        Row("(?:a)\\1", 5, "“\\1” refers to a missing group; the group count is 0"),
        Row("(?<n>a)\\k<m>", 7, "“\\k” refers to an unknown group name"),
        Row("(?:a{1,1000}){1,1000}", 4, tooLarge), Row("a{100000}", 1, tooLarge),
        Row("a{99999999999999999999}", 1, tooLarge), Row(String(repeating: "a", count: 100_001), 0, tooLarge),
        Row(nested(201), 200, "groups are nested more than 200 levels deep"),
        Row(nested(100_000), 200, "groups are nested more than 200 levels deep"),
        Row(
            String(repeating: "(?=a)", count: 61), 300, "the pattern has more than 60 lookarounds"),
        Row("[" + String(repeating: "\\p{L}", count: 2000) + "]", 0, tooManyRanges),
        Row(String(repeating: "\\p{Sc}", count: 50_000), 285_720, tooManyRanges),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
    }

    @Test func acceptsPatternsAtTheLimits() throws {
        #expect(try ECMARegex(Self.nested(200).utf16).search("".utf16) == .matched)
        #expect(try ECMARegex(String(repeating: "(?=a)", count: 60).utf16).search("ba".utf16) == .matched)
        #expect(try ECMARegex("^a{99997}$".utf16).search("a".utf16) == .notMatched)
    }
}
