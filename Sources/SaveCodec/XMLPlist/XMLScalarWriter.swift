/// Writes the text of scalars, as it stands between their tags.
enum XMLScalarWriter {
    /// Writes an object's text. Every kind has one, because any scalar may be a key.
    @inline(__always)
    static func writeText(of object: StoredObject, in document: Document, to output: inout ByteWriter) {
        switch object.kind {
        case .oneByteString: writeOneByte(object, document.image, to: &output)
        case .utf16String: writeUTF16(object, document, to: &output)
        default: writeOther(object, document, to: &output)
        }
    }

    private static func writeOther(_ object: StoredObject, _ document: Document, to output: inout ByteWriter) {
        switch object.kind {
        case .integer: NumberText.write(document.integer(object), to: &output)
        case .real where object.count == 4: writeReal(Double(document.real32(object)), to: &output)
        case .real: writeReal(document.real64(object), to: &output)
        case .date: writeDate(document.real64(object), to: &output)
        case .data: Base64.write(document.image, in: object.start..<object.start + object.count, to: &output)
        case .uid: NumberText.write(Int128(document.uid(object)), to: &output)
        case .true: output.write("true")
        case .false: output.write("false")
        default: output.write("$null")
        }
    }

    // MARK: Numbers and dates

    private static func writeReal(_ value: Double, to output: inout ByteWriter) {
        if value.isNaN {
            output.write("nan")
        } else if value.isInfinite {
            output.write(value > 0 ? "+infinity" : "-infinity")
        } else if value == 0 {
            output.write("0.0")
        } else {
            NumberText.writeSeventeenDigits(value, to: &output)
        }
    }

    private static func writeDate(_ seconds: Double, to output: inout ByteWriter) {
        if XMLDate.fits(seconds) {
            XMLDate.write(seconds, to: &output)
        } else {
            writeReal(seconds, to: &output)
        }
    }

    // MARK: Strings

    private static func writeOneByte(_ string: StoredObject, _ image: [UInt8], to output: inout ByteWriter) {
        let end = string.start + string.count
        var start = string.start
        for position in start..<end {
            let byte = image[position]
            if isPlain(byte) { continue }
            output.write(image, in: start..<position)
            writeSpecial(UInt32(byte), to: &output)
            start = position + 1
        }
        output.write(image, in: start..<end)
    }

    private static func writeUTF16(_ string: StoredObject, _ document: Document, to output: inout ByteWriter) {
        var position = 0
        while position < string.count {
            let unit = document.codeUnit(position, of: string)
            position += 1
            if unit & 0xF800 != 0xD800 {
                writeSpecial(UInt32(unit), to: &output)
            } else if unit < 0xDC00, position < string.count,
                case let low = document.codeUnit(position, of: string), low & 0xFC00 == 0xDC00
            {
                position += 1
                writeUTF8(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)), to: &output)
            } else {
                writeUTF8(0xFFFD, to: &output)
            }
        }
    }

    /// Whether a byte of a string is written as it is.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        if byte &- 0x3F < 0x41 { return true }
        return byte >= 0x20
            ? byte < 0x7F && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
                && byte != UInt8(ascii: "&") : byte == 0x09 || byte == 0x0A
    }

    private static func writeSpecial(_ scalar: UInt32, to output: inout ByteWriter) {
        switch scalar {
        case 0x3C: output.write("&lt;")
        case 0x3E: output.write("&gt;")
        case 0x26: output.write("&amp;")
        case 0x0D: output.write("&#13;")
        case 0x09, 0x0A, 0x20..<0xFFFE: writeUTF8(scalar, to: &output)
        default: writeUTF8(0xFFFD, to: &output)
        }
    }

    private static func writeUTF8(_ scalar: UInt32, to output: inout ByteWriter) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            output.write(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            output.write(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            output.write(tail(0))
        case ..<0x10000:
            output.write(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            output.write(tail(6))
            output.write(tail(0))
        default:
            output.write(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            output.write(tail(12))
            output.write(tail(6))
            output.write(tail(0))
        }
    }
}
