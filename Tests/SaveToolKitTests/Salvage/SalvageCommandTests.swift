import Foundation
import SaveCodec
import TestSupport
import Testing

@testable import SaveToolKit

/// The command never writes to the damaged file, its exit status says whether something is lost, and its reports have
/// the documented form.
@Suite struct SalvageCommandTests {
    private let workspace = try? Workspace()

    private func load(_ name: String) throws -> Workspace {
        let workspace = try #require(self.workspace)
        for (source, target) in [("damaged/\(name)", "damaged.save"), ("games/swamp.save", "older.save")] {
            let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: source))
            try Data(bytes).write(to: URL(filePath: workspace.path(of: target)))
        }
        return workspace
    }

    @Test(arguments: [
        ("appended.save", 0), ("crlf.save", 0), ("utf8.save", 0), ("trailer.save", 0), ("offset.save", 0),
        ("cut-table.save", 0), ("cut.save", 1), ("length.save", 1), ("inserted.save", 1), ("zeros.save", 1),
        ("hole.save", 1),
    ])
    func exitStatusTellsLoss(_ name: String, _ status: Int32) throws {
        let workspace = try load(name)
        #expect(workspace.run(["salvage", "damaged.save", "-o", "back.save"]).status == status)
        // The hole replaced the list of the objects, so only the property list opens.
        let isArchive = name != "hole.save"
        #expect(workspace.run(["inspect", "back.save"]).status == (isArchive ? 0 : 2))
        #expect(workspace.run(["inspect", "--raw", "back.save"]).status == 0)
        #expect(try workspace.bytes(of: "damaged.save") != workspace.bytes(of: "back.save"))
        let isSame = try workspace.bytes(of: "older.save") == workspace.bytes(of: "back.save")
        // Nothing proves that the repaired length is right.
        #expect(isSame == (status == 0 || name == "length.save"))
    }

    @Test(arguments: ["damaged.save", "./damaged.save", "hard.save", "soft.save"])
    func refusesToOverwriteTheFile(_ output: String) throws {
        let workspace = try load("length.save")
        let file = URL(filePath: workspace.path(of: "damaged.save"))
        let before = try workspace.bytes(of: "damaged.save")
        try FileManager.default.linkItem(at: file, to: URL(filePath: workspace.path(of: "hard.save")))
        try FileManager.default.createSymbolicLink(
            at: URL(filePath: workspace.path(of: "soft.save")), withDestinationURL: file)
        #expect(workspace.run(["salvage", "damaged.save", "-o", output]).status == 2)
        #expect(try workspace.bytes(of: "damaged.save") == before)
    }

    @Test func reportFitsItsSchema() throws {
        let schema = TestFiles.fixtures.appending(path: "schemas/salvage.schema.json").path(percentEncoded: false)
        for name in [
            "appended.save", "cut.save", "length.save", "inserted.save", "options.save", "hole.save", "two.json",
            "root.sqlite", "cut.typedstream",
        ] {
            let workspace = try load(name)
            for more in [[], ["--like", "older.save"], ["--like", "older.save", "--fill"], ["--raw"]] {
                let report = workspace.run(["salvage", "-f", "json", "damaged.save"] + more)
                try workspace.write(report.output, to: "report.json")
                #expect(workspace.run(["validate", "--schema", schema, "report.json"]).status == 0, "\(name) \(more)")
            }
        }
    }

    @Test func fillsWhatIsLost() throws {
        let workspace = try load("length.save")
        let fill = ["salvage", "damaged.save", "--like", "older.save", "--fill", "-o", "back.save"]
        #expect(workspace.run(fill).output.contains("filled from older.save: a string"))
        #expect(workspace.run(["diff", "back.save", "older.save"]).status == 0)
    }

    @Test func namesTheSameHoleAsValidate() throws {
        let workspace = try load("hole.save")
        let hole = "53 bytes from here on are zero; they replaced objects 6 to 12"
        #expect(workspace.run(["validate", "damaged.save"]).output.contains(hole))
        let result = workspace.run(["salvage", "damaged.save"])
        #expect(result.output.contains(hole))
        #expect(!result.output.contains("no damage found"))
    }

    @Test func countsLossesOfEveryKind() throws {
        let output = try load("cut.save").run(["salvage", "damaged.save"]).output
        #expect(output.contains("lost: objects 79 to 85 are not in the file\n"))
        #expect(output.contains("79 of 87 objects came back; 8 objects and 2 classes or references lost"))
    }

    /// The losses must not be hidden among many values that are doubtful for one reason.
    @Test func reportsManyDoubtsInOneLine() throws {
        let workspace = try #require(self.workspace)
        var bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("health".utf8)) })
        bytes[name] = 0xFF
        try Data(bytes.dropLast(240)).write(to: URL(filePath: workspace.path(of: "damaged.save")))
        let lines = workspace.run(["salvage", "damaged.save"]).output.split(separator: "\n")
        let doubts = lines.filter { $0.hasPrefix("doubtful:") && $0.contains("there is other damage") }
        #expect(doubts.count == 1 && doubts.allSatisfy { $0.contains("81 objects") }, "\(lines)")
    }

    /// Nothing shows how many values followed the end of a text.
    @Test func doesNotCountWhatFollowedTheEnd() throws {
        let workspace = try #require(self.workspace)
        try workspace.write("{\"a\": 1, \"b\": 2, \"c\": [1, 2", to: "damaged.json")
        try workspace.write("{\"a\": 1, \"b\": 2, \"c\": [1, 25, 3], \"d\": 4}", to: "older.json")
        let output = workspace.run(["salvage", "damaged.json"]).output
        #expect(output.contains("values came back, at least 1 lost"))
        let fill = ["salvage", "damaged.json", "--like", "older.json", "--fill", "-o", "back.json"]
        #expect(workspace.run(fill).output.contains("; 3 filled, 0 still lost\n"))
        #expect(workspace.run(["diff", "back.json", "older.json"]).status == 0)
        try workspace.write("{\"a\": 1, ", to: "damaged.json")
        #expect(workspace.run(["salvage", "damaged.json"]).output.contains("came back, an unknown number lost"))
    }

    /// A second file is left out in the same way in all formats, and the command that the report names gets it.
    @Test(arguments: ["games/grabthar.json", "games/swamp.xml.save", "games/swamp.save", "text/levels.plist"])
    func leavesOutASecondFile(_ name: String) throws {
        let workspace = try #require(self.workspace)
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
        try Data(bytes + bytes).write(to: URL(filePath: workspace.path(of: "two.save")))
        let result = workspace.run(["salvage", "two.save", "-o", "one.save"])
        #expect(result.status == 1)
        #expect(result.output.contains("two files in one: the "))
        #expect(result.output.contains("tail -c +\(bytes.count + 1) two.save"), "\(result.output)")
        #expect(!result.output.contains("lost"))
        #expect(workspace.run(["diff", "-q", "one.save", "two.save"]).status != 1)
        let json = workspace.run(["salvage", "two.save", "-f", "json"]).output
        #expect(json.contains("\"confidence\":\"complete\""), "\(json)")
        #expect(json.contains("\"start\":\(bytes.count)"), "\(json)")
    }

    @Test func reportsAFileWithoutContentAsJSON() throws {
        let workspace = try #require(self.workspace)
        let schema = TestFiles.fixtures.appending(path: "schemas/salvage.schema.json").path(percentEncoded: false)
        try workspace.write("nothing here", to: "words.txt")
        let result = workspace.run(["salvage", "words.txt", "-f", "json"])
        #expect(result.status == 2 && result.talk.contains("the first bytes are"))
        #expect(result.output.contains("\"confidence\":\"nothing\""))
        try workspace.write(result.output, to: "report.json")
        #expect(workspace.run(["validate", "--schema", schema, "report.json"]).status == 0)
    }

    /// The kept part of a read-only format is in another one, which the name of the file does not show.
    @Test(arguments: [("cut.typedstream", "nib"), ("root.sqlite", "sqlite")])
    func namesAnotherFormat(_ name: String, _ ending: String) throws {
        let workspace = try load(name)
        let result = workspace.run(["salvage", "damaged.save", "-o", "back.save"])
        #expect(result.output.contains("the result is a binary property list, because savetool does not write a"))
        #expect(result.output.contains(" came back, "))
        let json = workspace.run(["salvage", "damaged.save", "-f", "json"]).output
        #expect(json.contains("\"lostAtLeast\":true"))
        try Data(workspace.bytes(of: "damaged.save")).write(
            to: URL(filePath: workspace.path(of: "damaged.\(ending)")))
        let warned = workspace.run(["salvage", "damaged.\(ending)", "-o", "back.\(ending)"])
        #expect(warned.talk.contains("back.\(ending): warning: in spite of its name, this is a binary property list"))
        #expect(workspace.run(["salvage", "damaged.\(ending)", "-o", "back.plist"]).talk.isEmpty)
    }

    /// Commands that cannot read a damaged file name the one that repairs it.
    @Test(arguments: [
        ["inspect", "damaged.save"], ["get", "damaged.save", "/root"], ["validate", "damaged.save"],
        ["diff", "older.save", "damaged.save"],
    ])
    func isSuggestedWhereItHelps(_ command: [String]) throws {
        let workspace = try load("cut.save")
        #expect(workspace.run(command).talk.contains("use savetool salvage "))
        try workspace.write("nothing here", to: "damaged.save")
        #expect(!workspace.run(command).talk.contains("salvage"))
        try workspace.write("{\"a\": 1 2}", to: "damaged.save")
        #expect(!workspace.run(command).talk.contains("salvage"))
    }

    @Test func suggestsNoRepairOfASaveThatASetCannotChange() throws {
        let workspace = try load("cut.save")
        #expect(workspace.run(["set", "older.save", "/nothing", "1"]).talk.contains("salvage") == false)
        #expect(
            workspace.run(["set", "damaged.save", "/nothing", "1"]).talk.contains("use savetool salvage damaged.save"))
    }

    @Test func isQuiet() throws {
        let workspace = try load("cut.save")
        let result = workspace.run(["salvage", "-q", "damaged.save", "-o", "back.save"])
        #expect(result.status == 1 && result.output.isEmpty && result.talk.isEmpty)
        #expect(try !workspace.bytes(of: "back.save").isEmpty)
    }

    @Test func pipesTheResultThroughAProgram() throws {
        let workspace = try load("appended.save")
        let result = workspace.run(["salvage", "damaged.save", "-o", "back.save", "--filter-out", "head -c 8"])
        #expect(result.status == 0)
        #expect(try workspace.bytes(of: "back.save") == Array("bplist00".utf8))
    }

    /// `validate` and `salvage` name the same oddities of a file that reads.
    @Test func namesWarningsOfAFileWithoutDamage() throws {
        let workspace = try #require(self.workspace)
        try workspace.write("{\"a\": \"ZoÃ«\"}", to: "odd.json")
        let result = workspace.run(["salvage", "odd.json"])
        let warning = "warning: all characters that are not ASCII look like UTF-8 that was read as Latin-1"
        #expect(result.status == 0 && result.output.contains(warning))
        #expect(result.output.hasSuffix("odd.json: no damage found; 1 warning\n"))
        #expect(workspace.run(["validate", "odd.json"]).output.contains(warning))
        let json = workspace.run(["salvage", "odd.json", "-f", "json"]).output
        #expect(json.contains("\"confidence\":\"no-damage-found\""))
    }

    @Test func refusesASecondFile() throws {
        #expect(try load("cut.save").run(["salvage", "damaged.save", "older.save"]).status == 2)
    }

    /// A doubtful value was kept, so the older one does not replace it.
    @Test func fillsNoDoubtfulValue() throws {
        let workspace = try #require(self.workspace)
        try workspace.write("{\"a\": 1 234, \"b\": \u{1}}", to: "damaged.json")
        try workspace.write("{\"a\": 5, \"b\": 6}", to: "older.json")
        let fill = ["salvage", "damaged.json", "--like", "older.json", "--fill", "-o", "back.json"]
        #expect(workspace.run(fill).output.contains("filled from older.json: an integer"))
        #expect(workspace.run(["get", "back.json", "/a"]).output == "1\n")
        #expect(workspace.run(["get", "back.json", "/b"]).output == "6\n")
    }

    /// An edit writes the objects anew, without the bytes from which `salvage` could get back the whole string.
    @Test func damagedFilesAreNotEditedInPlace() throws {
        let workspace = try load("length.save")
        let before = try workspace.bytes(of: "damaged.save")
        let edit = ["set", "damaged.save", "/root/charList/0/health", "50"]
        let refused = workspace.run(edit + ["-i"])
        #expect(refused.status == 2 && refused.talk.contains("not written: the file may be damaged"))
        #expect(try workspace.bytes(of: "damaged.save") == before)
        #expect(workspace.run(edit + ["-n"]).status == 0)
        #expect(workspace.run(edit + ["-o", "edited.save"]).status == 0)
        #expect(workspace.run(edit + ["-i", "--allow-loss"]).status == 0)
    }

    /// Damage would be taken for a change of one side. Damage of the base changes no value.
    @Test func damagedFilesAreNotMerged() throws {
        let workspace = try load("length.save")
        func merge(_ files: [String], _ options: [String] = []) -> (status: Int32, talk: String) {
            let result = workspace.run(["merge"] + files + options + ["-o", "merged.save"])
            return (result.status, result.talk)
        }
        for files in [["older.save", "older.save", "damaged.save"], ["older.save", "damaged.save", "older.save"]] {
            let refused = merge(files)
            #expect(refused.status == 2 && refused.talk.contains("damaged.save: not merged: it may be damaged"))
            #expect(merge(files, ["--allow-loss"]).status == 0)
        }
        #expect(merge(["damaged.save", "older.save", "older.save"]).status == 0)
        // An array without its elements is a fault that the base does not have.
        var bytes = try workspace.bytes(of: "older.save")
        let key = try #require(bytes.indices.first { bytes[$0...].starts(with: "NS.objects".utf8) })
        bytes[key] = UInt8(ascii: "O")
        try Data(bytes).write(to: URL(filePath: workspace.path(of: "damaged.save")))
        #expect(merge(["older.save", "older.save", "damaged.save"]).talk.contains("not merged: it may be damaged"))
        #expect(merge(["damaged.save", "damaged.save", "damaged.save"]).status == 0)
    }

    @Test func writesToStandardOutput() throws {
        let workspace = try load("length.save")
        let result = workspace.run(["salvage", "damaged.save", "-o", "-"])
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("bplist00"))
        #expect(result.talk.contains("87 of 87 objects came back"))
        #expect(workspace.run(["salvage", "damaged.save", "-o", "-"], isTerminal: true).status == 2)
    }
}
