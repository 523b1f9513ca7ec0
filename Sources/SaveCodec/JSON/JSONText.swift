/// A JSON text in valid UTF-8, with functions that look ahead.
struct JSONText {
    let bytes: [UInt8]
    /// The text with comments and trailing commas, which are spaces in ``bytes``; nil for a text without them.
    private let commented: [UInt8]?
    /// The encoding and byte order mark in the file.
    let stored: StoredEncoding

    /// Decodes a file, which must be UTF-8 (RFC 8259 §8.1). A byte order mark is ignored.
    ///
    /// - Throws: A problem if the text is UTF-16 or UTF-32, or has an invalid UTF-8 byte.
    init(decoding file: [UInt8]) throws(Problem) {
        if let name = Self.wideEncoding(of: file) {
            throw Problem("json.encoding", "the text is \(name); expected UTF-8")
        }
        let hasMark = file.starts(with: [0xEF, 0xBB, 0xBF])
        stored = StoredEncoding(encoding: .utf8, hasMark: hasMark)
        commented = nil
        bytes = hasMark ? Array(file[3...]) : file
        if let offset = UTF8Text.firstInvalid(in: bytes.span) {
            throw Problem(
                "json.encoding",
                "byte \(Hexadecimal.prefixed(bytes[offset])) is not valid here; expected UTF-8 text",
                at: location(offset))
        }
    }

    /// Creates a text from valid UTF-8 that was read before.
    init(_ sound: [UInt8]) {
        bytes = sound
        stored = StoredEncoding(encoding: .utf8, hasMark: false)
        commented = nil
    }

    /// Creates a text from `bytes`, a copy of `text` in which spaces already replace the comments and trailing commas.
    init(_ bytes: [UInt8], writtenAs text: JSONText) {
        (self.bytes, commented, stored) = (bytes, text.bytes, text.stored)
    }

    /// Whether comments or trailing commas of the text are replaced by spaces in ``bytes``.
    var hasComments: Bool { commented != nil }
    /// The text as it is written, with the same offsets as ``bytes``.
    var written: [UInt8] { commented ?? bytes }

    /// Returns the encoding name of a UTF-16 or UTF-32 text; nil for UTF-8. It is detected from a byte order mark or
    /// from the zero bytes next to an ASCII character.
    private static func wideEncoding(of file: [UInt8]) -> String? {
        func starts(_ pattern: [UInt8]) -> Bool { file.starts(with: pattern) }
        func isASCII(_ offset: Int) -> Bool { file[offset] != 0 && file[offset] < 0x80 }
        if starts([0xFF, 0xFE, 0, 0]) || starts([0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if starts([0xFF, 0xFE]) || starts([0xFE, 0xFF]) { return "UTF-16" }
        guard file.count.isMultiple(of: 2), file.count >= 2 else { return nil }
        if starts([0, 0, 0]) || (isASCII(0) && file[1...].starts(with: [0, 0, 0])) { return "UTF-32" }
        if (file[0] == 0 && isASCII(1)) || (isASCII(0) && file[1] == 0) { return "UTF-16" }
        return nil
    }

    /// The byte at an offset; zero, which no JSON text contains, after the end.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    func location(_ offset: Int) -> SourceLocation {
        .inText(written, at: offset)
    }

    /// Returns the offset of the first byte from `offset` on that is not white space.
    @inline(__always)
    func skippingWhiteSpace(from offset: Int) -> Int {
        var offset = offset
        while true {
            switch self[offset] {
            // Most white space is the indentation of a line.
            case 0x0A: offset = skippingSpaces(from: offset + 1)
            case 0x20, 0x0D, 0x09: offset += 1
            default: return offset
            }
        }
    }

    /// Returns the offset of the first byte from `offset` on that is not a space.
    @inline(__always)
    private func skippingSpaces(from offset: Int) -> Int {
        var offset = offset
        while true {
            let count = EightBytes(bytes.span, at: offset).count(of: 0x20)
            offset += count
            if count < 8 { return offset }
        }
    }

    /// Returns the offset of the first byte from `offset` on that ends a run of unescaped characters: a quotation mark,
    /// a backslash, a control character, or the end of the text.
    @inline(__always)
    func endOfRun(from offset: Int) -> Int {
        bytes.span.firstIndex(from: offset) {
            $0.marks(below: 0x20) | $0.marks(of: UInt8(ascii: "\"")) | $0.marks(of: UInt8(ascii: "\\"))
        }
    }

    /// Returns the offset of the closing quotation mark of the string whose contents start at `offset`; nil if it is
    /// missing.
    func endOfString(from offset: Int) -> Int? {
        var offset = endOfRun(from: offset)
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset = endOfRun(from: offset + (bytes[offset] == UInt8(ascii: "\\") ? 2 : 1))
        }
        return offset < bytes.count ? offset : nil
    }

    /// Returns the offset after the string, number or word that starts at `offset`; nil if none starts there.
    func endOfScalar(at offset: Int) -> Int? {
        if self[offset] == UInt8(ascii: "\"") { return endOfString(from: offset + 1).map { $0 + 1 } }
        var end = offset
        while Self.isWord(self[end]) { end += 1 }
        return end > offset ? end : nil
    }

    /// Whether a byte can be part of a number or word.
    static func isWord(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    /// Returns the name of an object's first member as a tag, and the offset of that member's value. The object's brace
    /// is at `offset`. Returns nil if the name is not a tag.
    @inline(__always)
    func tag(ofObjectAt offset: Int) -> (tag: JSONTag, value: Int)? {
        let quote = skippingWhiteSpace(from: offset + 1)
        guard self[quote] == UInt8(ascii: "\"") else { return nil }
        guard self[quote + 1] == UInt8(ascii: "$") || self[quote + 1] == UInt8(ascii: "\\") else { return nil }
        return tag(named: quote + 1)
    }

    /// Returns the tag whose name starts at `start`, and the offset of the member's value.
    private func tag(named start: Int) -> (tag: JSONTag, value: Int)? {
        guard let (tag, end) = tagName(start) else { return nil }
        let colon = skippingWhiteSpace(from: end + 1)
        guard self[colon] == UInt8(ascii: ":") else { return nil }
        return (tag, skippingWhiteSpace(from: colon + 1))
    }

    /// Whether the name that starts at `start` identifies another JSON dialect.
    func isForeignName(at start: Int) -> Bool {
        guard let end = endOfString(from: start), let name = try? unescaped(start..<end) else { return false }
        return JSONTag.isForeign(name)
    }

    /// Returns the tag whose name starts at `start`, and the end of the name. No name has more than seven characters,
    /// so eight bytes without a quotation mark or an escape are not a tag.
    private func tagName(_ start: Int) -> (tag: JSONTag, end: Int)? {
        let name = EightBytes(bytes.span, at: start)
        let length = EightBytes.first(name.marks(of: UInt8(ascii: "\"")) | name.marks(of: UInt8(ascii: "\\")))
        guard length > 0, length < 8 else { return length == 0 ? escapedTag(start) : nil }
        guard self[start + length] == UInt8(ascii: "\"") else { return escapedTag(start) }
        let packed = name.first(length).word.byteSwapped >> UInt64(64 - 8 * length)
        return JSONTag(packed: packed).map { ($0, start + length) }
    }

    /// Returns a tag whose name has escapes. A name of seven characters takes at most 42 bytes, with every character
    /// escaped.
    private func escapedTag(_ start: Int) -> (tag: JSONTag, end: Int)? {
        guard let end = endOfString(from: start), end - start <= 42 else { return nil }
        guard let units = try? unescaped(start..<end) else { return nil }
        return JSONTag(units).map { ($0, end) }
    }

    /// Returns the contents of a string, without quotation marks, as UTF-16 code units.
    ///
    /// - Throws: A problem if an escape is invalid or a control character is not escaped.
    func unescaped(_ range: Range<Int>) throws(Problem) -> [UInt16] {
        var units: [UInt16] = []
        _ = try unescape(from: range.lowerBound, into: &units)
        return units
    }

    /// Appends the contents of the string that starts at `start`.
    ///
    /// - Returns: The offset of the closing quotation mark.
    func unescape(from start: Int, into units: inout [UInt16]) throws(Problem) -> Int {
        var offset = start
        while true {
            let end = endOfRun(from: offset)
            UTF8Text.appendUTF16(offset..<end, of: bytes.span, to: &units)
            switch self[end] {
            case UInt8(ascii: "\""):
                return end
            case UInt8(ascii: "\\"):
                let (unit, length) = try escape(at: end)
                units.append(unit)
                offset = end + length
            default:
                throw end < bytes.count
                    ? Problem(
                        "json.string",
                        "a string contains the control character U+00\(Hexadecimal.text(UInt64(bytes[end]))); expected an escape",
                        at: location(end))
                    : Problem(
                        "json.string", "the string that starts here is not closed; expected a closing quotation mark",
                        at: location(start - 1))
            }
        }
    }

    /// Returns the code unit of the escape at `offset`, and the escape's length.
    private func escape(at offset: Int) throws(Problem) -> (unit: UInt16, length: Int) {
        switch self[offset + 1] {
        case UInt8(ascii: "\""): (0x22, 2)
        case UInt8(ascii: "\\"): (0x5C, 2)
        case UInt8(ascii: "/"): (0x2F, 2)
        case UInt8(ascii: "b"): (0x08, 2)
        case UInt8(ascii: "f"): (0x0C, 2)
        case UInt8(ascii: "n"): (0x0A, 2)
        case UInt8(ascii: "r"): (0x0D, 2)
        case UInt8(ascii: "t"): (0x09, 2)
        case UInt8(ascii: "u"): (try hexEscape(at: offset), 6)
        default:
            throw Problem(
                "json.escape",
                "found \(character(at: offset + 1)) after a backslash; expected one of \" \\ / b f n r t u",
                at: location(offset))
        }
    }

    private func hexEscape(at offset: Int) throws(Problem) -> UInt16 {
        let digits = offset + 2..<min(offset + 6, bytes.count)
        guard digits.count == 4, let unit = Hexadecimal.number(bytes.span.extracting(digits), allowsUppercase: true)
        else {
            throw Problem(
                "json.escape", "found \(excerpt(digits)) after \\u; expected four hexadecimal digits",
                at: location(offset))
        }
        return UInt16(truncatingIfNeeded: unit)
    }

    /// The maximum length of an excerpt, in Unicode scalar values.
    private static let quotedCount = 40

    /// Describes the text at an offset.
    func found(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end of the text" }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return "a string"
        case UInt8(ascii: "["): return "an array"
        case UInt8(ascii: "{"): return "an object"
        case UInt8(ascii: "/") where self[offset + 1] == UInt8(ascii: "/") || self[offset + 1] == UInt8(ascii: "*"):
            let isClosed = SourceComments.endOfJSON(at: offset, of: bytes) != nil
            return isClosed ? "a comment, which JSON does not allow" : "a comment that is not closed"
        default: return token(at: offset)
        }
    }

    /// Describes the value at an offset: the text of a scalar, or the kind of anything else.
    func contents(at offset: Int) -> String {
        guard endOfScalar(at: offset) != nil else { return found(at: offset) }
        let token = token(at: offset)
        return bytes[offset] == UInt8(ascii: "\"") ? token : String(token.dropFirst().dropLast())
    }

    /// Returns the string, number, word or character at an offset, in quotation marks.
    func token(at offset: Int) -> String {
        guard let end = endOfScalar(at: offset) else { return character(at: offset) }
        return bytes[offset] == UInt8(ascii: "\"") ? excerpt(offset + 1..<end - 1) : excerpt(offset..<end)
    }

    func character(at offset: Int) -> String {
        excerpt(offset..<bytes.count, count: 1)
    }

    /// Returns at most `count` characters of a range in quotation marks, or `the end of the text`.
    func excerpt(_ range: Range<Int>, count: Int = quotedCount) -> String {
        guard range.lowerBound < bytes.count else { return "the end of the text" }
        var offset = range.lowerBound
        var scalars = String.UnicodeScalarView()
        while offset < range.upperBound, scalars.count < count {
            let (value, length) = UTF8Text.decode(bytes.span, at: offset)
            scalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
            offset += length
        }
        let mark = offset < range.upperBound && count == Self.quotedCount ? "…" : ""
        return "\"" + SafeText.escaping(String(scalars)) + mark + "\""
    }

    /// Whether the ASCII text `literal` is at an offset.
    func holds(_ literal: String, at offset: Int) -> Bool {
        var offset = offset
        for byte in literal.utf8 {
            guard self[offset] == byte else { return false }
            offset += 1
        }
        return true
    }
}

// MARK: Numbers

extension JSONText {
    struct Number {
        let range: Range<Int>
        /// Whether the number has neither a point nor an exponent.
        let isInteger: Bool
        let hasExponent: Bool
        let isNegative: Bool
        /// The absolute value of an integer of at most 18 digits; nil for other numbers.
        let magnitude: UInt64?

        /// Whether the number is `-0`.
        var isNegativeZero: Bool { isNegative && magnitude == 0 }

        /// The value of a nonnegative integer of at most 18 digits.
        var unsigned: UInt64? { isNegative ? nil : magnitude }
    }

    /// Returns the number that starts at `start` with a digit or a minus sign.
    ///
    /// - Throws: A problem if the text does not match the grammar.
    func number(at start: Int) throws(Problem) -> Number {
        let isNegative = self[start] == UInt8(ascii: "-")
        let digits = isNegative ? start + 1 : start
        var magnitude: UInt64 = 0
        var end = digits
        while self[end].isDigit {
            magnitude = magnitude &* 10 &+ UInt64(self[end] & 0xF)
            end += 1
        }
        guard end > digits else { throw missingDigit(at: end, in: start, "after the minus sign") }
        guard end == digits + 1 || self[digits] != UInt8(ascii: "0") else {
            throw Problem(
                "json.number", "the number \(token(at: start)) has a leading zero; expected none", at: location(start))
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
                "json.number",
                "found \(character(at: end)) in the number \(token(at: start)); expected the end of the number",
                at: location(end))
        }
        return Number(
            range: start..<end, isInteger: end == whole, hasExponent: hasExponent, isNegative: isNegative,
            magnitude: end == whole && end - digits <= 18 ? magnitude : nil)
    }

    /// Returns the value of an integer.
    ///
    /// - Throws: A problem if the value exceeds 128 bits.
    func integer(_ number: Number) throws(Problem) -> Int128 {
        if let magnitude = number.magnitude { return number.isNegative ? -Int128(magnitude) : Int128(magnitude) }
        var value: Int128 = 0
        for offset in number.range where bytes[offset].isDigit {
            let digit = Int128(bytes[offset] & 0xF)
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // The sum takes the sign of the number, because the smallest number has no positive counterpart.
            let sum =
                number.isNegative
                ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflow, !sum.overflow else {
                throw Problem(
                    "json.range",
                    "the integer \(token(at: number.range.lowerBound)) is out of range; expected −2^127 to 2^127−1",
                    at: location(number.range.lowerBound))
            }
            value = sum.partialValue
        }
        return value
    }

    /// Returns the nearest 64-bit real, and whether digits of the number are lost.
    func real64(_ number: Number) throws(Problem) -> (value: Double, losesDigits: Bool) {
        let start = number.range.lowerBound
        let digits = bytes.span.extracting(number.range)
        guard let literal = DecimalLiteral(digits), case let value = NumberText.double(literal, in: digits),
            value.isFinite
        else {
            throw .jsonRealRange(token(at: start), largest: "64-bit real, 1.7976931348623157e+308", at: location(start))
        }
        return (value, number.losesDigits(literal, as: value))
    }

    /// Returns the nearest 32-bit real, rounded once rather than by way of a 64-bit real.
    func real32(_ number: Number) throws(Problem) -> Float {
        let start = number.range.lowerBound
        guard let value = NumberText.float(bytes.span.extracting(number.range)), value.isFinite else {
            throw .jsonRealRange(token(at: start), largest: "32-bit real, 3.4028235e+38", at: location(start))
        }
        return value
    }

    /// Returns the offset after the digits that start at `offset`.
    ///
    /// - Throws: A problem if the first character is not a digit.
    private func endOfDigits(from offset: Int, in start: Int, _ part: StaticString) throws(Problem) -> Int {
        var end = offset
        while end < bytes.count, EightBytes(bytes.span, at: end).areDigits { end += 8 }
        while self[end].isDigit { end += 1 }
        guard end > offset else { throw missingDigit(at: end, in: start, part) }
        return end
    }

    private func missingDigit(at offset: Int, in start: Int, _ part: StaticString) -> Problem {
        Problem("json.number", "the number \(token(at: start)) lacks a digit \(part)", at: location(offset))
    }
}

extension Problem {
    fileprivate static func jsonRealRange(_ number: String, largest: String, at location: SourceLocation) -> Problem {
        Problem("json.range", "the number \(number) exceeds the largest \(largest)", at: location)
    }
}
