/// The encodings of property-list texts.
///
///     EF BB BF …              UTF-8, by its byte order mark
///     FF FE 3C 00 …           UTF-16, least significant byte first
///     00 00 FE FF 00 00 …     UTF-32, most significant byte first
///     3C 3F 78 6D 6C …        no mark: the declared encoding, or else UTF-8
enum TextEncoding: Equatable {
    case utf8
    case utf16(bigEndian: Bool)
    case utf32(bigEndian: Bool)
    /// ASCII, read as its superset ISO-8859-1, as in Core Foundation.
    case ascii
    case latin1
    case windows1252

    /// Whether a code unit takes two or four bytes.
    var isWide: Bool {
        switch self {
        case .utf16, .utf32: true
        case .utf8, .ascii, .latin1, .windows1252: false
        }
    }

    /// Returns the encoding of the byte order mark at the start of the bytes, and the mark's length.
    ///
    /// UTF-32 is checked first, since its little-endian mark begins with the mark of UTF-16.
    static func marked(in bytes: [UInt8]) -> (encoding: TextEncoding, markLength: Int)? {
        if bytes.starts(with: [0x00, 0x00, 0xFE, 0xFF]) { return (.utf32(bigEndian: true), 4) }
        if bytes.starts(with: [0xFF, 0xFE, 0x00, 0x00]) { return (.utf32(bigEndian: false), 4) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(bigEndian: true), 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(bigEndian: false), 2) }
        return nil
    }

    /// Returns the supported encoding with an IANA name, in any case, or nil.
    ///
    /// UTF-16 and UTF-32 are not found by name, because a byte order mark or a pattern of zero bytes identifies them. A
    /// text with neither is in another encoding, even if it declares UTF-16 or UTF-32.
    static func named(_ name: Span<UInt8>) -> TextEncoding? {
        var lower: [UInt8] = []
        for position in name.indices.prefix(32) {
            let byte = name[position]
            lower.append(byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte)
        }
        return names[String(decoding: lower, as: UTF8.self)]
    }

    private static let names: [String: TextEncoding] = [
        "utf-8": .utf8, "utf8": .utf8, "unicode-1-1-utf-8": .utf8,
        "us-ascii": .ascii, "ascii": .ascii, "us": .ascii, "ansi_x3.4-1968": .ascii, "ansi_x3.4-1986": .ascii,
        "iso646-us": .ascii, "iso_646.irv:1991": .ascii, "iso-ir-6": .ascii, "ibm367": .ascii, "cp367": .ascii,
        "iso-8859-1": .latin1, "iso_8859-1": .latin1, "iso8859-1": .latin1, "iso_8859-1:1987": .latin1,
        "latin1": .latin1, "latin-1": .latin1, "l1": .latin1, "ibm819": .latin1, "cp819": .latin1,
        "iso-ir-100": .latin1, "windows-1252": .windows1252, "cp1252": .windows1252,
    ]

    /// The characters of the bytes 0x80 to 0x9F in windows-1252, or zero for an unassigned byte.
    static let windows1252High: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]
}

// MARK: Stored text

/// The encoding of a file's text, and whether it begins with a byte order mark.
struct StoredEncoding: Equatable {
    let encoding: TextEncoding
    let hasMark: Bool

    /// Returns a valid UTF-8 text in this encoding, or nil if the encoding lacks one of its characters.
    func encode(_ text: [UInt8]) -> [UInt8]? {
        if encoding == .utf8 { return hasMark ? [0xEF, 0xBB, 0xBF] + text : text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * text.count)
        if hasMark, !append(0xFEFF, to: &bytes) { return nil }
        var offset = 0
        while offset < text.count {
            let (scalar, length) = UTF8Text.decode(text.span, at: offset)
            guard append(scalar, to: &bytes) else { return nil }
            offset += length
        }
        return bytes
    }

    /// Appends a character. Returns false if the encoding lacks it.
    private func append(_ scalar: UInt32, to bytes: inout [UInt8]) -> Bool {
        switch encoding {
        case .utf8: SourceText.append(scalar, to: &bytes)
        case .utf16(let bigEndian): appendUnits(scalar, bigEndian, to: &bytes)
        case .utf32(let bigEndian): appendInteger(scalar, width: 4, bigEndian, to: &bytes)
        case .ascii: return appendByte(scalar < 0x80 ? scalar : nil, to: &bytes)
        case .latin1: return appendByte(scalar < 0x100 ? scalar : nil, to: &bytes)
        case .windows1252: return appendByte(Self.windows1252(scalar), to: &bytes)
        }
        return true
    }

    private func appendUnits(_ scalar: UInt32, _ bigEndian: Bool, to bytes: inout [UInt8]) {
        guard scalar >= 0x10000 else { return appendInteger(scalar, width: 2, bigEndian, to: &bytes) }
        appendInteger(0xD800 | (scalar - 0x10000) >> 10, width: 2, bigEndian, to: &bytes)
        appendInteger(0xDC00 | scalar & 0x3FF, width: 2, bigEndian, to: &bytes)
    }

    private func appendInteger(_ value: UInt32, width: Int, _ bigEndian: Bool, to bytes: inout [UInt8]) {
        for index in 0..<width {
            let shift = UInt32(8 * (bigEndian ? width - 1 - index : index))
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    private func appendByte(_ byte: UInt32?, to bytes: inout [UInt8]) -> Bool {
        guard let byte else { return false }
        bytes.append(UInt8(truncatingIfNeeded: byte))
        return true
    }

    /// Returns the byte for a character in windows-1252, or nil.
    static func windows1252(_ scalar: UInt32) -> UInt32? {
        if scalar < 0x80 || 0xA0...0xFF ~= scalar { return scalar }
        return TextEncoding.windows1252High.firstIndex { UInt32($0) == scalar }.map { UInt32($0) + 0x80 }
    }
}
