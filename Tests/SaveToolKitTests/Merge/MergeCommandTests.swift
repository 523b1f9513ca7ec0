import Foundation
import KeyedArchives
@testable import SaveCodec
import SaveOperations
import Testing

@testable import SaveToolKit

/// Tests merges whose outcome depends on options, file names or stored types, not only on the values.
@Suite struct MergeCommandTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.write(#"{"gems": 1}"#, to: "base.json")
        try workspace.write(#"{"gems": 2}"#, to: "ours.json")
        try workspace.write(#"{"gems": 3}"#, to: "theirs.json")
    }

    private func path(_ name: String) -> String { workspace.folder.appending(path: name).path(percentEncoded: false) }

    private func setDate(_ seconds: Double, of name: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path(name))
    }

    private static let conflict = """
        ours.json: /gems: conflict: was 1, ours 2, theirs 3; the rule newest needs files with different dates
        ours.json: 1 conflict, nothing written; settle with --rule or --ask

        """

    private static let dates: [(ours: Double, theirs: Double, result: Workspace.Result)] = [
        (1_000_000_001, 1_000_000_000, Workspace.Result(status: 0, output: #"{"gems": 2}"#)),
        (1_000_000_000, 1_000_000_001, Workspace.Result(status: 0, output: #"{"gems": 3}"#)),
        (1_000_000_000.25, 1_000_000_000.5, Workspace.Result(status: 0, output: #"{"gems": 3}"#)),
        (1_000_000_000, 1_000_000_000, Workspace.Result(status: 1, output: "", talk: conflict)),
    ]

    @Test(arguments: dates) func newestComparesFileDates(ours: Double, theirs: Double, result: Workspace.Result)
        throws
    {
        try setDate(ours, of: "ours.json")
        try setDate(theirs, of: "theirs.json")
        #expect(workspace.run(["merge", "base.json", "ours.json", "theirs.json", "--rule", "newest"]) == result)
    }

    /// Containers with equal short texts are shown with their first difference.
    @Test(arguments: [
        (
            #"{"a": [{"x": 1, "y": [2]}, {"x": 2}]}"#, #"{"a": [{"x": 1, "y": [4]}, {"x": 2}]}"#,
            "/a/0/y: ours [2], theirs [4]"
        ),
        (#"{"a": [{"x": 1}, {"x": 2}]}"#, #"{"a": [{"x": 1}, {"z": 2}]}"#, "/a/1: ours {x: 2}, theirs {z: 2}"),
        (#"{"a": [{"x": 1}, [1]]}"#, #"{"a": [{"x": 1}, [1, 2]]}"#, "/a/1: ours [1], theirs [1, 2]"),
    ])
    func showsDifferenceOfContainers(ours: String, theirs: String, words: String) throws {
        try workspace.write(ours, to: "ours.json")
        try workspace.write(theirs, to: "theirs.json")
        let talk = workspace.run(["merge", "--base", "none", "ours.json", "theirs.json"]).talk
        let expected = "ours.json: /a: conflict: ours [{x, y}, … 1 more], theirs [{x, y}, … 1 more]; they differ at "
        let shown = talk.replacing("{x}", with: "{x, y}")
        #expect(shown.hasPrefix(expected + words + "\n"), "\(talk)")
    }

    @Test func standardInputHasNoDate() throws {
        try setDate(1_000_000_000, of: "ours.json")
        let result = workspace.run(
            ["merge", "base.json", "ours.json", "-", "--rule", "newest"], input: try workspace.bytes(of: "theirs.json"))
        #expect(result == Workspace.Result(status: 1, output: "", talk: Self.conflict))
    }

    /// `--conflicts` refuses to overwrite an input, even through another path.
    @Test(arguments: ["ours.json", "./theirs.json", "link.json", "base.json"])
    func rejectsConflictsFileThatIsMerged(name: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path("link.json"), withDestinationPath: path("ours.json"))
        let before = try workspace.bytes(of: name)
        let result = workspace.run(["merge", "base.json", "ours.json", "theirs.json", "--conflicts", name])
        #expect(
            result.talk == "savetool: --conflicts is '\(name)'; expected a file other than the merged ones\n")
        #expect(result.status == 2)
        #expect(try workspace.bytes(of: name) == before)
    }

    /// A message warns if `max` or `min` reverts a value that only one side changed, also inside nested saves.
    @Test(arguments: [
        ("max", "/b: only theirs changed this, 2 → 1", 5, 2), ("min", "/a: only ours changed this, 1 → 5", 1, 1),
        ("higher", nil, 5, 1), ("/a=max", nil, 5, 1), ("union", nil, 5, 1),
    ]) func reportsChangesThatRuleUndoes(rule: String, told: String?, a: Int, b: Int) throws {
        func write(_ a: Int, _ b: Int, to name: String) throws {
            try workspace.write(#"{"in": {"$bplist": {"a": \#(a), "b": \#(b), "c": \#(a + b)}}, "a": 0}"#, to: name)
        }
        for (name, a, b) in [("b.json", 1, 2), ("o.json", 5, 2), ("t.json", 1, 1)] { try write(a, b, to: name) }
        let result = workspace.run(
            ["merge", "b.json", "o.json", "t.json", "--rule", rule, "--rule", "/in/c=ours", "-o", "m.json"])
        let line = "the rule undoes it, but higher and lower would keep it"
        #expect(result.talk == (told.map { "o.json: /in\($0); \(line)\n" } ?? ""))
        #expect(result.status == 0)
        #expect(workspace.run(["get", "m.json", "/in/a"]).output == "\(a)\n")
        #expect(workspace.run(["get", "m.json", "/in/b"]).output == "\(b)\n")
    }

    @Test func shortensLongAddresses() throws {
        let depth = 300
        for (name, value) in [("base.json", 1), ("ours.json", 2), ("theirs.json", 3)] {
            try workspace.write(
                String(repeating: #"{"a":"#, count: depth) + "\(value)" + String(repeating: "}", count: depth), to: name
            )
        }
        let result = workspace.run(
            ["merge", "base.json", "ours.json", "theirs.json", "-i", "--conflicts", "-"])
        #expect(result.status == 1)
        #expect(result.output.contains(#"/a/a","cut":true,"base":{"type":"integer","value":1},"#))
        #expect(result.talk.hasPrefix("ours.json: /a/a/"))
        #expect(result.talk.contains("/a/a/…: conflict: was 1, ours 2, theirs 3\n"))
    }

    /// Values that look alike are shown with their types or storage.
    @Test(arguments: [
        ("5", "6", #"{"$object": 6}"#, "was 5 in place, ours 6 in place, theirs 6 as an object"),
        ("5", #"{"$object": 5}"#, "7", "was 5 in place, ours 5 as an object, theirs 7 in place"),
        ("0.5", #"{"$real32": 0.75}"#, "2.0", "was 0.5, ours 0.75, theirs 2.0"),
        ("1", #""x""#, #"{"$inline": "x"}"#, #"was 1 in place, ours "x" as an object, theirs "x" in place"#),
    ])
    func reportsStorage(base: String, ours: String, theirs: String, sides: String) throws {
        for (name, value) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            let json = #"{"$archiver": "NSKeyedArchiver", "$classes": {"L": ["L", "NSObject"]}, "#
            try workspace.write(json + #""$top": {"root": {"$class": "L", "a": \#(value)}}}"#, to: "json")
            #expect(workspace.run(["convert", "--to", "archive", "json", "-o", name]).status == 0)
        }
        let result = workspace.run(["merge", "base", "ours", "theirs"])
        #expect(result.status == 1)
        #expect(result.talk.hasPrefix("ours: /root/a: conflict: \(sides)\n"), "\(result.talk)")
    }

    /// The width of a real is merged independently of its value, so a side that only changed the width causes no
    /// conflict and keeps its change.
    @Test(arguments: [
        ("0.5", #"{"$real32": 0.5}"#, "0.5", #"{"$real32": 0.5}"#),
        ("0.5", "0.5", #"{"$real32": 0.5}"#, #"{"$real32": 0.5}"#),
        ("0.5", #"{"$real32": 0.5}"#, "2.0", #"{"$real32": 2.0}"#),
        ("0.5", "2.0", #"{"$real32": 0.5}"#, #"{"$real32": 2.0}"#),
        ("0.5", #"{"$real32": 0.75}"#, "0.75", #"{"$real32": 0.75}"#),
        ("0.5", "0.75", #"{"$real32": 0.75}"#, #"{"$real32": 0.75}"#),
        (#"{"$real32": 0.5}"#, "0.5", #"{"$real32": 2.0}"#, "2.0"),
        // A 32-bit real cannot hold the new value.
        ("0.5", #"{"$real32": 0.5}"#, "0.1", "0.1"),
        ("0.5", "0.1", #"{"$real32": 0.5}"#, "0.1"),
    ])
    func mergesWidths(base: String, ours: String, theirs: String, result: String) throws {
        for (name, value) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            try workspace.write(#"{"a": \#(value), "b": 1}"#, to: "json")
            #expect(workspace.run(["convert", "--to", "binary", "json", "-o", name]).status == 0)
        }
        #expect(workspace.run(["merge", "base", "ours", "theirs", "-o", "merged"]).status == 0)
        let merged = workspace.run(["convert", "--to", "json", "--compact", "merged"])
        #expect(merged.output == #"{"a":\#(result.replacing(" ", with: "")),"b":1}"# + "\n")
    }

    @Test func limitsReportedText() throws {
        func view(_ text: String) throws -> ObjectView { ObjectView(try JSON.read(Array(text.utf8))) }
        let merge = try ThreeWayMerge(
            base: nil, ours: view(#"{"a": 1, "b": 2, "c": 3, "d": 4}"#),
            theirs: view(#"{"a": 2, "b": 3, "c": 4, "d": 5}"#), limits: Limits())
        let talk = Collector()
        ConflictLines(merge, in: "a.json").print(
            within: 40,
            Invocation(
                arguments: [], input: InputChannel([]), output: Collector().channel(), standardError: talk.channel()))
        #expect(
            talk.text == """
                a.json: /a: conflict: ours 1, theirs 2
                a.json: /b: conflict: ours 2, theirs 3
                a.json: … and 2 more conflicts

                """)
    }
}
