import Testing

/// Tests the lines that `savetool diff` prints for two JSON texts.
@Suite struct DifferenceTextTests {
    struct Case: CustomTestStringConvertible {
        let before: String
        let after: String
        let lines: [String]
        var options: [String] = []

        var testDescription: String { lines.first ?? before }
    }

    private static let a500 = String(repeating: "a", count: 500)

    /// Returns graph JSON of an archive that holds one object with a score.
    private static func archive(_ score: String) -> String {
        #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"Player": ["Player", "NSObject"]}, "#
            + #""$top": {"root": {"$class": "Player", "score": \#(score)}}}"#
    }

    static let cases: [Case] = [
        Case(before: "[1]", after: "[1]", lines: []),
        Case(before: "7", after: "8", lines: ["~ (root): 7 → 8"]),
        Case(before: #"{"": 7}"#, after: #"{"": 8}"#, lines: ["~ /: 7 → 8"]),
        Case(before: #"{"a": null}"#, after: #"{"a": false}"#, lines: ["~ /a: null → false"]),
        Case(before: #"{"a": 42}"#, after: #"{"a": 42.0}"#, lines: ["~ /a: type integer → real: 42 → 42.0"]),
        Case(
            before: #"{"a": {"$real32": 1.5}}"#, after: #"{"a": 1.5}"#, lines: []),
        Case(
            before: #"{"a": {"$real32": 1.5}}"#, after: #"{"a": 1.5}"#,
            lines: ["~ /a: stored real32 → real: 1.5"], options: ["--storage"]),
        Case(
            before: #"{"a": {"$real32": 1.5}}"#, after: #"{"a": 2.5}"#, lines: ["~ /a: 1.5 → 2.5"],
            options: ["--storage"]),
        Case(
            before: #"{"a": "x"}"#, after: #"{"a": {"$data": "eA=="}}"#,
            lines: [#"~ /a: type string → data: "x" → data, 1 byte: 78"#]),
        Case(before: #"{"a": []}"#, after: #"{"a": {}}"#, lines: ["~ /a: type array → dictionary: [] → {}"]),
        // Storage of values in archives.
        Case(
            before: archive(#"{"$object": 95300}"#), after: archive("95300"),
            lines: ["~ /root/score: stored as an object → in place: 95300"]),
        Case(
            before: archive(#"{"$object": 95300}"#), after: archive("98300"),
            lines: ["~ /root/score: 95300 → 98300, stored as an object → in place"]),
        Case(
            before: archive("1"), after: archive(#"{"$object": 1.0}"#),
            lines: ["~ /root/score: type integer → real: 1 → 1.0, stored in place → as an object"]),
        Case(before: archive("1"), after: archive(#"{"$object": 1}"#), lines: [], options: ["--loose-numbers"]),
        Case(
            before: archive("1"), after: archive(#"{"$object": 2}"#), lines: ["~ /root/score: 1 → 2"],
            options: ["--loose-numbers"]),
        Case(before: archive("1"), after: archive("null"), lines: ["~ /root/score: 1 → null"]),
        Case(
            before: archive(#"{"$inline": ["a"]}"#), after: archive(#"["b"]"#),
            lines: [
                #"~ /root/score: stored in place → as an object: ["a"] → ["b"]"#, #"~ /root/score/0: "a" → "b""#,
            ]),
        // Control characters in names and values are escaped, so that they cannot break the line.
        Case(
            before: #"{"\u001b[2J\n/~": 1}"#, after: #"{"\u001b[2J\n/~": 2}"#,
            lines: [#"~ /\u001B[2J\n~1~0: 1 → 2"#]),
        Case(
            before: #"["\u202e"]"#, after: #"["\ud800\r"]"#, lines: [#"~ /0: "\u202E" → "\uD800\r""#]),
        Case(
            before: "{}", after: #"{"n": {"\u0007: {": "\"}"}}"#, lines: [#"+ /n: {"\u0007: {": "\"}"}"#]),
        // Long values are cut around their first difference.
        Case(
            before: #"{"s": "\#(a500)b"}"#, after: #"{"s": "\#(a500)c"}"#,
            lines: [#"~ /s: at 500: …"aaaaaaaaaaaaaaaab" → …"aaaaaaaaaaaaaaaac""#]),
        Case(
            before: #"{"s": "\#(a500)"}"#, after: #"{"s": "b\#(a500)"}"#,
            lines: [
                "~ /s: \"" + String(repeating: "a", count: 59) + "\"… → \"b" + String(repeating: "a", count: 59) + "\"…"
            ]),
        Case(
            before: #"{"s": "\#(a500)🐉🐉"}"#, after: #"{"s": "\#(a500)🐉🐊"}"#,
            lines: [#"~ /s: at 503: …"aaaaaaaaaaaaa🐉🐉" → …"aaaaaaaaaaaaa🐉🐊""#]),
        Case(
            before: #"{"d": {"$data": "AAECAwQ="}}"#, after: #"{"d": {"$data": "AAEJ"}}"#,
            lines: ["~ /d: data, 5 bytes → data, 3 bytes, from byte 2: 02 03 04 → 09"]),
        Case(
            before: #"{"d": {"$data": "AAEC"}}"#, after: #"{"d": {"$data": "AAE="}}"#,
            lines: ["~ /d: data, 3 bytes → data, 2 bytes, from byte 2: 02 → end"]),
        // Keys that are not strings, and members of sets.
        Case(
            before: #"{"$dict": [[5, 1], [true, {"x": 1}]]}"#, after: #"{"$dict": [[5, 2], [true, {"x": 2}]]}"#,
            lines: ["~ /~=5: 1 → 2", "~ /~=true/x: 1 → 2"]),
        Case(before: #"{"$set": [1, 2]}"#, after: #"{"$set": [2, 3]}"#, lines: ["- /0: 1", "+ /1: 3"]),
        // Containers are abbreviated.
        Case(
            before: "[]", after: #"[{"a": {"b": 1}, "c": [], "d": "\#(a500)", "e": {"$data": "AAEC"}, "f": 1}]"#,
            lines: [#"+ /0: {a: {…}, c: [], d: "aaaaaaaaaaaaaaaaaaaaaaaa"…, e: 3 bytes, f: 1}"#]),
        Case(
            before: #"{"p": {"hp": 1, "name": "x", "gold": 2}}"#, after: #"{"p": {"hp": 2, "name": "x", "gold": 2}}"#,
            lines: ["~ /p/hp (1:14 → 1:14): 1 → 2", #"  /p/name (1:25): "x""#], options: ["--context", "1"]),
    ]

    @Test(arguments: cases) func lines(_ row: Case) throws {
        let workspace = try Workspace()
        try workspace.write(row.before, to: "a.json")
        try workspace.write(row.after, to: "b.json")
        let result = workspace.run(["diff"] + row.options + ["a.json", "b.json"])
        let output = row.lines.map { $0 + "\n" }.joined()
        #expect(result == Workspace.Result(status: row.lines.isEmpty ? 0 : 1, output: output))
    }

    /// Long addresses are cut in text and in JSON.
    @Test func deepChanges() throws {
        let workspace = try Workspace()
        for (name, value) in [("a.json", "7, 1"), ("b.json", "7, 2")] {
            let text = String(repeating: "[", count: 300) + value + String(repeating: "]", count: 300)
            try workspace.write(text, to: name)
        }
        let address = String(repeating: "/0", count: 200)
        #expect(workspace.run(["diff", "a.json", "b.json"]).output == "~ \(address)/…: 1 → 2\n")
        let json = workspace.run(["diff", "-f", "json", "a.json", "b.json"]).output
        #expect(json.contains("\"steps\":300,\"before\":{\"address\":\"\(address)\",\"type\":\"integer\",\"value\":1}"))
    }

    /// Files with the same bytes, which are read once, give the output of files with the same values.
    @Test(
        arguments: [
            ["-U", "1"], ["-y", "-U", "1"], ["-f", "summary"], ["-f", "json"], ["-f", "html"], ["-f", "json-patch"],
            ["--brief"],
        ], [[], ["--raw"], ["--sharing", "--storage"]])
    func sameBytes(_ format: [String], _ options: [String]) throws {
        let workspace = try Workspace()
        for (name, text) in [("a.json", ""), ("b.json", ""), ("c.json", "\n\n")] {
            try workspace.write(Self.archive("5") + text, to: name)
        }
        let results = ["b.json", "c.json"].map { workspace.run(["diff"] + format + options + ["a.json", $0]) }
        #expect(results[0].status == 0)
        #expect(results[0].output == results[1].output.replacing("c.json", with: "b.json"))
    }

    /// Errors, warnings and notes about layers name both files, even if they have the same bytes.
    @Test(arguments: [
        ("[1", 2, "found the end of the text"), ("<plist><true/></plist> rest", 0, "warning: "),
        ("WzEsIDIsIDMsIDQsIDUsIDYsIDcsIDgsIDksIDEwXQ==", 0, "reading the contents of the Base64 data"),
    ])
    func sameBytesWithMessages(_ text: String, _ status: Int32, _ message: String) throws {
        let workspace = try Workspace()
        for name in ["a.save", "b.save"] { try workspace.write(text, to: name) }
        let result = workspace.run(["diff", "--unwrap", "a.save", "b.save"])
        #expect(result.status == status && result.output.isEmpty)
        let lines = result.talk.split(separator: "\n").filter { !$0.contains("use savetool salvage") }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(message) }, "\(result.talk)")
        #expect(lines.first?.hasPrefix("a.save:") == true && lines.last?.hasPrefix("b.save:") == true)
    }

    /// Colors appear on a terminal, or if `--color` asks for them.
    @Test(arguments: [
        ([], true, [:], true), ([], false, [:], false), (["--color", "always"], false, [:], true),
        (["--color", "never"], true, [:], false), ([], true, ["NO_COLOR": "1"], false),
    ])
    func colors(_ options: [String], _ isTerminal: Bool, _ environment: [String: String], _ isColored: Bool) throws {
        let workspace = try Workspace()
        try workspace.write("[1]", to: "a.json")
        try workspace.write("[2]", to: "b.json")
        let result = workspace.run(
            ["diff"] + options + ["a.json", "b.json"], isTerminal: isTerminal, environment: environment)
        let expected = isTerminal ? Self.onTerminal : Self.lines
        #expect(result.output == (isColored ? expected.colored : expected.plain))
    }

    private static let lines = (
        colored: "\u{1B}[33m~ /0:\u{1B}[0m \u{1B}[35m1\u{1B}[0m → \u{1B}[35m2\u{1B}[0m\n", plain: "~ /0: 1 → 2\n"
    )
    private static let onTerminal = (
        colored: "\u{1B}[36m(root)\u{1B}[0m\n  \u{1B}[33m~\u{1B}[0m 0: \u{1B}[31m1\u{1B}[0m → \u{1B}[32m2\u{1B}[0m\n\n"
            + "\u{1B}[2m1 changed\u{1B}[0m\n",
        plain: "(root)\n  ~ 0: 1 → 2\n\n1 changed\n"
    )

    /// Every output format shows how a value is stored.
    @Test(arguments: [
        ("side-by-side", ["score: 5, in place ", "~ score: 5, as an object"]),
        ("json", [#"{"kind":"storage","before":{"#, #""inPlace":true,"value":5},"after":{"#, #""storage":1,"#]),
        ("summary", ["1 stored differently"]), ("json-patch", [#""path": "/root/score", "value": {"$object":5}"#]),
    ])
    func storage(_ format: String, _ parts: [String]) throws {
        let workspace = try Workspace()
        try workspace.write(Self.archive("5"), to: "a.json")
        try workspace.write(Self.archive(#"{"$object": 5}"#), to: "b.json")
        let result = workspace.run(["diff", "-f", format, "a.json", "b.json"])
        #expect(result.status == 1)
        for part in parts { #expect(result.output.contains(part)) }
    }

    /// The pattern of changes below six steps ends with `**`, and `--ignore` and `--only` accept it as printed.
    @Test func deepPattern() throws {
        let workspace = try Workspace()
        for (name, value) in [("a.json", 1), ("b.json", 2)] {
            try workspace.write(#"{"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": \#(value)}}}}}}}}"#, to: name)
        }
        let pattern = "/a/b/c/d/e/f/**"
        #expect(workspace.run(["diff", "-f", "summary", "a.json", "b.json"]).output.contains("\n\(pattern)  "))
        for (option, status) in [("--ignore", Int32(0)), ("--only", 1)] {
            let result = workspace.run(["diff", option, pattern, "a.json", "b.json"])
            #expect(result.status == status && result.talk.isEmpty)
        }
    }

    /// In columns, values of different types that look alike show their types.
    @Test func columnsOfTypes() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": {"$real32": 1.5}}"#, to: "a.json")
        try workspace.write(#"{"a": 1.5}"#, to: "b.json")
        let lines = workspace.run(["diff", "-f", "side-by-side", "--storage", "a.json", "b.json"]).output
        #expect(lines.contains("  a: real32 1.5 ") && lines.contains("~ a: real 1.5\n"))
    }

    /// The columns share the width given by `COLUMNS`. If it is too small, lines are printed instead.
    @Test(arguments: [
        ("80", "  1" + String(repeating: " ", count: 34) + " ~ 2\n"), ("60", "~ (root): 1 → 2\n"),
        ("-5", "~ (root): 1 → 2\n"),
    ])
    func columns(_ columns: String, _ line: String) throws {
        let workspace = try Workspace()
        try workspace.write("1", to: "a.json")
        try workspace.write("2", to: "b.json")
        let arguments = ["diff", "-f", "side-by-side", "a.json", "b.json"]
        #expect(workspace.run(arguments, environment: ["COLUMNS": columns]).output.hasSuffix(line))
    }

    /// A container whose contents do not fit begins with its name.
    @Test func longContainersBeginWithTheirNames() throws {
        let workspace = try Workspace()
        let fields = (0..<20).map { #""field\#($0)": 123456"# }.joined(separator: ", ")
        try workspace.write("[true]", to: "a.json")
        let zombie = #"{\#(fields), "id": 7, "_name": "Zombie2", "title": null}"#
        try workspace.write(#"[true, \#(zombie), {"id": 1, "a": 2}]"#, to: "b.json")
        let lines = workspace.run(["diff", "a.json", "b.json"]).output.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#"+ /1: {_name: "Zombie2", field0: 123456, field1: "#) == true)
        #expect(lines.last == "+ /2: {id: 1, a: 2}")
    }
}
