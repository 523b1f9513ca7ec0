extension DecimalNumber {
    /// The shortest decimal number that reads back as `value`, and of several the one closest to it.
    ///
    /// This is Raffaello Giulietti's Schubfach: the power of ten is chosen so that the interval of numbers that read
    /// back holds at least one of its multiples, and at most one of the next power's.
    ///
    /// - Parameter value: positive and finite.
    init(shortest value: Double) {
        let exponentBits = Int(value.exponentBitPattern)
        let fraction = value.significandBitPattern
        let significand = exponentBits == 0 ? fraction : fraction | 1 << 52
        let exponent = max(exponentBits, 1) - 1075
        if -52...0 ~= exponent, significand.trailingZeroBitCount >= -exponent {
            self.init(significand >> UInt64(-exponent), exponent: 0)
            return
        }
        // Below a power of two the numbers are twice as dense, and the interval ends at half the distance.
        let isLowerHalved = fraction == 0 && exponentBits > 1
        let scale = isLowerHalved ? (exponent * 1_262_611 - 524_031) >> 22 : PowerOfTen.decimalExponent(of: exponent)
        let power = PowerOfTen(-scale)
        let multiplicand = power.isExact ? power.significand : power.significand &+ 1
        let shift = UInt64(exponent + power.exponent + 128)

        // Four times the number and the ends of its interval, in units of 10^scale.
        let middle = DecimalNumber.roundToOdd(multiplicand, (4 * significand) &<< shift)
        let lower = DecimalNumber.roundToOdd(multiplicand, (4 * significand - (isLowerHalved ? 1 : 2)) &<< shift)
        let upper = DecimalNumber.roundToOdd(multiplicand, (4 * significand + 2) &<< shift)
        let isOdd = significand & 1  // The ends themselves read back where ties go to the number.

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

    /// The first 64 of 192 bits of a product, the last of them set if the others are not zero beyond the product's error.
    @inline(__always)
    private static func roundToOdd(_ multiplicand: UInt128, _ factor: UInt64) -> UInt64 {
        let product = PowerOfTen.product(multiplicand, factor).high
        let rest = UInt64(truncatingIfNeeded: product)
        return UInt64(truncatingIfNeeded: product &>> 64) | (rest > 1 ? 1 : 0)
    }
}
