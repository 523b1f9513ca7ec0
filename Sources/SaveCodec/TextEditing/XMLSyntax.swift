/// The syntax of XML property lists for edits.
///
///     <dict>
///     	<key>a</key> <!-- about a -->
///     	<integer>0x10</integer>
///     </dict>
final class XMLSyntax: TextSyntax {
    /// The notation of empty elements, taken from the first one in the text.
    private lazy var emptySpelling = EmptySpelling(of: text, dialect)
    private let text: [UInt8]
    private let dialect: XMLDialect

    init(of text: [UInt8]) {
        self.text = text
        dialect = XMLDialect(of: text)
    }

    var hasShortTags: Bool { dialect == .short }

    private func name(_ element: XMLElement) -> StaticString { dialect.name(of: element).text }

    func token(at position: Int, of text: [UInt8]) -> (token: Gap.Token, end: Int) {
        var cursor = XMLCursor(text)
        cursor.position = position
        if let end = LineBreak.end(at: position, of: text) { return (.lineBreak, end) }
        if cursor.skip("<!--") { return (.comment, cursor.skip(past: "-->") ? cursor.position : text.count) }
        if cursor.skip("<?") { return (.comment, cursor.skip(past: "?>") ? cursor.position : text.count) }
        return (.blank, position + 1)
    }

    func separator(of kind: StoredObject.Kind) -> Separator { .none }

    func contents(of range: Range<Int>, _ kind: StoredObject.Kind, in text: [UInt8]) -> Range<Int>? {
        // Attributes are skipped up to the first ">", as the reader does.
        guard let open = text[range].firstIndex(of: UInt8(ascii: ">")), text[open - 1] != UInt8(ascii: "/"),
            let close = text[range].lastIndex(of: UInt8(ascii: "<")), close > open
        else { return nil }
        return open + 1..<close
    }

    var defaultIndentation: [UInt8] { [0x09] }

    func defaultKeyGap(inLines: Bool) -> KeyGap { inLines ? .line : .text([]) }
    func defaultMemberGap(keyGap: KeyGap) -> [UInt8] { [] }

    func escaping(_ text: [UInt8], unless canEncode: ([UInt8]) -> Bool) -> [UInt8]? {
        guard !canEncode(text) else { return text }
        var result: [UInt8] = []
        // CDATA sections cannot contain references, so the section is replaced by escaped text.
        let section = section(text)
        if section != nil { result += "<\(name(.string))>".utf8 }
        for scalar in String(decoding: section ?? text[...], as: UTF8.self).unicodeScalars {
            switch scalar {
            case "&" where section != nil: result += "&amp;".utf8
            case "<" where section != nil: result += "&lt;".utf8
            case ">" where section != nil: result += "&gt;".utf8
            case _ where !canEncode(Array(String(scalar).utf8)):
                result += "&#x\(String(scalar.value, radix: 16));".utf8
            default: result += String(scalar).utf8
            }
        }
        if section != nil { result += "</\(name(.string))>".utf8 }
        return result
    }

    /// Returns the contents of a CDATA section that is the only content of a string.
    private func section(_ text: [UInt8]) -> ArraySlice<UInt8>? {
        let string = name(.string)
        let (opening, closing) = (Array("<\(string)><![CDATA[".utf8), Array("]]></\(string)>".utf8))
        guard text.starts(with: opening), text.count >= opening.count + closing.count,
            text.suffix(closing.count).elementsEqual(closing)
        else { return nil }
        return text.dropFirst(opening.count).dropLast(closing.count)
    }

    // MARK: Values

    func writeEmpty(_ kind: StoredObject.Kind, in lines: LineStyle?, to output: inout ByteWriter) {
        writeEmpty(element(of: kind), to: &output)
    }

    func writeOpening(_ kind: StoredObject.Kind, to output: inout ByteWriter) {
        writeTag("<", element(of: kind), to: &output)
    }

    func writeClosing(_ kind: StoredObject.Kind, to output: inout ByteWriter) {
        writeTag("</", element(of: kind), to: &output)
    }

    private func element(of kind: StoredObject.Kind) -> XMLElement { kind == .dictionary ? .dict : .array }

    func rootText(_ text: [UInt8], insteadOf old: ArraySlice<UInt8>) -> [UInt8] {
        // A root container gets a long name, such as `dict`, unless the old root has a short one.
        guard hasShortTags, let tag = Self.tag(of: text[...]), [.dict, .array].contains(tag.element),
            tag.name.isShort, !(Self.tag(of: old)?.name.isShort ?? false)
        else { return text }
        let name = "\(XMLDialect.standard.name(of: tag.element).text)".utf8
        let rest = text.dropFirst(1 + tag.name.length)
        return [UInt8(ascii: "<")] + name
            + (tag.isEmpty ? Array(rest) : rest.dropLast(1 + tag.name.length) + name + [UInt8(ascii: ">")])
    }

    /// Returns the tag that begins the text of a value.
    private static func tag(of value: ArraySlice<UInt8>) -> XMLCursor.Tag? {
        var cursor = XMLCursor(Array(value), .short)
        return cursor.skip("<") ? try? cursor.readTag() : nil
    }

    func writeKey(_ key: StoredObject, of document: Document, like sample: TextSample, to output: inout ByteWriter) {
        writeElement(.key, to: &output) { XMLScalarWriter.writeText(of: key, in: document, to: &$0) }
    }

    func writeScalar(
        _ scalar: StoredObject, of document: Document, like sample: TextSample, in lines: LineStyle?,
        to output: inout ByteWriter
    ) {
        switch scalar.kind {
        case .true: writeEmpty(.true, to: &output)
        case .false: writeEmpty(.false, to: &output)
        case .data: writeData(scalar, of: document, like: sample, in: lines, to: &output)
        case .uid:
            let model = sample.values.first { starts($0, with: .dict, of: sample) }
            let isOneLine = model.map { !sample.text[$0].contains(0x0A) } ?? false
            writeUID(document.uid(scalar), in: isOneLine ? nil : lines, to: &output)
        case .real: writeReal(scalar, of: document, like: sample, to: &output)
        case .integer where TextLoss.integers.contains(document.integer(scalar)):
            writeInteger(scalar, of: document, like: sample, to: &output)
        case .date:
            writeElement(XMLDate.fits(document.real64(scalar)) ? .date : .real, to: &output) {
                XMLScalarWriter.writeText(of: scalar, in: document, to: &$0)
            }
        default: writeString(scalar, of: document, like: sample, to: &output)
        }
    }

    /// Writes a string. A string that replaces one CDATA section is written as a section, if a section can contain it.
    private func writeString(
        _ string: StoredObject, of document: Document, like sample: TextSample, to output: inout ByteWriter
    ) {
        writeElement(.string, to: &output) { output in
            if let value = sample.value, isSection(value, of: sample), string.kind.isString,
                let text = String(validating: StoredString(document, string), as: UTF16.self), isAllowed(text)
            {
                output.write("<![CDATA[")
                output.write(text)
                output.write("]]>")
            } else {
                XMLScalarWriter.writeText(of: string, in: document, to: &output)
            }
        }
    }

    private func isSection(_ range: Range<Int>, of sample: TextSample) -> Bool {
        var cursor = XMLCursor(sample.text)
        cursor.position = range.lowerBound
        let string = name(.string)
        return cursor.skip("<") && cursor.skip(string) && cursor.skip("><![CDATA[") && cursor.skip(past: "]]>")
            && cursor.skip("</") && cursor.skip(string) && cursor.skip(">") && cursor.position == range.upperBound
    }

    /// Whether text can be in a CDATA section: it contains neither the end of a section nor characters that need
    /// references.
    private func isAllowed(_ text: String) -> Bool {
        var brackets = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: ">"), brackets >= 2 { return false }
            if byte < 0x20, byte != 0x09, byte != 0x0A { return false }
            brackets = byte == UInt8(ascii: "]") ? brackets + 1 : 0
        }
        return true
    }

    // MARK: Numbers

    /// Writes an integer. A non-negative one is written in hexadecimal if it replaces a hexadecimal number. If that
    /// number is padded with zeros, as in `0x0A`, the new one is padded to the same number of digits.
    private func writeInteger(
        _ integer: StoredObject, of document: Document, like sample: TextSample, to output: inout ByteWriter
    ) {
        let value = document.integer(integer)
        let old = sample.value.flatMap { starts($0, with: .integer, of: sample) ? sample.text[$0] : nil }
        let number = old?.drop { $0 != UInt8(ascii: ">") }.dropFirst().prefix { $0 != UInt8(ascii: "<") }
        writeElement(.integer, to: &output) { output in
            guard value >= 0, let number, number.starts(with: "0x".utf8) else {
                return XMLScalarWriter.writeText(of: integer, in: document, to: &output)
            }
            let isUppercase = number.contains(where: \.isUppercaseHexLetter)
            let isPadded = number.count > 3 && number.dropFirst(2).first == UInt8(ascii: "0")
            let width = isPadded ? number.count - 2 : 0
            output.write("0x" + Hexadecimal.text(value, digits: width, uppercase: isUppercase))
        }
    }

    /// Writes the shortest digits that read back as the same value, or 17 digits if nearby reals are written so.
    private func writeReal(
        _ real: StoredObject, of document: Document, like sample: TextSample, to output: inout ByteWriter
    ) {
        let value = document.real(real)
        let isLong = sample.values.lazy.compactMap { self.hasSeventeenDigits($0, of: sample) }.first ?? false
        writeElement(.real, to: &output) { output in
            let isZero = value == 0 && !(hasShortTags || value.sign == .plus && hasShortZero(sample))
            if isLong || isZero || !value.isFinite {
                XMLScalarWriter.writeText(of: real, in: document, to: &output)
            } else {
                XMLScalarWriter.writeShortest(value, to: &output)
            }
        }
    }

    /// Whether a real is written with 17 digits rather than with the fewest possible; nil if both are the same, if it
    /// is written in a third way, or if it has no fraction.
    private func hasSeventeenDigits(_ element: Range<Int>, of sample: TextSample) -> Bool? {
        guard starts(element, with: .real, of: sample) else { return nil }
        let content = sample.text[element.prefix(60)].drop { $0 != UInt8(ascii: ">") }.dropFirst()
        let number = Array(content.prefix { $0 != UInt8(ascii: "<") })
        guard number.contains(UInt8(ascii: ".")), let value = NumberText.double(number.span), value.isFinite else {
            return nil
        }
        var shortest = ByteWriter()
        var long = ByteWriter()
        NumberText.writeShortest(value, to: &shortest)
        NumberText.writeSeventeenDigits(value, to: &long)
        let (isShortest, isLong) = (shortest.takeBytes() == number, long.takeBytes() == number)
        return isShortest == isLong ? nil : isLong
    }

    /// Whether the nearest real of zero is `<real>0</real>` rather than `<real>0.0</real>`.
    private func hasShortZero(_ sample: TextSample) -> Bool {
        let texts = sample.values.lazy.map { sample.text[$0].prefix(20) }
        return texts.first { $0.starts(with: "<real>0<".utf8) || $0.starts(with: "<real>0.0<".utf8) }
            .map { $0.starts(with: "<real>0<".utf8) } ?? false
    }

    private func writeUID(_ uid: UInt32, in lines: LineStyle?, to output: inout ByteWriter) {
        func startLine(_ style: LineStyle?, _ output: inout ByteWriter) {
            guard let style else { return }
            output.write(style.lineBreak)
            output.write(style.indentation)
        }
        writeTag("<", .dict, to: &output)
        startLine(lines?.inner, &output)
        writeElement(.key, to: &output) { $0.write("CF$UID" as StaticString) }
        startLine(lines?.inner, &output)
        writeElement(.integer, to: &output) { NumberText.write(Int128(uid), to: &$0) }
        startLine(lines, &output)
        writeTag("</", .dict, to: &output)
    }

    // MARK: Data

    /// Writes data in lines of its own, unless a nearby data element is on one line.
    private func writeData(
        _ data: StoredObject, of document: Document, like sample: TextSample, in lines: LineStyle?,
        to output: inout ByteWriter
    ) {
        let bytes = data.start..<data.start + data.count
        let model = sample.values.first { starts($0, with: .data, of: sample) }
        let isOneLine = model.map { !sample.text[$0.prefix(256)].contains(0x0A) && $0.count > 13 } ?? false
        writeElement(.data, to: &output) { output in
            guard let lines, !isOneLine else { return Base64.write(document.image, in: bytes, to: &output) }
            var start = bytes.lowerBound
            let columns = lines.indentation.reduce(0) { $0 + ($1 == 0x09 ? 8 : 1) }
            let width = max(12, (76 - min(columns, 64)) / 4 * 4)
            repeat {
                let end = min(start + width / 4 * 3, bytes.upperBound)
                output.write(lines.lineBreak)
                output.write(lines.indentation)
                Base64.write(document.image, in: start..<end, to: &output)
                start = end
            } while start < bytes.upperBound
            output.write(lines.lineBreak)
            output.write(lines.indentation)
        }
    }

    // MARK: Elements

    private func starts(_ range: Range<Int>, with element: XMLElement, of sample: TextSample) -> Bool {
        var cursor = XMLCursor(sample.text)
        cursor.position = range.lowerBound
        return cursor.skip("<") && cursor.skip(name(element)) && cursor.skip(">")
    }

    private func writeElement(
        _ element: XMLElement, to output: inout ByteWriter, _ writeText: (inout ByteWriter) -> Void
    ) {
        writeTag("<", element, to: &output)
        writeText(&output)
        writeTag("</", element, to: &output)
    }

    private func writeTag(_ opening: StaticString, _ element: XMLElement, to output: inout ByteWriter) {
        output.write(opening)
        output.write(name(element))
        output.write(UInt8(ascii: ">"))
    }

    private func writeEmpty(_ element: XMLElement, to output: inout ByteWriter) {
        if emptySpelling == .pair {
            writeTag("<", element, to: &output)
            writeTag("</", element, to: &output)
        } else {
            output.write(UInt8(ascii: "<"))
            output.write(name(element))
            output.write(emptySpelling == .spaced ? " />" : "/>")
        }
    }
}

/// The notation of an empty element: `<x/>`, `<x />` or `<x></x>`.
private enum EmptySpelling {
    case usual, spaced, pair

    init(of text: [UInt8], _ dialect: XMLDialect) {
        var cursor = XMLCursor(text, dialect)
        self = dialect == .short ? .spaced : .usual
        while cursor.skip(past: "<") {
            if cursor.skip("!--") {
                guard cursor.skip(past: "-->") else { return }
            } else if cursor.skip("![CDATA[") {
                guard cursor.skip(past: "]]>") else { return }
            } else if let spelling = Self.spelling(at: &cursor) {
                self = spelling
                return
            }
        }
    }

    /// Returns the notation of the element whose `<` precedes the cursor; nil if the element is not empty. Empty
    /// strings are ignored, because files of every style may write them as `<string></string>`.
    private static func spelling(at cursor: inout XMLCursor) -> EmptySpelling? {
        let start = cursor.position
        guard cursor.byte != UInt8(ascii: "/"), cursor.byte != UInt8(ascii: "?"), cursor.skip(past: ">") else {
            return nil
        }
        let tag = cursor.text[start..<cursor.position - 1]
        if tag.last == UInt8(ascii: "/") { return tag.dropLast().last == 0x20 ? .spaced : .usual }
        return cursor.isAt("</") && !tag.starts(with: "string".utf8) && !tag.elementsEqual("s".utf8) ? .pair : nil
    }
}

enum LineBreak {
    /// Returns the end of the line break at a position; nil if the position is not at one.
    static func end(at position: Int, of text: [UInt8]) -> Int? {
        switch text[position] {
        case 0x0A: position + 1
        case 0x0D: position + 1 < text.count && text[position + 1] == 0x0A ? position + 2 : position + 1
        default: nil
        }
    }
}
