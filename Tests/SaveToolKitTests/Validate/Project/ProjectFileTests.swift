import JSONSchema
import Foundation
import SaveCodec
import SaveInspection
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests which project files are accepted, and the messages for others.
@Suite struct ProjectFileTests {
    static let faults: [(text: String, line: String)] = [
        ("{", #"1:2: found the end of the text; expected a name in quotation marks"#),
        ("[]", "1:1: (root): found an array; expected an object"),
        (
            #"{"validat": []}"#,
            #"1:2: /validat: unknown member; did you mean "validate"?"#
        ),
        (
            #"{"rules": []}"#,
            #"1:2: /rules: unknown member; expected "validate", "ignore", "schemaRoot", "migrate", "scores" or "$schema""#
        ),
        (#"{"ignore": [], "ignore": []}"#, "1:16: /ignore: duplicate member"),
        (#"{"$schema": 1}"#, "1:13: /$schema: found a number; expected a URI"),
        (#"{"validate": {}}"#, "1:14: /validate: found an object; expected an array of rules"),
        (#"{"validate": ["a"]}"#, "1:15: /validate/0: found a string; expected an object"),
        (#"{"validate": [{}]}"#, #"1:15: /validate/0: the required member "files" is missing"#),
        (
            "{\n  \"validate\": [\n    {\"files\": [\"é,]}\"], \"profle\": \"archive\"}]}",
            #"3:25: /validate/0/profle: unknown member; did you mean "profile"?"#
        ),
        (
            #"{"validate": [{"files": ["a"]}, {"files": ["b"], "allow-class": []}]}"#,
            #"1:50: /validate/1/allow-class: unknown member; did you mean "allowClass"?"#
        ),
        (
            #"{"validate": [{"files": "a"}]}"#,
            "1:25: /validate/0/files: found a string; expected an array of patterns"
        ),
        (
            #"{"validate": [{"files": []}]}"#,
            "1:25: /validate/0/files: the array is empty; expected at least one pattern"
        ),
        (#"{"validate": [{"files": ["a", null]}]}"#, "1:31: /validate/0/files/1: found null; expected a pattern"),
        (
            #"{"validate": [{"files": ["a", "\u005Bb"]}]}"#,
            "1:31: /validate/0/files/1: the [ at character 1 has no closing ]"
        ),
        (#"{"ignore": [{"a": [1]}, "/b"]}"#, "1:13: /ignore/0: found an object; expected a pattern"),
        (
            #"{"ignore": ["a", "/b"]}"#,
            "1:18: /ignore/1: the pattern begins with a slash; expected a path from the folder of the project file"
        ),
        (
            #"{"validate": [{"files": ["a"], "profile": "highscore"}]}"#,
            #"1:43: /validate/0/profile: unknown name "highscore"; did you mean "highscores"?"#
        ),
        (
            #"{"validate": [{"files": ["a"], "profile": "golf\u001B"}]}"#,
            #"1:43: /validate/0/profile: unknown name "golf\u001B"; expected archive, highscores, icloud-store, json-save, leaderboard or preferences"#
        ),
        (
            #"{"validate": [{"files": ["a"], "from": "yaml"}]}"#,
            #"1:40: /validate/0/from: unknown name "yaml"; expected binary, xml, json, openstep, gnustep, typedstream or sqlite"#
        ),
        (
            #"{"validate": [{"files": ["a"], "strict": 1}]}"#,
            "1:42: /validate/0/strict: found a number; expected true or false"
        ),
        (
            #"{"validate": [{"files": ["a"], "schema": true}]}"#,
            "1:42: /validate/0/schema: found true or false; expected the name of a file"
        ),
        (
            #"{"validate": [{"files": ["a"], "schema": ""}]}"#,
            "1:42: /validate/0/schema: found an empty string; expected the name of a file"
        ),
        (
            #"{"validate": [{"files": ["a"], "allowClass": "Map"}]}"#,
            "1:46: /validate/0/allowClass: found a string; expected an array of class names"
        ),
        (
            #"{"validate": [{"files": ["a"], "allowClass": ["Map", ""]}]}"#,
            "1:54: /validate/0/allowClass/1: found an empty string; expected the name of a class"
        ),
        (
            #"{"validate": [{"assertFormats": true, "files": ["a"]}]}"#,
            #"1:16: /validate/0/assertFormats: this has an effect only with "schema""#
        ),
        (
            #"{"validate": [{"files": ["a"], "expect": []}]}"#,
            "1:42: /validate/0/expect: the array is empty; expected at least one id"
        ),
        (
            #"{"validate": [{"files": ["a"], "expectInvalid": false, "expect": ["xml.key"]}]}"#,
            #"1:32: /validate/0/expectInvalid: this contradicts "expect""#
        ),
        (#"{"schemaRoot": {"a": "b", "c": 2}}"#, "1:32: /schemaRoot/c: found a number; expected the name of a folder"),
        (#"{"migrate": []}"#, "1:13: /migrate: the array is empty; expected at least one name"),
        (#"{"migrate": "rules"}"#, "1:13: /migrate: found a string; expected an array of files and folders with rules"),
        (
            #"{"validate": [{"files": ["a"], "newestVersion": true}]}"#,
            #"1:32: /validate/0/newestVersion: this has an effect only with "migrate""#
        ),
        (#"{"schemaRoot": ["a"]}"#, "1:16: /schemaRoot: found an array; expected an object"),
    ]

    @Test(arguments: faults)
    func explainsErrors(_ text: String, _ line: String) {
        do throws(Problem) {
            _ = try ProjectFile(Array(text.utf8), name: "p")
            Issue.record("nothing is wrong with it")
        } catch {
            #expect(ProblemLine.render(error, in: "p") == "p:" + line)
        }
    }

    @Test func errorsInDamagedFilesHaveLocation() throws {
        let file = TestFiles.fixtures.appending(path: "project/.savetool.json")
        let seeds = try [TestFiles.bytes(file)] + Self.faults.map { Array($0.text.utf8) }
        var mutator = Mutator(seeds: seeds, seed: 4)
        var ids: Set<String> = []
        for _ in 0..<5000 {
            do throws(Problem) {
                _ = try ProjectFile(mutator.next(), name: "p")
            } catch {
                ids.insert(error.id)
                #expect(error.location != nil || error.id == "json.encoding", "\(error)")
            }
        }
        #expect(ids.isSuperset(of: ["project.member", "project.pattern", "project.name", "json.syntax"]))
    }

    // MARK: The schema for editors

    private static func schema() throws -> Schema {
        let file = TestFiles.fixtures.appending(path: "schemas/project.schema.json")
        return try Schema.compile(JSON.readPlain(TestFiles.bytes(file)))
    }

    private static func isAllowed(_ bytes: [UInt8]) throws -> Bool {
        Validation.with(try schema()).report(on: bytes).findings.isEmpty
    }

    @Test func schemaListsAllMembers() throws {
        let text = """
            {"$schema": "x", "schemaRoot": {"a": "b"}, "ignore": ["**/*.bak"], "validate": [{"files": ["a"], "schema": "b",
            "assertFormats": true, "profile": "archive", "allowClass": ["A"], "strict": true, "expectInvalid": true,
            "expect": ["xml.truncated"], "from": "xml", "newestVersion": true}], "migrate": ["rules"], "scores": [{"files": ["a"], "order": "lowest"}]}
            """
        #expect(try Self.isAllowed(Array(text.utf8)))
        _ = try ProjectFile(Array(text.utf8), name: "p")
        #expect(try Self.isAllowed(TestFiles.bytes(TestFiles.fixtures.appending(path: "project/.savetool.json"))))
    }

    /// The schema cannot check the syntax of patterns and does not see duplicate members, so those cases are left out.
    @Test(arguments: faults.map(\.text).filter { !$0.contains("u005B") && !$0.contains(#""ignore": [], "#) })
    func schemaRejectsInvalidFiles(_ text: String) throws {
        #expect(try !Self.isAllowed(Array(text.utf8)))
    }

    @Test func schemaListsAllNames() throws {
        for profile in Profile.all.map(\.name) {
            #expect(try Self.isAllowed(Array(#"{"validate": [{"files": ["a"], "profile": "\#(profile)"}]}"#.utf8)))
        }
        for format in Format.allCases.map(\.rawValue) {
            #expect(try Self.isAllowed(Array(#"{"validate": [{"files": ["a"], "from": "\#(format)"}]}"#.utf8)))
        }
    }
}

extension Validation {
    fileprivate static func with(_ schema: Schema) -> Validation {
        var validation = Validation(format: .json)
        validation.schemas = [schema]
        return validation
    }
}
