/// Writes a document as OpenStep text, the mirror of ``OpenStepReader``.
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
/// A document that was read from the same dialect has the layout of its file (see ``OpenStepLayout``).
struct OpenStepWriter {
    /// A container that is being written.
    private struct Frame {
        let container: StoredObject
        /// The pairs of a dictionary to write, in order; nil of an array.
        let pairs: [UInt32]?
        var next = 0

        var count: Int { pairs?.count ?? container.count }
        var isDictionary: Bool { container.kind == .dictionary }
    }

    let document: Document
    let dialect: OpenStep.Dialect
    /// The characters of strings that every reader of either dialect takes without quotes, Window Maker's too.
    static let bareCharacters = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./")
    private let layout: OpenStepLayout
    private var keyOrder: KeyOrder
    private var frames: [Frame] = []

    /// Creates a writer of a document. In both dialects the same strings go without quotes, those that every reader
    /// takes.
    init(_ document: Document, dialect: OpenStep.Dialect, keyOrder: WriteOptions.KeyOrder) {
        self.document = document
        self.dialect = dialect
        layout = document.openStepLayout(dialect)
        self.keyOrder = KeyOrder(document, keyOrder, dropsRepeats: !document.lastRepeatedKeyWins)
    }

    // MARK: The file

    /// Writes the root and a line end. A root that is a string has quotes, so that nobody takes it for something else.
    mutating func writeDocument(to output: inout ByteWriter) {
        let root = document.object(document.root)
        if root.kind.isString {
            writeQuoted(root, to: &output)
        } else if layout.isStringsBody {
            openFrame(root)
        } else {
            writeValue(root, to: &output)
        }
        while !frames.isEmpty, !output.hasFailed { writeNext(to: &output) }
        if layout.isStringsBody { return }
        output.write(0x0A)
    }

    // MARK: Containers

    /// Writes the next element or pair of the innermost container, or its end.
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
        let isInStringsBody = layout.isStringsBody && frames.count == 1
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
        if layout.isStringsBody, frames.count == 1 { output.write(0x0A) }
    }

    private mutating func open(_ container: StoredObject, to output: inout ByteWriter) {
        let isDictionary = container.kind == .dictionary
        output.write(isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "("))
        guard container.count == 0 else { return openFrame(container) }
        if layout.indentation == .gnustep { startLine(to: &output) }
        output.write(isDictionary ? UInt8(ascii: "}") : UInt8(ascii: ")"))
    }

    private mutating func openFrame(_ container: StoredObject) {
        let pairs = container.kind == .dictionary ? keyOrder.positions(of: container) : nil
        frames.append(Frame(container: container, pairs: pairs))
    }

    private mutating func close(to output: inout ByteWriter) {
        let isDictionary = frames.removeLast().isDictionary
        if frames.isEmpty, layout.isStringsBody { return }
        startLine(to: &output)
        output.write(isDictionary ? UInt8(ascii: "}") : UInt8(ascii: ")"))
        if frames.last?.isDictionary == true { endPair(to: &output) }
    }

    private func startLine(to output: inout ByteWriter) {
        output.write(0x0A)
        // The pairs of a strings file are not set in.
        layout.writeIndentation(frames.count - (layout.isStringsBody ? 1 : 0), to: &output)
    }

    // MARK: Values

    /// Writes a scalar; opens a container.
    private mutating func writeValue(_ object: StoredObject, to output: inout ByteWriter) {
        if object.kind.isContainer {
            open(object, to: &output)
        } else {
            writeScalar(object, to: &output)
        }
    }

    /// Writes a key, which is always a scalar; a UID, which has none to stand for it, as text, and so data where only
    /// strings can be keys.
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

    /// Writes data as hexadecimal digits, in groups of four bytes.
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

/// Values that are neither strings nor data: typed in GNUstep's dialect, as text where a dialect cannot hold them.
extension OpenStepWriter {
    /// Writes a value of GNUstep's dialect.
    func writeTyped(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .false:
            output.write("<*BN>")
        case .true:
            output.write("<*BY>")
        case .integer where OpenStep.integerRange.contains(document.integer(object)):
            writeToken("I", to: &output) { NumberText.write(document.integer(object), to: &$0) }
        case .real:
            writeToken("R", to: &output) { writeReal(document.real(object), to: &$0) }
        case .date where OpenStep.dateRange.contains(document.real64(object)):
            writeToken("D", to: &output) { writeDate(document.real64(object), to: &$0) }
        case .uid:
            output.write("{\"CF$UID\" = ")
            writeToken("I", to: &output) { NumberText.write(Int128(document.uid(object)), to: &$0) }
            output.write(";}")
        default:
            writeAsText(object, to: &output)
        }
    }

    /// Writes the text that says most of a value that the dialect has no form for.
    private func writeAsText(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .false: output.write("NO")
        case .true: output.write("YES")
        case .integer: writeIntegerAsText(document.integer(object), to: &output)
        // Quoted, as the exponent may have a plus sign.
        case .real: writeQuoted(to: &output) { writeReal(document.real(object), to: &$0) }
        case .date: writeDateAsText(document.real64(object), to: &output)
        case .uid: NumberText.write(Int128(document.uid(object)), to: &output)
        default: output.write("\"$null\"")
        }
    }

    /// Writes an integer as a string, which cannot begin with a sign without quotes.
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

    /// Writes the shortest digits that read back, or the word that C reads.
    private func writeReal(_ value: Double, to output: inout ByteWriter) {
        if value.isNaN {
            output.write("nan")
        } else if value.isInfinite {
            output.write(value < 0 ? "-inf" : "inf")
        } else {
            NumberText.writeShortest(value, to: &output)
        }
    }

    /// Writes a date as a string; beyond the years that have four digits as seconds since 2001.
    private func writeDateAsText(_ seconds: Double, to output: inout ByteWriter) {
        writeQuoted(to: &output) { output in
            if OpenStep.dateRange.contains(seconds) {
                writeDate(seconds, to: &output)
            } else {
                writeReal(seconds, to: &output)
            }
        }
    }

    /// Writes `YYYY-MM-DD HH:MM:SS +0000`, the fraction of a second cut off. The date is within the range.
    private func writeDate(_ seconds: Double, to output: inout ByteWriter) {
        guard let date = CalendarDate(secondsSince2001: seconds) else { return }
        writeField(date.year, digits: 4, UInt8(ascii: "-"), to: &output)
        writeField(date.month, digits: 2, UInt8(ascii: "-"), to: &output)
        writeField(date.day, digits: 2, UInt8(ascii: " "), to: &output)
        writeField(date.hour, digits: 2, UInt8(ascii: ":"), to: &output)
        writeField(date.minute, digits: 2, UInt8(ascii: ":"), to: &output)
        writeField(date.second, digits: 2, UInt8(ascii: " "), to: &output)
        output.write("+0000")
    }

    private func writeField(_ value: Int, digits: Int, _ separator: UInt8, to output: inout ByteWriter) {
        NumberText.writeDigits(UInt64(value.magnitude), count: digits, to: &output)
        output.write(separator)
    }
}

extension Document {
    /// The layout in which the document is to be written: that of the file it was read from, if it is still of the same
    /// dialect, and a strings file if it can be one.
    fileprivate func openStepLayout(_ dialect: OpenStep.Dialect) -> OpenStepLayout {
        guard var layout = facts.formatFacts.openStepLayout,
            sourceFormat == (dialect == .gnustep ? .gnustep : .openStep)
        else {
            return OpenStepLayout()
        }
        let root = object(root)
        // Nothing at all would be no file of the format.
        layout.isStringsBody = layout.isStringsBody && root.kind == .dictionary && root.count > 0
        return layout
    }
}

// MARK: Strings

/// The strings of OpenStep text.
extension OpenStepWriter {
    /// Writes a string, without quotes if every reader takes it so.
    func writeString(_ string: StoredObject, to output: inout ByteWriter) {
        guard isBare(string) else { return writeQuoted(string, to: &output) }
        if string.kind == .oneByteString {
            output.write(document.image, in: string.start..<string.start + string.count)
        } else {
            for position in 0..<string.count { output.write(asciiByte(position, of: string)) }
        }
    }

    /// The character at a position as a byte; 0, which is never bare, if it is none of ASCII.
    private func asciiByte(_ position: Int, of string: StoredObject) -> UInt8 {
        if string.kind == .oneByteString { return document.image[string.start + position] }
        return UInt8(exactly: document.codeUnit(position, of: string)) ?? 0
    }

    /// Whether a string goes without quotes: not if it is empty, and not if it starts like a comment or holds one.
    private func isBare(_ string: StoredObject) -> Bool {
        guard string.count > 0, asciiByte(0, of: string) != UInt8(ascii: "/") else { return false }
        var previous: UInt8 = 0
        for position in 0..<string.count {
            let byte = asciiByte(position, of: string)
            // "/*" needs no look, as "*" is not bare.
            guard Self.bareCharacters.contains(byte), byte != UInt8(ascii: "/") || previous != byte else {
                return false
            }
            previous = byte
        }
        return true
    }

    /// Writes a string between double quotes.
    func writeQuoted(_ string: StoredObject, to output: inout ByteWriter) {
        writeQuoted(to: &output) { output in
            var position = 0
            while position < string.count {
                position += writeCharacter(position, of: string, to: &output)
            }
        }
    }

    /// Writes something between double quotes.
    func writeQuoted(to output: inout ByteWriter, _ writeContents: (inout ByteWriter) -> Void) {
        output.write(UInt8(ascii: "\""))
        writeContents(&output)
        output.write(UInt8(ascii: "\""))
    }

    /// Writes the character at a position, and returns how many code units it has.
    private func writeCharacter(_ position: Int, of string: StoredObject, to output: inout ByteWriter) -> Int {
        let unit = document.codeUnit(position, of: string)
        if unit < 0x80 {
            writeASCII(UInt8(truncatingIfNeeded: unit), to: &output)
        } else if unit & 0xF800 == 0xD800 {
            return writeSurrogate(unit, position, of: string, to: &output)
        } else if dialect == .gnustep || Self.isEscaped(unit) {
            writeEscape(unit, to: &output)
        } else {
            writeUTF8(UInt32(unit), to: &output)
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
        // Of the escapes with a letter those that every reader knows.
        case 0x09: output.write("\\t")
        case 0x0A: output.write("\\n")
        case 0x0D: output.write("\\r")
        default: writeEscape(UInt16(byte), to: &output)
        }
    }

    /// Writes a pair of surrogates as the character that it is, or a lone one as an escape, which GNUstep would refuse.
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
            writeUTF8(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(next & 0x3FF)), to: &output)
        }
        return 2
    }

    /// Whether a character from U+0080 on is a control character or ends a line, and so not to be seen in a text.
    private static func isEscaped(_ unit: UInt16) -> Bool {
        unit < 0xA0 || unit == 0x2028 || unit == 0x2029
    }

    private func writeEscape(_ unit: UInt16, to output: inout ByteWriter) {
        output.write("\\U")
        for shift in stride(from: UInt16(12), through: 0, by: -4) {
            output.write(HexDigit.uppercase(UInt8(truncatingIfNeeded: unit >> shift & 0x0F)))
        }
    }

    /// Writes a character from U+0080 on that is no surrogate.
    private func writeUTF8(_ scalar: UInt32, to output: inout ByteWriter) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F) }
        if scalar < 0x800 {
            output.write(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
        } else if scalar < 0x10000 {
            output.write(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            output.write(tail(6))
        } else {
            output.write(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            output.write(tail(12))
            output.write(tail(6))
        }
        output.write(tail(0))
    }
}
