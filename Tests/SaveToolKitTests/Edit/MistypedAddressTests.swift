import Testing

/// Tests the suggestions for addresses and patterns that match nothing.
@Suite struct MistypedAddressTests {
    struct Row: Sendable {
        let arguments: [String]
        var input = ""
        let status: Int32
        /// The text that standard error must contain. If it is empty, standard error must be empty, too.
        let talk: String

        init(_ arguments: String..., input: String = "", status: Int32 = 1, says talk: String) {
            (self.arguments, self.input, self.status, self.talk) = (arguments, input, status, talk)
        }
    }

    private static let scores = "Fixtures/games/highscores.archive"
    private static let swamp = "Fixtures/games/swamp.save"
    private static let plain = "Fixtures/games/preferences.plist"

    private func check(_ row: Row) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let before = try workspace.bytes(of: Self.swamp)
        let result = workspace.run(row.arguments, input: Array(row.input.utf8))
        #expect(result.status == row.status, "\(result.talk)")
        #expect(row.talk.isEmpty ? result.talk.isEmpty : result.talk.contains(row.talk), "\(result.talk)")
        #expect(try workspace.bytes(of: Self.swamp) == before)
    }

    /// Typing errors, wrong case, a missing root or slash, and a missing end.
    @Test(arguments: [
        Row("get", swamp, "/root/charList/0/helth", says: "did you mean /root/charList/0/health?"),
        Row("get", swamp, "/root/CHARLIST/0/health", says: "did you mean /root/charList/0/health?"),
        Row("get", swamp, "/root/charlist/0/Heatlh", says: "did you mean /root/charList/0/health?"),
        Row("get", swamp, "/charList/0/health", says: "did you mean /root/charList/0/health?"),
        Row("get", swamp, "/root/char/0/health", says: "did you mean /root/charList/0/health?"),
        Row("get", swamp, "/root/$clas", says: "did you mean /root/$class?"),
        Row("get", swamp, "root/charList", status: 2, says: "did you mean /root/charList?"),
        Row("get", "-", "/levels/5", input: "{\"levels\": {\"$dict\": [[5, 1]]}}", says: "did you mean /levels/~=5?"),
        Row("inspect", swamp, "-p", "/root/charList/1/Type", says: "did you mean /root/charList/1/type?"),
        Row("get", swamp, "root/charLst/0", status: 2, says: "in keys; did you mean /root/charList/0?\n"),
        Row("set", swamp, "charList/0/helth", "5", status: 2, says: "in keys; did you mean /root/charList/0/health?\n"),
        Row("set", swamp, scores, "/root/a", "5", status: 2, says: "ADDRESS is '\(scores)'; expected an address"),
        Row("inspect", swamp, "-p", "charList", status: 2, says: "in keys; did you mean /root/charList?\n"),
        Row(
            "scores", "list", scores, "--at", "Highscores", status: 2, says: "in keys; did you mean /HighScores?\n"),
        Row("get", swamp, "root/$class", status: 2, says: "in keys; did you mean /root/$class?\n"),
        Row("get", swamp, "root/$clas", status: 2, says: "in keys; did you mean /root/$class?\n"),
        Row("get", "nowhere.save", "root", status: 2, says: "in keys\n"),
        Row("get", swamp, "root.charList.0.health", status: 2, says: "did you mean /root/charList/0/health?\n"),
        Row("get", swamp, ":root:charList:0:health", status: 2, says: "did you mean /root/charList/0/health?\n"),
        Row("get", swamp, "root:charList:0:position.x", status: 2, says: "did you mean /root/charList/0/position.x?\n"),
        Row("get", swamp, ".root.charList[0].health", status: 2, says: "did you mean /root/charList/0/health?\n"),
        Row("get", swamp, "charList.1.position.y", status: 2, says: "did you mean /root/charList/1/position.y?\n"),
        Row(
            "get", swamp, #"root.charList.0.position\.x"#, status: 2,
            says: "did you mean /root/charList/0/position.x?\n"),
        Row("get", swamp, "root.charList.0.helth", status: 2, says: "did you mean /root/charList/0/health?\n"),
        Row("get", swamp, "/root/charList.0.health", says: "did you mean /root/charList/0/health?"),
        Row("get", swamp, "root.nowhere.0", status: 2, says: "in keys\n"),
        Row("get", "-", "/a.b.c", input: #"{"a.b": {"c": 1}, "a": {"b": {"c": 2}}}"#, says: "did you mean /a.b/c?"),
        Row("set", swamp, "root.charList.0.health", "5", status: 2, says: "did you mean /root/charList/0/health?\n"),
        Row("get", swamp, "/root/charList/", says: "with 3 elements, 0 to 2; did you mean /root/charList?\n"),
        Row("get", swamp, "/root//charlist/", says: "did you mean /root/charList?\n"),
        Row("remove", swamp, "/root/currentLevelName/", says: "did you mean /root/currentLevelName?\n"),
        Row("inspect", swamp, "-p", "root", status: 2, says: "did you mean /root?"),
        Row("remove", swamp, "/root/currentlevelname", says: "did you mean /root/currentLevelName?"),
        Row("insert", swamp, "/root/charlist/-", "5", says: "did you mean /root/charList/-?"),
        Row("set", swamp, "/root/charLst/0/health", "5", says: "did you mean /root/charList/0/health?"),
        Row(
            "scores", "list", "Fixtures/games/highscores.archive", "--at", "/Highscores", status: 2,
            says: "did you mean /HighScores?"),
        Row(
            "patch", swamp, "-", input: #"[{"op": "replace", "path": "/root/Charlist/0/health", "value": 1}]"#,
            says: "/root is an object of class Map with 3 fields; did you mean /root/charList/0/health?"),
        Row(
            "patch", swamp, "-", input: #"[{"op": "remove", "path": "root/charList"}]"#, status: 2,
            says: "did you mean /root/charList?"),
        Row(
            "patch", swamp, "-",
            input: #"[{"op": "add", "path": "/root/charList/-", "value": {"$ref": "/root/charLst/0"}}]"#,
            says: "did you mean /root/charList/0?"),
        Row(
            "patch", swamp, "-",
            input: #"[{"op": "add", "path": "/root/charList/-", "value": {"$ref": "charLst/0"}}]"#, status: 2,
            says: "did you mean /root/charList/0?"),
        Row(
            "patch", swamp, "-", input: #"[{"op": "replace", "path": "/root/$class", "value": "Mapp"}]"#, status: 2,
            says: "did you mean Map?"),
    ]) func nearest(_ row: Row) throws {
        try check(row)
    }

    /// No suggestion is made if no existing address is close.
    @Test(arguments: [
        Row("get", swamp, "/root/charList/7", says: "/root/charList is an array with 3 elements, 0 to 2\n"),
        Row("get", swamp, "/root/charList/-", says: "/root/charList is an array with 3 elements, 0 to 2\n"),
        Row("get", swamp, "/root/charList/0/health/x", says: "which has no contents\n"),
        Row("get", swamp, "/root/charList/0/armour", says: "with the fields type, health, position.x, position.y\n"),
        Row("get", "-", "/ab/x", input: "{\"cd\": {\"x\": 1}}", says: "with the key cd\n"),
    ]) func suggestsNothingForDistantAddress(_ row: Row) throws {
        try check(row)
    }

    /// A new field needs `--add`. A new key does not, but is reported.
    @Test(arguments: [
        Row(
            "set", swamp, "/root/charList/0/helth", "5", "-i",
            says: "no such value; use --add to create it; /root/charList/0 is an object of class Player"),
        Row("set", swamp, "/root/charList/0/helth", "5", "--dry-run", says: "did you mean /root/charList/0/health?"),
        Row("set", swamp, "/root/charList/0/armour", "5", "--add", "--dry-run", status: 0, says: ""),
        Row(
            "set", plain, "/gem", "5", "--dry-run", status: 0,
            says: "created /gem: integer 5; did you mean /gems?"),
        Row("set", plain, "/zebra/stripes", "5", "--dry-run", status: 0, says: "created /zebra/stripes: integer 5\n"),
        Row("set", plain, "/zebra", "5", "--add", "--dry-run", status: 0, says: ""),
        Row("set", plain, "/gems", "5", "--dry-run", status: 0, says: ""),
        Row("insert", swamp, "/root/charList/0/armour", "5", "--dry-run", "-q", status: 0, says: ""),
        Row(
            "set", swamp, "/root/charList/0/$class", "Playr", "--dry-run", status: 0,
            says: "the class Playr is new to the archive; did you mean Player?"),
        Row("set", swamp, "/root/charList/0/$class", "Wizard", "--dry-run", status: 0, says: ""),
    ]) func added(_ row: Row) throws {
        try check(row)
    }

    private static let other = "Fixtures/games/swamp.xml.save"

    /// A pattern that matches nothing is reported with a suggestion.
    @Test(arguments: [
        Row(
            "diff", swamp, other, "-q", "--only", "/root/charLst", status: 2,
            says: "savetool: --only /root/charLst matches nothing in the files; did you mean /root/charList?"),
        Row(
            "diff", swamp, swamp, "--only", "/charList/*/health", status: 2,
            says: "did you mean /root/charList/*/health?"),
        Row("diff", swamp, swamp, "--only", "root/**/health", status: 2, says: "did you mean /root/**/health?"),
        Row("diff", swamp, swamp, "--only", "charlist/*/helth", status: 2, says: "mean /root/charList/*/health?"),
        Row("diff", swamp, swamp, "--only", "rot/$class", status: 2, says: "in keys\n"),
        Row("diff", swamp, swamp, "--ignore", "**/helth", status: 2, says: "did you mean /**/health?\n"),
        Row("diff", swamp, swamp, "--identity", "charList=type", status: 2, says: "did you mean /root/charList?\n"),
        Row("diff", swamp, swamp, "--unordered", "root/charlist", status: 2, says: "did you mean /root/charList?\n"),
        Row(
            "diff", swamp, swamp, "--tolerance", "root/*/*/positionx=1", status: 2,
            says: "--tolerance is 'root/*/*/positionx'; expected a pattern such as /root/*/name, with ~1 for / and ~0 "
                + "for ~ in keys; did you mean /root/*/*/position.x?\n"),
        Row(
            "merge", swamp, swamp, swamp, "--dry-run", "--rule", "eventlist.count=max", status: 2,
            says: "did you mean /root/eventList.count?\n"),
        Row(
            "diff", swamp, swamp, "--ignore", "/**/helth", status: 0,
            says: "warning: --ignore /**/helth matches nothing in the files; did you mean /**/health?"),
        Row("diff", swamp, swamp, "--tolerance", "/root/*/*/positionx=1", status: 0, says: "/root/*/*/position.x?"),
        Row(
            "diff", swamp, swamp, "--identity", "/root/charList=typ", status: 0,
            says: "--identity /root/charList/*/typ matches nothing in the files; did you mean /root/charList/*/type?"),
        Row("diff", swamp, swamp, "--identity", "/root/charList=type", status: 0, says: ""),
        Row("diff", "-", plain, "--identity", "/a=type", input: "{\"a\": []}", status: 1, says: ""),
        Row("diff", swamp, swamp, "--identity", "/root/charlist=type", status: 0, says: "did you mean /root/charList?"),
        Row(
            "diff", swamp, swamp, "--unordered", "/root/charList/*/*/*", status: 0,
            says: "matches nothing in the files\n"),
        Row("diff", swamp, swamp, "--ignore", "/**", "--only", "/root/*/0", status: 0, says: ""),
        Row(
            "diff", "--git", "s", swamp, "0", "1", swamp, "0", "1", "--only", "/x", "--ignore", "/y", status: 0,
            says: ""),
        Row(
            "merge", swamp, swamp, swamp, "--dry-run", "--rule", "/root/eventlist.count=max", status: 0,
            says: "eventList.count?"),
        Row(
            "merge", swamp, swamp, swamp, "--dry-run", "--rule", "/root/charList=ours", "--rule", "theirs", status: 0,
            says: ""),
        Row(
            "merge", swamp, swamp, swamp, "--dry-run", "--rule", "newest:/root/eventlist.count", status: 0,
            says: "--rule /root/eventlist.count matches nothing in the files; did you mean /root/eventList.count?"),
        Row(
            "merge", swamp, swamp, swamp, "--dry-run", "--rule", "/root/*.count=max", status: 0,
            says: "matches nothing in the files; * is a wildcard only as a whole step, as in /*/name\n"),
        Row(
            "merge", swamp, swamp, swamp, "--dry-run", "--identity", "/rot/charList=type", status: 0,
            says: "/root/charList?"),
    ]) func patterns(_ row: Row) throws {
        try check(row)
    }

    /// Fields of objects that are given as a whole are compared with the class's fields.
    @Test(arguments: [
        (
            ["set", scores, "/HighScores/0", #"{"$class":"HighScoreRecord","Name":"x","TotalScor":5}"#],
            "/HighScores/0: fields left out: DateRecorded, TotalScore; added: TotalScor\n"
                + "/HighScores/0: the field TotalScor is new to the class HighScoreRecord; did you mean TotalScore?\n"
        ),
        (
            ["set", scores, "/HighScores", #"[{"name":"x","TotalScore":5}]"#],
            "/HighScores: stored as a dictionary; HighScoreRecord has no field name; did you mean Name?\n"
        ),
        (
            ["insert", scores, "/HighScores/0", #"{"$class":"HighScoreRecord","Wxyz":1}"#],
            "/HighScores/0: the field Wxyz is new to the class HighScoreRecord\n"
        ),
        (
            ["insert", scores, "/HighScores/0", #"{"Name":["x"],"TotalScore":"5","DateRecorded":5}"#],
            "/HighScores/0: the field Name is an array; in other objects of HighScoreRecord it is a string\n"
                + "/HighScores/0: the field TotalScore is a string; in other objects of HighScoreRecord it is an integer\n"
                + "/HighScores/0: the field DateRecorded is an integer; in other objects of HighScoreRecord it is a date "
                + "of class NSDate\n"
        ),
        (
            [
                "insert", scores, "/HighScores/0",
                #"{"Name":"x","TotalScore":5.0,"DateRecorded":"2010-01-01T00:00:00Z"}"#,
            ], ""
        ),
        (
            ["set", scores, "/HighScores/0", #"{"$class":"HighScoreRecord","TotalScor":5}"#, "--add"],
            "/HighScores/0: fields left out: Name, DateRecorded, TotalScore; added: TotalScor\n"
        ),
        (
            ["set", scores, "/HighScores/0", #"{"$class":"HighScoreRecord","TotalScore":5}"#],
            "/HighScores/0: fields left out: Name, DateRecorded\n"
        ),
        (
            [
                "set", scores, "/HighScores/0/Name", #"[{"$class":["HighScoreRecrd","NSObject"],"a":1}]"#,
                "--change-type",
            ],
            "/HighScores/0/Name: the class HighScoreRecrd is new to the archive; did you mean HighScoreRecord?\n"
        ),
    ]) func fields(_ arguments: [String], _ talk: String) throws {
        let partial = arguments.first == "insert" ? ["--partial"] : []
        let result = try Workspace(fixtures: ["games"]).run(arguments + partial + ["--dry-run", "--quiet"])
        #expect(result.status == 0)
        #expect(result.talk == talk.split(separator: "\n").map { "\(Self.scores): \($0)\n" }.joined())
    }
}
