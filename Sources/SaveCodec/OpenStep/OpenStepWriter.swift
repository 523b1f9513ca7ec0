/// A writer of OpenStep text, the counterpart of ``OpenStepReader``.
///
///     {
///         name = "Zoë Ω";
///         state = <0fbd771c 0a>;
///         grid = (
///             2,
///             "0 1"
///         );
///     }
///
/// A document that was read from the same dialect keeps the style of its file (see ``OpenStepStyle``).
struct OpenStepWriter {
    private struct Frame {
        let container: StoredObject
        /// The indices of a dictionary's pairs in output order; nil for an array.
        let pairs: [UInt32]?
        var next = 0

        var count: Int { pairs?.count ?? container.count }
        var isDictionary: Bool { container.kind == .dictionary }
    }

    let document: Document
    let dialect: OpenStep.Dialect
    /// The characters that every reader of either dialect, including Window Maker's, accepts in unquoted strings.
    static let bareCharacters = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./")
    private let style: OpenStepStyle
    private var pairOrder: PairOrder
    private var frames: [Frame] = []

    init(_ document: Document, dialect: OpenStep.Dialect, keyOrder: WriteOptions.KeyOrder) {
        self.document = document
        self.dialect = dialect
        style = document.openStepStyle(dialect)
        self.pairOrder = PairOrder(document, keyOrder, dropsDuplicates: !document.lastDuplicateWins)
    }

    // MARK: The file

    /// Writes the root and a line feed. A root string is quoted so that it is not mistaken for another format.
    mutating func writeDocument(to output: inout ByteWriter) {
        let root = document.object(document.root)
        if root.kind.isString {
            writeQuoted(root, to: &output)
        } else if style.isStringsBody {
            openFrame(root)
        } else {
            writeValue(root, to: &output)
        }
        while !frames.isEmpty, !output.hasFailed { writeNext(to: &output) }
        if style.isStringsBody { return }
        output.write(0x0A)
    }

    // MARK: Containers

    /// Writes the next element or pair of the innermost container, or closes it.
    private mutating func writeNext(to output: inout ByteWriter) {
        let frame = frames[frames.count - 1]
        guard frame.next < frame.count else { return close(to: &output) }
        frames[frames.count - 1].next += 1
        let position = frame.pairs.map { Int($0[frame.next]) } ?? frame.next
        if frame.isDictionary {
            writePair(position, of: frame.container, to: &output)
        } else {
            if frame.next > 0 { output.write(UInt8(ascii: ",")) }
            startLine(to: &output)
            writeValue(document.object(document.reference(position, of: frame.container)), to: &output)
        }
    }

    private mutating func writePair(_ position: Int, of dictionary: StoredObject, to output: inout ByteWriter) {
        let isInStringsBody = style.isStringsBody && frames.count == 1
        if !isInStringsBody { startLine(to: &output) }
        writeKey(document.object(document.key(position, of: dictionary)), isInStringsBody, to: &output)
        output.write(" = ")
        let value = document.object(document.value(position, of: dictionary))
        if isInStringsBody, value.kind.isString {
            writeQuoted(value, to: &output)
        } else {
            writeValue(value, to: &output)
        }
        if !value.kind.isContainer || value.count == 0 { endPair(to: &output) }
    }

    private func endPair(to output: inout ByteWriter) {
        output.write(UInt8(ascii: ";"))
        if style.isStringsBody, frames.count == 1 { output.write(0x0A) }
    }

    private mutating func open(_ container: StoredObject, to output: inout ByteWriter) {
        let isDictionary = container.kind == .dictionary
        output.write(isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "("))
        guard container.count == 0 else { return openFrame(container) }
        if style.indentation == .gnustep { startLine(to: &output) }
        output.write(isDictionary ? UInt8(ascii: "}") : UInt8(ascii: ")"))
    }

    private mutating func openFrame(_ container: StoredObject) {
        let pairs = container.kind == .dictionary ? pairOrder.positions(of: container) : nil
        frames.append(Frame(container: container, pairs: pairs))
    }

    private mutating func close(to output: inout ByteWriter) {
        let isDictionary = frames.removeLast().isDictionary
        if frames.isEmpty, style.isStringsBody { return }
        startLine(to: &output)
        output.write(isDictionary ? UInt8(ascii: "}") : UInt8(ascii: ")"))
        if frames.last?.isDictionary == true { endPair(to: &output) }
    }

    private func startLine(to output: inout ByteWriter) {
        output.write(0x0A)
        // The pairs of a strings file are not indented.
        style.writeIndentation(frames.count - (style.isStringsBody ? 1 : 0), to: &output)
    }

    // MARK: Values

    private mutating func writeValue(_ object: StoredObject, to output: inout ByteWriter) {
        if object.kind.isContainer {
            open(object, to: &output)
        } else {
            writeScalar(object, to: &output)
        }
    }

    /// Writes a key, which is always a scalar. A UID is written as text, and so is data if keys can only be strings.
    func writeKey(_ key: StoredObject, _ isQuoted: Bool, to output: inout ByteWriter) {
        if isQuoted, key.kind.isString {
            writeQuoted(key, to: &output)
        } else if key.kind == .uid {
            writeAsText(key, to: &output)
        } else if key.kind == .data, dialect == .openStep {
            writeQuoted(to: &output) { writeData(key, to: &$0) }
        } else {
            writeScalar(key, to: &output)
        }
    }

    func writeScalar(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .oneByteString, .utf16String: writeString(object, to: &output)
        case .data: writeData(object, to: &output)
        default: dialect == .gnustep ? writeTyped(object, to: &output) : writeAsText(object, to: &output)
        }
    }

    /// Writes data as hexadecimal digits in groups of four bytes.
    private func writeData(_ data: StoredObject, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "<"))
        for position in 0..<data.count {
            if position > 0, position % 4 == 0 { output.write(0x20) }
            let byte = document.image[data.start + position]
            output.write(HexDigit.lowercase(byte >> 4))
            output.write(HexDigit.lowercase(byte & 0x0F))
        }
        output.write(UInt8(ascii: ">"))
    }
}

/// Values that are neither strings nor data: typed values in GNUstep's dialect, or text if the dialect lacks the type.
extension OpenStepWriter {
    func writeTyped(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .false:
            output.write("<*BN>")
        case .true:
            output.write("<*BY>")
        case .integer where TextLoss.integers.contains(document.integer(object)):
            writeToken("I", to: &output) { NumberText.write(document.integer(object), to: &$0) }
        case .real:
            writeToken("R", to: &output) { writeReal(document.real(object), to: &$0) }
        case .date:
            guard let date = CalendarDate(secondsSince2001: document.real64(object)) else {
                return writeAsText(object, to: &output)
            }
            writeToken("D", to: &output) { writeDate(date, to: &$0) }
        case .uid:
            output.write("{\"CF$UID\" = ")
            writeToken("I", to: &output) { NumberText.write(Int128(document.uid(object)), to: &$0) }
            output.write(";}")
        default:
            writeAsText(object, to: &output)
        }
    }

    /// Writes a value of a type that the dialect lacks as text.
    private func writeAsText(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .false: output.write("NO")
        case .true: output.write("YES")
        case .integer: writeIntegerAsText(document.integer(object), to: &output)
        // Quoted, because the exponent may have a plus sign.
        case .real: writeQuoted(to: &output) { writeReal(document.real(object), to: &$0) }
        case .date: writeDateAsText(document.real64(object), to: &output)
        case .uid: NumberText.write(Int128(document.uid(object)), to: &output)
        default: output.write("\"$null\"")
        }
    }

    /// Writes an integer as a string. A string that begins with a sign needs quotes.
    private func writeIntegerAsText(_ value: Int128, to output: inout ByteWriter) {
        guard value < 0 else { return NumberText.write(value, to: &output) }
        writeQuoted(to: &output) { NumberText.write(value, to: &$0) }
    }

    private func writeToken(
        _ type: StaticString, to output: inout ByteWriter, _ writePayload: (inout ByteWriter) -> Void
    ) {
        output.write("<*")
        output.write(type)
        writePayload(&output)
        output.write(UInt8(ascii: ">"))
    }

    /// Writes the shortest digits that read back as the same value, or C's word for a non-finite value.
    private func writeReal(_ value: Double, to output: inout ByteWriter) {
        if value.isNaN {
            output.write("nan")
        } else if value.isInfinite {
            output.write(value < 0 ? "-inf" : "inf")
        } else {
            NumberText.writeShortest(value, to: &output)
        }
    }

    /// Writes a date as a string. Outside the calendar, the string is the seconds since 2001.
    private func writeDateAsText(_ seconds: Double, to output: inout ByteWriter) {
        writeQuoted(to: &output) { output in
            if let date = CalendarDate(secondsSince2001: seconds) {
                writeDate(date, to: &output)
            } else {
                writeReal(seconds, to: &output)
            }
        }
    }

    /// Writes a date as `YYYY-MM-DD HH:MM:SS +0000`.
    private func writeDate(_ date: CalendarDate, to output: inout ByteWriter) {
        date.writeToSeconds(separator: UInt8(ascii: " "), to: &output)
        output.write(" +0000")
    }
}

extension Document {
    /// Returns the style in which to write the document: the style of its file if the dialect is unchanged, and a
    /// strings file only if the root is a dictionary with pairs.
    fileprivate func openStepStyle(_ dialect: OpenStep.Dialect) -> OpenStepStyle {
        guard var style = facts.formatFacts.openStepStyle,
            sourceFormat == (dialect == .gnustep ? .gnustep : .openStep)
        else {
            return OpenStepStyle()
        }
        let root = object(root)
        // A strings file without pairs would be empty, which is not a valid file.
        style.isStringsBody = style.isStringsBody && root.kind == .dictionary && root.count > 0
        return style
    }
}

// MARK: Strings

extension OpenStepWriter {
    /// Writes a string, unquoted if every reader accepts that.
    func writeString(_ string: StoredObject, to output: inout ByteWriter) {
        guard isBare(string) else { return writeQuoted(string, to: &output) }
        if string.kind == .oneByteString {
            output.write(document.image, in: string.start..<string.start + string.count)
        } else {
            for position in 0..<string.count { output.write(oneByteUnit(position, of: string)) }
        }
    }

    /// Returns the code unit at a position as a byte, or zero if it does not fit into a byte. Zero is not a bare
    /// character.
    private func oneByteUnit(_ position: Int, of string: StoredObject) -> UInt8 {
        if string.kind == .oneByteString { return document.image[string.start + position] }
        return UInt8(exactly: document.codeUnit(position, of: string)) ?? 0
    }

    /// Whether a string can be unquoted: it is not empty, has only bare characters, and neither begins with a slash nor
    /// contains the start of a comment.
    private func isBare(_ string: StoredObject) -> Bool {
        Self.isBare((0..<string.count).lazy.map { oneByteUnit($0, of: string) })
    }

    /// Whether characters can be an unquoted string.
    static func isBare(_ characters: some Collection<UInt8>) -> Bool {
        guard let first = characters.first, first != UInt8(ascii: "/") else { return false }
        var previous: UInt8 = 0
        for byte in characters {
            // "/*" cannot occur, because "*" is not a bare character.
            guard bareCharacters.contains(byte), byte != UInt8(ascii: "/") || previous != byte else { return false }
            previous = byte
        }
        return true
    }

    func writeQuoted(_ string: StoredObject, to output: inout ByteWriter) {
        writeQuoted(to: &output) { output in
            var position = 0
            while position < string.count {
                position += writeCharacter(position, of: string, to: &output)
            }
        }
    }

    func writeQuoted(to output: inout ByteWriter, _ writeContents: (inout ByteWriter) -> Void) {
        output.write(UInt8(ascii: "\""))
        writeContents(&output)
        output.write(UInt8(ascii: "\""))
    }

    /// Writes the character at a position.
    ///
    /// - Returns: The number of its code units.
    private func writeCharacter(_ position: Int, of string: StoredObject, to output: inout ByteWriter) -> Int {
        let unit = document.codeUnit(position, of: string)
        if unit < 0x80 {
            writeASCII(UInt8(truncatingIfNeeded: unit), to: &output)
        } else if unit & 0xF800 == 0xD800 {
            return writeSurrogate(unit, position, of: string, to: &output)
        } else if dialect == .gnustep || Self.isEscaped(unit) {
            writeEscape(unit, to: &output)
        } else {
            output.write(codePoint: UInt32(unit))
        }
        return 1
    }

    private func writeASCII(_ byte: UInt8, to output: inout ByteWriter) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            output.write(UInt8(ascii: "\\"))
            output.write(byte)
        case 0x20...0x7E:
            output.write(byte)
        // Every reader knows these escapes with a letter.
        case 0x09: output.write("\\t")
        case 0x0A: output.write("\\n")
        case 0x0D: output.write("\\r")
        default: writeEscape(UInt16(byte), to: &output)
        }
    }

    /// Writes a surrogate pair as one character. An unpaired surrogate is escaped, or written as U+FFFD in GNUstep's
    /// dialect, because GNUstep rejects it.
    ///
    /// - Returns: The number of code units written.
    private func writeSurrogate(
        _ unit: UInt16, _ position: Int, of string: StoredObject, to output: inout ByteWriter
    ) -> Int {
        let next = position + 1 < string.count ? document.codeUnit(position + 1, of: string) : 0
        guard UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(next) else {
            writeEscape(dialect == .gnustep ? 0xFFFD : unit, to: &output)
            return 1
        }
        if dialect == .gnustep {
            writeEscape(unit, to: &output)
            writeEscape(next, to: &output)
        } else {
            output.write(codePoint: 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(next & 0x3FF)))
        }
        return 2
    }

    /// Whether a character of U+0080 or above is an invisible control character or line separator.
    private static func isEscaped(_ unit: UInt16) -> Bool {
        unit < 0xA0 || unit == 0x2028 || unit == 0x2029
    }

    private func writeEscape(_ unit: UInt16, to output: inout ByteWriter) {
        output.write("\\U")
        Hexadecimal.write(UInt64(unit), count: 4, uppercase: true, to: &output)
    }

    /// Writes a character of U+0080 or above that is not a surrogate.
}
