/// A token of a text that may be damaged.
struct SalvageToken {
    enum Kind: Equatable {
        case open(isDictionary: Bool)
        case close(isDictionary: Bool)
        /// The separator between elements or pairs, such as `,`.
        case separator
        /// The mark between a key and its value, such as `:`.
        case mark
        /// A key element of XML. Keys of other formats are scalars or words.
        case key
        /// A scalar that shows where it ends, such as a quoted string.
        case scalar
        /// A word or a number. Damage next to it may hide a part.
        case word
        /// Bytes that are not a token.
        case junk
        case end
    }

    let kind: Kind
    let range: Range<Int>

    init(_ kind: Kind, _ range: Range<Int>) {
        (self.kind, self.range) = (kind, range)
    }
}

/// The tokens and punctuation of a text format, for ``TextSalvage``. Each token is found in time linear in its length.
protocol SalvageSyntax {
    var source: DamagedText { get }
    /// The bytes of ``source``.
    var text: [UInt8] { get }
    /// The searches that failed before. They are not repeated, which keeps the time linear.
    var failures: SalvageFailures { get set }
    /// Returns the token at or after an offset. Blanks and comments before it are skipped.
    mutating func token(from offset: Int) -> SalvageToken

    /// The beginning and the end of a comment that may have several lines.
    var commentDelimiters: (start: String, end: String) { get }
    /// Whether the reader of the format accepts only UTF-8.
    var isAlwaysUTF8: Bool { get }
    /// Whether the format has marks and separators, unlike XML.
    var hasPunctuation: Bool { get }
    /// Whether a key may be a word.
    var allowsWordsAsKeys: Bool { get }
    /// The text that replaces a lost value.
    var placeholder: String { get }
    /// Returns the text of a key, without the mark after it. The name must need no escapes.
    func key(_ name: String) -> String
    func mark() -> String
    func separator(isDictionary: Bool) -> UInt8
    func opening(isDictionary: Bool) -> String
    /// Returns the end of a container. `start` is the offset of its beginning; nil if the beginning was inserted.
    func closing(isDictionary: Bool, from start: Int?) -> String
    /// Whether a token ends a container that begins at an offset. Both are dictionaries, or both are arrays.
    func ends(_ token: SalvageToken, from start: Int) -> Bool
    /// Whether the last pair of a dictionary needs a separator.
    var needsLastSeparator: Bool { get }
    /// Returns the repair of a key or a scalar; nil if it has no faults.
    func repaired(_ scalar: SalvageToken) -> SalvageRepair?
    /// The offset at which the markup after the root begins.
    var contentEnd: Int { get }
    /// Returns the offset after the root at which the file ends, or at which bytes begin that do not belong to it.
    mutating func end(afterRoot root: Int) -> Int
    /// Returns the text that has to precede the root in addition to the first `count` bytes of the damaged text.
    mutating func lostStart(after count: Int) -> String
    /// Returns the text in place of a damaged beginning, the offset at which the beginning ends, and whether it has
    /// parts of members; nil without damage.
    mutating func newStart() -> (text: String, end: Int, hasMembers: Bool)?
    /// Returns the offset of the first markup before the root that is not well-formed; nil if there is none. The reader
    /// of the format may accept it.
    mutating func malformedMarkup() -> Int?
    /// Returns the text that has to be added after the root; empty if nothing is missing.
    mutating func ending(after root: Int) -> String
}

/// The repair of a key or a scalar that can be read nevertheless.
struct SalvageRepair {
    let text: String
    let message: String
    /// Whether other members may have been next to the fault.
    let mayHideMembers: Bool
}

/// The searches that failed, and that would fail again.
struct SalvageFailures {
    /// The last string in double quotes that could not be read. All quotation marks in it are escaped, so no string
    /// that begins in this range can be read.
    var doubleQuotes = 0..<0
    /// The same for single quotes.
    var singleQuotes = 0..<0
    /// The total size in bytes of XML elements with CDATA sections that could not be read.
    var sectionBytes = 0
    /// The range in which no comment can begin, because it would contain a zero byte. Such a byte is damage that may
    /// hide the end of the comment.
    var damagedComments = 0..<0
    /// For each of `*/`, `-->`, `?>` and `]]>`, the offset from which on it does not occur.
    var ends: [String: Int] = [:]
}

extension SalvageSyntax {
    var commentDelimiters: (start: String, end: String) { ("/*", "*/") }
    var isAlwaysUTF8: Bool { false }
    func ends(_ token: SalvageToken, from start: Int) -> Bool { true }
    func newStart() -> (text: String, end: Int, hasMembers: Bool)? { nil }
    func malformedMarkup() -> Int? { nil }
    func lostStart(after count: Int) -> String { "" }
    func repaired(_ scalar: SalvageToken) -> SalvageRepair? { nil }
    func key(_ name: String) -> String { "\"\(name)\"" }
    var contentEnd: Int { text.count }
    mutating func end(afterRoot root: Int) -> Int {
        let rest = token(from: root)
        return rest.kind == .end ? text.count : rest.range.lowerBound
    }

    func ending(after root: Int) -> String { "" }

    func token(_ kind: SalvageToken.Kind, _ start: Int, _ count: Int = 1) -> SalvageToken {
        SalvageToken(kind, start..<start + count)
    }

    func byte(_ offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }

    func isAt(_ literal: String, _ offset: Int) -> Bool {
        text[min(offset, text.count)...].starts(with: literal.utf8)
    }

    /// Whether a literal occurs in a range.
    func contains(_ literal: String, in range: Range<Int>) -> Bool {
        guard let first = literal.utf8.first else { return true }
        var rest = text[range]
        while let found = rest.firstIndex(of: first) {
            rest = rest[found...]
            if rest.starts(with: literal.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Returns the offset after the next occurrence of a literal, or nil.
    mutating func end(of literal: String, from start: Int) -> Int? {
        if let failed = failures.ends[literal], start >= failed { return nil }
        let first = literal.utf8.first ?? 0
        var position = start
        while let found = text[min(position, text.count)...].firstIndex(of: first) {
            if isAt(literal, found) { return found + literal.utf8.count }
            position = found + 1
        }
        failures.ends[literal] = start
        return nil
    }

    /// Whether a comment begins at an offset and has no end.
    mutating func isUnclosedComment(at offset: Int) -> Bool {
        let (start, close) = commentDelimiters
        return isAt(start, offset) && end(of: close, from: offset + start.utf8.count) == nil
    }

    /// Whether a comment is free of zero bytes. If not, the range is recorded as damaged.
    mutating func isSoundComment(_ range: Range<Int>) -> Bool {
        guard !source.allowsZeros, let zero = text[range].lastIndex(of: 0) else { return true }
        // Every comment that begins before the zero byte ends at the same place.
        failures.damagedComments = range.lowerBound..<zero
        return false
    }

    /// Returns the offset after blanks and the comments `// …` and `/* … */`.
    mutating func skippingBlanks(from start: Int) -> Int {
        var position = start
        while position < text.count {
            let byte = text[position]
            if byte.isSpace {
                position += 1
            } else if byte == UInt8(ascii: "/"), failures.damagedComments.contains(position) {
                break
            } else if byte == UInt8(ascii: "/"), isAt("//", position) {
                let end = text[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
                guard isSoundComment(position..<end) else { break }
                position = end
            } else if byte == UInt8(ascii: "/"), isAt("/*", position),
                let end = end(of: "*/", from: position + 2), isSoundComment(position..<end)
            {
                position = end
            } else {
                break
            }
        }
        return position
    }

    /// Returns the end of a quoted string, or nil if it is not closed or contains other control characters than the
    /// allowed ones.
    mutating func endOfString(at start: Int, allowing controls: ClosedRange<UInt8>) -> Int? {
        let isDouble = text[start] == UInt8(ascii: "\"")
        guard !(isDouble ? failures.doubleQuotes : failures.singleQuotes).contains(start) else { return nil }
        let (end, isValid) = searchedEndOfString(at: start, allowing: controls)
        guard isValid else {
            refuseStrings(in: start..<end)
            return nil
        }
        return end
    }

    /// Records that no string that begins in a range, with the quotation mark at its start, can be read.
    mutating func refuseStrings(in range: Range<Int>) {
        if text[range.lowerBound] == UInt8(ascii: "\"") {
            failures.doubleQuotes = range
        } else {
            failures.singleQuotes = range
        }
    }

    /// Returns the end of a string or, if it is not valid, the offset at which the search stopped and another string
    /// may begin.
    private func searchedEndOfString(at start: Int, allowing controls: ClosedRange<UInt8>) -> (end: Int, isValid: Bool)
    {
        var position = start + 1
        while position < text.count {
            let byte = text[position]
            if byte == text[start] { break }
            let isZero = byte == 0 && source.allowsZeros
            guard byte >= 0x20 || isZero || controls.contains(byte) else {
                return (position, false)
            }
            // Damage may follow a backslash.
            let isEscape = byte == UInt8(ascii: "\\") && position + 1 < text.count && text[position + 1] >= 0x20
            position += isEscape ? 2 : 1
        }
        return position < text.count ? (position + 1, true) : (text.count, false)
    }
}
