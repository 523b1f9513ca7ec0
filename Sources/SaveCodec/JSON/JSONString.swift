/// Functions that write JSON strings (RFC 8259 §7), including their quotation marks.
///
/// Besides the escapes that JSON requires, they escape lone surrogates and all characters that a terminal or a
/// line-oriented tool could act on. All other characters, including `/`, are written unescaped.
package enum JSONString {
    package static func write(_ text: String, to output: inout ByteWriter) {
        guard text.utf8.allSatisfy(isPlain) else { return write(Array(text.utf16), to: &output) }
        output.write(UInt8(ascii: "\""))
        output.write(text)
        output.write(UInt8(ascii: "\""))
    }

    /// Whether a byte is a character that needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    package static func write(_ units: [UInt16], to output: inout ByteWriter) {
        write(units: units.count, to: &output) { units[$0] }
    }

    /// Writes a string object of a document, with `prefix` before its first character.
    static func write(
        _ string: StoredObject, of document: Document, prefix: StaticString = "", to output: inout ByteWriter
    ) {
        if string.kind == .oneByteString {
            output.write(UInt8(ascii: "\""))
            output.write(prefix)
            writeOneByte(document.image, string.start..<string.start + string.count, to: &output)
            output.write(UInt8(ascii: "\""))
        } else {
            write(units: string.count, prefix: prefix, to: &output) { document.codeUnit($0, of: string) }
        }
    }

    /// Writes unescaped characters in runs and all others one by one.
    private static func writeOneByte(_ image: [UInt8], _ range: Range<Int>, to output: inout ByteWriter) {
        var position = range.lowerBound
        while true {
            position = output.write(image.span, from: position, upTo: range.upperBound) { bytes in
                bytes.marks(below: 0x20) | bytes.marks(of: 0x7F) | bytes.nonASCII
                    | bytes.marks(of: UInt8(ascii: "\"")) | bytes.marks(of: UInt8(ascii: "\\"))
            }
            guard position < range.upperBound else { return }
            writeUnit(UInt16(image[position]), to: &output)
            position += 1
        }
    }

    @inline(__always)
    private static func write(
        units count: Int, prefix: StaticString = "", to output: inout ByteWriter, at unit: (Int) -> UInt16
    ) {
        output.write(UInt8(ascii: "\""))
        output.write(prefix)
        var position = 0
        while position < count {
            let lead = unit(position)
            position += 1
            if UTF16.isLeadSurrogate(lead), position < count, case let trail = unit(position),
                UTF16.isTrailSurrogate(trail)
            {
                output.write(codePoint: 0x10000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF)))
                position += 1
            } else {
                writeUnit(lead, to: &output)
            }
        }
        output.write(UInt8(ascii: "\""))
    }

    // MARK: Characters

    /// Writes a code unit that is not half of a surrogate pair.
    private static func writeUnit(_ unit: UInt16, to output: inout ByteWriter) {
        switch unit {
        case 0x22: output.write("\\\"")
        case 0x5C: output.write("\\\\")
        case 0x20..<0x7F: output.write(UInt8(truncatingIfNeeded: unit))
        case 0x08: output.write("\\b")
        case 0x09: output.write("\\t")
        case 0x0A: output.write("\\n")
        case 0x0C: output.write("\\f")
        case 0x0D: output.write("\\r")
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: writeEscape(unit, uppercase: false, to: &output)
        case 0xD800..<0xE000: writeEscape(unit, uppercase: true, to: &output)
        default: output.write(codePoint: UInt32(unit))
        }
    }

    private static func writeEscape(_ unit: UInt16, uppercase: Bool, to output: inout ByteWriter) {
        output.write("\\u")
        Hexadecimal.write(UInt64(unit), count: 4, uppercase: uppercase, to: &output)
    }
}
