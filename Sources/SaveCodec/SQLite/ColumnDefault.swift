/// The value of a column in rows stored before the column was added. It comes from the column's `DEFAULT` clause, and
/// is known only if all versions of SQLite agree on it.
enum ColumnDefault: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// A string in UTF-8.
    case text([UInt8])
    case blob([UInt8])
    case boolean(Bool)
    /// A number as spelled, before the column converts it.
    case number([UInt8])
    /// An expression, which is not evaluated, or a literal that versions of SQLite interpret differently.
    case unknown

    /// Creates a default from a literal token.
    init(_ token: SQLToken, isNegative: Bool) {
        switch token {
        case .text(let text), .name(let text): self = .text(Array(text.utf8))
        case .blob(let digits): self = Hexadecimal.bytes(digits.utf8.span).map { .blob($0) } ?? .unknown
        case .number(let digits):
            // Digits may be grouped by underscores.
            let spelled = (isNegative ? "-" : "") + digits
            self = .number(spelled.utf8.filter { $0 != UInt8(ascii: "_") })
        case .word(let word):
            switch word.uppercased() {
            case "NULL": self = .null
            case "TRUE": self = .boolean(true)
            case "FALSE": self = .boolean(false)
            case "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP": self = .unknown
            default: self = .text(Array(word.utf8))
            }
        case .symbol: self = .unknown
        }
    }

    /// Returns the value that a column with this affinity would store.
    func stored(in affinity: ColumnAffinity) -> ColumnDefault {
        switch (self, affinity) {
        case (.number(let digits), _): Self.literal(digits, affinity) ?? .unknown
        case (.boolean, .text): .unknown
        case (.boolean(let value), .real): .real(value ? 1 : 0)
        case (.boolean(let value), _): .integer(value ? 1 : 0)
        case (.text(let text), .integer), (.text(let text), .numeric), (.text(let text), .real):
            Self.beginsLikeNumber(text)
                ? Self.number(Array(text.trimming(while: \.isSpace)), affinity) ?? .unknown : self
        default: self
        }
    }

    /// Returns the value to which a column converts a numeric literal; nil if versions of SQLite differ.
    private static func literal(_ spelled: [UInt8], _ affinity: ColumnAffinity) -> ColumnDefault? {
        let digits = hexadecimal(spelled).map { Array(String($0).utf8) } ?? spelled
        guard affinity == .text else { return number(digits, affinity) }
        return isPlain(digits) ? .text(digits) : nil
    }

    /// Returns the value of a hexadecimal literal; nil for a decimal one, and for values above 2³¹−1.
    private static func hexadecimal(_ digits: [UInt8]) -> Int64? {
        let isNegative = digits.first == UInt8(ascii: "-")
        let rest = isNegative ? digits.dropFirst() : digits[...]
        guard rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8), (3...10).contains(rest.count),
            let value = Hexadecimal.number(Array(rest.dropFirst(2)).span, allowsUppercase: true), value <= Int32.max
        else { return nil }
        return isNegative ? -Int64(value) : Int64(value)
    }

    /// Returns the value of a numeric literal as an integer or a real, depending on the affinity; nil if the text is
    /// not a number, or if versions of SQLite differ.
    private static func number(_ text: [UInt8], _ affinity: ColumnAffinity) -> ColumnDefault? {
        if let value = NumberText.integer(text.span).flatMap(Int64.init(exactly:)) {
            return affinity == .real ? .real(Double(value)) : .integer(value)
        }
        guard let value = NumberText.double(text.span), value.isFinite else { return nil }
        guard affinity != .real, let whole = Int64(exactly: value) else { return .real(value) }
        return whole.magnitude < 1 << 51 ? .integer(whole) : nil
    }

    /// Whether every SQLite version stores the number as spelled in a text column. This is so if it has no exponent
    /// and, unless it has a point, no redundant leading zero.
    private static func isPlain(_ digits: [UInt8]) -> Bool {
        let rest = digits.first == UInt8(ascii: "-") ? digits.dropFirst() : digits[...]
        let isShortest = rest.first != UInt8(ascii: "0") || rest.count == 1 && rest.count == digits.count
        return (isShortest || rest.contains(UInt8(ascii: ".")))
            && rest.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    }

    private static func beginsLikeNumber(_ text: [UInt8]) -> Bool {
        guard let first = text.first(where: { !$0.isSpace }) else { return false }
        return first.isDigit || "+-.".utf8.contains(first)
    }
}
