import Foundation
import TestSupport
import Testing

/// Tests files whose root is data that holds a save, possibly through several levels. As with any nested save, the
/// contents are compared, patched and merged.
@Suite struct RootDataTests {
    private static func plist(
        _ value: Any, _ format: PropertyListSerialization.PropertyListFormat = .binary
    ) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
    }

    /// Returns a file with `inner` wrapped in the given number of data levels.
    private static func file(_ inner: Data, levels: Int = 1) throws -> Data {
        var data = inner
        for _ in 0..<levels { data = try plist(data) }
        return data
    }

    /// Returns a workspace with `a.plist` and `b.plist`, which differ only in the health.
    private static func workspace(levels: Int = 1) throws -> Workspace {
        let workspace = try Workspace()
        for (name, health) in [("a.plist", 100), ("b.plist", 64)] {
            let inner = try plist(["root": ["health": health, "name": "Ada"] as [String: Any], "gems": 1])
            try file(inner, levels: levels).write(to: workspace.folder.appending(path: name))
        }
        return workspace
    }

    @Test(arguments: [1, 2, 5]) func findsDifferencesInside(_ levels: Int) throws {
        let workspace = try Self.workspace(levels: levels)
        let text = workspace.run(["diff", "a.plist", "b.plist"])
        #expect(text == Workspace.Result(status: 1, output: "~ /root/health: 100 → 64\n"))
        let json = workspace.run(["diff", "-f", "json", "a.plist", "b.plist"])
        #expect(json.output.contains(#"{"kind":"changed","before":{"address":"/root/health","#), "\(json.output)")
        #expect(json.output.contains(#""counts":{"added":0,"removed":0,"changed":1,"#))
        let summary = workspace.run(["diff", "-f", "summary", "a.plist", "b.plist"])
        #expect(summary.output.contains("/root/health"), "\(summary.output)")
        let sides = workspace.run(["diff", "-y", "a.plist", "b.plist"])
        #expect(sides.output.contains("health: 100") && sides.output.contains("health: 64"), "\(sides.output)")
        let page = workspace.run(["diff", "-f", "html", "a.plist", "b.plist"]).output
        #expect(page.contains("<bdi class=\"key\">health</bdi>: "))
        #expect(workspace.run(["diff", "--opaque", "a.plist", "b.plist"]).output.hasPrefix("~ (root): data, "))
    }

    @Test(arguments: [1, 2, 5]) func patchesInside(_ levels: Int) throws {
        let workspace = try Self.workspace(levels: levels)
        let patch = workspace.run(["diff", "-f", "json-patch", "a.plist", "b.plist"]).output
        #expect(patch == "[\n  {\"op\": \"replace\", \"path\": \"/root/health\", \"value\": 64}\n]\n")
        try workspace.write(patch, to: "p.json")
        #expect(workspace.run(["patch", "a.plist", "p.json", "-o", "c.plist"]).status == 0)
        // The order of the keys may differ; the values do not.
        let difference = workspace.run(["diff", "b.plist", "c.plist"])
        #expect(difference.status == 0 && difference.output.isEmpty)
        #expect(try Self.levels(of: workspace.bytes(of: "c.plist")) == levels)
    }

    /// If the root of the nested save is replaced as a whole, its address differs from the root of the file.
    @Test(arguments: [(1, "/~^"), (2, "/~^/~^")]) func differentRootInside(_ levels: Int, _ address: String) throws {
        let workspace = try Workspace()
        try Self.file(Self.plist(["x": 1]), levels: levels).write(to: workspace.folder.appending(path: "a.plist"))
        try Self.file(Self.plist([1, 2]), levels: levels).write(to: workspace.folder.appending(path: "b.plist"))
        #expect(
            workspace.run(["diff", "a.plist", "b.plist"]).output
                == "~ \(address): type dictionary → array: {x: 1} → [1, 2]\n")
        let patch = workspace.run(["diff", "-f", "json-patch", "a.plist", "b.plist"]).output
        #expect(
            patch
                == "[\n  {\"op\": \"replace\", \"path\": \"\(address)\", \"value\": [1,2], \"change-type\": true}\n]\n")
        try workspace.write(patch, to: "p.json")
        #expect(workspace.run(["patch", "a.plist", "p.json", "-o", "c.plist"]).status == 0)
        #expect(workspace.run(["diff", "b.plist", "c.plist"]) == Workspace.Result(status: 0, output: ""))
    }

    @Test func onlyBytesDiffer() throws {
        let workspace = try Self.workspace()
        let xml = try Self.plist(["root": ["health": 100, "name": "Ada"] as [String: Any], "gems": 1], .xml)
        try Self.file(xml).write(to: workspace.folder.appending(path: "x.plist"))
        try Self.file(xml, levels: 2).write(to: workspace.folder.appending(path: "xx.plist"))
        try Self.file(Self.plist(["root": ["health": 100, "name": "Ada"] as [String: Any], "gems": 1]), levels: 2)
            .write(to: workspace.folder.appending(path: "aa.plist"))
        let talk = "the bytes differ, but the compared values in them are equal\n"
        let one = workspace.run(["diff", "a.plist", "x.plist"])
        #expect(one == Workspace.Result(status: 0, output: "", talk: "savetool: (root): \(talk)"))
        #expect(workspace.run(["diff", "aa.plist", "xx.plist"]) == one)
        #expect(workspace.run(["diff", "-f", "json-patch", "a.plist", "x.plist"]).output == "[]\n")
    }

    @Test func patternsMatchInside() throws {
        let workspace = try Self.workspace(levels: 2)
        for pattern in ["/root/health", "/~^/root/health", "/~^/~^/root", "/**/health", "/*/health"] {
            let result = workspace.run(["diff", "--ignore", pattern, "a.plist", "b.plist"])
            #expect(result.status == 0 && result.output.isEmpty, "\(pattern): \(result)")
            #expect(workspace.run(["diff", "--only", pattern, "a.plist", "b.plist"]).status == 1, "\(pattern)")
        }
        #expect(workspace.run(["diff", "--ignore", "/~^/~^/~^/root", "a.plist", "b.plist"]).status == 1)
        #expect(workspace.run(["diff", "--ignore", "/~^", "a.plist", "b.plist"]).status == 0)
    }

    // MARK: Merging

    /// Returns a workspace whose `base.plist`, `ours.plist` and `theirs.plist` hold the given values.
    private static func versions(_ values: [Any], levels: Int) throws -> Workspace {
        let workspace = try Workspace()
        for (name, value) in zip(["base", "ours", "theirs"], values) {
            try file(plist(value), levels: levels).write(to: workspace.folder.appending(path: "\(name).plist"))
        }
        return workspace
    }

    private static let merge = ["merge", "base.plist", "ours.plist", "theirs.plist"]

    @Test(arguments: [1, 3]) func mergesBothSidesInside(_ levels: Int) throws {
        let workspace = try Self.versions(
            [["gems": 1, "lives": 1], ["gems": 2, "lives": 1], ["gems": 1, "lives": 3]], levels: levels)
        #expect(workspace.run(Self.merge + ["-o", "m.plist"]) == Workspace.Result(status: 0, output: ""))
        #expect(workspace.run(["get", "m.plist", "/gems", "/lives"]).output == "2\n3\n")
        #expect(try Self.levels(of: workspace.bytes(of: "m.plist")) == levels)
    }

    @Test(arguments: [1, 3]) func conflictInsideHasAddress(_ levels: Int) throws {
        let workspace = try Self.versions(
            [["gems": 1, "lives": 1], ["gems": 2, "lives": 1], ["gems": 3, "lives": 3]], levels: levels)
        let result = workspace.run(Self.merge + ["-o", "m.plist"])
        #expect(result.status == 1)
        #expect(result.talk.contains("/gems"), "\(result.talk)")
        #expect(workspace.run(Self.merge + ["--rule", "/gems=max", "-o", "m.plist"]).status == 0)
        #expect(workspace.run(["get", "m.plist", "/gems", "/lives"]).output == "3\n3\n")
        #expect(workspace.run(Self.merge + ["--rule", "/**=theirs", "-o", "t.plist"]).status == 0)
        #expect(workspace.run(["get", "t.plist", "/gems", "/lives"]).output == "3\n3\n")
        #expect(workspace.run(Self.merge + ["--rule", "/**=ours", "-o", "o.plist"]).status == 0)
        #expect(workspace.run(["get", "o.plist", "/gems", "/lives"]).output == "2\n3\n")
    }

    @Test func conflictOfRootsInside() throws {
        let workspace = try Self.versions(["a", "b", "c"], levels: 2)
        let result = workspace.run(Self.merge + ["-o", "m.plist"])
        #expect(result.status == 1)
        #expect(result.talk.contains("/~^/~^: "), "\(result.talk)")
    }

    @Test func appliesMergePatchInside() throws {
        let workspace = try Self.workspace(levels: 2)
        try workspace.write(#"{"root": {"health": 64}}"#, to: "p.json")
        #expect(workspace.run(["patch", "a.plist", "p.json", "-o", "c.plist"]).status == 0)
        let difference = workspace.run(["diff", "b.plist", "c.plist"])
        #expect(difference.status == 0 && difference.output.isEmpty)
        #expect(try Self.levels(of: workspace.bytes(of: "c.plist")) == 2)
    }

    /// `find` and `inspect` use the same addresses as `diff`.
    @Test(arguments: [1, 2, 5]) func findsValuesInside(_ levels: Int) throws {
        let workspace = try Self.workspace(levels: levels)
        #expect(workspace.run(["find", "Ada", "a.plist"]).output == "/root/name = \"Ada\"\n")
        let flat = workspace.run(["inspect", "-f", "flat", "--nested", "a.plist"]).output
        #expect(flat.split(separator: "\n").sorted() == ["/gems = 1", "/root/health = 100", "/root/name = \"Ada\""])
        #expect(
            workspace.run(["inspect", "--nested", "--nested-depth", "1", "a.plist"]).output.contains("Ada")
                == (levels == 1))
    }

    @Test(arguments: [1, 3]) func readsFindingsAndTablesInside(_ levels: Int) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let table = try workspace.bytes(of: "Fixtures/games/highscores.plist")
        try Self.file(Data(table), levels: levels).write(to: workspace.folder.appending(path: "scores.plist"))
        let list = workspace.run(["scores", "list", "scores.plist"])
        #expect(list == workspace.run(["scores", "list", "Fixtures/games/highscores.plist"]))
        #expect(list.status == 0)
        let broken = try Data(contentsOf: TestFiles.fixtures.appending(path: "archives-tricky/54-version-text.plist"))
        try Self.file(broken, levels: levels).write(to: workspace.folder.appending(path: "broken.plist"))
        let report = workspace.run(["validate", "broken.plist"]).output
        #expect(report.contains(": /$version: error: $version is a string"), "\(report)")
    }

    /// Returns the number of directly nested data levels.
    private static func levels(of bytes: [UInt8]) throws -> Int {
        var count = 0
        var data = Data(bytes)
        while let inner = try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? Data {
            data = inner
            count += 1
        }
        return count
    }
}
