/// How a file stores its text: the encoding, and whether a byte order mark goes before it.
struct StoredEncoding: Equatable {
    let encoding: TextEncoding
    let hasMark: Bool

    /// The bytes of a file that stores a text, given in valid UTF-8; nil if the encoding lacks one of its characters.
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

    /// Appends a character; false if the encoding does not have it.
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

    /// The byte that stands for a character in windows-1252.
    private static func windows1252(_ scalar: UInt32) -> UInt32? {
        if scalar < 0x80 || 0xA0...0xFF ~= scalar { return scalar }
        return TextEncoding.windows1252High.firstIndex { UInt32($0) == scalar }.map { UInt32($0) + 0x80 }
    }
}
