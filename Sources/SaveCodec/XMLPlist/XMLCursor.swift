/// A cursor over an XML text, with operations that do not depend on property lists.
///
/// The text is valid UTF-8, so a search byte by byte finds the ASCII markup.
struct XMLCursor: ~Copyable {
    /// A start tag or the tag of an empty element.
    struct Tag {
        let name: XMLName
        let isEmpty: Bool
        /// Whether the attributes are well-formed.
        var isWellFormed = true

        var element: XMLElement { name.element }
    }

    let text: [UInt8]
    let dialect: XMLDialect
    var position = 0

    init(_ text: [UInt8], _ dialect: XMLDialect = .standard) {
        self.text = text
        self.dialect = dialect
    }

    var isAtEnd: Bool { position >= text.count }

    /// The byte at the position; zero, which is never markup, at the end.
    var byte: UInt8 { position < text.count ? text[position] : 0 }

    func location(_ offset: Int) -> SourceLocation {
        .inText(text, at: offset)
    }

    // MARK: Literals and white space

    @inline(__always)
    func isAt(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard count <= text.count - position else { return false }
        return literal.withUTF8Buffer { buffer in
            // Sound: a literal is never freed, and every index is below its count.
            for index in 0..<count where unsafe buffer[index] != text[position &+ index] { return false }
            return true
        }
    }

    @inline(__always)
    mutating func skip(_ literal: StaticString) -> Bool {
        guard isAt(literal) else { return false }
        position += literal.utf8CodeUnitCount
        return true
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < text.count, text[position].isXMLSpace { position += 1 }
    }

    /// Moves past the next occurrence of `literal`.
    ///
    /// - Returns: False, with the position at the end, if `literal` does not occur.
    mutating func skip(past literal: StaticString) -> Bool {
        // Sound: a literal is never freed, and it is not empty, so its first byte can be read.
        let first = unsafe literal.utf8Start.pointee
        var start = position
        while true {
            start = text.span.firstIndex(from: start) { $0.marks(of: first) }
            position = start
            if isAtEnd { return false }
            if skip(literal) { return true }
            start += 1
        }
    }

    /// Moves to the next markup or reference.
    @inline(__always)
    mutating func skipText() {
        let start = position
        position = text.span.firstIndex(from: start) {
            $0.marks(of: UInt8(ascii: "<")) | $0.marks(of: UInt8(ascii: "&"))
        }
    }

    // MARK: Markup

    /// Moves past a comment whose `<!--` was already read. The comment may contain `--`.
    mutating func skipComment() throws(Problem) {
        let start = position - 4
        guard skip(past: "-->") else { throw .xmlUnclosed("comment", expected: "-->", at: location(start)) }
    }

    /// Moves past a processing instruction whose `<?` was already read.
    mutating func skipInstruction() throws(Problem) {
        let start = position - 2
        guard skip(past: "?>") else {
            throw .xmlUnclosed("processing instruction", expected: "?>", at: location(start))
        }
    }

    /// Moves past a document type whose `<!DOCTYPE` was already read. Declarations in it are an error: property lists
    /// do not need entities, and entities can expand a kilobyte of XML to a gigabyte.
    mutating func skipDocumentType() throws(Problem) {
        let start = position - 9
        while !isAtEnd {
            if byte == UInt8(ascii: "[") { throw internalSubset() }
            position += 1
            if text[position - 1] == UInt8(ascii: ">") { return }
        }
        throw .xmlUnclosed("document type", expected: ">", at: location(start))
    }

    /// Whether a document type without an internal subset is well-formed (XML 1.0, productions 28 and 75).
    static func isDocumentType(_ tag: ArraySlice<UInt8>) -> Bool {
        var rest = tag.dropFirst("<!DOCTYPE".utf8.count).dropLast()
        var words: [ArraySlice<UInt8>] = []
        while true {
            let spaces = rest.prefix(while: \.isXMLSpace)
            rest = rest.dropFirst(spaces.count)
            guard let first = rest.first else { break }
            guard !spaces.isEmpty, words.count < 4 else { return false }
            var end = rest.firstIndex { $0.isXMLSpace || isQuote($0) } ?? rest.endIndex
            if isQuote(first) {
                guard let close = rest.dropFirst().firstIndex(of: first) else { return false }
                end = close + 1
            }
            words.append(rest[..<end])
            rest = rest[end...]
        }
        guard tag.starts(with: "<!DOCTYPE".utf8), let start = words.first?.first,
            start.isLetter || start >= 0x80 || "_:".utf8.contains(start)
        else { return false }
        switch words.count {
        case 1: return true
        case 3: return words[1].elementsEqual("SYSTEM".utf8) && isQuote(words[2][words[2].startIndex])
        case 4:
            return words[1].elementsEqual("PUBLIC".utf8) && isQuote(words[2][words[2].startIndex])
                && isQuote(words[3][words[3].startIndex])
                && words[2].dropFirst().dropLast().allSatisfy {
                    $0.isLetterOrDigit || " \r\n-'()+,./:=?;!*#@$_%".utf8.contains($0)
                }
        default: return false
        }
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private mutating func internalSubset() -> Problem {
        guard let entity = declaredEntity() else {
            return Problem(
                "xml.subset", "the document type has an internal subset in brackets, which is not supported",
                at: location(position))
        }
        return Problem(
            "xml.entity-declaration",
            "the document type declares the entity \"\(SafeText.quoting(entity))\"; entity declarations are not supported",
            at: location(position))
    }

    /// Returns the name of the first entity declared in the rest of the text.
    private mutating func declaredEntity() -> ArraySlice<UInt8>? {
        let start = position
        defer { position = start }
        guard skip(past: "<!ENTITY") else { return nil }
        skipWhitespace()
        if skip("%") { skipWhitespace() }
        let name = position
        while !isAtEnd, !byte.isXMLSpace, byte != UInt8(ascii: ">") { position += 1 }
        return text[name..<position]
    }

    /// Moves past any comments, instructions and document types, and then past the `<` of an element.
    ///
    /// - Returns: False if something else follows.
    mutating func skipToElement() -> Bool {
        while true {
            skipWhitespace()
            if skip("<!--") {
                guard skip(past: "-->") else { return false }
            } else if skip("<?") {
                guard skip(past: "?>") else { return false }
            } else if skip("<!DOCTYPE") {
                guard (try? skipDocumentType()) != nil else { return false }
            } else {
                return skip("<")
            }
        }
    }

    /// Reads the name of a tag whose `<` was already read. Attributes up to the first `>` are ignored.
    @inline(__always)
    mutating func readTag() throws(Problem) -> Tag {
        let start = position
        let bytes = EightBytes(text.span, at: start)
        let length = EightBytes.first(bytes.marks(of: UInt8(ascii: ">")))
        if length < 8, let name = XMLName(bytes.word.byteSwapped >> UInt64(64 - 8 * length), dialect) {
            position += length + 1
            return Tag(name: name, isEmpty: false)
        }
        return try readUnusualTag()
    }

    /// Reads a tag that contains more than a name, or whose name is unknown.
    private mutating func readUnusualTag() throws(Problem) -> Tag {
        let start = position
        var name: UInt64 = 0
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: ">") || byte.isXMLSpace { break }
            name = name << 8 | UInt64(byte)
            position += 1
        }
        var nameEnd = position
        while position < text.count, text[position] != UInt8(ascii: ">") { position += 1 }
        guard position < text.count else { throw .xmlUnclosed("tag", expected: ">", at: location(start - 1)) }
        let isEmpty = text[position - 1] == UInt8(ascii: "/")
        if isEmpty, nameEnd == position {
            nameEnd -= 1
            name >>= 8
        }
        position += 1
        guard nameEnd - start <= 7, let name = XMLName(name, dialect) else {
            let name = text[start..<nameEnd]
            let found = name.isEmpty ? "a tag without a name" : "<\(SafeText.quoting(name))>"
            let expected = name.isEmpty ? "an element" : dialect.alternatives
            throw Problem("xml.element", "found \(found); expected \(expected)", at: location(start - 1))
        }
        let end = isEmpty ? position - 2 : position - 1
        return Tag(name: name, isEmpty: isEmpty, isWellFormed: Self.attributeNames(text[nameEnd..<end]) != nil)
    }

    /// Returns the names of attributes with values in quotes, each after white space, or nil if the text is not
    /// well-formed. Duplicate attributes are not detected.
    static func attributeNames(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var rest = text
        var names: [ArraySlice<UInt8>] = []
        while true {
            let spaces = rest.prefix(while: \.isXMLSpace)
            rest = rest.dropFirst(spaces.count)
            if rest.isEmpty { return names }
            let name = rest.prefix { !$0.isXMLSpace && !"!\"#$%&'()*+,/;<=>?@[\\]^`{|}~".utf8.contains($0) }
            rest = rest.dropFirst(name.count).drop(while: \.isXMLSpace)
            guard !spaces.isEmpty, !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
            rest = rest.drop(while: \.isXMLSpace)
            guard let quote = rest.popFirst(), isQuote(quote), let end = rest.firstIndex(of: quote),
                isValue(rest[..<end])
            else { return nil }
            names.append(name)
            rest = rest[(end + 1)...]
        }
    }

    /// Whether every `&` in the value of an attribute begins a reference, and the value has no `<`.
    private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        value.indices.allSatisfy { offset in
            guard value[offset] == UInt8(ascii: "&") else { return value[offset] != UInt8(ascii: "<") }
            let rest = value[(offset + 1)...]
            let end = rest.firstIndex {
                !$0.isLetterOrDigit && $0 != UInt8(ascii: "#")
            }
            return end.map { $0 > rest.startIndex && value[$0] == UInt8(ascii: ";") } ?? false
        }
    }

    @inline(__always)
    mutating func readEnd(_ name: XMLName) throws(Problem) {
        if text.count - position > 2, text[position] == UInt8(ascii: "<"), text[position + 1] == UInt8(ascii: "/") {
            let found = EightBytes(text.span, at: position + 2).word.byteSwapped
            if found >> UInt64(56 - 8 * name.length) == name.bytes << 8 | UInt64(UInt8(ascii: ">")) {
                position += name.length + 3
                return
            }
        }
        try readUnusualEnd(name)
    }

    /// Reads an end tag with white space in it, or reports what is in its place.
    ///
    /// - Throws: A problem if the text at the position is not the end tag.
    private mutating func readUnusualEnd(_ name: XMLName) throws(Problem) {
        let start = position
        guard skip("</") else {
            if isAtEnd { throw .xmlTruncated(in: name, at: location(start)) }
            throw Problem(
                "xml.markup", "found something other than text inside <\(name.text)>; expected </\(name.text)>",
                at: location(start))
        }
        if skip(name.text) {
            skipWhitespace()
            if skip(">") { return }
        }
        throw wrongEnd(start, expected: name)
    }

    private mutating func wrongEnd(_ start: Int, expected name: XMLName) -> Problem {
        position = start
        while !isAtEnd, byte != UInt8(ascii: ">") { position += 1 }
        if isAtEnd { return .xmlTruncated(in: name, at: location(start)) }
        return Problem(
            "xml.end", "found </\(SafeText.quoting(text[start + 2..<position]))>; expected </\(name.text)>",
            at: location(start))
    }

    /// Moves past `<key>CF$UID</key><integer>5</integer></dict>`, the contents of a UID as every writer spells them.
    ///
    /// - Returns: The number, or nil, without moving, for anything else.
    mutating func skipUID() -> UInt32? {
        let start = position
        skipWhitespace()
        if skip("<key>CF$UID</key>") {
            skipWhitespace()
            if skip("<integer>"), let value = skipDigits(), skip("</integer>") {
                skipWhitespace()
                if skip("</dict>") { return value }
            }
        }
        position = start
        return nil
    }

    private mutating func skipDigits() -> UInt32? {
        let start = position
        var value: UInt64 = 0
        while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), position - start < 10 {
            value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
            position += 1
        }
        return position > start ? UInt32(exactly: value) : nil
    }
}

extension Problem {
    static func xmlUnclosed(_ what: String, expected end: String, at location: SourceLocation) -> Problem {
        Problem("xml.unclosed", "the \(what) that starts here is not closed; expected \"\(end)\"", at: location)
    }

    static func xmlTruncated(in name: XMLName, at location: SourceLocation) -> Problem {
        Problem("xml.truncated", "the text ends inside <\(name.text)>; expected </\(name.text)>", at: location)
    }
}
