import SaveCodec

/// The magnitude of a number as a whole number times a power of ten.
///
/// `multipleOf` is meant for what people write: 0.0075 is a multiple of 0.0001, although the doubles of these are not.
struct Decimal: Sendable {
    private let magnitude: UInt128
    private let exponent: Int

    init(magnitude: UInt128, exponent: Int) {
        var magnitude = magnitude
        var exponent = exponent
        while magnitude != 0, magnitude % 10 == 0 {
            magnitude /= 10
            exponent += 1
        }
        self.magnitude = magnitude
        self.exponent = magnitude == 0 ? 0 : exponent
    }

    /// The decimal number that a real's text is, such as `-0.0`, `12.5` or `1e+20`; at most 17 digits.
    init(_ text: String) {
        var magnitude: UInt128 = 0
        var exponent = 0
        var isFraction = false
        var rest = text.utf8[...]
        while let character = rest.popFirst(), character != UInt8(ascii: "e") {
            if character == UInt8(ascii: ".") { isFraction = true }
            guard (0x30...0x39).contains(character) else { continue }
            magnitude = magnitude &* 10 &+ UInt128(character - 0x30)
            exponent -= isFraction ? 1 : 0
        }
        if let written = Int(String(decoding: rest, as: UTF8.self)) { exponent += written }
        self.init(magnitude: magnitude, exponent: exponent)
    }

    /// Whether the number is a whole number of times another, which is not zero.
    func isMultiple(of divisor: Decimal) -> Bool {
        guard magnitude != 0 else { return true }
        let shift = exponent - divisor.exponent
        guard shift < 0 else {
            let power = Self.power(of: 10, shift, modulo: divisor.magnitude)
            return Self.product(magnitude % divisor.magnitude, power, modulo: divisor.magnitude) == 0
        }
        // Trailing zeros are in the exponent, so that no power of ten divides the magnitude.
        return false
    }

    private static func power(of base: UInt128, _ exponent: Int, modulo: UInt128) -> UInt128 {
        var result = 1 % modulo
        var square = base % modulo
        var rest = exponent
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, square, modulo: modulo) }
            square = product(square, square, modulo: modulo)
            rest >>= 1
        }
        return result
    }

    /// Both factors are less than the modulus, so that the quotient fits.
    private static func product(_ a: UInt128, _ b: UInt128, modulo: UInt128) -> UInt128 {
        let product = a.multipliedFullWidth(by: b)
        return modulo.dividingFullWidth((product.high, product.low)).remainder
    }
}

extension Number {
    /// The number in decimal: the shortest digits that read back, as its author wrote them most likely.
    var decimal: Decimal {
        if case .integer(let value) = self {
            return Decimal(magnitude: value.magnitude, exponent: 0)
        }
        return Decimal(description)
    }
}
