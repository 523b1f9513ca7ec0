/// Numbers with more digits than a real of eight bytes holds.
///
///     12345678901234567890.123456789     reads as 1.2345678901234567e+19
///     0.1                                is not exact either, but comes back as it was
extension JSON {
    /// One problem for each number of a sound JSON text whose digits are not those that its value is written with.
    static func digitLosses(in bytes: [UInt8]) -> [Problem] {
        let text = JSONText(bytes)
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

    /// Where the numbers stand in a sound JSON text whose digits are not those that their values are written with.
    package static func inexactNumbers(in bytes: [UInt8]) -> [Range<Int>] {
        let text = JSONText(bytes)
        var ranges: [Range<Int>] = []
        text.forEachScalar { if text.inexactValue($0) != nil { ranges.append($0) } }
        return ranges
    }

    /// The values of the numbers of a sound JSON text, as reals.
    static func reals(in bytes: [UInt8]) -> Set<Double> {
        var values: Set<Double> = []
        JSONText(bytes).forEachScalar { range in
            guard bytes[range.lowerBound] != UInt8(ascii: "\"") else { return }
            if let value = NumberText.double(bytes.span.extracting(range)) { values.insert(value) }
        }
        return values
    }
}

extension Document {
    /// One problem for each number of the JSON text that the document was read from whose digits are not those that its
    /// value is written with. The reader has noted whether there is any.
    package func digitLosses(in text: [UInt8]) -> [Problem] {
        facts.formatFacts.losesDigits ? JSON.digitLosses(in: text) : []
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

    /// The value of the number that stands in a range, if it is a real that loses digits.
    fileprivate func inexactValue(_ range: Range<Int>) -> Double? {
        let first = bytes[range.lowerBound]
        let isReal = first == UInt8(ascii: "-") || DecimalLiteral.isDigit(first)
        guard isReal, let number = try? number(at: range.lowerBound), let real = try? real64(number) else { return nil }
        return real.losesDigits ? real.value : nil
    }
}

extension JSONText.Number {
    /// Whether digits of a number are lost in its value as a real; those of an integer are not, as it is none.
    func losesDigits(_ literal: DecimalLiteral, as value: Double) -> Bool {
        // Fifteen digits always come back, but for the least numbers, which have an exponent.
        !isInteger && (hasExponent || range.count > 16) && !literal.isHeld(by: value.magnitude)
    }
}

extension DecimalLiteral {
    /// Whether a number is written with these digits: in the shortest way, or with seventeen of them, as many writers do.
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
