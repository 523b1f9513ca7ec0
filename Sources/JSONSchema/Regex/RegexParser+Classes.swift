import SaveCodec

extension RegexParser {
    /// `CharacterClass :: "[" ClassContents "]" | "[^" ClassContents "]"`
    mutating func characterClass() throws(RegexFault) -> CodePointSet {
        let opening = position
        position += 1
        let isInverted = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !skip("]") {
            guard position < source.count else { throw RegexFault("“[” without a “]” after it", at: opening) }
            ranges += try classRanges()
            guard ranges.count <= Self.rangeLimit else {
                throw .tooManyRanges(limit: Self.rangeLimit, at: opening)
            }
        }
        let set = CodePointSet(ranges)
        return isInverted ? set.inverted : set
    }

    /// `ClassAtom | ClassAtom "-" ClassAtom`
    private mutating func classRanges() throws(RegexFault) -> [ClosedRange<UInt32>] {
        let start = position
        let first = try classAtom()
        guard peek() == "-", let next = peek(1), next != "]" else { return ranges(of: first) }
        position += 1
        let last = try classAtom()
        guard case .point(let low) = first, case .point(let high) = last else {
            throw RegexFault("a range ends in a class of characters, where a single one is expected", at: start)
        }
        guard low <= high else { throw RegexFault("the range's second character is before its first", at: start) }
        return withOtherCase(CodePointSet([low...high])).ranges
    }

    private func ranges(of atom: ClassAtom) -> [ClosedRange<UInt32>] {
        switch atom {
        case .point(let point): withOtherCase(CodePointSet(point)).ranges
        case .set(let set): set.ranges
        }
    }

    /// What stands in a class: a code point, or an escape for many.
    private enum ClassAtom {
        case point(UInt32)
        case set(CodePointSet)
    }

    /// `ClassAtom :: "-" | SourceCharacter but not one of "\" "]" "-" | "\" ClassEscape`
    private mutating func classAtom() throws(RegexFault) -> ClassAtom {
        if skip("\\b") { return .point(0x08) }
        if skip("\\-") { return .point(0x2D) }
        guard peek() == "\\" else {
            defer { position += 1 }
            return .point(source[position])
        }
        if let set = try classEscape() { return .set(set) }
        return .point(try characterEscape())
    }

    /// `CharacterClassEscape :: "d" | "D" | "s" | "S" | "w" | "W" | "p{" … "}" | "P{" … "}"`, with the backslash.
    mutating func classEscape() throws(RegexFault) -> CodePointSet? {
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
    private mutating func property(from start: Int) throws(RegexFault) -> CodePointSet {
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
            throw RegexFault("“\(SafeText.escaping(name))” is no property of characters", at: start)
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
