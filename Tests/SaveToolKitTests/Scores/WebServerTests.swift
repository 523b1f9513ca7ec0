import Foundation
import SaveOperations
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests the leaderboard of the article Scores on a real web server.
@Suite(
    .serialized, .timeLimit(.minutes(15)),
    .enabled(
        if: Programs.savetool != nil && Programs.busybox != nil && Programs.curl != nil,
        "needs busybox with httpd, curl, and the built tool beside the tests"))
struct WebServerTests {
    private let workspace: Workspace
    private let server: WebServer

    init() throws {
        workspace = try Workspace()
        try Programs.copy(
            TestFiles.fixtures.appending(path: "leaderboard"), to: workspace.folder.appending(path: "leaderboard"))
        server = try WebServer(folder: "leaderboard/www", in: workspace)
    }

    private static let file = "leaderboard/leaderboard.plist"
    private static let submit = "/cgi-bin/submit"
    private static let feed = "/cgi-bin/scores"

    private func form(_ name: String, _ score: Int) throws -> String {
        let salt = try Salt(file: workspace.bytes(of: "leaderboard/salt.txt"))
        let submission = try ScoreSubmission(name: name, score: String(score), device: "device of \(name)")
        return String(decoding: submission.requestBody(salt: salt), as: UTF8.self)
    }

    /// A record of the feed as a game reads it.
    private struct Row: Decodable {
        let name: String
        let score: Int
        let date: Date

        private enum CodingKeys: String, CodingKey {
            case name = "player_name"
            case score = "total_score"
            case date = "created_at"
        }
    }

    private static func rows(_ feed: some Sequence<UInt8>) throws -> [Row] {
        try PropertyListDecoder().decode([Row].self, from: Data(feed))
    }

    // MARK: Requests in sequence

    @Test func createsAndExtendsFeed() throws {
        let empty = try server.send("GET", Self.feed)
        #expect(empty.status == 200)
        #expect(try Self.rows(empty.body.utf8).isEmpty)
        let before = Date(timeIntervalSinceNow: -1)
        #expect(try server.send("POST", Self.submit, body: form("Zoë & co", 5)).body == "rank 1 of 1\n")
        #expect(try server.send("POST", Self.submit, body: form("Ada", 7)).body == "rank 1 of 2\n")
        let feed = try server.send("GET", Self.feed)
        #expect(feed.header.contains("Content-Type: application/xml"))
        #expect(Array(feed.body.utf8) == (try workspace.bytes(of: Self.file)))
        let rows = try Self.rows(feed.body.utf8)
        #expect(rows.map(\.name) == ["Ada", "Zoë & co"])
        #expect(rows.map(\.score) == [7, 5])
        #expect(rows.allSatisfy { $0.date >= before && $0.date <= Date() })
        let head = try server.send("HEAD", Self.feed)
        #expect(head.header == feed.header)
        #expect(head.body.isEmpty)
    }

    @Test func refusals() throws {
        let form = try form("Ada", 5)
        func changed(_ part: String, _ replacement: String) -> String {
            form.replacingOccurrences(of: part, with: replacement)
        }
        let answers = try [
            server.send("POST", Self.submit, body: changed("=5&", "=6&")),
            server.send("POST", Self.submit, body: changed("Ada", String(repeating: "a", count: 33))),
            server.send("POST", Self.submit, body: changed("Ada", "%4")),
            server.send("POST", Self.submit, body: form + String(repeating: "&", count: 1 << 16)),
            server.send("POST", Self.submit, body: form, type: "text/plain"),
            server.send("GET", Self.submit),
            server.send("POST", Self.feed, body: form),
        ]
        #expect(answers.map(\.status) == [403, 422, 400, 413, 415, 405, 405])
        #expect(
            answers.map(\.body) == [
                "the token does not match this score and device\n",
                "the name has 33 characters; expected 1 to 32\n",
                "byte 0x50: found %4; expected % and two hexadecimal digits\n",
                "the body is too long; expected at most 65,536 bytes\n",
                "expected a body of the type application/x-www-form-urlencoded\n",
                "expected the method POST\n", "expected the method GET or HEAD\n",
            ])
        #expect(answers[5].header.contains("Allow: POST"))
        #expect(!FileManager.default.fileExists(atPath: workspace.path(of: Self.file)))
    }

    /// The answer does not reveal the cause of an error on the server.
    @Test func hidesInternalErrorsFromClient() throws {
        try workspace.write("marsh lights", to: Self.file)
        for answer in try [server.send("POST", Self.submit, body: form("Ada", 5)), server.send("GET", Self.feed)] {
            #expect(answer.status == 500)
            #expect(answer.body == "the leaderboard is temporarily unavailable\n")
        }
    }

    // MARK: Concurrent requests

    private static let count = TestScale.count(50, long: 200)

    /// Sends 40 submissions at a time, while one process reads the feed and another one inspects the file.
    @Test func storesEachConcurrentSubmissionOnce() throws {
        #expect(try server.send("POST", Self.submit, body: form("first", 0)).body == "rank 1 of 1\n")
        let forms = try (0..<Self.count).map { try form("player \($0)", $0 % 50 * 1000) }
        let inspector = try RepeatedCommand(
            "inspector", "savetool inspect \(Self.file) > inspector-output", in: workspace)
        let reader = try RepeatedCommand(
            "reader", server.command(for: Self.feed, into: "feed-$number"), in: workspace)
        let answers = try server.send(forms, to: Self.submit, atOnce: 40)
        let reads = try reader.stop()
        let inspections = try inspector.stop()

        // Each submission found the table with one more record than the previous one.
        #expect(answers.compactMap { Int($0.split(separator: " ").last ?? "") }.sorted() == Array(2...Self.count + 1))
        let rows = try Self.rows(workspace.bytes(of: Self.file))
        let expected = (0..<Self.count).map { "player \($0): \($0 % 50 * 1000)" } + ["first: 0"]
        #expect(rows.map { "\($0.name): \($0.score)" }.sorted() == expected.sorted())
        #expect(rows.map(\.score) == rows.map(\.score).sorted(by: >))

        #expect(inspections.failures == [])
        #expect(inspections.count > 0)
        #expect(reads.failures == [])
        let counts = try (0..<reads.count).map { try Self.rows(workspace.bytes(of: "feed-\($0)")).count }
        #expect(!counts.isEmpty && counts == counts.sorted())
    }
}
