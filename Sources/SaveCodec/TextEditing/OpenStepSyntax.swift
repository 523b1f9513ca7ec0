/// The syntax of OpenStep text for edits, in both dialects and in strings files, which contain a dictionary without
/// braces.
final class OpenStepSyntax: TextSyntax {
    private let dialect: OpenStep.Dialect
    /// Whether the text is a strings file, in which keys are always quoted.
    private var isStringsFile: Bool { stringsBody != nil }
    /// The range of a strings file's pairs, which ignored text may follow; nil for other texts.
    private let stringsBody: Range<Int>?
    /// Whether strings are quoted unnecessarily, by their offset in the edited text. The cache avoids rereading a long
    /// sample for each string of a new value.
    private var quoted: [Int: Bool] = [:]
    private let text: [UInt8]
    /// Whether the text has an unquoted value that begins with a slash. GNUstep quotes such values, Xcode does not.
    private lazy var hasBarePath = findBarePath()

    init(_ dialect: OpenStep.Dialect, of map: SourceMap) {
        self.dialect = dialect
        text = map.text
        let first = map.text.first
        let isOpen = first != UInt8(ascii: "{") && first != UInt8(ascii: "(")
        stringsBody = isOpen && Self.isStringsBody(map.root, of: map.text, dialect) ? map.root : nil
    }

    /// Whether a range is the whole text, or starts it and is followed by ignored text. White space or a comment may
    /// follow a root value, but not the pairs of a strings file, whose range includes both.
    private static func isStringsBody(_ root: Range<Int>, of text: [UInt8], _ dialect: OpenStep.Dialect) -> Bool {
        let end = root.upperBound
        guard root.lowerBound == 0, end < text.count else { return root == text.indices }
        let isSeparator = text[end...].starts(with: [0xE2, 0x80]) && text[end + 2] & 0xFE == 0xA8
        return !text[end].isSpace && !isSeparator && SourceComments.endOfOpenStep(at: end, of: text, dialect) == nil
    }

    func token(at position: Int, of text: [UInt8]) -> (token: Gap.Token, end: Int) {
        if let end = LineBreak.end(at: position, of: text) { return (.lineBreak, end) }
        if let end = SourceComments.endOfOpenStep(at: position, of: text, dialect) { return (.comment, end) }
        switch text[position] {
        case UInt8(ascii: ","), UInt8(ascii: ";"): return (.separator, position + 1)
        case 0xE2 where dialect == .openStep: return (.blank, position + 3)
        default: return (.blank, position + 1)
        }
    }

    func isLineComment(at position: Int, of text: [UInt8]) -> Bool {
        SourceComments.isLineComment(at: position, of: text)
    }

    func separator(of kind: StoredObject.Kind) -> Separator {
        kind == .dictionary
            ? Separator(character: UInt8(ascii: ";"), endsLast: true)
            : Separator(character: UInt8(ascii: ","), endsLast: false)
    }

    func contents(of range: Range<Int>, _ kind: StoredObject.Kind, in text: [UInt8]) -> Range<Int>? {
        if range == stringsBody { return range }
        let opening = kind == .dictionary ? UInt8(ascii: "{") : UInt8(ascii: "(")
        guard range.count >= 2, text[range.lowerBound] == opening else { return nil }
        return range.lowerBound + 1..<range.upperBound - 1
    }

    var keepsEmptyLines: Bool { true }

    var defaultIndentation: [UInt8] { isStringsFile ? [] : [0x09] }

    func defaultKeyGap(inLines: Bool) -> KeyGap { .text(Array(" = ".utf8)) }
    func defaultMemberGap(keyGap: KeyGap) -> [UInt8] { [0x20] }

    // MARK: Values

    func writeEmpty(_ kind: StoredObject.Kind, in lines: LineStyle?, to output: inout ByteWriter) {
        output.write(kind == .dictionary ? "{}" : "()")
    }

    func writeOpening(_ kind: StoredObject.Kind, to output: inout ByteWriter) {
        output.write(kind == .dictionary ? UInt8(ascii: "{") : UInt8(ascii: "("))
    }

    func writeClosing(_ kind: StoredObject.Kind, to output: inout ByteWriter) {
        output.write(kind == .dictionary ? UInt8(ascii: "}") : UInt8(ascii: ")"))
    }

    func writeKey(_ key: StoredObject, of document: Document, like sample: TextSample, to output: inout ByteWriter) {
        let writer = OpenStepWriter(document, dialect: dialect, keyOrder: .stored)
        writer.writeKey(key, isStringsFile || isQuoted(sample.keys.first, in: sample), to: &output)
    }

    func writeScalar(
        _ scalar: StoredObject, of document: Document, like sample: TextSample, in lines: LineStyle?,
        to output: inout ByteWriter
    ) {
        let writer = OpenStepWriter(document, dialect: dialect, keyOrder: .stored)
        guard scalar.kind.isString else { return writer.writeScalar(scalar, to: &output) }
        if isStringsFile || quotesAll(like: sample) {
            writer.writeQuoted(scalar, to: &output)
        } else if let text = signedOrPath(scalar, of: document), isBareByExample(text[...], in: sample) {
            output.write(text)
        } else {
            writer.writeScalar(scalar, to: &output)
        }
    }

    /// Whether strings are quoted even if they need no quotes.
    ///
    /// A sample that needs its quotes does not show this, so the next one decides. If no sample decides, a new string
    /// keeps the quotes of the string that it replaces.
    private func quotesAll(like sample: TextSample) -> Bool {
        let quote = UInt8(ascii: "\"")
        for range in sample.values {
            switch sample.text[range.lowerBound] {
            case quote: if isQuoted(range, in: sample) { return true }
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "'"): continue
            default: return false
            }
        }
        guard let value = sample.value.map({ sample.text[$0] }), value.first == quote else { return false }
        // The quotation marks of a negative number are for the sign.
        return !isBareNumber(value.dropFirst().dropLast())
    }

    /// Returns a string that begins with a minus sign or a slash; nil for any other.
    private func signedOrPath(_ string: StoredObject, of document: Document) -> [UInt8]? {
        guard string.count > 0 else { return nil }
        let first = document.codeUnit(0, of: string)
        guard first == 0x2D || first == 0x2F else { return nil }
        return StoredString(document, string).utf8Bytes
    }

    /// Whether a string that most writers quote, a negative number or a path, is unquoted as others of its kind in the
    /// text are.
    private func isBareByExample(_ text: ArraySlice<UInt8>, in sample: TextSample) -> Bool {
        let quotedContents: ArraySlice<UInt8> = sample.value.map { sample.text[$0].dropFirst().dropLast() } ?? []
        if isBareNumber(text) {
            return !isBareNumber(quotedContents) && sample.values.contains { isBareNumber(sample.text[$0]) }
        }
        return isBarePath(text) && !isBarePath(quotedContents) && hasBarePath
    }

    /// Whether a text is a string that only needs quotes because it begins with a slash.
    private func isBarePath(_ text: ArraySlice<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        return text.first == slash && text.dropFirst().first != slash && OpenStepWriter.isBare(text.dropFirst())
    }

    private func findBarePath() -> Bool {
        let start = Array("= ".utf8)
        var position = 0
        while let slash = text[position...].firstIndex(of: UInt8(ascii: "/")) {
            let end = text[slash...].firstIndex { !OpenStepWriter.bareCharacters.contains($0) } ?? text.count
            if text[..<slash].suffix(2).elementsEqual(start), isBarePath(text[slash..<end]),
                end < text.count, text[end] == UInt8(ascii: ";")
            {
                return true
            }
            position = end
        }
        return false
    }

    /// Whether a text is a negative number without quotation marks. Most writers would quote it.
    private func isBareNumber(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "-") else { return false }
        let point = UInt8(ascii: ".")
        let (number, points) = (text.dropFirst(), text.count { $0 == point })
        return points <= 1 && number.count > points
            && number.allSatisfy { $0.isDigit || $0 == point }
    }

    /// Whether a string is quoted unnecessarily.
    private func isQuoted(_ range: Range<Int>?, in sample: TextSample) -> Bool {
        guard let range, range.count > 2, sample.text[range.lowerBound] == UInt8(ascii: "\"") else { return false }
        if let known = quoted[range.lowerBound] { return known }
        let contents = sample.text[range].dropFirst().dropLast()
        let isQuoted = OpenStepWriter.isBare(contents)
        quoted[range.lowerBound] = isQuoted
        return isQuoted
    }
}
