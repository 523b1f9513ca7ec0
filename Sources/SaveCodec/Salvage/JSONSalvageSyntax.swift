/// The tokens of JSON.
struct JSONSalvageSyntax: SalvageSyntax {
    let source: DamagedText
    let text: [UInt8]
    var failures = SalvageFailures()
    /// Whether the first key is in single quotation marks, so that those in strings are probably no damage.
    private let hasSingleQuotes: Bool

    init(_ source: DamagedText) {
        (self.source, text) = (source, source.bytes)
        let start = text.firstIndex(of: UInt8(ascii: "{")).map { $0 + 1 } ?? text.count
        hasSingleQuotes = text[start...].first { !$0.isSpace } == UInt8(ascii: "'")
    }

    /// Whether a damaged text is more likely JSON than OpenStep text: it begins with a bracket, or its beginning is
    /// lost and it ends with one, and colons after quotation marks outnumber equals signs.
    static func resembles(_ file: [UInt8]) -> Bool {
        let bytes = DamagedText(file).bytes
        guard let first = bytes.first(where: { $0 > 0x20 }), let last = bytes.last(where: { $0 > 0x20 }) else {
            return false
        }
        let isBegun = "{[".utf8.contains(first)
        guard isBegun || "}]".utf8.contains(last) else { return false }
        var (colons, equals) = (0, 0)
        var before: UInt8 = 0
        for byte in bytes where byte != 0x20 {
            if byte == UInt8(ascii: "="), before != UInt8(ascii: "=") { equals += 1 }
            if byte == UInt8(ascii: ":"), before == UInt8(ascii: "\"") { colons += 1 }
            before = byte
        }
        return isBegun ? colons > equals : colons > 4 * equals + 2
    }

    /// Whether a text lacks its beginning: read from its end, it closes more containers than it opens. Its first
    /// character is no bracket, because a person may have typed one bracket too many after that.
    static func lacksBeginning(_ text: [UInt8]) -> Bool {
        guard let first = text.first(where: { !$0.isSpace }), !"{[".utf8.contains(first) else { return false }
        var (depth, keyCount, isInString) = (0, 0, false)
        var after: UInt8 = 0
        for offset in text.indices.reversed() where isInString || !text[offset].isSpace {
            let byte = text[offset]
            switch byte {
            case UInt8(ascii: "\""):
                let end = text[..<offset].lastIndex { $0 != UInt8(ascii: "\\") } ?? -1
                // An odd number of backslashes escapes the quotation mark.
                if isInString, (offset - end) % 2 == 0 { continue }
                if !isInString, after == UInt8(ascii: ":") { keyCount += 1 }
                isInString.toggle()
            case _ where isInString: if byte < 0x20 { return false }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth -= 1
            default: if !isOfWord(byte), byte != UInt8(ascii: ","), byte != UInt8(ascii: ":") { return false }
            }
            guard depth > 0 else { return false }
            after = byte
        }
        return keyCount > 0
    }

    var isAlwaysUTF8: Bool { true }
    var hasPunctuation: Bool { true }
    var allowsWordsAsKeys: Bool { false }
    var placeholder: String { "null" }
    var needsLastSeparator: Bool { false }
    func mark() -> String { ": " }
    func separator(isDictionary: Bool) -> UInt8 { UInt8(ascii: ",") }
    func opening(isDictionary: Bool) -> String { isDictionary ? "{" : "[" }
    func closing(isDictionary: Bool, from start: Int?) -> String { isDictionary ? "}" : "]" }

    mutating func token(from offset: Int) -> SalvageToken {
        let start = skippingBlanks(from: offset)
        guard start < text.count else { return token(.end, text.count, 0) }
        switch text[start] {
        case UInt8(ascii: "{"): return token(.open(isDictionary: true), start)
        case UInt8(ascii: "["): return token(.open(isDictionary: false), start)
        case UInt8(ascii: "}"): return token(.close(isDictionary: true), start)
        case UInt8(ascii: "]"): return token(.close(isDictionary: false), start)
        case UInt8(ascii: ","): return token(.separator, start)
        case UInt8(ascii: ":"): return token(.mark, start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            guard let end = endOfString(at: start, allowing: 0x09...0x09) else { return token(.junk, start) }
            guard hasValidEscapes(start..<end), isStandard(start..<end) || isBetweenPunctuation(start..<end) else {
                refuseStrings(in: start..<end - 1)
                return token(.junk, start)
            }
            return SalvageToken(.scalar, start..<end)
        case let byte where Self.isOfWord(byte):
            let end = text[start...].firstIndex { !Self.isOfWord($0) } ?? text.count
            let isVariant = JSONVariant.value(text[start..<end]) != nil && isBetweenPunctuation(start..<end)
            if isVariant || Self.isValue(text[start..<end]) { return SalvageToken(.word, start..<end) }
            return isName(start..<end) ? SalvageToken(.scalar, start..<end) : SalvageToken(.junk, start..<end)
        default: return token(.junk, start)
        }
    }

    func repaired(_ scalar: SalvageToken) -> SalvageRepair? {
        JSONVariant.repair(of: text[scalar.range])
    }

    /// Whether a string has double quotation marks and no tabs.
    private func isStandard(_ string: Range<Int>) -> Bool {
        text[string.lowerBound] == UInt8(ascii: "\"") && !text[string].contains(UInt8(ascii: "\t"))
    }

    /// Whether only blanks separate a string or word from punctuation before and after it, and it contains no double
    /// quotation marks. Otherwise it may be the text between two strings.
    private func isBetweenPunctuation(_ string: Range<Int>) -> Bool {
        guard let before = text[..<string.lowerBound].last(where: { !$0.isSpace }), "{[,:".utf8.contains(before),
            let after = text[string.upperBound...].first(where: { !$0.isSpace }), "}],:".utf8.contains(after)
        else { return false }
        return text[string.lowerBound] == UInt8(ascii: "\"") || hasSingleQuotes
            || !text[string].contains(UInt8(ascii: "\""))
    }

    /// Whether a word is a name without quotation marks before a colon and a value.
    private func isName(_ word: Range<Int>) -> Bool {
        guard let before = text[..<word.lowerBound].last(where: { !$0.isSpace }), "{,".utf8.contains(before),
            text[word].allSatisfy({ !"+-.".utf8.contains($0) }), !(0x30...0x39).contains(text[word.lowerBound]),
            let mark = text[word.upperBound...].firstIndex(where: { !$0.isSpace }), text[mark] == UInt8(ascii: ":"),
            let value = text[(mark + 1)...].first(where: { !$0.isSpace })
        else { return false }
        return "\"'{[".utf8.contains(value) || Self.isOfWord(value)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// Whether a word is a literal or a number (RFC 8259 §6).
    static func isValue(_ word: ArraySlice<UInt8>) -> Bool {
        if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
        var rest = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
        func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return digits.count
        }
        let isZero = rest.first == UInt8(ascii: "0")
        let count = digits(&rest)
        guard count > 0, !isZero || count == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits(&rest) > 0 else { return false }
        }
        let hasExponent = rest.first.map { $0 | 0x20 == UInt8(ascii: "e") } ?? false
        if hasExponent {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
            guard digits(&rest) > 0 else { return false }
        }
        // Readers refuse numbers beyond the range of a 64-bit real.
        return rest.isEmpty
            && (word.count < 300 && !hasExponent || Double(String(decoding: word, as: UTF8.self))?.isFinite ?? false)
    }

    private func hasValidEscapes(_ string: Range<Int>) -> Bool {
        var rest = text[string].dropFirst().dropLast()
        while let start = rest.firstIndex(of: UInt8(ascii: "\\")) {
            rest = rest[(start + 1)...]
            guard let escape = rest.first else { return false }
            rest = rest.dropFirst()
            if escape == UInt8(ascii: "u") {
                guard rest.count >= 4, rest.prefix(4).allSatisfy({ HexDigit.value($0) != nil }) else {
                    return false
                }
                rest = rest.dropFirst(4)
            } else if !"\"\\/bfnrt".utf8.contains(escape), escape != text[string.lowerBound] {
                return false
            }
        }
        return true
    }
}
