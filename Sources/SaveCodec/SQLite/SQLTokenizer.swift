enum SQLToken: Equatable {
    /// An unquoted word: a keyword, a name or a type.
    case word(String)
    /// A name in `"…"`, `[…]` or `` `…` ``.
    case name(String)
    /// A string in `'…'`.
    case text(String)
    /// A number as spelled.
    case number(String)
    /// The digits of `x'…'`.
    case blob(String)
    /// A parenthesis, a comma or an operator.
    case symbol(Character)

    /// Whether the token is a keyword, which the caller spells in capital letters.
    func isKeyword(_ keyword: String) -> Bool {
        if case .word(let word) = self {
            word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
        } else {
            false
        }
    }

    /// The name in the token. Like SQLite, it accepts a string as a name.
    var identifier: String? {
        switch self {
        case .word(let name), .name(let name), .text(let name): name
        default: nil
        }
    }
}

/// An SQL tokenizer that follows SQLite's rules. It skips white space and comments.
struct SQLTokenizer {
    let text: [UInt8]
    /// The start of the last token, and the position after it.
    private(set) var start = 0
    private(set) var position = 0

    /// - Parameter text: SQL in valid UTF-8.
    init(_ text: [UInt8]) {
        self.text = text
    }

    /// Returns the next token; nil at the end and for an unclosed quotation mark.
    mutating func next() -> SQLToken? {
        skipBlanks()
        start = position
        guard position < text.count else { return nil }
        let byte = text[position]
        switch byte {
        case UInt8(ascii: "'"): return quoted(until: byte).map { .text($0) }
        case UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(until: byte).map { .name($0) }
        case UInt8(ascii: "["): return bracketed().map { .name($0) }
        case _ where byte.isDigit: return .number(number())
        case UInt8(ascii: ".") where self.byte(at: position + 1)?.isDigit ?? false: return .number(number())
        case _ where Self.isWordByte(byte): return wordOrBlob()
        default:
            position += 1
            return .symbol(Character(Unicode.Scalar(byte)))
        }
    }

    /// Reads a word, or a blob, which begins like one.
    private mutating func wordOrBlob() -> SQLToken? {
        let isBlob =
            text[position] | 0x20 == UInt8(ascii: "x") && position + 1 < text.count
            && text[position + 1] == UInt8(ascii: "'")
        guard isBlob else { return .word(take(while: Self.isWordByte)) }
        position += 1
        return quoted(until: UInt8(ascii: "'")).map { .blob($0) }
    }

    private mutating func skipBlanks() {
        while position < text.count {
            switch text[position] {
            case let byte where byte.isSpace: position += 1
            // Byte order mark.
            case 0xEF where byte(at: position + 1) == 0xBB && byte(at: position + 2) == 0xBF: position += 3
            case UInt8(ascii: "-") where byte(at: position + 1) == UInt8(ascii: "-"):
                while position < text.count, text[position] != 0x0A { position += 1 }
            case UInt8(ascii: "/") where byte(at: position + 1) == UInt8(ascii: "*"):
                position += 2
                while position < text.count,
                    !(text[position] == UInt8(ascii: "*") && byte(at: position + 1) == UInt8(ascii: "/"))
                {
                    position += 1
                }
                position = min(position + 2, text.count)
            default: return
            }
        }
    }

    /// Reads text in quotation marks. A doubled quotation mark represents one.
    private mutating func quoted(until mark: UInt8) -> String? {
        var content: [UInt8] = []
        position += 1
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == mark {
                guard self.byte(at: position) == mark else { return String(decoding: content, as: UTF8.self) }
                position += 1
            }
            content.append(byte)
        }
        return nil
    }

    private mutating func bracketed() -> String? {
        position += 1
        let content = take { $0 != UInt8(ascii: "]") }
        guard position < text.count else { return nil }
        position += 1
        return content
    }

    /// Reads digits, a point, an exponent with its sign, and any letters that follow.
    private mutating func number() -> String {
        let start = position
        let isHexadecimal =
            text[position] == UInt8(ascii: "0") && byte(at: position + 1).map { $0 | 0x20 } == UInt8(ascii: "x")
        while position < text.count {
            let isSign = text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-")
            let isInExponent = !isHexadecimal && position > start && text[position - 1] | 0x20 == UInt8(ascii: "e")
            guard Self.isWordByte(text[position]) || text[position] == UInt8(ascii: ".") || isSign && isInExponent
            else { break }
            position += 1
        }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private mutating func take(while belongs: (UInt8) -> Bool) -> String {
        let start = position
        while position < text.count, belongs(text[position]) { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private func byte(at position: Int) -> UInt8? { position < text.count ? text[position] : nil }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }
}
