import Foundation
import Testing

@testable import SaveToolKit

/// Tests terminals, closed pipes and colors.
@Suite struct StreamTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.write(#"{"gems": 7, "name": "Zoë"}"#, to: "a.json")
    }

    @Test func rejectsBinaryDataOnTerminal() {
        let result = workspace.run(["convert", "--to", "binary", "a.json"], isTerminal: true)
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.talk == "savetool: missing --output FILE: binary data is not written to a terminal\n")
    }

    @Test func writesTextToTerminal() {
        #expect(workspace.run(["convert", "--to", "json", "--compact", "a.json"], isTerminal: true).status == 0)
    }

    @Test func writesBinaryDataToPipe() {
        let result = workspace.run(["convert", "--to", "binary", "a.json"])
        #expect(result.output.hasPrefix("bplist00"))
    }

    @Test(arguments: [
        ["inspect", "a.json"], ["convert", "--to", "json", "a.json"], ["--help"], ["inspect", "--help"],
    ])
    func endsQuietlyAtClosedPipe(_ arguments: [String]) {
        let talk = Collector()
        let status = workspace.run(
            arguments, output: OutputChannel { _ in throw ClosedPipe() }, talk: talk.channel())
        #expect(status == 0)
        #expect(talk.text == "")
    }

    @Test(arguments: [["inspect"], ["convert", "--to", "json"], ["schema", "infer"], ["scores", "list"]])
    func announcesReadingStandardInput(_ arguments: [String]) {
        let line = "savetool: no file is named; reading standard input until Ctrl-D\n"
        let input = Array(#"[{"name": "Ada", "score": 5, "date": "2009-09-06T12:34:56Z"}]"#.utf8)
        #expect(workspace.run(arguments, input: input, typed: true).talk.hasPrefix(line))
        #expect(!workspace.run(arguments, input: input).talk.contains(line))
        #expect(!workspace.run(arguments + ["-"], input: input, typed: true).talk.contains(line))
    }

    @Test func reportsFullDevice() {
        let talk = Collector()
        let status = workspace.run(
            ["inspect", "a.json"], output: OutputChannel { _ in throw FileError("<stdout>", "no space is left") },
            talk: talk.channel())
        #expect(status == 2)
        #expect(talk.text == "<stdout>: no space is left\n")
    }

    /// A closed stream is reported, and no opened file takes its descriptor.
    @Test(
        .enabled(if: Programs.savetool != nil),
        arguments: [
            ("savetool inspect - <&-", "<stdin>: standard input is closed\n"),
            ("savetool convert --to json <&-", "<stdin>: standard input is closed\n"),
            ("savetool inspect a.json >&-", "<stdout>: standard output is closed\n"),
            (
                "savetool convert --to json --compact -o b.json a.json <&- >&-; cat b.json",
                #"{"gems":7,"name":"Zoë"}"# + "\n"
            ),
            ("savetool set -i a.json /gems 8 2>&- >&- <&-; cat a.json", #"{"gems": 8, "name": "Zoë"}"#),
        ])
    func closedStreams(_ line: String, _ output: String) throws {
        #expect(try Programs.outputOfShell(line, in: workspace.folder) == output)
    }

    struct ColorRow: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let isTerminal: Bool
        let environment: [String: String]
        let isColored: Bool
        var testDescription: String { "\(arguments) \(isTerminal) \(environment)" }
    }

    static let colorRows = [
        ColorRow(arguments: [], isTerminal: true, environment: [:], isColored: true),
        ColorRow(arguments: [], isTerminal: false, environment: [:], isColored: false),
        ColorRow(arguments: [], isTerminal: true, environment: ["NO_COLOR": "1"], isColored: false),
        ColorRow(arguments: [], isTerminal: true, environment: ["NO_COLOR": ""], isColored: true),
        ColorRow(arguments: ["--color=always"], isTerminal: false, environment: ["NO_COLOR": "1"], isColored: true),
        ColorRow(arguments: ["--color=never"], isTerminal: true, environment: [:], isColored: false),
    ]

    @Test(arguments: colorRows)
    func colour(_ row: ColorRow) {
        let result = workspace.run(
            ["inspect", "a.json"] + row.arguments, isTerminal: row.isTerminal, environment: row.environment)
        #expect(result.output.contains("\u{1B}[32m\"Zoë\"\u{1B}[0m") == row.isColored)
        #expect(result.output.contains("\u{1B}") == row.isColored)
    }

    @Test func readsStandardInputWithoutFileAndForDash() {
        for files in [[], ["-"]] {
            let result = workspace.run(["inspect", "-f", "flat"] + files, input: Array("[1]".utf8))
            #expect(result == Workspace.Result(status: 0, output: "/0 = 1\n"))
        }
        let result = workspace.run(["inspect"], input: Array("[1".utf8))
        #expect(result.status == 2)
        #expect(result.talk.hasPrefix("<stdin>:1:3: "))
    }
}
