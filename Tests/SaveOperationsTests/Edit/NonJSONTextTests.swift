import Testing

@testable import SaveCodec
@testable import SaveOperations

/// A word that is not JSON is classified by its probable meaning, so that the error can suggest a fix.
@Suite struct NonJSONTextTests {
    static let words: [(String, NonJSONText.LikelyMeaning)] = [
        ("Bob", .string), ("yes!", .string), ("nothing", .string), (" Bob ", .string), ("C:\\saves", .string),
        ("a,b", .string), ("-", .string), ("-x", .string), (".", .string), ("#fff", .string), ("é", .string),
        ("trues", .string), ("(1, 2)", .string), ("'5'", .string),
        ("6F9619FF-8B86-D011-B42D-00CF4FC964FF", .string), ("6F9619FF-8B86-D011-B42D-00CF4FC964F", .number),
        ("{\"a\": 1", .brokenJSON), ("[1,", .brokenJSON), ("\"abc", .brokenJSON), (" {", .brokenJSON),
        ("{1, 2}", .brokenJSON), ("[Bob]", .brokenJSON),
        ("-5x", .number), ("1e", .number), ("01", .number), ("0x10", .number), ("1,5", .number), (".5", .number),
        ("+5", .number), ("-.5", .number), ("3rd", .number), ("2024-01-01", .number), ("1 000", .number),
        ("True", .literal), ("FALSE", .literal), ("NULL", .literal), ("nil", .literal), ("nan", .literal),
        ("-Infinity", .literal), ("YES", .literal), (" NO ", .literal), ("Yes", .literal), ("no", .literal),
        ("None", .literal),
        ("", .nothing), (" ", .nothing), ("\t\n", .nothing),
    ]

    @Test(arguments: words) func likelyMeaning(_ text: String, _ likelyMeaning: NonJSONText.LikelyMeaning) throws {
        let problem = try #require(throws: Problem.self) { try GivenValue(json: Array(text.utf8)) }
        #expect(NonJSONText(text, problem).likelyMeaning == likelyMeaning)
    }
}
