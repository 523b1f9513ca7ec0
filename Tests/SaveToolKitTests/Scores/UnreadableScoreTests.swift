import Testing

/// Tests how the scores commands treat a table with an unreadable record.
@Suite struct UnreadableScoreTests {
    private static let table = #"[{"name":"Ada","score":5},{"name":"Bob","score":"x"},{"name":"Cy","score":7}]"#
    private static let sentence = "/1/score: found a string; expected a number\n"

    private func run(_ arguments: String..., json: String = table) throws -> Workspace.Result {
        let workspace = try Workspace()
        try workspace.write(json, to: "s.json")
        return workspace.run(arguments)
    }

    /// The readable records are listed, and a warning names the unreadable one.
    @Test func list() throws {
        let result = try run("scores", "list", "s.json", "--format", "csv")
        #expect(result.status == 1)
        #expect(result.output == "rank,name,score,date\r\n1,Cy,7,\r\n2,Ada,5,\r\n")
        #expect(result.talk == "s.json: warning: " + Self.sentence)
    }

    /// Leaving out the record is a loss, which needs `--allow-loss`.
    @Test func form() throws {
        let refused = try run("scores", "list", "s.json", "--form", "plist", "--to", "json")
        #expect(refused.status == 2 && refused.output.isEmpty && refused.talk.contains("s.json: " + Self.sentence))
        let written = try run("scores", "list", "s.json", "--form", "plist", "--to", "json", "--allow-loss")
        #expect(written.status == 0 && written.output.contains("Cy") && !written.output.contains("Bob"))
    }

    /// A leaderboard still answers its players.
    @Test func answer() throws {
        let workspace = try Workspace()
        try workspace.write(Self.table, to: "s.json")
        let result = workspace.run(
            ["scores", "list", "--cgi", "s.json"], environment: ["REQUEST_METHOD": "GET"])
        #expect(result.output.hasPrefix("Status: 200") && result.output.contains("Cy"), "\(result.output)")
        #expect(result.talk == "s.json: warning: " + Self.sentence)
    }

    /// Commands that change or convert the table refuse it, because they need all its records.
    @Test(arguments: [
        ["add", "s.json", "--name", "A", "--score", "9"], ["merge", "s.json", "s.json"],
        ["convert", "s.json", "--form", "plist"],
    ]) func others(_ arguments: [String]) throws {
        let workspace = try Workspace()
        try workspace.write(Self.table, to: "s.json")
        let result = workspace.run(["scores"] + arguments)
        #expect(result.status == 2 && result.talk.contains(Self.sentence), "\(result.talk)")
        #expect(try workspace.text(of: "s.json") == Self.table)
    }

    /// A table without any readable record is an error.
    @Test func none() throws {
        let result = try run("scores", "list", "s.json", json: #"[{"playerName":"Bob","score":"x"}]"#)
        #expect(
            result
                == Workspace.Result(
                    status: 2, output: "", talk: "s.json: /0/score: found a string; expected a number\n"))
    }
}
