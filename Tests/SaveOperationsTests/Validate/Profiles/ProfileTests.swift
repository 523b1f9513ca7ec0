import JSONSchema
import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// The built-in profiles on the fixtures, and on what breaks each of their rules.
@Suite struct ProfileTests {
    /// 2010-01-01, after all that the fixtures tell of.
    static let now = 284_000_000.0

    static func view(_ bytes: [UInt8], as format: Format) throws -> ObjectView {
        let document = try Document.read(bytes, as: format)
        guard let archive = try? KeyedArchive(document) else { return ObjectView(document) }
        return ObjectView(archive)
    }

    static func fixture(_ name: String) throws -> ObjectView {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/\(name)"))
        let format: Format =
            bytes.starts(with: "bplist".utf8) ? .binary : bytes.starts(with: "<?xml".utf8) ? .xml : .json
        return try view(bytes, as: format)
    }

    static let sound = [
        ("archive", "friends.save"), ("archive", "gameobject.save"), ("archive", "highscores.archive"),
        ("archive", "options.save"), ("archive", "swamp.save"), ("archive", "swamp.xml.save"),
        ("highscores", "highscores.archive"), ("highscores", "highscores.plist"),
        ("highscores", "highscores.xml.plist"), ("highscores", "leaderboard.plist"),
        ("leaderboard", "leaderboard.plist"), ("preferences", "preferences.plist"), ("json-save", "grabthar.json"),
    ]

    @Test(arguments: sound)
    func soundFilesPass(_ profile: String, _ file: String) throws {
        let profile = try #require(Profile.named(profile))
        #expect(try SchemaCase.lines(of: profile.findings(in: Self.fixture(file), now: Self.now)) == [])
    }

    static let wrong = [
        ("archive", "preferences.plist", "profile.archive / / found no keyed archive; expected one"),
        ("leaderboard", "swamp.save", "profile.archive / / found a keyed archive; expected none"),
        ("preferences", "swamp.save", "profile.archive / / found a keyed archive; expected none"),
        ("json-save", "preferences.plist", "profile.format / / found the format binary; expected json"),
        (
            "highscores", "swamp.save",
            #"schema.required / /then/required the member "HighScores" is missing, and required"#
        ),
    ]

    @Test(arguments: wrong)
    func otherFilesFail(_ profile: String, _ file: String, _ line: String) throws {
        let profile = try #require(Profile.named(profile))
        #expect(try SchemaCase.lines(of: profile.findings(in: Self.fixture(file), now: Self.now)) == [line])
    }

    /// A record as the stored form has it.
    private static func record(_ name: String, _ score: String, _ date: String = #"{"$date": 0}"#) -> String {
        #"{"playerName": \#(name), "score": \#(score), "date": \#(date)}"#
    }

    static let broken: [(profile: String, json: String, lines: [String])] = [
        (
            "highscores", "[\((0..<11).map { record(#""A""#, String(20 - $0)) }.joined(separator: ","))]",
            ["schema.maxItems / /$defs/stored/maxItems found an array of 11 elements; expected at most 10"]
        ),
        (
            "highscores", "[\(record(#""A""#, "1")),\(record(#""B""#, "2"))]",
            [
                "schema.x-order / /$defs/stored/x-order the element 1 has the number 2, after the number 1; expected descending order by /score"
            ]
        ),
        (
            "highscores", "[\(record(#""""#, "1"))]",
            [
                #"schema.minLength /0/playerName /$defs/name/minLength found the string "" of 0 characters; expected at least 1"#
            ]
        ),
        (
            "highscores", "[\(record("\"\(String(repeating: "é", count: 33))\"", "1"))]",
            [
                "schema.maxLength /0/playerName /$defs/name/maxLength found the string \"\(String(repeating: "é", count: 33))\" of 33 characters; expected at most 32"
            ]
        ),
        (
            "highscores", "[\(record(#""A""#, "1.5"))]",
            ["schema.type /0/score /$defs/score/type found the number 1.5; expected an integer"]
        ),
        (
            "highscores", "[\(record(#""A""#, "-1"))]",
            ["schema.minimum /0/score /$defs/score/minimum found the number -1; expected at least 0"]
        ),
        (
            "highscores", "[\(record(#""A""#, "1", #"{"$date": 284000001}"#))]",
            [
                "profile.future-date /0/date / found the date 2010-01-01T00:53:21Z; expected none after 2010-01-01T00:53:20Z"
            ]
        ),
        (
            "highscores", "[\(record(#""A""#, "1", #"{"$date": {"$real": "nan"}}"#))]",
            [
                "profile.future-date /0/date / found the date of nan seconds since 2001; expected none after 2010-01-01T00:53:20Z"
            ]
        ),
        (
            "leaderboard", #"[{"player_name": "A", "total_score": 1, "created_at": {"$date": 284000001}}]"#,
            [
                "profile.future-date /0/created_at / found the date 2010-01-01T00:53:21Z; expected none after 2010-01-01T00:53:20Z"
            ]
        ),
        (
            "highscores", #"{"HighScores": 5}"#,
            ["schema.type /HighScores /then/properties/HighScores/type found the number 5; expected an array"]
        ),
        (
            "highscores", "[\(record(#""A""#, "1", #""2009-01-01""#))]",
            [
                #"schema.x-type /0/date /$defs/stored/items/properties/date/x-type found the string "2009-01-01"; expected a date"#
            ]
        ),
        (
            "highscores", #"[{"playerName": "A", "score": 1}]"#,
            [#"schema.required /0 /$defs/stored/items/required the member "date" is missing, and required"#]
        ),
        ("highscores", "5", ["schema.type / /type found the number 5; expected an object or an array"]),
        (
            "leaderboard", #"[{"player_name": "A", "total_score": 1}]"#,
            [#"schema.required /0 /items/required the member "created_at" is missing, and required"#]
        ),
        ("leaderboard", "{}", ["schema.type / /type found an object of 0 members; expected an array"]),
        (
            "preferences", #"{"a": [null]}"#,
            [
                "schema.x-type /a/0 /$defs/value/x-type found null; expected a boolean, an integer, a real, a real32, a string, a date, data, an array or a dictionary"
            ]
        ),
        ("preferences", "[]", ["schema.x-type / /x-type found an array of 0 elements; expected a dictionary"]),
        (
            "preferences", "{\"a\": \"\(String(repeating: "x", count: 1 << 20))\"}",
            ["schema.x-maxBytes / /x-maxBytes found an object of 1 member; expected at most 1048576 bytes"]
        ),
        (
            "json-save", #"{"a": {"$date": 0}}"#,
            [
                #"schema.x-type /a /$defs/value/x-type found the string "2001-01-01T00:00:00Z" (date); expected null, a boolean, an integer, a real, a string, an array or a dictionary"#
            ]
        ),
        (
            "json-save", #"{"a": [{"$real": "nan"}]}"#,
            ["schema.type /a/0 /$defs/value/then/type found null; expected a number"]
        ),
        (
            "json-save", "{}",
            ["schema.minProperties / /minProperties found an object of 0 members; expected at least 1"]
        ),
    ]

    @Test(arguments: broken)
    func brokenFilesFail(_ name: String, _ json: String, _ lines: [String]) throws {
        let profile = try #require(Profile.named(name))
        let view = try Self.view(Array(json.utf8), as: .json)
        #expect(SchemaCase.lines(of: profile.findings(in: view, now: Self.now)) == lines)
    }

    @Test(arguments: Profile.all)
    func schemasAreSound(_ profile: Profile) throws {
        #expect(Profile.named(profile.name)?.schemaText == profile.schemaText)
        #expect(try SchemaCase.schema(profile.schemaText).warnings.isEmpty)
    }

    @Test func namesAreSorted() {
        #expect(Profile.all.map(\.name) == ["archive", "highscores", "json-save", "leaderboard", "preferences"])
        #expect(Profile.named("nothing")?.name == nil)
    }
}
