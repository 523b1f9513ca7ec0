package import SaveCodec

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
                "salt.length", "found \(bytes.count) bytes; expected a salt of at most \(Self.maximum)")
        }
        self.bytes = Array(bytes)
    }

    /// A description that reveals nothing.
    package var description: String { "a salt" }

    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
