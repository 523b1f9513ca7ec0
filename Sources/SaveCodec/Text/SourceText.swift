/// The text of a file, decoded from any encoding to valid UTF-8.
///
/// Readers of text formats work on these bytes, so no later step has to check for incomplete sequences. The byte order
/// mark is removed. Everything else is unchanged, including line ends.
struct SourceText {
    /// The text as valid UTF-8.
    let bytes: [UInt8]
    let stored: StoredEncoding

    /// Decodes the bytes of a file.
    ///
    /// The byte order mark determines the encoding. If it is missing, the declared encoding is used.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - declared: The encoding that the text itself declares, if its format supports that.
    /// - Throws: A problem at the first byte that is not part of a character.
    init(decoding bytes: [UInt8], declared: TextEncoding = .utf8) throws(Problem) {
        let (encoding, start) = TextEncoding.marked(in: bytes) ?? (declared, 0)
        switch encoding {
        case .utf8: self.bytes = try Self.validated(bytes, from: start)
        case .utf16(let bigEndian): self.bytes = try Self.decodeUTF16(bytes, from: start, bigEndian)
        case .utf32(let bigEndian): self.bytes = try Self.decodeUTF32(bytes, from: start, bigEndian)
        case .ascii, .latin1: self.bytes = Self.decodeLatin1(bytes)
        case .windows1252: self.bytes = try Self.decodeWindows1252(bytes)
        }
        let isASCII = encoding == .ascii && self.bytes.count == bytes.count
        stored = StoredEncoding(
            encoding: encoding == .ascii && !isASCII ? .latin1 : encoding, hasMark: start > 0)
    }

    private static func validated(_ bytes: [UInt8], from start: Int) throws(Problem) -> [UInt8] {
        let text = start == 0 ? bytes : Array(bytes[start...])
        if let offset = UTF8Text.firstInvalid(in: text.span) {
            throw Problem(
                "text.utf8", "the byte \(Hexadecimal.prefixed(text[offset])) is not part of a UTF-8 character",
                at: .inText(text, at: offset))
        }
        return text
    }

    private static func decodeUTF16(_ bytes: [UInt8], from start: Int, _ bigEndian: Bool) throws(Problem) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2)
        var position = start
        while position + 1 < bytes.count {
            let unit = unit(of: bytes, at: position, bigEndian)
            position += 2
            guard unit & 0xF800 == 0xD800 else {
                append(UInt32(unit), to: &text)
                continue
            }
            guard unit < 0xDC00, position + 1 < bytes.count,
                case let low = Self.unit(of: bytes, at: position, bigEndian),
                low & 0xFC00 == 0xDC00
            else {
                throw Problem(
                    "text.surrogate",
                    "found the lone surrogate \(codePoint(unit)) in UTF-16; expected a surrogate pair",
                    at: .inText(text, at: text.count))
            }
            append(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)), to: &text)
            position += 2
        }
        guard position == bytes.count else { throw truncated(text, unitSize: 2) }
        return text
    }

    private static func unit(of bytes: [UInt8], at position: Int, _ bigEndian: Bool) -> UInt16 {
        let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
        return bigEndian ? first << 8 | second : second << 8 | first
    }

    private static func decodeUTF32(_ bytes: [UInt8], from start: Int, _ bigEndian: Bool) throws(Problem) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 4)
        var position = start
        while position + 3 < bytes.count {
            let stored = UInt32(truncatingIfNeeded: bytes.bigEndian(at: position, width: 4))
            let value = bigEndian ? stored : stored.byteSwapped
            guard Unicode.Scalar(value) != nil else {
                throw Problem(
                    "text.scalar", "found \(codePoint(value)) in UTF-32; expected a Unicode character",
                    at: .inText(text, at: text.count))
            }
            append(value, to: &text)
            position += 4
        }
        guard position == bytes.count else { throw truncated(text, unitSize: 4) }
        return text
    }

    private static func decodeLatin1(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes { append(UInt32(byte), to: &text) }
        return text
    }

    private static func decodeWindows1252(_ bytes: [UInt8]) throws(Problem) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            let scalar = byte & 0xE0 == 0x80 ? UInt32(TextEncoding.windows1252High[Int(byte & 0x1F)]) : UInt32(byte)
            guard scalar != 0 || byte == 0 else {
                throw Problem(
                    "text.byte", "the byte \(Hexadecimal.prefixed(byte)) is not a character in windows-1252",
                    at: .inText(text, at: text.count))
            }
            append(scalar, to: &text)
        }
        return text
    }

    private static func truncated(_ text: [UInt8], unitSize: Int) -> Problem {
        Problem(
            "text.truncated",
            "the text ends within a character; UTF-\(8 * unitSize) characters take \(unitSize) bytes or a multiple",
            at: .inText(text, at: text.count))
    }

    private static func codePoint(_ value: some BinaryInteger) -> String {
        "U+" + Hexadecimal.text(value, digits: 4)
    }

    /// Appends a scalar value, which is not a surrogate, as UTF-8.
    static func append(_ scalar: UInt32, to text: inout [UInt8]) {
        text += Unicode.Scalar(scalar).flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter
    }
}
