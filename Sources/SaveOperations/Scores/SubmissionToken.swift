package import SaveCodec

/// What a game sends with a score to show that it knows the salt: MD5(`SCORE:SALT:DEVICE`).
///
/// It does not keep a score from being forged by whoever has read the salt out of the game, or from being sent again; and
/// a digest over a secret in this manner is no HMAC.
package struct SubmissionToken: Sendable {
    private let digest: [UInt8]

    /// Makes the token of a score.
    package init(score: Int64, salt: Salt, device: String) {
        let colon = UInt8(ascii: ":")
        let message = Array(String(score).utf8) + [colon] + salt.bytes + [colon] + Array(device.utf8)
        digest = MD5.digest(message.span)
    }

    /// The token as a game sends it: 32 hexadecimal digits.
    package func text(uppercase: Bool = false) -> String {
        Hexadecimal.text(of: digest, uppercase: uppercase)
    }

    /// Whether a text in hexadecimal digits of either case is this token.
    ///
    /// The time it takes depends on the text, never on how much of it is right: otherwise a token could be guessed byte
    /// by byte.
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

    /// The most bytes that a salt has. What is longer is some other file.
    static let maximum = 1024

    /// Takes the content of a file, without the line end that editors put behind it.
    ///
    /// - Throws: `salt.empty`, `salt.length`.
    package init(file: [UInt8]) throws(Problem) {
        try self.init(LineEnd.removed(from: file))
    }

    /// Takes a salt as it is.
    ///
    /// - Throws: `salt.empty`, `salt.length`.
    package init(_ bytes: some Collection<UInt8>) throws(Problem) {
        guard !bytes.isEmpty else { throw Problem("salt.empty", "the salt is empty") }
        guard bytes.count <= Self.maximum else {
            throw Problem(
                "salt.length", "found \(bytes.count) bytes; expected a salt, which has at most \(Self.maximum)")
        }
        self.bytes = Array(bytes)
    }

    /// Two words that say nothing.
    package var description: String { "a salt" }

    /// No part of it.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
