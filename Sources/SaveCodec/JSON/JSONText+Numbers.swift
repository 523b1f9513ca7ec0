/// Numbers (RFC 8259 §6).
extension JSONText {
    /// Where a number stands, and what its text says about it.
    struct Number {
        let range: Range<Int>
        /// Whether it has neither point nor exponent.
        let isInteger: Bool
        let hasExponent: Bool
        let isNegative: Bool
        /// The value, apart from the sign, of an integer of at most 18 digits.
        let magnitude: UInt64?

        /// Whether it is `-0`.
        var isNegativeZero: Bool { isNegative && magnitude == 0 }

        /// The value of an integer of at most 18 digits and without a sign.
        var unsigned: UInt64? { isNegative ? nil : magnitude }
    }

    /// The number that starts at `start`, with a digit or a minus sign.
    ///
    /// - Throws: a problem if its text is not as the grammar says.
    func number(at start: Int) throws(Problem) -> Number {
        let isNegative = self[start] == UInt8(ascii: "-")
        let digits = isNegative ? start + 1 : start
        var magnitude: UInt64 = 0
        var end = digits
        while Self.isDigit(self[end]) {
            magnitude = magnitude &* 10 &+ UInt64(self[end] & 0xF)
            end += 1
        }
        guard end > digits else { throw missingDigit(at: end, in: start, "after the minus sign") }
        guard end == digits + 1 || self[digits] != UInt8(ascii: "0") else {
            throw Problem(
                "json.number", "the number \(token(at: start)) has a leading zero; expected none", at: place(start))
        }
        let whole = end
        if self[end] == UInt8(ascii: ".") { end = try endOfDigits(from: end + 1, in: start, "after the point") }
        let hasExponent = self[end] | 0x20 == UInt8(ascii: "e")
        if hasExponent {
            let sign = self[end + 1] == UInt8(ascii: "+") || self[end + 1] == UInt8(ascii: "-")
            end = try endOfDigits(from: end + (sign ? 2 : 1), in: start, "in the exponent")
        }
        guard !Self.isWord(self[end]) else {
            throw Problem(
                "json.number", "found \(character(at: end)) in the number \(token(at: start)), expected its end",
                at: place(end))
        }
        return Number(
            range: start..<end, isInteger: end == whole, hasExponent: hasExponent, isNegative: isNegative,
            magnitude: end == whole && end - digits <= 18 ? magnitude : nil)
    }

    /// The value of an integer, which fits into 128 bits.
    func integer(_ number: Number) throws(Problem) -> Int128 {
        if let magnitude = number.magnitude { return number.isNegative ? -Int128(magnitude) : Int128(magnitude) }
        var value: Int128 = 0
        for offset in number.range where Self.isDigit(bytes[offset]) {
            let digit = Int128(bytes[offset] & 0xF)
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // Summed up on the side of its sign, as the least number has no positive counterpart.
            let sum =
                number.isNegative
                ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflow, !sum.overflow else {
                throw Problem(
                    "json.range",
                    "the whole number \(token(at: number.range.lowerBound)) is not within −2^127 to 2^127−1",
                    at: place(number.range.lowerBound))
            }
            value = sum.partialValue
        }
        return value
    }

    /// The real of eight bytes that is nearest to a number, and whether digits of the number are lost in it.
    func real64(_ number: Number) throws(Problem) -> (value: Double, losesDigits: Bool) {
        let start = number.range.lowerBound
        let digits = bytes.span.extracting(number.range)
        guard let literal = DecimalLiteral(digits), case let value = NumberText.double(literal, in: digits),
            value.isFinite
        else {
            throw .jsonRealRange(token(at: start), largest: "of eight bytes, 1.7976931348623157e+308", at: place(start))
        }
        return (value, number.losesDigits(literal, as: value))
    }

    /// The real of four bytes that is nearest to a number, rounded once.
    func real32(_ number: Number) throws(Problem) -> Float {
        let start = number.range.lowerBound
        guard let value = NumberText.float(bytes.span.extracting(number.range)), value.isFinite else {
            throw .jsonRealRange(token(at: start), largest: "of four bytes, 3.4028235e+38", at: place(start))
        }
        return value
    }

    /// The offset behind the digits from `offset` on, of which there is at least one.
    private func endOfDigits(from offset: Int, in start: Int, _ part: StaticString) throws(Problem) -> Int {
        var end = offset
        while Self.isDigit(self[end]) { end += 1 }
        guard end > offset else { throw missingDigit(at: end, in: start, part) }
        return end
    }

    private func missingDigit(at offset: Int, in start: Int, _ part: StaticString) -> Problem {
        Problem("json.number", "the number \(token(at: start)) lacks a digit \(part)", at: place(offset))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

extension Problem {
    static func jsonRealRange(_ number: String, largest: String, at place: SourceLocation) -> Problem {
        Problem("json.range", "the number \(number) exceeds the largest real \(largest)", at: place)
    }
}
