/// The parts of a decimal literal: `[+-]? (digits [. digits*] | . digits) ([eE] [+-]? digits)?`.
///
/// Its magnitude is `significand × 10^exponent`. If ``isTruncated``, the literal has more digits than a word holds, and
/// its magnitude is greater by less than one unit of the significand's last digit. `-12.50e3` is `1250 × 10^1`,
/// negative.
struct DecimalLiteral {
    /// The first 19 digits, not counting leading zeros.
    private(set) var significand: UInt64 = 0
    private(set) var exponent = 0
    /// Whether a digit after the first 19 is not zero.
    private(set) var isTruncated = false
    private(set) var isNegative = false
    /// The range of the digits and the point in the text.
    private(set) var digits = 0..<0

    /// The maximum number of digits in ``significand``.
    static let wordDigits = 19

    /// Parses a text, or returns nil if it is not a decimal literal.
    init?(_ text: Span<UInt8>) {
        let start = DecimalLiteral.skipSign(text, at: 0, isNegative: &isNegative)
        let point = takeDigits(text, from: start)
        var end = point
        var count = point - start
        if end < text.count, text[end] == UInt8(ascii: ".") {
            end = takeDigits(text, from: point + 1)
            count = end - start - 1
            exponent -= end - point - 1
        }
        guard count > 0 else { return nil }
        digits = start..<end
        if end < text.count {
            guard let written = DecimalLiteral.exponent(text, at: end) else { return nil }
            exponent += written
        }
    }

    /// Adds a sequence of digits to the significand, and returns the offset of its end.
    private mutating func takeDigits(_ text: Span<UInt8>, from start: Int) -> Int {
        var position = start
        // Eight digits at a time, as long as the significand holds all of them.
        while position <= text.count - 8, significand < 100_000_000_000 {
            let digits = EightBytes(text, at: position)
            guard digits.areDigits else { break }
            significand = significand &* 100_000_000 &+ digits.decimalNumber
            position += 8
        }
        while position < text.count, text[position].isDigit {
            let digit = UInt64(text[position] &- 0x30)
            if significand < 1_000_000_000_000_000_000 {
                significand = significand &* 10 &+ digit
            } else {
                exponent += 1
                isTruncated = isTruncated || digit != 0
            }
            position += 1
        }
        return position
    }

    /// Returns the offset after a number's sign, if it has one.
    static func skipSign(_ text: Span<UInt8>, at position: Int, isNegative: inout Bool) -> Int {
        guard position < text.count else { return position }
        isNegative = text[position] == UInt8(ascii: "-")
        return isNegative || text[position] == UInt8(ascii: "+") ? position + 1 : position
    }

    /// Parses the rest of the text as an exponent, or returns nil.
    ///
    /// The magnitude is capped below 10^16. No text that fits in memory has enough digits to balance such an exponent.
    private static func exponent(_ text: Span<UInt8>, at start: Int) -> Int? {
        guard text[start] | 0x20 == UInt8(ascii: "e") else { return nil }
        var isNegative = false
        var position = skipSign(text, at: start + 1, isNegative: &isNegative)
        guard position < text.count else { return nil }
        var value = 0
        while position < text.count {
            guard text[position].isDigit else { return nil }
            if value < 1_000_000_000_000_000 { value = value * 10 + Int(text[position] - 0x30) }
            position += 1
        }
        return isNegative ? -value : value
    }
}
