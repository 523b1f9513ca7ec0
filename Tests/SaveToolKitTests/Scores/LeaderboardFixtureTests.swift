import Foundation
import TestSupport
import Testing

/// Tests the leaderboard scripts in `Fixtures` without a web server.
@Suite struct LeaderboardFixtureTests {
    /// Players see the ten best scores of a longer table.
    @Test func bestTen() throws {
        let script = try TestFiles.bytes(
            TestFiles.fixtures.appending(path: "leaderboard/www/cgi-bin/scores"))
        let line = String(decoding: script, as: UTF8.self).split(separator: "\n").last ?? ""
        let words = line.replacing("exec savetool ", with: "").split(separator: " ").map(String.init)
        let workspace = try Workspace()
        let records = (1...12).map { "{\"player_name\": \"P\($0)\", \"total_score\": \($0)}" }
        try workspace.write("[\(records.joined(separator: ","))]", to: "leaderboard.plist")
        let result = workspace.run(
            words.map { $0.replacing("../../", with: "") }, environment: ["REQUEST_METHOD": "GET"])
        #expect(result.output.contains("<string>P12</string>") && result.output.contains("<string>P3</string>"))
        #expect(!result.output.contains("<string>P2</string>"))
    }
}
