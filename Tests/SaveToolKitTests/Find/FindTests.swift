import Foundation
import TestSupport
import Testing

/// Tests the output of `find` and its exit status.
@Suite struct FindTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.write(#"{"name": "Ada", "list": ["Ada", 5]}"#, to: "a.json")
        try workspace.write(#"{"name": "Bob = Ada"}"#, to: "b.json")
        try workspace.write("Ada", to: "notes.txt")
        try workspace.write("{\"name\": \"Ada\"", to: "broken.json")
    }

    struct Row: Sendable {
        let arguments: [String]
        var isTerminal = false
        var status: Int32 = 0
        let output: String
        var talk = ""
    }

    @Test(arguments: [
        Row(arguments: ["Ada", "a.json"], output: "/name = \"Ada\"\n/list/0 = \"Ada\"\n"),
        Row(arguments: ["-H", "--type", "integer", "a.json"], output: "a.json:/list/1 = 5\n"),
        Row(
            arguments: ["Ada", "a.json", "b.json"],
            output: "a.json:/name = \"Ada\"\na.json:/list/0 = \"Ada\"\nb.json:/name = \"Bob = Ada\"\n"),
        Row(arguments: ["--no-filename", "Bob", "a.json", "b.json"], output: "/name = \"Bob = Ada\"\n"),
        Row(
            arguments: ["Ada", "a.json", "b.json", "--no-color"], isTerminal: true,
            output: "a.json\n/name = \"Ada\"\n/list/0 = \"Ada\"\n\nb.json\n/name = \"Bob = Ada\"\n"),
        Row(
            arguments: ["Bob", "a.json", "b.json", "--color"],
            output:
                "\u{1B}[1mb.json\u{1B}[0m:\u{1B}[36m/name\u{1B}[0m = \u{1B}[32m\"Bob = Ada\"\u{1B}[0m\n"),
        Row(arguments: ["-c", "Ada", "a.json", "b.json"], output: "a.json:2\nb.json:1\n"),
        Row(arguments: ["-c", "Ada", "a.json"], output: "2\n"),
        Row(arguments: ["-l", "Ada", "a.json", "b.json"], output: "a.json\nb.json\n"),
        Row(arguments: ["-l", "-0", "Ada", "a.json", "b.json"], output: "a.json\0b.json\0"),
        Row(arguments: ["-0", "Bob", "a.json", "b.json"], output: "b.json\0/name = \"Bob = Ada\"\n"),
        Row(arguments: ["-l", "Eve", "a.json"], status: 1, output: "", talk: "nothing found in 1 save\n"),
        Row(
            arguments: ["ADA", "a.json", "b.json"], status: 1, output: "",
            talk: "nothing found in 2 saves; with --ignore-case (-i) 3 values would be found\n"),
        Row(
            arguments: ["Eve", "broken.json"], status: 2, output: "",
            talk: "broken.json:1:15: found the end of the text; expected \",\" or \"}\"\n"),
        Row(
            arguments: ["Ada", "broken.json", "b.json", "gone"], status: 2, output: "b.json:/name = \"Bob = Ada\"\n",
            talk: "broken.json:1:15: found the end of the text; expected \",\" or \"}\"\ngone: no such file\n"),
        Row(
            arguments: ["Bob", "."], status: 2, output: "./b.json:/name = \"Bob = Ada\"\n",
            talk: "./broken.json:1:15: found the end of the text; expected \",\" or \"}\"\n"),
        Row(
            arguments: ["--text", "Ada", "--key", "name", "-f", "ndjson", "a.json"],
            output: "{\"file\":\"a.json\",\"address\":\"/name\",\"type\":\"string\",\"value\":\"Ada\"}\n"),
        Row(
            arguments: [], status: 2, output: "",
            talk: "savetool: missing TEXT (usage: savetool find [TEXT] [FILE …])\n"),
    ]) func printsMatches(_ row: Row) throws {
        let result = workspace.run(["find"] + row.arguments, isTerminal: row.isTerminal)
        #expect(result == Workspace.Result(status: row.status, output: row.output, talk: row.talk))
    }

    /// Control characters in names and values are escaped, so that they cannot act on a terminal or add lines.
    @Test func hostileTexts() throws {
        try workspace.write(#"{"a\n/b = 1": "x\u001b[2Jy\nz"}"#, to: "c\n\u{1B}.json")
        let result = workspace.run(["find", "x", "-H", "c\n\u{1B}.json"])
        #expect(result.output == "c\\n\\u001B.json:\"/a\\n~1b = 1\" = \"x\\u001B[2Jy\\nz\"\n")
    }

    /// All values inside a container with a long address have the address of a container around it.
    @Test func longAddresses() throws {
        let (x, y) = (String(repeating: "x", count: 2000), String(repeating: "y", count: 2100))
        try workspace.write(
            #"{"\#(x)": {"\#(y)": {"z": 1, "w": [2, {"v": 3}]}, "z": 4, "\#(y)2": 5}, "z": 6}"#, to: "deep.json")
        let output = workspace.run(["find", "--type", "integer", "-f", "ndjson", "deep.json"]).output
        let expected = """
            {"file":"deep.json","address":"/x","shortened":true,"type":"integer","value":1}
            {"file":"deep.json","address":"/x","shortened":true,"type":"integer","value":2}
            {"file":"deep.json","address":"/x","shortened":true,"type":"integer","value":3}
            {"file":"deep.json","address":"/x/z","type":"integer","value":4}
            {"file":"deep.json","address":"/x","shortened":true,"type":"integer","value":5}
            {"file":"deep.json","address":"/z","type":"integer","value":6}

            """
        #expect(output.replacing(x, with: "x") == expected)
    }

    /// The cut of a long string begins with the string if the match does.
    @Test func longMatches() throws {
        let text = String(repeating: "x", count: 300)
        try workspace.write(#"["\#(text)", "\#(text)ys\#(text)"]"#, to: "long.json")
        let cut = "\"" + text.prefix(160) + "\" … "
        let all = workspace.run(["find", text, "long.json"]).output
        #expect(all == "/0 = \(cut)140 more UTF-16 units\n/1 = \(cut)442 more UTF-16 units\n")
        let part = workspace.run(["find", "ys", "long.json"]).output
        #expect(part.hasPrefix("/1 = 260 UTF-16 units … \"xxx"), "\(part)")
    }

    /// A file that the project expects to be invalid is not skipped if it is missing or exceeds a limit.
    @Test func failuresOfExpectedFiles() throws {
        try workspace.write(
            #"{"validate": [{"files": ["broken.json", "gone.json", "deep.json"], "expectInvalid": true}]}"#,
            to: ".savetool.json")
        try workspace.write("[[[[]]]]", to: "deep.json")
        #expect(workspace.run(["find", "Ada", "broken.json", "a.json"]).status == 0)
        let gone = workspace.run(["find", "Ada", "gone.json"])
        #expect(gone == Workspace.Result(status: 2, output: "", talk: "gone.json: no such file\n"))
        let deep = workspace.run(["find", "--max-depth", "2", "Ada", "deep.json"])
        #expect(deep.status == 2 && !deep.talk.contains("skipped"), "\(deep)")
    }

    /// Skipped files are counted only if no save is found beside them, except by commands that check files.
    @Test func skippedFiles() throws {
        try FileManager.default.createDirectory(
            at: workspace.folder.appending(path: "d"), withIntermediateDirectories: false)
        try workspace.write("{}", to: "d/slot")
        try workspace.write("[]", to: "d/slot2.rpgsave")
        let line =
            "savetool: skipped 2 files that do not begin or end like a save (no extension, .rpgsave); name a file to read it\n"
        #expect(workspace.run(["find", "Ada", "d"]).talk.hasPrefix(line))
        #expect(!workspace.run(["find", "-q", "Ada", "d"]).talk.contains("skipped"))
        try workspace.write("{}", to: "d/a.json")
        #expect(!workspace.run(["find", "-c", "Ada", "d"]).talk.contains("skipped"))
        #expect(workspace.run(["validate", "d"]).talk == line + "1 file: 1 valid\n")
        #expect(workspace.run(["roundtrip", "d"]).talk == line)
        #expect(!workspace.run(["validate", "-q", "d"]).talk.contains("skipped"))
    }

    /// The results of many files are printed in the order of the files.
    @Test func manyFiles() throws {
        for number in 0..<200 { try workspace.write("[\(number)]", to: "n\(1000 + number).save") }
        let lines = workspace.run(["find", "--type", "integer", "-l", "."]).output.split(separator: "\n")
        #expect(lines.count == 201)
        #expect(lines == lines.sorted())
    }
}
