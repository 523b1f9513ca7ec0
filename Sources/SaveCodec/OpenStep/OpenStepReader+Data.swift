/// The data of OpenStep text.
extension OpenStepReader {
    /// `data = "<" { hex hex | space } ">"`
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

    /// Skips what may stand between bytes: to GNUstep comments too, to Core Foundation not all white space.
    private mutating func skipDataSpace() {
        guard dialect == .openStep else { return skipSpace() }
        while let byte {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case 0xE2 where startsLineSeparator(byte): position += 3
            default: return
            }
        }
    }

    /// `<[base64]>`, with white space anywhere in it.
    mutating func readBase64() throws(Problem) -> ObjectID {
        let start = position
        position += 2
        while let byte, byte != UInt8(ascii: "]") { position += 1 }
        guard byte != nil else { throw unterminated("data", from: start, expected: "']>'") }
        let contents = start + 2..<position
        position += 1
        guard byte == UInt8(ascii: ">") else { throw expected("'>' after ']'", at: position) }
        position += 1
        let digits = text[contents].filter { !Self.isSpace($0) }
        switch Base64.decode(digits.span) {
        case .success(let bytes): return builder.add(data: bytes.span)
        case .failure(let fault):
            let offset = place(ofDigit: fault.offset, in: contents)
            throw Problem(
                "gnustep.base64", "found \(found(at: offset)) in base64; expected groups of four digits, padded",
                at: .inText(text, at: offset))
        }
    }

    /// Where in the text a base64 digit stands, white space not counted; behind the last one the end.
    private func place(ofDigit number: Int, in contents: Range<Int>) -> Int {
        var rest = number
        for offset in contents where !Self.isSpace(text[offset]) {
            if rest == 0 { return offset }
            rest -= 1
        }
        return contents.upperBound
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

/// The typed values of GNUstep's dialect (see <doc:OpenStepFormat>).
extension OpenStepReader {
    /// The longest typed value in bytes, as GNUstep has it.
    private static let longestToken = 4096

    /// `"<*" type payload ">"`, the payload in double quotes or without.
    mutating func readTyped() throws(Problem) -> ObjectID {
        let start = position
        let payload = try readPayload(from: start)
        let type = text[start + 2]
        switch type {
        case UInt8(ascii: "I"):
            guard let value = integer(payload) else {
                throw unreadable(
                    "integer", payload, expected: "a whole number from -9223372036854775808 to 18446744073709551615")
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

    /// Moves behind the typed value, and returns where its payload stands, without quotes.
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

    /// A whole number with an optional sign, from −2⁶³ to 2⁶⁴−1.
    private func integer(_ payload: Range<Int>) -> Int128? {
        guard let value = NumberText.integer(text.span.extracting(payload)) else { return nil }
        return OpenStep.integerRange.contains(value) ? value : nil
    }

    /// A decimal number, or one of the words of C for NaN and the infinities.
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

    /// `YYYY-MM-DD HH:MM:SS ±HHMM`, as seconds since 2001.
    private func date(_ payload: Range<Int>) -> Double? {
        let shape = Array("0000-00-00 00:00:00 ".utf8)
        guard payload.count == shape.count + 5 else { return nil }
        let span = text.span.extracting(payload)
        for (offset, expected) in shape.enumerated() where expected != UInt8(ascii: "0") {
            guard span[offset] == expected else { return nil }
        }
        func number(_ range: Range<Int>) -> Int? { CalendarDate.number(text.span.extracting(payload), range) }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let hours = number(21..<23), let minutes = number(23..<25), hours < 24, minutes < 60
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard date.isValid, year >= 1, let seconds = date.secondsSince2001 else { return nil }
        let zone = Int64(3600 * hours + 60 * minutes)
        switch span[20] {
        case UInt8(ascii: "+"): return Double(seconds - zone)
        case UInt8(ascii: "-"): return Double(seconds + zone)
        default: return nil
        }
    }
}
