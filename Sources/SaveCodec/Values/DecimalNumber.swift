/// A positive decimal number, `digits × 10^exponent`, on its way from a binary one to its text.
struct DecimalNumber {
    /// At most 17 digits. The last is not zero unless the number is whole or ``removeTrailingZeros()`` is still to come.
    private(set) var digits: UInt64
    private(set) var exponent: Int
    /// How many digits there are.
    private(set) var count: Int

    @inline(__always)
    init(_ digits: UInt64, exponent: Int) {
        self.digits = digits
        self.exponent = exponent
        count = NumberText.digitCount(digits)
    }

    /// How many digits stand before the point; zero or less where the number begins with `0.`.
    @inline(__always)
    var pointPosition: Int { count + exponent }

    /// Moves zeros from the end of the digits to the exponent.
    mutating func removeTrailingZeros() {
        while removeZeros(8, power: 100_000_000) {}
        _ = removeZeros(4, power: 10000)
        _ = removeZeros(2, power: 100)
        _ = removeZeros(1, power: 10)
    }

    /// Writes `12.5`, `0.00125` or, followed by `wholeSuffix`, `12500`.
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

    /// Writes `1.25e+20` or `1e-07`.
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

    @inline(__always)
    private mutating func removeZeros(_ zeros: Int, power: UInt64) -> Bool {
        let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: power)
        guard remainder == 0 else { return false }
        digits = quotient
        count -= zeros
        exponent += zeros
        return true
    }
}
