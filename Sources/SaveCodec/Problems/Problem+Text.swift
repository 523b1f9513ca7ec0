/// What can be wrong with the encoding of a text, in any text format.
extension Problem {
    static func malformedUTF8(_ byte: UInt8, at place: Place) -> Problem {
        Problem("text.utf8", "the byte \(hex(byte)) is not part of a UTF-8 character", at: place)
    }

    static func loneSurrogate(_ unit: UInt16, at place: Place) -> Problem {
        Problem(
            "text.surrogate", "found half of a UTF-16 surrogate pair, \(scalar(unit)), without its other half",
            at: place)
    }

    static func noScalar(_ value: UInt32, at place: Place) -> Problem {
        Problem("text.scalar", "found \(scalar(value)) in UTF-32; expected a Unicode character", at: place)
    }

    static func truncatedUnit(of width: Int, at place: Place) -> Problem {
        Problem(
            "text.truncated",
            "the text ends within a character; characters of UTF-\(8 * width) take \(width) bytes or a multiple",
            at: place)
    }

    static func undefinedByte(_ byte: UInt8, at place: Place) -> Problem {
        Problem("text.byte", "the byte \(hex(byte)) stands for no character in windows-1252", at: place)
    }

    static func unknownEncoding(_ name: String, at place: Place) -> Problem {
        Problem(
            "text.encoding",
            "the text is declared to be in the encoding \"\(name)\"; expected UTF-8, UTF-16, UTF-32, ISO-8859-1, windows-1252 or US-ASCII",
            at: place)
    }

    static func contradictedEncoding(_ name: String, at place: Place) -> Problem {
        Problem(
            "text.encoding-contradicted",
            "the text is declared to be in the encoding \"\(name)\", but has one byte per character", at: place)
    }

    private static func hex(_ byte: UInt8) -> String {
        "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private static func scalar(_ value: some BinaryInteger) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
