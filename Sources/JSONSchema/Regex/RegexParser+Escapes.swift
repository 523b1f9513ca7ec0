extension RegexParser {
    /// `CharacterEscape :: ControlEscape | "c" AsciiLetter | "0" | HexEscapeSequence | …`, with the backslash.
    mutating func characterEscape() throws(RegexFault) -> UInt32 {
        let start = position
        guard let point = peek(1) else {
            throw RegexFault("“\\” is the last character, where what it escapes is expected after it", at: start)
        }
        position += 2
        switch point {
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "0":
            if let digit = peek(), ("0"..."9").contains(digit) {
                throw RegexFault("“\\0” is followed by a digit", at: start)
            }
            return 0
        case "c": return try controlLetter(from: start)
        case "x":
            guard let value = hexDigits(2) else {
                throw RegexFault("“\\x” is not followed by two hexadecimal digits", at: start)
            }
            return value
        case "u": return try unicodeEscape(from: start)
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return point.value
        default: throw RegexFault("“\\\(RegexFault.shown(source[start + 1]))” is not an escape", at: start)
        }
    }

    /// `"c" AsciiLetter`
    private mutating func controlLetter(from start: Int) throws(RegexFault) -> UInt32 {
        guard let letter = peek(), ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) else {
            throw RegexFault("“\\c” is not followed by a letter from A to Z", at: start)
        }
        position += 1
        return letter.value % 32
    }

    /// `RegExpUnicodeEscapeSequence`, after its `\u`: four digits, twice four for a surrogate pair, or braces.
    private mutating func unicodeEscape(from start: Int) throws(RegexFault) -> UInt32 {
        if skip("{") { return try bracedPoint(from: start) }
        guard let first = hexDigits(4) else { throw .unicodeDigits(at: start) }
        guard (0xD800...0xDBFF).contains(first) else { return first }
        let afterFirst = position
        if skip("\\u"), let second = hexDigits(4), (0xDC00...0xDFFF).contains(second) {
            return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        }
        position = afterFirst
        return first
    }

    /// `"{" CodePoint "}"`, after the brace.
    private mutating func bracedPoint(from start: Int) throws(RegexFault) -> UInt32 {
        var value: UInt32 = 0
        let firstDigit = position
        while let digit = hexDigits(1) {
            value = value << 4 | digit
            guard value <= CodePointSet.last else { throw .unicodeDigits(at: start) }
        }
        guard position > firstDigit, skip("}") else { throw .unicodeDigits(at: start) }
        return value
    }

    /// The value of exactly so many hexadecimal digits.
    private mutating func hexDigits(_ count: Int) -> UInt32? {
        var value: UInt32 = 0
        for distance in 0..<count {
            switch peek(distance) {
            case .some(let digit) where ("0"..."9").contains(digit): value = value << 4 | (digit.value - 0x30)
            case .some(let digit) where ("a"..."f").contains(digit): value = value << 4 | (digit.value - 0x61 + 10)
            case .some(let digit) where ("A"..."F").contains(digit): value = value << 4 | (digit.value - 0x41 + 10)
            default: return nil
            }
        }
        position += count
        return value
    }

    /// `GroupName :: "<" RegExpIdentifierName ">"`, after the `<`.
    mutating func groupName() throws(RegexFault) -> [UInt32] {
        let start = position
        var name: [UInt32] = []
        while !skip(">") {
            guard position < source.count else { throw .groupName(at: start) }
            let point = try namePoint(from: start)
            guard Self.isNamePoint(point, isFirst: name.isEmpty) else { throw .groupName(at: start) }
            name.append(point)
        }
        guard !name.isEmpty else { throw .groupName(at: start) }
        return name
    }

    private mutating func namePoint(from start: Int) throws(RegexFault) -> UInt32 {
        let escape = position
        if skip("\\u") { return try unicodeEscape(from: escape) }
        defer { position += 1 }
        return source[position]
    }

    private static func isNamePoint(_ point: UInt32, isFirst: Bool) -> Bool {
        guard let scalar = Unicode.Scalar(point) else { return false }
        switch scalar {
        case "$", "_": return true
        case "\u{200C}", "\u{200D}": return !isFirst
        default: return isFirst ? scalar.properties.isIDStart : scalar.properties.isIDContinue
        }
    }
}
