import Foundation
import SaveCodec
import SaveInspection
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests that names and messages are escaped in every report format, so that they cannot end a line, a property or an
/// element.
@Suite struct ReportTests {
    @Test func articleNamesEachFormat() throws {
        let article = TestFiles.package.appending(path: "Sources/SaveToolKit/SaveToolKit.docc/Checking.md")
        let text = String(decoding: try TestFiles.bytes(article), as: UTF8.self)
        for form in ReportFormat.allCases where form != .text {
            #expect(text.contains("`\(form)`") || text.contains(" \(form)`"))
        }
    }

    @Test(arguments: [
        ("plain é", "plain é", "plain é"), ("50%", "50%25", "50%25"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a:b,c", "a:b,c", "a%3Ab%2Cc"), ("%0A", "%250A", "%250A"), ("::error::", "::error::", "%3A%3Aerror%3A%3A"),
        ("\u{1B}]\u{85}\\\u{7F}🐉", "\\u001B]\\u0085\\\\u007F🐉", "\\u001B]\\u0085\\\\u007F🐉"),
    ])
    func workflowCommands(text: String, message: String, property: String) {
        #expect(GitHubReport.escaping(text, isProperty: false) == message)
        #expect(GitHubReport.escaping(text, isProperty: true) == property)
    }

    @Test(arguments: [
        ("a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"), ("\u{0}\u{1B}[31m", "\\u0000\\u001B[31m"),
        ("a\tb\nc\r", "a&#9;b&#10;c&#13;"), ("\u{FFFE}🐉", "\\uFFFE🐉"), ("]]>", "]]&gt;"),
        ("\u{9B}31m\u{202E}\\", "\\u009B31m\\u202E\\"),
    ])
    func markup(text: String, expected: String) {
        #expect(JUnitReport.escaping(text) == expected)
    }

    /// GitHub expects paths relative to the top folder of the repository.
    @Test func annotationPathsBeginAtTopOfRepository() throws {
        let workspace = try Workspace()
        func file(_ name: String) -> String? {
            workspace.run(["validate", "--format", "github", name]).output.split(separator: ",").first.map(String.init)
        }
        let below = workspace.folder.appending(path: "repository/saves/old")
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        for name in ["outside", "repository/saves/a", "repository/saves/old/b"] { try workspace.write("{", to: name) }
        workspace.enter("repository/saves")
        #expect(file("a") == "::error file=a")
        try FileManager.default.createDirectory(
            at: workspace.folder.appending(path: "repository/.git"), withIntermediateDirectories: false)
        #expect(file("a") == "::error file=saves/a")
        #expect(file(below.path + "/b") == "::error file=saves/old/b")
        #expect(file("../../outside") == "::error file=../../outside")
        workspace.enter(nil)
        workspace.enter("repository/saves/old")
        #expect(file("../a") == "::error file=saves/a")
    }

    // MARK: Addresses

    static let contexts: [(address: String?, path: String?, context: String)] = [
        (nil, nil, ""), ("", nil, "(root)"), ("", "", "(root)"), ("/", nil, "/"), ("/a", nil, "/a"), ("", "/a", "/a"),
        ("/a", "", "/a"),
        ("/a", "/b", "/a (/b)"), (nil, "/b", "/b"),
    ]

    @Test(arguments: contexts) func contextNamesAddresses(address: String?, path: String?, context: String) throws {
        let finding = Finding(
            Problem("x.y", "", address: address.flatMap(JSONPointer.init)), path: path.flatMap(JSONPointer.init))
        #expect(FindingLine.context(of: finding) == context)
    }

    private static func deep(_ count: Int, _ key: String) -> JSONPointer {
        JSONPointer(tokens: Array(repeating: Array(key.utf16), count: count))
    }

    /// A shortened address is the beginning of the full one, although only a part of it is formatted.
    @Test(arguments: [
        deep(0, ""), deep(1, "a"), deep(159, ""), deep(160, ""), deep(161, ""), deep(400, ""), deep(3, "é/~\u{1B}"),
        deep(80, "a"), deep(81, "a"), deep(1, String(repeating: "🐉", count: 1000)),
        deep(2, String(repeating: "x", count: 158)),
        deep(500, String(repeating: "x🐉", count: 50)), deep(1, String(repeating: "~", count: 400)),
        JSONPointer("/~=5/~#\(String(repeating: "7", count: 400))")!,
    ])
    func shortensLongAddressesInText(_ address: JSONPointer) {
        #expect(TruncatedText.address(address) == TruncatedText.line(address.description))
    }

    @Test(arguments: [
        (deep(0, ""), 0), (deep(1, String(repeating: "x", count: 4095)), 1),
        (deep(1, String(repeating: "x", count: 4096)), 0),
        (deep(512, "1234567"), 512), (deep(513, "1234567"), 512), (deep(100_000, ""), 4096),
    ])
    func limitsAddressesInMachineReports(_ address: JSONPointer, _ depth: Int) {
        let told = ReportedAddress(address)
        #expect(told.address == address.prefix(depth))
        #expect(told.isShortened == (depth < address.tokens.count))
    }

    @Test func marksShortenedAddresses() {
        let finding = Finding(Problem("x.y", "here", address: Self.deep(1, String(repeating: "x", count: 5000))))
        let file = FileVerdict(
            name: "a", verdict: .invalid, isExpected: false, format: .json, isArchive: false, findings: [finding],
            omitted: 0, counts: FindingCounts([finding]))
        #expect(Self.report(.json, [file]).contains(#""address":"","shortened":true,"#))
        #expect(Self.report(.ndjson, [file]).contains(#""address":"","shortened":true,"#))
        #expect(Self.report(.sarif, [file]).contains(#"{"fullyQualifiedName":"","properties":{"shortened":true}}"#))
    }

    @Test func junitReportsAtMostAHundredFindings() {
        let findings = (0..<1000).map { Finding(Problem("x.y", "number \($0)")) }
        let file = FileVerdict(
            name: "a", verdict: .invalid, isExpected: false, format: .json, isArchive: false, findings: findings,
            omitted: 5, counts: FindingCounts(findings))
        let lines = Self.report(.junit, [file]).split(separator: "\n").filter { $0.contains("a: ") }
        #expect(lines.count == 101)
        #expect(lines.last == "a: … and 905 more findings</failure></testcase>")
    }

    /// A file that is invalid as expected is a pass in every report for services.
    @Test func expectedFailuresPass() {
        let finding = Finding(Problem("x.y", "here"))
        let file = FileVerdict(
            name: "a", verdict: .invalid, isExpected: true, format: .json, isArchive: false, findings: [finding],
            omitted: 3, counts: FindingCounts([finding]))
        #expect(Self.report(.github, [file]).isEmpty)
        #expect(Self.report(.codequality, [file]) == "[\n]\n")
        #expect(Self.report(.sarif, [file]).contains(#""results":[\#n],"#))
        #expect(Self.report(.junit, [file]).contains(#"failures="0""#))
    }

    // MARK: Whole reports

    /// A name and a message with every character that some format escapes.
    private static let hostile = "a:b,%\n\"<&>\u{1B}]\u{1}é\u{FFFE}.plist"

    private static let files = [
        FileVerdict(
            name: hostile, verdict: .invalid, isExpected: false, format: .binary, isArchive: true,
            findings: [
                Finding(
                    Problem(
                        "x.y", "50% of a<b>", at: .byte(94),
                        address: JSONPointer(tokens: [Array(hostile.utf16), [0xD800]])),
                    path: .root),
                Finding(Problem("x.z", "here", severity: .warning, at: .line(3, column: 4))),
                Finding(Problem("x.i", "there", severity: .info)),
            ], omitted: 2, counts: FindingCounts()),
        FileVerdict(
            name: "gone", verdict: .unchecked, isExpected: false, format: nil, isArchive: false,
            findings: [Finding(Problem("validate.unreadable", hostile))], omitted: 0, counts: FindingCounts()),
        FileVerdict(
            name: "-", verdict: .valid, isExpected: true, format: .json, isArchive: false, findings: [], omitted: 0,
            counts: FindingCounts()),
    ]

    private static func report(
        _ format: ReportFormat, _ files: [FileVerdict] = files, settings: ReportSettings = ReportSettings(folder: "")
    ) -> String {
        var renderer = format.renderer(settings)
        var totals = ReportTotals()
        var output = ByteWriter()
        renderer.begin(to: &output)
        for file in files {
            totals.add(file)
            renderer.render(file, to: &output)
        }
        renderer.end(totals, to: &output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    @Test(arguments: [ReportFormat.json, .sarif, .codequality], [0, 3]) func reportsAreValidJSON(
        format: ReportFormat, count: Int
    )
        throws
    {
        let text = Self.report(format, Array(Self.files.prefix(count)))
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(format == .codequality ? (object as? [Any])?.count == 4 * count / 3 : object is [String: Any])
    }

    /// A rule has the texts of the article, and a link to the section with the finding.
    @Test func rulesExplainFindings() throws {
        let findings = [Finding(Problem("xml.truncated", "here")), Finding(Problem("schema.x-order", "here"))]
        let file = FileVerdict(
            name: "a", verdict: .invalid, isExpected: false, format: .json, isArchive: false, findings: findings,
            omitted: 0, counts: FindingCounts(findings))
        let text = Self.report(
            .sarif, [file], settings: ReportSettings(folder: "", helpURI: "https://example.com/Findings.md"))
        let parts = [
            #"{"id":"xml.truncated","name":"XmlTruncated","shortDescription":{"text":"An unclosed element."},"#,
            #""fullDescription":{"text":"XML: an unclosed element."},"#,
            #""helpUri":"https://example.com/Findings.md#xml","help":{"text":"#,
            #""The finding xml.truncated means: an unclosed element.\n\n"#,
            "The syntax and values of XML property lists, see the article XMLFormat. The location is a line and column.",
            #"","markdown":"#,
        ]
        #expect(text.contains(parts.joined()), "\(text)")
        #expect(
            text.contains(
                #""name":"SchemaXOrder","shortDescription":{"text":"A broken rule of a keyword, which ends the "#
                    + #"identifier: schema.minimum, schema.required, schema.x-order."}"#))
    }

    @Test func articleOfFindingsIsRead() {
        let article = FindingArticle(
            #"""
            ## A b

            First <doc:XMLFormat>,
            then.

            | identifier | meaning | example |
            |---|---|---|
            | `a.b` | error or warning: a `\|` b: c | `d …` |
            | `a.…-size` | one of `x`, `y` |  |

            Second.

            | identifier | meaning |
            |---|---|
            | `schema.…` | any |
            | `open.…` | any |
            """#)
        #expect(article.entries.map(\.id) == ["a.b", "a.…-size", "schema.…", "open.…"])
        let help = "The finding a.b means: a | b: c. Example: d …\n\nFirst the article XMLFormat, then."
        #expect(article.entry(for: "a.b")?.help(for: "a.b") == help)
        #expect(article.entry(for: "a.b")?.anchor == "a-b")
        #expect(article.entry(for: "open.q")?.introduction == "Second.")
        let known = ["a.b", "a.x-size", "a.y-size", "schema.minimum", "open.q"].filter(article.isKnown)
        #expect(known.count == 5)
        let unknown = ["a.c", "a.z-size", "schema.minimun", "b", "", "a.…-size"].filter(article.isKnown)
        #expect(unknown == [])
    }

    /// The help of a rule is read without the article around it.
    @Test func helpIsInSentences() {
        for entry in FindingArticle.compiled.entries {
            let help = entry.help(for: entry.id)
            #expect(help.hasPrefix("The finding \(entry.id) means: ") && help.hasSuffix("."), "\(help)")
            #expect(!entry.introduction.hasPrefix("<") && !entry.introduction.hasPrefix("See "), "\(help)")
            #expect(!help.contains(" above.") && !help.contains(" below."), "\(help)")
        }
    }

    /// GitLab hides all but one of several issues with the same fingerprint.
    @Test func fingerprintsAreUniqueAndIgnoreLines() {
        func fingerprints(line: Int) -> [Substring] {
            let findings = (0..<3).map { Finding(Problem("x.y", "here", at: .line(line + $0, column: 1))) }
            let file = FileVerdict(
                name: "a", verdict: .invalid, isExpected: false, format: .json, isArchive: false, findings: findings,
                omitted: 0, counts: FindingCounts(findings))
            return Self.report(.codequality, [file]).matches(of: /"fingerprint":"([0-9a-f]{64})"/).map(\.output.1)
        }
        #expect(Set(fingerprints(line: 1)).count == 3)
        #expect(fingerprints(line: 1) == fingerprints(line: 7))
    }

    @Test func everyLineIsValidJSON() throws {
        let lines = Self.report(.ndjson).split(separator: "\n")
        #expect(lines.count == 8)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            #expect((object as? [String: Any])?["type"] is String)
        }
    }

    @Test func annotationsTakeOneLine() {
        let lines = Self.report(.github).split(whereSeparator: \.isNewline)
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.hasPrefix("::") })
        #expect(lines[1].hasPrefix("::warning file=a%3Ab%2C%25%0A\"<&>"))
        #expect(lines[1].hasSuffix(",line=3,col=4,title=x.z::here"))
    }

    @Test func findingsTakeOneLine() {
        let lines = Self.report(.text).split(whereSeparator: \.isNewline)
        #expect(lines.count == 4)
        #expect(lines.last == "a:b,%\\n\"<&>\\u001B]\\u0001é\\uFFFE.plist: … and 2 more findings")
    }

    @Test func junitIsValidXML() throws {
        let text = Self.report(.junit)
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        #expect(text.contains("tests=\"3\" failures=\"1\" errors=\"1\""))
        let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0xFFFE }
        #expect(controls.isEmpty)
        #expect(text.components(separatedBy: "<testcase ").count == 4)
        #expect(text.components(separatedBy: "</testcase>").count == 4)
    }
}
