import TestSupport
import Testing

@testable import SaveToolKit

/// Tests how `textconv` shows text files.
@Suite struct SourceLinesTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    static let shown: [(text: String, lines: String)] = [
        ("{\n\ta = \"b\\n\\u00e9é😀\"; // c\r\n}", "{\n\ta = \"b\\n\\u00e9é😀\"; // c\r\n}"),
        (
            "<plist>\n<!-- a -->\n<integer>0x10</integer></plist>\n",
            "<plist>\n<!-- a -->\n<integer>0x10</integer></plist>\n"
        ),
        ("\u{FEFF}a = b;", "\\uFEFFa = b;"),
        ("a = \"\u{1B}[2J\u{202E}\u{7F}\u{85}\";", "a = \"\\u001B[2J\\u202E\\u007F\\u0085\";"),
        ("a = \"\\u001B\\\\u001Bx\\\\\";", "a = \"\\\\u001B\\\\\\\\u001Bx\\\\\";"),
        ("a = \"\\\u{1B}\";", "a = \"\\\\\\u001B\";"),
        ("a = \"\u{10FFFF}\rb\";\n", "a = \"\\uDBFF\\uDFFF\\u000Db\";\n"),
    ]

    @Test(arguments: shown) func showsSourceLines(text: String, lines: String) throws {
        try workspace.write(text, to: "file")
        #expect(workspace.run(["textconv", "file"]) == Workspace.Result(status: 0, output: lines))
    }

    @Test func showsOtherEncodingsInUTF8() throws {
        let text = "\u{FEFF}\"é\" = \"b\"; // c\n"
        let bytes = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let result = workspace.run(["textconv", "-"], input: bytes)
        #expect(result.output == "\\uFEFF\"é\" = \"b\"; // c\n")
    }

    static let values = [
        "{\"a\": \"\(String(repeating: "x", count: 400))\"}", "{\n\n{",
        #"{"$archiver": "NSKeyedArchiver", "$top": {"root": null}}"#,
    ]

    @Test(arguments: values) func showsOtherFilesAsValues(text: String) throws {
        try workspace.write(text, to: "file")
        let output = workspace.run(["textconv", "file"]).output
        let beginnings = ["property list, dictionary\n", "not read: ", "keyed archive, "]
        #expect(beginnings.contains(where: output.hasPrefix))
    }

    @Test func showsRawFilesAsValues() throws {
        try workspace.write("a = b;", to: "file")
        #expect(workspace.run(["textconv", "--raw", "file"]).output == "property list, dictionary\na: \"b\"\n")
    }

    /// Different texts never look the same.
    @Test func differentTextsLookDifferent() throws {
        var texts: [String: String] = [:]
        let pieces = ["\\", "u001B", "u001b", "\u{1B}", "x", "\\u001B"]
        for number in 0..<7776 {
            var (rest, text) = (number, "")
            for _ in 0..<5 {
                text += pieces[rest % 6]
                rest /= 6
            }
            let shown = workspace.run(["textconv", "-"], input: Array("{a = b;} // \(text)".utf8)).output
            let other = texts.updateValue(text, forKey: shown)
            #expect(other == nil || other == text, "\(text)")
        }
    }

    @Test func takesLinearTime() throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(1 << 18, long: 1 << 20)) { size in
            let text =
                Array("{a = b;} //\n".utf8) + Array(String(repeating: "//\\\\\\\\\\u\\\u{1B}\n", count: size / 12).utf8)
            let workspace = workspace
            return { _ = workspace.run(["textconv", "-"], input: text) }
        }
        #expect(isLinear)
    }
}
