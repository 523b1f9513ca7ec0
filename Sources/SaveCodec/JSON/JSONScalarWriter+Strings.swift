/// Strings (RFC 8259 §7).
extension JSONScalarWriter {
    /// Writes a string, or a name; `prefix` stands before its first character.
    package func writeString(_ string: StoredObject, prefix: StaticString = "", to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\""))
        output.write(prefix)
        if string.kind == .oneByteString {
            writeOneByte(string.start..<string.start + string.count, to: &output)
        } else {
            writeUTF16(string, to: &output)
        }
        output.write(UInt8(ascii: "\""))
    }

    /// Writes the characters that stand for themselves in runs, and the others one by one.
    private func writeOneByte(_ range: Range<Int>, to output: inout ByteWriter) {
        let image = document.image.span
        var start = range.lowerBound
        while true {
            var end = start
            while end < range.upperBound, Self.isPlain(image[end]) { end += 1 }
            if end > start { output.write(image.extracting(start..<end)) }
            guard end < range.upperBound else { return }
            writeUnit(UInt16(image[end]), to: &output)
            start = end + 1
        }
    }

    private func writeUTF16(_ string: StoredObject, to output: inout ByteWriter) {
        var position = 0
        while position < string.count {
            let unit = document.codeUnit(position, of: string)
            position += 1
            if UTF16.isLeadSurrogate(unit), position < string.count,
                case let trail = document.codeUnit(position, of: string), UTF16.isTrailSurrogate(trail)
            {
                writePair(unit, trail, to: &output)
                position += 1
            } else {
                writeUnit(unit, to: &output)
            }
        }
    }

    /// Whether a character stands for itself: printable ASCII but for the quotation mark and the backslash.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Writes a code unit that is no half of a pair.
    private func writeUnit(_ unit: UInt16, to output: inout ByteWriter) {
        switch unit {
        case 0x22: output.write("\\\"")
        case 0x5C: output.write("\\\\")
        case 0x20..<0x7F: output.write(UInt8(truncatingIfNeeded: unit))
        case 0x08: output.write("\\b")
        case 0x09: output.write("\\t")
        case 0x0A: output.write("\\n")
        case 0x0C: output.write("\\f")
        case 0x0D: output.write("\\r")
        // Beside what JSON demands, all that a terminal or a line-minded tool could act on.
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: writeEscape(unit, uppercase: false, to: &output)
        case 0xD800..<0xE000: writeEscape(unit, uppercase: true, to: &output)
        default: writeUTF8(unit, to: &output)
        }
    }

    private func writeEscape(_ unit: UInt16, uppercase: Bool, to output: inout ByteWriter) {
        output.write("\\u")
        Hexadecimal.write(UInt64(unit), count: 4, uppercase: uppercase, to: &output)
    }

    /// Writes a code unit from U+0080 on.
    private func writeUTF8(_ unit: UInt16, to output: inout ByteWriter) {
        if unit < 0x800 {
            output.write(0xC0 | UInt8(truncatingIfNeeded: unit >> 6))
        } else {
            output.write(0xE0 | UInt8(truncatingIfNeeded: unit >> 12))
            output.write(0x80 | UInt8(truncatingIfNeeded: unit >> 6) & 0x3F)
        }
        output.write(0x80 | UInt8(truncatingIfNeeded: unit) & 0x3F)
    }

    private func writePair(_ lead: UInt16, _ trail: UInt16, to output: inout ByteWriter) {
        let scalar = 0x10000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        output.write(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
        output.write(0x80 | UInt8(truncatingIfNeeded: scalar >> 12) & 0x3F)
        output.write(0x80 | UInt8(truncatingIfNeeded: scalar >> 6) & 0x3F)
        output.write(0x80 | UInt8(truncatingIfNeeded: scalar) & 0x3F)
    }
}
