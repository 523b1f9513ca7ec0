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
    package let device: String

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
        guard body.count <= Self.maximumBody else { throw .formLength(most: Self.maximumBody) }
        let values = try SubmittedValues(URLEncodedForm.fields(of: LineEnd.removed(from: body)))
        try self.init(name: values[.name], score: values[.score], device: values[.device])
        guard SubmissionToken(score: score, salt: salt, device: device).isEqual(to: values[.token]) else {
            throw .submissionToken
        }
    }

    /// The body of a request.
    package func form(salt: Salt) -> [UInt8] {
        let token = SubmissionToken(score: score, salt: salt, device: device).text()
        return SubmittedValues(token: token, name: name, score: String(score), device: device).form
    }
}
