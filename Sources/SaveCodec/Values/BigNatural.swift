/// A natural number of any size, with the few operations that exact decimal conversion needs.
///
/// Its users limit the size: the table of powers to 960 bits, the parsing of numbers to less than 6,000 bits.
struct BigNatural {
    /// The number in base 2^64, least significant word first. The last word is not zero.
    private var words: [UInt64]

    init(_ value: UInt64) {
        words = value == 0 ? [] : [value]
    }

    /// The first 128 bits, starting at the highest set bit and truncated after that.
    fileprivate var leadingBits: UInt128 {
        guard let first = words.last else { return 0 }
        let second = words.count > 1 ? words[words.count - 2] : 0
        let third = words.count > 2 ? words[words.count - 3] : 0
        let shift = first.leadingZeroBitCount
        let bits = (UInt128(first) << 64 | UInt128(second)) << UInt128(shift)
        return bits | UInt128(third) >> UInt128(64 - shift)
    }

    mutating func multiply(by factor: UInt64, adding addend: UInt64 = 0) {
        var carry = addend
        for index in words.indices {
            let product = words[index].multipliedFullWidth(by: factor)
            let (low, overflow) = product.low.addingReportingOverflow(carry)
            words[index] = low
            carry = product.high + (overflow ? 1 : 0)
        }
        if carry > 0 { words.append(carry) }
    }

    mutating func multiply(byPowerOf5 exponent: Int) {
        var rest = exponent
        while rest > 0 {
            let step = min(rest, 27)
            multiply(by: BigNatural.powerOf5(step))
            rest -= step
        }
    }

    mutating func multiply(byPowerOf2 exponent: Int) {
        guard !words.isEmpty else { return }
        multiply(by: 1 << UInt64(exponent % 64))
        words.insert(contentsOf: repeatElement(0, count: exponent / 64), at: 0)
    }

    /// Divides the number, rounding down.
    mutating func divide(by divisor: UInt64) {
        var remainder: UInt64 = 0
        for index in words.indices.reversed() {
            (words[index], remainder) = divisor.dividingFullWidth((remainder, words[index]))
        }
        while words.last == 0 { words.removeLast() }
    }

    /// Returns 5^`exponent`, which fits a word up to 5^27.
    private static func powerOf5(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 5 }
        return power
    }
}

extension BigNatural: Comparable {
    static func < (a: BigNatural, b: BigNatural) -> Bool {
        if a.words.count != b.words.count { return a.words.count < b.words.count }
        for index in a.words.indices.reversed() where a.words[index] != b.words[index] {
            return a.words[index] < b.words[index]
        }
        return false
    }
}

// MARK: Powers of ten

/// A power of ten from 10^−342 to 10^340 with 128 bits, from the table that all floating-point conversions use.
///
/// 10^q is `significand × 2^exponent` if ``isExact``. Otherwise it is greater by less than one unit of the
/// significand's last bit. The first bit of the significand is set. For example, `10^−1` is slightly more than
/// `0xCCCCCCCCCCCCCCCC_CCCCCCCCCCCCCCCC × 2^−131`.
struct PowerOfTen {
    /// The exponents of the table. Reading 19 digits into the smallest subnormal number needs 10^−342; printing that
    /// number with 17 digits needs 10^340.
    static let range = -342...340

    let significand: UInt128
    let exponent: Int
    let isExact: Bool

    /// Creates 10^`q`, where `q` is in ``range``.
    init(_ q: Int) {
        significand = PowerOfTen.table[q - PowerOfTen.range.lowerBound]
        exponent = PowerOfTen.binaryExponent(of: q) - 127
        isExact = 0 <= q && q <= 55  // 5^55 is the last power of five below 2^128.
    }

    /// Returns ⌊log2 10^q⌋ for the range of the table.
    private static func binaryExponent(of q: Int) -> Int {
        (q * 1_741_647) >> 19
    }

    /// Returns ⌊log10 2^e⌋ for the exponents of a `Double`.
    static func decimalExponent(of e: Int) -> Int {
        (e * 1_262_611) >> 22
    }

    /// Returns the first 128 and the last 64 bits of `multiplicand × factor`.
    static func product(_ multiplicand: UInt128, _ factor: UInt64) -> (high: UInt128, low: UInt64) {
        let upper = UInt64(truncatingIfNeeded: multiplicand &>> 64).multipliedFullWidth(by: factor)
        let lower = UInt64(truncatingIfNeeded: multiplicand).multipliedFullWidth(by: factor)
        return ((UInt128(upper.high) &<< 64 | UInt128(upper.low)) &+ UInt128(lower.high), lower.low)
    }

    /// The significands, computed at first use.
    ///
    /// The exact computation takes about 70 µs, and avoids 11 KB of literals in the source that could not be reviewed.
    /// ⌊⌊x ÷ 5⌋ ÷ 5⌋ equals ⌊x ÷ 25⌋, so repeated division of 2^960 stays exact. 2^960 ÷ 5^342 still has 166 bits.
    private static let table: [UInt128] = {
        var table = [UInt128](repeating: 0, count: range.count)
        var power = BigNatural(1)
        for q in 0...range.upperBound {
            table[q - range.lowerBound] = power.leadingBits
            power.multiply(by: 5)
        }
        var reciprocal = BigNatural(1)
        reciprocal.multiply(byPowerOf2: 960)
        for q in (range.lowerBound..<0).reversed() {
            reciprocal.divide(by: 5)
            table[q - range.lowerBound] = reciprocal.leadingBits
        }
        return table
    }()
}
