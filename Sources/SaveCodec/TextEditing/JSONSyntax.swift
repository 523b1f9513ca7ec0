/// The syntax of typed JSON for edits. A list of pairs, `{"$dict": […]}`, is rewritten as a whole.
final class JSONSyntax: TextSyntax {
    /// Whether the text has no space or line feed before its last two bytes.
    private let isMinified: Bool
    /// The text without comments and trailing commas.
    private let plain: [UInt8]
    let mayHaveComments: Bool
    /// Whether the first empty container of the text has a blank line between its brackets, as Apple's writer produces
    /// it.
    private lazy var opensEmpty = Self.opensEmpty(plain)

    init(of map: SourceMap) {
        let cleared = map.hasComments ? JSONText(map.text).withoutComments()?.text.bytes : nil
        mayHaveComments = cleared != nil
        plain = cleared ?? map.text
        isMinified = plain.count > 2 && !plain.dropLast(2).contains { $0 == 0x20 || $0 == 0x0A }
    }

    private static func opensEmpty(_ text: [UInt8]) -> Bool {
        var (lineBreaks, isOpen, isString, isEscaped) = (0, false, false, false)
        for byte in text {
            if isString {
                isString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): (isOpen, lineBreaks) = (true, 0)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if isOpen { return lineBreaks == 2 }
            case 0x0A: lineBreaks += 1
            case 0x20, 0x09, 0x0D: break
            default: (isOpen, isString) = (false, byte == UInt8(ascii: "\""))
            }
        }
        return false
    }

    func token(at position: Int, of text: [UInt8]) -> (token: Gap.Token, end: Int) {
        if let end = LineBreak.end(at: position, of: text) { return (.lineBreak, end) }
        if mayHaveComments, let end = SourceComments.endOfJSON(at: position, of: text) { return (.comment, end) }
        return (text[position] == UInt8(ascii: ",") ? .separator : .blank, position + 1)
    }

    func isLineComment(at position: Int, of text: [UInt8]) -> Bool {
        SourceComments.isLineComment(at: position, of: text)
    }

    func separator(of kind: StoredObject.Kind) -> Separator {
        // A trailing comma is only written where there was one.
        Separator(character: UInt8(ascii: ","), endsLast: false)
    }

    /// Returns the range of the members. The members of a set are in the array of its tag.
    func contents(of range: Range<Int>, _ kind: StoredObject.Kind, in text: [UInt8]) -> Range<Int>? {
        let (opening, closing) =
            kind == .dictionary ? (UInt8(ascii: "{"), UInt8(ascii: "}")) : (UInt8(ascii: "["), UInt8(ascii: "]"))
        let text = mayHaveComments ? plain : text
        guard kind == .set || text[range.lowerBound] == opening, let start = text[range].firstIndex(of: opening),
            let end = text[range].lastIndex(of: closing), start < end
        else { return nil }
        return start + 1..<end
    }

    var hasTags: Bool { true }
    var usesSamples: Bool { false }
    var stringsHaveNoLines: Bool { true }

    var defaultIndentation: [UInt8] { [0x20, 0x20] }

    func defaultKeyGap(inLines: Bool) -> KeyGap {
        .text(inLines || !isMinified ? [UInt8(ascii: ":"), 0x20] : [UInt8(ascii: ":")])
    }

    func defaultMemberGap(keyGap: KeyGap) -> [UInt8] {
        keyGap == .text([UInt8(ascii: ":")]) ? [] : [0x20]
    }

    func hasMembers(_ container: StoredObject, of document: Document) -> Bool {
        switch container.kind {
        case .array: true
        case .dictionary: document.isPlainObject(container, isTyped: document.tagUse == .typed)
        default: false
        }
    }

    // MARK: Values

    func writeEmpty(_ kind: StoredObject.Kind, in lines: LineStyle?, to output: inout ByteWriter) {
        writeOpening(kind, to: &output)
        if opensEmpty, let lines {
            output.write(lines.lineBreak)
            output.write(lines.lineBreak)
            output.write(lines.indentation)
        }
        writeClosing(kind, to: &output)
    }

    func writeOpening(_ kind: StoredObject.Kind, to output: inout ByteWriter) {
        output.write(kind == .dictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    func writeClosing(_ kind: StoredObject.Kind, to output: inout ByteWriter) {
        output.write(kind == .dictionary ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    func writeKey(_ key: StoredObject, of document: Document, like sample: TextSample, to output: inout ByteWriter) {
        JSONString.write(key, of: document, to: &output)
    }

    func writeScalar(
        _ scalar: StoredObject, of document: Document, like sample: TextSample, in lines: LineStyle?,
        to output: inout ByteWriter
    ) {
        guard scalar.kind.isContainer else {
            return JSONScalarWriter(document, isCompact: isMinified).writeScalar(scalar, to: &output)
        }
        JSONWriter.writeRow(scalar, of: document, isCompact: isMinified, to: &output)
    }
}
