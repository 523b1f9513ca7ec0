/// Tagged values whose contents are scalars (see <doc:TypedJSON>).
///
/// They are read by looking ahead: contents and brace are on the next few bytes, and a number goes straight from its
/// text into its type.
extension JSONReader {
    /// Reads the object at the position, whose first member has the name of a tag and the value at an offset, if that is a
    /// scalar and the only member.
    ///
    /// - Returns: false, having read nothing, for any other object, that with a save in it included.
    /// - Throws: a problem if the contents are not what the tag holds.
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

    /// The problem that a tag's member has other contents than it should.
    func wrongContents(of tag: JSONTag, at offset: Int) -> Problem {
        Problem(
            "json.tag", "\"\(tag.rawValue)\" holds \(text.contents(at: offset)), expected \(tag.contents)",
            at: text.place(offset))
    }

    private mutating func real32(at offset: Int) throws(Problem) -> Float {
        guard text[offset] == UInt8(ascii: "\"") else {
            let number = try number(at: offset, of: .real32)
            let real = try text.real32(number)
            // Of digits that are lost is told as if it were a real of eight bytes, whose range is larger.
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

    /// The offset behind the `{"$real": …}` that may stand in place of a date; nil if there is none.
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

    /// What base64 text decodes to; `offset` tells where in the file one of its characters stands.
    private func decoded(_ characters: Span<UInt8>, offset: (Int) -> Int) throws(Problem) -> [UInt8] {
        switch Base64.decode(characters) {
        case .success(let bytes):
            return bytes
        case .failure(let fault):
            let offset = offset(fault.offset)
            guard fault.offset < characters.count else {
                throw Problem(
                    "json.base64", "the base64 text ends within a group; expected groups of four characters",
                    at: text.place(offset))
            }
            throw Problem(
                "json.base64", "found \(text.character(at: offset)) in base64 text, where it does not belong",
                at: text.place(offset))
        }
    }

    private func uid(at offset: Int) throws(Problem) -> UInt32 {
        guard text[offset] != UInt8(ascii: "\""), let value = try number(at: offset, of: .uid).unsigned,
            let uid = UInt32(exactly: value)
        else { throw wrongContents(of: .uid, at: offset) }
        return uid
    }

    /// The number at an offset where a tag's member may have nothing else.
    private func number(at offset: Int, of tag: JSONTag) throws(Problem) -> JSONText.Number {
        switch text[offset] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try text.number(at: offset)
        default: throw wrongContents(of: tag, at: offset)
        }
    }

    /// The contents of the string at an offset as UTF-8; a lone surrogate becomes U+FFFD, which no tag allows.
    private func string(at offset: Int) throws(Problem) -> [UInt8] {
        var units: [UInt16] = []
        _ = try text.unescape(from: offset + 1, into: &units)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

/// Strings and numbers.
extension JSONReader {
    /// Reads a string (RFC 8259 §7). One without escapes is copied as it stands.
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

    /// Reads a number (§6): one with a point or an exponent is a real, and so is `-0`, which no integer can hold.
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

    /// The real that is nearest to a number; whether digits are lost is noted.
    private mutating func real64(_ number: JSONText.Number) throws(Problem) -> Double {
        let (value, losesDigits) = try text.real64(number)
        if losesDigits { builder.formatFacts.losesDigits = true }
        return value
    }
}
