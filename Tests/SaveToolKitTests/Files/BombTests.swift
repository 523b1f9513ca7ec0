import Foundation
import TestSupport
import Testing

/// Tests that every command refuses small files that expand to a huge amount of work, before it does this work.
@Suite struct BombTests {
    /// Commands that read a file named `bomb`.
    static let commands = [
        "inspect bomb", "inspect -f json bomb", "inspect -f flat bomb", "inspect -f html bomb",
        "inspect -f summary bomb",
        "inspect -f ndjson bomb", "inspect -f mermaid bomb", "get bomb /0", "get -f xml bomb /0", "textconv bomb",
        "find x bomb", "diff bomb bomb", "diff -f json-patch bomb bomb", "merge bomb bomb bomb -o new",
        "merge --base none bomb bomb -o new", "convert --to json bomb", "convert --to xml bomb -o new",
        "convert --to archive bomb -o new", "convert --to binary bomb -o new", "roundtrip bomb", "schema infer bomb",
        "set bomb /0 x -o new", "insert bomb /0 x -o new", "remove bomb /0 -o new", "patch bomb patch -o new",
        "scores list bomb", "rename-class A B bomb -o new", "validate bomb",
    ]

    @Test(arguments: commands) func rejectsOverlappingStringsQuickly(_ command: String) throws {
        let workspace = try Workspace()
        try Data(OverlappingObjects.file(3200, of: .string)).write(to: workspace.folder.appending(path: "bomb"))
        try workspace.write(#"[{"op": "remove", "path": "/0"}]"#, to: "patch")
        let result = workspace.run(command.split(separator: " ").map(String.init))
        let text = result.talk + result.output
        #expect(text.contains("overlapping objects add up to 76"), "\(result)")
        #expect(text.utf8.count < 1000)
        #expect(result.status == (command == "validate bomb" ? 1 : command == "textconv bomb" ? 0 : 2))
        #expect(!FileManager.default.fileExists(atPath: workspace.folder.appending(path: "new").path()))
    }

    @Test func maxWorkRaisesLimit() throws {
        let workspace = try Workspace()
        try Data(OverlappingObjects.file(3200, of: .string)).write(to: workspace.folder.appending(path: "bomb"))
        #expect(workspace.run(["get", "--max-work", "2", "bomb", "/3199"]).output == "bplist00 \n")
        #expect(workspace.run(["get", "--max-work", "0", "bomb", "/3199"]).status == 2)
    }

    /// A device never ends.
    @Test func deviceIsReadToItsLimit() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": 1}"#, to: "a.json")
        for command in [
            ["inspect", "/dev/zero"], ["validate", "--schema", "/dev/zero", "a.json"],
            ["set", "a.json", "/a", "--change-type", "--data-file", "/dev/zero"],
        ] {
            let result = workspace.run(command)
            #expect(result.status == 2 && result.talk.contains("64 MiB for a device"), "\(result)")
        }
    }

    /// Sharing in ordinary files, such as many references to one long string, stays far below the limit.
    @Test func sharedObjectsDoNotCountAsOverlap() throws {
        let workspace = try Workspace()
        let text = String(repeating: "x", count: TestScale.count(1 << 18, long: 1 << 20))
        let list = try PropertyListSerialization.data(
            fromPropertyList: Array(repeating: text, count: 100), format: .binary, options: 0)
        try list.write(to: workspace.folder.appending(path: "list"))
        #expect(workspace.run(["validate", "list"]).status == 0)
        #expect(workspace.run(["diff", "list", "list"]).status == 0)
    }
}
