package import SaveCodec

/// What can be wrong with a score that is sent to a leaderboard: with the form that it comes in, and with what it says.
extension Problem {
    // MARK: The form

    static func formLength(most: Int) -> Problem {
        Problem("form.length", "the body is too long; expected at most \(most) bytes")
    }

    static func formEscape(_ escape: ArraySlice<UInt8>, at offset: Int) -> Problem {
        let found = SafeText.escaping(String(decoding: escape, as: UTF8.self))
        return Problem("form.escape", "found \(found); expected % and two hexadecimal digits", at: .byte(offset))
    }

    static func formUTF8(at offset: Int) -> Problem {
        Problem("form.utf8", "the text that begins here is not UTF-8", at: .byte(offset))
    }

    // MARK: What it says

    static func submissionUnknownField(_ name: String) -> Problem {
        Problem(
            "submission.unknown-field",
            "there is a field \(Phrase.quoted(name)); expected \(SubmissionField.allCases.map(\.rawValue).joined(separator: ", "))"
        )
    }

    static func submissionRepeatedField(_ field: SubmissionField) -> Problem {
        Problem("submission.repeated-field", "the field \(field.rawValue) is there more than once")
    }

    static func submissionMissingField(_ field: SubmissionField) -> Problem {
        Problem("submission.missing-field", "the field \(field.rawValue) is missing")
    }

    static let submissionBlankName = Problem("submission.blank-name", "the name is blank")

    static func submissionLength(_ what: String, _ count: Int, _ allowed: ClosedRange<Int>) -> Problem {
        Problem(
            "submission.\(what)-length",
            "the \(what) has \(count) characters; expected \(allowed.lowerBound) to \(allowed.upperBound)")
    }

    static func submissionCharacter(_ what: String, _ scalar: Unicode.Scalar) -> Problem {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        return Problem(
            "submission.\(what)-character", "the \(what) holds U+\(padding + digits), which cannot be shown in a line")
    }

    static func submissionScore(_ text: String) -> Problem {
        Problem(
            "submission.score",
            "the score is \(Phrase.quoted(text)); expected a whole number from 0 to \(Int64.max) in plain digits")
    }

    static let submissionToken = Problem(
        .submissionToken, "the token is not the one of this score and this device")

    // MARK: The salt

    static let saltEmpty = Problem("salt.empty", "the salt is empty")

    static func saltLength(_ count: Int, most: Int) -> Problem {
        Problem("salt.length", "found \(count) bytes; expected a salt, which has at most \(most)")
    }
}

extension Problem.Kind {
    /// The problem of a submission by somebody who does not know the salt.
    package static let submissionToken = Problem.Kind("submission.token")
}
