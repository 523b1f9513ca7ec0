import Foundation
import JSONSchema
import SaveCodec
@testable import SaveInspection
@testable import SaveOperations
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests which rules files are accepted, the messages for others, and that the JSON Schema for editors agrees.
@Suite struct RulesFileTests {
    private static func text(_ rule: String) -> String {
        #"{"version": "/v", "from": null, "to": 2, "rules": ["# + rule + "]}"
    }

    static let faults: [(text: String, line: String)] = [
        ("[]", "1:1: (root): found an array; expected an object"),
        (#"{"version": "/v", "from": 1}"#, #"1:1: (root): the required member "to" is missing"#),
        (
            #"{"version": "v", "from": 1, "to": 2, "rules": []}"#,
            #"1:13: /version: found "v"; expected an address such as /root/version; did you mean /v?"#
        ),
        (
            #"{"version": "/v", "from": [], "to": 2, "rules": []}"#,
            "1:27: /from: not a version; expected a number, a string, or null for saves without a version"
        ),
        (
            #"{"version": "/v", "from": 1, "to": null, "rules": []}"#,
            "1:36: /to: not a version; expected a number or a string"
        ),
        (
            #"{"version": "/v", "from": 1, "to": 2, "rules": {}}"#,
            "1:48: /rules: found an object; expected an array of rules"
        ),
        (text("5"), "1:52: /rules/0: found a number; expected an object"),
        (
            text("{}"),
            "1:52: /rules/0: not a rule; expected one of the members renameClass, renameModule, setAncestors, renameField, dropField, addField, convertField, moveRoot, replace"
        ),
        (
            text(#"{"renameClas": "A", "to": "B"}"#),
            #"1:53: /rules/0/renameClas: unknown member; did you mean "renameClass"?"#
        ),
        (
            text("\n" + #"{"renameClass": "A", "dropField": "b", "of": "A"}"#),
            "2:1: /rules/0: found renameClass and dropField in one rule; expected one of them"
        ),
        (text(#"{"renameClass": "A"}"#), #"1:52: /rules/0: the required member "to" is missing"#),
        (
            text(#"{"renameClass": "A", "to": ""}"#),
            "1:79: /rules/0/to: found an empty string; expected the name of a class"
        ),
        (
            text(#"{"dropField": "a", "of": "A", "to": "b"}"#),
            #"1:82: /rules/0/to: unknown member; expected "dropField" or "of""#
        ),
        (
            text(#"{"setAncestors": "A", "to": "B"}"#),
            "1:80: /rules/0/to: found a string; expected an array of class names"
        ),
        (
            text(#"{"convertField": "a", "of": "A"}"#),
            #"1:52: /rules/0: the rule converts nothing; expected "type", "multiplyBy" or "stored""#
        ),
        (
            text(#"{"convertField": "a", "of": "A", "type": "number"}"#),
            #"1:93: /rules/0/type: unknown name "number"; expected integer, real, real32, string, boolean or date"#
        ),
        (
            text(#"{"convertField": "a", "of": "A", "multiplyBy": "2"}"#),
            "1:99: /rules/0/multiplyBy: expected a number"
        ),
        (
            text(#"{"replace": "root", "value": 1}"#),
            #"1:64: /rules/0/replace: found "root"; expected an address such as /root/version; did you mean /root?"#
        ),
    ]

    @Test(arguments: faults)
    func explainsErrors(_ text: String, _ line: String) {
        do throws(Problem) {
            _ = try RulesFile(Array(text.utf8), name: "r")
            Issue.record("nothing is wrong with it")
        } catch {
            #expect(ProblemLine.render(error, in: "r") == "r:" + line)
        }
    }

    @Test func errorsInDamagedFilesHaveLocation() throws {
        let files = try ["1-heroes.json", "2-life.json"].map {
            try TestFiles.bytes(TestFiles.fixtures.appending(path: "migrations/" + $0))
        }
        var mutator = Mutator(seeds: files + Self.faults.map { Array($0.text.utf8) }, seed: 17)
        for _ in 0..<500 {
            do throws(Problem) {
                _ = try RulesFile(mutator.next(), name: "r")
            } catch {
                #expect(error.location != nil || error.id == "json.encoding", "\(error)")
            }
        }
    }

    // MARK: The schema for editors

    private static func isAllowed(_ bytes: [UInt8]) throws -> Bool {
        let file = TestFiles.fixtures.appending(path: "schemas/migration.schema.json")
        var validation = Validation(format: .json)
        validation.schemas = [try Schema.compile(JSON.readPlain(TestFiles.bytes(file)))]
        return validation.report(on: bytes).findings.isEmpty
    }

    @Test(arguments: [
        #"{"renameClass": "A", "to": "B"}"#, #"{"renameModule": "A", "to": "B"}"#,
        #"{"setAncestors": "A", "to": ["B"]}"#,
        #"{"renameField": "a", "of": "A", "to": "b"}"#, #"{"dropField": "a", "of": "A"}"#,
        #"{"addField": "a", "of": "A", "value": {"$date": "2001-01-01T00:00:00Z"}}"#,
        #"{"convertField": "a", "of": "A", "type": "real32", "multiplyBy": 0.5, "stored": "object"}"#,
        #"{"moveRoot": "a", "to": "b"}"#, #"{"replace": "/a/~=5", "value": {"$class": ["A", "NSObject"]}}"#,
    ])
    func schemaListsAllRules(_ rule: String) throws {
        let bytes = Array(Self.text(rule).utf8)
        #expect(try Self.isAllowed(bytes))
        #expect(try RulesFile(bytes, name: "r").migration.rules.count == 1)
    }

    @Test(arguments: faults.map(\.text))
    func schemaRejectsInvalidRules(_ text: String) throws {
        #expect(try !Self.isAllowed(Array(text.utf8)))
    }

    /// A link in a folder of rules is read only if it leads to a file in the folder.
    @Test(arguments: [("rest", 0), ("../other.json", 2)]) func linksInFolder(_ target: String, _ status: Int32) throws {
        let workspace = try Workspace()
        let rules = #"{"version": "/v", "from": 1, "to": 2, "rules": []}"#
        try workspace.write(#"{"v": 1}"#, to: "a.json")
        try workspace.write(rules, to: "other.json")
        let folder = workspace.folder.appending(path: "rules")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try workspace.write(#"{"version": "/v", "from": null, "to": 1, "rules": []}"#, to: "rules/0.json")
        try workspace.write(rules, to: "rules/rest")
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "1.json").path(percentEncoded: false),
            withDestinationPath: target)
        let result = workspace.run(["migrate", "rules", "a.json", "-o", "b.json"])
        #expect(result.status == status, "\(result.talk)")
        #expect(result.talk.contains("this symbolic link leads out of the folder") == (status == 2))
    }

    @Test func schemaAcceptsFixtures() throws {
        for name in ["1-heroes.json", "2-life.json"] {
            #expect(try Self.isAllowed(TestFiles.bytes(TestFiles.fixtures.appending(path: "migrations/" + name))))
        }
    }
}
