/// The warnings about input that the reader accepts. Only the first ones are listed and the rest are counted, so that a
/// hostile file cannot produce a list larger than itself.
struct XMLWarnings {
    enum Kind {
        case encoding, unmarked, leadingSpace, trailing, second, dateRange, realRange, data, uid, character, ampersand
        /// A character in the XML declaration that XML forbids there.
        case declaration
        /// An XML declaration, a document type or the attributes of a tag that are not well-formed.
        case malformedDeclaration, documentType, attributes
        /// The declared encoding of a text in UTF-16 or UTF-32.
        case otherEncoding(String)
        /// The count of zero bytes after the property list.
        case trailingZeros(Int)
        /// The count of Base64 characters in an incomplete last group of four.
        case cutData(Int)
    }

    static let limit = 100

    private var list: [Problem] = []
    private var count = 0
    private var lines = LineCounter()

    mutating func add(_ kind: Kind, at offset: Int, in text: [UInt8]) {
        count += 1
        guard count <= Self.limit else { return }
        list.append(.xmlWarning(kind, at: lines.location(of: offset, in: text)))
    }

    /// Returns the warnings in the order in which they were added, followed by one that counts the unlisted ones.
    func finished() -> [Problem] {
        guard count > Self.limit else { return list }
        let rest = Phrase.count(count - Self.limit, "more warning", "is")
        return list + [Problem("xml.more", rest + " not listed", severity: .warning)]
    }

    /// Whether XML 1.0 forbids a character: a control character other than tab, LF and CR, or U+FFFE or U+FFFF.
    static func isForbidden(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D: false
        case ..<0x20, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// Adds a warning for each character before an offset that XML 1.0 forbids.
    mutating func addForbiddenCharacters(of text: [UInt8], before end: Int) {
        guard Self.mayHoldForbidden(text.span.extracting(..<end)) else { return }
        lines = LineCounter()
        for offset in 0..<end where Self.isForbidden(text, offset) { add(.character, at: offset, in: text) }
    }

    /// Whether the text may contain a forbidden character. One pass without branches rules this out for nearly every
    /// file.
    private static func mayHoldForbidden(_ text: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for offset in text.indices {
            let byte = text[offset]
            found |= isControl(byte) | (byte == 0xEF ? 1 : 0)
        }
        return found != 0
    }

    /// Returns one for a control character that XML forbids, otherwise zero.
    private static func isControl(_ byte: UInt8) -> UInt8 {
        (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) & (byte != 0x0A ? 1 : 0) & (byte != 0x0D ? 1 : 0)
    }

    private static func isForbidden(_ text: [UInt8], _ offset: Int) -> Bool {
        let byte = text[offset]
        if byte < 0x20 { return isForbidden(UInt32(byte)) }
        return byte == 0xEF && text[offset + 1] == 0xBF && text[offset + 2] >= 0xBE
    }
}

/// A converter of offsets into locations that does not count the lines from the start each time.
///
/// Ascending offsets take one pass in total.
private struct LineCounter {
    private var offset = 0
    private var position = TextPosition()

    /// Returns the location of the byte at `target` in valid UTF-8 text, as ``SourceLocation/inText(_:at:)`` does.
    mutating func location(of target: Int, in text: [UInt8]) -> SourceLocation {
        if target < offset { self = LineCounter() }
        let end = max(offset, min(target, text.count))
        position.advance(over: offset..<end, of: text)
        offset = end
        return position.location
    }
}

extension Problem {
    fileprivate static func xmlWarning(_ kind: XMLWarnings.Kind, at location: SourceLocation) -> Problem {
        let (id, sentence) = description(of: kind)
        let isUID = if case .uid = kind { true } else { false }
        return Problem(isUID ? .xmlUID : Problem.Kind(id), sentence, severity: .warning, at: location)
    }

    private static func description(of kind: XMLWarnings.Kind) -> (id: String, sentence: String) {
        switch kind {
        case .encoding:
            ("xml.not-ascii", "the text declares US-ASCII, but has other characters; they were read as ISO-8859-1")
        case .unmarked:
            ("xml.byte-order", "the text is in UTF-16 or UTF-32 without a byte order mark; other readers reject it")
        case .declaration:
            (
                "xml.declaration-text",
                "the XML declaration has other characters than ASCII, such as curly quotes; many readers reject it"
            )
        case .malformedDeclaration:
            (
                "xml.malformed-declaration",
                "the XML declaration is not well-formed; expected <?xml version=\"1.0\"?>; other readers reject it"
            )
        case .documentType:
            (
                "xml.document-type",
                "the document type is not well-formed; expected <!DOCTYPE plist> or public and system identifiers in quotes; "
                    + "other readers reject it"
            )
        case .attributes:
            (
                "xml.attributes",
                "the attributes of the tag are not well-formed; expected values in quotes, as in version=\"1.0\"; "
                    + "other readers reject them"
            )
        case .otherEncoding(let name):
            (
                "xml.encoding",
                "the text declares the encoding \"\(name)\", but its byte order mark shows another one; many readers reject it"
            )
        case .leadingSpace:
            ("xml.leading-space", "found white space before <?xml; expected <?xml at the very start")
        case .trailing:
            ("xml.trailing", "found text after the property list; it was ignored")
        case .second:
            ("xml.trailing", "two files in one: another XML document follows the property list; it was ignored")
        case .trailingZeros(let count):
            ("xml.trailing", trailingZeros(count))
        case .cutData(let count):
            ("xml.base64", cutData(count))
        case .dateRange:
            ("xml.date-range", "the date has a field out of range; the excess was added to the date")
        case .realRange:
            ("xml.real-range", "the number is too large for a 64-bit real; it was read as infinity")
        case .data:
            ("xml.base64", "the data has characters that are not base64; they were ignored")
        case .uid:
            ("xml.uid", "the number under CF$UID is not between 0 and 2^32-1; its low 32 bits were used")
        case .character:
            ("xml.character", "found a control character that XML does not allow; it was kept")
        case .ampersand:
            (
                "xml.ampersand",
                "found an & that does not begin a reference such as &amp;; it was kept, but other readers reject it"
            )
        }
    }

    private static func cutData(_ count: Int) -> String {
        if count == 1 { return "the data ends with 1 character of base64 too many; it was ignored" }
        return "the data ends after \(count) of the 4 characters of its last group of base64; "
            + "\(count == 2 ? "1 byte is" : "2 bytes are") lost"
    }

    private static func trailingZeros(_ count: Int) -> String {
        "\(Phrase.count(count, "zero byte", "follows")) the property list; "
            + (count == 1 ? "it was ignored" : "they were ignored")
    }
}

extension Problem.Kind {
    /// A number under `CF$UID` that is not a valid UID.
    package static let xmlUID = Problem.Kind("xml.uid")
}
