import Foundation
import SaveCodec
import Testing

@testable import SaveToolKit

/// Tests the output of `savetool diff` on a terminal.
@Suite struct DifferenceTerminalTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.write(
            #"{"a": {"x": 1.5, "u": 1, "v": 2, "w": 3, "y": 2, "name": "the quick fox"}, "list": [1, 2, 3], "s": "e"}"#,
            to: "a.json")
        try workspace.write(
            #"{"a": {"x": 1.25, "u": 1, "v": 2, "w": 3, "z": 2, "name": "the slow fox"}, "list": [3, 1, 2], "s": 5}"#,
            to: "b.json")
    }

    private func diff(_ options: String..., columns: Int = 80, environment: [String: String] = [:]) -> String {
        workspace.run(
            ["diff"] + options + ["a.json", "b.json"], isTerminal: true,
            size: TerminalSize(columns: columns, rows: 1000), environment: environment
        ).output
    }

    @Test func groupsByContainer() {
        #expect(
            diff("--no-color") == """
                /a
                  ~ x: 1.5 → 1.25
                  - y: 2
                  + z: 2
                  ~ name: "the quick fox" → "the slow fox"
                /list
                  > 2 → 0: 3
                (root)
                  ~ s: type string → integer: "e" → 5

                6 changes: 1 added, 1 removed, 2 changed, 1 type changed, 1 moved

                """)
    }

    @Test func emphasizesChangedWords() {
        let shown = diff()
        #expect(shown.contains("x: \u{1B}[31m1.5\u{1B}[0m → \u{1B}[32m1.25\u{1B}[0m\n"))
        #expect(
            shown.contains(
                "name: \u{1B}[31m\"the \u{1B}[0m\u{1B}[7;31mquick\u{1B}[0m\u{1B}[31m fox\"\u{1B}[0m → "
                    + "\u{1B}[32m\"the \u{1B}[0m\u{1B}[7;32mslow\u{1B}[0m\u{1B}[32m fox\"\u{1B}[0m\n"))
    }

    @Test func showsNeighbours() {
        #expect(
            diff("--no-color", "-U", "1", "--only", "/list").contains(
                "/list\n  > 2 → 0 (1:91 → 1:85): 3\n    1 (1:88): 1\n"))
    }

    /// Lines break between words, and the rest is indented.
    @Test func breaksLinesBetweenWords() {
        let plain = diff("--no-color", columns: 30)
        #expect(plain.contains("\n  ~ name: \"the quick fox\" →\n      \"the slow fox\"\n"))
        #expect(plain.contains("\n  ~ s: type string → integer:\n      \"e\" → 5\n"))
        let colors = /\u{1B}\[[0-9;]*m/
        #expect(diff(columns: 30).replacing(colors, with: "") == plain)
    }

    @Test(arguments: [
        ("short", 20, "short"), ("aaaa bbbb cccc", 10, "aaaa bbbb\n  cccc"),
        ("aaaabbbbccccdddd e", 10, "aaaabbbbccccdddd\n  e"),
        ("\u{1B}[31maaaa bbbb\u{1B}[0m cccc", 10, "\u{1B}[31maaaa bbbb\u{1B}[0m\n  cccc"),
        ("日本語 日本語", 10, "日本語\n  日本語"),
        ("a b", 2, "a b"), ("  ~ a: 123456 → 123457", 12, "  ~ a:\n  123456 →\n  123457"),
    ])
    func brokenLines(line: String, columns: Int, expected: String) {
        #expect(TerminalLines.broken(line, columns: columns, indentation: 2) == expected)
    }

    /// The output for programs has one line per change.
    @Test func pipeHasWholeAddresses() {
        let result = workspace.run(["diff", "a.json", "b.json"], environment: ["COLUMNS": "30"])
        #expect(result.output.hasPrefix("~ /a/x: 1.5 → 1.25\n- /a/y: 2\n"))
        #expect(!result.output.contains("changes"))
    }

    @Test func foldersHaveNoClosingLines() throws {
        for (folder, file) in [("old", "a.json"), ("new", "b.json")] {
            let text = try workspace.text(of: file)
            try FileManager.default.createDirectory(
                at: workspace.folder.appending(path: folder), withIntermediateDirectories: false)
            try workspace.write(text, to: folder + "/slot.json")
        }
        let shown = workspace.run(["diff", "--no-color", "old", "new"], isTerminal: true).output
        #expect(!shown.contains("6 changes"))
    }

    @Test func validateIndentsBrokenLines() throws {
        try workspace.write(#"{"a": 1, "a": 2}"#, to: "twice.json")
        let shown = workspace.run(
            ["validate", "--no-color", "twice.json"], isTerminal: true, size: TerminalSize(columns: 40, rows: 50)
        ).output
        #expect(shown.contains("\n    "))
        #expect(shown.replacing("\n    ", with: " ").hasPrefix("twice.json:1:"))
    }
}
