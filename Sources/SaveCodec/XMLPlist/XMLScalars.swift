/// The numbers of a property list as Core Foundation reads them, which is wider than what it writes (see <doc:XMLFormat>).
enum XMLNumber: Equatable {
    case integer(Int128)
    case real(Double)

    // MARK: Numbers as UIDs

    /// Whether the number is one that a UID can have.
    var isUID: Bool {
        guard case .integer(let value) = self else { return false }
        return UInt32(exactly: value) != nil
    }

    /// The UID that Core Foundation makes of the number: the low 32 bits of an integer; a real is cut to a whole number,
    /// and one that is no Int32 becomes its least value.
    var uid: UInt32 {
        switch self {
        case .integer(let value): UInt32(truncatingIfNeeded: value)
        case .real(let value): UInt32(bitPattern: value > -0x1p31 && value < 0x1p31 ? Int32(value) : .min)
        }
    }

    // MARK: Integers

    /// What the text of an `integer` comes to.
    enum Integer: Equatable {
        case value(Int128)
        case malformed
        case outOfRange
    }

    /// Reads white space, a sign, white space, and digits: decimal, or hexadecimal after `0x`.
    static func integer(_ text: Span<UInt8>) -> Integer {
        if let digits = fewDigits(text) { return .value(Int128(digits)) }
        var position = space(in: text, at: 0, isSpace)
        let isNegative = position < text.count && text[position] == UInt8(ascii: "-")
        if isNegative || (position < text.count && text[position] == UInt8(ascii: "+")) {
            position = space(in: text, at: position + 1, isSpace)
        }
        let radix = radix(in: text, at: &position)
        guard position < text.count, let magnitude = magnitude(in: text, from: position, radix: radix) else {
            return .malformed
        }
        guard let magnitude = magnitude.value, !isNegative || magnitude <= 1 << 63 else { return .outOfRange }
        return .value(isNegative ? -Int128(magnitude) : Int128(magnitude))
    }

    /// The number of a text that is nothing but decimal digits, so few that they fit.
    private static func fewDigits(_ text: Span<UInt8>) -> UInt64? {
        guard 1...18 ~= text.count else { return nil }
        var value: UInt64 = 0
        for position in text.indices {
            guard DecimalLiteral.isDigit(text[position]) else { return nil }
            value = value &* 10 &+ UInt64(text[position] &- 0x30)
        }
        return value
    }

    private static func radix(in text: Span<UInt8>, at position: inout Int) -> UInt64 {
        guard position + 1 < text.count, text[position] == UInt8(ascii: "0"),
            text[position + 1] | 0x20 == UInt8(ascii: "x")
        else { return 10 }
        position += 2
        return 16
    }

    /// The number that the digits up to the end come to, nil inside if it exceeds 64 bits; nil if there is anything else.
    private static func magnitude(in text: Span<UInt8>, from start: Int, radix: UInt64) -> (value: UInt64?, Void)? {
        var value: UInt64 = 0
        var overflow = false
        for position in start..<text.count {
            guard let digit = digit(text[position], radix: radix) else { return nil }
            let (product, high) = value.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(digit)
            value = sum
            overflow = overflow || high || carry
        }
        return (overflow ? nil : value, ())
    }

    /// The value of a digit, or nil if the byte is none.
    static func digit(_ byte: UInt8, radix: UInt64) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where radix == 16: UInt64(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where radix == 16: UInt64(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    // MARK: Reals

    /// Reads white space and a decimal number, or one of the words for what has no digits.
    static func real(_ text: Span<UInt8>) -> Double? {
        if let value = word(text) { return value }
        let start = space(in: text, at: 0) { isSpace($0) || (0x80...0xA0).contains($0) || $0 == 0xFEFF }
        return NumberText.double(text.extracting(start..<text.count))
    }

    /// Whether the text is a number in digits, not a word.
    static func hasDigits(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { digit(text[$0], radix: 10) != nil }
    }

    private static func word(_ text: Span<UInt8>) -> Double? {
        guard text.count >= 3, text.count <= 9, text[text.count - 1] >= UInt8(ascii: "A") else { return nil }
        var lower: [UInt8] = []
        for position in text.indices { lower.append(text[position] < 0x40 ? text[position] : text[position] | 0x20) }
        return switch String(decoding: lower, as: UTF8.self) {
        case "nan": .nan
        case "inf", "+inf", "infinity", "+infinity": .infinity
        case "-inf", "-infinity": -.infinity
        default: nil
        }
    }

    // MARK: White space

    /// The position behind the white space at `start`.
    private static func space(in text: Span<UInt8>, at start: Int, _ isSpace: (UInt32) -> Bool) -> Int {
        var position = start
        while position < text.count {
            let (scalar, length) = UTF8Text.decode(text, at: position)
            guard isSpace(scalar) else { break }
            position += length
        }
        return position
    }

    /// White space before a number: more than elsewhere in XML.
    private static func isSpace(_ scalar: UInt32) -> Bool {
        scalar <= 0x20 || scalar == 0x7F || (0x2000...0x200B).contains(scalar) || scalar == 0x3000
    }
}

/// Dates as XML property lists hold them: `2009-09-06T12:34:56Z`, in UTC and to the second; a year may have more digits,
/// or a minus.
enum XMLDate {
    /// A date that was read, in seconds since 2001-01-01T00:00:00Z.
    struct Reading: Equatable {
        let seconds: Double
        /// Whether every field was in its range.
        let isExact: Bool
    }

    /// Reads a date. Fields are not range checked: what is too much is carried on.
    static func read(_ text: Span<UInt8>) -> Reading? {
        guard let date = CalendarDate(text) else { return nil }
        var normal = date
        // Core Foundation's table of months goes to 13; any other number is taken for January.
        if !(1...13).contains(date.month) { normal.month = 1 }
        guard let seconds = normal.secondsSince2001, fits(Double(seconds)) else { return nil }
        return Reading(seconds: Double(seconds), isExact: date.isValid)
    }

    /// Writes a point in time that fits, cut down to the second.
    static func write(_ seconds: Double, to output: inout ByteWriter) {
        CalendarDate(secondsSince2001: seconds)?.write(to: &output)
    }

    /// Whether a point in time, cut down to the second, can be written: its year must be one of 32 bits, as it is in
    /// Core Foundation.
    static func fits(_ seconds: Double) -> Bool {
        abs(seconds) < 6.7e16
    }

    /// Whether a point in time that fits is a whole second.
    static func isWhole(_ seconds: Double) -> Bool {
        Double(Int64(seconds)) == seconds
    }
}
