import TestSupport
import Testing

/// Tests how the type of a given value is determined, and that any loss is reported.
@Suite struct GivenTypeTests {
    private static let scores = "Fixtures/games/highscores.archive"

    struct Case: Sendable, CustomTestStringConvertible {
        /// The file as JSON, or nil for the high scores.
        var file: String?
        let arguments: [String]
        var input = ""
        var status: Int32 = 0
        var output = ""
        var talk = ""
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static func graph(_ top: String) -> String {
        #"{"$archiver":"NSKeyedArchiver","$version":100000,"$classes":{"R":["R","NSObject"]},"$top":\#(top)}"#
    }

    private static func kept(_ address: String, _ number: String) -> String {
        "file: \(address): kept \(number), because the given number is a rounded form of it, as printed by jq\n"
    }

    private static func expected(_ kinds: String) -> String {
        "file:1:7: /x: \(kinds), like the present value; use --change-type to allow it\n"
    }

    static let cases = [
        // A type option decides the type.
        Case(
            arguments: ["set", "--dry-run", scores, "/HighScores/0/DateRecorded", "--string", "2010-01-01T00:00:00Z"],
            status: 2,
            talk: scores
                + ": /HighScores/0/DateRecorded: found a string; expected a date of class NSDate, like the present value; use --change-type to allow it\n"
        ),
        Case(
            file: #"{"d": {"$data": "aGVsbG8="}}"#,
            arguments: ["set", "--dry-run", "--change-type", "file", "/d", "--string", "aGVsbG8h"],
            output: "~ /d: type data → string: data, 5 bytes: 68 65 6C 6C 6F → \"aGVsbG8h\"\n"),
        Case(
            file: #"{"d": [{"$date": "2009-01-01T00:00:00Z"}]}"#,
            arguments: ["set", "file", "/d", "--json-file", "-"], input: #"["2010-01-01T00:00:00Z"]"#,
            output: #"{"d": [{"$date": "2010-01-01T00:00:00Z"}]}"#),
        Case(
            file: #"{"d": [{"$date": "2009-01-01T00:00:00Z"}]}"#,
            arguments: ["insert", "file", "/d/-", "--string", "2010-01-01T00:00:00Z"],
            output: #"{"d": [{"$date": "2009-01-01T00:00:00Z"}, "2010-01-01T00:00:00Z"]}"#),
        Case(
            file: #"{"x": {"$real": "nan"}}"#, arguments: ["set", "file", "/x", "--null"], output: #"{"x": null}"#),
        Case(
            file: #"{"x": {"$real": "nan"}}"#, arguments: ["set", "file", "/x", "null"],
            output: #"{"x": {"$real": "nan"}}"#),
        // A number takes the type of the value that it replaces, or of its neighbors, if that is exact.
        Case(
            file: #"{"x": [1.5, 2.5]}"#, arguments: ["insert", "file", "/x/-", "5"], output: #"{"x": [1.5, 2.5, 5.0]}"#),
        Case(
            file: #"{"x": [1.5, 2.5]}"#, arguments: ["insert", "file", "/x/-", "9007199254740993"],
            output: #"{"x": [1.5, 2.5, 9007199254740993]}"#),
        Case(
            file: #"{"x": [1.5, 2.5]}"#, arguments: ["insert", "file", "/x/-", "--int", "5"],
            output: #"{"x": [1.5, 2.5, 5]}"#),
        Case(file: #"{"x": [1, 2]}"#, arguments: ["insert", "file", "/x/-", "9.0"], output: #"{"x": [1, 2, 9]}"#),
        Case(file: #"{"x": [1, 2]}"#, arguments: ["insert", "file", "/x/-", "9.5"], output: #"{"x": [1, 2, 9.5]}"#),
        Case(
            file: #"{"x": [1, 2]}"#, arguments: ["insert", "file", "/x/-", "--real", "9"],
            output: #"{"x": [1, 2, 9.0]}"#),
        Case(file: #"{"x": 8}"#, arguments: ["set", "file", "/x", "9.0"], output: #"{"x": 9}"#),
        Case(
            file: #"{"x": 8}"#, arguments: ["set", "file", "/x", "--real", "9.0"], status: 2,
            talk: expected("found a real; expected an integer")),
        Case(
            file: #"{"x": 8.5}"#, arguments: ["set", "file", "/x", "--int", "9"], status: 2,
            talk: expected("found an integer; expected a real")),
        Case(
            file: #"{"x": {"$real32": 8.5}}"#, arguments: ["set", "file", "/x", "--real", "0.25"],
            output: #"{"x": {"$real32": 0.25}}"#),
        Case(file: #"{"x": 8}"#, arguments: ["set", "--change-type", "file", "/x", "9.0"], output: #"{"x": 9.0}"#),
        // `--change-type` affects the members that change, not the unchanged ones.
        Case(
            file: #"{"r": {"x": {"$real32": 0.1}, "at": {"$date": "2009-01-01T00:00:00Z"}, "n": 1}}"#,
            arguments: ["set", "--change-type", "file", "/r", "--json-file", "-"],
            input: #"{"x":0.1,"at":"2009-01-01T00:00:00Z","n":"one"}"#,
            output: #"{"r": {"x": {"$real32": 0.1}, "at": {"$date": "2009-01-01T00:00:00Z"}, "n": "one"}}"#),
        // A `$ref` in a property list is plain data unless it leads to the present value itself.
        Case(
            file: #"{"a": {"k": 1}, "b": [7]}"#, arguments: ["set", "file", "/a", #"{"$ref":"/b"}"#],
            output: #"{"a": {"$ref": "/b"}, "b": [7]}"#),
        // Nil in a collection, at any depth, is refused.
        Case(
            file: graph(#"{"l":[{"$class":"R","s":[1]}]}"#), arguments: ["set", "file", "/l", "[null]"], status: 2,
            talk:
                "file:1:97: /l/0: a collection of an archive cannot contain nil; use {\"$class\": \"NSNull\"}\n"),
        Case(
            file: graph(#"{"l":[{"$class":"R","s":[1]}]}"#),
            arguments: ["set", "--change-type", "file", "/l/0", #"{"s":[1,null]}"#], status: 2,
            talk:
                "file:1:115: /l/0/s/1: a collection of an archive cannot contain nil; use {\"$class\": \"NSNull\"}\n"),
        Case(
            file: graph(#"{"l":[1]}"#), arguments: ["insert", "file", "/l/-", #"{"a":[1,null]}"#], status: 2,
            talk: "file: /l/1/a/1: a collection of an archive cannot contain nil; use {\"$class\": \"NSNull\"}\n"),
        Case(
            file: graph(#"{"l":[1]}"#), arguments: ["patch", "file", "-"],
            input: #"[{"op":"add","path":"/l/-","value":null}]"#, status: 2,
            talk: "file: /l/1: a collection of an archive cannot contain nil; use {\"$class\": \"NSNull\"}\n"),
        // An integer inside a value that jq rounded keeps the present one. A single number is meant as given.
        Case(
            file: #"{"a": 9223372036854775807, "b": 1}"#, arguments: ["set", "file", "", "--json-file", "-"],
            input: #"{"a":9223372036854776000,"b":2}"#, output: #"{"a": 9223372036854775807, "b": 2}"#,
            talk: kept("/a", "9223372036854775807")),
        Case(
            file: #"{"a": 9223372036854775807}"#, arguments: ["set", "file", "/a", "9223372036854775808"],
            output: #"{"a": 9223372036854775808}"#),
        Case(
            file: #"{"a": 9223372036854775807}"#, arguments: ["set", "file", "/a", "--int", "9223372036854776000"],
            output: #"{"a": 9223372036854776000}"#),
        Case(
            file: #"{"a": 9007199254740992}"#, arguments: ["set", "file", "/a", "9007199254740993"],
            output: #"{"a": 9007199254740993}"#),
        // Left-out and unknown fields are reported. A record with an unknown field is stored as a dictionary.
        Case(
            arguments: ["set", "--dry-run", scores, "/HighScores/0", #"{"TotalScor":5}"#],
            output:
                "~ /HighScores/0: HighScoreRecord {Name: \"Ada\", DateRecorded: 2009-09-06T12:34:56.789Z, TotalScore: 98200} → HighScoreRecord {TotalScor: 5}\n",
            talk: """
                \(scores): /HighScores/0: fields left out: Name, DateRecorded, TotalScore; added: TotalScor
                \(scores): /HighScores/0: the field TotalScor is new to the class HighScoreRecord; did you mean TotalScore?

                """),
        Case(
            arguments: ["insert", "--dry-run", scores, "/HighScores/-", #"{"Name":"Zed","TotalScor":5}"#],
            output: "+ /HighScores/10: {Name: \"Zed\", TotalScor: 5}\n",
            talk: """
                \(scores): /HighScores/-: stored as a dictionary; HighScoreRecord has no field TotalScor; did you mean TotalScore?

                """),
        // A new field whose kind differs from all other objects of the class is reported.
        Case(
            file: graph(#"{"l":[{"$class":"R","n":{"$object":1}},{"$class":"R"}]}"#),
            arguments: ["set", "--add", "--dry-run", "file", "/l/1/n", "\"x\""],
            output: "~ /l/1: R {} → R {n: \"x\"}\n",
            talk: "file: /l/1/n: the field n is a string; in other objects of R it is an integer\n"),
        Case(
            file: graph(#"{"l":[{"$class":"R","n":1},{"$class":"R","n":"x"},{"$class":"R"}]}"#),
            arguments: ["set", "--add", "--dry-run", "file", "/l/2/n", "\"x\""], output: "~ /l/2: R {} → R {n: \"x\"}\n"
        ),
        // An error inside the given value names its address in the file.
        Case(
            arguments: ["set", scores, "/HighScores/0/TotalScore", #"{"$objet":5}"#], status: 2,
            talk: scores
                + #": /HighScores/0/TotalScore: unknown name "$objet"; write a stored name that begins with $ as "$$objet""#
                + "\n"),
        Case(
            arguments: ["insert", scores, "/HighScores/0", #"{"Name":{"$object":5,"x":1}}"#], status: 2,
            talk: scores + ": /HighScores/0/Name: found unexpected members next to $object\n"),
        Case(
            file: graph(#"{"l":[{"a":1}]}"#),
            arguments: [
                "set", "file", "/l",
                #"[{"$class":"NSMutableDictionary","$entries":"\#(String(repeating: "x", count: 3_000))"}]"#,
            ], status: 2,
            talk:
                "file:1:97: /l/0: $entries is \"\(String(repeating: "x", count: 40))…\"; expected an object or an array of pairs\n"
        ),
        Case(
            file: graph(#"{"l":[{"a":1}]}"#), arguments: ["set", "file", "/l/0", #"{"$class":"NSURL","$fields":7}"#],
            status: 2,
            talk: "file:1:97: /l/0: $fields is 7; expected an array of pairs\n"),
        // An empty input is an error.
        Case(
            file: "{\"a\": 1}", arguments: ["set", "file", "/a", "--json-file", "-"], status: 2,
            talk: "savetool: --json-file is '-'; expected JSON, but the file is empty\n"),
    ]

    @Test(arguments: cases) func given(_ row: Case) throws {
        let workspace = try Workspace(fixtures: row.file == nil ? ["games"] : nil)
        if let file = row.file { try workspace.write(file, to: "file") }
        let result = workspace.run(row.arguments + ["-q"], input: Array(row.input.utf8))
        #expect(result == Workspace.Result(status: row.status, output: row.output, talk: row.talk))
    }

    /// An `$id` is valid only inside the value of its own operation.
    @Test func numbersOfObjects() throws {
        let workspace = try Workspace()
        try workspace.write(Self.graph(#"{"l":[{"$class":"R","n":1}]}"#), to: "file")
        let operation = #"{"op":"add","path":"/l/-","value":[{"$ref":1},{"$class":"R","$id":1,"n":2}]}"#
        let both = workspace.run(["patch", "--dry-run", "file", "-"], input: Array("[\(operation),\(operation)]".utf8))
        #expect(both.status == 0)
        #expect(both.talk == "")
        let other = workspace.run(
            ["patch", "--dry-run", "file", "-"],
            input: Array(#"[\#(operation),{"op":"add","path":"/l/-","value":{"$ref":1}}]"#.utf8))
        #expect(other.status == 2)
        #expect(other.talk == "<stdin>: /1/value: operation 2 (add): no object has the $id 1\n", "\(other.talk)")
    }

    /// A number that the editor has given too many digits is rounded, with a message.
    @Test func roundingInTheEditor() throws {
        let workspace = try Workspace(fixtures: ["games"])
        try workspace.write(#"sed -i.bak -e 's/{"$real32": 20.25}/20.123456789/' "$1""#, to: "editor.sh")
        let result = workspace.run(
            ["edit", "--dry-run", "Fixtures/games/swamp.save"],
            environment: ["VISUAL": "sh " + workspace.path(of: "editor.sh"), "PATH": "/usr/bin:/bin"])
        #expect(result.output == "~ /root/charList/0/position.y: 20.25 → 20.123457\n")
        #expect(
            result.talk
                == "Fixtures/games/swamp.save: /root/charList/0/position.y: rounded to 32 bits: 20.123457\n")
    }

    /// A number that only rounding makes whole is not an integer.
    @Test(arguments: ["1e-400", "4.9999999999999999999", "9007199254740993.0", "12345678901234567891.0"])
    func roundedNumbersAreNoIntegers(_ number: String) throws {
        let workspace = try Workspace()
        let text = "{\"i\": 3, \"list\": [3]}\n"
        try workspace.write(text, to: "file")
        for (address, value) in [("/i", number), ("/list", "[\(number)]"), ("", "{\"i\": \(number), \"list\": [3]}")] {
            let result = workspace.run(["set", "-i", "file", address, value])
            #expect(result.status == 2, "\(value): \(result.talk)")
            #expect(try workspace.text(of: "file") == text)
        }
    }
}
