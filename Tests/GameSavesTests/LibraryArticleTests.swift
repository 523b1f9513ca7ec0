import ArchiveCoding
import Foundation
import GameSaves
import SaveCodec
import SaveInspection
import TestSupport
import Testing

/// The Swift code of the article Library, repeated here so that it is compiled and run.
@Suite struct LibraryArticleTests {
    private final class Paper {
        var lines: [String] = []
    }

    static func game(_ name: String) throws -> [UInt8] {
        try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/\(name)"))
    }

    /// Returns the swamp save with another health of the first player.
    private static func swamp(health: Int) throws -> GameSave {
        try GameSave(game("swamp.save")).applying(
            patch: Array(#"[{"op": "replace", "path": "/root/charList/0/health", "value": \#(health)}]"#.utf8))
    }

    @Test func examples() throws {
        let bytes = try Self.game("swamp.save")
        let (later, mine) = (try Self.swamp(health: 55), try Self.swamp(health: 70))
        let scores = try Self.game("highscores.plist")
        let paper = Paper()
        func print(_ values: Any...) { paper.lines.append(values.map { "\($0)" }.joined(separator: " ")) }

        let save = try GameSave(bytes)
        print(try save.value(at: "/root/charList/0/health")?.integer ?? 0)

        struct Player: Codable {
            var health: Int
        }

        if let value = save.value(at: "/root/charList/0") {
            var player = try KeyedArchiveDecoder().decode(Player.self, from: value)
            player.health = 55
            let wounded = try save.replacing("/root/charList/0", with: player)
            print(wounded.bytes.count, wounded.warnings.count)
            #expect(wounded.bytes == later.bytes)
        }

        var changes: [(address: JSONPointer, value: SaveValue)] = []
        for player in try save.value(at: "/root/charList")?.array ?? [] where player.className == "Player" {
            changes.append((try player["health"].address, .integer(try player["health"].integer * 2)))
        }
        let healed = try save.setting(changes)  // healed.bytes are those of the new file
        #expect(
            try save.changes(to: healed).map(\.description) == [
                "changed /root/charList/0/health: 100 → 200", "changed /root/charList/1/health: 55 → 110",
            ])

        let renamed = try save.applying(
            patch: Array(#"[{"op": "replace", "path": "/root/currentLevelName", "value": "Castle"}]"#.utf8))
        print(renamed.value(at: "/root/currentLevelName") ?? "nothing")

        var options = ComparisonOptions()
        options.ignored = ["/root/date"]
        for change in try save.changes(to: later, options) {
            print(change)  // changed /root/charList/0/health: 100 → 55
        }

        let patch = try save.patch(to: later)  // JSON Patch, as savetool diff -f json-patch writes it
        let patched = try save.applying(patch: patch)  // the same format, untouched bytes kept
        #expect(patched.bytes == later.bytes)

        let merge = try GameSave.merge(
            base: save, ours: mine, theirs: later,
            rules: [try SaveMergeRule("/root/charList/0/health", "min")])
        for conflict in merge.conflicts { print(conflict.address) }
        let merged = merge.save.bytes
        #expect(merged == later.bytes)

        var checks = SaveChecks()
        checks.allowedClasses = ["Map", "Player", "Foundation"]
        try checks.add(profile: "archive")
        let report = checks.report(on: bytes)
        for finding in report.findings where finding.problem.severity > .info {
            print(finding)  // byte 0x197: /HighScores/3: error: the record has no TotalScore [scores.field]
        }
        #expect(report.isSound)

        let table = try GameSave(scores)
        let best = try table.highScores().first
        let date = ArchivedDate(secondsSince2001: 273_933_296)  // of a Date: date.timeIntervalSinceReferenceDate
        if let (updated, rank) = try table.adding(HighScore(name: "Ada", score: 99_000, date: date), keeping: 10) {
            print(rank, best?.name ?? "", updated.bytes.count)
        }
        #expect(
            paper.lines.dropLast() == [
                "100", "\(later.bytes.count) 0", "\"Castle\"", "changed /root/charList/0/health: 100 → 55",
            ])
        #expect(paper.lines.last?.hasPrefix("1 Ada ") == true)
    }

    /// The lines of `Package.swift` are excluded, because the test finds products by name.
    @Test func articleContainsExamples() throws {
        let article = TestFiles.package.appending(path: "Sources/GameSaves/GameSaves.docc/Library.md")
        let text = String(decoding: try TestFiles.bytes(article), as: UTF8.self)
        let known = Set(try lines(of: String(contentsOf: URL(filePath: #filePath), encoding: .utf8)))
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count == 9)
        for line in lines(of: blocks.dropFirst().joined()) { #expect(known.contains(line), "\(line)") }
        let manifest = try String(contentsOf: TestFiles.package.appending(path: "Package.swift"), encoding: .utf8)
        for product in blocks[0].matches(of: /product\(name: ("\w+")/).map(\.output.1) {
            #expect(manifest.contains(".library(name: \(product)"))
        }
    }

    private func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
