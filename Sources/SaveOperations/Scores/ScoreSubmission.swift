package import SaveCodec

/// A score that a game sends to a leaderboard. The service has these rules:
/// * The name has 1 to 32 characters (Unicode scalar values), is not blank, and has no invisible characters.
/// * The score is an integer from 0 to 2^63−1.
/// * The device has 1 to 128 characters and no invisible characters.
/// * The token is computed from the score, the salt and the device.
package struct ScoreSubmission: Sendable, Equatable {
    /// The name of the player.
    package let name: String
    package let score: Int64
    /// The name of the device; originally its UDID.
    let device: String

    /// The maximum number of bytes in a request body.
    package static let maximumBody = 64 << 10

    /// Creates a submission.
    ///
    /// - Throws: `submission.score`, `submission.name-length`, or a similar problem.
    package init(name: String, score: String, device: String) throws(Problem) {
        try SubmissionRules.checkName(name)
        self.score = try SubmissionRules.score(score)
        try SubmissionRules.checkDevice(device)
        self.name = name
        self.device = device
    }

    /// Reads the body of a request, and checks its token with the salt. A line end after the body is ignored.
    ///
    /// - Throws: `form.length`, `form.escape` or `form.utf8` for a malformed body, `submission.token` for a wrong
    ///   token, and other problems of `submission` for broken rules.
    package init(form body: [UInt8], salt: Salt) throws(Problem) {
        guard body.count <= Self.maximumBody else {
            let limit = Phrase.count(Self.maximumBody, "byte")
            throw Problem("form.length", "the body is too long; expected at most \(limit)")
        }
        let values = try SubmittedValues(URLEncodedForm.fields(of: TrailingNewline.removed(from: body)))
        try self.init(name: values[.name], score: values[.score], device: values[.device])
        guard SubmissionToken(score: score, salt: salt, device: device).isEqual(to: values[.token]) else {
            throw Problem(.submissionToken, "the token does not match this score and device")
        }
    }

    /// Returns the body of a request.
    package func requestBody(salt: Salt) -> [UInt8] {
        let token = SubmissionToken(score: score, salt: salt, device: device).text()
        return SubmittedValues(token: token, name: name, score: String(score), device: device).form
    }
}

extension Problem.Kind {
    /// The token was made without the salt.
    package static let submissionToken = Problem.Kind("submission.token")
}

/// The values of the four fields of a submission. Each field occurs exactly once.
private struct SubmittedValues {
    private var values: [SubmissionField: String]

    init(token: String, name: String, score: String, device: String) {
        values = [.token: token, .name: name, .score: score, .device: device]
    }

    /// - Throws: `submission.unknown-field`, `submission.repeated-field`, `submission.missing-field`.
    init(_ fields: [URLEncodedForm.Field]) throws(Problem) {
        values = [:]
        for field in fields {
            guard let known = SubmissionField(rawValue: field.name) else {
                let names = SubmissionField.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(
                    "submission.unknown-field", "unknown field \(Phrase.quoted(field.name)); expected \(names)")
            }
            guard values.updateValue(field.value, forKey: known) == nil else {
                throw Problem("submission.repeated-field", "duplicate field \(known.rawValue)")
            }
        }
        if let missing = SubmissionField.allCases.first(where: { values[$0] == nil }) {
            throw Problem("submission.missing-field", "the field \(missing.rawValue) is missing")
        }
    }

    subscript(field: SubmissionField) -> String { values[field] ?? "" }

    /// The body of a request with these values. As in the game's own requests, brackets in names are not escaped.
    var form: [UInt8] {
        let pairs = SubmissionField.allCases.map { Array(($0.rawValue + "=").utf8) + URLEncodedForm.encoded(self[$0]) }
        return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    }
}

/// The fields of a submission, in the order of the game's own requests.
private enum SubmissionField: String, CaseIterable {
    case token = "high_score[auth_token]"
    case name = "high_score[player_name]"
    case score = "high_score[total_score]"
    case device = "high_score[iphone_udid]"
}

/// The line end that a shell or an editor adds to a text of one line.
enum TrailingNewline {
    /// Returns the text without one LF or CR LF at its end.
    static func removed(from text: [UInt8]) -> ArraySlice<UInt8> {
        guard text.last == 0x0A else { return text[...] }
        let line = text.dropLast()
        return line.last == 0x0D ? line.dropLast() : line
    }
}

// MARK: Rules

/// The rules of the service for single values.
package enum SubmissionRules {
    private static let nameCounts = 1...32
    private static let deviceCounts = 1...128

    static func checkName(_ name: String) throws(Problem) {
        guard !isBlank(name) else { throw Problem("submission.blank-name", "the name is blank") }
        try check(name, called: "name", counts: nameCounts)
    }

    package static func checkDevice(_ device: String) throws(Problem) {
        try check(device, called: "device", counts: deviceCounts)
    }

    private static func check(_ text: String, called what: String, counts: ClosedRange<Int>) throws(Problem) {
        let count = text.unicodeScalars.count
        guard counts.contains(count) else {
            throw Problem(
                "submission.\(what)-length",
                "the \(what) has \(count) characters; expected \(counts.lowerBound) to \(counts.upperBound)")
        }
        guard let scalar = unprintable(in: text) else { return }
        throw Problem(
            "submission.\(what)-character",
            "the \(what) holds U+\(Hexadecimal.text(scalar.value, digits: 4)), which cannot be shown on one line")
    }

    /// Parses a score in plain digits. The token covers the digits, so each score has exactly one spelling, without a
    /// sign or leading zeros.
    package static func score(_ text: String) throws(Problem) -> Int64 {
        guard let score = Int64(text), score >= 0, text.utf8.elementsEqual(String(score).utf8) else {
            throw Problem(
                "submission.score",
                "the score is \(Phrase.quoted(text)); expected an integer from 0 to \(Int64.max) in plain digits")
        }
        return score
    }

    /// Whether a name is invisible: it contains only white space and characters without width.
    package static func isBlank(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { $0.properties.isWhitespace || InvisibleCharacters.contain($0.value) }
    }

    /// Returns a scalar that does not belong in a line of text: an invisible character that is not part of an emoji, or
    /// a noncharacter, which XML cannot hold.
    private static func unprintable(in text: String) -> Unicode.Scalar? {
        SafeText.firstInvisible(in: text) ?? text.unicodeScalars.first { $0.properties.isNoncharacterCodePoint }
    }
}

// MARK: The form

/// The fields of a form as browsers and games send them, `application/x-www-form-urlencoded` (URL Standard §5).
///
///     high_score[player_name]=Zo%C3%AB+K&high_score%5Btotal_score%5D=5
///     ─▶ ("high_score[player_name]", "Zoë K"), ("high_score[total_score]", "5")
///
/// Unlike the URL Standard, this reader throws for malformed escapes and malformed UTF-8 instead of repairing them: a
/// leaderboard shows a name as the player wrote it or not at all.
enum URLEncodedForm {
    struct Field: Equatable {
        let name: String
        let value: String
    }

    /// Returns the fields of a body in order.
    ///
    /// - Throws: `form.escape`, `form.utf8`.
    static func fields(of body: ArraySlice<UInt8>) throws(Problem) -> [Field] {
        var fields: [Field] = []
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            fields.append(Field(name: try text(pair[..<equals]), value: try text(pair[equals...].dropFirst())))
        }
        return fields
    }

    private static func text(_ encoded: ArraySlice<UInt8>) throws(Problem) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var position = encoded.startIndex
        while position < encoded.endIndex {
            switch encoded[position] {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                bytes.append(try escaped(encoded[position...].prefix(3)))
                position += 2
            case let byte: bytes.append(byte)
            }
            position += 1
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem("form.utf8", "the text that starts here is not UTF-8", at: .byte(encoded.startIndex))
        }
        return text
    }

    /// Returns the byte of an escape, `%` and two digits.
    private static func escaped(_ escape: ArraySlice<UInt8>) throws(Problem) -> UInt8 {
        let digits = Array(escape.dropFirst())
        guard digits.count == 2, let byte = Hexadecimal.number(digits.span, allowsUppercase: true) else {
            let found = SafeText.escaping(String(decoding: escape, as: UTF8.self))
            throw Problem(
                "form.escape", "found \(found); expected % and two hexadecimal digits", at: .byte(escape.startIndex))
        }
        return UInt8(truncatingIfNeeded: byte)
    }

    static func encoded(_ value: String) -> [UInt8] {
        var output = ByteWriter()
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: " "): output.write(UInt8(ascii: "+"))
            case _ where isPlain(byte): output.write(byte)
            default:
                output.write(UInt8(ascii: "%"))
                Hexadecimal.write(UInt64(byte), count: 2, uppercase: true, to: &output)
            }
        }
        return output.takeBytes()
    }

    /// Whether a byte is not escaped: a letter, a digit, or one of `*-._`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "*", "-", ".", "_": true
        default: false
        }
    }
}

// MARK: Tokens

/// A token that shows that a game knows the salt: MD5(`SCORE:SALT:DEVICE`).
///
/// The token does not prevent forgery by anyone who has extracted the salt from the game, nor does it prevent replays.
/// A digest over a secret in this manner is not an HMAC.
package struct SubmissionToken: Sendable {
    private let digest: [UInt8]

    /// Computes the token of a score.
    package init(score: Int64, salt: Salt, device: String) {
        let colon = UInt8(ascii: ":")
        let message = Array(String(score).utf8) + [colon] + salt.bytes + [colon] + Array(device.utf8)
        digest = MD5.digest(message.span)
    }

    /// Returns the token as a game sends it, in 32 hexadecimal digits.
    package func text(uppercase: Bool = false) -> String {
        Hexadecimal.text(of: digest, uppercase: uppercase)
    }

    /// Whether a text in hexadecimal digits of either case is this token.
    ///
    /// The time depends only on the text, not on the number of correct digits. Otherwise an attacker could guess a
    /// token byte by byte.
    func isEqual(to text: String) -> Bool {
        guard let other = Hexadecimal.bytes(text.utf8.span), other.count == digest.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(digest, other) { difference |= a ^ b }
        return difference == 0
    }
}

// MARK: The salt

/// The secret that a game and its leaderboard share. It can be neither printed nor dumped.
package struct Salt: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    /// The maximum number of bytes. A longer file is not a salt.
    static let maximum = 1024

    /// Reads the content of a file, without the line end that editors add.
    ///
    /// - Throws: `salt.empty`, `salt.length`.
    package init(file: [UInt8]) throws(Problem) {
        try self.init(TrailingNewline.removed(from: file))
    }

    /// Creates a salt from bytes, which are used unchanged.
    ///
    /// - Throws: `salt.empty`, `salt.length`.
    package init(_ bytes: some Collection<UInt8>) throws(Problem) {
        guard !bytes.isEmpty else { throw Problem("salt.empty", "the salt is empty") }
        guard bytes.count <= Self.maximum else {
            throw Problem(
                "salt.length",
                "found \(Phrase.count(bytes.count, "byte")); "
                    + "expected a salt of at most \(CountText.of(Self.maximum))")
        }
        self.bytes = Array(bytes)
    }

    /// A description that reveals nothing.
    package var description: String { "a salt" }

    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
