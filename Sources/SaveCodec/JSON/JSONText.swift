/// A JSON text as valid UTF-8, and looks ahead in it that read nothing.
struct JSONText {
    let bytes: [UInt8]
    /// How the file stores it.
    let stored: StoredEncoding

    /// The text of a file: UTF-8 (RFC 8259 §8.1), with a byte order mark ignored.
    ///
    /// - Throws: a problem if it is UTF-16 or UTF-32, or holds a byte that is not UTF-8.
    init(decoding file: [UInt8]) throws(Problem) {
        if let name = Self.wideEncoding(of: file) {
            throw Problem("json.encoding", "the text is \(name); expected UTF-8")
        }
        let hasMark = file.starts(with: [0xEF, 0xBB, 0xBF])
        stored = StoredEncoding(encoding: .utf8, hasMark: hasMark)
        bytes = hasMark ? Array(file[3...]) : file
        if let offset = UTF8Text.firstInvalid(in: bytes.span) {
            throw Problem(
                "json.encoding",
                "byte 0x\(Hexadecimal.text(UInt64(bytes[offset]))) is not UTF-8 here; expected UTF-8 text",
                at: place(offset))
        }
    }

    /// A text that has been read already.
    init(_ sound: [UInt8]) {
        bytes = sound
        stored = StoredEncoding(encoding: .utf8, hasMark: false)
    }

    /// The name of the encoding that the first bytes tell, by a byte order mark or by the zeros beside an ASCII
    /// character, if it is not UTF-8.
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

    /// The byte at an offset; behind the end, zero, which no JSON text holds.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    /// The line and column of the byte at an offset.
    func place(_ offset: Int) -> SourceLocation {
        .inText(bytes, at: offset)
    }

    /// The offset of the first byte from `offset` on that is no white space.
    @inline(__always)
    func skippingWhiteSpace(from offset: Int) -> Int {
        var offset = offset
        while true {
            switch self[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return offset
            }
        }
    }

    /// The offset of the first byte from `offset` on that cannot stand for itself in a string: a quotation mark, a
    /// backslash, a control character, or the end.
    @inline(__always)
    func endOfRun(from offset: Int) -> Int {
        bytes.span.firstIndex(from: offset) {
            $0.marks(below: 0x20) | $0.marks(of: UInt8(ascii: "\"")) | $0.marks(of: UInt8(ascii: "\\"))
        }
    }

    /// The offset of the quotation mark that ends the string whose contents start at `offset`; nil if there is none.
    func endOfString(from offset: Int) -> Int? {
        var offset = endOfRun(from: offset)
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset = endOfRun(from: offset + (bytes[offset] == UInt8(ascii: "\\") ? 2 : 1))
        }
        return offset < bytes.count ? offset : nil
    }

    /// The offset behind the string, number or word that starts at `offset`; nil if something else does.
    func endOfScalar(at offset: Int) -> Int? {
        if self[offset] == UInt8(ascii: "\"") { return endOfString(from: offset + 1).map { $0 + 1 } }
        var end = offset
        while Self.isWord(self[end]) { end += 1 }
        return end > offset ? end : nil
    }

    /// Whether a byte can be part of a number or word.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The tag that names the first member of the object whose brace stands at `offset`, and where the member's value
    /// starts; nil if its name is no tag.
    @inline(__always)
    func tag(ofObjectAt offset: Int) -> (tag: JSONTag, value: Int)? {
        let quote = skippingWhiteSpace(from: offset + 1)
        guard self[quote] == UInt8(ascii: "\"") else { return nil }
        guard self[quote + 1] == UInt8(ascii: "$") || self[quote + 1] == UInt8(ascii: "\\") else { return nil }
        return tag(named: quote + 1)
    }

    /// The tag whose name starts at `start`, and where the value behind it starts.
    private func tag(named start: Int) -> (tag: JSONTag, value: Int)? {
        guard let (tag, end) = tagName(start) else { return nil }
        let colon = skippingWhiteSpace(from: end + 1)
        guard self[colon] == UInt8(ascii: ":") else { return nil }
        return (tag, skippingWhiteSpace(from: colon + 1))
    }

    /// Whether the name that starts at `start` with `$` is one that other kinds of JSON have.
    func isForeignName(at start: Int) -> Bool {
        guard let end = endOfString(from: start), let name = try? unescaped(start..<end) else { return false }
        return JSONTag.isForeign(name)
    }

    /// The tag whose name starts at `start`, and where the name ends. Every name has at most seven characters, so that
    /// eight bytes without an end and an escape are none.
    private func tagName(_ start: Int) -> (tag: JSONTag, end: Int)? {
        let name = EightBytes(bytes.span, at: start)
        let length = EightBytes.first(name.marks(of: UInt8(ascii: "\"")) | name.marks(of: UInt8(ascii: "\\")))
        guard length > 0, length < 8 else { return length == 0 ? escapedTag(start) : nil }
        guard self[start + length] == UInt8(ascii: "\"") else { return escapedTag(start) }
        let packed = name.first(length).word.byteSwapped >> UInt64(64 - 8 * length)
        return JSONTag(packed: packed).map { ($0, start + length) }
    }

    /// A name of seven characters takes at most 42 bytes, all of them escaped.
    private func escapedTag(_ start: Int) -> (tag: JSONTag, end: Int)? {
        guard let end = endOfString(from: start), end - start <= 42 else { return nil }
        guard let units = try? unescaped(start..<end) else { return nil }
        return JSONTag(units).map { ($0, end) }
    }
}

/// The contents of strings (RFC 8259 §7).
extension JSONText {
    /// The contents of a string, between its quotation marks, as UTF-16 code units.
    ///
    /// - Throws: a problem if an escape is not one of JSON's, or if a control character stands for itself.
    func unescaped(_ range: Range<Int>) throws(Problem) -> [UInt16] {
        var units: [UInt16] = []
        _ = try unescape(from: range.lowerBound, into: &units)
        return units
    }

    /// Appends the contents of the string that start at `start`, and returns the offset of the quotation mark behind.
    func unescape(from start: Int, into units: inout [UInt16]) throws(Problem) -> Int {
        var offset = start
        while true {
            let end = endOfRun(from: offset)
            appendUnits(offset..<end, to: &units)
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
                        "a string holds the control character U+00\(Hexadecimal.text(UInt64(bytes[end]))); expected its escape",
                        at: place(end))
                    : Problem(
                        "json.string", "the string that begins here has no end; expected a closing quotation mark",
                        at: place(start - 1))
            }
        }
    }

    private func appendUnits(_ range: Range<Int>, to units: inout [UInt16]) {
        let text = bytes.span
        var offset = range.lowerBound
        while offset < range.upperBound {
            let (scalar, length) = UTF8Text.decode(text, at: offset)
            offset += length
            if scalar >= 0x10000 {
                units.append(0xD800 | UInt16(truncatingIfNeeded: (scalar - 0x10000) >> 10))
                units.append(0xDC00 | UInt16(truncatingIfNeeded: scalar & 0x3FF))
            } else {
                units.append(UInt16(truncatingIfNeeded: scalar))
            }
        }
    }

    /// The code unit that the escape at `offset` stands for, and the length of the escape.
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
                "found \(character(at: offset + 1)) behind a backslash, expected one of \" \\ / b f n r t u",
                at: place(offset))
        }
    }

    private func hexEscape(at offset: Int) throws(Problem) -> UInt16 {
        let digits = offset + 2..<min(offset + 6, bytes.count)
        guard digits.count == 4, let unit = Hexadecimal.number(bytes.span.extracting(digits), allowsUppercase: true)
        else {
            throw Problem(
                "json.escape", "found \(excerpt(digits)) behind \\u, expected four hexadecimal digits",
                at: place(offset))
        }
        return UInt16(truncatingIfNeeded: unit)
    }
}

/// What stands at a place, for the sentence of a problem.
extension JSONText {
    /// The longest excerpt of a text that a sentence quotes, in Unicode scalar values.
    private static let quotedCount = 40

    /// What stands at an offset, as a sentence names it.
    func found(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end of the text" }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return "a string"
        case UInt8(ascii: "["): return "an array"
        case UInt8(ascii: "{"): return "an object"
        case UInt8(ascii: "/") where self[offset + 1] == UInt8(ascii: "/") || self[offset + 1] == UInt8(ascii: "*"):
            return "a comment, which JSON does not have"
        default: return token(at: offset)
        }
    }

    /// The value at an offset, as a sentence names it: a scalar as it is written, and what else it is.
    func contents(at offset: Int) -> String {
        guard endOfScalar(at: offset) != nil else { return found(at: offset) }
        let token = token(at: offset)
        return bytes[offset] == UInt8(ascii: "\"") ? token : String(token.dropFirst().dropLast())
    }

    /// The string, number, word or character at an offset, in quotation marks.
    func token(at offset: Int) -> String {
        guard let end = endOfScalar(at: offset) else { return character(at: offset) }
        return bytes[offset] == UInt8(ascii: "\"") ? excerpt(offset + 1..<end - 1) : excerpt(offset..<end)
    }

    /// The character at an offset, in quotation marks.
    func character(at offset: Int) -> String {
        excerpt(offset..<bytes.count, count: 1)
    }

    /// At most `count` characters of a range in quotation marks, or the statement that the text ends before it.
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

    /// Whether the ASCII characters of `literal` stand at an offset.
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
    fileprivate static func jsonRealRange(_ number: String, largest: String, at place: SourceLocation) -> Problem {
        Problem("json.range", "the number \(number) exceeds the largest real \(largest)", at: place)
    }
}
