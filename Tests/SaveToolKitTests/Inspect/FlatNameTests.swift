import Testing

/// Tests file names in the flat view.
@Suite struct FlatNameTests {
    struct Row: Sendable {
        let options: [String]
        var files = ["a.json", "b.json"]
        var isTerminal = false
        let output: String
    }

    @Test(arguments: [
        Row(options: [], output: "a.json:/x = 1\na.json:/y/0 = \"z\"\nb.json:/ = 5\n"),
        Row(options: [], files: ["b.json"], output: "/ = 5\n"),
        Row(options: ["-H"], files: ["b.json"], output: "b.json:/ = 5\n"),
        Row(options: ["--with-filename"], files: ["b.json"], isTerminal: true, output: "b.json:/ = 5\n"),
        Row(options: ["--no-filename"], output: "/x = 1\n/y/0 = \"z\"\n/ = 5\n"),
        Row(options: ["--no-filename"], isTerminal: true, output: "/x = 1\n/y/0 = \"z\"\n/ = 5\n"),
        Row(options: [], isTerminal: true, output: "a.json:\n/x = 1\n/y/0 = \"z\"\n\nb.json:\n/ = 5\n"),
        Row(
            options: ["--limit", "1"], files: ["a.json", "a.json"],
            output: "a.json:/x = 1\na.json:/ … 1 more\na.json:/x = 1\na.json:/ … 1 more\n"),
    ]) func names(_ row: Row) throws {
        let workspace = try Workspace()
        try workspace.write("{\"x\": 1, \"y\": [\"z\"]}", to: "a.json")
        try workspace.write("5", to: "b.json")
        let result = workspace.run(
            ["inspect", "-f", "flat", "--no-color"] + row.options + row.files, isTerminal: row.isTerminal)
        #expect(result == Workspace.Result(status: 0, output: row.output))
    }

    /// Control characters in a name are escaped, so that they cannot break the line.
    @Test func hostileName() throws {
        let workspace = try Workspace()
        try workspace.write("5", to: "a\n\u{1B}.json")
        let result = workspace.run(["inspect", "-f", "flat", "-H", "a\n\u{1B}.json"])
        #expect(result.output == "a\\n\\u001B.json:/ = 5\n")
    }

    @Test(arguments: [
        (["-f", "flat", "-H", "--no-filename"], "savetool: --with-filename cannot be used with --no-filename\n"),
        (["-H"], "savetool: --with-filename has an effect only with --format flat\n"),
        (["-f", "json", "--no-filename"], "savetool: --no-filename has an effect only with --format flat\n"),
    ]) func refused(_ options: [String], _ talk: String) throws {
        #expect(try Workspace().run(["inspect", "a"] + options) == Workspace.Result(status: 2, output: "", talk: talk))
    }
}
