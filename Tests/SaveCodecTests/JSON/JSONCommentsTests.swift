import TestSupport
import Testing

@testable import SaveCodec

/// Comments and trailing commas are read only if the dialect allows them.
@Suite struct JSONCommentsTests {
    private static func read(_ text: String) throws(Problem) -> Document {
        try JSON.read(Array(text.utf8), limits: Limits(), nested: .propertyLists.reading(.commented))
    }

    @Test(
        arguments: [
            ("[1,]", "[1]"), ("// a\n{\"a\": 1, /* b */ \"b\": [2, // c\n], }// d", #"{"a":1,"b":[2]}"#),
            ("/**/[]/**/", "[]"), ("[/* ] */1/*,*/]", "[1]"), ("[\"/*\", \"//\", \"*/\",]", #"["/*","//","*/"]"#),
            ("[1, // a\r2]", "[1,2]"), ("[1, // a\r\n2]//", "[1,2]"), ("[1 /* /* */]", "[1]"),
            ("[1, /**/ /**/ ]", "[1]"),
            ("{\"a\": {\"b\": 1,},}", #"{"a":{"b":1}}"#), ("1 // a", "1"), ("\u{FEFF}[1,]", "[1]"),
            ("{\"$date\" /* a */ : /* b */ 1 /* c */ }", #"{"$date":"2001-01-01T00:00:01Z"}"#),
            ("{\"$set\": [1, /* a */],}", #"{"$set":[1]}"#), ("{\"$dict\": [[1, 2,],]}", #"{"$dict":[[1,2]]}"#),
            ("{/* \" */ \"$bplist\": /* é */ {\"a\": 1,}}", nil), ("{\"a\\\"/*\": 1,}", #"{"a\"/*":1}"#),
        ] as [(String, String?)]) func readsCommentsAndCommas(_ text: String, _ plain: String?) throws
    {
        let document = try Self.read(text)
        if let plain { #expect(try JSONCases.write(document) == plain + "\n") }
        #expect(document.hasJSONComments && document.dialect.allowsComments)
        let ids = Set(document.warnings.map(\.id))
        #expect(!ids.isEmpty && ids.isSubset(of: ["json.comment", "json.trailing-comma"]))
        #expect(document.warnings.allSatisfy { $0.severity == .warning && $0.location != nil })
        let strict = #expect(throws: Problem.self) { try Document.read(Array(text.utf8), as: .json) }
        #expect(strict?.id.hasPrefix("json.") ?? false)
    }

    @Test(
        arguments: [
            ("[,]", "1:2: found \",\"; expected a value"),
            ("{,}", "1:2: found \",\"; expected a name in quotation marks"),
            ("[1,,2]", "1:4: found \",\"; expected a value"), ("[1,,]", "1:4: found \",\"; expected a value"),
            ("[1, /*", "1:5: found a comment that is not closed; expected a value"),
            ("[1] /*/", "1:5: found a comment that is not closed; expected the end of the text"),
            ("[1] /", "1:5: found \"/\"; expected the end of the text"), ("/", "1:1: found \"/\"; expected a value"),
            ("// a", "1:5: found the end of the text; expected a value"), ("[1] # a", nil), ("{a: 1,}", nil),
            ("['a',]", nil),
            ("{\"a\":,}", nil), ("[1 /* a */ 2]", "1:12: found \"2\"; expected \",\" or \"]\""), ("[1/ /2]", nil),
            ("[1,] ,", nil), ("[\"a,]", nil), ("[1,}", nil),
        ] as [(String, String?)]) func rejectsOtherTexts(_ text: String, _ message: String?)
    {
        let problem = #expect(throws: Problem.self) { try Self.read(text) }
        if let message { #expect(problem?.description == message) }
    }

    @Test func plainJSONHasNoWarnings() throws {
        let document = try Self.read(#"{"a": "// x", "b": [1, 2], "c": "1,]"}"#)
        #expect(document.warnings.isEmpty && !document.hasJSONComments)
    }

    @Test func warningsCountAndLocate() throws {
        let document = try Self.read("[ // é\n 1, /* b */\n [2,],]")
        #expect(
            document.warnings.map(\.description) == [
                "1:3: the text has 2 comments, which JSON does not allow; many programs reject it",
                "3:4: the text has 2 trailing commas, which JSON does not allow; many programs reject it",
            ])
        let problem = #expect(throws: Problem.self) { try Self.read("[ /* é */ 1, x]") }
        #expect(problem?.description == "1:14: found \"x\"; expected a value")
    }

    /// Reading takes linear time, whatever the comments are.
    @Test(arguments: [
        ("/**/", true), ("//\n", true), ("/*/", true), ("/* // ", false), ("// /*\n", true), (" ,", false),
        ("\"/*\",", true), ("[1,],", true), ("[/**/1,/**/],", true),
    ])
    func hostileTexts(_ piece: String, isReadable: Bool) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(20_000, long: 200_000)) { count in
            let text = "[" + String(repeating: piece, count: count) + "]"
            return { #expect(((try? Self.read(text)) != nil) == isReadable) }
        }
        #expect(isLinear)
    }

    @Test func mapsHaveOffsetsOfWrittenText() throws {
        let text = "{ // a\n  \"k\": /* b */ 10, }"
        let (document, map) = try JSON.readMapped(
            Array(text.utf8), limits: Limits(), nested: .propertyLists.reading(.commented))
        let range = try #require(map).value(0, of: document.root)
        #expect(map?.text == Array(text.utf8) && map?.hasComments == true)
        #expect(String(decoding: Array(text.utf8)[range], as: UTF8.self) == "10")
    }

    @Test func numbersInCommentsAreNoNumbers() throws {
        let text = Array("[1.5, // \"0.12345678901234567890\n 0.12345678901234567890]".utf8)
        let document = try Self.read(String(decoding: text, as: UTF8.self))
        #expect(document.digitLosses(in: text).map { $0.location } == [.line(2, column: 2)])
        #expect(JSON.reals(in: text) == [1.5, 0.12345678901234568])
    }
}
