/// The syntax of OpenStep text for edits, in both dialects and in strings files, which contain a dictionary without
/// braces.
final class OpenStepSyntax: TextSyntax {
    private let dialect: OpenStep.Dialect
    /// Whether the text is a strings file, in which keys are always quoted.
    private let isStringsFile: Bool
    /// Whether strings are quoted unnecessarily, by their offset in the edited text. The cache avoids rereading a long
    /// sample for each string of a new value.
    private var quoted: [Int: Bool] = [:]

    init(_ dialect: OpenStep.Dialect, of map: SourceMap) {
        self.dialect = dialect
        let first = map.text.first
        isStringsFile = map.root == map.text.indices && first != UInt8(ascii: "{") && first != UInt8(ascii: "(")
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

    func separator(of kind: StoredObject.Kind) -> Separator {
        kind == .dictionary
            ? Separator(character: UInt8(ascii: ";"), endsLast: true)
            : Separator(character: UInt8(ascii: ","), endsLast: nil)
    }

    func contents(of range: Range<Int>, _ kind: StoredObject.Kind, in text: [UInt8]) -> Range<Int>? {
        if isStringsFile, range == text.indices { return range }
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
        let model =
            sample.value
            ?? sample.neighbours.first { range in
                ![UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<")].contains(sample.text[range.lowerBound])
            }
        if scalar.kind.isString, isStringsFile || isQuoted(model, in: sample) {
            writer.writeQuoted(scalar, to: &output)
        } else if scalar.kind.isString, sample.value.map({ sample.text[$0.lowerBound] }) != UInt8(ascii: "\""),
            sample.values.contains(where: { isBareNumber(sample.text[$0]) }),
            let text = StoredString(document, scalar).utf8Bytes, isBareNumber(text[...])
        {
            output.write(text)
        } else {
            writer.writeScalar(scalar, to: &output)
        }
    }

    /// Whether a text is a negative number without quotation marks. Most writers would quote it.
    private func isBareNumber(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "-") else { return false }
        let point = UInt8(ascii: ".")
        let (number, points) = (text.dropFirst(), text.count { $0 == point })
        return points <= 1 && number.count > points
            && number.allSatisfy { (0x30...0x39).contains($0) || $0 == point }
    }

    /// Whether a string is quoted unnecessarily.
    private func isQuoted(_ range: Range<Int>?, in sample: TextSample) -> Bool {
        guard let range, range.count > 2, sample.text[range.lowerBound] == UInt8(ascii: "\"") else { return false }
        if let known = quoted[range.lowerBound] { return known }
        let isQuoted = sample.text[range].dropFirst().dropLast().allSatisfy(OpenStepWriter.bareCharacters.contains)
        quoted[range.lowerBound] = isQuoted
        return isQuoted
    }
}
