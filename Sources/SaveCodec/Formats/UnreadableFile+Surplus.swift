/// Bytes before, after or instead of a part of a file.
extension UnreadableFile {
    static func format(of bytes: [UInt8]) -> Format? { Format.detected(in: bytes) }

    /// Whether bytes are a valid file of a format.
    static func isComplete(_ bytes: [UInt8], as format: Format, _ limits: Limits) -> Bool {
        let nested = NestedSaveConverter.propertyLists.reading(.commented)
        return (try? format.definition.read(bytes, limits: limits, nested: nested)) != nil
    }

    func isComplete(_ bytes: [UInt8], as format: Format) -> Bool { Self.isComplete(bytes, as: format, limits) }

    /// Returns the offset at which the reader of a format stops, or nil.
    static func offsetOfProblem(in bytes: [UInt8], _ format: Format, _ limits: Limits) -> Int? {
        let nested = NestedSaveConverter.propertyLists.reading(.commented)
        do throws(Problem) {
            let document = try format.definition.read(bytes, limits: limits, nested: nested)
            // The reader of XML accepts other bytes after the property list.
            return document.warnings.first { $0.id == "xml.trailing" }.flatMap {
                UnreadableFile(bytes, $0, limits).offset
            }
        } catch {
            return UnreadableFile(bytes, error, limits).offset
        }
    }

    // MARK: After the end

    func appendedBytes() -> Problem? {
        guard isBinaryPlist, let end = Trailer.end(in: bytes), end < bytes.count else { return nil }
        let isBlank = bytes[end...].allSatisfy { $0 == 0 }
        let count = Phrase.count(bytes.count - end, "byte", "follows")
        return Problem(
            "binary.trailing",
            "\(count) the trailer, which ends a binary property list\(isBlank ? "; all of them are zero" : kindOfRest(from: end))",
            at: .byte(end))
    }

    /// Returns a problem if a complete binary property list replaced the beginning of a longer one.
    func overwritten() -> Problem? {
        guard hasSoundEnd, let end = (42..<bytes.count).first(where: { Trailer.fits(bytes, endingAt: $0) }),
            isComplete(Array(bytes[..<end]), as: .binary)
        else { return nil }
        return Problem(
            "damage.overwritten",
            "a complete binary property list ends here, and the last \(CountText.of(bytes.count - end)) bytes are the end of "
                + "a longer one; the shorter file was written over the longer one", at: .byte(end))
    }

    /// Returns a problem if other bytes follow a complete text or typedstream.
    func completeBefore() -> Problem? {
        guard problem.kind.isOf(.json, .openstep, .gnustep, .typedstream), let end = offset, end > 0, end < bytes.count,
            let format = Self.format(of: bytes)
        else { return nil }
        guard Self.isFile(Array(bytes[..<end]), as: format, limits) else { return nil }
        let title = format.definition.title
        let rest = bytes[end...]
        if Self.format(of: Array(rest)) == format, Self.secondFile(in: bytes, from: end, limits) != nil {
            return .secondFile(of: rest.count, after: format, at: problem.location)
        }
        let kind = kindOfRest(from: end)
        // Most other text after a value was typed by a person. The reader's problem quotes it, so it is kept.
        guard !kind.isEmpty || !format.has(.text) else { return nil }
        return Problem(
            "damage.trailing",
            "the \(title) is complete here, but \(Phrase.count(rest.count, "byte", "follows"))" + kind,
            at: problem.location)
    }

    /// Returns the range from an offset on, without white space at its start, if it is another complete file.
    static func secondFile(in bytes: [UInt8], from offset: Int, _ limits: Limits) -> Range<Int>? {
        guard let start = bytes[offset...].firstIndex(where: { !$0.isSpace }) else {
            return nil
        }
        let rest = Array(bytes[start...])
        guard let format = format(of: rest), isFile(rest, as: format, limits) else { return nil }
        return start..<bytes.count
    }

    /// Whether bytes are a complete file in a format. A text must begin with a bracket, because a word proves no
    /// format.
    static func isFile(_ bytes: [UInt8], as format: Format, _ limits: Limits) -> Bool {
        let isTelling = !format.has(.text) || bytes.first { $0 > 0x20 }.map("{[(<".utf8.contains) ?? false
        return isTelling && isComplete(bytes, as: format, limits)
    }

    /// Returns the kind of the bytes from an offset on as the end of a sentence, or an empty string if it is unknown.
    private func kindOfRest(from offset: Int) -> String {
        let rest = Array(bytes[offset...])
        if let format = Self.format(of: rest), Self.isFile(rest, as: format, limits) {
            return "; they are another file, \(format.definition.article)\(format.definition.title)"
        }
        let text = rest.firstIndex { $0 > 0x20 } ?? 0
        guard let header = ForeignHeader.at(text, in: rest) else { return "" }
        return "; they begin like \(header.title)"
    }

    // MARK: Before the beginning

    /// Returns a problem if other bytes, such as the header of an HTTP response, precede a complete save.
    func precedingBytes() -> Problem? {
        guard problem.kind.isTextSyntax || problem.kind.isOf(.text) || problem.id == "format.unknown" else {
            return nil
        }
        return PrecedingBytes.find(in: bytes, limits: limits)?.problem
    }

    /// Returns a problem if a file lacks its first bytes. The trailer of such a binary property list states a larger
    /// size than the file has.
    func missingBeginning() -> Problem? {
        guard ["format.unknown", "binary.magic", "sqlite.magic"].contains(problem.id) || problem.kind.isTextSyntax
        else {
            return nil
        }
        guard let missing = BinaryPlistSalvage.missingBeginning(of: bytes) else {
            if let restored = RestoredBeginning.find(for: bytes, limits: limits) { return restored.problem }
            if ["format.unknown", "xml.end", "xml.text"].contains(problem.id), endsLikeXML, precedingBytes() == nil {
                return RestoredBeginning.problem(nil, of: "an XML property list")
            }
            return JSONSalvageSyntax.lacksBeginning(bytes) ? RestoredBeginning.problem(nil, of: "JSON") : nil
        }
        return RestoredBeginning.problem(missing, of: "a binary property list")
    }

    /// Whether the text ends like an XML property list and does not begin like one.
    private var endsLikeXML: Bool {
        let start = bytes.drop { $0.isSpace }
        if ["<?xml", "<!DOCTYPE", "<plist"].contains(where: { start.starts(with: $0.utf8) }) { return false }
        let end = bytes.reversed().drop { $0.isSpace }
        return ["</plist>", "</dict>", "</array>"].contains { end.starts(with: $0.utf8.reversed()) }
    }

    /// Returns a problem if the text was quoted in a mail, or escaped for a web page.
    func rewrittenText() -> Problem? { isBinary ? nil : RewrittenText.find(for: bytes, limits: limits)?.problem }

    // MARK: Checksums

    /// Returns a problem if a layer with a wrong checksum or size contains a valid save.
    func wrongChecksum() -> Problem? {
        guard ["gzip.checksum", "gzip.size", "zlib.checksum"].contains(problem.id) else { return nil }
        let contents = Layers.beginning(of: bytes, limits.maxDecodedByteCount(of: bytes.count))
        guard let format = Self.format(of: contents), isComplete(contents, as: format) else { return nil }
        return Problem(
            problem.kind,
            "\(problem.message); the contents are still a valid \(format.definition.title) of "
                + Phrase.count(contents.count, "byte"), at: problem.location)
    }
}

extension Problem {
    /// Returns the error for a complete file that another complete file follows.
    package static func secondFile(of size: Int, after format: Format, at location: SourceLocation?) -> Problem {
        Problem(
            "damage.second-file",
            "two files in one: the \(format.definition.title) is complete here, and another one of "
                + "\(CountText.of(size)) bytes follows", at: location)
    }
}

// MARK: - Locations

extension UnreadableFile {
    /// The offset of the problem in the file, or nil if it is unknown.
    var offset: Int? {
        switch problem.location {
        case .byte(let offset)?: offset <= bytes.count ? offset : nil
        case .line(let line, let column)?: offset(ofLine: line, column: column)
        default: nil
        }
    }

    /// Returns the offset of the character at a line and column, which are counted as by
    /// ``SourceLocation/inText(_:at:)``. Returns nil for UTF-16 and UTF-32.
    private func offset(ofLine line: Int, column: Int) -> Int? {
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]), bytes.first != 0,
            bytes.dropFirst().first != 0
        else { return nil }
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var (lines, columns) = (1, 1)
        while position < bytes.count, lines < line {
            let byte = bytes[position]
            position += 1
            let isCRLF = byte == 0x0D && position < bytes.count && bytes[position] == 0x0A
            if byte == 0x0A || byte == 0x0D && !isCRLF { lines += 1 }
        }
        while position < bytes.count, columns < column {
            position += 1
            while position < bytes.count, bytes[position] & 0xC0 == 0x80, columns + 1 <= column { position += 1 }
            columns += 1
        }
        return position
    }
}
