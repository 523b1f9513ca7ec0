package import SaveCodec

/// A score that a game sends to a leaderboard, in keeping with the rules of the service:
/// * a name of 1 to 32 characters (Unicode scalar values), not blank, without control characters;
/// * a whole score from 0 to 2^63−1;
/// * a device of 1 to 128 characters without control characters;
/// * a token that the score, the salt and the device give.
package struct ScoreSubmission: Sendable, Equatable {
    /// The name of the player.
    package let name: String
    /// The score.
    package let score: Int64
    /// What the device is called, of old its UDID.
    let device: String

    /// The most bytes that a body has.
    package static let maximumBody = 64 << 10

    /// Creates a submission.
    ///
    /// - Throws: `submission.score`, `submission.name-length` and its kin.
    package init(name: String, score: String, device: String) throws(Problem) {
        try SubmissionRules.checkName(name)
        self.score = try SubmissionRules.score(score)
        try SubmissionRules.checkDevice(device)
        self.name = name
        self.device = device
    }

    /// Reads the body of a request, and checks that its token was made with the salt.
    ///
    /// A line end behind the body is no part of it.
    ///
    /// - Throws: `form.length`, `form.escape` and `form.utf8` for what is no such body, `submission.token` for a wrong
    ///   token, and other problems of `submission` for broken rules.
    package init(form body: [UInt8], salt: Salt) throws(Problem) {
        guard body.count <= Self.maximumBody else {
            throw Problem("form.length", "the body is too long; expected at most \(Self.maximumBody) bytes")
        }
        let values = try SubmittedValues(URLEncodedForm.fields(of: LineEnd.removed(from: body)))
        try self.init(name: values[.name], score: values[.score], device: values[.device])
        guard SubmissionToken(score: score, salt: salt, device: device).isEqual(to: values[.token]) else {
            throw Problem(.submissionToken, "the token is not the one of this score and this device")
        }
    }

    /// The body of a request.
    package func form(salt: Salt) -> [UInt8] {
        let token = SubmissionToken(score: score, salt: salt, device: device).text()
        return SubmittedValues(token: token, name: name, score: String(score), device: device).form
    }
}

extension Problem.Kind {
    /// The problem of a submission by somebody who does not know the salt.
    package static let submissionToken = Problem.Kind("submission.token")
}

/// The values of the four fields of a submission, each of which is there once; nothing else is known of them.
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
                    "submission.unknown-field", "there is a field \(Phrase.quoted(field.name)); expected \(names)")
            }
            guard values.updateValue(field.value, forKey: known) == nil else {
                throw Problem("submission.repeated-field", "the field \(known.rawValue) is there more than once")
            }
        }
        if let missing = SubmissionField.allCases.first(where: { values[$0] == nil }) {
            throw Problem("submission.missing-field", "the field \(missing.rawValue) is missing")
        }
    }

    subscript(field: SubmissionField) -> String { values[field] ?? "" }

    /// The body of a request that sends them. As in the game's own, the brackets in the names stand for themselves.
    var form: [UInt8] {
        let pairs = SubmissionField.allCases.map { Array(($0.rawValue + "=").utf8) + URLEncodedForm.encoded(self[$0]) }
        return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    }
}

/// The fields of a submission, by the names and in the order in which the game of the tutorial sends them.
private enum SubmissionField: String, CaseIterable {
    case token = "high_score[auth_token]"
    case name = "high_score[player_name]"
    case score = "high_score[total_score]"
    case device = "high_score[iphone_udid]"
}

/// The line end that a shell or an editor puts behind a text of one line.
enum LineEnd {
    /// The text without one LF or CR LF at its end.
    static func removed(from text: [UInt8]) -> ArraySlice<UInt8> {
        guard text.last == 0x0A else { return text[...] }
        let line = text.dropLast()
        return line.last == 0x0D ? line.dropLast() : line
    }
}
