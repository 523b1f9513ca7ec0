/// A number as Core Foundation reads it. It accepts more spellings than it writes (see <doc:XMLFormat>).
enum XMLNumber: Equatable {
    case integer(Int128)
    case real(Double)

    // MARK: Numbers as UIDs

    /// Whether the number is in the range of UIDs.
    var isUID: Bool {
        guard case .integer(let value) = self else { return false }
        return UInt32(exactly: value) != nil
    }

    /// The UID to which Core Foundation converts the number: the low 32 bits of an integer, or a real truncated to an
    /// Int32. A real outside the range of Int32 becomes `Int32.min`.
    var uid: UInt32 {
        switch self {
        case .integer(let value): UInt32(truncatingIfNeeded: value)
        case .real(let value): UInt32(bitPattern: value > -0x1p31 && value < 0x1p31 ? Int32(value) : .min)
        }
    }

    // MARK: Integers

    /// The result of reading the text of an `integer` element.
    enum Integer: Equatable {
        case value(Int128)
        case malformed
        case outOfRange
    }

    /// Reads white space, a sign, white space, and digits, which are decimal, or hexadecimal after `0x`.
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

    /// Returns the value of a text of 1 to 18 decimal digits; nil for any other text.
    private static func fewDigits(_ text: Span<UInt8>) -> UInt64? {
        guard 1...18 ~= text.count else { return nil }
        var value: UInt64 = 0
        for position in text.indices {
            guard text[position].isDigit else { return nil }
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

    /// Returns the value of the digits up to the end of the text. The inner value is nil if it exceeds 64 bits; the
    /// result is nil if the text has other characters.
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

    /// Returns the value of a digit; nil for other bytes.
    static func digit(_ byte: UInt8, radix: UInt64) -> UInt64? {
        HexDigit.value(byte).flatMap { $0 < radix ? UInt64($0) : nil }
    }

    // MARK: Reals

    /// Reads white space and a decimal number, or a word for a non-finite number.
    static func real(_ text: Span<UInt8>) -> Double? {
        if let value = word(text) { return value }
        let start = space(in: text, at: 0) { isSpace($0) || (0x80...0xA0).contains($0) || $0 == 0xFEFF }
        return NumberText.double(text.extracting(start..<text.count))
    }

    /// Whether the text has decimal digits, and so is not a word.
    static func hasDigits(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { text[$0].isDigit }
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

    private static func space(in text: Span<UInt8>, at start: Int, _ isSpace: (UInt32) -> Bool) -> Int {
        var position = start
        while position < text.count {
            let (scalar, length) = UTF8Text.decode(text, at: position)
            guard isSpace(scalar) else { break }
            position += length
        }
        return position
    }

    /// Whether a character is white space before a number. More characters are allowed here than elsewhere in XML.
    private static func isSpace(_ scalar: UInt32) -> Bool {
        scalar <= 0x20 || scalar == 0x7F || (0x2000...0x200B).contains(scalar) || scalar == 0x3000
    }
}

/// The dates of XML property lists: `2009-09-06T12:34:56Z`, in UTC with a precision of one second. Years may have more
/// digits or a minus sign.
enum XMLDate {
    /// A date as seconds since 2001-01-01T00:00:00Z.
    struct Reading: Equatable {
        let seconds: Double
        /// Whether every field was in its range.
        let isExact: Bool
    }

    /// Reads a date. A field that exceeds its range carries over into the next larger one.
    static func read(_ text: Span<UInt8>) -> Reading? {
        guard let date = CalendarDate(text) else { return nil }
        var normal = date
        // Core Foundation's table of months has 13 entries; it treats other numbers as January.
        if !(1...13).contains(date.month) { normal.month = 1 }
        guard let seconds = normal.secondsSince2001, fits(Double(seconds)) else { return nil }
        return Reading(seconds: Double(seconds), isExact: date.isValid)
    }

    /// Writes a date that ``fits(_:)``, truncated to seconds.
    static func write(_ seconds: Double, to output: inout ByteWriter) {
        CalendarDate(secondsSince2001: seconds)?.write(to: &output)
    }

    /// Whether a date can be written after truncation to seconds. As in Core Foundation, its year must fit in 32 bits.
    static func fits(_ seconds: Double) -> Bool {
        abs(seconds) < 6.7e16
    }

    static func isWhole(_ seconds: Double) -> Bool {
        Double(Int64(seconds)) == seconds
    }
}
