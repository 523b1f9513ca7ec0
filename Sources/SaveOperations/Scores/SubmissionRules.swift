package import SaveCodec

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
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        throw Problem(
            "submission.\(what)-character", "the \(what) holds U+\(padding + digits), which cannot be shown in a line")
    }

    /// A score in plain digits. The token is over the digits, so that each score has one spelling only: neither a sign
    /// nor a leading zero.
    package static func score(_ text: String) throws(Problem) -> Int64 {
        guard let score = Int64(text), score >= 0, text.utf8.elementsEqual(String(score).utf8) else {
            throw Problem(
                "submission.score",
                "the score is \(Phrase.quoted(text)); expected a whole number from 0 to \(Int64.max) in plain digits")
        }
        return score
    }

    /// Whether nothing of a name would be seen: spaces, and characters without width.
    package static func isBlank(_ name: String) -> Bool {
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
