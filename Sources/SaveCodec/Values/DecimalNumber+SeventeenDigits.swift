extension DecimalNumber {
    /// The number of 17 digits nearest to `value`, and of two that are equally near the one with the even last digit.
    ///
    /// The scaled value is a product of 192 bits that is exact, or too small by less than 2^−66 of the 17th digit. No
    /// double comes that close to a halfway point from below (a search over all exponents finds none within 256 times
    /// the error) and none hits one unless the product is exact, so the bits of the product decide.
    ///
    /// - Parameter value: positive and finite.
    init(seventeenDigitsOf value: Double) {
        let hiddenBit: UInt64 = value.exponentBitPattern == 0 ? 0 : 1 << 52
        let significand = value.significandBitPattern | hiddenBit
        let shift = significand.leadingZeroBitCount
        let exponent = max(Int(value.exponentBitPattern), 1) - 1075 - shift

        // The estimate of the first digit's place may be one too low: then the product has 18 digits.
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
