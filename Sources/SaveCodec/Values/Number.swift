/// A number of a value, a schema or a record, compared by its value regardless of its storage: 1 equals 1.0.
package enum Number: Sendable {
    /// An integer.
    case integer(Int128)
    /// A 64-bit real.
    case real(Double)
    /// A 32-bit real.
    case single(Float)

    /// Creates the number of a scalar; nil for any other value.
    package init?(_ node: Node) {
        switch node {
        case .integer(let integer): self = .integer(integer.value)
        case .real64(let value): self = .real(value)
        case .real32(let value): self = .single(value)
        default: return nil
        }
    }

    /// Creates the number of a scalar that can be compared; nil for any other value, and for NaN, which has no order.
    package init?(comparable node: Node) {
        guard let number = Number(node), !number.isNaN else { return nil }
        self = number
    }

    package var isFinite: Bool { double?.isFinite ?? true }

    private var isNaN: Bool { double?.isNaN ?? false }

    /// The value of a real, or nil for an integer.
    private var double: Double? {
        switch self {
        case .integer: nil
        case .real(let value): value
        case .single(let value): Double(value)
        }
    }

    /// The value, rounded to a double.
    package var rounded: Double {
        if case .integer(let value) = self { Double(value) } else { double ?? .nan }
    }

    /// Whether the number has no fractional part.
    package var isWhole: Bool {
        guard let double else { return true }
        return Self.floor(double)?.isExact ?? !double.isNaN
    }

    /// The normalized number: an integer if it is integral and fits 128 bits, or else a 64-bit real.
    package var normal: Number {
        guard let double else { return self }
        guard let floor = Self.floor(double), floor.isExact else { return .real(double) }
        return .integer(floor.value)
    }

    /// Whether one number is less than another, without rounding.
    package static func < (a: Number, b: Number) -> Bool {
        switch (a.double, b.double) {
        case (let a?, let b?): return a < b
        case (let a?, nil): return b.isGreater(than: a)
        case (nil, let b?): return a.isLess(than: b)
        case (nil, nil):
            guard case .integer(let a) = a, case .integer(let b) = b else { return false }
            return a < b
        }
    }

    /// Whether two numbers are equal, without rounding. NaN equals nothing.
    package static func == (a: Number, b: Number) -> Bool {
        !(a < b) && !(b < a) && !a.isNaN && !b.isNaN
    }

    /// Returns the greatest integer not above a real, and whether it equals the real, or nil for NaN and beyond 128
    /// bits, where all reals are integral.
    ///
    /// This avoids `rounded` and generic conversions, which require the C library.
    private static func floor(_ real: Double) -> (value: Int128, isExact: Bool)? {
        if real.magnitude < 0x1p53 {
            let truncated = Int64(real)
            return (Int128(truncated) - (Double(truncated) > real ? 1 : 0), Double(truncated) == real)
        }
        guard real.magnitude < 0x1p127 else { return real == -0x1p127 ? (.min, true) : nil }
        let significand = Int128(real.significandBitPattern | 1 << 52)
        let magnitude = significand << Int128(Int(real.exponentBitPattern) - 1075)
        return (real < 0 ? -magnitude : magnitude, true)
    }

    private func isLess(than real: Double) -> Bool {
        guard case .integer(let value) = self else { return false }
        guard let floor = Self.floor(real) else { return real > 0 }
        return value < floor.value || (value == floor.value && !floor.isExact)
    }

    private func isGreater(than real: Double) -> Bool {
        guard case .integer(let value) = self else { return false }
        guard let floor = Self.floor(real) else { return real < 0 }
        return value > floor.value
    }
}

extension Number: CustomStringConvertible {
    /// The number in JSON syntax.
    package var description: String {
        switch self {
        case .integer(let value): value.description
        case .real(let value): ScalarText.real(value)
        case .single(let value): ScalarText.real(value)
        }
    }
}

extension Node {
    /// The value of a real; nil for any other value.
    package var real: Double? {
        switch self {
        case .real32(let value): Double(value)
        case .real64(let value): value
        default: nil
        }
    }

    /// The value of an integer; nil for any other value.
    package var integer: Int128? {
        if case .integer(let integer) = self { integer.value } else { nil }
    }

    /// The value of a number, rounded to a double.
    package var number: Double? { real ?? integer.map { Double($0) } }

    /// Whether the value is an integer or a real.
    package var isNumber: Bool { number != nil }
}

extension StoredString {
    /// The number that the text spells, for a format in which all scalars are text; nil for any other text.
    package var number: Number? {
        guard count <= 100, allSatisfy({ $0 < 0x80 && "0123456789+-.eE".utf8.contains(UInt8($0)) }) else { return nil }
        if let integer = Int128(string) { return .integer(integer) }
        return Double(string).flatMap { $0.isFinite ? .real($0) : nil }
    }

    /// The date that the text spells, in seconds since 2001; nil for any other text.
    package var date: Double? { count <= 64 ? ScalarText.seconds(ofDate: self) : nil }
}
