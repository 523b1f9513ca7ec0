import Foundation
import Testing

@testable import SaveToolKit

/// A real git in a repository of its own.
@Suite(.enabled(if: Programs.savetool != nil && Programs.git != nil, "needs git, and the built tool beside the tests"))
struct GitTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace(withFixturesAt: "Fixtures")
        try git("init", "-q")
        try git("config", "user.name", "Ada")
        try git("config", "user.email", "ada@example.com")
        #expect(workspace.run(["git-setup", "--apply", "*.save"]).status == 0)
    }

    @discardableResult
    private func git(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = Programs.git
        process.arguments = arguments
        process.currentDirectoryURL = workspace.folder
        var environment = Programs.environment
        environment["GIT_CONFIG_NOSYSTEM"] = "1"
        environment["HOME"] = workspace.folder.path(percentEncoded: false)
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self)
    }

    /// The lines of a difference that are added or removed.
    private func changedLines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
            .filter { ($0.hasPrefix("+") || $0.hasPrefix("-")) && !$0.hasPrefix("+++") && !$0.hasPrefix("---") }
    }

    private func makeArchive(of json: String) throws {
        try workspace.write(json, to: "slot.json")
        #expect(workspace.run(["convert", "--to", "archive", "-o", "slot.save", "slot.json"]).status == 0)
    }

    @Test func anInsertedObjectChangesOnlyItsOwnLines() throws {
        let json = workspace.run(["convert", "--to", "json", "Fixtures/games/swamp.save"]).output
        try makeArchive(of: json)
        try git("add", ".gitattributes", "slot.save")
        try git("commit", "-q", "-m", "first")
        let before = try workspace.bytes(of: "slot.save")
        let players = #""charList": ["#
        try #require(json.contains(players))
        let player = #"{"$class": "Player", "type": {"$object": 9}, "health": 80, "position.x": {"$real32": 1.5}},"#
        try makeArchive(of: json.replacingOccurrences(of: players, with: players + player))
        #expect(try workspace.bytes(of: "slot.save") != before)
        #expect(
            changedLines(try git("diff")) == [
                "+    - Player", "+      health: 80", "+      position.x: {\"$real32\": 1.5}",
                "+      type: 9 (object)",
            ])
    }

    @Test func settingUpTwiceChangesNothing() throws {
        let attributes = try workspace.text(of: ".gitattributes")
        let configuration = try workspace.text(of: ".git/config")
        #expect(attributes == "*.save diff=savetool\n")
        #expect(configuration.contains("textconv = savetool textconv --\n"))
        #expect(workspace.run(["git-setup", "--apply", "*.save"]).status == 0)
        #expect(try workspace.text(of: ".gitattributes") == attributes)
        #expect(try workspace.text(of: ".git/config") == configuration)
    }

    @Test func addsToWhatIsThere() throws {
        try workspace.write("*.save diff=savetool\n*.txt text", to: ".gitattributes")
        #expect(
            workspace.run(["git-setup", "--apply", "*.save", "*.sks"]).talk.hasSuffix("1 line added; git is set up\n"))
        #expect(
            try workspace.text(of: ".gitattributes") == "*.save diff=savetool\n*.txt text\n*.sks diff=savetool\n")
    }

    @Test func aBrokenSaveDoesNotStopGit() throws {
        try workspace.write("no save", to: "broken.save")
        try git("add", "broken.save")
        let lines = changedLines(try git("diff", "--cached", "broken.save"))
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("+not shown: ") == true)
    }

    /// Several lists refer to imps that only their numbers tell apart.
    @Test func anInsertedSharedObjectChangesOnlyItsOwnLines() throws {
        func level(_ health: [Int]) -> String {
            let imps = health.map { #"{"$class": "Imp", "$id": \#($0), "kind": "imp", "health": \#($0)}"# }
            let references = health.map { #"{"$ref": \#($0)}"# }
            let classes = #""$classes": {"Level": ["Level", "NSObject"], "Imp": ["Imp", "NSObject"]}"#
            return #"{"$archiver": "NSKeyedArchiver", \#(classes), "$top": {"root": {"$class": "Level", "#
                + #""all": [\#(imps.joined(separator: ","))], "awake": [\#(references.joined(separator: ","))]}}}"#
        }
        try makeArchive(of: level([10, 20, 30, 40]))
        try git("add", ".gitattributes", "slot.save")
        try makeArchive(of: level([10, 15, 20, 30, 40]))
        let lines = changedLines(try git("diff"))
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.hasPrefix("+") })
    }

    @Test(arguments: ["lines", "changes"]) func aNameMayBeginAsAnOptionDoes(driver: String) throws {
        #expect(workspace.run(["git-setup", "--apply", "--driver", driver, "*.save"]).status == 0)
        try workspace.write("[1]", to: "--help.save")
        try git("add", ".")
        try workspace.write("[1, 2]", to: "--help.save")
        #expect(try git("diff").split(separator: "\n").last == (driver == "lines" ? "+- 2" : "+ /1: 2"))
    }

    @Test func lastDriverPrevails() throws {
        #expect(workspace.run(["git-setup", "--apply", "--driver", "changes", "*.save"]).status == 0)
        let keys = ["config", "--get-regexp", "^diff[.]savetool[.]"]
        func settings() throws -> String { try git(keys[0], keys[1], keys[2]) }
        let lines = "diff.savetool.textconv savetool textconv --\n"
        #expect(try settings() == lines + "diff.savetool.command savetool diff --git --\n")
        #expect(workspace.run(["git-setup", "--apply", "*.save"]).status == 0)
        #expect(try settings() == lines)
    }

    @Test func deepLinesAreNotIndentedWithoutEnd() throws {
        let depth = 300
        try workspace.write(
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth), to: "deep.json")
        let lines = workspace.run(["textconv", "deep.json"]).output.split(separator: "\n").map(String.init)
        let spaces = String(repeating: " ", count: 400)
        #expect(lines[201] == spaces + "- array")
        #expect(lines.last == spaces + "[\(depth - 1)] - 1")
    }
}
