/// The search for comments in a text.
///
///     { /* size */ a = 1; // in points          2..<12, 20..<32
///
/// The search is one pass over the text, which may be malformed. An unterminated comment extends to the end of the
/// text.
enum SourceComments {
    // MARK: XML

    /// Returns the ranges of all `<!-- … -->` outside CDATA sections and tags, and of all processing instructions
    /// except the XML declaration.
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

    /// Moves past the `<` of the next `<!` or `<?` outside tags.
    ///
    /// The search looks for `!` and `?`, which are rarer than tags. A match is inside a tag if the nearest angle
    /// bracket before it is `<`.
    ///
    /// - Returns: False if there are no more.
    private static func skipToMarkup(_ cursor: inout XMLCursor) -> Bool {
        let (start, text) = (cursor.position, cursor.text)
        var end = start
        while let block = firstBlockWithMarks(in: text.span, from: end) {
            var position = block.lowerBound
            end = block.upperBound
            while true {
                position = text.span.firstIndex(from: position, upTo: end) {
                    $0.marks(of: UInt8(ascii: "!")) | $0.marks(of: UInt8(ascii: "?"))
                }
                guard position < end else { break }
                let bracket = position - 1
                if bracket >= start, text[bracket] == UInt8(ascii: "<"), !isInTag(bracket, text, from: start) {
                    cursor.position = position
                    return true
                }
                position += 1
            }
        }
        return false
    }

    /// Returns the first block of the text, from an offset on, that contains a `!` or `?`.
    ///
    /// The compiler turns the loop over a block, which has no branches, into one over vectors.
    private static func firstBlockWithMarks(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
        for offset in stride(from: start, to: text.count, by: 1 << 10) {
            let block = offset..<min(offset + 1 << 10, text.count)
            let bytes = text.extracting(block)
            var found: UInt8 = 0
            for position in bytes.indices {
                let byte = bytes[position]
                found |= (byte == UInt8(ascii: "!") ? 1 : 0) | (byte == UInt8(ascii: "?") ? 1 : 0)
            }
            if found != 0 { return block }
        }
        return nil
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

    /// Returns the ranges of all `/* … */` and `// …` outside strings, unquoted words and GNUstep's typed values.
    static func ofOpenStep(_ text: [UInt8], _ dialect: OpenStep.Dialect) -> [Range<Int>] {
        var scanner = OpenStepCommentScanner(text, dialect)
        return scanner.comments()
    }

    /// Returns the end of the comment that begins at an offset; nil if none begins there. An unterminated comment
    /// extends to the end of the text.
    static func endOfOpenStep(at start: Int, of text: [UInt8], _ dialect: OpenStep.Dialect) -> Int? {
        end(at: start, of: text) { endsLine(at: $0, of: text, dialect) }?.end
    }

    /// Returns the end of the comment that begins at an offset; nil if none begins there, or if it is not closed.
    static func endOfJSON(at start: Int, of text: [UInt8]) -> Int? {
        let comment = end(at: start, of: text) { text[$0] == 0x0A || text[$0] == 0x0D }
        return comment.flatMap { $0.isClosed ? $0.end : nil }
    }

    /// Whether a comment `// …` of JSON or OpenStep text begins at an offset.
    static func isLineComment(at start: Int, of text: [UInt8]) -> Bool { text[start...].starts(with: "//".utf8) }

    /// Returns the end of the comment that begins at an offset, and whether it is closed. The end of the text closes a
    /// `// …`, but not a `/* … */`.
    private static func end(
        at start: Int, of text: [UInt8], endsLine: (Int) -> Bool
    ) -> (end: Int, isClosed: Bool)? {
        guard start + 1 < text.count, text[start] == UInt8(ascii: "/") else { return nil }
        var position = start + 2
        switch text[start + 1] {
        case UInt8(ascii: "/"):
            while position < text.count, !endsLine(position) { position += 1 }
            return (position, true)
        case UInt8(ascii: "*"):
            while position + 1 < text.count {
                if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") {
                    return (position + 2, true)
                }
                position += 1
            }
            return (text.count, false)
        default: return nil
        }
    }

    /// Whether a line comment ends at an offset, by the rules of the dialect.
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

/// A scanner of OpenStep tokens that collects comments.
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

    private mutating func skip(to isThere: (inout Self) -> Bool) {
        while position < text.count, !isThere(&self) { position += 1 }
        position = min(position, text.count)
    }
}
