/// Reads OpenStep text, rule by rule (formats.md §4.1 and §4.2).
///
/// Open containers stand on a stack of their own, so that no depth can overflow the other one.
struct OpenStepReader: ~Copyable {
    /// A container that is being read.
    private struct Frame {
        enum Kind { case array, dictionary, stringsBody }

        let kind: Kind
        /// Where it starts, for messages.
        let start: Int
        /// Whether a value has been read and the separator behind it has not.
        var hasValue = false
    }

    /// The text, valid UTF-8.
    let text: [UInt8]
    let dialect: OpenStep.Dialect
    private let limits: Limits
    let bareCharacters: ASCIISet
    var position = 0
    var builder: DocumentBuilder
    var quirks = OpenStepQuirks()
    /// The code units of the string being read, if it needs to be put together.
    var units: [UInt16] = []
    private var frames: [Frame] = []

    /// Creates a reader of a text in valid UTF-8.
    init(_ text: [UInt8], dialect: OpenStep.Dialect, limits: Limits) {
        self.text = text
        self.dialect = dialect
        self.limits = limits
        bareCharacters = dialect.bareCharacters
        builder = DocumentBuilder(expectedSize: text.count)
    }

    /// The byte at the cursor, or nil at the end.
    @inline(__always)
    var byte: UInt8? { position < text.count ? text[position] : nil }

    // MARK: The file

    /// `file = ws [ value ws ] EOF | strings-body`
    consuming func readDocument() throws(Problem) -> Document {
        try readRoot()
        while !frames.isEmpty { try readNext() }
        skipSpace()
        guard byte == nil else { throw .openStepTextAfterValue(text, at: position) }
        builder.warnings = quirks.warnings(in: text)
        return try builder.finish(format: dialect == .gnustep ? .gnustep : .openStep, sourceSize: text.count)
    }

    /// Starts the root: a value; or, for Core Foundation, nothing at all, which is an empty dictionary, or a string with
    /// something behind it, which is the first key of a strings file.
    private mutating func readRoot() throws(Problem) {
        if text.count == 8, text.elementsEqual("bplist00".utf8) { throw .openStepBareBinaryHeader() }
        skipSpace()
        guard let first = byte else {
            guard dialect == .openStep, !text.isEmpty else { throw .emptyDocument() }
            try open(.dictionary)
            return close()
        }
        try readValue()
        guard dialect == .openStep, frames.isEmpty, first != UInt8(ascii: "<") else { return }
        skipSpace()
        guard byte != nil else { return }
        position = 0
        quirks = OpenStepQuirks()
        _ = builder.takeLast()
        try open(.stringsBody)
    }

    // MARK: Containers

    /// Reads the next thing in the innermost container: a separator, the end, or what stands between them.
    private mutating func readNext() throws(Problem) {
        skipSpace()
        let frame = frames[frames.count - 1]
        switch frame.kind {
        case .array: try readNextInArray(frame)
        case .dictionary: try readNextInDictionary(frame)
        case .stringsBody: try readNextInStringsBody(frame)
        }
    }

    /// `array = "(" [ value { "," value } [ "," ] ] ")"`
    private mutating func readNextInArray(_ frame: Frame) throws(Problem) {
        switch byte {
        case UInt8(ascii: ")"):
            position += 1
            close()
        case UInt8(ascii: ",") where frame.hasValue:
            position += 1
            frames[frames.count - 1].hasValue = false
        case nil:
            throw .openStepUnterminated("array", from: frame.start, expected: "')'", in: text)
        default:
            guard !frame.hasValue else { throw .openStepExpected(text, at: position, expected: "',' or ')'") }
            frames[frames.count - 1].hasValue = true
            try readValue()
        }
    }

    /// `dict = "{" { pair } "}"`
    private mutating func readNextInDictionary(_ frame: Frame) throws(Problem) {
        switch byte {
        case UInt8(ascii: ";") where frame.hasValue:
            position += 1
            frames[frames.count - 1].hasValue = false
        case UInt8(ascii: "}") where !frame.hasValue || dialect == .gnustep:
            if frame.hasValue { quirks.note(.missingSemicolon, at: position) }
            position += 1
            close()
        case nil:
            let expected: StaticString = frame.hasValue ? "';'" : "'}'"
            throw .openStepUnterminated("dictionary", from: frame.start, expected: expected, in: text)
        default:
            guard !frame.hasValue else { throw .openStepExpected(text, at: position, expected: "';' after the value") }
            try readPair(orEnd: true)
        }
    }

    /// The pairs of a strings file. Like Core Foundation, ends where no string starts, whatever follows.
    private mutating func readNextInStringsBody(_ frame: Frame) throws(Problem) {
        if frame.hasValue {
            guard byte == UInt8(ascii: ";") else {
                throw .openStepExpected(text, at: position, expected: "';' after the value")
            }
            position += 1
            frames[frames.count - 1].hasValue = false
        } else if let byte, startsString(byte) {
            try readPair(orEnd: false)
        } else {
            if byte != nil { quirks.note(.ignoredText, at: position) }
            position = text.count
            close()
        }
    }

    /// `pair = string ws ( "=" value ws ";" | ";" )`, up to the value; the short form is Core Foundation's only.
    private mutating func readPair(orEnd: Bool) throws(Problem) {
        let key = try readKey(orEnd: orEnd)
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
        default:
            let expected: StaticString = dialect == .openStep ? "'=' or ';' after the key" : "'=' after the key"
            throw .openStepExpected(text, at: position, expected: expected)
        }
    }

    /// A key: a string, or in GNUstep's dialect any scalar.
    private mutating func readKey(orEnd: Bool) throws(Problem) -> ObjectID {
        let start = text[position]
        guard startsString(start) || (dialect == .gnustep && start == UInt8(ascii: "<")) else {
            throw .openStepExpected(text, at: position, expected: orEnd ? "a key or '}'" : "a key")
        }
        return try readScalar()
    }

    private mutating func open(_ kind: Frame.Kind) throws(Problem) {
        guard frames.count < limits.maxDepth else {
            throw .tooDeep(limits.maxDepth, at: .inText(text, at: position))
        }
        frames.append(Frame(kind: kind, start: position))
        builder.open(kind == .array ? .array : .textDictionary)
    }

    private mutating func close() {
        frames.removeLast()
        builder.close()
    }

    // MARK: Values

    /// `value = dict | array | data | quoted | bare`. A container is only opened.
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
        switch byte {
        case UInt8(ascii: "<"): return try readAngled()
        case let byte? where startsQuoted(byte): return try readQuoted()
        case let byte? where bareCharacters.contains(byte): return readBare()
        default: throw .openStepExpected(text, at: position, expected: "a value")
        }
    }

    /// What starts with `<`: data, or a typed value of GNUstep's dialect.
    private mutating func readAngled() throws(Problem) -> ObjectID {
        let next = position + 1 < text.count ? text[position + 1] : 0
        let isTyped = next == UInt8(ascii: "*")
        guard isTyped || next == UInt8(ascii: "[") else { return try readData() }
        guard dialect == .gnustep else { throw .openStepTypedValue(text, at: position) }
        return isTyped ? try readTyped() : try readBase64()
    }

    @inline(__always)
    private func startsString(_ byte: UInt8) -> Bool {
        bareCharacters.contains(byte) || startsQuoted(byte)
    }

    @inline(__always)
    private func startsQuoted(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && dialect == .openStep)
    }
}
