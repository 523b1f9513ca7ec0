import Foundation
import SaveCodec
import TestSupport
import Testing

/// Tests files in JSON with comments and trailing commas in all commands.
@Suite struct JSONCommentTests {
    private let workspace: Workspace

    private static let text = """
        {
          // compiler
          "strict": true, // keep
          "paths": ["a", "b",], /* both */
          "n": 1, // number
        }

        """

    init() throws {
        workspace = try Workspace()
        try workspace.write(Self.text, to: "a.jsonc")
    }

    private func output(_ arguments: String...) -> String { workspace.run(arguments).output }

    @Test func readsWithWarnings() throws {
        let result = workspace.run(["validate", "a.jsonc"])
        #expect(result.status == 0)
        #expect(
            result.output == """
                a.jsonc:2:3: warning: the text has 4 comments and 2 trailing commas, which JSON does not allow; many programs reject it [json.comment, json.trailing-comma]

                """)
        // Each remains a finding of its own.
        let report = workspace.run(["validate", "-f", "json", "a.jsonc"]).output
        #expect(report.contains(#""id":"json.comment","severity":"warning","line":2,"column":3"#), "\(report)")
        #expect(report.contains(#""id":"json.trailing-comma","severity":"warning","line":4,"column":21"#), "\(report)")
        for command in [["inspect"], ["convert", "--to", "xml"]] {
            let lines = workspace.run(command + ["a.jsonc"]).talk.split(separator: "\n").filter {
                $0.contains("warning")
            }
            #expect(
                lines == [
                    "a.jsonc:2:3: warning: the text has 4 comments and 2 trailing commas, which JSON does not allow; many programs reject it"
                ])
        }
        try workspace.write("[1, // one\n 2]", to: "b.jsonc")
        #expect(workspace.run(["inspect", "b.jsonc"]).talk.contains("the text has a comment, which"))
        try workspace.write("[1, 2,]", to: "b.jsonc")
        #expect(workspace.run(["inspect", "b.jsonc"]).talk.contains("the text has a trailing comma, which"))
        #expect(workspace.run(["validate", "--strict", "a.jsonc"]).status == 1)
        let get = workspace.run(["get", "a.jsonc", "/paths/1", "/n"])
        #expect(get.output == "b\n1\n" && get.status == 0)
        #expect(workspace.run(["validate", "--from", "jsonc", "a.jsonc"]).status == 0)
    }

    @Test func strictReadingNamesDialect() {
        let result = workspace.run(["get", "--from", "json", "a.jsonc", "/n"])
        #expect(result.status == 2)
        #expect(
            result.talk
                == "a.jsonc:2:3: found a comment, which JSON does not allow; expected a name in quotation marks; use --from jsonc for JSON with comments and trailing commas\n"
        )
        #expect(workspace.run(["validate", "--from", "json", "a.jsonc"]).output.contains("use --from jsonc"))
    }

    @Test func editsKeepComments() throws {
        for (arguments, old, new) in [
            (["set", "a.jsonc", "/n", "2"], "1, // number", "2, // number"),
            (["insert", "a.jsonc", "/paths/-", "--string", "c"], #""b",]"#, #""b", "c",]"#),
            (["remove", "a.jsonc", "/strict"], "  // compiler\n  \"strict\": true, // keep\n", ""),
            (["set", "--add", "a.jsonc", "/m", "5"], "// number\n", "// number\n  \"m\": 5,\n"),
        ] {
            #expect(output(arguments[0], arguments[1], Array(arguments[2...])) == Self.text.replacing(old, with: new))
        }
    }

    private func output(_ command: String, _ file: String, _ rest: [String]) -> String {
        workspace.run([command, file] + rest).output
    }

    @Test func patchesKeepComments() throws {
        try workspace.write(#"[{"op": "replace", "path": "/n", "value": 7}]"#, to: "patch.json")
        #expect(output("patch", "a.jsonc", "patch.json") == Self.text.replacing("1, // n", with: "7, // n"))
        try workspace.write("[{\"op\": \"remove\", \"path\": \"/n\"}, ]", to: "patch.json")
        #expect(workspace.run(["patch", "a.jsonc", "patch.json"]).status == 2)
    }

    @Test func mergesComments() throws {
        try workspace.write(Self.text.replacing("1, // number", with: "2, // the number"), to: "ours.jsonc")
        try workspace.write(Self.text.replacing("true, // keep", with: "false, // drop"), to: "theirs.jsonc")
        #expect(
            output("merge", "a.jsonc", "ours.jsonc", "theirs.jsonc")
                == Self.text.replacing("1, // number", with: "2, // the number").replacing(
                    "true, // keep", with: "false, // drop"))
        try workspace.write(
            Self.text.replacing(
                "  \"n\": 1, // number\n", with: "  // new\n  \"m\": 5, // five\n  \"n\": 1, // number\n"),
            to: "theirs.jsonc")
        let merged = output("merge", "a.jsonc", "ours.jsonc", "theirs.jsonc")
        #expect(merged.contains("  // new\n  \"m\": 5, // five\n") && merged.contains("2, // the number"), "\(merged)")
        // A file without comments gets none.
        try workspace.write(#"{"strict":true,"paths":["a","b"],"n":2}"#, to: "plain.json")
        let plain = ["merge", "a.jsonc", "plain.json", "theirs.jsonc"]
        #expect(workspace.run(plain).talk.contains("conflict: the comment \"// new\" from theirs cannot be kept"))
        #expect(
            workspace.run(plain + ["--allow-loss"]).output == #"{"strict":true,"paths":["a","b"],"m":5,"n":2}"#)
    }

    @Test func comparesValuesOnly() throws {
        try workspace.write(#"{"n": 1, "paths": ["a", "b"], "strict": true}"#, to: "b.json")
        #expect(workspace.run(["diff", "a.jsonc", "b.json"]).status == 0)
    }

    @Test func convertsToPlainJSON() throws {
        let result = workspace.run(["convert", "a.jsonc", "--to", "json"])
        #expect(result.talk.hasSuffix("a.jsonc: 4 comments dropped\n") && !result.output.contains("/"), "\(result)")
        try workspace.write(result.output, to: "b.json")
        #expect(workspace.run(["get", "--from", "json", "b.json", "/n"]).output == "1\n")
        #expect(workspace.run(["convert", "-i", "a.jsonc", "--to", "json"]).status == 0)
        #expect(try workspace.bytes(of: "a.jsonc") == Array(result.output.utf8))
        try workspace.write(Self.text, to: "a.jsonc")
        try workspace.write(#"{"strict": true, "paths": ["a", "b"], "n": 3}"#, to: "new.json")
        let like = workspace.run(["convert", "--like", "a.jsonc", "new.json"])
        #expect(like.output == Self.text.replacing("1, // n", with: "3, // n"), "\(like)")
    }

    /// Tags, archives and nested saves with comments keep their types.
    @Test func annotatedFixtures() throws {
        try workspace.write(
            "{ // a\n \"when\": {\"$date\": /* d */ \"2009-09-06T12:34:56Z\"},\n \"save\": {\"$bplist\": {\"gems\": 7, /* g */}}\n}\n",
            to: "t.json")
        #expect(output("get", "t.json", "/when") == "2009-09-06T12:34:56Z\n")
        #expect(output("get", "t.json", "/save/gems") == "7\n")
        let set = workspace.run(["set", "t.json", "/save/gems", "8"])
        #expect(set.output.contains("{\"gems\": 8, /* g */}"), "\(set)")
        let archive = workspace.run(
            [
                "convert", "--to", "json",
                TestFiles.fixtures.appending(path: "games/gameobject.save").path(percentEncoded: false),
            ])
        try workspace.write("// an archive\n" + archive.output, to: "g.json")
        #expect(workspace.run(["set", "-i", "g.json", "/root/hitpoints", "5"]).status == 0)
        #expect(workspace.run(["get", "g.json", "/root/hitpoints"]).output == "5\n")
        #expect(try workspace.bytes(of: "g.json").starts(with: "// an archive\n".utf8))
        #expect(workspace.run(["roundtrip", "g.json"]).status == 0)
    }

    /// Only the comments that an edit of a nested save removes are reported.
    @Test func commentsInNestedSaves() throws {
        try workspace.write(#"{"n": {"$bplist": {"k": 1, /* in */ "z": [1, /* q */ 2]}},}"#, to: "n.jsonc")
        let set = workspace.run(["set", "-i", "n.jsonc", "/n/k", "5"])
        #expect(set.status == 0 && !set.talk.contains("is removed"))
        #expect(
            try workspace.text(of: "n.jsonc") == #"{"n": {"$bplist": {"k": 5, /* in */ "z": [1, /* q */ 2]}},}"#)
        let remove = workspace.run(["remove", "-i", "n.jsonc", "/n/z"])
        #expect(remove.talk.contains(#"the comment "/* q */" is removed"#) && !remove.talk.contains("/* in */\" is"))
    }

    /// JSON in strings is text if it has comments.
    @Test func nestedTextsAreStrict() throws {
        try workspace.write(#"{"s": "{\"a\": 1 /* c */}", "t": "[1,]"}"#, to: "s.json")
        #expect(output("find", "--key", "a", "s.json") == "")
        #expect(output("inspect", "-f", "flat", "--nested", "s.json").contains(#"/t = "[1,]""#))
    }
}
