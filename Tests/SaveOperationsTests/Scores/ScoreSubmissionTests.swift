import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Submissions are accepted or refused by the rules of the leaderboard service.
@Suite struct ScoreSubmissionTests {
    private static let device = SubmissionTokenTests.device
    private static let salt = "marsh lights burn blue"

    /// Returns a body of the four fields, without nil fields.
    private static func body(
        token: String? = "b0c775895166fce76220bc1510c033c9", name: String? = "Ada", score: String? = "98200",
        device: String? = device
    ) -> String {
        let fields: [(String, String?)] = [
            ("high_score[auth_token]", token), ("high_score[player_name]", name), ("high_score[total_score]", score),
            ("high_score[iphone_udid]", device),
        ]
        return fields.compactMap { field, value in value.map { "\(field)=\($0)" } }.joined(separator: "&")
    }

    private static func read(_ body: String, salt: String = salt) throws -> ScoreSubmission {
        try ScoreSubmission(form: Array(body.utf8), salt: Salt(salt.utf8))
    }

    @Test func rightSalt() throws {
        #expect(
            try Self.read(Self.body()) == ScoreSubmission(name: "Ada", score: "98200", device: Self.device))
    }

    @Test func wrongSalt() {
        let problem = #expect(throws: Problem.self) { try Self.read(Self.body(), salt: "other") }
        #expect(problem?.id == Problem.Kind.submissionToken.id)
        #expect(problem?.message == "the token does not match this score and device")
    }

    @Test(arguments: [
        ("token in the other case", body(token: "B0C775895166FCE76220BC1510C033C9"), "Ada"),
        (
            "name of 32 characters of several bytes", body(name: String(repeating: "%F0%9F%90%B8", count: 32)),
            "\u{1F438}"
        ),
        ("name of 32 letters", body(name: String(repeating: "a", count: 32)), "a"),
        ("blanks in the name", body(name: "+A+b"), " A b"),
        ("joined emoji", body(name: "%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"), "\u{1F469}\u{200D}\u{1F680}"),
        ("line end behind it", body() + "\r\n", "Ada"),
        (
            "escaped brackets",
            body().split(separator: "[").joined(separator: "%5B").split(separator: "]").joined(separator: "%5d"), "Ada"
        ),
    ])
    func accepted(what: String, body: String, name: String) throws {
        let submission = try Self.read(body)
        #expect(submission.name.hasPrefix(name))
        #expect(submission.score == 98200)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        let id: String
        let message: String
        var testDescription: String { id + ": " + body.prefix(200) }

        init(_ body: String, _ id: String, _ message: String) {
            self.body = body
            self.id = id
            self.message = message
        }
    }

    static let brokenBodies = [
        Refusal(body(name: "100%"), "form.escape", "found %; expected % and two hexadecimal digits"),
        Refusal(body(name: "%FF"), "form.utf8", "the text that starts here is not UTF-8"),
        Refusal(
            body() + String(repeating: "&", count: 1 << 16), "form.length",
            "the body is too long; expected at most 65,536 bytes"),
    ]

    static let wrongFields =
        [
            ("auth_token", body(token: nil)), ("player_name", body(name: nil)), ("total_score", body(score: nil)),
            ("iphone_udid", body(device: nil)), ("auth_token", ""),
        ]
        .map { Refusal($1, "submission.missing-field", "the field high_score[\($0)] is missing") } + [
            Refusal(
                body() + "&high_score[total_score]=98200", "submission.repeated-field",
                "duplicate field high_score[total_score]"),
            Refusal(
                body() + "&high_score%5Bplayer_name%5D=Eve", "submission.repeated-field",
                "duplicate field high_score[player_name]"),
            Refusal(
                body() + "&%1B=1", "submission.unknown-field",
                #"unknown field "\u001B"; expected high_score[auth_token], high_score[player_name], "#
                    + "high_score[total_score], high_score[iphone_udid]"),
        ]

    static let wrongTexts = [
        Refusal(body(name: String(repeating: "a", count: 33)), "submission.name-length", nameLength(33)),
        Refusal(body(name: String(repeating: "e%CC%81", count: 17)), "submission.name-length", nameLength(34)),
        Refusal(body(name: ""), "submission.blank-name", "the name is blank"),
        Refusal(body(name: "+%20%C2%A0%E2%80%8B"), "submission.blank-name", "the name is blank"),
        Refusal(body(name: "A%00"), "submission.name-character", character("name", "0000")),
        Refusal(body(name: "A%0AB"), "submission.name-character", character("name", "000A")),
        Refusal(body(name: "A%E2%80%A8B"), "submission.name-character", character("name", "2028")),
        Refusal(body(name: "A%E2%80%AEB"), "submission.name-character", character("name", "202E")),
        Refusal(body(name: "A%E1%A0%8EB"), "submission.name-character", character("name", "180E")),
        Refusal(body(name: "A%EF%BF%BF"), "submission.name-character", character("name", "FFFF")),
        Refusal(body(device: ""), "submission.device-length", "the device has 0 characters; expected 1 to 128"),
        Refusal(
            body(device: String(repeating: "d", count: 129)), "submission.device-length",
            "the device has 129 characters; expected 1 to 128"),
        Refusal(body(device: "%07"), "submission.device-character", character("device", "0007")),
    ]

    static let wrongScores = [
        "12abc", "-5", "%2B5", "", "007", "1.5", "1e3", "9223372036854775808", "%D9%A3", "12+", "0x10",
    ].map { text in
        let shown = ["%2B5": "+5", "%D9%A3": "٣", "12+": "12 "][text] ?? text
        let sentence =
            "the score is \"\(shown)\"; expected an integer from 0 to 9223372036854775807 in plain digits"
        return Refusal(body(score: text), "submission.score", sentence)
    }

    static let wrongTokens = [
        body(score: "98201"), body(device: "another"), body(token: ""), body(token: "b0c775895166fce76220bc1510c033c8"),
    ].map { Refusal($0, "submission.token", "the token does not match this score and device") }

    @Test(arguments: brokenBodies + wrongFields + wrongTexts + wrongScores + wrongTokens)
    func refused(_ refusal: Refusal) {
        let problem = #expect(throws: Problem.self) { try Self.read(refusal.body) }
        #expect(problem?.id == refusal.id)
        #expect(problem?.message == refusal.message)
    }

    private static func nameLength(_ count: Int) -> String {
        "the name has \(count) characters; expected 1 to 32"
    }

    private static func character(_ what: String, _ digits: String) -> String {
        "the \(what) holds U+\(digits), which cannot be shown on one line"
    }

    /// A submission written by `form` is read back with any characters in its name.
    @Test(arguments: ["Ada", "Zoë’s Keep", "a&b=c%+d", "<script>", "]high_score[", "\u{1F438}"])
    func roundTripsForm(name: String) throws {
        let salt = try Salt(Self.salt.utf8)
        let submission = try ScoreSubmission(name: name, score: "7", device: "d&e=f")
        #expect(try ScoreSubmission(form: submission.requestBody(salt: salt), salt: salt) == submission)
    }

    /// A token is valid for one score and one device only, even if other parts of the body change.
    @Test func damagedBodiesNeverChangeTheScore() throws {
        let salt = try Salt(Self.salt.utf8)
        let bodies = [Self.body(), Self.body(name: "Zo%C3%AB+%26+Co.", score: "98200"), Self.body(score: "5")]
        var mutator = Mutator(seeds: bodies.map { Array($0.utf8) }, seed: 6)
        var accepted = 0
        for _ in 0..<20_000 {
            guard let submission = try? ScoreSubmission(form: mutator.next(), salt: salt) else { continue }
            accepted += 1
            #expect(submission.score == 98200 && submission.device == Self.device)
            #expect((1...32).contains(submission.name.unicodeScalars.count))
            let again = try ScoreSubmission(form: submission.requestBody(salt: salt), salt: salt)
            #expect(again == submission)
        }
        #expect(accepted > 100)
    }

    @Test func matchesFormOfTheGame() throws {
        let submission = try ScoreSubmission(name: "Ada", score: "98200", device: Self.device)
        #expect(try submission.requestBody(salt: Salt(Self.salt.utf8)) == Array(Self.body().utf8))
    }
}
