/// A tokenizer for text of unknown format in UTF-8, UTF-16 or UTF-32.
///
/// Only ASCII characters distinguish formats, so all other units are skipped without decoding them.
struct TextFormatScanner {
    private let bytes: [UInt8]
    private let form: CodeUnitLayout
    private var position: Int

    /// The unit at the current position, or nil at the end.
    private(set) var unit: Unicode.Scalar?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        form = CodeUnitLayout(of: bytes)
        position = form.markLength
        unit = current()
    }

    mutating func advance() {
        position += form.unitSize
        unit = current()
    }

    private func current() -> Unicode.Scalar? {
        guard position <= bytes.count - form.unitSize else { return nil }
        if form.unitSize == 1 { return Unicode.Scalar(bytes[position]) }
        var value: UInt32 = 0
        for index in 0..<form.unitSize {
            let offset = form.isBigEndian ? index : form.unitSize - 1 - index
            value = value << 8 | UInt32(bytes[position + offset])
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    // MARK: Tokens

    /// Skips white space and comments. Returns whether there was a comment.
    mutating func skipBlanks() -> Bool {
        var hasComment = false
        while let blank = unit {
            switch blank {
            case "\t"..."\r", " ", "\u{2028}", "\u{2029}": advance()
            case "/":
                guard skipComment() else { return hasComment }
                hasComment = true
            default: return hasComment
            }
        }
        return hasComment
    }

    /// Skips a comment at the current position, up to its end or the end of the text. Returns whether there was one.
    private mutating func skipComment() -> Bool {
        let start = self
        advance()
        switch unit {
        case "/":
            while let next = unit, next != "\n", next != "\r" { advance() }
            return true
        case "*":
            advance()
            var previous: Unicode.Scalar?
            while let next = unit, !(previous == "*" && next == "/") {
                advance()
                previous = next
            }
            advance()
            return true
        default:
            self = start
            return false
        }
    }

    /// Skips a string, starting at its opening quotation mark.
    ///
    /// - Returns: Whether the string contains the escape `\U` of OpenStep text, which JSON does not have.
    @discardableResult
    mutating func skipString() -> Bool {
        let mark = unit
        var hasCapitalEscape = false
        advance()
        while let next = unit {
            advance()
            if next == mark { break }
            guard next == "\\" else { continue }
            if unit == "U" { hasCapitalEscape = true }
            advance()
        }
        return hasCapitalEscape
    }

    /// Skips a bare word and returns its first 16 characters. All tags and literals are shorter.
    mutating func takeWord() -> String {
        var word = String.UnicodeScalarView()
        // A string counts its scalars one by one.
        var count = 0
        while let next = unit, Self.isWord(next) {
            if count < 16 { word.append(next) }
            count += 1
            advance()
        }
        return String(word)
    }

    /// Skips a bare word. Returns whether it contains a certain character, which is in ASCII.
    @discardableResult
    mutating func skipWord(lookingFor isSought: (Unicode.Scalar) -> Bool = { _ in false }) -> Bool {
        var isFound = false
        while let next = unit, Self.isWord(next) {
            if !isFound, isSought(next) { isFound = true }
            advance()
        }
        return isFound
    }

    /// Whether a bare word may contain a character in the OpenStep format or GNUstep's dialect (see
    /// <doc:OpenStepFormat>).
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\0"..." ", "\"", "'", "(", ")", ",", ";", "<", "=", ">", "[", "\\", "]", "`", "{", "}", "\u{7F}": false
        default: scalar.isASCII
        }
    }

    /// Whether a text consists of one bare word or number, apart from comments.
    static func isWord(_ bytes: [UInt8]) -> Bool {
        var probe = TextFormatScanner(bytes)
        _ = probe.skipBlanks()
        guard let first = probe.unit, isWord(first) else { return false }
        probe.skipWord()
        _ = probe.skipBlanks()
        return probe.unit == nil
    }

    /// Returns the first `count` units of a text.
    static func beginning(of bytes: [UInt8], _ count: Int) -> [Unicode.Scalar] {
        var probe = TextFormatScanner(bytes)
        var units: [Unicode.Scalar] = []
        while units.count < count, let unit = probe.unit {
            units.append(unit)
            probe.advance()
        }
        return units
    }

    /// Whether the bytes are text without control characters, or the beginning of such a text.
    static func isText(_ bytes: [UInt8]) -> Bool {
        var probe = TextFormatScanner(bytes)
        // The last character may be cut off.
        if probe.form.unitSize == 1, let invalid = UTF8Text.firstInvalid(in: bytes.span), invalid <= bytes.count - 4 {
            return false
        }
        while let unit = probe.unit {
            guard unit >= " " || ("\t"..."\r").contains(unit) else { return false }
            probe.advance()
        }
        return true
    }

    // MARK: GNUstep's dialect

    /// A sign of GNUstep's dialect.
    enum GNUstepSign {
        /// A value `<*…>` or `<[…]>`.
        case typedValue
        /// A character, such as `+`, that only GNUstep accepts in unquoted strings.
        case bareCharacter
    }

    /// Returns the sign of GNUstep's dialect that an OpenStep text has outside strings and comments. A typed value
    /// decides. The time is linear.
    static func gnustepSign(of bytes: [UInt8]) -> GNUstepSign? {
        let portable = OpenStep.Dialect.openStep.bareCharacters
        var sign: GNUstepSign?
        var probe = TextFormatScanner(bytes)
        while probe.skipBlanks() || probe.unit != nil {
            switch probe.unit {
            case "\"", "'": probe.skipString()
            case "<":
                probe.advance()
                if probe.unit == "*" || probe.unit == "[" { return .typedValue }
            case let next? where isWord(next):
                if probe.skipWord(lookingFor: { !portable.contains(UInt8($0.value)) }) { sign = .bareCharacter }
            default: probe.advance()
            }
        }
        return sign
    }
}

/// The byte layout of a text's code units, determined by its byte order mark or its first zero bytes.
private struct CodeUnitLayout {
    /// Bytes per code unit: 1, 2 or 4.
    let unitSize: Int
    /// Whether the most significant byte comes first.
    let isBigEndian: Bool
    /// The number of bytes of the byte order mark, or 0 without a mark.
    let markLength: Int

    init(of bytes: [UInt8]) {
        let first = Array(bytes.prefix(4))
        switch (first.first, first.dropFirst().first) {
        case (0xEF, 0xBB) where first.starts(with: [0xEF, 0xBB, 0xBF]): self.init(1, true, mark: 3)
        case (0xFF, 0xFE) where first == [0xFF, 0xFE, 0, 0]: self.init(4, false, mark: 4)
        case (0xFF, 0xFE): self.init(2, false, mark: 2)
        case (0xFE, 0xFF): self.init(2, true, mark: 2)
        case (0, 0) where first == [0, 0, 0xFE, 0xFF]: self.init(4, true, mark: 4)
        default: self.init(zerosOf: first)
        }
    }

    /// Determines the layout without a byte order mark.
    ///
    /// The first character is ASCII in every format, so the positions of the zero bytes show the layout.
    private init(zerosOf first: [UInt8]) {
        switch first.map({ $0 == 0 }) {
        case [true, true, true, false]: self.init(4, true, mark: 0)
        case [false, true, true, true]: self.init(4, false, mark: 0)
        case [true, false, true, false], [true, false]: self.init(2, true, mark: 0)
        case [false, true, false, true], [false, true]: self.init(2, false, mark: 0)
        default: self.init(1, true, mark: 0)
        }
    }

    private init(_ unitSize: Int, _ isBigEndian: Bool, mark: Int) {
        self.unitSize = unitSize
        self.isBigEndian = isBigEndian
        markLength = mark
    }
}
