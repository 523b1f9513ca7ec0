import SaveCodec

/// `maximum`, `exclusiveMaximum`, `minimum` and `exclusiveMinimum`.
struct NumberLimit: Assertion {
    let keyword: Keyword
    let limit: Number
    let isMaximum: Bool
    /// Whether the limit itself is allowed.
    let isInclusive: Bool

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard case .scalar(.number(let number)) = checked.value else { return true }
        return allows(number)
    }

    func add(to keywords: inout QuickKeywords) { keywords.numbers.append(self) }

    func allows(_ number: Number) -> Bool {
        switch (isMaximum, isInclusive) {
        case (true, true): !(limit < number)
        case (true, false): number < limit
        case (false, true): !(number < limit)
        case (false, false): limit < number
        }
    }

    func expectation(in schema: Schema) -> String {
        switch (isMaximum, isInclusive) {
        case (true, true): "at most \(limit)"
        case (true, false): "less than \(limit)"
        case (false, true): "at least \(limit)"
        case (false, false): "more than \(limit)"
        }
    }
}

/// `multipleOf`.
struct MultipleOf: Assertion {
    let divisor: Number
    private let decimal: Decimal

    init(_ divisor: Number) {
        self.divisor = divisor
        decimal = divisor.decimal
    }

    var keyword: Keyword { .multipleOf }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard case .scalar(.number(let number)) = checked.value else { return true }
        return number.decimal.isMultiple(of: decimal)
    }

    func expectation(in schema: Schema) -> String { "a multiple of \(divisor)" }
}

extension SchemaCompiler {
    mutating func compileNumbers(_ source: UncompiledSchema) throws(Problem) {
        if let divisor = try number(.multipleOf, source) {
            guard .integer(0) < divisor else {
                throw wrongValue(.multipleOf, source, expected: "a number greater than 0")
            }
            add(MultipleOf(divisor), to: source.node)
        }
        let limits: [(keyword: Keyword, isMaximum: Bool, isInclusive: Bool)] = [
            (.maximum, true, true), (.exclusiveMaximum, true, false),
            (.minimum, false, true), (.exclusiveMinimum, false, false),
        ]
        for (keyword, isMaximum, isInclusive) in limits {
            guard let limit = try number(keyword, source) else { continue }
            add(
                NumberLimit(keyword: keyword, limit: limit, isMaximum: isMaximum, isInclusive: isInclusive),
                to: source.node)
        }
    }
}

/// The magnitude of a number, as an integer times a power of ten.
///
/// `multipleOf` refers to the decimal notation: 0.0075 is a multiple of 0.0001, although the doubles closest to these
/// numbers are not.
private struct Decimal: Sendable {
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

    /// Parses the text of a real such as `-0.0`, `12.5` or `1e+20`, with at most 17 digits.
    init(_ text: String) {
        var magnitude: UInt128 = 0
        var exponent = 0
        var isFraction = false
        var rest = text.utf8[...]
        while let character = rest.popFirst(), character != UInt8(ascii: "e") {
            if character == UInt8(ascii: ".") { isFraction = true }
            guard character.isDigit else { continue }
            magnitude = magnitude &* 10 &+ UInt128(character - 0x30)
            exponent -= isFraction ? 1 : 0
        }
        if let written = Int(String(decoding: rest, as: UTF8.self)) { exponent += written }
        self.init(magnitude: magnitude, exponent: exponent)
    }

    /// Whether the number is an integral multiple of a divisor, which must not be zero.
    func isMultiple(of divisor: Decimal) -> Bool {
        guard magnitude != 0 else { return true }
        let shift = exponent - divisor.exponent
        guard shift < 0 else {
            let power = Self.power(of: 10, shift, modulo: divisor.magnitude)
            return Self.product(magnitude % divisor.magnitude, power, modulo: divisor.magnitude) == 0
        }
        // The magnitude has no trailing zeros, so a power of ten does not divide it.
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

    /// Returns a product modulo `modulo`. Both factors must be less than it, so that the quotient does not overflow.
    private static func product(_ a: UInt128, _ b: UInt128, modulo: UInt128) -> UInt128 {
        let product = a.multipliedFullWidth(by: b)
        return modulo.dividingFullWidth((product.high, product.low)).remainder
    }
}

extension Number {
    /// The number in decimal: the shortest digits that read back as the same value, which the author most likely wrote.
    fileprivate var decimal: Decimal {
        if case .integer(let value) = self {
            return Decimal(magnitude: value.magnitude, exponent: 0)
        }
        return Decimal(description)
    }
}
