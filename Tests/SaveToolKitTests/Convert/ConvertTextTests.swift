import Testing

@testable import SaveToolKit

/// What becomes of the text of a file that is converted: its comments, and numbers with many digits.
@Suite struct ConvertTextTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    static let commented: [(name: String, text: String, talk: String)] = [
        ("a.plist", "<!-- a --><plist><dict/></plist><!-- b -->\n", "a.plist: 2 comments dropped\n"),
        ("a.strings", "a = b; // c", "a.strings: 1 comment dropped\n"),
        ("a.plist", "<plist><dict/></plist>", ""), ("a.json", "{\"/* a */\": 1}", ""),
    ]

    @Test(arguments: commented) func droppedCommentsAreCounted(name: String, text: String, talk: String) throws {
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

    @Test(arguments: styled) func whatHasTheStyleKeepsItsBytes(text: String, options: [String]) throws {
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

    @Test(arguments: restyled) func anotherStyleIsWritten(text: String, options: [String], result: String) throws {
        try workspace.write(text, to: "file")
        #expect(workspace.run(["convert", "-i", "file"] + options).status == 0)
        let written = try workspace.text(of: "file")
        #expect(written != text)
        #expect(written.contains(result))
    }

    @Test func digitsThatAreLostAreALoss() throws {
        let text = "{\"a\": 0.1,\n \"é\": 12345678901234567890.123456789, \"b\": [1.5, 123456789.123456789123]}"
        try workspace.write(text, to: "a.json")
        let refused = workspace.run(["convert", "--to", "xml", "a.json"])
        #expect(refused.status == 2)
        #expect(refused.output == "")
        #expect(
            refused.talk == """
                a.json:2:7: the number "12345678901234567890.123456789" would become 1.2345678901234567e+19
                a.json:2:50: the number "123456789.123456789123" would become 123456789.12345679
                a.json: not converted, as xml cannot hold 2 values; --allow-loss writes the nearest thing

                """)
        let allowed = workspace.run(["convert", "--to", "json", "--compact", "--allow-loss", "a.json"])
        #expect(allowed.status == 0)
        #expect(allowed.output == "{\"a\":0.1,\"é\":1.2345678901234567e+19,\"b\":[1.5,123456789.12345679]}\n")
        #expect(allowed.talk.hasPrefix("a.json:2:7: warning: "))
    }
}
