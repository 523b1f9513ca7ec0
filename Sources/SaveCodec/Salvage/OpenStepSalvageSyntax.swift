/// The tokens of OpenStep text and of GNUstep's dialect.
struct OpenStepSalvageSyntax: SalvageSyntax {
    let source: DamagedText
    let text: [UInt8]
    let dialect: OpenStep.Dialect
    var failures = SalvageFailures()
    private let bareCharacters: ASCIISet

    init(_ source: DamagedText, _ dialect: OpenStep.Dialect) {
        (self.source, text, self.dialect) = (source, source.bytes, dialect)
        bareCharacters = dialect.bareCharacters
    }

    /// Repairs a text. A text with unquoted strings that only GNUstep reads, such as `c++`, is repaired in its dialect
    /// if less is lost.
    static func salvage(_ bytes: [UInt8], _ dialect: OpenStep.Dialect, _ limits: Limits) throws(Problem) -> Salvage {
        func salvage(_ dialect: OpenStep.Dialect) throws(Problem) -> Salvage {
            try TextSalvage.salvage(bytes, as: dialect == .openStep ? .openStep : .gnustep, limits: limits) {
                OpenStepSalvageSyntax($0, dialect)
            }
        }
        let salvaged: Salvage
        do throws(Problem) {
            salvaged = try salvage(dialect)
        } catch {
            // GNUstep reads no pairs without braces. Damage may look like a word or value of its dialect.
            guard dialect == .gnustep, let strings = try? salvage(.openStep) else { throw error }
            return strings
        }
        guard dialect == .openStep, !salvaged.losses.isEmpty, let other = try? salvage(.gnustep),
            other.document.warnings.contains(where: { $0.id == "gnustep.bare-character" }),
            other.losses.count < salvaged.losses.count, other.lostCount < salvaged.lostCount
        else { return salvaged }
        return other
    }

    var hasPunctuation: Bool { true }
    var allowsWordsAsKeys: Bool { true }
    var placeholder: String { "\"\"" }
    var needsLastSeparator: Bool { dialect == .openStep }
    func mark() -> String { " = " }
    func separator(isDictionary: Bool) -> UInt8 {
        isDictionary ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }
    func opening(isDictionary: Bool) -> String { isDictionary ? "{" : "(" }
    func closing(isDictionary: Bool, from start: Int?) -> String { isDictionary ? "}" : ")" }

    mutating func token(from offset: Int) -> SalvageToken {
        let start = skippingBlanks(from: offset)
        guard start < text.count else { return token(.end, text.count, 0) }
        switch text[start] {
        case UInt8(ascii: "{"): return token(.open(isDictionary: true), start)
        case UInt8(ascii: "("): return token(.open(isDictionary: false), start)
        case UInt8(ascii: "}"): return token(.close(isDictionary: true), start)
        case UInt8(ascii: ")"): return token(.close(isDictionary: false), start)
        case UInt8(ascii: ","), UInt8(ascii: ";"): return token(.separator, start)
        case UInt8(ascii: "="): return token(.mark, start)
        case UInt8(ascii: "\""),
            UInt8(ascii: "'") where dialect == .openStep:
            let end = endOfString(at: start, allowing: 0x09...0x0D)
            return end.map { SalvageToken(.scalar, start..<$0) } ?? token(.junk, start)
        case UInt8(ascii: "<"):
            return endOfData(at: start).map { SalvageToken(.scalar, start..<$0) } ?? token(.junk, start)
        // The beginning of a damaged comment is not a word.
        case UInt8(ascii: "/") where isAt("/*", start) || isAt("//", start): return token(.junk, start, 2)
        case let byte where bareCharacters.contains(byte):
            let end = text[start...].firstIndex { !bareCharacters.contains($0) } ?? text.count
            return SalvageToken(.word, start..<end)
        default: return token(.junk, start)
        }
    }

    /// Returns the end of `<…>`: an even number of digits, or a typed value of GNUstep.
    private func endOfData(at start: Int) -> Int? {
        let isTyped = byte(start + 1) == UInt8(ascii: "*") || byte(start + 1) == UInt8(ascii: "[")
        guard !isTyped || dialect == .gnustep else { return nil }
        var position = start + 1
        var digits = 0
        while position < text.count, text[position] != UInt8(ascii: ">") {
            let byte = text[position]
            if HexDigit.value(byte) != nil { digits += 1 }
            let isAllowed =
                isTyped
                ? (0x20..<0x7F).contains(byte) && byte != text[start]
                : HexDigit.value(byte) != nil || byte <= 0x20 && byte > 8
            guard isAllowed else { return nil }
            position += 1
        }
        guard position < text.count, isTyped || digits % 2 == 0 else { return nil }
        return position + 1
    }
}
