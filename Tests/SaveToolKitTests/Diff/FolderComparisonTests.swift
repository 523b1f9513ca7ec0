import Foundation
import TestSupport
import Testing

/// Tests `diff` on two folders, which it compares file by file.
@Suite struct FolderComparisonTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        for (name, text) in [
            ("a/old.json", "[1]"), ("a/notes.txt", "hi"), ("b/notes.txt", "ho"), ("a/same.json", #"{"x": 1}"#),
            ("b/same.json", #"{ "x": 1 }"#), ("a/slot1.json", #"{"gems": 7}"#), ("b/slot1.json", #"{"gems": 8}"#),
            ("b/sub/new.json", "[2]"), ("a/sub.d/x.json", "[]"), ("b/sub.d/x.json", "[]"), ("a/torn.json", "{"),
            ("b/torn.json", "{"),
        ] {
            let folder = workspace.folder.appending(path: name).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try workspace.write(text, to: name)
        }
    }

    @Test func textListsChangesOfEachFile() {
        let result = workspace.run(["diff", "a/", "b"])
        #expect(
            result.output == """
                ~ notes.txt: the bytes differ
                - old.json: only in a/

                slot1.json:
                ~ /gems: 7 → 8

                + sub/new.json: only in b

                """)
        #expect(result.status == 1 && result.talk.isEmpty)
    }

    @Test func summaryHasOneLinePerFile() {
        #expect(
            workspace.run(["diff", "-f", "summary", "a", "b"]).output == """
                ~ notes.txt: the bytes differ
                - old.json: only in a
                ~ slot1.json: 1 changed
                + sub/new.json: only in b

                7 files: 3 equal, 1 changed, 1 with different bytes, 1 only in a, 1 only in b

                """)
    }

    private static let reason = #"found the end of the text; expected "," or "]""#

    /// Each output says in which folder a file is unreadable, and why.
    @Test func reasonsOfUnreadableFiles() throws {
        try workspace.write("[1", to: "b/same.json")
        try workspace.write("[1", to: "b/torn.json")
        let text = workspace.run(["diff", "a", "b"]).output
        #expect(text.contains("! same.json: unreadable in b: 1:3: \(Self.reason)\n"))
        #expect(text.contains("! torn.json: unreadable in a: 1:2: "))
        #expect(text.contains("; unreadable in b: 1:3: "))
        let json = workspace.run(["diff", "-f", "json", "a", "b"]).output
        let reason = Self.reason.replacing("\"", with: #"\""#)
        let row = #"{"file":"same.json","state":"unreadable","reasons":{"after":"1:3: \#(reason)"}},"#
        #expect(json.contains(row))
        #expect(json.contains(#""reasons":{"before":"1:2: "#))
    }

    @Test func jsonMatchesSchema() throws {
        try workspace.write("{", to: "a/slot1.json")
        let result = workspace.run(["diff", "-f", "json", "a", "b"])
        #expect(result.status == 2 && result.talk.hasPrefix("a/slot1.json:1:2: "))
        try workspace.write("{}", to: "a/slot1.json")
        for report in [result.output, workspace.run(["diff", "-f", "json", "a", "b"]).output] {
            try workspace.write(report, to: "report.json")
            let schemas = TestFiles.fixtures.appending(path: "schemas").path
            let options = ["--schema", schemas + "/diff-folders.schema.json", "--schema-root", "savetool:/=" + schemas]
            #expect(workspace.run(["validate"] + options + ["report.json"]).talk == "1 file: 1 valid\n")
        }
        #expect(workspace.run(["get", "report.json", "/files/3/changes/0/kind"]).output == "added\n")
    }

    @Test func printsNothingForEqualFolders() {
        #expect(workspace.run(["diff", "a", "a"]) == .init(status: 0, output: ""))
        let result = workspace.run(["diff", "--only", "/typo", "a", "b"])
        #expect(result.status == 2 && result.talk == "savetool: --only /typo matches nothing in the files\n")
        #expect(workspace.run(["diff", "-f", "json-patch", "a", "b"]).status == 2)
        #expect(workspace.run(["diff", "a", "b/same.json"]).talk == "a: this is a folder; expected a file\n")
    }

    /// The page has a group for each changed file, and then one for each other result.
    @Test func pageOfFolders() throws {
        try workspace.write("[1", to: "a/torn.json")
        try workspace.write("[1]", to: "b/torn.json")
        let result = workspace.run(["diff", "-f", "html", "a", "b"])
        #expect(result.status == 2)
        let summary = workspace.run(["diff", "-f", "summary", "a", "b"]).output.split(separator: "\n").last ?? ""
        #expect(result.output.contains("<h1><bdi>a → b</bdi></h1>\n<p>\(summary)</p>\n"))
        let groups = result.output.matches(of: /<summary><bdi class="key">(.*?)<\/bdi> <bdi class="note">(.*?)<\/bdi>/)
        #expect(
            groups.map { "\($0.output.1), \($0.output.2)" } == [
                "slot1.json, 1 changed", "only in a, 1 file", "only in b, 1 file", "with different bytes, 1 file",
                "equal, 2 files",
            ])
        let unreadable = """
            <main>
            <details open><summary><bdi class="key">unreadable</bdi> <bdi class="error">1 file</bdi></summary>
            <ul>
            <li data-kind="file-unreadable"><bdi class="key">torn.json</bdi>: <bdi class="error">in a</bdi>: \
            <bdi>1:3: \(Self.reason.replacing("\"", with: "&quot;"))</bdi></li>

            """
        #expect(result.output.contains(unreadable))
        let folder = workspace.folder.path(percentEncoded: false)
        let page = workspace.run(["diff", "-f", "html", folder + "/a", folder + "/b"]).output
        #expect(!page.contains(folder) && page.contains("only in b"))
    }

    @Test func stopsAtCircularLinks() throws {
        let link = workspace.folder.appending(path: "a/loop").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: ".")
        #expect(workspace.run(["diff", "--brief", "a", "a"]).status == 0)
    }
}
