import SaveCodec

extension RegexParser {
    /// `CharacterClass :: "[" ClassContents "]" | "[^" ClassContents "]"`
    mutating func characterClass() throws(RegexSyntaxError) -> CodePointSet {
        let opening = position
        position += 1
        let isInverted = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !skip("]") {
            guard position < source.count else { throw RegexSyntaxError("unclosed “[”", at: opening) }
            ranges += try classRanges()
            guard ranges.count <= Self.rangeLimit else {
                throw .tooManyRanges(limit: Self.rangeLimit, at: opening)
            }
        }
        let set = CodePointSet(ranges)
        return isInverted ? set.inverted : set
    }

    /// `ClassAtom | ClassAtom "-" ClassAtom`
    private mutating func classRanges() throws(RegexSyntaxError) -> [ClosedRange<UInt32>] {
        let start = position
        let first = try classAtom()
        guard peek() == "-", let next = peek(1), next != "]" else { return ranges(of: first) }
        position += 1
        let last = try classAtom()
        guard case .point(let low) = first, case .point(let high) = last else {
            throw RegexSyntaxError("a range ends in a character class; expected a single character", at: start)
        }
        guard low <= high else { throw RegexSyntaxError("the range's second character is before its first", at: start) }
        return withOtherCase(CodePointSet([low...high])).ranges
    }

    private func ranges(of atom: ClassAtom) -> [ClosedRange<UInt32>] {
        switch atom {
        case .point(let point): withOtherCase(CodePointSet(point)).ranges
        case .set(let set): set.ranges
        }
    }

    /// An element of a class: a code point, or an escape for a set of them.
    private enum ClassAtom {
        case point(UInt32)
        case set(CodePointSet)
    }

    /// `ClassAtom :: "-" | SourceCharacter but not one of "\" "]" "-" | "\" ClassEscape`
    private mutating func classAtom() throws(RegexSyntaxError) -> ClassAtom {
        if skip("\\b") { return .point(0x08) }
        if skip("\\-") { return .point(0x2D) }
        guard peek() == "\\" else {
            defer { position += 1 }
            return .point(source[position])
        }
        if let set = try classEscape() { return .set(set) }
        return .point(try characterEscape())
    }

    /// `CharacterClassEscape :: "d" | "D" | "s" | "S" | "w" | "W" | "p{" … "}" | "P{" … "}"`, including the backslash.
    mutating func classEscape() throws(RegexSyntaxError) -> CodePointSet? {
        if skip("\\d") { return .digits }
        if skip("\\D") { return CodePointSet.digits.inverted }
        if skip("\\s") { return .space }
        if skip("\\S") { return CodePointSet.space.inverted }
        if skip("\\w") { return .word }
        if skip("\\W") { return CodePointSet.word.inverted }
        let start = position
        if skip("\\p") { return try property(from: start) }
        return skip("\\P") ? try property(from: start).inverted : nil
    }

    /// `"{" UnicodePropertyValueExpression "}"`
    private mutating func property(from start: Int) throws(RegexSyntaxError) -> CodePointSet {
        guard skip("{") else { throw .propertyBraces(at: start) }
        guard let end = source[position...].firstIndex(of: 0x7D) else { throw .propertyBraces(at: start) }
        let spelling = Array(source[position..<end])
        position = end + 1
        if let known = properties[spelling] { return known }
        let parts = spelling.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false).map(Self.name)
        let set =
            parts.count == 2
            ? UnicodeProperty.set(name: parts[0], value: parts[1]) : UnicodeProperty.set(name: parts[0])
        guard let set else {
            let name = String(spelling.prefix(40).compactMap(Unicode.Scalar.init).map(Character.init))
            throw RegexSyntaxError("“\(SafeText.escaping(name))” is not a character property", at: start)
        }
        properties[spelling] = withOtherCase(set)
        return withOtherCase(set)
    }

    private static func name(_ points: ArraySlice<UInt32>) -> String {
        var name = ""
        for point in points { name.unicodeScalars.append(Unicode.Scalar(point) ?? "?") }
        return name
    }
}

// MARK: Escapes

extension RegexParser {
    /// `CharacterEscape :: ControlEscape | "c" AsciiLetter | "0" | HexEscapeSequence | …`, including the backslash.
    mutating func characterEscape() throws(RegexSyntaxError) -> UInt32 {
        let start = position
        guard let point = peek(1) else {
            throw RegexSyntaxError("“\\” is the last character; expected an escaped character after it", at: start)
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
                throw RegexSyntaxError("“\\0” is followed by a digit", at: start)
            }
            return 0
        case "c": return try controlLetter(from: start)
        case "x":
            guard let value = hexDigits(2) else {
                throw RegexSyntaxError("“\\x” is not followed by two hexadecimal digits", at: start)
            }
            return value
        case "u": return try unicodeEscape(from: start)
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return point.value
        default: throw RegexSyntaxError("“\\\(RegexSyntaxError.shown(source[start + 1]))” is not an escape", at: start)
        }
    }

    /// `"c" AsciiLetter`
    private mutating func controlLetter(from start: Int) throws(RegexSyntaxError) -> UInt32 {
        guard let letter = peek(), ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) else {
            throw RegexSyntaxError("“\\c” is not followed by a letter from A to Z", at: start)
        }
        position += 1
        return letter.value % 32
    }

    /// `RegExpUnicodeEscapeSequence` after `\u`: four digits, two escapes of a surrogate pair, or braces.
    private mutating func unicodeEscape(from start: Int) throws(RegexSyntaxError) -> UInt32 {
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

    /// `"{" CodePoint "}"` after the brace.
    private mutating func bracedPoint(from start: Int) throws(RegexSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        let firstDigit = position
        while let digit = hexDigits(1) {
            value = value << 4 | digit
            guard value <= CodePointSet.last else { throw .unicodeDigits(at: start) }
        }
        guard position > firstDigit, skip("}") else { throw .unicodeDigits(at: start) }
        return value
    }

    /// Reads exactly `count` hexadecimal digits. Returns nil, without reading, if there are fewer.
    private mutating func hexDigits(_ count: Int) -> UInt32? {
        var value: UInt32 = 0
        for distance in 0..<count {
            guard let character = peek(distance), let byte = UInt8(exactly: character.value),
                let digit = HexDigit.value(byte)
            else { return nil }
            value = value << 4 | UInt32(digit)
        }
        position += count
        return value
    }

    /// `GroupName :: "<" RegExpIdentifierName ">"` after the `<`.
    mutating func groupName() throws(RegexSyntaxError) -> [UInt32] {
        let start = position
        var name: [UInt32] = []
        while !skip(">") {
            guard position < source.count else { throw .groupName(at: start) }
            let point = try namePoint()
            guard Self.isNamePoint(point, isFirst: name.isEmpty) else { throw .groupName(at: start) }
            name.append(point)
        }
        guard !name.isEmpty else { throw .groupName(at: start) }
        return name
    }

    private mutating func namePoint() throws(RegexSyntaxError) -> UInt32 {
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
