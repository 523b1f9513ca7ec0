import Foundation
import TestSupport
import Testing

/// Tests that Foundation's unarchiver reads the archives that `scores` writes.
@Suite struct ScoreClientTests {
    private static let date = "2010-07-05T05:20:00Z"
    private static let eve = ["--name", "Eve", "--score", "41", "--date", date]
    private static let eveLine = "Eve 41 300000000.0"

    @Test func foundationReadsNewArchive() throws {
        let workspace = try Workspace()
        for (name, score, rank) in [("Bob", "40", "1 of 1"), ("Eve", "41", "1 of 2"), ("Zoë 日本", "40", "2 of 3")] {
            let arguments = [
                "scores", "add", "-q", "a", "--form", "archive", "--name", name, "--score", score, "--date", Self.date,
            ]
            #expect(workspace.run(arguments) == Workspace.Result(status: 0, output: "rank \(rank)\n"))
        }
        #expect(
            try Self.lines(workspace.bytes(of: "a"))
                == [Self.eveLine, "Bob 40 300000000.0", "Zoë 日本 40 300000000.0"])
    }

    @Test func foundationReadsArchiveWithNewRecord() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let file = "Fixtures/games/highscores.archive"
        let before = try Self.lines(workspace.bytes(of: file))
        let arguments = ["scores", "add", "-q", file, "--keep", "0"] + Self.eve
        #expect(workspace.run(arguments) == Workspace.Result(status: 0, output: "rank 11 of 11\n"))
        #expect(try Self.lines(workspace.bytes(of: file)) == before + [Self.eveLine])
    }

    /// Archives of Foundation on Linux store their objects in another order. real_clients.py checks GNUstep's archives.
    @Test(
        .enabled(if: TestFiles.folder("SAVETOOL_ORACLE_ARCHIVES") != nil),
        arguments: ["corelibs-native", "corelibs-plain"], ["binary", "xml"])
    func foundationReadsEditedArchivesOfOthers(writer: String, form: String) throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_ORACLE_ARCHIVES"))
        let file = folder.appending(path: "\(writer)/highscores.\(form).archive")
        let workspace = try Workspace()
        try Data(TestFiles.bytes(file)).write(to: workspace.folder.appending(path: "a"))
        let arguments = ["scores", "add", "a"] + Self.eve
        #expect(workspace.run(arguments).output == "rank 3 of 5\n")
        let lines = try Self.lines(workspace.bytes(of: "a"))
        #expect(lines.map { $0.prefix { $0 != " " } } == ["Ann", "Bob", "日本", "", "Eve"])
        let others = lines.filter { !$0.hasPrefix("Eve") }
        #expect(try Set(others) == Set(Self.lines(TestFiles.bytes(file))))
    }

    /// Returns what Foundation reads of a table, one line per record.
    private static func lines(_ bytes: [UInt8]) throws -> [String] {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        for name in ["HighScoreRecord", "Roguelike.HighScoreRecord"] {
            unarchiver.setClass(RecordLine.self, forClassName: name)
        }
        let records = try #require(unarchiver.decodeObject(forKey: "HighScores") as? [RecordLine])
        return records.map(\.line)
    }
}

/// A record as the game's class would decode it.
private final class RecordLine: NSObject, NSCoding {
    let line: String

    init?(coder: NSCoder) {
        let name = coder.decodeObject(forKey: "Name") as? String ?? "-"
        let score = (coder.decodeObject(forKey: "TotalScore") as? NSNumber)?.stringValue ?? "-"
        let date = coder.decodeObject(forKey: "DateRecorded") as? Date
        line = "\(name) \(score) \(date.map { "\($0.timeIntervalSinceReferenceDate)" } ?? "-")"
    }

    func encode(with coder: NSCoder) {}
}
