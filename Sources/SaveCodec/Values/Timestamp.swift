/// A date with a fraction of a second, as text in the format of RFC 3339.
///
///     274019696.789  ──▶  2009-09-07T12:34:56.789Z
///     274019696.789  ◀──  2009-09-07T12:34:56.789Z, 2009-09-07T14:34:56.7890+02:00
///
/// RFC 3339 has the years 0000 to 9999. Other years are written as in XML property lists: `10000-01-01T00:00:00Z`,
/// `-002-04-10T12:26:40Z`.
///
/// A property list stores a date as a `Double` of seconds since 2001-01-01T00:00:00Z. A timestamp exists for every date
/// whose text reads back to the same bits.
struct Timestamp {
    private let date: CalendarDate
    /// The fraction of the second in units of 10^−`fractionDigits`.
    private let fraction: UInt128
    private let fractionDigits: Int

    private static let maximumFractionDigits = 20

    /// Creates the timestamp with the fewest fraction digits that reads back as `seconds`.
    ///
    /// Returns nil for −0.0, NaN, seconds outside −2^63 ..< 2^63, and more than 20 fraction digits.
    init?(secondsSince2001 seconds: Double) {
        guard !(seconds == 0 && seconds.sign == .minus), let floor = CalendarDate(secondsSince2001: seconds)
        else { return nil }
        date = floor
        guard Double(Int64(seconds)) != seconds else {
            (fraction, fractionDigits) = (0, 0)
            return
        }
        // The digits before the point are fixed, so the shortest number also has the fewest fraction digits.
        var shortest = DecimalNumber(shortest: seconds.magnitude)
        shortest.removeTrailingZeros()
        fractionDigits = -shortest.exponent
        guard fractionDigits <= Timestamp.maximumFractionDigits else { return nil }
        var scale: UInt128 = 1
        for _ in 0..<fractionDigits { scale *= 10 }
        let fractionPart = UInt128(shortest.digits) % scale
        fraction = seconds < 0 ? scale - fractionPart : fractionPart
    }

    /// Writes a text such as `2009-09-06T12:34:56.789Z`.
    func write(to output: inout ByteWriter) {
        date.writeToSeconds(to: &output)
        if fractionDigits > 0 {
            output.write(UInt8(ascii: "."))
            let (upper, lower) = fraction.quotientAndRemainder(dividingBy: 10_000_000_000)
            let lowerDigits = min(fractionDigits, 10)
            if fractionDigits > lowerDigits {
                NumberText.writeDigits(
                    UInt64(truncatingIfNeeded: upper), count: fractionDigits - lowerDigits, to: &output)
            }
            NumberText.writeDigits(UInt64(truncatingIfNeeded: lower), count: lowerDigits, to: &output)
        }
        output.write(UInt8(ascii: "Z"))
    }

    func writeQuoted(to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\""))
        write(to: &output)
        output.write(UInt8(ascii: "\""))
    }

    private static let minimumSecondsEnd = "YYYY-MM-DDTHH:MM:SS".utf8.count

    /// Returns the seconds since 2001 of a text `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)`, correctly rounded.
    ///
    /// A year may have more digits or a minus sign, which counts as a digit. Returns nil for any other text, for a
    /// field out of range, and for seconds beyond 64 bits.
    static func secondsSince2001(_ text: Span<UInt8>) -> Double? {
        guard let (date, secondsEnd) = CalendarDate.prefix(of: text), secondsEnd >= minimumSecondsEnd,
            secondsEnd < text.count, date.isValid, let local = date.secondsSince2001
        else { return nil }
        var end = secondsEnd
        if text[end] == UInt8(ascii: ".") {
            end += 1
            while end < text.count, text[end].isDigit { end += 1 }
            guard end > secondsEnd + 1 else { return nil }
        }
        guard let offset = offset(text.extracting(end..<text.count)) else { return nil }
        let (seconds, isBeyond) = local.subtractingReportingOverflow(offset)
        guard !isBeyond else { return nil }
        if end == secondsEnd { return Double(seconds) }
        return sum(seconds, fraction: text.extracting(secondsEnd + 1..<end))
    }

    /// Returns the offset from UTC in seconds of `Z`, `+HH:MM` or `-HH:MM`, or nil for any other text.
    private static func offset(_ text: Span<UInt8>) -> Int64? {
        if text.count == 1 { return text[0] == UInt8(ascii: "Z") ? 0 : nil }
        guard text.count == 6, text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"),
            text[3] == UInt8(ascii: ":"), let hours = CalendarDate.number(text, 1..<3), hours < 24,
            let minutes = CalendarDate.number(text, 4..<6), minutes < 60
        else { return nil }
        let seconds = Int64(hours * 3600 + minutes * 60)
        return text[0] == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// Returns the double nearest to the sum of whole seconds and a fraction, given by its digits.
    ///
    /// The sum is composed as text, since it is a decimal number of any length. For negative seconds, the fraction is
    /// the distance to the next second. Each digit up to the last nonzero one is therefore replaced by its complement.
    private static func sum(_ seconds: Int64, fraction: Span<UInt8>) -> Double? {
        var length = fraction.count
        while length > 0, fraction[length - 1] == UInt8(ascii: "0") { length -= 1 }
        guard length > 0 else { return Double(seconds) }
        var literal = ByteWriter()
        if seconds < 0 { literal.write(UInt8(ascii: "-")) }
        NumberText.write(Int128(seconds < 0 ? -(seconds + 1) : seconds), to: &literal)
        literal.write(UInt8(ascii: "."))
        for position in 0..<length {
            let digit = fraction[position] &- 0x30
            let complement = position == length - 1 ? 10 &- digit : 9 &- digit
            literal.write(0x30 &+ (seconds < 0 ? complement : digit))
        }
        return NumberText.double(literal.takeBytes().span)
    }
}
