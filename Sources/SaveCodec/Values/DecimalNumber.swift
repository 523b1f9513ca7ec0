/// A positive decimal number, `digits × 10^exponent`, as an intermediate step from a binary number to its text.
struct DecimalNumber {
    /// At most 17 digits. They may end in zeros if the number is an integer, or before ``removeTrailingZeros()``.
    private(set) var digits: UInt64
    private(set) var exponent: Int
    /// The number of digits.
    private(set) var count: Int

    init(_ digits: UInt64, exponent: Int) {
        self.digits = digits
        self.exponent = exponent
        count = NumberText.digitCount(digits)
    }

    /// The number of digits before the point, which is zero or negative if the text begins with `0.`.
    var pointPosition: Int { count + exponent }

    /// Moves trailing zeros of the digits to the exponent.
    mutating func removeTrailingZeros() {
        while removeZeros(8, power: 100_000_000) {}
        _ = removeZeros(4, power: 10000)
        _ = removeZeros(2, power: 100)
        _ = removeZeros(1, power: 10)
    }

    /// Writes the number without an exponent: `12.5`, `0.00125`, or `12500` followed by `wholeSuffix`.
    func writePlain(wholeSuffix: StaticString, to output: inout ByteWriter) {
        if pointPosition <= 0 {
            output.write(UInt8(ascii: "0"))
            output.write(UInt8(ascii: "."))
            output.write(UInt8(ascii: "0"), times: -pointPosition)
            NumberText.writeDigits(digits, count: count, to: &output)
        } else if exponent >= 0 {
            NumberText.writeDigits(digits, count: count, to: &output)
            output.write(UInt8(ascii: "0"), times: exponent)
            output.write(wholeSuffix)
        } else {
            writeDigits(pointAfter: pointPosition, to: &output)
        }
    }

    /// Writes the number with an exponent: `1.25e+20` or `1e-07`.
    func writeScientific(to output: inout ByteWriter) {
        if count == 1 {
            NumberText.writeDigits(digits, count: 1, to: &output)
        } else {
            writeDigits(pointAfter: 1, to: &output)
        }
        let power = pointPosition - 1
        output.write(UInt8(ascii: "e"))
        output.write(power < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        NumberText.writeDigits(UInt64(power.magnitude), count: power.magnitude < 100 ? 2 : 3, to: &output)
    }

    private func writeDigits(pointAfter whole: Int, to output: inout ByteWriter) {
        let (left, right) = digits.quotientAndRemainder(dividingBy: NumberText.powerOf10(count - whole))
        NumberText.writeDigits(left, count: whole, to: &output)
        output.write(UInt8(ascii: "."))
        NumberText.writeDigits(right, count: count - whole, to: &output)
    }

    private mutating func removeZeros(_ zeros: Int, power: UInt64) -> Bool {
        let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: power)
        guard remainder == 0 else { return false }
        digits = quotient
        count -= zeros
        exponent += zeros
        return true
    }

    /// Creates the shortest decimal number that reads back as `value`, choosing the closest if there are several.
    ///
    /// This is Raffaello Giulietti's Schubfach algorithm. It chooses a power of ten such that the interval of numbers
    /// that read back contains at least one of its multiples, and at most one multiple of the next power.
    ///
    /// - Parameter value: A positive, finite number.
    init(shortest value: Double) {
        let exponentBits = Int(value.exponentBitPattern)
        let fraction = value.significandBitPattern
        let significand = exponentBits == 0 ? fraction : fraction | 1 << 52
        let exponent = max(exponentBits, 1) - 1075
        if -52...0 ~= exponent, significand.trailingZeroBitCount >= -exponent {
            self.init(significand >> UInt64(-exponent), exponent: 0)
            return
        }
        // Below a power of two, the numbers are twice as dense, and the end of the interval is at half the distance.
        let isLowerHalved = fraction == 0 && exponentBits > 1
        let scale = isLowerHalved ? (exponent * 1_262_611 - 524_031) >> 22 : PowerOfTen.decimalExponent(of: exponent)
        let power = PowerOfTen(-scale)
        let multiplicand = power.isExact ? power.significand : power.significand &+ 1
        let shift = UInt64(exponent + power.exponent + 128)

        // Four times the number and four times the ends of its interval, in units of 10^scale.
        let middle = DecimalNumber.roundToOdd(multiplicand, (4 * significand) &<< shift)
        let lower = DecimalNumber.roundToOdd(multiplicand, (4 * significand - (isLowerHalved ? 1 : 2)) &<< shift)
        let upper = DecimalNumber.roundToOdd(multiplicand, (4 * significand + 2) &<< shift)
        let isOdd = significand & 1  // The ends read back, too, if the significand is even.

        let (tens, units) = (middle / 40, middle / 4)
        let isTensIn = lower + isOdd <= 40 * tens
        if isTensIn != (40 * tens + 40 + isOdd <= upper) {
            self.init(isTensIn ? tens : tens + 1, exponent: scale + 1)
            return
        }
        let isUnitIn = lower + isOdd <= 4 * units
        let isNextIn = 4 * units + 4 + isOdd <= upper
        let isUp: Bool
        if isUnitIn != isNextIn {
            isUp = isNextIn
        } else {
            isUp = middle > 4 * units + 2 || (middle == 4 * units + 2 && units & 1 == 1)
        }
        self.init(isUp ? units + 1 : units, exponent: scale)
    }

    /// Returns the first 64 of a product's 192 bits. The last bit is also set if the other bits are greater than the
    /// error of the product.
    private static func roundToOdd(_ multiplicand: UInt128, _ factor: UInt64) -> UInt64 {
        let product = PowerOfTen.product(multiplicand, factor).high
        let rest = UInt64(truncatingIfNeeded: product)
        return UInt64(truncatingIfNeeded: product &>> 64) | (rest > 1 ? 1 : 0)
    }

    /// Creates the number of 17 digits nearest to `value`, with ties to even.
    ///
    /// The scaled value is a product of 192 bits that is exact or too small by less than 2^−66 of the 17th digit. No
    /// double is that close to a halfway point from below (a search over all exponents finds none within 256 times the
    /// error), and none is at one unless the product is exact. The bits of the product are therefore sufficient.
    ///
    /// - Parameter value: A positive, finite number.
    init(seventeenDigitsOf value: Double) {
        let hiddenBit: UInt64 = value.exponentBitPattern == 0 ? 0 : 1 << 52
        let significand = value.significandBitPattern | hiddenBit
        let shift = significand.leadingZeroBitCount
        let exponent = max(Int(value.exponentBitPattern), 1) - 1075 - shift

        // The estimated position of the first digit may be one too low. The product then has 18 digits.
        var scale = PowerOfTen.decimalExponent(of: exponent + 63) - 16
        let power = PowerOfTen(-scale)
        let (high, low) = PowerOfTen.product(power.significand, significand &<< UInt64(shift))
        let cut = UInt128(-(exponent + power.exponent + 64))
        var digits = UInt64(truncatingIfNeeded: high &>> cut)
        let rest = high & (1 &<< cut - 1)
        let half: UInt128 = 1 &<< (cut - 1)

        let isUpperHalf: Bool
        let isHalf: Bool
        if digits >= 100_000_000_000_000_000 {
            let last = digits % 10
            digits /= 10
            scale += 1
            isHalf = last == 5 && rest == 0
            isUpperHalf = last >= 5
        } else {
            isHalf = rest == half
            isUpperHalf = rest >= half
        }
        let isTie = isHalf && low == 0 && power.isExact
        if isUpperHalf, !isTie || digits & 1 == 1 { digits += 1 }
        self.init(digits, exponent: scale)
        removeTrailingZeros()
    }
}
