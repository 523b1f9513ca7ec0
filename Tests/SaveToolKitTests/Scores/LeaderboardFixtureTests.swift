import Foundation
import TestSupport
import Testing

/// The scripts of the leaderboard in `Fixtures`, whatever web server runs them.
@Suite struct LeaderboardFixtureTests {
    /// However long the table is, players see the best ten.
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
