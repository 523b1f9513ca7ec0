import SaveCodec
import Testing

@testable import SaveToolKit

/// Tests that terminal output has no active characters, fits the width, and reports what is left out.
@Suite struct ScreenTests {
    private let workspace: Workspace
    private static let size = TerminalSize(columns: 40, rows: 50)

    init() throws {
        workspace = try Workspace()
    }

    private static func tags(_ count: Int) -> String { String(repeating: "\u{E0061}", count: count) }

    private static func shownTags(_ count: Int) -> String { String(repeating: #"\uDB40\uDC61"#, count: count) }

    private func shown(_ arguments: [String], size: TerminalSize = size) -> String {
        workspace.run(arguments + ["--no-color"], isTerminal: true, size: size).output
    }

    @Test(
        arguments: [
            ("a\u{202E}b", nil, #"a\u202Eb"#), ("a\u{202E}b\u{2028}", .xml, "a&#x202E;b&#x2028;"),
            ("\u{9B}2J\u{85}é\u{D8}\u{61C}", .json, #"\u009B2J\u0085éØ\u061C"#),
            ("\u{1B}[1mx\u{1B}[0m", nil, "\u{1B}[1mx\u{1B}[0m"),
            ("\u{1B}[8mx\u{1B}[1;\u{1B}[31m\u{1B}", nil, "\\u001B[8mx\\u001B[1;\u{1B}[31m\\u001B"),
            ("// \u{1B}[2J", .json, #"// \u001B[2J"#),
            ("a\r\nb\rc\r", .openStep, "a\r\nb\\u000Dc\\u000D"), ("勇者 👩‍👩‍👧\t…\n", nil, "勇者 👩‍👩‍👧\t…\n"),
            ("a\u{AD}\u{200B}\u{2060}\u{FEFF}b", .json, #"a\u00AD\u200B\u2060\uFEFFb"#),
            ("a\u{200D}b \u{E0041}", .json, #"a\u200Db \uDB40\uDC41"#), ("\u{E0001}", .xml, "&#xE0001;"),
            ("❤️‍🔥 🏴\u{E0067}\u{E0062}\u{E007F}\u{E0062}", nil, "❤️‍🔥 🏴\u{E0067}\u{E0062}\u{E007F}\\uDB40\\uDC62"),
            ("👩\u{200D}x 👩\u{200D}", .json, #"👩\u200Dx 👩\u200D"#), ("👩\u{200D}\u{200D}👧", nil, #"👩\u200D\u200D👧"#),
            ("🏴\u{E0067}x 🏴\u{E0067}é", .xml, "🏴&#xE0067;x 🏴&#xE0067;é"),
            ("🏴" + tags(7), nil, "🏴" + shownTags(7)), ("🏴" + tags(6) + "\u{E007F}", nil, "🏴" + tags(6) + "\u{E007F}"),
            ("a\u{180E}\u{206A}\u{110BD}\u{1D173}", nil, #"a\u180E\u206A\uD804\uDCBD\uD834\uDD73"#),
            ("\u{3164}\u{34F}\u{FE00}x\u{FE0F}", .json, #"\u3164\u034F\uFE00x\uFE0F"#),
            ("1\u{FE0F}\u{20E3} 1\u{FE0F} ©\u{FE0F}", nil, "1\u{FE0F}\u{20E3} 1\\uFE0F ©\u{FE0F}"),
            ("❤\u{FE0F}\u{FE0F}", nil, "❤\u{FE0F}\\uFE0F"),
            ("🏴" + tags(6), .json, "🏴" + shownTags(6)), ("🏴" + tags(1) + "日", .json, "🏴" + shownTags(1) + "日"),
        ] as [(String, Format?, String)])
    func escapesActiveCharacters(_ text: String, _ format: Format?, _ shown: String) {
        for size in [1, 2, 100] {
            #expect(Self.filtered(Array(text.utf8), format, piecesOf: size) == Array(shown.utf8))
        }
    }

    /// A byte that is not part of a character may be a C1 control in another encoding. `C3 9B` is `Û`.
    @Test(
        arguments: [
            ([0x9B, 0x32, 0x4A], #"\u009B2J"#), ([0xC3, 0x9B, 0x9B, 0x41], #"Û\u009BA"#),
            ([0xE3, 0x81, 0x82, 0x85], #"あ\u0085"#), ([0xC3, 0xA9, 0xF0, 0x9F, 0x8E, 0xAE], "é🎮"),
            ([0x80, 0x9F], #"\u0080\u009F"#),
        ] as [([UInt8], String)])
    func strayBytes(_ bytes: [UInt8], _ shown: String) {
        for size in [1, 2, 100] { #expect(Self.filtered(bytes, nil, piecesOf: size) == Array(shown.utf8)) }
    }

    private static func filtered(_ bytes: [UInt8], _ format: Format?, piecesOf size: Int) -> [UInt8] {
        var filter = ActiveTextFilter(for: format, isColored: format == nil)
        var output = ByteWriter()
        var rest = bytes[...]
        while !rest.isEmpty {
            filter.write(Array(rest.prefix(size)).span, to: &output)
            rest = rest.dropFirst(size)
        }
        filter.finish(to: &output)
        return output.takeBytes()
    }

    @Test func textsOfFiles() throws {
        try workspace.write("{\"a\": \"x\u{202E}\", /* \u{1B}[2J */ \"b\": [\"\u{9B}\"]}", to: "a.json")
        for arguments in [
            ["convert", "--to", "json", "a.json"], ["convert", "--to", "xml", "a.json"], ["inspect", "a.json"],
            ["inspect", "-f", "flat", "a.json"], ["inspect", "-f", "json", "a.json"], ["get", "a.json", "/b"],
            ["get", "-f", "xml", "a.json", "/a"], ["set", "a.json", "/a", "1"], ["diff", "a.json", "/dev/null"],
        ] {
            let output = shown(Array(arguments)).unicodeScalars
            #expect(!output.contains { $0 != "\n" && $0 != "\t" && SafeText.isActive($0) }, "\(arguments)")
        }
    }

    /// git reads the output through a pipe and then shows it.
    @Test func textconvIsSafeInPipes() throws {
        try workspace.write(#"{"a": "x\u202e\u200b\u00ad\ufeff", "b": "👩‍👩‍👧"}"#, to: "a.json")
        #expect(workspace.run(["convert", "--to", "binary", "a.json", "-o", "a.plist"]).status == 0)
        let output = workspace.run(["textconv", "a.plist"]).output
        #expect(output.contains(#""x\u202E\u200B\u00AD\uFEFF""#) && output.contains("👩‍👩‍👧"), "\(output)")
    }

    /// Flat lines in a pipe often end in a pager. They are read back with the same values.
    @Test func flatLinesAreSafeInPipes() throws {
        let text = #"{"a": "x\u202e\u2066\u00ad\ufff9\udb40\udc41", "b\u180e": "👩‍👩‍👧 1️⃣"}"#
        try workspace.write(text, to: "a.json")
        let lines = workspace.run(["inspect", "-f", "flat", "a.json"]).output
        #expect(lines.contains(#"/a = "x\u202E\u2066\u00AD\uFFF9\uDB40\uDC41""#), "\(lines)")
        #expect(lines.contains("👩‍👩‍👧 1️⃣") && !lines.unicodeScalars.contains("\u{180E}"), "\(lines)")
        try workspace.write(lines, to: "lines")
        #expect(workspace.run(["convert", "--from", "flat", "--to", "json", "lines", "-o", "b.json"]).status == 0)
        #expect(workspace.run(["diff", "a.json", "b.json"]).status == 0)
    }

    @Test func limitsLinesToTerminalWidth() throws {
        try workspace.write(
            #"{"name": "Lorem ipsum dolor sit amet, consectetur", "日本語のとても長いキーの名前です、はい": "勇者ああああああああ", "#
                + #""list": [{"a": 1, "b": "a string of some length"}, {"a": 2, "b": "x"}], "deep": {"er": {"x": 1}}}"#,
            to: "a.json")
        #expect(
            shown(["inspect", "a.json"]) == """
                JSON, dictionary with 4 keys, 244 bytes
                ├─ name: "Lorem ipsum dolor sit amet, c…
                ├─ 日本語のとても長いキ…: "勇者ああああ…
                ├─ list: array, 2 elements
                │  ├─ 0: dictionary, 2 keys
                │  │  ├─ a: 1
                │  │  └─ b: "a string of some length"
                │  └─ 1: {a: 2, b: "x"}
                └─ deep: dictionary, 1 key
                   └─ er: dictionary, 1 key
                      └─ x: 1

                """)
        for columns in [33, 80] {
            let lines = shown(["inspect", "a.json"], size: TerminalSize(columns: columns, rows: 50)).split(
                separator: "\n")
            #expect(lines.allSatisfy { DisplayWidth.width(of: String($0)) <= columns }, "\(columns)")
        }
    }

    @Test(
        arguments: [
            ("abc", 3), ("勇者", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤️", 2), ("🇩🇪", 2), ("👍🏽", 2), ("1️⃣", 2),
            ("각", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("ﾊﾝ", 2), ("ＡＢ", 4), ("→…", 2),
        ])
    func width(_ text: String, _ width: Int) {
        #expect(DisplayWidth.width(of: text) == width)
        #expect(DisplayWidth.fit(text, to: width) == text)
        #expect(DisplayWidth.fit(text + text + text, to: width + 1) == text + "…")
    }

    @Test func reportsOmissions() throws {
        let list = (0..<60).map { #"{"list": [[\#($0)]]}"# }.joined(separator: ", ")
        try workspace.write(#"{"few": 1, "a b": [\#(list)]}"#, to: "a.json")
        let tree = workspace.run(["inspect", "a.json"]).output
        #expect(tree.hasSuffix("   └─ … 48 more\n… at least 48 more rows: --at '/a b', --all\n"))
        #expect(!workspace.run(["inspect", "--all", "a.json"]).output.contains("…"))
        #expect(!workspace.run(["inspect", "--limit", "3", "a.json"]).output.contains("at least"))
    }
}
