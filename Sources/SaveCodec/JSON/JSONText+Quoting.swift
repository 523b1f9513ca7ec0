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
    @inline(__always)
    func holds(_ literal: String, at offset: Int) -> Bool {
        var offset = offset
        for byte in literal.utf8 {
            guard self[offset] == byte else { return false }
            offset += 1
        }
        return true
    }
}
