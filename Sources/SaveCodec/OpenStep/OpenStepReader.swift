/// A reader of OpenStep text with one method per grammar rule (see <doc:OpenStepFormat>).
///
/// It keeps a list of open containers instead of using recursion, so no depth can overflow the call stack.
struct OpenStepReader: ~Copyable {
    private struct Frame {
        enum Kind { case array, dictionary, stringsBody }

        let kind: Kind
        /// The start of the container, for messages.
        let start: Int
        /// Whether a value was read but not yet the separator after it.
        var hasValue = false
    }

    /// The text in valid UTF-8.
    let text: [UInt8]
    let dialect: OpenStep.Dialect
    private let limits: Limits
    /// The recorder of the values' locations, if requested.
    private let recorder: SourceRecorder?
    let bareCharacters: ASCIISet
    var position = 0
    var builder: DocumentBuilder
    var warnings = OpenStepWarnings()
    /// The code units of the current string, if it has escapes.
    var units: [UInt16] = []
    private var frames: [Frame] = []
    private var isStringsBody = false
    private var hasTypedValues = false

    init(_ text: [UInt8], dialect: OpenStep.Dialect, limits: Limits, recorder: SourceRecorder? = nil) {
        self.text = text
        self.dialect = dialect
        self.limits = limits
        self.recorder = recorder
        bareCharacters = dialect.bareCharacters
        builder = DocumentBuilder(expectedSize: text.count)
        builder.maxValueCount = limits.maxValueCount(of: text.count)
    }

    var byte: UInt8? { position < text.count ? text[position] : nil }

    // MARK: The file

    /// Reads `file = ws [ value ws ] EOF | strings-body`.
    consuming func readDocument() throws(Problem) -> Document {
        try readRoot()
        while !frames.isEmpty { try readNext() }
        skipSpace()
        guard byte == nil else {
            let found = found(at: position)
            throw problem(
                "openstep.trailing", "found \(found) after the value; expected the end of the file", at: position)
        }
        noteZeros(upTo: warnings.ignoredTextOffset ?? text.count)
        if let offset = warnings.ignoredTextOffset {
            try Problem.checkConflictMarkers(in: text, from: offset)
            builder.formatFacts.ignoredTextStart = Document.startOfIgnoredText(in: text, from: offset)
        }
        // Other readers cannot read a text with typed values anyway.
        if hasTypedValues { warnings.remove(.bareCharacter) }
        builder.warnings = warnings.warnings(in: text)
        builder.formatFacts.openStepStyle = OpenStepStyle(of: text, isStringsBody: isStringsBody)
        return try builder.finish(format: dialect == .gnustep ? .gnustep : .openStep, sourceSize: text.count)
    }

    /// Notes the zero bytes in strings and comments. Elsewhere, they are invalid syntax or ignored text.
    private mutating func noteZeros(upTo end: Int) {
        guard text.contains(0) else { return }
        for offset in 0..<end where text[offset] == 0 { warnings.note(.zero, at: offset) }
    }

    /// Reads the root value, or only opens it if it is a container.
    ///
    /// Core Foundation's grammar reads a text without a value as an empty dictionary. If text follows a string, the
    /// string is the first key of a strings file.
    private mutating func readRoot() throws(Problem) {
        if text.count == 8, text.elementsEqual("bplist00".utf8) {
            throw Problem(
                "openstep.binary-header",
                "the file contains only bplist00, the start of a binary property list; expected a value",
                at: .line(1, column: 1))
        }
        skipSpace()
        guard let first = byte else {
            guard dialect == .openStep, !text.isEmpty else { throw .emptyDocument() }
            position = 0
            try open(.dictionary)
            position = text.count
            return close()
        }
        try readValue()
        guard dialect == .openStep, frames.isEmpty, first != UInt8(ascii: "<") else { return }
        skipSpace()
        guard byte != nil else { return }
        position = 0
        warnings = OpenStepWarnings()
        _ = builder.takeLast()
        recorder?.takeLast()
        isStringsBody = true
        try open(.stringsBody)
    }

    // MARK: Containers

    /// Reads the next part of the innermost container: a separator, an element, or the end.
    private mutating func readNext() throws(Problem) {
        skipSpace()
        let frame = frames[frames.count - 1]
        switch frame.kind {
        case .array: try readNextInArray(frame)
        case .dictionary: try readNextInDictionary(frame)
        case .stringsBody: try readNextInStringsBody(frame)
        }
    }

    /// Reads the next part of `array = "(" [ value { "," value } [ "," ] ] ")"`.
    private mutating func readNextInArray(_ frame: Frame) throws(Problem) {
        switch byte {
        case UInt8(ascii: ")"):
            position += 1
            close()
        case UInt8(ascii: ",") where frame.hasValue:
            position += 1
            frames[frames.count - 1].hasValue = false
        case nil:
            throw unterminated("array", from: frame.start, expected: "')'")
        default:
            guard !frame.hasValue else { throw expected("',' or ')'", at: position) }
            frames[frames.count - 1].hasValue = true
            try readValue()
        }
    }

    /// Reads the next part of `dict = "{" { pair } "}"`.
    private mutating func readNextInDictionary(_ frame: Frame) throws(Problem) {
        switch byte {
        case UInt8(ascii: ";") where frame.hasValue:
            position += 1
            frames[frames.count - 1].hasValue = false
        case UInt8(ascii: "}") where !frame.hasValue || dialect == .gnustep:
            if frame.hasValue { warnings.note(.missingSemicolon, at: position) }
            position += 1
            close()
        case nil:
            let expected: StaticString = frame.hasValue ? "';'" : "'}'"
            throw unterminated("dictionary", from: frame.start, expected: expected)
        default:
            guard !frame.hasValue else { throw expected("';' after the value", at: position) }
            try readPair(orEnd: true)
        }
    }

    /// Reads the next pair of a strings file, the semicolon after it, or the end. As in Core Foundation, the file ends
    /// at the first text that cannot start a key. Zero bytes with text after them are damage.
    private mutating func readNextInStringsBody(_ frame: Frame) throws(Problem) {
        if frame.hasValue {
            guard byte == UInt8(ascii: ";") else {
                throw expected("';' after the value", at: position)
            }
            position += 1
            frames[frames.count - 1].hasValue = false
        } else if let byte, startsString(byte) {
            try readPair(orEnd: false)
        } else {
            if byte == 0, text[position...].contains(where: { $0 > 0x20 }) { throw expected("a key", at: position) }
            if byte != nil { warnings.note(.ignoredText, at: position) }
            close()
            position = text.count
        }
    }

    /// Reads `pair = string ws ( "=" value ws ";" | ";" )` up to the value. Only Core Foundation accepts a pair without
    /// `=` and a value.
    private mutating func readPair(orEnd: Bool) throws(Problem) {
        let start = position
        let key = try readKey(orEnd: orEnd)
        let end = position
        skipSpace()
        switch byte {
        case UInt8(ascii: "="):
            position += 1
            skipSpace()
            frames[frames.count - 1].hasValue = true
            try readValue()
        case UInt8(ascii: ";") where dialect == .openStep:
            position += 1
            builder.add(key)
            recorder?.add(start..<end)
        default:
            let expected: StaticString = dialect == .openStep ? "'=' or ';' after the key" : "'=' after the key"
            throw self.expected(expected, at: position)
        }
    }

    /// Reads a key: a string, or any scalar in GNUstep's dialect.
    private mutating func readKey(orEnd: Bool) throws(Problem) -> ObjectID {
        let start = text[position]
        guard startsString(start) || (dialect == .gnustep && start == UInt8(ascii: "<")) else {
            throw self.expected(orEnd ? "a key or '}'" : "a key", at: position)
        }
        return try readScalar()
    }

    private mutating func open(_ kind: Frame.Kind) throws(Problem) {
        guard frames.count < limits.maxDepth else {
            throw .tooDeep(limits.maxDepth, at: .inText(text, at: position))
        }
        frames.append(Frame(kind: kind, start: position))
        builder.open(kind == .array ? .array : .textDictionary)
        recorder?.open(at: position)
    }

    private mutating func close() {
        let frame = frames.removeLast()
        let container = builder.close()
        recorder?.close(container, isDictionary: frame.kind != .array, end: position)
    }

    // MARK: Values

    /// Reads `value = dict | array | data | quoted | bare`. A container is only opened.
    private mutating func readValue() throws(Problem) {
        switch byte {
        case UInt8(ascii: "{"):
            try open(.dictionary)
            position += 1
        case UInt8(ascii: "("):
            try open(.array)
            position += 1
        default:
            _ = try readScalar()
        }
    }

    private mutating func readScalar() throws(Problem) -> ObjectID {
        let start = position
        let scalar: ObjectID
        switch byte {
        case UInt8(ascii: "<"): scalar = try readAngled()
        case let byte? where startsQuoted(byte): scalar = try readQuoted()
        case let byte? where bareCharacters.contains(byte): scalar = readBare()
        default: throw expected("a value", at: position)
        }
        recorder?.add(start..<position)
        return scalar
    }

    /// Reads a value that starts with `<`: data, or a typed value of GNUstep's dialect.
    private mutating func readAngled() throws(Problem) -> ObjectID {
        let next = position + 1 < text.count ? text[position + 1] : 0
        let isTyped = next == UInt8(ascii: "*")
        guard isTyped || next == UInt8(ascii: "[") else { return try readData() }
        guard dialect == .gnustep else {
            throw problem(
                "openstep.gnustep-value",
                "found '\(isTyped ? "<*" : "<[")', a value of GNUstep's dialect; expected hexadecimal digits (--from gnustep reads it)",
                at: position)
        }
        hasTypedValues = true
        return isTyped ? try readTyped() : try readBase64()
    }

    private func startsString(_ byte: UInt8) -> Bool {
        bareCharacters.contains(byte) || startsQuoted(byte)
    }

    private func startsQuoted(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && dialect == .openStep)
    }

    mutating func skipSpace() {
        while let byte {
            switch byte {
            case _ where byte.isSpace:
                position += 1
            case UInt8(ascii: "/"):
                guard skipComment() else { return }
            default:
                guard startsLineSeparator(byte) else { return }
                position += 3
            }
        }
    }

    /// Skips a comment. A slash may also start a word.
    ///
    /// - Returns: Whether there was a comment.
    private mutating func skipComment() -> Bool {
        guard position + 1 < text.count else { return false }
        switch text[position + 1] {
        case UInt8(ascii: "/"): skipLine()
        case UInt8(ascii: "*"): skipBlock()
        default: return false
        }
        return true
    }

    /// Skips `// …` up to the end of the line. In GNUstep's dialect, only a line feed ends a line.
    private mutating func skipLine() {
        while let byte, byte != 0x0A, !startsLineSeparator(byte) {
            if byte == 0x0D, dialect == .openStep { return }
            position += 1
        }
    }

    /// Skips `/* … */`, or the rest of the file if the comment is unterminated.
    private mutating func skipBlock() {
        let start = position
        position += 2
        while position + 1 < text.count {
            if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
        }
        position = text.count
        warnings.note(.unterminatedComment, at: start)
    }

    /// Whether U+2028 or U+2029 is at the position. Both are white space in Core Foundation's grammar.
    func startsLineSeparator(_ byte: UInt8) -> Bool {
        byte == 0xE2 && dialect == .openStep && text[position + 1] == 0x80 && text[position + 2] & 0xFE == 0xA8
    }
}

// MARK: - Problems

extension OpenStepReader {
    func expected(_ expectation: StaticString, at offset: Int) -> Problem {
        problem("openstep.syntax", "found \(found(at: offset)); expected \(expectation)", at: offset)
    }

    func unterminated(_ what: StaticString, from start: Int, expected: StaticString) -> Problem {
        let location = SourceLocation.inText(text, at: start)
        return problem(
            "openstep.unterminated",
            "the file ends inside the \(what) that starts at \(location); expected \(expected)",
            at: text.count)
    }

    func problem(_ kind: String, _ sentence: String, at offset: Int) -> Problem {
        Problem(kind, sentence, at: .inText(text, at: offset))
    }

    /// Describes the character at an offset, in quotes, or the end of the file.
    func found(at offset: Int) -> String {
        guard offset < text.count else { return "the end of the file" }
        return excerpt(offset..<offset + UTF8Text.decode(text.span, at: offset).length)
    }

    /// Returns a part of the text in quotes, with unsafe characters escaped and cut to 40 characters.
    func excerpt(_ range: Range<Int>) -> String {
        let string = String(decoding: text[range.prefix(160)], as: UTF8.self)
        let characters = string.unicodeScalars.prefix(40)
        let rest = string.unicodeScalars.count > 40 ? "…" : ""
        return "'\(SafeText.escaping(String(characters)))\(rest)'"
    }
}

// MARK: Quirks

/// The doubtful input that a reader accepted: for each kind, its first offset and its count.
///
/// Only the first occurrence of a kind gets a warning, because its line number takes time linear in the text to find.
struct OpenStepWarnings {
    enum Kind: Int, CaseIterable {
        case unterminatedComment, ignoredText, missingSemicolon, zero, loneSurrogate, octalRange, emptyEscape
        case bareCharacter
    }

    private var found: [(kind: Kind, offset: Int, count: Int)] = []

    mutating func note(_ kind: Kind, at offset: Int) {
        if let index = found.firstIndex(where: { $0.kind == kind }) {
            found[index].count += 1
        } else {
            found.append((kind, offset, 1))
        }
    }

    /// The offset of the first text that the reader ignored up to the end of the file, or nil.
    var ignoredTextOffset: Int? {
        found.filter { $0.kind == .unterminatedComment || $0.kind == .ignoredText }.map(\.offset).min()
    }

    mutating func remove(_ kind: Kind) {
        found.removeAll { $0.kind == kind }
    }

    func warnings(in text: [UInt8]) -> [Problem] {
        found.sorted { $0.offset < $1.offset }
            .map { .openStepWarning($0.kind, count: $0.count, at: .inText(text, at: $0.offset)) }
    }
}

extension Problem {
    /// Whether the problem says that the rest of the text is ignored. Writers of property lists do not produce such
    /// texts.
    var isAboutIgnoredText: Bool {
        ["openstep.comment", "openstep.ignored-text", "xml.trailing"].contains(id)
    }

    fileprivate static func openStepWarning(_ kind: OpenStepWarnings.Kind, count: Int, at location: SourceLocation)
        -> Problem
    {
        let (id, sentence) = wording(kind)
        let more = Phrase.others(of: count)
        return Problem(id, sentence + more, severity: .warning, at: location)
    }

    private static func wording(_ kind: OpenStepWarnings.Kind) -> (id: String, sentence: String) {
        switch kind {
        case .unterminatedComment:
            ("openstep.comment", "the comment that starts here is not closed; it extends to the end of the file")
        case .ignoredText:
            ("openstep.ignored-text", "the text from here on is not a key-value pair and is ignored")
        case .missingSemicolon:
            ("gnustep.semicolon", "found '}' after a value; expected ';' before it")
        case .zero:
            ("openstep.zero", "found a zero byte in a string or a comment")
        case .loneSurrogate:
            ("openstep.surrogate", "the string has a lone surrogate, which is not a character")
        case .octalRange:
            ("openstep.octal", "the octal escape is beyond \\375, the last character of the NeXTSTEP encoding")
        case .emptyEscape:
            ("openstep.escape", "the escape has no hexadecimal digit and is read as U+0000")
        case .bareCharacter:
            (
                "gnustep.bare-character",
                "only GNUstep reads this character without quotation marks; other readers need \"…\" around the string"
            )
        }
    }
}
