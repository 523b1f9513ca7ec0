package import SaveCodec

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
