/// A natural number of any size, with the few operations that exact decimal conversion needs.
///
/// Its users bound it: the table of powers to 960 bits, the reading of numbers to less than 6000.
struct BigNatural {
    /// The number in base 2^64, the least significant word first. The last word is not zero.
    private var words: [UInt64]

    init(_ value: UInt64) {
        words = value == 0 ? [] : [value]
    }

    /// The first 128 bits, beginning with the first that is set; the bits that follow are cut off.
    var leadingBits: UInt128 {
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

    /// Divides and cuts off the fraction.
    mutating func divide(by divisor: UInt64) {
        var remainder: UInt64 = 0
        for index in words.indices.reversed() {
            (words[index], remainder) = divisor.dividingFullWidth((remainder, words[index]))
        }
        while words.last == 0 { words.removeLast() }
    }

    /// 5^`exponent`, which fits a word up to 5^27.
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
