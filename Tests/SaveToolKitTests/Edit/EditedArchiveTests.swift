import Foundation
import TestSupport
import Testing

/// Tests what edits change in a file: the archive as Foundation reads it, and its bytes.
@Suite struct EditedArchiveTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let arguments: [String]
        /// The lines of Foundation's reading that change, with their new text.
        let lines: [String]
        /// The number of changed bytes, or nil if the size changes.
        var bytes: Int?
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let cases = [
        Case(
            file: "swamp.save", arguments: ["set", "/root/charList/1/health", "76"], lines: ["1 health 76"], bytes: 1),
        Case(file: "swamp.save", arguments: ["set", "/root/charList/0/position.x", "11"], lines: ["0 x 11.0"]),
        Case(file: "swamp.save", arguments: ["set", "/root/charList/0/type", "9"], lines: ["0 type 9"]),
        Case(file: "swamp.save", arguments: ["set", "/root/currentLevelName", "Moor"], lines: ["level Moor"]),
        Case(
            file: "swamp.save", arguments: ["remove", "/root/charList/2"],
            lines: ["2 -"]),
        Case(
            file: "swamp.xml.save", arguments: ["set", "/root/charList/1/health", "76"], lines: ["1 health 76"]),
    ]

    @Test(arguments: cases) func foundationReadsEditedValue(_ row: Case) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let file = "Fixtures/games/" + row.file
        let before = try workspace.bytes(of: file)
        let arguments = [row.arguments[0], "-i", "-q", file] + row.arguments.dropFirst()
        #expect(workspace.run(arguments) == Workspace.Result(status: 0, output: ""))
        let after = try workspace.bytes(of: file)
        let old = try Self.lines(before)
        let new = try Self.lines(after)
        #expect(new.filter { !$0.isEmpty && !old.contains($0) } == row.lines)
        #expect(old.count == new.count)
        if let bytes = row.bytes {
            #expect(before.count == after.count)
            #expect(zip(before, after).filter { $0 != $1 }.count == bytes)
        }
    }

    /// Returns what Foundation reads of a map, one line per value. Missing players are padded, so that the lines of two
    /// maps can be compared in pairs.
    private static func lines(_ bytes: [UInt8]) throws -> [String] {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(MapLines.self, forClassName: "Map")
        unarchiver.setClass(PlayerLines.self, forClassName: "Player")
        let map = try #require(unarchiver.decodeObject(forKey: "root") as? MapLines)
        let players = (0..<3).flatMap { number in
            number < map.players.count ? map.players[number].lines.map { "\(number) \($0)" } : ["\(number) -"]
        }
        let missing = [String](repeating: "", count: 3 * max(0, 3 - map.players.count))
        return ["level \(map.level)"] + players + missing
    }

    // MARK: Bytes

    @Test(arguments: [
        ("preferences.plist", ["set", "/gems", "341"], 1),
        ("preferences.plist", ["set", "/playerName", "Bob"], 3),
        ("preferences.plist", ["set", "/gems", "340"], 0),
        ("friends.save", ["set", "/myfoo/age", "43"], 1),
        ("highscores.archive", ["set", "/HighScores/1/Name", "Gracy"], 1),
    ])
    func keepsOtherBytes(_ name: String, _ arguments: [String], _ count: Int) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let file = "Fixtures/games/" + name
        let before = try workspace.bytes(of: file)
        _ = workspace.run([arguments[0], file, "-o", "out"] + arguments.dropFirst())
        let after = try workspace.bytes(of: "out")
        #expect(before.count == after.count)
        #expect(zip(before, after).filter { $0 != $1 }.count == count)
    }

    @Test func rejectsBinaryDataOnTerminal() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let file = "Fixtures/games/preferences.plist"
        let message = "savetool: missing --output FILE: binary data is not written to a terminal\n"
        #expect(
            workspace.run(["set", file, "/gems", "1"], isTerminal: true)
                == Workspace.Result(status: 2, output: "", talk: message))
        let data = "\(file): /deviceToken: raw data is not written to a terminal; use --format hex or --format json\n"
        #expect(
            workspace.run(["get", file, "/deviceToken"], isTerminal: true)
                == Workspace.Result(status: 2, output: "", talk: data))
    }

    @Test func escapesStringsOnlyOnTerminal() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": "x\u001b[2J"}"#, to: "a.json")
        #expect(workspace.run(["get", "a.json", "/a"], isTerminal: true).output == "x\\u001B[2J\n")
        #expect(workspace.run(["get", "a.json", "/a"]).output == "x\u{1B}[2J\n")
    }
}

/// The fixtures' class `Map` as a game would decode it.
private final class MapLines: NSObject, NSCoding {
    let level: String
    let players: [PlayerLines]

    init?(coder: NSCoder) {
        level = coder.decodeObject(forKey: "currentLevelName") as? String ?? "-"
        players = coder.decodeObject(forKey: "charList") as? [PlayerLines] ?? []
    }

    func encode(with coder: NSCoder) {}
}

/// The fixtures' class `Player` as a game would decode it.
private final class PlayerLines: NSObject, NSCoding {
    let lines: [String]

    init?(coder: NSCoder) {
        lines = [
            "type \(coder.decodeObject(forKey: "type") as? Int ?? -1)",
            "x \(coder.decodeFloat(forKey: "position.x"))", "y \(coder.decodeFloat(forKey: "position.y"))",
            "health \(coder.decodeInteger(forKey: "health"))",
        ]
    }

    func encode(with coder: NSCoder) {}
}
