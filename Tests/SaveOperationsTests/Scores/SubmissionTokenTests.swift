import SaveCodec
import Testing

@testable import SaveOperations

@Suite struct SubmissionTokenTests {
    static let device = "0123456789abcdef0123456789abcdef01234567"

    static func token(_ score: Int64, _ salt: String = "marsh lights burn blue") throws -> SubmissionToken {
        SubmissionToken(score: score, salt: try Salt(salt.utf8), device: device)
    }

    /// Tokens from Python's hashlib.
    @Test(arguments: [
        (0, "marsh lights burn blue", "3002f4f2f69ffde14053896d5949b6ec"),
        (98200, "marsh lights burn blue", "b0c775895166fce76220bc1510c033c9"),
        (Int64.max, "marsh lights burn blue", "3d6a229bb4f9ff45b38fbac8077c814f"),
        (98200, "other", "41f85a16d8ba95244197a2d8a8f29a4d"),
    ])
    func text(score: Int64, salt: String, text: String) throws {
        let token = try Self.token(score, salt)
        #expect(token.text() == text)
        #expect(token.text(uppercase: true) == text.uppercased())
        #expect(token.isEqual(to: text))
        #expect(token.isEqual(to: text.uppercased()))
    }

    @Test func acceptsSaltOfAnyBytes() throws {
        let token = SubmissionToken(score: 5, salt: try Salt([0xFF, 0x00, 0x0A]), device: "Zoë")
        #expect(token.text() == "6bc2d7ffed0cdcb3e6201b59b0c11a7f")
    }

    @Test(arguments: [
        "", "b0c775895166fce76220bc1510c033c", "b0c775895166fce76220bc1510c033c90", "41f85a16d8ba95244197a2d8a8f29a4d",
        "b0c775895166fce76220bc1510c033c8", "a0c775895166fce76220bc1510c033c9", "b0c775895166fce76220bc1510c033cg",
        // Control characters that would become digits if letters were lowercased by setting a bit.
        "b\u{10}c775895166fce76220bc1510c033c9", "ｂ0c775895166fce76220bc1510c033c9",
    ])
    func rejectsOtherText(text: String) throws {
        #expect(!(try Self.token(98200).isEqual(to: text)))
    }

    @Test(arguments: [
        ("salt\n", "salt"), ("salt\r\n", "salt"), ("salt", "salt"), ("salt\n\n", "salt\n"), ("salt\r", "salt\r"),
        (" salt \n", " salt "),
    ])
    func ignoresLineEndOfSaltFile(file: String, salt: String) throws {
        #expect(try Salt(file: Array(file.utf8)).bytes == Array(salt.utf8))
    }

    @Test(arguments: [
        ("", "the salt is empty"), ("\n", "the salt is empty"), ("\r\n", "the salt is empty"),
        (String(repeating: "s", count: 1025), "found 1,025 bytes; expected a salt of at most 1,024"),
    ])
    func rejectsInvalidSalt(file: String, sentence: String) {
        let problem = #expect(throws: Problem.self) { try Salt(file: Array(file.utf8)) }
        #expect(problem?.message == sentence)
    }

    @Test func neverShowsSalt() throws {
        let salt = try Salt("marsh lights".utf8)
        var dumped = ""
        dump(salt, to: &dumped)
        for text in ["\(salt)", String(reflecting: salt), String(describing: [salt]), dumped] {
            #expect(!text.contains("marsh") && !text.contains("109"))
        }
    }
}
