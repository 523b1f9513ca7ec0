/// Conversions between numbers and decimal text: exact in both directions, without Foundation, and without a `String`
/// on a hot path.
///
///     0x3FB999999999999A  ── shortest ──────▶  0.1
///                         ── 17 digits ─────▶  0.10000000000000001
///                         ◀── double ────────  0.1, 1e-1, .10000000000000000001
///
/// Both directions scale numbers by one table, ``PowerOfTen``. A number times a power of ten is a product of 192 bits,
/// whose first bits are the digits of a ``DecimalNumber`` or the significand in a ``FloatingPointFormat``. If the
/// product does not determine the rounding, ``BigNatural`` does.
enum NumberText {
    /// Writes the shortest digits that read back as a finite number, always with a point or an exponent (`1.0`, `-0.0`,
    /// `1e+20`).
    ///
    /// The text equals `description`, which allocates memory for most values and takes 1.3 to 1.8 times as long.
    static func writeShortest(_ value: Double, to output: inout ByteWriter) {
        if value.sign == .minus { output.write(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        guard magnitude > 0 else { return output.write("0.0" as StaticString) }
        var number = DecimalNumber(shortest: magnitude)
        // Beyond 2^53 not every integer is a double, so plain notation would suggest a precision that does not exist.
        if magnitude <= 0x1p53, number.pointPosition > -4 {
            if number.exponent < 0 { number.removeTrailingZeros() }
            number.writePlain(wholeSuffix: ".0", to: &output)
        } else {
            number.removeTrailingZeros()
            number.writeScientific(to: &output)
        }
    }

    /// Writes the shortest digits that read back as a finite number, always with a point or an exponent.
    ///
    /// A `Float` takes at most 14 characters, for which `description` allocates no memory. It takes 37 ns, compared to
    /// 36 ns for the method used for `Double`.
    static func writeShortest(_ value: Float, to output: inout ByteWriter) {
        output.write(value.description)
    }

    /// Writes 17 significant digits of a finite number, as C's `%.17g` does (`1`, `0.10000000000000001`, `1e+20`).
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

    /// Returns the `Double` nearest to a decimal literal, or nil for any other text.
    ///
    /// The literal has an optional sign, digits with an optional point before, between or after them, and an optional
    /// exponent. The result is infinity if the number is too large, and zero if it is too small.
    static func double(_ text: Span<UInt8>) -> Double? {
        guard let literal = DecimalLiteral(text) else { return nil }
        return double(literal, in: text)
    }

    /// Returns the `Double` nearest to a parsed literal of a text.
    static func double(_ literal: DecimalLiteral, in text: Span<UInt8>) -> Double {
        let magnitude = Double(bitPattern: FloatingPointFormat.double.nearest(to: literal, in: text))
        return literal.isNegative ? -magnitude : magnitude
    }

    /// Returns the `Float` nearest to a decimal literal, rounded once, or nil for any other text.
    static func float(_ text: Span<UInt8>) -> Float? {
        guard let literal = DecimalLiteral(text) else { return nil }
        let pattern = UInt32(truncatingIfNeeded: FloatingPointFormat.float.nearest(to: literal, in: text))
        return literal.isNegative ? -Float(bitPattern: pattern) : Float(bitPattern: pattern)
    }
}

// MARK: - Whole numbers

extension NumberText {
    static func write(_ value: Int128, to output: inout ByteWriter) {
        if value < 0 { output.write(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        if let small = UInt64(exactly: magnitude) {
            writeDigits(small, count: digitCount(small), to: &output)
        } else {
            let (left, right) = magnitude.quotientAndRemainder(dividingBy: UInt128(powerOf10(19)))
            let upper = UInt64(truncatingIfNeeded: left)  // 2^127 ÷ 10^19 fits 64 bits.
            writeDigits(upper, count: digitCount(upper), to: &output)
            writeDigits(UInt64(truncatingIfNeeded: right), count: 19, to: &output)
        }
    }

    /// Returns the value of decimal digits with an optional sign.
    ///
    /// Returns nil for any other text, and for values beyond −2^127 … 2^127 − 1.
    static func integer(_ text: Span<UInt8>) -> Int128? {
        var isNegative = false
        let start = DecimalLiteral.skipSign(text, at: 0, isNegative: &isNegative)
        guard start < text.count else { return nil }
        if text.count - start > 19 { return longInteger(text, from: start, isNegative: isNegative) }
        var magnitude: UInt64 = 0
        for position in start..<text.count {
            guard text[position].isDigit else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(text[position] &- 0x30)
        }
        return isNegative ? -Int128(magnitude) : Int128(magnitude)
    }

    /// Returns the value of a number whose digits may exceed a word. It is accumulated as a negative number, whose
    /// range is larger.
    private static func longInteger(_ text: Span<UInt8>, from start: Int, isNegative: Bool) -> Int128? {
        var value: Int128 = 0
        for position in start..<text.count {
            guard text[position].isDigit else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) = product.subtractingReportingOverflow(Int128(text[position] &- 0x30))
            guard !isTooLarge, !isBeyond else { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// Writes the last `count` digits of `value`, at most 24, with leading zeros if it has fewer.
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

    /// Returns the number of digits of a value, which is one for zero.
    static func digitCount(_ value: UInt64) -> Int {
        let estimate = ((64 - (value | 1).leadingZeroBitCount) * 1233) >> 12  // log10, exact or one too low
        return value < powerOf10(estimate) ? max(estimate, 1) : estimate + 1
    }

    /// Returns 10^`exponent` for exponents from 0 to 19.
    static func powerOf10(_ exponent: Int) -> UInt64 {
        powersOf10[exponent]
    }

    /// Returns the eight ASCII digits of a number below 10^8, the first in the top byte.
    ///
    /// The number is split in half three times, in all lanes at once. Multiplications and shifts divide by 100 and 10.
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

/// A binary floating-point format of IEEE 754, with the rounding of decimal numbers to it.
///
/// A result is a bit pattern without sign. Adding 1 to a pattern yields the next larger number, from the subnormal
/// numbers up to infinity.
struct FloatingPointFormat {
    /// The precision in bits, including the implicit bit.
    let significandBits: Int
    /// The exponent of the smallest normal number.
    let minimumExponent: Int

    static var double: FloatingPointFormat { FloatingPointFormat(significandBits: 53, minimumExponent: -1022) }

    static var float: FloatingPointFormat { FloatingPointFormat(significandBits: 24, minimumExponent: -126) }

    /// Returns the pattern nearest to a literal's magnitude, with ties to even.
    ///
    /// - Parameters:
    ///   - literal: The literal.
    ///   - text: The text of the literal, which is read again if the first 19 digits are not decisive.
    @inline(__always)
    func nearest(to literal: DecimalLiteral, in text: Span<UInt8>) -> UInt64 {
        let first = approximate(literal.significand, literal.exponent)
        if first.isCertain {
            guard literal.isTruncated else { return first.nearest }
            let next = approximate(literal.significand + 1, literal.exponent)
            if next.isCertain, next.nearest == first.nearest { return first.nearest }
        }
        return settle(literal, in: text, between: first.below)
    }

    /// The information about a number that a 192-bit product provides.
    private struct Approximation {
        /// The largest pattern that does not exceed the number.
        var below: UInt64
        /// The pattern nearest to the number, valid if ``isCertain``.
        var nearest: UInt64
        /// Whether ``nearest`` is certain. If not, the number may be on either side of a halfway point, or at it.
        var isCertain = true

        init(exactly pattern: UInt64) {
            below = pattern
            nearest = pattern
        }
    }

    /// Rounds `significand × 10^exponent` by the method of Eisel and Lemire.
    ///
    /// The product of 192 bits is exact, or too small by less than `significand` units of its last bit.
    @inline(__always)
    private func approximate(_ significand: UInt64, _ exponent: Int) -> Approximation {
        guard significand > 0, exponent >= PowerOfTen.range.lowerBound else { return Approximation(exactly: 0) }
        guard exponent <= 308 else { return Approximation(exactly: infinity) }
        let power = PowerOfTen(exponent)
        let shift = significand.leadingZeroBitCount
        let factor = significand &<< UInt64(shift)
        let (high, low) = PowerOfTen.product(power.significand, factor)

        let width = 128 - high.leadingZeroBitCount
        let leading = power.exponent - shift + 64 + width - 1  // ⌊log2⌋ of the number
        guard leading <= maximumExponent else { return Approximation(exactly: infinity) }
        // The number is less than half of the smallest one. No number of 19 digits is so close to that half that the
        // product's error matters.
        guard leading >= minimumExponent - significandBits else { return Approximation(exactly: 0) }
        let precision = significandBits - max(minimumExponent - leading, 0)

        let cut = UInt128(width - precision - 1)  // Bits to cut off: more than 64, fewer than 128.
        let bits = UInt64(truncatingIfNeeded: high &>> cut)
        let rest = high & ((1 &<< cut) &- 1)
        var result = Approximation(exactly: pattern(of: bits >> 1, exponent: leading))
        if bits & 1 == 1 {
            let isTie = power.isExact && rest == 0 && low == 0
            if !isTie || bits & 2 != 0 { result.nearest += 1 }
        } else if !power.isExact {
            result.isCertain = rest &+ 1 != 1 &<< cut || !low.addingReportingOverflow(factor).overflow
        }
        return result
    }

    /// Returns the bit pattern of the number with a given significand, whose first bit has the value 2^`exponent`.
    @inline(__always)
    private func pattern(of significand: UInt64, exponent: Int) -> UInt64 {
        guard exponent >= minimumExponent else { return significand }
        return UInt64(exponent - minimumExponent) << UInt64(significandBits - 1) + significand
    }

    private var infinity: UInt64 { UInt64(maximumExponent - minimumExponent + 2) << UInt64(significandBits - 1) }

    private var maximumExponent: Int { 1 - minimumExponent }

    /// Decides between a bit pattern and the next one by comparing the literal with the number halfway between them.
    /// The comparison uses exact integers.
    @inline(never)
    private func settle(_ literal: DecimalLiteral, in text: Span<UInt8>, between below: UInt64) -> UInt64 {
        let exponentBits = below >> UInt64(significandBits - 1)
        let fraction = below & (1 << UInt64(significandBits - 1) - 1)
        let significand = exponentBits == 0 ? fraction : fraction | 1 << UInt64(significandBits - 1)
        var halfway = BigNatural(2 * significand + 1)
        let halfwayExponent = max(Int(exponentBits), 1) + minimumExponent - significandBits - 1

        var (decimal, exponent) = literal.wholeNumber(in: text)
        if exponent >= 0 {
            decimal.multiply(byPowerOf5: exponent)
        } else {
            halfway.multiply(byPowerOf5: -exponent)
        }
        if exponent >= halfwayExponent {
            decimal.multiply(byPowerOf2: exponent - halfwayExponent)
        } else {
            halfway.multiply(byPowerOf2: halfwayExponent - exponent)
        }
        let isUp = decimal > halfway || (decimal == halfway && below & 1 == 1)
        return isUp ? below + 1 : below
    }
}

extension DecimalLiteral {
    /// The number of digits that can matter. A point halfway between two doubles has at most 767 digits.
    private static let decisiveDigits = 800

    /// Returns the magnitude as an integer times 10^`exponent`.
    ///
    /// If a digit after the decisive ones is not zero, a single 1 replaces all digits after them. The number then
    /// compares with every halfway point as before.
    fileprivate func wholeNumber(in text: Span<UInt8>) -> (number: BigNatural, exponent: Int) {
        guard isTruncated else { return (BigNatural(significand), exponent) }
        var number = BigNatural(0)
        var count = 0
        var hasRest = false
        for position in digits where text[position] != UInt8(ascii: ".") {
            let digit = UInt64(text[position] &- 0x30)
            if count == DecimalLiteral.decisiveDigits {
                hasRest = hasRest || digit != 0
            } else if count > 0 || digit != 0 {
                number.multiply(by: 10, adding: digit)
                count += 1
            }
        }
        if hasRest { number.multiply(by: 10, adding: 1) }
        return (number, exponent - (count - DecimalLiteral.wordDigits) - (hasRest ? 1 : 0))
    }
}
