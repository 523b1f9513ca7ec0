/// The contents of strings (RFC 8259 §7).
extension JSONText {
    /// The contents of a string, between its quotation marks, as UTF-16 code units.
    ///
    /// - Throws: a problem if an escape is not one of JSON's, or if a control character stands for itself.
    func unescaped(_ range: Range<Int>) throws(Problem) -> [UInt16] {
        var units: [UInt16] = []
        _ = try unescape(from: range.lowerBound, into: &units)
        return units
    }

    /// Appends the contents of the string that start at `start`, and returns the offset of the quotation mark behind.
    func unescape(from start: Int, into units: inout [UInt16]) throws(Problem) -> Int {
        var offset = start
        while true {
            let end = endOfRun(from: offset)
            appendUnits(offset..<end, to: &units)
            switch self[end] {
            case UInt8(ascii: "\""):
                return end
            case UInt8(ascii: "\\"):
                let (unit, length) = try escape(at: end)
                units.append(unit)
                offset = end + length
            default:
                throw end < bytes.count
                    ? .jsonControlCharacter(bytes[end], at: place(end)) : .jsonUnclosedString(at: place(start - 1))
            }
        }
    }

    private func appendUnits(_ range: Range<Int>, to units: inout [UInt16]) {
        let text = bytes.span
        var offset = range.lowerBound
        while offset < range.upperBound {
            let (scalar, length) = UTF8Text.decode(text, at: offset)
            offset += length
            if scalar >= 0x10000 {
                units.append(0xD800 | UInt16(truncatingIfNeeded: (scalar - 0x10000) >> 10))
                units.append(0xDC00 | UInt16(truncatingIfNeeded: scalar & 0x3FF))
            } else {
                units.append(UInt16(truncatingIfNeeded: scalar))
            }
        }
    }

    /// The code unit that the escape at `offset` stands for, and the length of the escape.
    private func escape(at offset: Int) throws(Problem) -> (unit: UInt16, length: Int) {
        switch self[offset + 1] {
        case UInt8(ascii: "\""): (0x22, 2)
        case UInt8(ascii: "\\"): (0x5C, 2)
        case UInt8(ascii: "/"): (0x2F, 2)
        case UInt8(ascii: "b"): (0x08, 2)
        case UInt8(ascii: "f"): (0x0C, 2)
        case UInt8(ascii: "n"): (0x0A, 2)
        case UInt8(ascii: "r"): (0x0D, 2)
        case UInt8(ascii: "t"): (0x09, 2)
        case UInt8(ascii: "u"): (try hexEscape(at: offset), 6)
        default: throw .jsonEscape(character(at: offset + 1), at: place(offset))
        }
    }

    private func hexEscape(at offset: Int) throws(Problem) -> UInt16 {
        let digits = offset + 2..<min(offset + 6, bytes.count)
        guard digits.count == 4, let unit = Hexadecimal.number(bytes.span.extracting(digits), allowsUppercase: true)
        else {
            throw .jsonHexEscape(excerpt(digits), at: place(offset))
        }
        return UInt16(truncatingIfNeeded: unit)
    }
}
