import Foundation
import Testing

@testable import SaveToolKit

/// Tests how the installed git shows changes of saves.
@Suite(.enabled(if: GitRepository.isPossible, GitRepository.needs))
struct GitTests {
    private let repository: GitRepository
    private var workspace: Workspace { repository.workspace }

    init() throws {
        repository = try GitRepository.setUp()
    }

    private func changedLines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
            .filter { ($0.hasPrefix("+") || $0.hasPrefix("-")) && !$0.hasPrefix("+++") && !$0.hasPrefix("---") }
    }

    private func makeArchive(of json: String) throws {
        try workspace.write(json, to: "slot.json")
        #expect(workspace.run(["convert", "--to", "archive", "-o", "slot.save", "slot.json"]).status == 0)
    }

    @Test func insertedObjectChangesOnlyItsLines() throws {
        let json = workspace.run(["convert", "--to", "json", "Fixtures/games/swamp.save"]).output
        try makeArchive(of: json)
        try repository.git("add", ".gitattributes", "slot.save")
        try repository.git("commit", "-q", "-m", "first")
        let before = try workspace.bytes(of: "slot.save")
        let players = #""charList": ["#
        try #require(json.contains(players))
        let player = #"{"$class": "Player", "type": {"$object": 9}, "health": 80, "position.x": {"$real32": 1.5}},"#
        try makeArchive(of: json.replacingOccurrences(of: players, with: players + player))
        #expect(try workspace.bytes(of: "slot.save") != before)
        #expect(
            changedLines(try repository.git("diff")) == [
                "+    - Player", "+      health: 80", "+      position.x: 1.5 (32-bit)",
                "+      type: 9 (object)",
            ])
    }

    @Test func brokenSaveDoesNotStopGit() throws {
        try workspace.write("no save", to: "broken.save")
        try repository.git("add", "broken.save")
        let lines = changedLines(try repository.git("diff", "--cached", "broken.save"))
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("+not read: ") == true)
        #expect(lines.last == "+no save")
    }

    /// Changes of comments, spellings or line breaks are shown, although no value changes.
    @Test func showsChangeOfText() throws {
        try workspace.write(
            "<plist>\n<!-- a -->\n<dict><key>k</key><integer>16</integer></dict>\n</plist>\n", to: "slot.save")
        try repository.git("add", ".gitattributes", "slot.save")
        try repository.git("commit", "-q", "-m", "first")
        try workspace.write(
            "<plist>\n<!-- b -->\n<dict><key>k</key><integer>0x10</integer></dict>\n</plist>\n", to: "slot.save")
        let lines =
            ["<!-- a -->", "<dict><key>k</key><integer>16</integer></dict>"].map { "-" + $0 }
            + ["<!-- b -->", "<dict><key>k</key><integer>0x10</integer></dict>"].map { "+" + $0 }
        #expect(changedLines(try repository.git("diff")) == lines)
        try repository.git("commit", "-q", "-a", "-m", "second")
        #expect(changedLines(try repository.git("log", "-p", "-1")) == lines)
        #expect(try repository.git("blame", "slot.save").split(separator: "\n").filter { $0.hasPrefix("^") }.count == 2)
    }

    /// Several lists refer to objects that differ only in their numbers.
    @Test func insertedSharedObjectChangesOnlyItsLines() throws {
        func level(_ health: [Int]) -> String {
            let imps = health.map { #"{"$class": "Imp", "$id": \#($0), "kind": "imp", "health": \#($0)}"# }
            let references = health.map { #"{"$ref": \#($0)}"# }
            let classes = #""$classes": {"Level": ["Level", "NSObject"], "Imp": ["Imp", "NSObject"]}"#
            return #"{"$archiver": "NSKeyedArchiver", \#(classes), "$top": {"root": {"$class": "Level", "#
                + #""all": [\#(imps.joined(separator: ","))], "awake": [\#(references.joined(separator: ","))]}}}"#
        }
        try makeArchive(of: level([10, 20, 30, 40]))
        try repository.git("add", ".gitattributes", "slot.save")
        try makeArchive(of: level([10, 15, 20, 30, 40]))
        let lines = changedLines(try repository.git("diff"))
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.hasPrefix("+") })
    }

    @Test(arguments: ["lines", "changes"]) func acceptsNameThatBeginsLikeOption(driver: String) throws {
        #expect(workspace.run(["git-setup", "--apply", "--driver", driver, "*.save"]).status == 0)
        try workspace.write("[1]\n", to: "--help.save")
        try repository.git("add", ".")
        try workspace.write("[1, 2]\n", to: "--help.save")
        #expect(try repository.git("diff").split(separator: "\n").last == (driver == "lines" ? "+[1, 2]" : "+ /1: 2"))
    }

    @Test func limitsIndentation() throws {
        let depth = 300
        try workspace.write(
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth), to: "deep.json")
        let lines = workspace.run(["textconv", "deep.json"]).output.split(separator: "\n").map(String.init)
        let spaces = String(repeating: " ", count: 400)
        #expect(lines[201] == spaces + "- array")
        #expect(lines.dropLast().last == spaces + "[\(depth - 1)] - 1")
    }
}
