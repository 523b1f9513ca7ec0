import Testing

@testable import SaveToolKit

/// Tests that numbers in OpenStep text, where every scalar is a string, count as numbers in merges and comparisons.
@Suite struct TextNumberTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func merge(_ base: String, _ ours: String, _ theirs: String, _ rule: String) throws -> Workspace.Result {
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] { try workspace.write(text, to: name) }
        return workspace.run(["merge", "base", "ours", "theirs", "--rule", rule])
    }

    @Test(arguments: [
        ("higher", "10", "9", "12", "12"), ("lower", "10", "9", "12", "9"), ("max", "10", "11", "9", "11"),
        ("min", "010", "9", "8.5", "8.5"), ("sum-of-changes", "10", "25", "12", "27"),
        ("sum-of-changes", "1", "1.50", "2", "2.5"), ("sum-of-changes", "\"-1\"", "\"-3\"", "2", "0"),
        (
            "higher", "\"2020-01-01T00:00:00Z\"", "\"2021-01-01T00:00:00Z\"", "\"2020-06-01T00:00:00Z\"",
            "\"2021-01-01T00:00:00Z\""
        ),
    ]) func rules(_ rule: String, base: String, ours: String, theirs: String, merged: String) throws {
        let result = try merge("{ a = \(base); }", "{ a = \(ours); }", "{ a = \(theirs); }", rule)
        #expect(result == Workspace.Result(status: 0, output: "{ a = \(merged); }"))
    }

    @Test func newestByANumber() throws {
        let result = try merge("{ a = x; n = 9; }", "{ a = y; n = 9; }", "{ a = z; n = 10; }", "newest:n")
        #expect(result == Workspace.Result(status: 0, output: "{ a = z; n = 10; }"))
    }

    @Test func newestByADateInTwoFormats() throws {
        let result = try merge(
            "{ a = x; n = \"2020-01-01T00:00:00Z\"; }", "{ a = y; n = \"2020-01-01T00:00:00Z\"; }",
            #"{"a": "z", "n": "2021-01-01T00:00:00Z"}"#, "newest:n")
        #expect(result == Workspace.Result(status: 0, output: "{ a = z; n = \"2021-01-01T00:00:00Z\"; }"))
    }

    @Test(arguments: [
        ("higher", "two numbers or dates"), ("min", "two numbers or dates"),
        ("sum-of-changes", "numbers of one type"), ("union", "two arrays, sets or dictionaries"),
        ("newest:n", "two dates or numbers that differ"),
    ]) func aRuleThatDoesNotApply(_ rule: String, needs: String) throws {
        let result = try merge("{ a = x; }", "{ a = y; }", "{ a = 2; }", rule)
        let name = rule.prefix { $0 != ":" }
        #expect(
            result.status == 1
                && result.talk.contains(
                    "/a: conflict: was \"x\", ours \"y\", theirs \"2\"; the rule \(name) needs \(needs)\n")
        )
    }

    /// A number takes the type that it has in ours, also if one of the formats has only text.
    @Test(arguments: [
        ("{\"a\": 1, \"b\": 2}", "{ a = 5; b = 2; }", "{ a = 5; b = 3; }"),
        ("{ a = 1; b = 2; }", "{\"a\": 5, \"b\": 2}", "{\"a\": 5, \"b\": 3}"),
    ]) func twoFormats(_ base: String, _ ours: String, _ merged: String) throws {
        let theirs = base.replacing("b\": 2", with: "b\": 3").replacing("b = 2", with: "b = 3")
        #expect(try merge(base, ours, theirs, "fail") == Workspace.Result(status: 0, output: merged))
    }

    @Test(
        arguments: [
            ([], "{ a = 1.50; }", "{ a = 1.5; }", 1),
            (["--loose-numbers"], "{ a = 1.50; b = 010; }", "{ a = 1.5; b = 10; }", 0),
            (["--loose-numbers"], "{ a = 1.50; b = 010; }", "{\"a\": 1.5, \"b\": 10}", 0),
            (["--loose-numbers"], "{ a = x; b = 010; }", "{\"a\": 1.5, \"b\": 10}", 1),
            (["--tolerance", "0.1"], "{ a = 1.50; }", "{ a = 1.55; }", 0),
            (["--tolerance", "0.01"], "{ a = 1.50; }", "{ a = 1.55; }", 1),
            (["--tolerance", "10"], "{ a = 1; }", "{ a = 2; }", 1),
            (["--tolerance", "10"], "{ a = x; }", "{ a = y; }", 1),
            (["--tolerance", "/a=0.1"], "{ a = 1.50; b = 1.0; }", "{ a = 1.55; b = 1.0; }", 0),
            (["--tolerance", "/a=0.1"], "{ a = 1.50; b = 1.0; }", "{ a = 1.50; b = 1.05; }", 1),
            (["--loose-numbers"], "{ 010 = 10; }", "{ 10 = 10; }", 1),
            (
                ["--tolerance", "0.1"], "<plist><string>1.50</string></plist>", "<plist><string>1.55</string></plist>",
                1
            ),
        ] as [([String], String, String, Int32)])
    func differences(_ options: [String], _ before: String, _ after: String, _ status: Int32) throws {
        try workspace.write(before, to: "before")
        try workspace.write(after, to: "after")
        #expect(workspace.run(["diff"] + options + ["before", "after"]).status == status)
    }

    /// An element that is inserted before integers is one change, also under a tolerance.
    @Test(arguments: ["--loose-numbers", "--tolerance=0.1"]) func alignment(_ option: String) throws {
        try workspace.write("(1, 2, 3, 4)", to: "before")
        try workspace.write("(0, 1, 2, 3, 4)", to: "after")
        #expect(workspace.run(["diff", option, "before", "after"]).output == "+ /0: \"0\"\n")
    }
}
