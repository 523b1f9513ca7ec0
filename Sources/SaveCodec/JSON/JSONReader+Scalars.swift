/// Strings and numbers.
extension JSONReader {
    /// Reads a string (RFC 8259 §7). One without escapes is copied as it stands.
    mutating func readString() throws(Problem) {
        let start = position + 1
        let end = text.endOfRun(from: start)
        if text[end] == UInt8(ascii: "\"") {
            let bytes = text.bytes
            builder.add(utf8: bytes.span.extracting(start..<end))
            position = end + 1
        } else {
            var units: [UInt16] = []
            position = try text.unescape(from: start, into: &units) + 1
            builder.add(utf16: units.span)
        }
    }

    /// Reads a number (§6): one with a point or an exponent is a real, and so is `-0`, which no integer can hold.
    mutating func readNumber() throws(Problem) {
        let number = try text.number(at: position)
        if number.isInteger && !number.isNegativeZero {
            builder.add(integer: try text.integer(number))
        } else {
            builder.add(real64: try text.real64(number))
        }
        position = number.range.upperBound
    }
}
