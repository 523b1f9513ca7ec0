/// A binary floating-point format of IEEE 754, and the rounding of decimal numbers to it.
///
/// A result is a bit pattern without sign. Adding 1 to a pattern gives the next larger number, from the subnormal
/// numbers up to infinity.
struct BinaryFormat {
    /// The precision, with the bit that the format does not store.
    let significandBits: Int
    /// The exponent of the smallest normal number.
    let minimumExponent: Int

    static var double: BinaryFormat {
        @inline(__always) get { BinaryFormat(significandBits: 53, minimumExponent: -1022) }
    }

    static var float: BinaryFormat {
        @inline(__always) get { BinaryFormat(significandBits: 24, minimumExponent: -126) }
    }

    /// The pattern nearest to a literal's magnitude; of two that are equally near, the even one.
    ///
    /// - Parameter text: the text of the literal, read again if the first 19 digits do not decide.
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

    /// What 192 bits say of a number.
    private struct Approximation {
        /// The largest pattern that is not above the number.
        var below: UInt64
        /// The pattern nearest to the number, if ``isCertain``.
        var nearest: UInt64
        /// False where the number may lie on the halfway point between two patterns, or on either side of it.
        var isCertain = true

        init(exactly pattern: UInt64) {
            below = pattern
            nearest = pattern
        }
    }

    /// Rounds `significand × 10^exponent` by Eisel's and Lemire's method: a product of 192 bits that is exact, or too
    /// small by less than `significand` units of its last bit.
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
        // Below half the smallest number; what 19 digits can say is never so near to it that the product misleads.
        guard leading >= minimumExponent - significandBits else { return Approximation(exactly: 0) }
        let precision = significandBits - max(minimumExponent - leading, 0)

        let cut = UInt128(width - precision - 1)  // Bits to cut off: more than a word, less than two.
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

    /// The pattern of a significand whose first bit stands for 2^`exponent`.
    @inline(__always)
    private func pattern(of significand: UInt64, exponent: Int) -> UInt64 {
        guard exponent >= minimumExponent else { return significand }
        return UInt64(exponent - minimumExponent) << UInt64(significandBits - 1) + significand
    }

    private var infinity: UInt64 {
        @inline(__always) get { UInt64(maximumExponent - minimumExponent + 2) << UInt64(significandBits - 1) }
    }

    private var maximumExponent: Int {
        @inline(__always) get { 1 - minimumExponent }
    }

    /// Decides between a pattern and the next one by comparing the literal with the point halfway between them, in
    /// whole numbers.
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
    /// How many digits can matter: a point halfway between two doubles has at most 767.
    private static let decisiveDigits = 800

    /// The magnitude as a whole number times 10^`exponent`.
    ///
    /// If a digit behind the decisive ones is not zero, a 1 stands for them all: it compares with every halfway point
    /// as they do.
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
