import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests which text survives when text files are merged, and what is reported.
@Suite struct TextMergeTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func merge(_ base: String, _ ours: String, _ theirs: String, _ options: String...) throws
        -> Workspace.Result
    {
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] { try workspace.write(text, to: name) }
        return workspace.run(["merge", "base", "ours", "theirs"] + options)
    }

    static let merged: [(name: String, base: String, ours: String, theirs: String, result: String)] = [
        (
            "comments of both sides, in XML",
            "<plist>\n<dict>\n<key>a</key><integer>1</integer>\n<key>b</key><integer>2</integer>\n<key>c</key><integer>3</integer>\n</dict>\n</plist>\n",
            "<plist>\n<dict>\n<key>a</key><integer>0x10</integer><!-- x -->\n<key>b</key><integer>2</integer>\n<key>c</key><integer>3</integer>\n</dict>\n</plist>\n",
            "<plist>\n<dict>\n<key>a</key><integer>1</integer>\n<key>b</key><integer>2</integer>\n<!-- y -->\n<key>c</key><integer>4</integer>\n</dict>\n</plist>\n",
            "<plist>\n<dict>\n<key>a</key><integer>0x10</integer><!-- x -->\n<key>b</key><integer>2</integer>\n<!-- y -->\n<key>c</key><integer>4</integer>\n</dict>\n</plist>\n"
        ),
        (
            "only comments", "a = b;\nc = d;\ne = f;\n", "// x\na = b;\nc = d;\ne = f;\n",
            "a = b;\nc = d;\ne = f; // y\n", "// x\na = b;\nc = d;\ne = f; // y\n"
        ),
        (
            "numbers as they are spelled", "{\n\"a\": 1E2,\n\"b\": 0.50,\n\"c\": 1\n}",
            "{\n\"a\": 1E3,\n\"b\": 0.50,\n\"c\": 1\n}",
            "{\n\"a\": 1E2,\n\"b\": 0.50,\n\"c\": 12345678901234567890.123456789\n}",
            "{\n\"a\": 1E3,\n\"b\": 0.50,\n\"c\": 12345678901234567890.123456789\n}"
        ),
        (
            "lines that touch each other", "{ /* x */\n  a = 1;\n  b = 2;\n}\n", "{ /* x */\n  a = 5;\n  b = 2;\n}\n",
            "{ /* x */\n  a = 1;\n  b = 6; // y\n}\n", "{ /* x */\n  a = 5;\n  b = 6; // y\n}\n"
        ),
        (
            "a comment below a changed line", "{\n  a = 1;\n  // x\n  b = 2;\n}\n",
            "{\n  a = 5;\n  // x\n  b = 2;\n}\n",
            "{\n  a = 1;\n  // y\n  b = 2;\n}\n", "{\n  a = 5;\n  // y\n  b = 2;\n}\n"
        ),
        (
            "a comment that both changed", "{ /* x */\n  a = 1;\n  b = 2;\n}\n",
            "{ /* x */\n  a = 1; // z\n  b = 2;\n}\n", "{ /* x */\n  a = 1; // y\n  b = 2;\n}\n", ""
        ),
        (
            "line ends of the one and the other", "{\n  a = 1;\n  b = 2;\n  c = 3;\n}\n",
            "{\r\n  a = 1;\r\n  b = 2;\r\n  c = 4;\r\n}\r\n", "{\n  a = 5; // x\n  b = 2;\n  c = 3;\n}\n",
            "{\r\n  a = 5; // x\r\n  b = 2;\r\n  c = 4;\r\n}\r\n"
        ),
        (
            "a key that both bring in", "{\n  a = 1;\n  b = 2;\n  c = 3;\n}\n",
            "{\n  d = 4;\n  a = 1;\n  b = 2;\n  c = 3;\n}\n", "{\n  a = 1;\n  b = 2;\n  c = 3;\n  d = 4;\n}\n",
            "{\n  d = 4;\n  a = 1;\n  b = 2;\n  c = 3;\n}\n"
        ),
        (
            "equal comments of members that one or the other removed",
            "/* x */\n\"a\" = 1;\n\n/* x */\n\"b\" = 1;\n\n/* x */\n\"c\" = 1;\n",
            "/* x */\n\"b\" = 1;\n\n/* x */\n\"c\" = 1;\n", "/* x */\n\"a\" = 1;\n\n/* x */\n\"c\" = 1;\n",
            "/* x */\n\"c\" = 1;\n"
        ),
        (
            "a comment of theirs below an equal one that ours removed",
            "/* x */\n\"a\" = 1;\n\n/* x */\n\"b\" = 1;\n\n/* x */\n\"c\" = 1;\n",
            "/* x */\n\"b\" = 1;\n\n/* x */\n\"c\" = 1;\n",
            "/* x */\n\"a\" = 1;\n\n/* y */\n\"b\" = 1;\n\n/* x */\n\"c\" = 1;\n",
            "/* y */\n\"b\" = 1;\n\n/* x */\n\"c\" = 1;\n"
        ),
        (
            "a comment of theirs below an equal one that ours added",
            "/* x */\n\"a\" = 1;\n\n/* x */\n\"b\" = 1;\n",
            "/* x */\n\"a\" = 1;\n\n/* x */\n\"n\" = 1;\n\n/* x */\n\"b\" = 1;\n",
            "/* x */\n\"a\" = 1;\n\n/* y */\n\"b\" = 1;\n",
            "/* x */\n\"a\" = 1;\n\n/* x */\n\"n\" = 1;\n\n/* y */\n\"b\" = 1;\n"
        ),
        (
            "a value of ours and a comment of theirs on one line", "{ /* x */\n  a = 1;\n  b = 2;\n}\n",
            "{ /* x */\n  a = 5;\n  b = 2;\n}\n", "{ /* x */\n  a = 1; // y\n  b = 2;\n}\n",
            "{ /* x */\n  a = 5; // y\n  b = 2;\n}\n"
        ),
        (
            "digits of theirs beside a value of ours", #"{"a": 1, "b": 0.12345678901234567890123}"#,
            #"{"a": 3, "b": 0.12345678901234567890123}"#, #"{"a": 1, "b": 0.12345678901234567890124}"#,
            #"{"a": 3, "b": 0.12345678901234567890124}"#
        ),
        (
            "neither has a last line end", "{a = 1;\n\n// x\n\nb = 2;}", "{a = 3;\n\n// x\n\nb = 2;}",
            "{a = 1;\n\n// x\n\nb = 4;}", "{a = 3;\n\n// x\n\nb = 4;}"
        ),
    ]

    @Test(arguments: merged)
    func keepsText(name: String, base: String, ours: String, theirs: String, result: String) throws {
        let merged = try merge(base, ours, theirs)
        guard !result.isEmpty else {
            // A line cannot have both comments.
            #expect(merged.status == 1)
            #expect(
                merged.talk.hasPrefix("theirs:2: conflict: the comment \"// y\" from theirs cannot be kept\n")
            )
            return
        }
        #expect(merged == Workspace.Result(status: 0, output: result))
    }

    /// If lines conflict, the values on them are merged one by one into the text on our side.
    @Test func mergesValuesIfLinesConflict() throws {
        let result = try merge(
            "{ /* x */\n  a = 0x1;\n  b = 2; // y\n}\n", "{ /* x */\n  a = 5;\n  b = 2; // y\n}\n",
            "{ /* x */\n  a = 0x1;\n  b = 6; // y\n}\n")
        #expect(result == Workspace.Result(status: 0, output: "{ /* x */\n  a = 5;\n  b = 6; // y\n}\n"))
    }

    /// Values that theirs changed or added on conflicting lines are copied with their spelling and comments.
    static let copied: [(name: String, base: String, ours: String, theirs: String, result: String)] = [
        (
            "digits", #"{"a": 1, "b": 2.5}"#, #"{"a": 3, "b": 2.5}"#,
            #"{"a": 1, "b": 12345678901234567890.123456789}"#, #"{"a": 3, "b": 12345678901234567890.123456789}"#
        ),
        (
            "a real and an escaped string", #"{"a": 1, "b": 2}"#, #"{"a": 3, "b": 2}"#,
            #"{"a": 1, "b": 1.50, "c": ["\u0041\/", 1E2]}"#, #"{"a": 3, "b": 1.50, "c": ["\u0041\/", 1E2]}"#
        ),
        (
            "elements, and what is in dictionaries", #"{"l": [1, {"m": {"n": 1}}], "b": {}}"#,
            #"{"l": [5, {"m": {"n": 1}}], "b": {}}"#, #"{"l": [1, {"m": {"n": 1.0e1}}, 0.10], "b": {"c": 7e0}}"#,
            #"{"l": [5, {"m": {"n": 1.0e1}}, 0.10], "b": {"c": 7e0}}"#
        ),
        (
            "numbers and data of XML",
            "<plist><dict><key>a</key><integer>1</integer><key>b</key><integer>1</integer></dict></plist>",
            "<plist><dict><key>a</key><integer>2</integer><key>b</key><integer>1</integer></dict></plist>",
            "<plist><dict><key>a</key><integer>1</integer><key>b</key><integer>0x10</integer><key>c</key><real>0.50</real><key>d</key><data>\nAAEC\nAwQF\n</data></dict></plist>",
            "<plist><dict><key>a</key><integer>2</integer><key>b</key><integer>0x10</integer><key>c</key><real>0.50</real><key>d</key><data>\nAAEC\nAwQF\n</data></dict></plist>"
        ),
        (
            "members at the end of both", "{\n\ta = 1;\n}\n", "{\n\ta = 1;\n\td = 4; // ours\n}\n",
            "{\n\ta = 1;\n\te = 5; // theirs\n}\n", "{\n\ta = 1;\n\td = 4; // ours\n\te = 5; // theirs\n}\n"
        ),
        (
            "keys of XML below comments", "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>\n",
            "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n\t<!-- o -->\n\t<key>b</key>\n\t<true/>\n</dict>\n</plist>\n",
            "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n\t<!-- t -->\n\t<key>c</key>\n\t<true/>\n</dict>\n</plist>\n",
            "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n\t<!-- o -->\n\t<key>b</key>\n\t<true/>\n\t<!-- t -->\n\t<key>c</key>\n\t<true/>\n</dict>\n</plist>\n"
        ),
        (
            "strings below the same comment", "/* A */\n\"a\" = \"1\";\n",
            "/* A */\n\"a\" = \"1\";\n\n/* A */\n\"b\" = \"2\";\n",
            "/* A */\n\"a\" = \"1\";\n\n/* A */\n/* D */\n\"d\" = \"\\U0041\";\n",
            "/* A */\n\"a\" = \"1\";\n\n/* A */\n\"b\" = \"2\";\n\n/* A */\n/* D */\n\"d\" = \"\\U0041\";\n"
        ),
        (
            "a comment that the base has above another one", "{\n  a = 1;\n  // x\n  b = 2;\n}\n",
            "{\n  a = 1;\n  // x\n  b = 3;\n}\n", "{\n  a = 1;\n  // x\n  c = 0x3;\n  b = 2;\n}\n",
            "{\n  a = 1;\n  c = 0x3;\n  // x\n  b = 3;\n}\n"
        ),
        (
            "another indentation and other line ends", "{\n  a = 1;\n}\n", "{\r\n\ta = 1;\r\n\tb = 2;\r\n}\r\n",
            "{\n  a = 1;\n  // c\n  c = 3;\n}\n",
            "{\r\n\ta = 1;\r\n\tb = 2;\r\n\t// c\r\n\tc = 3;\r\n}\r\n"
        ),
    ]

    @Test(arguments: copied)
    func keepsTextOfNewValuesFromTheirs(
        name: String, base: String, ours: String, theirs: String, result: String
    ) throws {
        #expect(try merge(base, ours, theirs) == Workspace.Result(status: 0, output: result))
    }

    /// Digits beyond the precision of a real conflict if the values give no reason to change the number.
    @Test func unkeptDigitsConflict() throws {
        let (base, ours, theirs) = (
            #"{"a": 1, "b": 0.12345678901234567890123}"#, #"{"a": 3, "b": 0.12345678901234567890125}"#,
            #"{"a": 1, "b": 0.12345678901234567890124}"#
        )
        let refused = try merge(base, ours, theirs)
        #expect(refused.status == 1)
        #expect(
            refused.talk == """
                theirs:1: conflict: the number "0.12345678901234567890124" from theirs cannot be kept
                ours: 1 conflict, nothing written; use --allow-loss to drop the digits

                """)
        #expect(try merge(base, ours, theirs, "--allow-loss").output == ours)
        try workspace.write(try merge(base, ours, theirs, "-o", "x", "--conflicts", "-").output, to: "conflicts.json")
        let schema = TestFiles.fixtures.appending(path: "schemas/merge.schema.json").path(percentEncoded: false)
        #expect(workspace.run(["validate", "--schema", schema, "conflicts.json"]).status == 0)
    }

    @Test func ignoresDigitsOfValueThatRuleDrops() throws {
        let (base, theirs) = (#"{"a": 1, "b": 2}"#, #"{"a": 1, "b": 0.12345678901234567890124}"#)
        let result = try merge(base, #"{"a": 3, "b": 7}"#, theirs, "--rule", "/b=ours")
        #expect(result == Workspace.Result(status: 0, output: #"{"a": 3, "b": 7}"#))
    }

    @Test func keepsEncodingAndMarkOfOurs() throws {
        func bytes(_ text: String) -> Data {
            Data("\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        }
        let texts = [
            "base": "\"é\" = \"1\";\n/* x */\n\n\"b\" = \"1\";\n",
            "ours": "\"é\" = \"2\";\n/* x */\n\n\"b\" = \"1\";\n",
        ]
        for (name, text) in texts { try bytes(text).write(to: workspace.folder.appending(path: name)) }
        try workspace.write("\"é\" = \"1\";\n/* x */\n\n\"b\" = \"3\"; // y\n", to: "theirs")
        #expect(workspace.run(["merge", "base", "ours", "theirs", "-o", "result"]).status == 0)
        let merged = bytes("\"é\" = \"2\";\n/* x */\n\n\"b\" = \"3\"; // y\n")
        #expect(try workspace.bytes(of: "result") == Array(merged))
    }

    @Test func unkeptCommentConflicts() throws {
        let (base, ours, theirs) = ("{\n  a = 1; // x\n}\n", "{\n  a = 2; // z\n}\n", "{\n  a = 1; // \u{1B} y\n}\n")
        let refused = try merge(base, ours, theirs, "-o", "result")
        #expect(
            refused
                == Workspace.Result(
                    status: 1, output: "",
                    talk: """
                        theirs:2: conflict: the comment "// \\u001B y" from theirs cannot be kept
                        ours: 1 conflict, nothing written; use --allow-loss to drop the comments

                        """))
        #expect(!workspace.names.contains("result"))
        let told = try merge(base, ours, theirs, "-o", "result", "--conflicts", "-")
        #expect(told.output.contains(#"{"kind":"comment","side":"theirs","line":2,"comment":"// \u001b y"}"#))
        try workspace.write(told.output, to: "conflicts.json")
        let schema = TestFiles.fixtures.appending(path: "schemas/merge.schema.json").path(percentEncoded: false)
        #expect(workspace.run(["validate", "--schema", schema, "conflicts.json"]).status == 0)
        let allowed = try merge(base, ours, theirs, "--allow-loss")
        #expect(allowed.status == 0)
        #expect(allowed.output == ours)
        #expect(
            allowed.talk == "theirs:2: warning: the comment \"// \\u001B y\" from theirs cannot be kept\n")
    }

    /// Theirs removed the lines that the comment from ours belongs to.
    @Test func keepsCommentsOfOurs() throws {
        let result = try merge(
            "{\n  a = 1;\n  // x\n  b = 2;\n  c = 3;\n}\n", "{\n  a = 1;\n  // y\n  b = 2;\n  c = 3;\n}\n",
            "{\n  a = 1;\n  c = 3;\n}\n")
        #expect(result.status == 1)
        #expect(result.talk.hasPrefix("ours:3: conflict: the comment \"// y\" from ours cannot be kept\n"))
    }

    @Test func appliesRulesToTexts() throws {
        let (base, ours) = (
            "{\n  \"gems\": 5,\n  \"a\": 1,\n  \"b\":  2\n}\n", "{\n  \"gems\": 7,\n  \"a\": 1,\n  \"b\":  2\n}\n"
        )
        let theirs = "{\n  \"gems\": 5,\n  \"a\": 1,\n  \"b\":  3\n}\n"
        let (kept, summed) = (try merge(base, ours, theirs), try merge(base, ours, theirs, "--rule", "/gems=min"))
        #expect(kept.output == "{\n  \"gems\": 7,\n  \"a\": 1,\n  \"b\":  3\n}\n")
        #expect(summed.output == "{\n  \"gems\": 5,\n  \"a\": 1,\n  \"b\":  3\n}\n")
    }

    @Test func mergesGraphJSONByLines() throws {
        func graph(_ health: Int, _ name: String) -> String {
            "{ \"$archiver\": \"NSKeyedArchiver\", \"$classes\": {\"A\": [\"A\", \"NSObject\"]},\n  \"$top\": {\"root\":\n    {\"$class\": \"A\", \"health\":  \(health),\n\n"
                + "     \"more\": 0.50,\n\n     \"name\":  \"\(name)\"}}}\n"
        }
        let result = try merge(graph(1, "a"), graph(2, "a"), graph(1, "b"))
        #expect(result == Workspace.Result(status: 0, output: graph(2, "b")))
    }

    @Test func editsOursWithoutBase() throws {
        try workspace.write("{\n  a = 1; // x\n}\n", to: "ours")
        try workspace.write("{\n  a = 1; // x\n  b = 2;\n}\n", to: "theirs")
        let result = workspace.run(["merge", "--base", "none", "ours", "theirs"])
        #expect(result == Workspace.Result(status: 0, output: "{\n  a = 1; // x\n  b = 2;\n}\n"))
    }
}
