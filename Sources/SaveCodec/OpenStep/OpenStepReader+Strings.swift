/// The strings of OpenStep text.
extension OpenStepReader {
    /// `bare = 1*( A-Z a-z 0-9 _ $ / : . - )`, in GNUstep's dialect all but a few.
    mutating func readBare() -> ObjectID {
        let start = position
        while let byte, bareCharacters.contains(byte) { position += 1 }
        let text = text
        return builder.add(utf8: text.span.extracting(start..<position))
    }

    /// `quoted = '"' … '"' | "'" … "'"`
    mutating func readQuoted() throws(Problem) -> ObjectID {
        let start = position
        let quote = text[start]
        position += 1
        skipPlain(quote)
        guard let byte else { throw unterminatedString(from: start) }
        guard byte == quote else { return try readEscaped(quote, from: start) }
        let contents = start + 1..<position
        position += 1
        let text = text
        return builder.add(utf8: text.span.extracting(contents))
    }

    /// A quoted string with escapes, whose first one stands at the cursor.
    private mutating func readEscaped(_ quote: UInt8, from start: Int) throws(Problem) -> ObjectID {
        units.removeAll(keepingCapacity: true)
        appendText(start + 1..<position)
        while byte == UInt8(ascii: "\\") {
            readEscape()
            let plain = position
            skipPlain(quote)
            appendText(plain..<position)
        }
        guard byte == quote else { throw unterminatedString(from: start) }
        position += 1
        if Surrogates.firstLone(in: units.span) != nil { quirks.note(.loneSurrogate, at: start) }
        let units = units
        return builder.add(utf16: units.span)
    }

    private func unterminatedString(from start: Int) -> Problem {
        let quote = text[start] == UInt8(ascii: "'") ? "\"'\"" : "'\"'"
        return problem("openstep.unterminated", "the string that starts here has no end; expected \(quote)", at: start)
    }

    /// Skips what stands for itself.
    private mutating func skipPlain(_ quote: UInt8) {
        while let byte, byte != quote, byte != UInt8(ascii: "\\") { position += 1 }
    }

    private mutating func appendText(_ range: Range<Int>) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let (scalar, length) = UTF8Text.decode(text.span, at: offset)
            Surrogates.append(scalar, to: &units)
            offset += length
        }
    }

    /// An escape. At the end of the file a lone backslash stands for nothing; the string is unterminated then.
    private mutating func readEscape() {
        let start = position
        position += 1
        guard let byte else { return }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "7"): readOctalEscape(from: start)
        case UInt8(ascii: "U"): readUnitEscape(from: start)
        case UInt8(ascii: "u") where dialect == .gnustep: readUnitEscape(from: start)
        default: readCharacterEscape(byte)
        }
    }

    /// One to three octal digits: a byte in the NeXTSTEP encoding, in GNUstep's dialect a code unit.
    private mutating func readOctalEscape(from start: Int) {
        var value: UInt16 = 0
        let end = min(position + 3, text.count)
        while position < end, text[position] & 0xF8 == 0x30 {
            value = value << 3 | UInt16(text[position] & 7)
            position += 1
        }
        guard dialect == .openStep else { return units.append(value) }
        if value > NextStepEncoding.last { quirks.note(.octalRange, at: start) }
        units.append(NextStepEncoding.unit(UInt8(truncatingIfNeeded: value)))
    }

    /// Up to four hexadecimal digits: a code unit.
    private mutating func readUnitEscape(from start: Int) {
        position += 1
        var value: UInt16 = 0
        let digits = position
        let end = min(position + 4, text.count)
        while position < end, let digit = HexDigit.value(text[position]) {
            value = value << 4 | UInt16(digit)
            position += 1
        }
        if position == digits { quirks.note(.emptyEscape, at: start) }
        units.append(value)
    }

    /// A letter that names a control character, or any other character, which then stands for itself.
    private mutating func readCharacterEscape(_ byte: UInt8) {
        if let control = OpenStepEscape.control(byte) {
            units.append(UInt16(control))
            position += 1
        } else {
            let (scalar, length) = UTF8Text.decode(text.span, at: position)
            Surrogates.append(scalar, to: &units)
            position += length
        }
    }
}

/// The NeXTSTEP encoding, in which octal escapes are meant: ASCII, and the characters below from 0x80 on
/// (see <doc:OpenStepFormat>).
enum NextStepEncoding {
    /// The last byte that stands for a character.
    static let last: UInt16 = 0xFD

    private static let upperHalf: [UInt16] = Array(
        ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏ" + "ÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷" + "©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ" + "®–†‡·¦¶•‚„”»…‰¬¿"
            + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ" + "—±¼½¾àáâãäåçèéêë" + "ìÆíªîïðñŁØŒºòóôõ" + "öæùúûıüýłøœßþÿ").utf16)

    /// The character that a byte stands for; NUL for the two that stand for none, as Core Foundation has it.
    static func unit(_ byte: UInt8) -> UInt16 {
        guard byte >= 0x80 else { return UInt16(byte) }
        let index = Int(byte) - 0x80
        return index < upperHalf.count ? upperHalf[index] : 0
    }
}

/// The halves of which UTF-16 makes the characters beyond U+FFFF, and which real files hold alone too.
enum Surrogates {
    /// Appends a character as UTF-16.
    static func append(_ scalar: UInt32, to units: inout [UInt16]) {
        if scalar >= 0x10000 {
            units.append(0xD800 | UInt16(truncatingIfNeeded: (scalar - 0x10000) >> 10))
            units.append(0xDC00 | UInt16(truncatingIfNeeded: scalar & 0x3FF))
        } else {
            units.append(UInt16(truncatingIfNeeded: scalar))
        }
    }

    /// The position of the first surrogate that is not half of a pair.
    static func firstLone(in units: Span<UInt16>) -> Int? {
        var position = 0
        while position < units.count {
            let unit = units[position]
            if unit & 0xF800 == 0xD800 {
                guard UTF16.isLeadSurrogate(unit), position + 1 < units.count,
                    UTF16.isTrailSurrogate(units[position + 1])
                else { return position }
                position += 1
            }
            position += 1
        }
        return nil
    }
}
