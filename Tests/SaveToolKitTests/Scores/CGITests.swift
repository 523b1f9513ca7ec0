import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests the answers of the CGI scripts byte for byte, and their messages for the server's log.
@Suite struct CGITests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        for name in ["leaderboard/salt.txt", "games/leaderboard.plist"] {
            let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
            try workspace.write(String(decoding: bytes, as: UTF8.self), to: String(name.split(separator: "/")[1]))
        }
    }

    private static let body =
        "high_score[auth_token]=ce7cb6f620cbad94245d5873ffa8113e&high_score[player_name]=Ada&high_score[total_score]=5"
        + "&high_score[iphone_udid]=0123456789abcdef0123456789abcdef01234567"

    struct Row: Sendable, CustomTestStringConvertible {
        let what: String
        var method = "POST"
        var length: String? = "\(CGITests.body.utf8.count)"
        var type: String? = "application/x-www-form-urlencoded"
        var body = CGITests.body
        let status: String
        var allowed: String?
        let text: String
        var testDescription: String { what }

        var environment: [String: String] {
            var environment = ["REQUEST_METHOD": method]
            environment["CONTENT_LENGTH"] = length
            environment["CONTENT_TYPE"] = type
            return environment
        }

        var response: String {
            var header = "Status: \(status)\r\nContent-Type: text/plain; charset=utf-8\r\n"
            header += "Content-Length: \(text.utf8.count + 1)\r\n"
            if let allowed { header += "Allow: \(allowed)\r\n" }
            return header + "\r\n" + (method == "HEAD" ? "" : text + "\n")
        }
    }

    private static let broken = "400 Bad Request"
    private static let unprocessable = "422 Unprocessable Content"

    static let rows = [
        Row(what: "a submission", status: "200 OK", text: "rank 1 of 1"),
        Row(what: "no type", type: nil, status: "200 OK", text: "rank 1 of 1"),
        Row(
            what: "a type with a character set", type: "Application/X-WWW-Form-URLencoded; charset=UTF-8",
            status: "200 OK", text: "rank 1 of 1"),
        Row(
            what: "a tab before the character set", type: "application/x-www-form-urlencoded\t;charset=UTF-8",
            status: "200 OK", text: "rank 1 of 1"),
        Row(
            what: "more on standard input than the body", body: body + "&and what comes next", status: "200 OK",
            text: "rank 1 of 1"),
        Row(
            what: "another type", type: "multipart/form-data; boundary=x", status: "415 Unsupported Media Type",
            text: "expected a body of the type application/x-www-form-urlencoded"),
        Row(
            what: "no length", length: nil, status: "411 Length Required",
            text: "the request does not state the length of the body"),
        Row(
            what: "empty length", length: "", status: "411 Length Required",
            text: "the request does not state the length of the body"),
        Row(what: "length in words", length: "ten", status: broken, text: "the length of the body is not a number"),
        Row(what: "length with a sign", length: "-5", status: broken, text: "the length of the body is not a number"),
        Row(
            what: "length beyond the limit", length: "65537", status: "413 Content Too Large",
            text: "the body is too long; expected at most 65,536 bytes"),
        Row(
            what: "length beyond all measure", length: "99999999999999999999", status: "413 Content Too Large",
            text: "the body is too long; expected at most 65,536 bytes"),
        Row(
            what: "body that ends early", length: "300", status: broken,
            text: "the body ends after \(body.utf8.count) of 300 bytes"),
        Row(
            what: "bad escape", length: "2", body: "%5", status: broken,
            text: "byte 0x0: found %5; expected % and two hexadecimal digits"),
        Row(
            what: "no field", length: "0", body: "", status: unprocessable,
            text: "the field high_score[auth_token] is missing"),
        Row(
            what: "forged score", body: body.replacing("=5&", with: "=6&"), status: "403 Forbidden",
            text: "the token does not match this score and device"),
        Row(
            what: "another method", method: "PUT", status: "405 Method Not Allowed", allowed: "POST",
            text: "expected the method POST"),
        Row(
            what: "the header only", method: "HEAD", status: "405 Method Not Allowed", allowed: "POST",
            text: "expected the method POST"),
    ]

    private func submit(_ environment: [String: String], body: String = body, _ more: String...) -> Workspace.Result {
        workspace.run(
            ["scores", "submit", "--cgi", "--salt-file", "salt.txt", "feed.plist"] + more,
            input: Array(body.utf8), environment: environment)
    }

    @Test(arguments: rows) func submission(_ row: Row) {
        #expect(submit(row.environment, body: row.body) == .init(status: 0, output: row.response))
        #expect(workspace.names.contains("feed.plist") == (row.status == "200 OK"))
    }

    @Test func lowScoreIsConflict() throws {
        let row = Self.rows[0]
        #expect(submit(row.environment).output == row.response)
        let before = try workspace.bytes(of: "feed.plist")
        let again = submit(row.environment, "--keep", "1")
        #expect(again.status == 0)
        #expect(again.output.hasPrefix("Status: 409 Conflict\r\n"))
        #expect(try workspace.bytes(of: "feed.plist") == before)
    }

    // MARK: The feed

    private func feed(_ method: String, _ arguments: String...) -> Workspace.Result {
        workspace.run(
            ["scores", "list", "--cgi"] + arguments, environment: ["REQUEST_METHOD": method])
    }

    @Test func feedMatchesListing() {
        let file = "leaderboard.plist"
        let listing = workspace.run(["scores", "list", "--form", "feed", file]).output
        let header =
            "Status: 200 OK\r\nContent-Type: application/xml\r\nContent-Length: \(listing.utf8.count)\r\n\r\n"
        #expect(feed("GET", "--form", "feed", file) == .init(status: 0, output: header + listing))
        #expect(feed("HEAD", "--form", "feed", file) == .init(status: 0, output: header))
        #expect(
            feed("POST", "--form", "feed", file).output
                == "Status: 405 Method Not Allowed\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 32\r\n"
                + "Allow: GET, HEAD\r\n\r\nexpected the method GET or HEAD\n")
    }

    @Test(arguments: [
        (["--format", "text"], "text/plain; charset=utf-8"), (["--format", "json"], "application/json"),
        (["--format", "csv"], "text/csv; charset=utf-8"), (["--format", "markdown"], "text/markdown; charset=utf-8"),
        (["--form", "plist"], "application/octet-stream"), ([], "text/plain; charset=utf-8"),
    ])
    func typeOfAListing(options: [String], type: String) {
        let result = workspace.run(
            ["scores", "list", "--cgi", "leaderboard.plist"] + options,
            environment: ["REQUEST_METHOD": "GET"])
        #expect(result.output.hasPrefix("Status: 200 OK\r\nContent-Type: \(type)\r\n"))
    }

    @Test func feedIsEmptyBeforeFirstSubmission() {
        let result = feed("GET", "--form", "feed", "feed.plist")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Status: 200 OK\r\nContent-Type: application/xml\r\n"))
        #expect(result.output.hasSuffix("<array/>\n</plist>\n"))
        #expect(result.talk == "feed.plist: no such file; returning an empty table\n")
        #expect(!workspace.names.contains("feed.plist"))
    }

    @Test func feedOnStandardInput() throws {
        let feed = try workspace.bytes(of: "leaderboard.plist")
        let result = workspace.run(
            ["scores", "list", "--cgi", "--format", "csv", "--top", "1", "-"], input: feed,
            environment: ["REQUEST_METHOD": "GET"])
        #expect(result.output.hasSuffix("\r\n\r\nrank,name,score,date\r\n1,Ada,98200,2009-09-06T12:34:56Z\r\n"))
    }

    // MARK: Errors of the server

    private static let trouble =
        "Status: 500 Internal Server Error\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 43\r\n\r\n"
        + "the leaderboard is temporarily unavailable\n"

    @Test func logsInternalErrors() throws {
        try workspace.write("marsh", to: "feed.plist")
        try workspace.write("\n", to: "empty.txt")
        let request = Self.rows[0].environment
        let runs: [(arguments: [String], talk: String)] = [
            (["submit", "--salt-file", "none.txt", "feed.plist"], "none.txt: no such file\n"),
            (["submit", "--salt-file", "empty.txt", "feed.plist"], "empty.txt: the salt is empty\n"),
            (
                ["submit", "--salt-file", "salt.txt", "none/feed.plist"],
                "none/feed.plist: no such folder\n"
            ),
            (
                ["submit", "feed.plist"],
                "savetool: missing --salt-file FILE: a token needs the salt of the game\n"
            ),
        ]
        for run in runs {
            let result = workspace.run(
                ["scores", run.arguments[0], "--cgi"] + run.arguments.dropFirst(), input: Array(Self.body.utf8),
                environment: request)
            #expect(result == .init(status: 0, output: Self.trouble, talk: run.talk))
        }
        let unreadable = submit(request)
        #expect(unreadable.output == Self.trouble)
        #expect(unreadable.talk.hasPrefix("feed.plist: "))
        #expect(try workspace.text(of: "feed.plist") == "marsh")
    }

    @Test func rejectsCGIWithoutServer() {
        let sentence = "savetool: --cgi needs REQUEST_METHOD in the environment, where web servers set it\n"
        #expect(submit([:]) == .init(status: 2, output: "", talk: sentence))
    }
}
