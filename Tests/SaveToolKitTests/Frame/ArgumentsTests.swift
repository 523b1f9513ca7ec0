import SaveOperations
import Testing

@testable import SaveToolKit

@Suite struct ArgumentsTests {
    static let command = Command(
        name: "pack", summary: "", operands: [], discussion: "",
        options: [
            Option("output", "o", value: "FILE", for: .output, help: ""), Option("quiet", "q", for: .output, help: ""),
            Option("in-place", "i", for: .output, help: ""), Option("backup", for: .output, help: ""),
            Option("format", "f", value: "FORM", is: .choice(["json", "text"]), for: .output, help: ""),
            Option("text", "t", standsFor: (Option("format", for: .output, help: ""), "text"), for: .output), .color,
            .noColor,
        ],
        foreignSpellings: ["-p": "--output", "--out-file": "--output"],
        run: { _, _ in .done })

    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let output: String?
        let isQuiet: Bool
        let operands: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let rows = [
        Row(arguments: [], output: nil, isQuiet: false, operands: []),
        Row(arguments: ["a", "b"], output: nil, isQuiet: false, operands: ["a", "b"]),
        Row(arguments: ["--output", "x", "a"], output: "x", isQuiet: false, operands: ["a"]),
        Row(arguments: ["--output=x", "a"], output: "x", isQuiet: false, operands: ["a"]),
        Row(arguments: ["--output=", "a"], output: "", isQuiet: false, operands: ["a"]),
        Row(arguments: ["--output=a=b"], output: "a=b", isQuiet: false, operands: []),
        Row(arguments: ["--output=-x"], output: "-x", isQuiet: false, operands: []),
        Row(arguments: ["-o", "x"], output: "x", isQuiet: false, operands: []),
        Row(arguments: ["-ox"], output: "x", isQuiet: false, operands: []),
        Row(arguments: ["-qox", "a"], output: "x", isQuiet: true, operands: ["a"]),
        Row(arguments: ["-qio", "x"], output: "x", isQuiet: true, operands: []),
        Row(arguments: ["-o", "-"], output: "-", isQuiet: false, operands: []),
        Row(arguments: ["-o", "x", "--output=x"], output: "x", isQuiet: false, operands: []),
        Row(arguments: ["a", "-q", "-", "b"], output: nil, isQuiet: true, operands: ["a", "-", "b"]),
        Row(arguments: ["-q", "--", "-o", "--"], output: nil, isQuiet: true, operands: ["-o", "--"]),
        Row(arguments: ["é"], output: nil, isQuiet: false, operands: ["é"]),
    ]

    @Test(arguments: rows)
    func parses(_ row: Row) throws {
        let arguments = try Arguments.parse(row.arguments, for: Self.command)
        #expect(arguments.value(of: Self.command.options[0]) == row.output)
        #expect(arguments.has(Self.command.options[1]) == row.isQuiet)
        #expect(arguments.operands == row.operands)
    }

    @Test(
        arguments: [
            (["--help"], .short), (["-h"], .short), (["a", "-qh", "--nonsense"], .short), (["--help-all"], .full),
            (["--help-all", "--nonsense"], .full), (["a"], nil),
        ] as [([String], HelpPage.Extent?)])
    func recognizesHelpRequests(_ arguments: [String], _ extent: HelpPage.Extent?) throws {
        #expect(try Arguments.parse(arguments, for: Self.command).help == extent)
    }

    @Test(
        arguments: [
            (["--color", "a"], "always"), (["--color", "never", "a"], "never"), (["--color=auto", "a"], "auto"),
            (["--color", "--no-color", "a"], "never"), (["--no-color", "--color", "a"], "always"), (["a"], nil),
            (["a", "--color"], "always"),
        ] as [([String], String?)])
    func acceptsImpliedValue(_ words: [String], _ choice: String?) throws {
        let arguments = try Arguments.parse(words, for: Self.command)
        #expect(arguments.value(of: .color) == choice)
        #expect(arguments.operands == ["a"])
    }

    @Test(
        arguments: [
            ([:], false, false), ([:], true, true), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
            (["CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR_FORCE": "0"], false, false),
            (["CLICOLOR_FORCE": ""], false, false), (["TERM": "dumb"], true, false),
            (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
        ] as [([String: String], Bool, Bool)])
    func environmentSetsDefaults(_ environment: [String: String], _ isTerminal: Bool, _ isColored: Bool) {
        let invocation = Invocation(
            arguments: [], environment: environment, input: InputChannel([]),
            output: OutputChannel(isTerminal: isTerminal) { _ in }, standardError: OutputChannel { _ in })
        #expect(invocation.palette.isColored == isColored)
        invocation.coloring = .always
        #expect(invocation.palette.isColored)
        invocation.coloring = .never
        #expect(!invocation.palette.isColored)
    }

    static let faults: [(arguments: [String], sentence: String)] = [
        (["--outptu", "x"], "unknown option '--outptu'; did you mean --output?"),
        (["--out"], "unknown option '--out'; did you mean --output?"),
        (["--inplace"], "unknown option '--inplace'; did you mean --in-place?"),
        (["--out-file"], "unknown option '--out-file'; did you mean --output?"),
        (["-p"], "unknown option '-p'; did you mean --output?"),
        (["--json"], "unknown option '--json'; did you mean --format json?"),
        (["-o=x"], "'-o=x': a short option takes its value without =; did you mean -o x?"),
        (["-q=x"], "--quiet takes no value"),
        (["-i.bak"], "--in-place takes no value; did you mean --in-place --backup?"),
        (["--in-place=.bak"], "--in-place takes no value; did you mean --in-place --backup?"),
        (["--frobnicate"], "unknown option '--frobnicate'; see savetool pack --help"),
        (["--outptu=x"], "unknown option '--outptu'; did you mean --output?"),
        (["-x"], "unknown option '-x'; see savetool pack --help"),
        (["-qx"], "unknown option '-x'; see savetool pack --help"),
        (["-quiet"], "unknown option '-quiet'; did you mean --quiet?"),
        (["--output"], "--output needs a value: --output=FILE"),
        (["-o"], "--output needs a value: --output=FILE"),
        (["--output", "--quiet"], "--output needs a value: --output=FILE"),
        (["--quiet=yes"], "--quiet takes no value"),
        (["-o", "x", "--output=y"], "--output takes one value but was given two"),
        (["-f", "json", "-f", "text"], "--format takes one value but was given two: json and text"),
        (["-f", "json", "-t"], "--format takes one value but was given two: json and text"),
        (["--\u{1B}[31m"], "unknown option '--\\u001B[31m'; see savetool pack --help"),
        (
            ["--" + String(repeating: "x", count: 100)],
            "unknown option '--\(String(repeating: "x", count: 38))…'; see savetool pack --help"
        ),
    ]

    @Test(arguments: faults)
    func explainsErrors(_ arguments: [String], _ sentence: String) {
        let error = #expect(throws: UsageError.self) { try Arguments.parse(arguments, for: Self.command) }
        #expect(error?.message == sentence)
    }
}

@Suite struct SuggestionTests {
    @Test(
        arguments: [
            ("convrt", "convert"), ("cnovert", "convert"), ("inspct", "inspect"), ("insp", "inspect"), ("c", nil),
            ("", nil), ("xyzzy", nil), ("hlep", "help"), ("CONVERT", "convert"),
        ] as [(String, String?)])
    func suggestsNearestName(_ word: String, _ expected: String?) {
        #expect(Suggestion.nearest(to: word, in: ["convert", "inspect", "help"]) == expected)
    }
}
