package import SaveCodec

/// The rules of the service for single values.
package enum SubmissionRules {
    private static let nameCounts = 1...32
    private static let deviceCounts = 1...128

    static func checkName(_ name: String) throws(Problem) {
        guard !isBlank(name) else { throw .submissionBlankName }
        guard nameCounts.contains(name.unicodeScalars.count) else {
            throw .submissionLength("name", name.unicodeScalars.count, nameCounts)
        }
        if let scalar = unprintable(in: name) { throw .submissionCharacter("name", scalar) }
    }

    package static func checkDevice(_ device: String) throws(Problem) {
        guard deviceCounts.contains(device.unicodeScalars.count) else {
            throw .submissionLength("device", device.unicodeScalars.count, deviceCounts)
        }
        if let scalar = unprintable(in: device) { throw .submissionCharacter("device", scalar) }
    }

    /// A score in plain digits. The token is over the digits, so that each score has one spelling only: neither a sign
    /// nor a leading zero.
    package static func score(_ text: String) throws(Problem) -> Int64 {
        guard let score = Int64(text), score >= 0, text.utf8.elementsEqual(String(score).utf8) else {
            throw .submissionScore(text)
        }
        return score
    }

    /// Whether nothing of a name would be seen: spaces, and characters without width.
    private static func isBlank(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    /// The first scalar that has no place in a line of text: a control character, a separator of lines, or a code point
    /// that no character will ever have and XML cannot hold.
    private static func unprintable(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: scalar.properties.isNoncharacterCodePoint
            }
        }
    }
}
