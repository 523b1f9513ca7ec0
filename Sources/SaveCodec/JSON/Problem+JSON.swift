/// What can be wrong with a JSON text.
extension Problem {
    static func jsonEncoding(_ name: String) -> Problem {
        Problem("json.encoding", "the text is \(name); expected UTF-8")
    }

    static func jsonByte(_ byte: UInt8, at place: Place) -> Problem {
        let hex = String(byte, radix: 16, uppercase: true)
        return Problem("json.encoding", "byte 0x\(hex) is not UTF-8 here; expected UTF-8 text", at: place)
    }

    static func jsonExpected(_ expectation: StaticString, found: String, at place: Place) -> Problem {
        Problem("json.syntax", "found \(found), expected \(expectation)", at: place)
    }

    static func jsonTrailingComma(at place: Place) -> Problem {
        Problem("json.syntax", "nothing follows the comma; expected another value, or no comma", at: place)
    }
}

/// Strings.
extension Problem {
    static func jsonUnclosedString(at place: Place) -> Problem {
        Problem("json.string", "the string that begins here has no end; expected a closing quotation mark", at: place)
    }

    static func jsonControlCharacter(_ byte: UInt8, at place: Place) -> Problem {
        let hex = String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
        return Problem("json.string", "a string holds the control character U+00\(hex); expected its escape", at: place)
    }

    static func jsonEscape(_ found: String, at place: Place) -> Problem {
        Problem("json.escape", "found \(found) behind a backslash, expected one of \" \\ / b f n r t u", at: place)
    }

    static func jsonHexEscape(_ found: String, at place: Place) -> Problem {
        Problem("json.escape", "found \(found) behind \\u, expected four hexadecimal digits", at: place)
    }
}

/// Numbers.
extension Problem {
    static func jsonNumber(_ number: String, found: String, at place: Place) -> Problem {
        Problem("json.number", "found \(found) in the number \(number), expected its end", at: place)
    }

    static func jsonNumberStart(_ number: String, at place: Place) -> Problem {
        Problem("json.number", "the number \(number) begins with neither a digit nor a minus sign", at: place)
    }

    static func jsonNotFinite(_ word: String, at place: Place) -> Problem {
        Problem("json.number", "found \(word), which JSON has no number for; expected {\"$real\": …}", at: place)
    }

    static func jsonMissingDigit(_ number: String, _ part: StaticString, at place: Place) -> Problem {
        Problem("json.number", "the number \(number) lacks a digit \(part)", at: place)
    }

    static func jsonLeadingZero(_ number: String, at place: Place) -> Problem {
        Problem("json.number", "the number \(number) has a leading zero; expected none", at: place)
    }

    static func jsonIntegerRange(_ number: String, at place: Place) -> Problem {
        Problem("json.range", "the whole number \(number) is not within −2^127 to 2^127−1", at: place)
    }

    static func jsonRealRange(_ number: String, largest: String, at place: Place) -> Problem {
        Problem("json.range", "the number \(number) exceeds the largest real \(largest)", at: place)
    }
}

/// Tagged values.
extension Problem {
    static func jsonTag(_ tag: JSONTag, found: String, at place: Place) -> Problem {
        Problem("json.tag", "\"\(tag.rawValue)\" holds \(found), expected \(tag.contents)", at: place)
    }

    static func jsonBase64(found: String, at place: Place) -> Problem {
        Problem("json.base64", "found \(found) in base64 text, where it does not belong", at: place)
    }

    static func jsonBase64End(at place: Place) -> Problem {
        Problem("json.base64", "the base64 text ends within a group; expected groups of four characters", at: place)
    }
}
