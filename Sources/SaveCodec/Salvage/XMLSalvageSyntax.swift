/// The tokens of XML property lists. Declarations, comments and `plist` tags count as blanks.
struct XMLSalvageSyntax: SalvageSyntax {
    let source: DamagedText
    let text: [UInt8]
    /// The offset of the end tag of the plist if nothing but blanks follows it, otherwise the end of the text.
    let contentEnd: Int
    var failures = SalvageFailures()
    private let dialect: XMLDialect
    /// The end of the contents of each scalar whose end tag is damaged, the whole end tag and a message, by the start of
    /// the scalar.
    private var damagedEnds: [Int: (contents: Int, tag: String, message: String)] = [:]
    /// Whether the repaired text begins with a new `plist` tag.
    private var hasNewPlist = false

    init(_ source: DamagedText) {
        (self.source, text) = (source, source.bytes)
        contentEnd = Self.endOfContents(source.bytes)
        // If the beginning is damaged, the names of the elements show the dialect.
        let isShort = XMLDialect(of: text) == .short || Self.has("<k>", text) && !Self.has("<key>", text)
        dialect = isShort ? .short : .standard
    }

    /// Whether a damaged text has tags of property lists.
    static func resembles(_ file: [UInt8]) -> Bool {
        let text = DamagedText(file).bytes
        return has("<plist", text) || has("</dict>", text) && (has("<key>", text) || has("<dict>", text))
    }

    /// Returns the encoding that the declaration of a file names, or UTF-8.
    static func declaredEncoding(_ file: [UInt8]) -> TextEncoding { (try? XMLDeclaration(of: file))?.encoding ?? .utf8 }

    private static func has(_ literal: StaticString, _ text: [UInt8]) -> Bool {
        var cursor = XMLCursor(text)
        return cursor.skip(past: literal)
    }

    private static func endOfContents(_ text: [UInt8]) -> Int {
        var rest = text[...]
        while let last = rest.last, last == 0 || last.isXMLSpace { rest = rest.dropLast() }
        guard rest.last == UInt8(ascii: ">"), let start = rest.lastIndex(of: UInt8(ascii: "<")),
            rest[start...].starts(with: "</plist".utf8)
        else { return text.count }
        return start
    }

    var commentDelimiters: (start: String, end: String) { ("<!--", "-->") }
    var hasPunctuation: Bool { false }
    var allowsWordsAsKeys: Bool { false }
    var placeholder: String {
        "<\(dialect.name(of: .string).text)></\(dialect.name(of: .string).text)>"
    }
    var needsLastSeparator: Bool { false }
    func key(_ name: String) -> String {
        let tag = dialect.name(of: .key).text
        return "<\(tag)>\(name)</\(tag)>"
    }
    func mark() -> String { "" }
    func separator(isDictionary: Bool) -> UInt8 { 0x0A }
    func opening(isDictionary: Bool) -> String { "<\(name(isDictionary))>" }
    func closing(isDictionary: Bool, from start: Int?) -> String {
        // The short dialect has both <dict> and <d>.
        let long = isDictionary ? "dict" : "array"
        if let start, isAt("<\(long)", start) { return "</\(long)>" }
        return "</\(name(isDictionary))>"
    }

    func ends(_ token: SalvageToken, from start: Int) -> Bool {
        guard let begun = tag(at: start + 1), let ended = tag(at: token.range.lowerBound + 2) else { return true }
        return begun.name == ended.name
    }

    private func name(_ isDictionary: Bool) -> StaticString {
        let name = dialect.name(of: isDictionary ? .dict : .array)
        return name.text
    }

    mutating func newStart() -> (text: String, end: Int, hasMembers: Bool)? {
        let tag = "<plist"
        guard var root = end(of: tag, from: 0).map({ $0 - tag.utf8.count }) else { return nil }
        // A document type may read as a tag, too.
        while let end = endOfTag(at: root), let next = text[end...].firstIndex(where: { !$0.isXMLSpace }),
            isAt(tag, next)
        {
            root = next
        }
        let start = text[..<root]
        let malformed = malformedMarkup()
        let isDamaged =
            start.contains { $0 < 0x20 && !$0.isXMLSpace } || source.hasReplacement(in: 0..<root)
            || skippingMarkup(from: 0) < root || !hasKnownEncoding || malformed.map { $0 < root } ?? false
        let tagEnd = endOfTag(at: root).flatMap { isWellFormed(text[root..<$0]) ? nil : $0 }
        guard isDamaged || tagEnd != nil else { return nil }
        let beginning = isDamaged ? declaration : String(decoding: start, as: UTF8.self)
        return (tagEnd == nil ? beginning : beginning + newPlist, tagEnd ?? root, hasEndTag(before: root))
    }

    mutating func malformedMarkup() -> Int? {
        // Other readers refuse UTF-16 that declares UTF-8.
        if source.stored.encoding.isWide, XMLDeclaration.namesNarrowEncoding(text) { return 0 }
        var position = 0
        while let start = text[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start + 1
            if isAt("<!--", start) {
                position = end(of: "-->", from: start + 4) ?? text.count
            } else if isAt("<!", start) || isAt("<?xml ", start) || isPlistTag(at: start) {
                if let end = endOfTag(at: start), !isWellFormed(text[start..<end]) { return start }
                if isPlistTag(at: start) { return nil }
            } else if byte(position) != UInt8(ascii: "?") {
                return nil
            }
        }
        return nil
    }

    /// Whether a declaration, a document type or a `plist` tag is well-formed.
    private func isWellFormed(_ tag: ArraySlice<UInt8>) -> Bool {
        if tag.starts(with: "<?".utf8) { return XMLDeclaration.isWellFormed(tag) }
        if tag.starts(with: "<!".utf8) { return XMLCursor.isDocumentType(tag) }
        return XMLCursor.attributeNames(tag.dropLast().drop { !$0.isXMLSpace }) != nil
    }

    /// Whether an end tag is before an offset, and not in a comment.
    private mutating func hasEndTag(before limit: Int) -> Bool {
        var position = 0
        while let start = text[position..<limit].firstIndex(of: UInt8(ascii: "<")) {
            if isAt("</", start) { return true }
            let end = isAt("<!--", start) ? end(of: "-->", from: start + 4) : nil
            position = min(end ?? start + 1, limit)
        }
        return false
    }

    mutating func lostStart(after count: Int) -> String {
        let start = count == 0 ? declaration : ""
        if let plist = end(of: "<plist", from: 0), plist <= count { return start }
        hasNewPlist = true
        return start + newPlist + "\n"
    }

    private var newPlist: String { "<plist version=\"1.0\"\(dialect == .short ? " gjver=\"2.0\"" : "")>" }

    /// Whether the reader finds the encoding of the text.
    private var hasKnownEncoding: Bool {
        source.stored.encoding != .utf8 || source.stored.hasMark || (try? XMLDeclaration(of: text)) != nil
    }

    private var declaration: String {
        let name =
            switch source.stored.encoding {
            case .utf8: "UTF-8"
            case .utf16: "UTF-16"
            case .utf32: "UTF-32"
            case .ascii: "US-ASCII"
            case .latin1: "ISO-8859-1"
            case .windows1252: "windows-1252"
            }
        return "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n"
    }

    mutating func ending(after root: Int) -> String {
        let isOpen = hasNewPlist || end(of: "<plist", from: 0).map { $0 < root } ?? false
        guard isOpen, endOfPlist(after: root) == nil else { return "" }
        return cutTag(after: root).map { "\(Self.endTag.dropFirst($0))\n" } ?? "\n</plist>\n"
    }

    private static let endTag = "</plist>"

    /// Returns the number of characters of the end tag of the plist with which the text ends after the root; nil for
    /// other text.
    private func cutTag(after root: Int) -> Int? {
        let rest = text[root...].drop { $0.isXMLSpace }
        return !rest.isEmpty && rest.count < 8 && Self.endTag.utf8.starts(with: rest) ? rest.count : nil
    }

    mutating func end(afterRoot root: Int) -> Int {
        guard cutTag(after: root) == nil else { return text.count }
        var end = endOfPlist(after: root) ?? root
        while end < text.count, text[end].isXMLSpace { end += 1 }
        // Comments may follow.
        return skippingMarkup(from: end, to: text.count) == text.count && !hasSecondFile(from: end) ? text.count : end
    }

    private func hasSecondFile(from offset: Int) -> Bool { isAt("<?xml", offset) || isAt("<plist", offset) }

    /// Returns the offset after the end tag of the plist, which only white space may precede.
    private func endOfPlist(after root: Int) -> Int? {
        var position = root
        while position < text.count, text[position].isXMLSpace { position += 1 }
        return isAt("</plist", position) ? endOfTag(at: position) : nil
    }

    mutating func token(from offset: Int) -> SalvageToken {
        let start = skippingMarkup(from: offset)
        guard start < contentEnd else { return token(.end, contentEnd, 0) }
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
            guard !isEnd, let (contents, close, damage) = endOfScalar(name, isEmpty, from: end) else {
                return token(.junk, start)
            }
            if let damage { damagedEnds[start] = (contents, "</\(name.text)>", damage) }
            return SalvageToken(name.element == .key ? .key : .scalar, start..<close)
        }
    }

    private mutating func skippingMarkup(from start: Int, to limit: Int? = nil) -> Int {
        var position = start
        let limit = limit ?? contentEnd
        while position < limit {
            if text[position].isXMLSpace {
                position += 1
            } else if failures.damagedComments.contains(position) {
                break
            } else if isAt("<!--", position), let end = end(of: "-->", from: position + 4),
                isSoundComment(position..<end)
            {
                position = end
            } else if isAt("<?", position), let end = end(of: "?>", from: position + 2) {
                position = end
            } else if isAt("<!DOCTYPE", position) || isPlistTag(at: position),
                let end = endOfTag(at: position)
            {
                position = end
            } else {
                break
            }
        }
        return position
    }

    private func isPlistTag(at offset: Int) -> Bool {
        guard isAt("<plist", offset) || isAt("</plist", offset) else { return false }
        let next = byte(offset + (byte(offset + 1) == UInt8(ascii: "/") ? 7 : 6))
        return next == UInt8(ascii: ">") || next.isXMLSpace
    }

    /// Returns the end of a tag with attributes, or nil if it is not closed or contains bytes that a tag cannot
    /// contain.
    private func endOfTag(at start: Int) -> Int? {
        let rest = text[(start + 1)...].prefix(256)
        let end = rest.indices.first { offset in
            let (byte, next) = (text[offset], self.byte(offset + 1))
            let isMarkup =
                byte == UInt8(ascii: "<") && ((0x61...0x7A).contains(next | 0x20) || "/!?".utf8.contains(next))
            return byte == UInt8(ascii: ">") || isMarkup || byte < 0x20 && !byte.isXMLSpace
        }
        guard let end, text[end] == UInt8(ascii: ">") else { return nil }
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
        while position < text.count, text[position].isXMLSpace { position += 1 }
        let isEmpty = byte(position) == UInt8(ascii: "/")
        if isEmpty { position += 1 }
        guard byte(position) == UInt8(ascii: ">") else { return nil }
        return (name, position + 1, isEmpty)
    }

    /// The end of the contents of a scalar, the end of its end tag, and a message if that is damaged.
    private typealias ScalarEnd = (contents: Int, tag: Int, damage: String?)

    /// Returns the end of a scalar after its start tag, or nil if its contents are not valid or it has no end tag.
    private mutating func endOfScalar(_ name: XMLName, _ isEmpty: Bool, from start: Int) -> ScalarEnd? {
        if isEmpty { return [.string, .key, .true, .false].contains(name.element) ? (start, start, nil) : nil }
        var position = start
        var hasSection = false
        while position < text.count {
            if isAt("<![CDATA[", position), failures.sectionBytes <= 16 * text.count,
                let end = end(of: "]]>", from: position)
            {
                position = end
                hasSection = true
                continue
            }
            let byte = text[position]
            guard byte != UInt8(ascii: "<"), byte >= 0x20 || byte.isXMLSpace else { break }
            position += 1
        }
        let text = text
        guard let end = endTag(name, at: position, after: start),
            isValid(text.span.extracting(start..<end.contents), name.element),
            name.element != .key || strayReference(in: start..<end.contents) == nil
        else {
            if hasSection { failures.sectionBytes += position - start }
            return nil
        }
        return end
    }

    /// Returns the end tag of a scalar. It begins at `position` or, if its first bytes are damaged, shortly before.
    private func endTag(_ name: XMLName, at position: Int, after start: Int) -> ScalarEnd? {
        let isEnd = isAt("</", position)
        let found = tag(at: position + (isEnd ? 2 : 1))
        if isEnd, let found, found.name == name, !found.isEmpty { return (position, found.end, nil) }
        let expected = Array("</\(name.text)>".utf8)
        func damagedTag(_ range: Range<Int>) -> ScalarEnd? {
            let bytes = text[range]
            let same = zip(bytes, expected).prefix { $0 == $1 }.count
            let rests = zip(bytes.dropFirst(same).reversed(), expected.dropFirst(same).reversed())
            let sameAtEnd = rests.prefix { $0 == $1 }.count
            let isSimilar = 4 * (same + sameAtEnd) >= 3 * expected.count && 4 * bytes.count <= 5 * expected.count
            return isSimilar ? (range.lowerBound, range.upperBound, "its end tag is damaged and was restored") : nil
        }
        let next = text[min(position + 1, text.count)...].prefix(2 * expected.count).firstIndex {
            $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
        }
        // Another tag is not a damaged one, and a tag may be cut off.
        if found == nil, let next {
            let isClosed = text[next] == UInt8(ascii: ">")
            let damaged = damagedTag(position..<(isClosed ? next + 1 : endWithoutSpace(position..<next)))
            if let damaged { return damaged }
        }
        let before = endWithoutSpace(start..<position)
        // Its first bytes may be missing.
        var ends = (0...2).compactMap { damagedTag(max(before - expected.count + $0, start)..<before) }
        ends.removeAll { !isValid(text.span.extracting(start..<$0.contents), name.element) }
        var end =
            ends.first { isDamagedBracket(text[$0.contents]) && byte($0.contents + 1) == UInt8(ascii: "/") }
            ?? ends.first { text[$0.contents] == UInt8(ascii: "/") } ?? ends.first { text[$0.contents] == expected[2] }
            ?? ends.first
        if ends.contains(where: { $0.contents != end?.contents }) { end?.damage? += "; its last character is doubtful" }
        return end
    }

    /// Whether a byte is a `<` with a changed bit, and no digit.
    private func isDamagedBracket(_ byte: UInt8) -> Bool {
        (byte ^ UInt8(ascii: "<")).nonzeroBitCount == 1 && !(0x30...0x39).contains(byte)
    }

    /// Returns the offset after the last byte of a range that is not white space.
    private func endWithoutSpace(_ range: Range<Int>) -> Int {
        text[range].lastIndex { !$0.isXMLSpace }.map { $0 + 1 } ?? range.lowerBound
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

    // MARK: References

    func repaired(_ scalar: SalvageToken) -> SalvageRepair? {
        let damagedEnd = damagedEnds[scalar.range.lowerBound]
        var rest = scalar.range.lowerBound..<(damagedEnd?.contents ?? scalar.range.upperBound)
        var output = ""
        while let stray = strayReference(in: rest) {
            output += String(decoding: text[rest.lowerBound..<stray], as: UTF8.self) + "&amp;"
            rest = stray + 1..<rest.upperBound
        }
        guard damagedEnd != nil || !output.isEmpty else { return nil }
        return SalvageRepair(
            text: output + String(decoding: text[rest], as: UTF8.self) + (damagedEnd?.tag ?? ""),
            message: [output.isEmpty ? nil : "an & that begins no reference was kept as text", damagedEnd?.message]
                .compactMap(\.self).joined(separator: "; "),
            mayHideMembers: damagedEnd != nil)
    }

    /// Returns the offset of the first `&` outside CDATA sections that begins no reference.
    private func strayReference(in range: Range<Int>) -> Int? {
        guard dialect == .standard, text[range].contains(UInt8(ascii: "&")) else { return nil }
        var cursor = XMLCursor(text, dialect)
        cursor.position = range.lowerBound
        while true {
            cursor.skipText()
            guard cursor.position < range.upperBound else { return nil }
            if cursor.byte == UInt8(ascii: "&") {
                guard isReference(at: cursor.position) else { return cursor.position }
                cursor.position += 1
            } else if cursor.skip("<![CDATA[") {
                guard cursor.skip(past: "]]>") else { return nil }
            } else {
                cursor.position += 1
            }
        }
    }

    private func isReference(at start: Int) -> Bool {
        let rest = text[start...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return false }
        var cursor = XMLCursor(Array(rest[...end]), dialect)
        var (contents, warnings): ([UInt8], XMLWarnings) = ([], XMLWarnings())
        return (try? XMLText.read(&cursor, into: &contents, &warnings)) != nil && cursor.isAtEnd
    }
}
