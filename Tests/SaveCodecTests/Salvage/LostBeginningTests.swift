import Testing

@testable import SaveCodec

extension TextSalvageCaseTests {
    static let lostBeginnings: [(text: String, result: String, losses: [String])] = [
        (#""name": "Zoe", "level": 3}"#, #"{"name": "Zoe", "level": 3}"#, ["doubtful (root)"]),
        (#"{"id": 1}, {"id": [2]}]"#, #"[{"id": 1}, {"id": [2]}]"#, ["doubtful (root)"]),
        // A number may lack its first digits.
        ("234, 5]", "[234, 5]", ["doubtful (root)", "doubtful /0"]),
        (#"[1], "b": 2}"#, #"{"lost key 1": [1], "b": 2}"#, ["doubtful (root)", "key /lost key 1"]),
        (
            #"3}, {"level": 4}]"#, #"[{"lost key 1": 3}, {"level": 4}]"#,
            ["doubtful (root)", "doubtful /0", "key /0/lost key 1", "doubtful /0/lost key 1"]
        ),
        (#": {"a": 1}, "b": 2}"#, #"{"lost key 1": {"a": 1}, "b": 2}"#, ["doubtful (root)", "key /lost key 1"]),
    ]

    /// The text closes one container more than it opens, so its first bytes are missing.
    @Test(arguments: lostBeginnings) func opensALostRoot(_ text: String, _ result: String, _ losses: [String]) throws {
        let report = try Self.report(Array(text.utf8), .json)
        #expect(report.text == result)
        #expect(Set(report.losses) == Set(losses), "\(report.losses)")
        #expect(!report.2.isProved)
    }
}
