import Foundation
import SaveCodec
import Testing

@testable import SaveToolKit

/// Tests that a page runs only its own script and never content of a file.
@Suite struct PageTests {
    @Test(arguments: [
        (PageScript.text, PageScript.hash), (ListScript.text, ListScript.hash), (PageStyle.text, PageStyle.hash),
    ])
    func hashMatchesScript(_ text: String, _ hash: String) {
        #expect(SHA256.base64(Array(text.utf8)) == hash)
    }

    @Test func hashIsSHA256() {
        #expect(SHA256.base64(Array("abc".utf8)) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }

    @Test func scriptDoesNotEndItsElement() {
        for script in [PageScript.text, ListScript.text] {
            #expect(!script.contains("</"))
            #expect(!script.contains("innerHTML"))
        }
        #expect(!PageStyle.text.contains("<"))
    }

    @Test(arguments: [
        (#"["</script><!--&"]"#, #"["\u003C/script\u003E\u003C!--\u0026"]"#), ("<", #"\u003C"#), ("", ""), ("é", "é"),
        ("\u{202E}\u{2028}\u{61C}", #"\u202E\u2028\u061C"#),
    ])
    func escaping(_ json: String, _ expected: String) {
        var output = ByteWriter()
        TreePage.write(Array(json.utf8), to: &output)
        #expect(String(decoding: output.takeBytes(), as: UTF8.self) == expected)
    }

    @Test func escapesHostileStrings() throws {
        let workspace = try Workspace()
        try workspace.write(
            #"{"\#u{202E}</script><b>": "<!-- \u202e \u0001 \ud800 \u2028 &amp; <img src=x>"}"#, to: "a.json")
        let result = workspace.run(["inspect", "-f", "html", "a.json"])
        #expect(result.status == 0)
        let data = try #require(result.output.split(separator: "id=\"data\">\n", maxSplits: 1).last)
        let rows = try #require(data.firstRange(of: "</script>\n<script>"))
        let text = data[..<rows.lowerBound]
        #expect(!text.contains { "<>&".contains($0) })
        #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{2028}" || $0 == "\u{1}" })
        #expect(text.contains(#"[1,"\\u202E\u003C/script\u003E\u003Cb\u003E","#))
        #expect(workspace.run(["inspect", "-f", "html", "a.json"]) == result)
    }

    private static func data(_ page: String) -> [Substring] {
        let start = page.components(separatedBy: "id=\"data\">\n").last ?? ""
        return (start.components(separatedBy: "</script>").first ?? "").split(separator: "\n")
    }

    private static let endOfFriends: Substring = #"""
        ],"about":"binary keyed archive by NSKeyedArchiver, 2 roots, 8 objects, 570 bytes; 2 Foo, 1 Bar","sizes":[\#
        ["Foo",2,24,true],["NSMutableArray",1,15,true],["Bar",1,9,true],["string",2,7,true],["integer",2,4,true],\#
        ["(field names)",16,122,false],["(class records)",3,106,false]]
        """#

    @Test func rowsOfAPage() throws {
        let workspace = try Workspace(fixtures: ["games", "bad"])
        workspace.enter("Fixtures/games")
        let shown = workspace.run(["inspect", "-f", "html", "--at", "/mybar/foos", "friends.save"]).output
        #expect(
            Self.data(shown).dropFirst().map { $0.prefix { $0 != "}" } } == [
                #"[0,"","NSMutableArray, 3 elements","plain","/mybar/foos"],"#,
                #"[1,"0","Foo, 2 fields","plain","/0"],"#, #"[2,"name","\"Me\"","string","/name"],"#,
                #"[2,"age","42","number","/age"],"#, #"[1,"1","Foo, 2 fields","plain","/1"],"#,
                #"[2,"name","\"Sam\"","string","/name"],"#, #"[2,"age","37","number","/age"],"#,
                #"[1,"2","→ Foo, 2 fields","note","/2","/mybar/foos/0"]"#,
                Self.endOfFriends,
            ])
        let preferences = ["inspect", "-f", "html", "preferences.plist", "--defaults", "defaults.plist"]
        #expect(workspace.run(preferences).output.contains(#"[1,"gems","340  (default: 0)","number","/gems"]"#))
    }

    /// The lines between the title and the script.
    private static func contents(_ page: String) -> [Substring] {
        let main = page.components(separatedBy: "<main>\n").last ?? ""
        return (main.components(separatedBy: "<script>").first ?? "").split(separator: "\n")
    }

    @Test func pageOfDifferences() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": 1, "b": 2, "c": {"</b>": "the old <b>", "k": 1}}"#, to: "a.json")
        try workspace.write(#"{"a": 3, "c": {"</b>": "the new <b>", "k": 1}, "d": 0}"#, to: "b.json")
        let page = workspace.run(["diff", "-f", "html", "a.json", "b.json"]).output
        #expect(page.contains("<h1><bdi>a.json → b.json</bdi></h1>\n<p>4 changes: 1 added, 1 removed, 2 changed</p>\n"))
        #expect(page.contains("<label><input type=\"checkbox\" value=\"changed\" checked> 2 changed</label>\n"))
        let lines = Self.contents(page)
        #expect(lines.first == #"<details open><summary><bdi class="key">(root)</bdi></summary>"#)
        #expect(
            lines.contains(
                #"<li data-kind="changed"><bdi class="changed">~</bdi>\#u{A0}<bdi class="key">a</bdi>: "#
                    + "<del><bdi>1</bdi></del> → <ins><bdi>3</bdi></ins></li>"))
        #expect(
            lines.contains {
                $0.contains(#"<bdi class="key">&lt;<wbr>/b&gt;</bdi>: "#)
                    && $0.hasSuffix(
                        "<del><bdi>&quot;the <mark>old</mark> &lt;b&gt;&quot;</bdi></del> → "
                            + "<ins><bdi>&quot;the <mark>new</mark> &lt;b&gt;&quot;</bdi></ins></li>")
            }, "\(lines)")
        #expect(workspace.run(["diff", "-f", "html", "a.json", "a.json"]).output.contains("<p>no changes</p>"))
    }

    /// Excerpts of two long strings end at the same place, so that no cut word seems to differ. The row can be opened to
    /// show both strings.
    @Test func longTextsOfDifferences() throws {
        let workspace = try Workspace()
        let words = (0..<40).map { "word\($0)" }.joined(separator: " ")
        try workspace.write("{\"a\": \"\(words) old \(words)\"}", to: "a.json")
        try workspace.write("{\"a\": \"\(words) newer \(words)\"}", to: "b.json")
        let page = workspace.run(["diff", "-f", "html", "a.json", "b.json"]).output
        let row = try #require(Self.contents(page).first { $0.contains("data-kind") })
        #expect(row.components(separatedBy: "<mark>").count == 3, "\(row)")
        #expect(row.contains("<mark>old</mark>") && row.contains("<mark>newer</mark>"))
        #expect(row.contains("<details class=\"tree\"><summary>"))
        #expect(page.contains("<li><del><bdi>&quot;\(words) old \(words)&quot;</bdi></del></li>\n"))
    }

    /// If many changes refer to one long string, all rows are written, and the first ones can be opened.
    @Test func sharedLongTexts() throws {
        let workspace = try Workspace()
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let keys = 0..<20_000
        for (file, character) in [("a.plist", "&"), ("b.plist", "<")] {
            // A dictionary of 20,000 references to a string of 2,000 characters, the keys, the offsets, and the trailer.
            var plist = Array("bplist00".utf8) + [0xDF, 0x11] + bytes(keys.count, 2)
            plist += keys.flatMap { bytes($0 + 2, 2) } + keys.flatMap { _ in bytes(1, 2) }
            plist += [0x5F, 0x11, 0x07, 0xD0] + Array(String(repeating: character, count: 2000).utf8)
            plist += keys.flatMap { [0x56] + Array("k\(10_000 + $0)".utf8) }
            plist += bytes(8, 4) + bytes(80_012, 4) + keys.flatMap { bytes(82_016 + 7 * $0, 4) }
            plist += [0, 0, 0, 0, 0, 0, 4, 2] + bytes(20_002, 8) + bytes(0, 8) + bytes(222_016, 8)
            try Data(plist).write(to: workspace.folder.appending(path: file))
        }
        let result = workspace.run(["diff", "-f", "html", "a.plist", "b.plist"])
        #expect(result.status == 1 && result.talk.isEmpty, "\(result.talk)")
        let count = result.output.components(separatedBy: "data-kind=\"changed\"").count - 1
        #expect(count == keys.count)
        let hasDetails = result.output.contains("<details class=\"tree\">")
        #expect(hasDetails)
    }

    /// The neighbours between two changes are in one row. A page has a limited number of them.
    @Test func neighboursOfDifferences() throws {
        let workspace = try Workspace()
        let values = (0..<4000).map { "\"k\($0)\": \($0)" }
        try workspace.write("{\(values.joined(separator: ", "))}", to: "a.json")
        try workspace.write(
            "{\(values.enumerated().map { $0 % 3 == 1 ? $1 + "0" : $1 }.joined(separator: ", "))}", to: "b.json")
        let page = workspace.run(["diff", "-f", "html", "a.json", "b.json"]).output
        #expect(page.contains("<button type=\"button\" class=\"context\">Show unchanged</button>\n"))
        let lines = Self.contents(page)
        let row = try #require(lines.firstIndex { $0 == #"<li class="near"><details><summary>2 unchanged</summary>"# })
        let change =
            #"<li data-kind="changed"><bdi class="changed">~</bdi>\#u{A0}<bdi class="key">k1</bdi>: "#
            + "<del><bdi>1</bdi></del> → <ins><bdi>10</bdi></ins></li>"
        #expect(lines[row - 1] == change)
        let rest: [Substring] = [
            "<ul>", #"<li><bdi class="key">k2</bdi>: <bdi>2</bdi></li>"#,
            #"<li><bdi class="key">k3</bdi>: <bdi>3</bdi></li>"#, "</ul></details></li>",
        ]
        #expect(Array(lines[(row + 1)..<(row + 5)]) == rest)
        #expect(lines.count { $0.hasPrefix(#"<li data-kind="changed">"#) } == 1333)
        #expect(lines.count { $0.hasPrefix("<li><bdi") } == 1000)
        let none = workspace.run(["diff", "-f", "html", "-U", "0", "a.json", "b.json"]).output
        #expect(!none.contains("unchanged</summary>") && !none.contains("Show unchanged</button>"))
    }

    /// The number of unchanged values counts those that the page leaves out, and lines mark their places.
    @Test func unchangedValuesAreCounted() throws {
        let workspace = try Workspace()
        try workspace.write("[\((0..<40).map { "\($0)" }.joined(separator: ", "))]", to: "a.json")
        let changed = (0..<40).map { $0 == 10 || $0 == 12 || $0 == 30 ? "true" : "\($0)" }
        try workspace.write("[\(changed.joined(separator: ", "))]", to: "b.json")
        let lines = Self.contents(workspace.run(["diff", "-f", "html", "a.json", "b.json"]).output)
        let shown = lines.compactMap { line in
            line.contains("unchanged</summary>") || line.hasPrefix("<li><bdi") || line.hasPrefix("<li>…")
                || line.hasPrefix("<li data") ? line.replacing(/<.*?>/, with: "") : nil
        }
        #expect(
            shown.map { $0.hasPrefix("~") ? "\($0.prefix(4))" : "\($0)" } == [
                "3 of 10 unchanged", "… 7 more", "7: 7", "8: 8", "9: 9", "~\u{A0}10", "1 unchanged", "11: 11",
                "~\u{A0}12",
                "6 of 17 unchanged", "13: 13", "14: 14", "15: 15", "… 11 more", "27: 27", "28: 28", "29: 29",
                "~\u{A0}30",
                "3 of 9 unchanged", "31: 31", "32: 32", "33: 33", "… 6 more",
            ])
    }

    /// An added or removed container can be opened. Its contents are limited.
    @Test func contentsOfAddedContainers() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"k": true}"#, to: "a.json")
        let list = (0..<2000).map { "\($0)" }.joined(separator: ", ")
        try workspace.write(#"{"k": true, "x": {"y": {"z</b>": 1, "e": []}}, "list": [\#(list)]}"#, to: "b.json")
        let page = workspace.run(["diff", "-f", "html", "a.json", "b.json"]).output
        #expect(
            page.contains(
                """
                <ins><bdi>{y: {…}}</bdi></ins></summary><ul>
                <li><bdi class="key">y</bdi>: <bdi>dictionary, 2 keys</bdi><ul>
                <li><bdi class="key">z&lt;<wbr>/b&gt;</bdi>: <bdi class="number">1</bdi></li>
                <li><bdi class="key">e</bdi>: <bdi>array, 0 elements</bdi></li>
                </ul></li>
                </ul></details></li>

                """))
        #expect(
            page.contains(
                """
                <li><bdi class="key">999</bdi>: <bdi class="number">999</bdi></li>
                <li><bdi class="note">… more, shown by savetool get</bdi></li>
                </ul></details></li>

                """))
        for tag in ["ul", "li", "details"] {
            let counts = ["<\(tag)", "</\(tag)>"].map { page.components(separatedBy: $0).count }
            #expect(counts[0] == counts[1], "\(tag)")
        }
    }

    /// Many added containers share the number of rows that a page may have.
    @Test func contentsOfManyContainers() throws {
        let workspace = try Workspace()
        try workspace.write("[true]", to: "a.json")
        let element = "[\((0..<300).map { "\($0)" }.joined(separator: ", "))]"
        try workspace.write("[true, \(Array(repeating: element, count: 300).joined(separator: ", "))]", to: "b.json")
        let lines = Self.contents(workspace.run(["diff", "-f", "html", "a.json", "b.json"]).output)
        // One row is an unchanged value.
        #expect(lines.count { $0.hasPrefix("<li><bdi class=\"key\">") } == 20_001)
        #expect(lines.count { $0.hasPrefix("<li data-kind=\"added\">") } == 300)
    }

    @Test func keysAreWhole() throws {
        let workspace = try Workspace()
        let key = "97A3E171-1E01-4C05-9D5F-1234567890AB"
        try workspace.write(#"{"a": {"\#(key)": 1}, "b": 1}"#, to: "a.json")
        try workspace.write(#"{"a": {"\#(key)": 2}, "b": 1}"#, to: "b.json")
        let page = workspace.run(["diff", "-f", "html", "a.json", "b.json"]).output
        #expect(page.contains("<bdi class=\"key\">\(key)</bdi>: "))
    }

    @Test func equalFilesNeedNoFilter() throws {
        let workspace = try Workspace()
        try workspace.write("[]", to: "a.json")
        let page = workspace.run(["diff", "-f", "html", "a.json", "a.json"]).output
        #expect(page.contains("<p>no changes</p>") && !page.contains("<input") && !page.contains("<script"))
    }

    @Test func pageOfAnUnreadableFile() throws {
        let workspace = try Workspace()
        try workspace.write("[", to: "a.json")
        try workspace.write("[]", to: "b.json")
        for (files, count) in [(["a.json", "b.json"], 1), (["b.json", "a.json"], 1), (["a.json", "a.json"], 2)] {
            let result = workspace.run(["diff", "-f", "html"] + files)
            #expect(result.status == 2)
            let subject = count == 1 ? "a file is" : "both files are"
            #expect(result.output.contains("<p>not compared: \(subject) unreadable</p>"))
            let row = "<summary><bdi class=\"key\">a.json</bdi> <bdi class=\"error\">unreadable</bdi></summary>"
            #expect(result.output.components(separatedBy: row).count == count + 1)
        }
        #expect(workspace.run(["diff", "-q", "-f", "html", "a.json", "b.json"]).output.isEmpty)
    }

    /// A page about a file has its first rows in HTML, too.
    @Test func rowsWithoutScript() throws {
        let workspace = try Workspace()
        let list = (0..<600).map { "\($0)" }.joined(separator: ", ")
        try workspace.write(#"{"</noscript>": {"b": 1}, "list": [\#(list)]}"#, to: "a.json")
        let page = workspace.run(["inspect", "-f", "html", "a.json"]).output
        let rows = try #require(page.components(separatedBy: "<noscript>\n").last)
        #expect(page.components(separatedBy: "</noscript>").count == 2)
        #expect(rows.contains("<h1><bdi>a.json</bdi></h1>\n") && rows.contains("the first 500 of 604 rows"))
        #expect(
            rows.contains(#"<li><div class="row"><bdi class="key">b</bdi>: <bdi class="number">1</bdi></div></li>"#))
        #expect(rows.components(separatedBy: "<li><div").count == 501)
        #expect(rows.components(separatedBy: "<ul>").count == rows.components(separatedBy: "</ul>").count)
    }

    // MARK: File names

    @Test(arguments: [
        (["/volumes/ada/game/saves/a.save"], ["a.save"]), (["saves/a.save"], ["a.save"]), (["a.save"], ["a.save"]),
        (["/volumes/ada/old/a.save", "/volumes/ada/new/a.save"], ["old/a.save", "new/a.save"]),
        (["/volumes/ada/a.save", "/tmp/b.save"], ["a.save", "b.save"]),
        (["/volumes/ada/a.save", "/tmp/ada/a.save", "/tmp/b"], ["volumes/ada/a.save", "tmp/ada/a.save", "/tmp/b"]),
        (["HEAD:./a.save", "a.save"], ["HEAD:./a.save", "a.save"]), (["-", "/volumes/ada/a.save"], ["-", "a.save"]),
        (["saves/a", "saves/a"], ["a", "a"]), (["saves/a", "saves"], ["saves/a", "saves"]), ([], []),
    ])
    func fileNames(_ names: [String], _ expected: [String]) {
        #expect(PageFileNames.of(names, areFull: false) == expected)
        #expect(PageFileNames.of(names, areFull: true) == names)
    }

    /// No page has the path of the folder, unless an option requests it.
    @Test(arguments: [
        "inspect -f html F/a.json", "diff -f html F/a.json F/b.json", "validate -f html F/a.json F/b.json",
        "scores list -f html F/a.json", "salvage --format html --like F/a.json F/b.json",
    ])
    func pagesHideFolders(_ line: String) throws {
        let workspace = try Workspace()
        try workspace.write(#"[{"name": "Ada", "score": 5}]"#, to: "a.json")
        try workspace.write(#"[{"name": "Ada", "score": 7"#, to: "b.json")
        if line.hasPrefix("diff") { try workspace.write("[]", to: "b.json") }
        let folder = workspace.folder.path(percentEncoded: false)
        let words = line.replacingOccurrences(of: "F/", with: folder + "/").split(separator: " ").map(String.init)
        #expect(!workspace.run(words).output.contains(folder))
        let full = workspace.run(words + ["--full-path"])
        #expect(full.output.contains(folder + "/"), "\(full)")
        let text = workspace.run(words.filter { !["-f", "html", "--format"].contains($0) } + ["--full-path"])
        #expect(text.talk.contains("html"), "\(text)")
    }

    /// Failures come first and are open; each finding links to its explanation.
    @Test func pageOfFindings() throws {
        let workspace = try Workspace(fixtures: ["games", "bad", "project"])
        workspace.enter("Fixtures/project")
        let result = workspace.run([
            "validate", "-f", "html", "--help-uri", "https://example.com/F", "../games/swamp.save",
            "Broken/empty.plist",
            "gone.plist", "../bad/50-cut-off.xml",
        ])
        #expect(result.status == 2)
        let counts = "1 valid, 1 invalid as expected, 1 invalid, 1 unreadable"
        #expect(result.output.contains("<h1><bdi>Validation report: \(counts)</bdi></h1>\n"))
        let lines = Self.contents(result.output)
        #expect(
            lines.filter { $0.hasPrefix("<details") } == [
                #"<details open><summary><bdi class="key">..<wbr>/bad<wbr>/50-cut-off.xml</bdi> "#
                    + #"<bdi class="error">invalid</bdi></summary>"#,
                #"<details open><summary><bdi class="key">gone.plist</bdi> <bdi class="error">unreadable</bdi></summary>"#,
                #"<details><summary><bdi class="note">Broken/empty.plist</bdi> <bdi class="note">invalid as expected</bdi></summary>"#,
                #"<details><summary><bdi class="key">valid</bdi> <bdi class="note">1 file without findings</bdi></summary>"#,
            ])
        #expect(lines.contains(#"<li data-kind="passed"><bdi>../games/swamp.save</bdi></li>"#))
        #expect(
            lines.contains(
                #"<li data-kind="failed"><bdi class="key">3:19</bdi>: <bdi class="error">error</bdi>: <bdi>the text ends "#
                    + #"inside &lt;string&gt;; expected &lt;/string&gt;</bdi> "#
                    + ##"<a href="#xml.truncated">xml.truncated</a></li>"##))
        #expect(
            lines.contains {
                $0.hasPrefix(#"<dt id="xml.truncated">xml.truncated</dt><dd><p>An unclosed element. The syntax and "#)
            })
        #expect(result.output.contains(##"<a href="https://example.com/F#xml">"##))
    }

    @Test func leaderboard() throws {
        let workspace = try Workspace()
        try workspace.write(#"[{"name": "<b>A&B", "score": 5}]"#, to: "a.json")
        let page = workspace.run(["scores", "list", "-f", "html", "a.json"]).output
        #expect(page.contains("<bdi>&lt;b&gt;A&amp;B</bdi></td><td class=\"count\">5</td>"))
        #expect(page.contains("<title>High scores – a.json – savetool</title>"))
        #expect(page.contains("<p><bdi>a.json</bdi>: 1 record</p>\n"))
        #expect(!page.contains("script"))
    }

    /// Numbers and dates are as people write them, and dates also as programs read them.
    @Test(arguments: [
        (
            "-1234567.5", #""2025-03-14T13:36:15.76+01:00""#, "-1,234,567.5", "2025-03-14T12:36:15.76Z",
            "14 Mar 2025, 12:36"
        ),
        ("990", #""30.07.2025""#, "990", "2025-07-30T00:00:00Z", "30 Jul 2025"),
        ("98200", "1252240496", "98,200", "2009-09-06T12:34:56Z", "6 Sep 2009, 12:34"),
    ])
    func scoresForPeople(_ score: String, _ date: String, _ number: String, _ exact: String, _ day: String) throws {
        let workspace = try Workspace()
        try workspace.write(#"[{"name": "Ada", "score": \#(score), "date": \#(date)}]"#, to: "a.json")
        let page = workspace.run(["scores", "list", "-f", "html", "a.json"]).output
        #expect(page.contains("<td class=\"count\">\(number)</td><td><time datetime=\"\(exact)\">\(day)</time></td>"))
        #expect(page.contains("1 record, times in UTC</p>"))
        try workspace.write(#"[{"name": "Ada", "score": 5, "date": "<b>"}]"#, to: "a.json")
        #expect(
            workspace.run(["scores", "list", "-f", "html", "a.json"]).output.contains("<td><bdi>&lt;b&gt;</bdi></td>"))
    }

    @Test func pageIsOneFile() throws {
        let workspace = try Workspace()
        #expect(workspace.run(["inspect", "-f", "html", "a", "b"]).status == 2)
    }
}

/// SHA-256 (FIPS 180-4), for short texts.
private enum SHA256 {
    static func base64(_ bytes: [UInt8]) -> String { Data(digest(bytes)).base64EncodedString() }

    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

    /// Returns the first 32 bits of the fractional part of a prime's root.
    private static func fraction(_ root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        let constants = primes.map { fraction(cbrt(Double($0))) }
        var hash = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
        var message = bytes + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        message += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (bytes.count * 8) >> (8 * $0)) }
        func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        for start in stride(from: 0, to: message.count, by: 64) {
            var words = (0..<16).map { word in
                message[(start + 4 * word)..<(start + 4 * word + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<64 {
                let (late, early) = (words[index - 2], words[index - 15])
                let sum = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
                words.append(
                    words[index - 16] &+ words[index - 7] &+ sum
                        &+ (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3))
            }
            var state = hash
            for index in 0..<64 {
                let (a, e) = (state[0], state[4])
                var first = state[7] &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25))
                first = first &+ (e & state[5] ^ ~e & state[6]) &+ constants[index] &+ words[index]
                let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
                let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
                state = [first &+ second] + state[0..<3] + [state[3] &+ first] + state[4..<7]
            }
            for index in 0..<8 { hash[index] = hash[index] &+ state[index] }
        }
        return hash.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }
}
