/// What rows have in a column that was added after they were stored: what its `DEFAULT` says.
enum ColumnDefault: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// The text of a text or of a number that is none of the two above, in UTF-8.
    case text([UInt8])
    case blob([UInt8])
    /// A number as it is spelled, until it is known what the column makes of it.
    case number([UInt8])
    /// An expression, which is not computed.
    case unknown

    /// The literal that a token is.
    init(_ token: SQLToken, isNegative: Bool) {
        switch token {
        case .text(let text), .name(let text): self = .text(Array(text.utf8))
        case .blob(let digits): self = Self.blob(ofDigits: Array(digits.utf8)).map { .blob($0) } ?? .unknown
        case .number(let digits):
            // Digits may be grouped.
            let spelled = (isNegative ? "-" : "") + digits
            self = .number(spelled.utf8.filter { $0 != UInt8(ascii: "_") })
        case .word(let word):
            switch word.uppercased() {
            case "NULL": self = .null
            case "TRUE": self = .integer(1)
            case "FALSE": self = .integer(0)
            case "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP": self = .unknown
            default: self = .text(Array(word.utf8))
            }
        case .symbol: self = .unknown
        }
    }

    private static func blob(ofDigits digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard let high = HexDigit.value(digits[position]), let low = HexDigit.value(digits[position + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value as a column of an affinity holds it.
    func stored(in affinity: ColumnAffinity) -> ColumnDefault {
        switch (self, affinity) {
        case (.number(let digits), .text): return .text(Self.integer(digits).map { Array(String($0).utf8) } ?? digits)
        case (.number(let digits), _): return Self.number(digits, affinity) ?? .unknown
        case (.integer(let value), .real): return .real(Double(value))
        case (.integer(let value), .text): return .text(Array(String(value).utf8))
        case (.text(let text), .integer), (.text(let text), .numeric), (.text(let text), .real):
            let isHexadecimal = text.contains { $0 | 0x20 == UInt8(ascii: "x") }
            return isHexadecimal ? self : Self.number(Self.trimmed(text), affinity) ?? self
        default: return self
        }
    }

    /// The number that a text stands for, of the kind that an affinity prefers; nil if it is none.
    private static func number(_ text: [UInt8], _ affinity: ColumnAffinity) -> ColumnDefault? {
        if let value = integer(text) { return affinity == .real ? .real(Double(value)) : .integer(value) }
        guard let value = NumberText.double(text.span) else { return nil }
        let isWholePreferred = affinity == .integer || affinity == .numeric
        if isWholePreferred, let whole = Int64(exactly: value), whole.magnitude < 1 << 51 { return .integer(whole) }
        return .real(value)
    }

    /// A whole number of 64 bits, which may be spelled in hexadecimal digits.
    private static func integer(_ text: [UInt8]) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) else {
            return NumberText.integer(text.span).flatMap(Int64.init(exactly:))
        }
        guard (3...18).contains(digits.count),
            let value = Hexadecimal.number(Array(digits.dropFirst(2)).span, allowsUppercase: true)
        else { return nil }
        let number = Int64(bitPattern: value)
        return isNegative ? 0 &- number : number
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return text }
        return Array(text[first...last])
    }
}
