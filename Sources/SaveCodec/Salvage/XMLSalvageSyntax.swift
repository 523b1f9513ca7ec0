/// The tokens of XML property lists. Declarations, comments and `plist` tags count as blanks.
struct XMLSalvageSyntax: SalvageSyntax {
    let text: [UInt8]
    var failures = SalvageFailures()
    private let dialect: XMLDialect
    /// Whether the repaired text begins with a new `plist` tag.
    private var hasNewPlist = false

    init(_ text: [UInt8]) {
        self.text = text
        dialect = XMLDialect(of: text)
    }

    var hasPunctuation: Bool { false }
    var allowsWordsAsKeys: Bool { false }
    var placeholder: String {
        "<\(dialect.name(of: .string).text)></\(dialect.name(of: .string).text)>"
    }
    var needsLastSeparator: Bool { false }
    func mark() -> String { "" }
    func separator(isDictionary: Bool) -> UInt8 { 0x0A }
    func opening(isDictionary: Bool) -> String { "<\(name(isDictionary))>" }
    func closing(isDictionary: Bool) -> String { "</\(name(isDictionary))>" }

    private func name(_ isDictionary: Bool) -> StaticString {
        let name = dialect.name(of: isDictionary ? .dict : .array)
        return name.text
    }

    mutating func newStart() -> (text: String, end: Int)? {
        let tag = "<plist"
        guard let root = end(of: tag, from: 0).map({ $0 - tag.utf8.count }) else { return nil }
        let start = Array(text[..<root])
        let hasControls = start.contains { $0 < 0x20 && !XMLCursor.isWhitespace($0) }
        guard hasControls || UTF8Text.firstInvalid(in: start.span) != nil || skippingMarkup(from: 0) < root else {
            return nil
        }
        return (Self.declaration, root)
    }

    mutating func lostStart() -> String {
        hasNewPlist = true
        return Self.declaration + "<plist version=\"1.0\">\n"
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    mutating func ending(after root: Int) -> String {
        let isOpen = hasNewPlist || end(of: "<plist", from: 0).map { $0 < root } ?? false
        return isOpen && endOfPlist(after: root) == nil ? "\n</plist>\n" : ""
    }

    mutating func end(afterRoot root: Int) -> Int {
        var end = endOfPlist(after: root) ?? root
        while end < text.count, XMLCursor.isWhitespace(text[end]) { end += 1 }
        // Comments may follow.
        return token(from: end).kind == .end && skippingMarkup(from: end) == text.count && !hasSecondFile(from: end)
            ? text.count : end
    }

    private func hasSecondFile(from offset: Int) -> Bool { isAt("<?xml", offset) || isAt("<plist", offset) }

    /// Returns the offset after the end tag of the plist, which only white space may precede.
    private func endOfPlist(after root: Int) -> Int? {
        var position = root
        while position < text.count, XMLCursor.isWhitespace(text[position]) { position += 1 }
        return isAt("</plist", position) ? endOfTag(at: position) : nil
    }

    mutating func token(from offset: Int) -> SalvageToken {
        let start = skippingMarkup(from: offset)
        guard start < text.count else { return token(.end, text.count, 0) }
        guard text[start] == UInt8(ascii: "<") else {
            let end = text[start...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
            return SalvageToken(.junk, start..<end)
        }
        let isEnd = byte(start + 1) == UInt8(ascii: "/")
        guard let (name, end, isEmpty) = tag(at: start + (isEnd ? 2 : 1)) else {
            return token(.junk, start)
        }
        switch name.element {
        case .dict, .array:
            let isDictionary = name.element == .dict
            if isEmpty { return SalvageToken(isEnd ? .junk : .scalar, start..<end) }
            return SalvageToken(
                isEnd ? .close(isDictionary: isDictionary) : .open(isDictionary: isDictionary), start..<end)
        case .plist: return token(.junk, start)
        default:
            guard !isEnd, let close = endOfScalar(name, isEmpty, from: end) else {
                return token(.junk, start)
            }
            return SalvageToken(name.element == .key ? .key : .scalar, start..<close)
        }
    }

    private mutating func skippingMarkup(from start: Int) -> Int {
        var position = start
        while position < text.count {
            if XMLCursor.isWhitespace(text[position]) {
                position += 1
            } else if isAt("<!--", position), let end = end(of: "-->", from: position + 4) {
                position = end
            } else if isAt("<?", position), let end = end(of: "?>", from: position + 2) {
                position = end
            } else if isAt("<!DOCTYPE", position) || isAt("<plist", position)
                || isAt("</plist", position),
                let end = endOfTag(at: position)
            {
                position = end
            } else {
                break
            }
        }
        return position
    }

    /// Returns the end of a tag with attributes, or nil if it is not closed or contains bytes that are not of a tag.
    private func endOfTag(at start: Int) -> Int? {
        let rest = text[(start + 1)...].prefix(256)
        let isEnd = { (byte: UInt8) in
            byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") || byte < 0x20 && !XMLCursor.isWhitespace(byte)
        }
        guard let end = rest.firstIndex(where: isEnd), text[end] == UInt8(ascii: ">") else { return nil }
        return end + 1
    }

    /// Reads the name of a tag and its end. Attributes are not expected.
    private func tag(at start: Int) -> (name: XMLName, end: Int, isEmpty: Bool)? {
        var position = start
        var bytes: UInt64 = 0
        while position < text.count, position - start < 8, (0x61...0x7A).contains(text[position] | 0x20) {
            bytes = bytes << 8 | UInt64(text[position])
            position += 1
        }
        guard let name = XMLName(bytes, dialect) else { return nil }
        while position < text.count, XMLCursor.isWhitespace(text[position]) { position += 1 }
        let isEmpty = byte(position) == UInt8(ascii: "/")
        if isEmpty { position += 1 }
        guard byte(position) == UInt8(ascii: ">") else { return nil }
        return (name, position + 1, isEmpty)
    }

    /// Returns the end of a scalar after its start tag, or nil if its contents or its end tag are not valid.
    private mutating func endOfScalar(_ name: XMLName, _ isEmpty: Bool, from start: Int) -> Int? {
        if isEmpty { return [.string, .key, .true, .false].contains(name.element) ? start : nil }
        var position = start
        var hasSection = false
        while position < text.count, !isAt("</", position) {
            if isAt("<![CDATA[", position), failures.sectionBytes <= 16 * text.count,
                let end = end(of: "]]>", from: position)
            {
                position = end
                hasSection = true
                continue
            }
            let byte = text[position]
            guard byte != UInt8(ascii: "<"), byte >= 0x20 || XMLCursor.isWhitespace(byte) else {
                if hasSection { failures.sectionBytes += position - start }
                return nil
            }
            position += 1
        }
        let text = text
        let contents = text.span.extracting(start..<min(position, text.count))
        guard position < text.count, UTF8Text.firstInvalid(in: contents) == nil,
            let (end, close, isEmpty) = tag(at: position + 2), end == name, !isEmpty,
            isValid(contents, name.element)
        else {
            if hasSection { failures.sectionBytes += position - start }
            return nil
        }
        return close
    }

    private func isValid(_ contents: Span<UInt8>, _ element: XMLElement) -> Bool {
        switch element {
        case .true, .false: return contents.isEmpty
        case .integer:
            if case .value = XMLNumber.integer(contents) { return true } else { return false }
        case .real: return XMLNumber.real(contents) != nil
        case .date: return XMLDate.read(contents) != nil
        case .data:
            if case .success(let result) = Base64.decodeLenient(contents) {
                return result.isClean
            } else {
                return false
            }
        default: return true
        }
    }
}
