extension OpenStepReader {
    /// Reads `bare = 1*( A-Z a-z 0-9 _ $ / : . - )`. GNUstep's dialect allows nearly all printable characters.
    mutating func readBare() -> ObjectID {
        let start = position
        while let byte, bareCharacters.contains(byte) { position += 1 }
        if dialect == .gnustep {
            let portable = OpenStep.Dialect.openStep.bareCharacters
            for offset in start..<position where !portable.contains(text[offset]) {
                warnings.note(.bareCharacter, at: offset)
                break
            }
        }
        let text = text
        return builder.add(utf8: text.span.extracting(start..<position))
    }

    /// Reads `quoted = '"' … '"' | "'" … "'"`.
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

    /// Reads a quoted string whose first escape is at the position.
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
        if units.hasLoneSurrogate { warnings.note(.loneSurrogate, at: start) }
        let units = units
        return builder.add(utf16: units.span)
    }

    private func unterminatedString(from start: Int) -> Problem {
        let quote = text[start] == UInt8(ascii: "'") ? "\"'\"" : "'\"'"
        return problem(
            "openstep.unterminated", "the string that starts here is not closed; expected \(quote)", at: start)
    }

    private mutating func skipPlain(_ quote: UInt8) {
        while let byte, byte != quote, byte != UInt8(ascii: "\\") { position += 1 }
    }

    private mutating func appendText(_ range: Range<Int>) {
        let text = text
        UTF8Text.appendUTF16(range, of: text.span, to: &units)
    }

    /// Reads an escape. A backslash at the end of the file adds nothing, because the string is unterminated.
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

    /// Reads one to three octal digits: a byte in the NeXTSTEP encoding, or a code unit in GNUstep's dialect.
    private mutating func readOctalEscape(from start: Int) {
        var value: UInt16 = 0
        let end = min(position + 3, text.count)
        while position < end, text[position] & 0xF8 == 0x30 {
            value = value << 3 | UInt16(text[position] & 7)
            position += 1
        }
        guard dialect == .openStep else { return units.append(value) }
        if value > NextStepEncoding.last { warnings.note(.octalRange, at: start) }
        units.append(NextStepEncoding.unit(UInt8(truncatingIfNeeded: value)))
    }

    /// Reads up to four hexadecimal digits of a code unit.
    private mutating func readUnitEscape(from start: Int) {
        position += 1
        var value: UInt16 = 0
        let digits = position
        let end = min(position + 4, text.count)
        while position < end, let digit = HexDigit.value(text[position]) {
            value = value << 4 | UInt16(digit)
            position += 1
        }
        if position == digits { warnings.note(.emptyEscape, at: start) }
        units.append(value)
    }

    /// Reads a letter that names a control character, or any other character, which represents itself.
    private mutating func readCharacterEscape(_ byte: UInt8) {
        if let control = OpenStepControlEscape.control(byte) {
            units.append(UInt16(control))
            position += 1
        } else {
            let (scalar, length) = UTF8Text.decode(text.span, at: position)
            UTF8Text.append(scalar, to: &units)
            position += length
        }
    }
}

/// The NeXTSTEP encoding of octal escapes: ASCII, and the characters below from 0x80 on (see <doc:OpenStepFormat>).
private enum NextStepEncoding {
    /// The last byte with a character.
    static let last: UInt16 = 0xFD

    private static let upperHalf: [UInt16] = Array(
        ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏ" + "ÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷" + "©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ" + "®–†‡·¦¶•‚„”»…‰¬¿"
            + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ" + "—±¼½¾àáâãäåçèéêë" + "ìÆíªîïðñŁØŒºòóôõ" + "öæùúûıüýłøœßþÿ").utf16)

    /// Returns the character of a byte. Like Core Foundation, it returns NUL for the two bytes without a character.
    static func unit(_ byte: UInt8) -> UInt16 {
        guard byte >= 0x80 else { return UInt16(byte) }
        let index = Int(byte) - 0x80
        return index < upperHalf.count ? upperHalf[index] : 0
    }
}

// MARK: Escapes

/// The control characters with a letter as their escape, which are the same in both dialects.
private enum OpenStepControlEscape {
    static func control(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "a"): 0x07
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: nil
        }
    }
}

// MARK: Data

extension OpenStepReader {
    /// Reads `data = "<" { hex hex | space } ">"`.
    mutating func readData() throws(Problem) -> ObjectID {
        let start = position
        position += 1
        var bytes: [UInt8] = []
        while true {
            skipDataSpace()
            guard let byte else { throw unterminated("data", from: start, expected: "'>'") }
            if byte == UInt8(ascii: ">") { break }
            guard let high = HexDigit.value(byte) else {
                throw expected("a hexadecimal digit or '>' in data", at: position)
            }
            guard position + 1 < text.count, let low = HexDigit.value(text[position + 1]) else {
                throw expected("the second hexadecimal digit of a byte", at: position + 1)
            }
            bytes.append(high << 4 | low)
            position += 2
        }
        position += 1
        return builder.add(data: bytes.span)
    }

    /// Skips the text allowed between bytes. GNUstep also accepts comments; Core Foundation does not accept all white
    /// space.
    private mutating func skipDataSpace() {
        guard dialect == .openStep else { return skipSpace() }
        while let byte {
            switch byte {
            case _ where byte.isXMLSpace: position += 1
            case 0xE2 where startsLineSeparator(byte): position += 3
            default: return
            }
        }
    }

    /// Reads `<[base64]>`. White space is allowed anywhere inside the brackets.
    mutating func readBase64() throws(Problem) -> ObjectID {
        let start = position
        position += 2
        while let byte, byte != UInt8(ascii: "]") { position += 1 }
        guard byte != nil else { throw unterminated("data", from: start, expected: "']>'") }
        let contents = start + 2..<position
        position += 1
        guard byte == UInt8(ascii: ">") else { throw expected("'>' after ']'", at: position) }
        position += 1
        let digits = text[contents].filter { !$0.isSpace }
        switch Base64.decode(digits.span) {
        case .success(let bytes): return builder.add(data: bytes.span)
        case .failure(let fault):
            let offset = offset(ofDigit: fault.offset, in: contents)
            throw Problem(
                "gnustep.base64", "found \(found(at: offset)) in base64; expected padded groups of four characters",
                at: .inText(text, at: offset))
        }
    }

    /// Returns the offset of the Base64 digit that follows `number` others, or the end of the contents if there are no
    /// more digits. White space is not counted.
    private func offset(ofDigit number: Int, in contents: Range<Int>) -> Int {
        var rest = number
        for offset in contents where !text[offset].isSpace {
            if rest == 0 { return offset }
            rest -= 1
        }
        return contents.upperBound
    }
}

/// The typed values of GNUstep's dialect (see <doc:OpenStepFormat>).
extension OpenStepReader {
    /// The maximum length of a typed value that GNUstep accepts, in bytes.
    private static let longestToken = 4096

    /// Reads `"<*" type payload ">"`. The payload may be in double quotes.
    mutating func readTyped() throws(Problem) -> ObjectID {
        let start = position
        let payload = try readPayload(from: start)
        let type = text[start + 2]
        switch type {
        case UInt8(ascii: "I"):
            guard let value = integer(payload) else {
                throw unreadable(
                    "integer", payload, expected: "an integer from -9223372036854775808 to 18446744073709551615")
            }
            return builder.add(integer: value)
        case UInt8(ascii: "R"):
            guard let value = real(payload) else {
                throw unreadable("real", payload, expected: "a decimal number, nan, inf or -inf")
            }
            return builder.add(real64: value)
        case UInt8(ascii: "B"):
            guard let value = boolean(payload) else {
                throw unreadable("boolean", payload, expected: "Y or N")
            }
            return builder.add(boolean: value)
        case UInt8(ascii: "D"):
            guard let seconds = date(payload) else {
                throw unreadable("date", payload, expected: "a date such as 2001-12-31 23:59:59 +0000")
            }
            return builder.add(date: seconds)
        default:
            throw expected("one of the types I, R, B and D after '<*'", at: start + 2)
        }
    }

    /// Moves past the typed value.
    ///
    /// - Returns: The range of its payload, without quotes.
    private mutating func readPayload(from start: Int) throws(Problem) -> Range<Int> {
        position += 2
        while let byte, byte != UInt8(ascii: ">") { position += 1 }
        let end = position
        guard byte != nil else { throw unterminated("typed value", from: start, expected: "'>'") }
        guard end > start + 2 else { throw expected("a type after '<*'", at: end) }
        guard end - start <= Self.longestToken else {
            throw Problem(
                "gnustep.token-length",
                "the typed value is longer than the \(Self.longestToken) bytes that GNUstep reads",
                at: .inText(text, at: start))
        }
        position += 1
        let first = start + 3
        guard first < end, text[first] == UInt8(ascii: "\"") else { return first..<max(end, first) }
        guard end - first >= 2, text[end - 1] == UInt8(ascii: "\"") else {
            throw expected("'\"' before the end of the typed value", at: end)
        }
        return first + 1..<end - 1
    }

    private func unreadable(_ type: String, _ payload: Range<Int>, expected: StaticString) -> Problem {
        Problem(
            "gnustep.\(type)", "the \(type) is \(excerpt(payload)); expected \(expected)",
            at: .inText(text, at: payload.lowerBound))
    }

    /// Returns the value of a whole number with an optional sign, from −2⁶³ to 2⁶⁴−1.
    private func integer(_ payload: Range<Int>) -> Int128? {
        guard let value = NumberText.integer(text.span.extracting(payload)) else { return nil }
        return TextLoss.integers.contains(value) ? value : nil
    }

    /// Returns the value of a decimal number, or of one of C's words for NaN and infinity.
    private func real(_ payload: Range<Int>) -> Double? {
        guard let first = payload.first else { return nil }
        let isNegative = text[first] == UInt8(ascii: "-")
        let magnitude = isNegative || text[first] == UInt8(ascii: "+") ? payload.dropFirst() : payload
        guard let lead = magnitude.first, text[lead] >= UInt8(ascii: "A") else {
            return NumberText.double(text.span.extracting(payload))
        }
        let word = text[magnitude].map { $0 | 0x20 }
        if word.elementsEqual("nan".utf8), !isNegative { return .nan }
        guard word.elementsEqual("inf".utf8) || word.elementsEqual("infinity".utf8) else { return nil }
        return isNegative ? -.infinity : .infinity
    }

    private func boolean(_ payload: Range<Int>) -> Bool? {
        guard payload.count == 1, let first = payload.first else { return nil }
        switch text[first] {
        case UInt8(ascii: "Y"): return true
        case UInt8(ascii: "N"): return false
        default: return nil
        }
    }

    /// Returns the seconds since 2001 of a date `YYYY-MM-DD HH:MM:SS ±HHMM`. A year may have more digits or a minus
    /// sign, which counts as a digit.
    private func date(_ payload: Range<Int>) -> Double? {
        let span = text.span.extracting(payload)
        guard let (date, end) = CalendarDate.prefix(of: span, separator: UInt8(ascii: " ")),
            end >= "YYYY-MM-DD HH:MM:SS".utf8.count, span.count == end + " ±HHMM".unicodeScalars.count,
            span[end] == UInt8(ascii: " "), date.isValid, let local = date.secondsSince2001,
            let hours = CalendarDate.number(span, end + 2..<end + 4), hours < 24,
            let minutes = CalendarDate.number(span, end + 4..<end + 6), minutes < 60
        else { return nil }
        let zone = Int64(3600 * hours + 60 * minutes)
        let (seconds, isBeyond) =
            switch span[end + 1] {
            case UInt8(ascii: "+"): local.subtractingReportingOverflow(zone)
            case UInt8(ascii: "-"): local.addingReportingOverflow(zone)
            default: (0, true)
            }
        return isBeyond ? nil : Double(seconds)
    }
}
