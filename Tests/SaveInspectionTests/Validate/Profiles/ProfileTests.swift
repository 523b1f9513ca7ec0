import JSONSchema
import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveInspection
@testable import SaveOperations

/// The built-in profiles accept the fixtures and report a violation of each rule.
@Suite struct ProfileTests {
    /// 2010-01-01, later than all dates in the fixtures.
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
    func validFilesPass(_ profile: String, _ file: String) throws {
        let profile = try #require(Profile.named(profile))
        #expect(try SchemaCase.lines(of: profile.findings(in: Self.fixture(file), now: Self.now)) == [])
    }

    static let wrong = [
        (
            "archive", "preferences.plist",
            "profile.archive (root) (root) found another kind of save; expected a keyed archive"
        ),
        (
            "leaderboard", "swamp.save",
            "profile.archive (root) (root) found a keyed archive; expected another kind of save"
        ),
        (
            "preferences", "swamp.save",
            "profile.archive (root) (root) found a keyed archive; expected another kind of save"
        ),
        ("json-save", "preferences.plist", "profile.format (root) (root) found the format binary; expected json"),
        (
            "highscores", "swamp.save",
            "scores.none (root) (root) found no high scores; expected an array of records with a name and a score, "
                + "of pairs, or one score for each name"
        ),
    ]

    @Test(arguments: wrong)
    func otherFilesFail(_ profile: String, _ file: String, _ line: String) throws {
        let profile = try #require(Profile.named(profile))
        #expect(try SchemaCase.lines(of: profile.findings(in: Self.fixture(file), now: Self.now)) == [line])
    }

    /// Returns a record of a stored table.
    private static func record(_ name: String, _ score: String, _ date: String = #"{"$date": 0}"#) -> String {
        #"{"playerName": \#(name), "score": \#(score), "date": \#(date)}"#
    }

    /// Returns a record of a leaderboard feed.
    private static func row(_ name: String, _ score: String) -> String {
        #"{"player_name": \#(name), "total_score": \#(score), "created_at": {"$date": 0}}"#
    }

    /// A key of 66 bytes in UTF-8.
    private static let longKey = String(repeating: "é", count: 33)

    static let broken: [(profile: String, json: String, lines: [String])] = [
        (
            "highscores", "[\((0..<11).map { record(#""A""#, String(20 - $0)) }.joined(separator: ","))]",
            ["profile.score-count (root) (root) found 11 records; games keep 10"]
        ),
        (
            "highscores", "[\(record(#""A""#, "1")),\(record(#""B""#, "2"))]",
            ["profile.score-order /1/score (root) found 2 after 1; expected descending order"]
        ),
        (
            "leaderboard", "[\(row(#""""#, "1"))]",
            [
                #"schema.minLength /0/player_name /items/properties/player_name/minLength found the string "" of 0 characters; expected at least 1"#
            ]
        ),
        (
            "leaderboard", "[\(row("\"\(String(repeating: "é", count: 33))\"", "1"))]",
            [
                "schema.maxLength /0/player_name /items/properties/player_name/maxLength found the string \"\(String(repeating: "é", count: 33))\" of 33 characters; expected at most 32"
            ]
        ),
        (
            "leaderboard", "[\(row(#""A""#, "1.5"))]",
            ["schema.type /0/total_score /items/properties/total_score/type found the number 1.5; expected an integer"]
        ),
        (
            "leaderboard", "[\(row(#""A""#, "-1"))]",
            [
                "schema.minimum /0/total_score /items/properties/total_score/minimum found the number -1; expected at least 0"
            ]
        ),
        (
            "highscores", "[\(record(#""A""#, "1", #"{"$date": 284000001}"#))]",
            [
                "profile.future-date /0/date (root) found the date 2010-01-01T00:53:21Z; expected no date after 2010-01-01T00:53:20Z"
            ]
        ),
        (
            "highscores", "[\(record(#""A""#, "1", #"{"$date": {"$real": "nan"}}"#))]",
            [
                "scores.type /0/date (root) found nan seconds; expected a date"
            ]
        ),
        (
            "leaderboard", #"[{"player_name": "A", "total_score": 1, "created_at": {"$date": 284000001}}]"#,
            [
                "profile.future-date /0/created_at (root) found the date 2010-01-01T00:53:21Z; expected no date after 2010-01-01T00:53:20Z"
            ]
        ),
        (
            "leaderboard",
            "[" + String(repeating: #"{"player_name": "A", "total_score": 1, "created_at": {"$date": 0}}, "#, count: 10)
                + #"{"player_name": "A", "total_score": 1, "created_at": {"$date": 284000001}}]"#,
            [
                "profile.future-date /10/created_at (root) found the date 2010-01-01T00:53:21Z; expected no date after 2010-01-01T00:53:20Z"
            ]
        ),
        (
            "highscores", #"{"HighScores": 5}"#,
            [
                "scores.none (root) (root) found no high scores; expected an array of records with a name and a score, "
                    + "of pairs, or one score for each name; --at '' would read 1 record"
            ]
        ),
        (
            "highscores", "[\(record(#""A""#, "1", "true"))]",
            ["scores.type /0/date (root) found a boolean; expected a date"]
        ),
        (
            "highscores", #"[{"playerName": "A", "score": 2}, {"playerName": 5, "score": 1}]"#,
            ["scores.type /1/playerName (root) found an integer; expected a string"]
        ),
        (
            "leaderboard", #"[{"player_name": "A", "total_score": 1}]"#,
            [#"schema.required /0 /items/required the required member "created_at" is missing"#]
        ),
        ("leaderboard", "{}", ["schema.type (root) /type found an object of 0 members; expected an array"]),
        (
            "preferences", #"{"a": [null]}"#,
            [
                "schema.x-type /a/0 /$defs/value/x-type found null; expected a boolean, an integer, a real, a real32, a string, a date, data, an array or a dictionary"
            ]
        ),
        ("preferences", "[]", ["schema.x-type (root) /x-type found an array of 0 elements; expected a dictionary"]),
        (
            "icloud-store", "{\"\(longKey)\": 1}",
            [
                "schema.propertyNames /\(longKey) /propertyNames found a member named \"\(longKey)\", which the schema does not allow",
                "  schema.x-maxBytes /\(longKey) /propertyNames/x-maxBytes found the string \"\(longKey)\"; expected at most 64 bytes",
            ]
        ),
        (
            "icloud-store", "{\((0..<1025).map { "\"\($0)\": 1" }.joined(separator: ","))}",
            ["schema.maxProperties (root) /maxProperties found an object of 1,025 members; expected at most 1,024"]
        ),
        (
            "icloud-store", "{\"a\": \"\(String(repeating: "x", count: 1 << 20))\"}",
            ["schema.x-maxBytes (root) /x-maxBytes found an object of 1 member; expected at most 1,048,576 bytes"]
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
            ["schema.minProperties (root) /minProperties found an object of 0 members; expected at least 1"]
        ),
    ]

    @Test(arguments: broken)
    func brokenFilesFail(_ name: String, _ json: String, _ lines: [String]) throws {
        let profile = try #require(Profile.named(name))
        let view = try Self.view(Array(json.utf8), as: .json)
        #expect(SchemaCase.lines(of: profile.findings(in: view, now: Self.now)) == lines)
    }

    /// Tables that games store, although a leaderboard would refuse some of them.
    static let tables = [
        "[]", #"[{"playerName": "A", "score": 1}]"#, "[\(record(#""A""#, "1.5")),\(record(#""B""#, "-1"))]",
        "[\(record("\"\(String(repeating: "é", count: 1000))\"", "1"))]", "[\(record(#""""#, "1"))]",
        "[\(record(#""A""#, "1", #""2009-09-06T12:34:56Z""#))]", #"{"best": [{"name": "A", "score": 1}], "n": 1}"#,
        #"[{"initials": "AAA", "score": 1}]"#,
        """
        {"$archiver": "NSKeyedArchiver", "$version": 100000,
         "$classes": {"MyGame.HighScoreRecord": ["MyGame.HighScoreRecord", "NSObject"]},
         "$top": {"HighScores": [{"$class": "MyGame.HighScoreRecord", "Name": "A", "TotalScore": 5}]}}
        """,
    ]

    @Test(arguments: tables)
    func highScoreTablesPass(_ json: String) throws {
        let document = try JSON.readTyped(Array(json.utf8))
        let view =
            GraphJSON.isPresent(in: document)
            ? ObjectView(try KeyedArchive(GraphJSON.archive(from: document))) : ObjectView(document)
        #expect(Profile.named("highscores")?.findings(in: view, now: Self.now) == [])
        #expect(throws: Never.self) { try ScoreSearch().table(in: view) }
    }

    /// Violations that do not hinder any reader are warnings.
    @Test func warnsAboutOrderAndCount() throws {
        let records = (0..<12).map { Self.record(#""A""#, String($0)) }.joined(separator: ",")
        let view = try Self.view(Array("[\(records)]".utf8), as: .json)
        let findings = try #require(Profile.named("highscores")).findings(in: view, now: Self.now)
        #expect(findings.map(\.severity) == [.warning, .warning])
    }

    /// Preferences may exceed the size limits of iCloud's key-value store.
    @Test func acceptsPreferencesOfAnySize() throws {
        let json = "{\"\(String(repeating: "k", count: 65))\": \"\(String(repeating: "x", count: 1 << 20))\"}"
        let view = try Self.view(Array(json.utf8), as: .json)
        #expect(Profile.named("preferences")?.findings(in: view, now: Self.now) == [])
        #expect(Profile.named("icloud-store")?.findings(in: view, now: Self.now).count == 2)
    }

    @Test(arguments: Profile.all)
    func schemasAreValid(_ profile: Profile) throws {
        #expect(Profile.named(profile.name)?.schemaText == profile.schemaText)
        #expect(try SchemaCase.schema(profile.schemaText).warnings.isEmpty)
    }

    @Test func sortsNames() {
        #expect(Profile.all.map(\.name) == Profile.names)
        #expect(Profile.names == Profile.names.sorted())
        #expect(Profile.named("nothing")?.name == nil)
    }
}
