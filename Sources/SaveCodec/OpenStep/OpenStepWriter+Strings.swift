/// The strings of OpenStep text.
extension OpenStepWriter {
    /// Writes a string, without quotes if every reader takes it so.
    func writeString(_ string: StoredObject, to output: inout ByteWriter) {
        guard isBare(string) else { return writeQuoted(string, to: &output) }
        if string.kind == .oneByteString {
            output.write(document.image, in: string.start..<string.start + string.count)
        } else {
            for position in 0..<string.count { output.write(asciiByte(position, of: string)) }
        }
    }

    /// The character at a position as a byte; 0, which is never bare, if it is none of ASCII.
    private func asciiByte(_ position: Int, of string: StoredObject) -> UInt8 {
        if string.kind == .oneByteString { return document.image[string.start + position] }
        return UInt8(exactly: document.codeUnit(position, of: string)) ?? 0
    }

    /// Whether a string goes without quotes: not if it is empty, and not if it starts like a comment or holds one.
    private func isBare(_ string: StoredObject) -> Bool {
        guard string.count > 0, asciiByte(0, of: string) != UInt8(ascii: "/") else { return false }
        var previous: UInt8 = 0
        for position in 0..<string.count {
            let byte = asciiByte(position, of: string)
            // "/*" needs no look, as "*" is not bare.
            guard Self.bareCharacters.contains(byte), byte != UInt8(ascii: "/") || previous != byte else {
                return false
            }
            previous = byte
        }
        return true
    }

    /// Writes a string between double quotes.
    func writeQuoted(_ string: StoredObject, to output: inout ByteWriter) {
        writeQuoted(to: &output) { output in
            var position = 0
            while position < string.count {
                position += writeCharacter(position, of: string, to: &output)
            }
        }
    }

    /// Writes something between double quotes.
    func writeQuoted(to output: inout ByteWriter, _ writeContents: (inout ByteWriter) -> Void) {
        output.write(UInt8(ascii: "\""))
        writeContents(&output)
        output.write(UInt8(ascii: "\""))
    }

    /// Writes the character at a position, and returns how many code units it has.
    private func writeCharacter(_ position: Int, of string: StoredObject, to output: inout ByteWriter) -> Int {
        let unit = document.codeUnit(position, of: string)
        if unit < 0x80 {
            writeASCII(UInt8(truncatingIfNeeded: unit), to: &output)
        } else if unit & 0xF800 == 0xD800 {
            return writeSurrogate(unit, position, of: string, to: &output)
        } else if dialect == .gnustep || Self.isEscaped(unit) {
            writeEscape(unit, to: &output)
        } else {
            writeUTF8(UInt32(unit), to: &output)
        }
        return 1
    }

    private func writeASCII(_ byte: UInt8, to output: inout ByteWriter) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            output.write(UInt8(ascii: "\\"))
            output.write(byte)
        case 0x20...0x7E:
            output.write(byte)
        // Of the escapes with a letter those that every reader knows.
        case 0x09: output.write("\\t")
        case 0x0A: output.write("\\n")
        case 0x0D: output.write("\\r")
        default: writeEscape(UInt16(byte), to: &output)
        }
    }

    /// Writes a pair of surrogates as the character that it is, or a lone one as an escape, which GNUstep would refuse.
    private func writeSurrogate(
        _ unit: UInt16, _ position: Int, of string: StoredObject, to output: inout ByteWriter
    ) -> Int {
        let next = position + 1 < string.count ? document.codeUnit(position + 1, of: string) : 0
        guard UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(next) else {
            writeEscape(dialect == .gnustep ? 0xFFFD : unit, to: &output)
            return 1
        }
        if dialect == .gnustep {
            writeEscape(unit, to: &output)
            writeEscape(next, to: &output)
        } else {
            writeUTF8(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(next & 0x3FF)), to: &output)
        }
        return 2
    }

    /// Whether a character from U+0080 on is a control character or ends a line, and so not to be seen in a text.
    private static func isEscaped(_ unit: UInt16) -> Bool {
        unit < 0xA0 || unit == 0x2028 || unit == 0x2029
    }

    private func writeEscape(_ unit: UInt16, to output: inout ByteWriter) {
        output.write("\\U")
        for shift in stride(from: UInt16(12), through: 0, by: -4) {
            output.write(HexDigit.uppercase(UInt8(truncatingIfNeeded: unit >> shift & 0x0F)))
        }
    }

    /// Writes a character from U+0080 on that is no surrogate.
    private func writeUTF8(_ scalar: UInt32, to output: inout ByteWriter) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F) }
        if scalar < 0x800 {
            output.write(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
        } else if scalar < 0x10000 {
            output.write(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            output.write(tail(6))
        } else {
            output.write(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            output.write(tail(12))
            output.write(tail(6))
        }
        output.write(tail(0))
    }
}
