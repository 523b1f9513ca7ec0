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
