/// Where the comments of a text stand, which are no part of the document that is read from it.
///
///     { /* size */ a = 1; // in points          4..<14, 23..<35
///
/// One pass over the text, which need not be sound: a comment without an end goes to the end of the text.
enum SourceComments {
    // MARK: XML

    /// Every `<!-- … -->` that stands in no section of character data and no tag, and every processing instruction but
    /// the declaration of XML.
    static func ofXML(_ text: [UInt8]) -> [Range<Int>] {
        var comments: [Range<Int>] = []
        var cursor = XMLCursor(text)
        while skipToMarkup(&cursor) {
            let start = cursor.position - 1
            if cursor.skip("!--") {
                skip(past: "-->", &cursor)
                comments.append(start..<cursor.position)
            } else if cursor.skip("![CDATA[") {
                skip(past: "]]>", &cursor)
            } else if cursor.skip("?") {
                let isDeclaration = cursor.isAt("xml ")
                skip(past: "?>", &cursor)
                if !isDeclaration { comments.append(start..<cursor.position) }
            } else {
                skip(past: ">", &cursor)
            }
        }
        return comments
    }

    /// Steps behind the `<` of the next `<!` or `<?` that stands in no tag; false if there is none.
    ///
    /// Only these are looked for, as a text has many more tags: one stands in a tag if of the brackets before it the last
    /// opens one.
    private static func skipToMarkup(_ cursor: inout XMLCursor) -> Bool {
        let start = cursor.position
        var position = start
        while true {
            position = cursor.text.span.firstIndex(from: position) {
                $0.marks(of: UInt8(ascii: "!")) | $0.marks(of: UInt8(ascii: "?"))
            }
            guard position < cursor.text.count else { return false }
            let bracket = position - 1
            if bracket >= start, cursor.text[bracket] == UInt8(ascii: "<"),
                !isInTag(bracket, cursor.text, from: start)
            {
                cursor.position = position
                return true
            }
            position += 1
        }
    }

    private static func isInTag(_ offset: Int, _ text: [UInt8], from start: Int) -> Bool {
        for position in (start..<offset).reversed() {
            if text[position] == UInt8(ascii: ">") { return false }
            if text[position] == UInt8(ascii: "<") { return true }
        }
        return false
    }

    private static func skip(past end: StaticString, _ cursor: inout XMLCursor) {
        _ = cursor.skip(past: end)
    }

    // MARK: OpenStep

    /// Every `/* … */` and `// …` where a token of a dialect could begin: in strings and bare words there are none.
    static func ofOpenStep(_ text: [UInt8], _ dialect: OpenStep.Dialect) -> [Range<Int>] {
        var scanner = OpenStepCommentScanner(text, dialect)
        return scanner.comments()
    }

    /// Where the comment ends that begins at an offset, or the text if it has no end; nil if none begins there.
    static func endOfOpenStep(at start: Int, of text: [UInt8], _ dialect: OpenStep.Dialect) -> Int? {
        guard start + 1 < text.count, text[start] == UInt8(ascii: "/") else { return nil }
        var position = start + 2
        switch text[start + 1] {
        case UInt8(ascii: "/"):
            while position < text.count, !endsLine(at: position, of: text, dialect) { position += 1 }
            return position
        case UInt8(ascii: "*"):
            while position + 1 < text.count {
                if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") { return position + 2 }
                position += 1
            }
            return text.count
        default: return nil
        }
    }

    /// Whether a line ends at an offset, as the reader of the dialect has it.
    private static func endsLine(at position: Int, of text: [UInt8], _ dialect: OpenStep.Dialect) -> Bool {
        switch text[position] {
        case 0x0A: true
        case 0x0D: dialect == .openStep
        case 0xE2:
            dialect == .openStep && position + 2 < text.count && text[position + 1] == 0x80
                && text[position + 2] & 0xFE == 0xA8
        default: false
        }
    }
}

/// Steps over the tokens of an OpenStep text.
private struct OpenStepCommentScanner {
    private let text: [UInt8]
    private let dialect: OpenStep.Dialect
    private let bareCharacters: ASCIISet
    private var position = 0

    init(_ text: [UInt8], _ dialect: OpenStep.Dialect) {
        self.text = text
        self.dialect = dialect
        bareCharacters = dialect.bareCharacters
    }

    mutating func comments() -> [Range<Int>] {
        var comments: [Range<Int>] = []
        while position < text.count {
            let start = position
            if skipComment() { comments.append(start..<position) } else { skipToken() }
        }
        return comments
    }

    private func isAt(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        position + 1 < text.count && text[position] == UInt8(ascii: first) && text[position + 1] == UInt8(ascii: second)
    }

    private mutating func skipComment() -> Bool {
        guard let end = SourceComments.endOfOpenStep(at: position, of: text, dialect) else { return false }
        position = end
        return true
    }

    private mutating func skipToken() {
        switch text[position] {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "'") where dialect == .openStep: skipString()
        case UInt8(ascii: "<") where isAt("<", "*"): skip { $0.text[$0.position] == UInt8(ascii: ">") }
        case UInt8(ascii: "<") where isAt("<", "["): skip { $0.text[$0.position] == UInt8(ascii: "]") }
        case let byte where bareCharacters.contains(byte):
            skip { !$0.bareCharacters.contains($0.text[$0.position]) }
        default: position += 1
        }
    }

    private mutating func skipString() {
        let quote = text[position]
        position += 1
        skip {
            if $0.text[$0.position] == quote { return true }
            if $0.text[$0.position] == UInt8(ascii: "\\") { $0.position += 1 }
            return false
        }
        position = min(position + 1, text.count)
    }

    /// Goes on to where something holds, or to the end.
    private mutating func skip(to isThere: (inout Self) -> Bool) {
        while position < text.count, !isThere(&self) { position += 1 }
        position = min(position, text.count)
    }
}
