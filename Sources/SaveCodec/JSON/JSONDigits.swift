/// Numbers with more digits than a 64-bit real holds.
///
///     12345678901234567890.123456789     reads as 1.2345678901234567e+19
///     0.1                                is inexact too, but is written as 0.1 again
extension JSON {
    /// Returns a loss for each number of a valid JSON text whose digits change when its value is written.
    static func digitLosses(in bytes: [UInt8]) -> [Problem] {
        let text = JSONText(commented: bytes)
        var losses = LossList()
        var lines: LineTable?
        text.forEachScalar { range in
            guard let value = text.inexactValue(range) else { return }
            losses.add(.init("loss.digits")) {
                let table = lines ?? LineTable(bytes)
                lines = table
                return Problem(
                    "loss.digits",
                    "the number \(text.token(at: range.lowerBound)) would become \(ScalarText.real(value))",
                    at: table.location(of: range.lowerBound))
            }
        }
        return losses.problems
    }

    /// Returns the ranges of the numbers of a valid JSON text whose digits change when their values are written.
    package static func inexactNumbers(in bytes: [UInt8]) -> [Range<Int>] {
        let text = JSONText(commented: bytes)
        var ranges: [Range<Int>] = []
        text.forEachScalar { if text.inexactValue($0) != nil { ranges.append($0) } }
        return ranges
    }

    /// Returns the values of all numbers in a valid JSON text, as reals.
    static func reals(in bytes: [UInt8]) -> Set<Double> {
        var values: Set<Double> = []
        JSONText(commented: bytes).forEachScalar { range in
            guard bytes[range.lowerBound] != UInt8(ascii: "\"") else { return }
            if let value = NumberText.double(bytes.span.extracting(range)) { values.insert(value) }
        }
        return values
    }
}

extension Document {
    /// Returns a loss for each number of `text` whose digits change when its value is written. The text is only
    /// searched if the reader noted lost digits.
    ///
    /// - Parameter text: The JSON text that the document was read from.
    package func digitLosses(in text: @autoclosure () -> [UInt8]) -> [Problem] {
        facts.formatFacts.losesDigits ? JSON.digitLosses(in: text()) : []
    }
}

extension JSONText {
    fileprivate func forEachScalar(_ body: (Range<Int>) -> Void) {
        var offset = 0
        while offset < bytes.count {
            guard let end = endOfScalar(at: offset) else {
                offset += 1
                continue
            }
            body(offset..<end)
            offset = end
        }
    }

    /// Returns the value of the number in a range if it is a real that loses digits; nil otherwise.
    fileprivate func inexactValue(_ range: Range<Int>) -> Double? {
        let first = bytes[range.lowerBound]
        let isReal = first == UInt8(ascii: "-") || first.isDigit
        guard isReal, let number = try? number(at: range.lowerBound), let real = try? real64(number) else { return nil }
        return real.losesDigits ? real.value : nil
    }
}

extension JSONText.Number {
    /// Whether digits of this number are lost in its value as a real. Integers lose none.
    func losesDigits(_ literal: DecimalLiteral, as value: Double) -> Bool {
        // Up to 15 digits always survive, except in subnormal numbers, which have an exponent or more than 16
        // characters.
        !isInteger && (hasExponent || range.count > 16) && !literal.isHeld(by: value.magnitude)
    }
}

extension DecimalLiteral {
    /// Whether writing a real yields these digits, in either the shortest form or the 17-digit form of many writers.
    fileprivate func isHeld(by magnitude: Double) -> Bool {
        if significand == 0 { return true }
        if isTruncated || magnitude == 0 { return false }
        var written = DecimalNumber(significand, exponent: exponent)
        var shortest = DecimalNumber(shortest: magnitude)
        written.removeTrailingZeros()
        shortest.removeTrailingZeros()
        return written.isSame(as: shortest) || written.isSame(as: DecimalNumber(seventeenDigitsOf: magnitude))
    }
}

extension DecimalNumber {
    fileprivate func isSame(as other: DecimalNumber) -> Bool { digits == other.digits && exponent == other.exponent }
}
