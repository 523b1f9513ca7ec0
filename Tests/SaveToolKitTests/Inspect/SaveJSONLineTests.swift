import Foundation
import TestSupport
import Testing

/// Tests folders as operands, and the NDJSON line for each save in them.
@Suite struct SaveJSONLineTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace(fixtures: ["games"])
        let folder = workspace.folder.appending(path: "saves/old")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: workspace.folder.appending(path: "Fixtures/games/swamp.save"), to: folder.appending(path: "a.save"))
        try workspace.write(#"{"gems": 7, "": true}"#, to: "saves/b.json")
        try workspace.write("{", to: "saves/c.json")
        try workspace.write("nothing of ours", to: "saves/notes.txt")
    }

    @Test func writesOneLinePerSave() throws {
        let result = workspace.run([
            "inspect", "-f", "ndjson", "--at", "/gems", "--at", "", "--at", "/root/currentLevelName", "saves",
        ])
        let lines = result.output.split(separator: "\n")
        #expect(
            lines == [
                #"{"file":"saves/b.json","format":"json","archive":false,"size":21,"values":{"/gems":7,"":{"gems":7,"":true}}}"#,
                #"{"file":"saves/c.json","error":{"id":"json.syntax","message":"1:2: found the end of the text; expected a name in quotation marks"}}"#,
                lines.last ?? "",
            ])
        #expect(result.status == 2 && result.talk.hasPrefix("saves/c.json:1:2: "))
        let last = String(try #require(lines.last))
        #expect(last.contains(#""classes":{"Map":1,"NSArray":1,"Player":3},"values":{"":{"root":"#))
        #expect(last.hasSuffix(#","/root/currentLevelName":"Swamp"}}"#))
        for line in lines {
            try workspace.write(String(line), to: "row.json")
            let schema = TestFiles.fixtures.appending(path: "schemas/inspect-row.schema.json").path
            #expect(workspace.run(["validate", "--schema", schema, "row.json"]).talk == "1 file: 1 valid\n")
        }
    }

    @Test func readsSavesInFolders() throws {
        #expect(workspace.run(["roundtrip", "saves/old"]).output == "saves/old/a.save: same bytes (779)\n")
        #expect(workspace.run(["inspect", "-f", "flat", "saves"]).output.hasPrefix("saves/b.json:/gems = 7\n"))
        let none = workspace.run(["inspect", "Fixtures"])
        #expect(none.status == 0)
        try workspace.write("x", to: "saves/old/notes")
        try FileManager.default.removeItem(at: workspace.folder.appending(path: "saves/old/a.save"))
        let result = workspace.run(["inspect", "saves/old"])
        #expect(
            result.talk == """
                savetool: skipped 1 file that does not begin or end like a save (no extension); name a file to read it
                savetool: nothing to read: the named files and folders contain no save, property list or JSON

                """)
    }

    @Test func convertKeepsFolderTree() throws {
        let arguments = ["convert", "-r", "--to", "json", "--output-dir", "saves/out", "saves"]
        #expect(workspace.run(arguments).status == 2)
        #expect(try workspace.text(of: "saves/out/b.json").hasPrefix("{\n  \"gems\": 7,"))
        #expect(workspace.run(["diff", "saves/old/a.save", "saves/out/old/a.json"]).status == 0)
        // The output folder is not read by the next run.
        #expect(!workspace.run(arguments).talk.contains("saves/out"))
        #expect(!FileManager.default.fileExists(atPath: workspace.path(of: "saves/out/out")))
        let folder = workspace.run(["convert", "--to", "xml", "--output-dir", "out", "saves"])
        #expect(folder.talk == "saves: this is a folder; use --recursive to process the saves in it\n")
    }
}
