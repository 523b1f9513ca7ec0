import TestSupport
import Testing

/// Tests that an edit, a patch or a merge of an object leaves a dictionary alone that has the same object as a key.
@Suite struct ObjectKeyTests {
    private static func graph(key: String, recent: String, more: String = "") -> String {
        #"{"$archiver":"NSKeyedArchiver","$top":{"root":{"states":{"$class":"NSDictionary","$entries":[[\#(key),"A"]\#(more)]},"recent":[\#(recent)]}}}"#
    }

    private static func url(_ path: String, _ number: Int? = nil) -> String {
        let id = number.map { #""$id":\#($0),"# } ?? ""
        return #"{"$class":"NSURL",\#(id)"NS.base":null,"NS.relative":"file:///\#(path)"}"#
    }

    private static func workspace() throws -> Workspace {
        let workspace = try Workspace()
        let saves = [
            ("shared", graph(key: url("a", 1), recent: #"{"$ref":1}"#)),
            ("split", graph(key: url("a"), recent: url("b"))),
            ("both", graph(key: url("b", 1), recent: #"{"$ref":1}"#)),
            ("more", graph(key: url("a", 1), recent: #"{"$ref":1}"#, more: #",[\#(url("c")),"C"]"#)),
        ]
        for (name, graph) in saves {
            try workspace.write(graph, to: "graph.json")
            let result = workspace.run(["convert", "--to", "archive", "graph.json", "-o", name])
            #expect(result.status == 0, "\(result.talk)")
        }
        return workspace
    }

    @Test func setReportsAndSplitsKey() throws {
        let workspace = try Self.workspace()
        let arguments = ["set", "shared", "/root/recent/0/NS.relative", "file:///b", "-o", "new"]
        #expect(
            workspace.run(arguments).talk
                == "shared: /root/recent/0/NS.relative: shared, so this also changes the key of /root/states/~#0; "
                + "use --unshare to change only this one\n")
        #expect(workspace.run(["diff", "new", "both"]).status == 0)
        #expect(workspace.run(arguments + ["--unshare"]).talk == "")
        #expect(workspace.run(["diff", "new", "split"]).status == 0)
    }

    /// The result of a patch, and of a merge with an unchanged side, is exactly the other save.
    @Test(arguments: ["shared", "split", "both", "more"], ["shared", "split", "both", "more"])
    func patchAndMergeGiveTheOther(_ before: String, _ after: String) throws {
        let workspace = try Self.workspace()
        #expect(workspace.run(["merge", before, before, after, "-o", "merged"]).status == 0)
        #expect(workspace.run(["diff", "merged", after]).output == "")
        let patch = workspace.run(["diff", "-f", "json-patch", before, after])
        #expect(patch.status != 2, "\(patch.talk)")
        try workspace.write(patch.output, to: "patch.json")
        #expect(workspace.run(["patch", before, "patch.json", "-o", "patched"]).status == 0)
        #expect(workspace.run(["diff", "patched", after]).output == "")
    }

    /// The difference is reported inside the object, even though a patch replaces the object.
    @Test func differenceIsInsideObject() throws {
        let workspace = try Self.workspace()
        #expect(
            workspace.run(["diff", "shared", "split"]).output
                == "~ /root/recent/0/NS.relative: \"file:///a\" → \"file:///b\"\n")
    }

    /// Keys that are dictionaries with different object keys themselves are different.
    @Test func keysInsideKeys() throws {
        let workspace = try Workspace()
        for (name, path) in [("before", "a"), ("after", "b")] {
            let inner = #"{"$class":"NSDictionary","$entries":[[\#(Self.url(path)),1]]}"#
            try workspace.write(Self.graph(key: inner, recent: "5"), to: "\(name).json")
        }
        #expect(workspace.run(["diff", "before.json", "after.json"]).status == 1)
        #expect(workspace.run(["merge", "before.json", "before.json", "after.json", "-o", "merged.json"]).status == 0)
        #expect(try workspace.text(of: "merged.json").contains("file:///b"))
    }
}
