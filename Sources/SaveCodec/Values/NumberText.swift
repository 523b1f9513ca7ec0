/// Numbers as decimal text: exact in both directions, without Foundation, and without a `String` on a hot path.
///
///     0x3FB999999999999A  ── shortest ──────▶  0.1
///                         ── 17 digits ─────▶  0.10000000000000001
///                         ◀── double ────────  0.1, 1e-1, .10000000000000000001
///
/// Both directions scale by one table, ``PowerOfTen``: a number times a power of ten is a product of 192 bits, whose
/// first bits are the digits of ``DecimalNumber`` or the significand in a ``BinaryFormat``. Where the product cannot
/// decide how to round, ``BigNatural`` does.
enum NumberText {
    /// Writes the shortest digits that read back as `value`, which is finite; always with a point or an exponent
    /// (`1.0`, `-0.0`, `1e+20`).
    ///
    /// The text is that of `description`, which needs memory for most values and takes 1.3 to 1.8 times as long.
    static func writeShortest(_ value: Double, to output: inout ByteWriter) {
        if value.sign == .minus { output.write(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        guard magnitude > 0 else { return output.write("0.0" as StaticString) }
        var number = DecimalNumber(shortest: magnitude)
        // Beyond 2^53 not every whole number has a double of its own, and the last digits would pretend so.
        if magnitude <= 0x1p53, number.pointPosition > -4 {
            if number.exponent < 0 { number.removeTrailingZeros() }
            number.writePlain(wholeSuffix: ".0", to: &output)
        } else {
            number.removeTrailingZeros()
            number.writeScientific(to: &output)
        }
    }

    /// Writes the shortest digits that read back as `value`, which is finite; always with a point or an exponent.
    ///
    /// A `Float` takes at most 14 characters, for which `description` needs no memory: it takes 37 ns, and the method for
    /// `Double` would take 36.
    static func writeShortest(_ value: Float, to output: inout ByteWriter) {
        output.write(value.description)
    }

    /// Writes 17 significant digits as C's `%.17g` does (`1`, `0.10000000000000001`, `1e+20`); `value` is finite.
    static func writeSeventeenDigits(_ value: Double, to output: inout ByteWriter) {
        if value.sign == .minus { output.write(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        guard magnitude > 0 else { return output.write(UInt8(ascii: "0")) }
        let number = DecimalNumber(seventeenDigitsOf: magnitude)
        if (-3...17).contains(number.pointPosition) {
            number.writePlain(wholeSuffix: "", to: &output)
        } else {
            number.writeScientific(to: &output)
        }
    }

    /// The `Double` nearest to a decimal literal: an optional sign, digits with an optional point among, before or after
    /// them, an optional exponent. Infinity where it is too large, zero where it is too small; nil for any other text.
    static func double(_ text: Span<UInt8>) -> Double? {
        guard let literal = DecimalLiteral(text) else { return nil }
        let magnitude = Double(bitPattern: BinaryFormat.double.nearest(to: literal, in: text))
        return literal.isNegative ? -magnitude : magnitude
    }

    /// The `Float` nearest to a decimal literal, rounded once.
    static func float(_ text: Span<UInt8>) -> Float? {
        guard let literal = DecimalLiteral(text) else { return nil }
        let pattern = UInt32(truncatingIfNeeded: BinaryFormat.float.nearest(to: literal, in: text))
        return literal.isNegative ? -Float(bitPattern: pattern) : Float(bitPattern: pattern)
    }
}

// MARK: - Whole numbers

extension NumberText {
    /// Writes a whole number.
    static func write(_ value: Int128, to output: inout ByteWriter) {
        if value < 0 { output.write(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        if let small = UInt64(exactly: magnitude) {
            writeDigits(small, count: digitCount(small), to: &output)
        } else {
            let (left, right) = magnitude.quotientAndRemainder(dividingBy: UInt128(powerOf10(19)))
            let upper = UInt64(truncatingIfNeeded: left)  // 2^127 ÷ 10^19 takes 63 bits.
            writeDigits(upper, count: digitCount(upper), to: &output)
            writeDigits(UInt64(truncatingIfNeeded: right), count: 19, to: &output)
        }
    }

    /// The number that a row of decimal digits with an optional sign stands for; nil for any other text, and beyond
    /// −2^127 … 2^127 − 1.
    static func integer(_ text: Span<UInt8>) -> Int128? {
        var isNegative = false
        let start = DecimalLiteral.skipSign(text, at: 0, isNegative: &isNegative)
        guard start < text.count else { return nil }
        if text.count - start > 19 { return longInteger(text, from: start, isNegative: isNegative) }
        var magnitude: UInt64 = 0
        for position in start..<text.count {
            guard DecimalLiteral.isDigit(text[position]) else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(text[position] &- 0x30)
        }
        return isNegative ? -Int128(magnitude) : Int128(magnitude)
    }

    /// The number of so many digits that it may not fit a word. It is built below zero, which reaches further.
    private static func longInteger(_ text: Span<UInt8>, from start: Int, isNegative: Bool) -> Int128? {
        var value: Int128 = 0
        for position in start..<text.count {
            guard DecimalLiteral.isDigit(text[position]) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) = product.subtractingReportingOverflow(Int128(text[position] &- 0x30))
            guard !isTooLarge, !isBeyond else { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// Writes the last `count` digits of `value`, at most 24, with zeros in front where it has fewer.
    @inline(__always)
    static func writeDigits(_ value: UInt64, count: Int, to output: inout ByteWriter) {
        if count <= 8 {
            return output.writeBigEndian(eightDigits(value), width: count)
        }
        let (left, right) = value.quotientAndRemainder(dividingBy: 100_000_000)
        if count <= 16 {
            output.writeBigEndian(eightDigits(left), width: count - 8)
        } else {
            let (first, second) = left.quotientAndRemainder(dividingBy: 100_000_000)
            output.writeBigEndian(eightDigits(first), width: count - 16)
            output.writeBigEndian(eightDigits(second), width: 8)
        }
        output.writeBigEndian(eightDigits(right), width: 8)
    }

    /// How many digits a number has; one for zero.
    @inline(__always)
    static func digitCount(_ value: UInt64) -> Int {
        let estimate = ((64 - (value | 1).leadingZeroBitCount) * 1233) >> 12  // Of log10: right, or one too low.
        return value < powerOf10(estimate) ? max(estimate, 1) : estimate + 1
    }

    /// 10^`exponent`; `exponent` is in 0…19.
    @inline(__always)
    static func powerOf10(_ exponent: Int) -> UInt64 {
        powersOf10[exponent]
    }

    /// The eight digits of a number below 10^8 as ASCII, the first in the top byte.
    ///
    /// The number is halved three times, each time in all lanes at once; a multiplication and a shift divide by 100
    /// and by 10.
    @inline(__always)
    private static func eightDigits(_ value: UInt64) -> UInt64 {
        let fours = (value / 10000) << 32 | value % 10000
        let hundreds = ((fours &* 10486) >> 20) & 0x7F_0000_007F
        let twos = hundreds << 16 | (fours &- hundreds &* 100)
        let tens = ((twos &* 103) >> 10) & 0xF_000F_000F_000F
        let ones = tens << 8 | (twos &- tens &* 10)
        return ones | 0x3030_3030_3030_3030
    }

    private static let powersOf10: [UInt64] = [
        1, 10, 100, 1000, 10000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
}
