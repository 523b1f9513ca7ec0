/// Tagged values with scalar contents (see <doc:TypedJSON>).
///
/// The reader looks ahead to the contents and the closing brace, which are only a few bytes away, and converts a number
/// directly from its text to its type.
extension JSONReader {
    /// Reads the object at the position as a tagged scalar if its tag is the only member and has a scalar value.
    ///
    /// - Parameter value: The offset of the value of the first member, whose name is `tag`.
    /// - Returns: False, without reading anything, for any other object, including a nested save.
    /// - Throws: A problem if the contents are invalid for the tag.
    mutating func readTaggedScalar(_ tag: JSONTag, contentsAt value: Int) throws(Problem) -> Bool {
        guard tag.nestedFormat == nil, let end = text.endOfScalar(at: value) ?? endOfReal(in: tag, at: value) else {
            return false
        }
        let brace = text.skippingWhiteSpace(from: end)
        guard text[brace] == UInt8(ascii: "}") else { return false }
        switch tag {
        case .real32:
            let real = try real32(at: value)
            builder.add(real32: real)
        case .real: builder.add(real64: try nonFiniteReal(at: value))
        case .date:
            let seconds = try date(at: value)
            builder.add(date: seconds)
        case .data:
            let bytes = try data(at: value)
            builder.add(data: bytes.span)
        case .uid: builder.add(StoredUID(try uid(at: value)))
        case .set, .dict, .bplist, .xplist: throw wrongContents(of: tag, at: value)
        }
        position = brace + 1
        return true
    }

    /// Returns the problem for a tag with invalid contents at `offset`.
    func wrongContents(of tag: JSONTag, at offset: Int) -> Problem {
        Problem(
            "json.tag", "\"\(tag.rawValue)\" is \(text.contents(at: offset)); expected \(tag.contents)",
            at: text.location(offset))
    }

    private mutating func real32(at offset: Int) throws(Problem) -> Float {
        guard text[offset] == UInt8(ascii: "\"") else {
            let number = try number(at: offset, of: .real32)
            let real = try text.real32(number)
            // Notes lost digits as for a 64-bit real. This cannot fail, because a 64-bit real has the larger range.
            _ = try real64(number)
            return real
        }
        let word = try string(at: offset)
        guard let bits = NonFiniteReal.real32.bits(of: word.span) else { throw wrongContents(of: .real32, at: offset) }
        return Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    }

    private func nonFiniteReal(at offset: Int) throws(Problem) -> Double {
        guard text[offset] == UInt8(ascii: "\"") else { throw wrongContents(of: .real, at: offset) }
        let word = try string(at: offset)
        guard let bits = NonFiniteReal.real64.bits(of: word.span) else { throw wrongContents(of: .real, at: offset) }
        return Double(bitPattern: bits)
    }

    /// Returns the offset after the `{"$real": …}` in a date; nil for anything else.
    private func endOfReal(in tag: JSONTag, at offset: Int) -> Int? {
        guard tag == .date, text[offset] == UInt8(ascii: "{"), let inner = text.tag(ofObjectAt: offset),
            inner.tag == .real, let end = text.endOfScalar(at: inner.value)
        else { return nil }
        let brace = text.skippingWhiteSpace(from: end)
        return text[brace] == UInt8(ascii: "}") ? brace + 1 : nil
    }

    private mutating func date(at offset: Int) throws(Problem) -> Double {
        switch text[offset] {
        case UInt8(ascii: "{"):
            guard let inner = text.tag(ofObjectAt: offset) else { throw wrongContents(of: .date, at: offset) }
            return try nonFiniteReal(at: inner.value)
        case UInt8(ascii: "\""):
            let date = try string(at: offset)
            guard let seconds = Timestamp.secondsSince2001(date.span) else {
                throw wrongContents(of: .date, at: offset)
            }
            return seconds
        default:
            return try real64(try number(at: offset, of: .date))
        }
    }

    private func data(at offset: Int) throws(Problem) -> [UInt8] {
        guard text[offset] == UInt8(ascii: "\"") else { throw wrongContents(of: .data, at: offset) }
        let end = text.endOfRun(from: offset + 1)
        if text[end] == UInt8(ascii: "\"") {
            return try decoded(text.bytes.span.extracting(offset + 1..<end)) { offset + 1 + $0 }
        }
        let characters = try string(at: offset)
        return try decoded(characters.span) { _ in offset }
    }

    /// Decodes Base64 text. The closure converts an index of `characters` into a file offset.
    private func decoded(_ characters: Span<UInt8>, offset: (Int) -> Int) throws(Problem) -> [UInt8] {
        switch Base64.decode(characters) {
        case .success(let bytes):
            return bytes
        case .failure(let fault):
            let offset = offset(fault.offset)
            guard fault.offset < characters.count else {
                throw Problem(
                    "json.base64", "the base64 text ends within a group; expected groups of four characters",
                    at: text.location(offset))
            }
            throw Problem(
                "json.base64", "found \(text.character(at: offset)) in base64 text; expected a base64 character",
                at: text.location(offset))
        }
    }

    private func uid(at offset: Int) throws(Problem) -> UInt32 {
        guard text[offset] != UInt8(ascii: "\""), let value = try number(at: offset, of: .uid).unsigned,
            let uid = UInt32(exactly: value)
        else { throw wrongContents(of: .uid, at: offset) }
        return uid
    }

    /// Returns the number at an offset, where the tag allows nothing else.
    private func number(at offset: Int, of tag: JSONTag) throws(Problem) -> JSONText.Number {
        switch text[offset] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try text.number(at: offset)
        default: throw wrongContents(of: tag, at: offset)
        }
    }

    /// Returns the contents of the string at an offset as UTF-8. A lone surrogate becomes U+FFFD, which no tag allows.
    private func string(at offset: Int) throws(Problem) -> [UInt8] {
        var units: [UInt16] = []
        _ = try text.unescape(from: offset + 1, into: &units)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Reads a string (RFC 8259 §7). A string without escapes is copied unchanged.
    mutating func readString() throws(Problem) {
        let start = position + 1
        let end = text.endOfRun(from: start)
        if text[end] == UInt8(ascii: "\"") {
            let bytes = text.bytes
            builder.add(utf8: bytes.span, in: start..<end)
            position = end + 1
        } else {
            var units: [UInt16] = []
            position = try text.unescape(from: start, into: &units) + 1
            builder.add(utf16: units.span)
        }
    }

    /// Reads a number (§6). A number with a point or an exponent is a real, and so is `-0`, which no integer can
    /// represent.
    mutating func readNumber() throws(Problem) {
        let number = try text.number(at: position)
        if number.isInteger && !number.isNegativeZero {
            builder.add(integer: try text.integer(number))
        } else {
            let real = try real64(number)
            builder.add(real64: real)
        }
        position = number.range.upperBound
    }

    /// Returns the real nearest to a number, and notes whether digits are lost.
    private mutating func real64(_ number: JSONText.Number) throws(Problem) -> Double {
        let (value, losesDigits) = try text.real64(number)
        if losesDigits { builder.formatFacts.losesDigits = true }
        return value
    }
}
