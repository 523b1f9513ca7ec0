import Foundation
import TestSupport
import Testing

/// Tests that Foundation reads records that were set, inserted or patched as a whole, and that the output of `get` can
/// be piped back into `set`.
@Suite struct SetByExampleTests {
    private static let file = "Fixtures/games/highscores.archive"

    /// A record that, like the game's class, decodes objects only.
    final class HighScoreRecord: NSObject, NSCoding {
        let line: String

        init?(coder: NSCoder) {
            let score = coder.decodeObject(forKey: "TotalScore") as? NSNumber
            // Foundation on Linux ends the process if the key is missing.
            let hasDate = coder.containsValue(forKey: "DateRecorded")
            let date = hasDate ? coder.decodeObject(forKey: "DateRecorded") as? Date : nil
            let name = coder.decodeObject(forKey: "Name") as? String
            line = "\(name ?? "-") \(score?.description ?? "-") \(date?.timeIntervalSince1970.description ?? "-")"
        }

        func encode(with coder: NSCoder) {}
    }

    private static func records(_ bytes: [UInt8]) throws -> [String] {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(HighScoreRecord.self, forClassName: "HighScoreRecord")
        let records = unarchiver.decodeObject(forKey: "HighScores") as? [HighScoreRecord]
        return try #require(records).map(\.line)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        var input = ""
        /// The index of the record afterwards, and what Foundation reads of it.
        let position: Int
        let line: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let record =
        #"{"$class":"HighScoreRecord","Name":"Eve","TotalScore":98300,"DateRecorded":"2010-01-01T00:00:00Z"}"#

    static let cases = [
        Case(arguments: ["set", file, "/HighScores/0", record], position: 0, line: "Eve 98300 1262304000.0"),
        Case(
            arguments: [
                "set", file, "/HighScores/0",
                #"{"TotalScore":98300,"Name":"Eve","DateRecorded":"2010-01-01T00:00:00Z"}"#,
            ],
            position: 0, line: "Eve 98300 1262304000.0"),
        Case(
            arguments: ["set", file, "/HighScores/1", "--json-file", "-"], input: record, position: 1,
            line: "Eve 98300 1262304000.0"),
        Case(arguments: ["insert", file, "/HighScores/-", record], position: 10, line: "Eve 98300 1262304000.0"),
        Case(
            arguments: ["patch", file, "-"],
            input:
                #"[{"op":"add","path":"/HighScores/0","value":{"$class":"HighScoreRecord","Name":"Eve","TotalScore":98300,"DateRecorded":{"$date":"2010-01-01T00:00:00Z"}}}]"#,
            position: 0, line: "Eve 98300 1262304000.0"),
        Case(
            arguments: ["patch", file, "-"],
            input:
                #"[{"op":"replace","path":"/HighScores/0","value":{"$class":"HighScoreRecord","Name":"Eve","TotalScore":98300}}]"#,
            position: 0, line: "Eve 98300 -"),
        Case(
            arguments: ["patch", file, "-"],
            input: #"{"HighScores":[{"$class":"HighScoreRecord","Name":"Eve","TotalScore":98300}]}"#, position: 0,
            line: "Eve 98300 -"),
    ]

    @Test(arguments: cases) func foundationReadsTheRecord(_ row: Case) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let before = try Self.records(workspace.bytes(of: Self.file))
        let result = workspace.run(row.arguments + ["-i", "-q"], input: Array(row.input.utf8))
        #expect(result == Workspace.Result(status: 0, output: ""))
        let after = try Self.records(workspace.bytes(of: Self.file))
        #expect(after.indices.contains(row.position) && after[row.position] == row.line, "\(after)")
        #expect(after.filter { !before.contains($0) } == [row.line])
    }

    private static func dictionary(_ data: Data) throws -> [String: Any] {
        let value = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        return try #require(value as? [String: Any])
    }

    /// After an edit of an archive inside preferences, Foundation still reads the archive.
    @Test func anArchiveInPreferences() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let archive = Data(try workspace.bytes(of: Self.file))
        let inner = try PropertyListSerialization.data(
            fromPropertyList: ["scores": archive], format: .binary, options: 0)
        for (format, address) in [
            (PropertyListSerialization.PropertyListFormat.binary, "/slot/scores/HighScores/0/Name"),
            (.xml, "/slot/~^/scores/HighScores/0/Name"),
        ] {
            let preferences = try PropertyListSerialization.data(
                fromPropertyList: ["slot": inner, "lives": 3], format: format, options: 0)
            try preferences.write(to: workspace.current.appending(path: "preferences.plist"))
            let result = workspace.run(["set", "-iq", "preferences.plist", address, "Eve"])
            #expect(result == Workspace.Result(status: 0, output: ""))
            let edited = try Self.dictionary(Data(workspace.bytes(of: "preferences.plist")))
            #expect(edited["lives"] as? Int == 3)
            let slot = try #require(edited["slot"] as? Data)
            let scores = try #require(try Self.dictionary(slot)["scores"] as? Data)
            let before = try Self.records(Array(archive))
            let after = try Self.records(Array(scores))
            #expect(after.first?.hasPrefix("Eve 98200 ") == true)
            #expect(after.dropFirst() == before.dropFirst())
        }
    }

    /// `get … | sed … | set` changes only what sed has changed.
    @Test(arguments: ["json", "typed"], ["/HighScores", "/HighScores/0", ""])
    func pipeline(_ format: String, _ pointer: String) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let before = try workspace.bytes(of: Self.file)
        let text = workspace.run(["get", "-f", format, Self.file, pointer]).output
        let same = workspace.run(["set", "-i", Self.file, pointer, "--json-file", "-"], input: Array(text.utf8))
        #expect(same == Workspace.Result(status: 0, output: ""))
        #expect(try workspace.bytes(of: Self.file) == before)
        let edited = text.replacingOccurrences(of: "98200", with: "98201")
        let shown = workspace.run(
            ["set", "--dry-run", Self.file, pointer, "--json-file", "-"], input: Array(edited.utf8))
        #expect(shown == Workspace.Result(status: 0, output: "~ /HighScores/0/TotalScore: 98200 → 98201\n"))
        _ = workspace.run(["set", "-i", Self.file, pointer, "--json-file", "-"], input: Array(edited.utf8))
        let line = try #require(try Self.records(before).first).replacingOccurrences(of: "98200", with: "98201")
        #expect(try Self.records(workspace.bytes(of: Self.file)) == [line] + Self.records(before).dropFirst())
    }

    /// Scalars keep their type even if `get` prints them without JSON quoting.
    @Test func rawText() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let before = try workspace.bytes(of: Self.file)
        for pointer in ["/HighScores/2/Name", "/HighScores/0/TotalScore", "/HighScores/0/DateRecorded"] {
            let text = workspace.run(["get", Self.file, pointer]).output
            let result = workspace.run(["set", "-i", Self.file, pointer, "--json-file", "-"], input: Array(text.utf8))
            #expect(result == Workspace.Result(status: 0, output: ""))
            #expect(try workspace.bytes(of: Self.file) == before)
        }
        let name = workspace.run(
            ["set", "-iq", Self.file, "/HighScores/0/Name", "--json-file", "-"], input: Array("Eve\n".utf8))
        #expect(name == Workspace.Result(status: 0, output: ""))
        #expect(workspace.run(["get", Self.file, "/HighScores/0/Name"]).output == "Eve\n")
    }

    @Test func refused() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let twice = workspace.run(["set", "-", "/a", "--json-file", "-"])
        #expect(twice.status == 2)
        #expect(twice.talk == "savetool: standard input (-) can be read only once\n")
        let kind = workspace.run(
            ["set", "-i", Self.file, "/HighScores", "--json-file", "-"],
            input: Array(
                workspace.run(["get", Self.file, "/HighScores"]).output.replacingOccurrences(
                    of: "98200", with: "\"many\""
                ).utf8))
        #expect(kind.status == 2)
        #expect(
            kind.talk.hasPrefix(
                "Fixtures/games/highscores.archive: /HighScores/0/TotalScore: found a string; expected an integer, like the present value"
            ), "\(kind.talk)")
    }

    /// A number keeps its storage as an object even if the editor removed the `$object` tag, and so does the number of
    /// a new record.
    @Test func editor() throws {
        let workspace = try Workspace(fixtures: ["games"])
        try workspace.write(
            #"sed -i.bak -e 's/{"$object": 98200}/98201/' "$1""#, to: "editor.sh")
        let result = workspace.run(
            ["edit", Self.file],
            environment: ["VISUAL": "sh " + workspace.path(of: "editor.sh"), "PATH": "/usr/bin:/bin"])
        #expect(result.talk == "~ /HighScores/0/TotalScore: 98200 → 98201\n")
        #expect(try Self.records(workspace.bytes(of: Self.file)).first?.hasPrefix("Ada 98201 ") ?? false)
    }
}
