import TestSupport
import Testing

/// Tests edits at the limits of a format, and edits after which the format can no longer be detected.
@Suite struct EditedFormatTests {
    /// The name of an empty strings file decides its format.
    @Test(arguments: ["\"a\" = \"x\";\n", "\"a\" = \"x\";"]) func emptyStrings(_ text: String) throws {
        let workspace = try Workspace()
        try workspace.write(text, to: "names.strings")
        #expect(workspace.run(["remove", "names.strings", "/a", "-qi"]) == Workspace.Result(status: 0, output: ""))
        #expect(workspace.run(["validate", "names.strings"]).status == 0)
        #expect(
            workspace.run(["set", "names.strings", "/b", "5", "-qi", "--add"])
                == Workspace.Result(status: 0, output: "")
        )
        #expect(workspace.run(["get", "names.strings", "/b"]).output == "5\n")
        #expect(try workspace.text(of: "names.strings").contains("\"b\" = \"5\";"))
    }

    /// Standard output has no name that decides, even if the file has one.
    @Test func emptyStringsInPipe() throws {
        let workspace = try Workspace()
        try workspace.write("\"a\" = \"x\";\n/* c */\n", to: "names.strings")
        let result = workspace.run(["remove", "names.strings", "/a"])
        #expect(
            result.talk
                == "names.strings: the remaining text cannot be recognized as openstep; use --from openstep to read it\n"
        )
        let validation = workspace.run(["validate", "-", "--from", "openstep"], input: Array(result.output.utf8))
        #expect(validation.status == 0)
    }

    /// The name of a JSON file that keeps only comments decides its format. Without such a name, a message says how to
    /// read it.
    @Test func emptyJSONWithComments() throws {
        let workspace = try Workspace()
        try workspace.write("{\n  \"a\": 1,\n  // tail\n}\n", to: "config.json")
        let result = workspace.run(["remove", "config.json", "/a"])
        #expect(result.talk.hasSuffix("cannot be recognized as json; use --from jsonc to read it\n"), "\(result.talk)")
        #expect(workspace.run(["get", "-", "", "--from", "jsonc"], input: Array(result.output.utf8)).output == "{}\n")
        #expect(!workspace.run(["remove", "config.json", "/a", "-i"]).talk.contains("recognized"))
        #expect(workspace.run(["insert", "config.json", "/b", "5", "-qi"]).status == 0)
        #expect(try workspace.text(of: "config.json").contains("\"b\": 5"))
        #expect(workspace.run(["validate", "config.json", "--from", "jsonc"]).status == 0)
    }

    /// All places that get a value have the same note, which is printed once.
    @Test func saysOnceHowJSONStoresAValue() throws {
        let text = #"{"a": [1, "x"], "s": ["x", "y"], "o": [{"k": "x"}, {"k": "y"}], "l": [[], {}]}"#
        for address in ["/a/*", "/s/*", "/o/*/k", "/l/*"] {
            let result = try Workspace().run(
                ["set", "-", address, "--data", "AAAA", "--change-type"], input: Array(text.utf8))
            let count = result.talk.split(separator: "\n").count { $0.contains("JSON has no data values") }
            #expect(result.status == 0 && count == 1, "\(address): \(result.talk)")
        }
    }

    struct Emptied: Sendable {
        let text: String
        let options: [String]
        let talk: String
    }

    /// An edit warns if the remaining text no longer shows its format.
    @Test(arguments: [
        Emptied(
            text: "{ a = 1; }\n", options: [],
            talk: "<stdin>: the remaining text cannot be recognized as openstep; use --from openstep to read it\n"),
        Emptied(
            text: "{ a = <*I1>; }\n", options: [],
            talk: "<stdin>: the remaining text cannot be recognized as gnustep; use --from gnustep to read it\n"),
        Emptied(
            text: "\"a\" = \"x\";\n", options: [],
            talk: "<stdin>: the remaining text cannot be recognized as openstep; use --from openstep to read it\n"),
        Emptied(text: "\"a\" = \"x\";\n", options: ["-o", "b.strings"], talk: ""),
        Emptied(text: "{ a = 1; }\n", options: ["--from", "openstep"], talk: ""),
        Emptied(text: "{ a = 1; }\n/* c */\n", options: [], talk: ""),
        Emptied(text: "{ a = 1; b = 2; }\n", options: [], talk: ""),
        Emptied(text: "{\"a\": 1}\n", options: [], talk: ""),
    ]) func emptiedFile(_ row: Emptied) throws {
        let result = try Workspace().run(["remove", "-", "/a"] + row.options, input: Array(row.text.utf8))
        #expect(result.status == 0 && result.talk == row.talk, "\(row.text)")
    }

    /// A number is stored as its digits if all scalars of a format are strings, also in a container.
    @Test func numbersInContainers() throws {
        let workspace = try Workspace()
        let text = Array("{ a = (\"1\", x); d = { k = \"-2.5\"; }; }\n".utf8)
        for (address, value, line) in [
            ("/a", "[3, 4.5, 5]", "{ a = (\"3\", \"4.5\", \"5\"); d = { k = \"-2.5\"; }; }\n"),
            ("/d", "{\"k\": 7}", "{ a = (\"1\", x); d = { k = 7; }; }\n"),
            ("", "{\"a\": [1, \"x\"], \"d\": {\"k\": -2.5}}", String(decoding: text, as: UTF8.self)),
        ] {
            #expect(
                workspace.run(["set", "-", address, value], input: text) == Workspace.Result(status: 0, output: line))
        }
        #expect(workspace.run(["set", "-", "/a", "[1, true]"], input: text).status == 2)
    }

    /// GNUstep text has typed numbers, so a number does not replace a string.
    @Test func numbersOfGNUstep() throws {
        let result = try Workspace().run(["set", "-", "/a", "5"], input: Array("{ a = x; b = <*I1>; }".utf8))
        #expect(result.status == 2 && result.talk.contains("found an integer; expected a string"))
    }

    private static let roundings: [(value: String, stored: String?)] = [
        ("12345678901234567890.123456789", "1.2345678901234567e+19"), ("1e-400", "0.0"), ("0.1", nil), ("5", nil),
        (" 12.50e+1", nil), ("-0.0", nil), ("0.10000000000000001", nil),
        ("--real=2.5", nil), ("[0.10000000000000000000001]", nil),
    ]

    /// A number with more digits than a real holds is rounded, with a message.
    @Test(arguments: roundings) func reportsRoundedNumber(_ value: String, _ stored: String?) throws {
        for command in [
            ["set", "-", "/a", "--change-type"], ["set", "-", "/b", "--add"], ["insert", "-", "/b", "-q"],
        ] {
            let result = try Workspace().run(command + [value], input: Array("{\"a\": 1.5}".utf8))
            let talk = stored.map { "<stdin>: \(command[2]): rounded to 64 bits: \($0)\n" } ?? ""
            #expect(result.status == 0 && result.talk == talk, "\(command) \(value)")
        }
    }

    /// `scores add` works on OpenStep text, where scores are strings.
    @Test func scores() throws {
        let workspace = try Workspace()
        let ada = "  { playerName = Ada; score = 5; } // the first"
        try workspace.write("(\n\(ada)\n)\n", to: "scores.openstep")
        let result = workspace.run(
            [
                "scores", "add", "scores.openstep", "--name", "Bob", "--score", "4", "--date", "2026-01-02T03:04:05Z",
                "--from", "openstep",
            ])
        #expect(result.status == 0, "\(result.talk)")
        let bob = "  { playerName = Bob; score = 4; date = \"2026-01-02T03:04:05Z\"; }"
        let text = try workspace.text(of: "scores.openstep")
        #expect(text == "(\n\(ada.replacing("} //", with: "}, //"))\n\(bob)\n)\n", "\(text)")
    }

    /// Lookups of many keys use an index, which must find duplicate keys, too.
    @Test(arguments: ["json", "xml"]) func manyKeys(_ format: String) throws {
        let workspace = try Workspace()
        let members = (0..<40).map { number in
            format == "json"
                ? "\"k\(number % 30)\": \(number)" : "<key>k\(number % 30)</key><integer>\(number)</integer>"
        }
        let text =
            format == "json"
            ? "{" + members.joined(separator: ", ") + "}"
            : "<plist version=\"1.0\"><dict>" + members.joined() + "</dict></plist>"
        try workspace.write(text, to: "a")
        let addresses = (0..<30).map { "/k\($0)" }
        let counting = (0..<30).map { $0 < 10 ? "\($0 + 30)\n" : "\($0)\n" }.joined()
        #expect(workspace.run(["get", "a"] + addresses + ["/k30"]).output == counting)
        let rest = workspace.run(["remove", "a"] + addresses.dropLast())
        #expect(rest.status == 0 && rest.output.contains("k29") && !rest.output.contains("k1"), "\(rest.output)")
    }

    /// A JSON Patch from `diff` removes the right pair of a duplicate key.
    @Test func patchOfRepeatedKey() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": 1, "b": 2, "a": 3}"#, to: "before.json")
        for after in [#"{"a": 1, "b": 2}"#, #"{"a": 3, "b": 2}"#, #"{"b": 2}"#] {
            try workspace.write(after, to: "after.json")
            let patch = workspace.run(["diff", "before.json", "after.json", "--format", "json-patch"])
            try workspace.write(patch.output, to: "patch.json")
            let result = workspace.run(["patch", "before.json", "patch.json"])
            #expect(result.output == after, "\(patch.output)\(result.talk)")
        }
    }
}
