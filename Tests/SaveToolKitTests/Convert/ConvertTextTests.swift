import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests how `convert` treats the comments of a text file and numbers with many digits.
@Suite struct ConvertTextTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    static let commented: [(name: String, text: String, talk: String)] = [
        ("a.plist", "<!-- a --><plist><dict/></plist><!-- b -->\n", "a.plist: 2 comments dropped\n"),
        ("a.strings", "a = b; // c", "a.strings: 1 comment dropped\n"),
        ("a.strings", "/* a */\n", "a.strings: 1 comment dropped\n"), ("a.strings", "\n", ""),
        ("a.plist", "<plist><dict/></plist>", ""), ("a.json", "{\"/* a */\": 1}", ""),
    ]

    @Test(arguments: commented) func countsDroppedComments(name: String, text: String, talk: String) throws {
        try workspace.write(text, to: name)
        for target in ["binary", "json", "xml"] {
            let result = workspace.run(["convert", "--to", target, "-o", "result", name])
            #expect(result == Workspace.Result(status: 0, output: "", talk: talk))
        }
    }

    static let styled: [(text: String, options: [String])] = [
        ("<!-- a -->\r\n<plist><dict><key>a</key><integer>0x10</integer></dict></plist>", ["--to", "xml"]),
        ("<plist><dict><key>b</key><true></true><key>a</key><true/></dict></plist>", ["--to", "xml", "--keep-order"]),
        ("/* a */\r\n\"b\" = c;\r\n", ["--to", "openstep"]), ("{ a = <*I5>; /* b */ }", ["--to", "gnustep"]),
        ("{\r\n\t\"a\" : 1E2,\n\"b\": 12345678901234567890.123456789}", ["--to", "json"]),
        ("{\"a\":1E2,\"b\":\"\\u0041\"}\n", ["--to", "json", "--compact"]),
    ]

    @Test(arguments: styled) func keepsBytesOfFilesInTargetStyle(text: String, options: [String]) throws {
        try workspace.write(text, to: "file")
        #expect(workspace.run(["convert", "-i", "file"] + options) == Workspace.Result(status: 0, output: ""))
        #expect(try workspace.text(of: "file") == text)
    }

    static let restyled: [(text: String, options: [String], result: String)] = [
        ("<plist><dict><key>b</key><true/><key>a</key><true/></dict></plist>", ["--to", "xml"], "<key>a</key>"),
        ("{\"a\": 1}", ["--to", "json"], "{\n  \"a\": 1\n}\n"),
        ("{\n\"a\": 1}", ["--to", "json", "--compact"], "{\"a\":1}\n"),
        ("{\"b\":1,\"a\":2}", ["--to", "json", "--compact", "--sort-keys"], "{\"a\":2,\"b\":1}\n"),
        ("{b=1;a=2;}", ["--to", "openstep", "--sort-keys"], "{\n    a = 2;\n    b = 1;\n}\n"),
        ("{\n\"$savetool\": 1,\n\"value\": [1]}", ["--to", "json"], "[\n  1\n]\n"),
        ("{\n\"a\": 1}", ["--to", "json", "--exact"], "\"$savetool\": 1"),
    ]

    @Test(arguments: restyled) func writesRequestedStyle(text: String, options: [String], result: String) throws {
        try workspace.write(text, to: "file")
        #expect(workspace.run(["convert", "-i", "file"] + options).status == 0)
        let written = try workspace.text(of: "file")
        #expect(written != text)
        #expect(written.contains(result))
    }

    @Test func reportsLostDigits() throws {
        let text = "{\"a\": 0.1,\n \"é\": 12345678901234567890.123456789, \"b\": [1.5, 123456789.123456789123]}"
        try workspace.write(text, to: "a.json")
        let refused = workspace.run(["convert", "--to", "xml", "a.json"])
        #expect(refused.status == 2)
        #expect(refused.output == "")
        #expect(
            refused.talk == """
                a.json: not converted: xml cannot hold 2 numbers with too many digits for a real
                a.json:2:7: the number "12345678901234567890.123456789" would become 1.2345678901234567e+19
                a.json:2:50: the number "123456789.123456789123" would become 123456789.12345679
                a.json: use --allow-loss to write the nearest values

                """)
        let allowed = workspace.run(["convert", "--to", "json", "--compact", "--allow-loss", "a.json"])
        #expect(allowed.status == 0)
        #expect(allowed.output == "{\"a\":0.1,\"é\":1.2345678901234567e+19,\"b\":[1.5,123456789.12345679]}\n")
        #expect(allowed.talk.hasPrefix("a.json:2:7: warning: "))
    }

    // MARK: Nested saves as JSON in place of data

    /// A value that the JSON text has but the nested save's format cannot store is a loss of the conversion.
    @Test func rejectsLossesInNestedSaves() throws {
        try workspace.write(
            """
            {"a": [{"$xplist": {"n": null,
             "k": {"$dict": [["x", 1], ["x", 2]]}}}], "b": 1}
            """, to: "a.json")
        let losses = [
            ("a.json:1:26: ", "/a/0/n: ", #"XML has no null; it would become the string "$null""#),
            ("a.json:2:7: ", "/a/0/k: ", #"duplicate key "x"; only one value would be kept"#),
        ]
        let lines = losses.map { $0 + $1 + $2 }
        for target in ["binary", "xml", "json"] {
            let refused = workspace.run(["convert", "--to", target, "a.json"])
            #expect(refused.output == "" && refused.status == 2)
            #expect(
                refused.talk
                    == ([
                        "a.json: not converted: the nested save cannot hold 1 null and 1 dictionary with a duplicate key"
                    ]
                    + lines + ["a.json: use --allow-loss to write the nearest values"]).map { $0 + "\n" }.joined())
            let written = workspace.run(["convert", "--to", target, "--allow-loss", "-o", "b", "a.json"])
            #expect(written.status == 0)
            #expect(workspace.run(["get", "b", "/a/0/n"]).output == "$null\n")
        }
        // Commands that only read show the nearest value and warn.
        let warnings = losses.map { "\($0)warning: \($1)\($2)\n" }.joined()
        for (arguments, output) in [(["get", "a.json", "/b"], "1\n"), (["get", "a.json", "/a/0/n"], "$null\n")] {
            #expect(workspace.run(arguments) == Workspace.Result(status: 0, output: output, talk: warnings))
        }
        let findings = losses.map { "\($0)\($1)error: \($2)" }
        let checked = workspace.run(["validate", "a.json"])
        #expect(checked.status == 1)
        #expect(checked.output.hasPrefix("\(findings[0]) [loss.null]\n\(findings[1]) [loss.repeated-key]\n"))
    }

    @Test func warnsAboutForeignValuesInNestedSaves() throws {
        try workspace.write(
            #"{"a": {"$bplist": {"q": 123456789012345678901234567890, "n": [null]}}, "b": null}"#, to: "a.json")
        let result = workspace.run(["convert", "--to", "binary", "-o", "a.plist", "a.json"])
        #expect(result.status == 0)
        #expect(
            result.talk == """
                a.json: warning: /b: null is unknown to other property-list readers
                a.json:1:25: warning: /a/q: 123456789012345678901234567890 is an integer beyond 64 bits; other readers cannot represent it
                a.json:1:63: warning: /a/n/0: null is unknown to other property-list readers

                """)
        #expect(workspace.run(["convert", "--to", "json", "a.json"]).talk == "")
    }

    /// The error names `--max-work`, but only for limits that this option raises.
    @Test(.enabled(if: TestScale.isLong)) func limitErrorNamesOption() throws {
        let elements = String(repeating: "1,", count: 140_000) + "1"
        let deep = String(repeating: "[", count: 500) + elements + String(repeating: "]", count: 500)
        try workspace.write(#"{"in": {"$xplist": \#(deep)}}"#, to: "a.json")
        let result = workspace.run(["get", "a.json", "/x"])
        #expect(
            result.talk == """
                a.json:1:8: /in: the nested saves are far larger than the file
                a.json: if you trust the file, use --max-work N to multiply the limit by N

                """)
        try workspace.write(
            String(repeating: #"{"$bplist":"#, count: 65) + "1" + String(repeating: "}", count: 65), to: "a.json")
        let deeper = workspace.run(["get", "a.json", "/x"])
        #expect(deeper.talk == "a.json:1:705: saves are nested more than 64 levels deep\n")
    }

    /// A nested save that would be too large to read back is reported at the address of its data, not at a location in
    /// the intermediate JSON text, which the user never sees.
    @Test(.enabled(if: TestScale.isLong)) func unreadableNestedSaveHasAddress() throws {
        let elements = String(repeating: "<integer>1</integer>", count: 140_000)
        let (open, close) = ("<array>", "</array>")
        let deep = String(repeating: open, count: 500) + elements + String(repeating: close, count: 500)
        let base64 = Data("<plist>\(deep)</plist>".utf8).base64EncodedString()
        try workspace.write(#"{"in": {"$data": "\#(base64)"}}"#, to: "a.json")
        let result = workspace.run(["convert", "--to", "json", "--nested", "--compact", "a.json"])
        #expect(result.talk.hasPrefix("a.json: /in: the nested saves are far larger than the file\n"))
    }
}
