import Testing

/// Tests tables in CSV, whose line breaks a transcript cannot show.
@Suite struct ScoreListTests {
    static let rows: [(name: String, cell: String)] = [
        (#"Ada"#, "Ada"), (#""#, ""), (#"Zoë 日本"#, "Zoë 日本"), (#"a,b"#, #""a,b""#),
        (#"say \"hi\""#, #""say ""hi""""#), (#"a\nb"#, "\"a\nb\""), (#"a\r\nb"#, "\"a\r\nb\""),
        (#"=1+1"#, "'=1+1"), (#"+1"#, "'+1"), (#"-1"#, "'-1"), (#"@SUM(A1)"#, "'@SUM(A1)"), (#"\tx"#, "'\tx"),
        (#"\n=1"#, "\"'\n=1\""), (#";=1+1"#, "';'=1+1"), (#"a;=1;\t@b"#, "a;'=1;\t'@b"), (#"a;b=1"#, "a;b=1"),
        (#"\uff1d1"#, "'\u{FF1D}1"), (#"\uff0b1"#, "'\u{FF0B}1"), (#"\uff0d1"#, "'\u{FF0D}1"),
        (#"\uff20a;\uff1d1"#, "'\u{FF20}a;'\u{FF1D}1"), (#"=\u0338"#, "'=\u{338}"),
        (#"=\"a\""#, #""'=""a""""#), (#"a=1"#, "a=1"), (#"'x"#, "'x"), (#"\ud800"#, "\u{FFFD}"), (#"\\"#, #"\"#),
    ]

    @Test(arguments: rows) func commaSeparated(_ name: String, _ cell: String) throws {
        let workspace = try Workspace()
        try workspace.write(#"[{"playerName": "\#(name)", "score": -2.5}]"#, to: "a.json")
        let result = workspace.run(["scores", "list", "a.json", "--format", "csv"])
        #expect(result == Workspace.Result(status: 0, output: "rank,name,score,date\r\n1,\(cell),-2.5,\r\n"))
    }

    @Test func commaSeparatedOnTerminal() throws {
        let workspace = try Workspace()
        try workspace.write(#"[{"playerName": "\u001b[2J", "score": 1, "date": "2009-09-06T12:34:56Z"}]"#, to: "a.json")
        let result = workspace.run(["scores", "list", "a.json", "--format", "csv"], isTerminal: true)
        #expect(result.output == "rank,name,score,date\r\n1,\\u001B[2J,1,2009-09-06T12:34:56Z\r\n")
    }

    /// Binary output is not written to a terminal.
    @Test func savesOnTerminal() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let list = ["scores", "list", "Fixtures/games/leaderboard.plist", "--form"]
        #expect(workspace.run(list + ["plist"], isTerminal: true).status == 2)
        #expect(workspace.run(list + ["feed"], isTerminal: true).status == 0)
    }

    @Test func rejectsFolder() throws {
        let result = try Workspace(fixtures: ["games"]).run(["scores", "list", "Fixtures/games"])
        #expect(
            result
                == Workspace.Result(
                    status: 2, output: "",
                    talk:
                        "Fixtures/games: this is a folder; expected a file; to list each table in it: find FOLDER -type f "
                        + "-exec savetool scores list {} ';'; to list one value of each file: "
                        + "savetool get --at ADDRESS FOLDER\n"))
    }
}
