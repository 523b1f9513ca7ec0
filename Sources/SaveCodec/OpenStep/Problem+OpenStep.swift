/// What can be wrong with OpenStep text.
extension Problem {
    static func openStepExpected(_ text: [UInt8], at offset: Int, expected: StaticString) -> Problem {
        Problem(
            "openstep.syntax", "found \(found(text, at: offset)); expected \(expected)",
            at: .inText(text, at: offset))
    }

    static func openStepUnterminated(
        _ what: StaticString, from start: Int, expected: StaticString, in text: [UInt8]
    ) -> Problem {
        Problem(
            "openstep.unterminated",
            "the file ends inside the \(what) that starts at \(Place.inText(text, at: start)); expected \(expected)",
            at: .inText(text, at: text.count))
    }

    static func openStepUnterminatedString(_ text: [UInt8], from start: Int) -> Problem {
        let quote = text[start] == UInt8(ascii: "'") ? "\"'\"" : "'\"'"
        return Problem(
            "openstep.unterminated", "the string that starts here has no end; expected \(quote)",
            at: .inText(text, at: start))
    }

    static func openStepTextAfterValue(_ text: [UInt8], at offset: Int) -> Problem {
        Problem(
            "openstep.trailing", "found \(found(text, at: offset)) after the value; expected the end of the file",
            at: .inText(text, at: offset))
    }

    static func openStepBareBinaryHeader() -> Problem {
        Problem(
            "openstep.binary-header",
            "the file is nothing but bplist00, the start of a binary property list; expected a value",
            at: .line(1, column: 1))
    }

    static func openStepTypedValue(_ text: [UInt8], at offset: Int) -> Problem {
        let start = text[offset + 1] == UInt8(ascii: "*") ? "<*" : "<["
        return Problem(
            "openstep.gnustep-value",
            "found '\(start)', a value of GNUstep's dialect; expected hexadecimal digits (--from gnustep reads it)",
            at: .inText(text, at: offset))
    }
}

/// What can be wrong with the typed values of GNUstep's dialect.
extension Problem {
    static func gnustepInteger(_ text: [UInt8], _ payload: Range<Int>) -> Problem {
        typed("integer", text, payload, expected: "a whole number from -9223372036854775808 to 18446744073709551615")
    }

    static func gnustepReal(_ text: [UInt8], _ payload: Range<Int>) -> Problem {
        typed("real", text, payload, expected: "a decimal number, nan, inf or -inf")
    }

    static func gnustepBoolean(_ text: [UInt8], _ payload: Range<Int>) -> Problem {
        typed("boolean", text, payload, expected: "Y or N")
    }

    static func gnustepDate(_ text: [UInt8], _ payload: Range<Int>) -> Problem {
        typed("date", text, payload, expected: "a date such as 2001-12-31 23:59:59 +0000")
    }

    static func gnustepTokenLength(_ text: [UInt8], at offset: Int, _ limit: Int) -> Problem {
        Problem(
            "gnustep.token-length", "the typed value is longer than the \(limit) bytes that GNUstep reads",
            at: .inText(text, at: offset))
    }

    static func gnustepBase64(_ text: [UInt8], at offset: Int) -> Problem {
        Problem(
            "gnustep.base64", "found \(found(text, at: offset)) in base64; expected groups of four digits, padded",
            at: .inText(text, at: offset))
    }

    private static func typed(
        _ type: String, _ text: [UInt8], _ payload: Range<Int>, expected: StaticString
    ) -> Problem {
        Problem(
            "gnustep.\(type)", "the \(type) is \(excerpt(text, payload)); expected \(expected)",
            at: .inText(text, at: payload.lowerBound))
    }

    /// A piece of the text between quotes, made safe and cut to 40 characters.
    private static func excerpt(_ text: [UInt8], _ range: Range<Int>) -> String {
        let string = String(decoding: text[range.prefix(160)], as: UTF8.self)
        let characters = string.unicodeScalars.prefix(40)
        let rest = string.unicodeScalars.count > 40 ? "…" : ""
        return "'\(SafeText.escaping(String(characters)))\(rest)'"
    }

    /// The character at an offset, between quotes, or that the file ends there.
    private static func found(_ text: [UInt8], at offset: Int) -> String {
        guard offset < text.count else { return "the end of the file" }
        return excerpt(text, offset..<offset + UTF8Text.decode(text.span, at: offset).length)
    }
}

/// What is accepted in OpenStep text but should be looked at.
extension Problem {
    static func openStepQuirk(_ kind: OpenStepQuirks.Kind, count: Int, at place: Place) -> Problem {
        let (id, sentence) = wording(kind)
        let more = count > 1 ? " (and \(count - 1) more like it)" : ""
        return Problem(id, sentence + more, severity: .warning, at: place)
    }

    private static func wording(_ kind: OpenStepQuirks.Kind) -> (id: String, sentence: String) {
        switch kind {
        case .unterminatedComment:
            ("openstep.comment", "the comment that starts here has no end; the rest of the file belongs to it")
        case .ignoredText:
            ("openstep.ignored-text", "the text from here on starts no pair and is ignored")
        case .missingSemicolon:
            ("gnustep.semicolon", "found '}' after a value; expected ';' before it")
        case .loneSurrogate:
            ("openstep.surrogate", "the string has half of a surrogate pair, which is no character")
        case .octalRange:
            ("openstep.octal", "the octal escape is beyond \\375, the last character of the NeXTSTEP encoding")
        case .emptyEscape:
            ("openstep.escape", "the escape has no hexadecimal digit and is read as U+0000")
        }
    }
}
