/// Files of another kind in place of a save.
extension UnreadableFile {
    func gitPointer() -> Problem? {
        guard bytes.starts(with: "version https://git-lfs.github.com/spec/".utf8) else { return nil }
        let size = line { $0.starts(with: "size ".utf8) }.map {
            " (\(SafeText.quoting($0.text.dropFirst(5))) bytes)"
        }
        return Problem(
            "format.git-lfs",
            "this is a Git LFS pointer, not the file\(size ?? ""); run git lfs pull to fetch it")
    }

    /// Returns a problem at the marker where the reader stopped, or else at the first beginning of a conflict. Other
    /// markers may be text in a string or a comment.
    func conflictMarkers() -> Problem? {
        guard !isBinary else { return nil }
        if problem.id == "format.unknown" {
            // A file that begins with a marker has no format, but other texts have single lines of this kind, too.
            let markers = Problem.conflictMarkers(in: bytes, from: 0)
            guard bytes.starts(with: "<<<<<<< ".utf8) || Set(markers.map { bytes[$0] }).count > 1,
                let first = markers.first, precedingBytes() == nil
            else { return nil }
            return .conflictMarker(at: .inText(bytes, at: first))
        }
        if let offset {
            let start = bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
            if Problem.isConflictMarker(bytes[start...]) { return .conflictMarker(at: .inText(bytes, at: start)) }
        }
        guard let (number, _) = line(where: { $0.first == UInt8(ascii: "<") && Problem.isConflictMarker($0) }) else {
            return nil
        }
        return .conflictMarker(at: .line(number, column: 1))
    }

    func htmlPage() -> Problem? {
        guard !isBinary else { return nil }
        let start = prolog
        guard ["<!doctype html", "<html", "<head", "<body"].contains(where: { begins($0, at: start) }) else {
            return nil
        }
        return Problem(
            "format.html", "this is an HTML page\(title), possibly an error page instead of a download; expected a save"
        )
    }

    func interfaceDocument() -> Problem? {
        guard !isBinary else { return nil }
        let start = prolog
        let sign = "com.apple.interfacebuilder"
        guard ["<archive type=\"", "<document type=\""].contains(where: { begins($0 + sign, at: start) }) else {
            return nil
        }
        return Problem("format.xib", "this is an Interface Builder document (XIB), not a property list")
    }

    /// Names an XML file with another root than a property list. Tags of property lists may be inside only if the root
    /// ends the file.
    func otherMarkup() -> Problem? {
        guard !isBinary, problem.kind.isOf(.xml) else { return nil }
        var start = prolog
        if begins("<!doctype", at: start) {
            let isLong = bytes[start...].prefix { $0 != UInt8(ascii: ">") }.contains(UInt8(ascii: "["))
            start = prolog(from: end(of: isLong ? "]>" : ">", from: start))
        }
        let name = bytes[start...].dropFirst().prefix { $0 > 0x20 && !"<>/=\"'".utf8.contains($0) }
        // Markup such as a warning of PHP may precede a save.
        let isMarkup = begins("<?xml", at: markLength) || bytes.last { $0 > 0x20 } == UInt8(ascii: ">")
        guard isMarkup, start < bytes.count, bytes[start] == UInt8(ascii: "<"), !name.isEmpty,
            !Self.isPlistTag(name), isWhole(name) ? !hasTag(in: ["<plist"]) : !hasTag(in: Self.plistTags)
        else { return nil }
        let tag = bytes[start...].prefix { $0 != UInt8(ascii: ">") }
        let title =
            switch String(decoding: name, as: UTF8.self) {
            case "svg": "an SVG image"
            case "map" where TextPattern(Array(" orientation=".utf16)).match(inASCII: Array(tag)) == .found:
                "a map of Tiled (TMX)"
            default: "XML with the root element <\(SafeText.quoting(name))>"
            }
        return Problem("format.other-xml", "this is \(title), not a property list", at: .inText(bytes, at: start))
    }

    /// Whether a name, except for one character, is the name of a tag of property lists.
    private static func isPlistTag(_ name: ArraySlice<UInt8>) -> Bool {
        ["plist", "dict", "array", "key", "string", "integer", "real", "true", "false", "date", "data"].contains {
            $0.utf8.count == name.count && zip($0.utf8, name).count { $0 != $1 } < 2
        }
    }

    /// Whether one of some tags occurs.
    private func hasTag(in tags: [StaticString]) -> Bool {
        tags.contains { tag in
            var cursor = XMLCursor(bytes)
            return cursor.skip(past: tag)
        }
    }

    /// The tags of containers and keys of property lists.
    private static let plistTags: [StaticString] = [
        "<key>", "<dict", "</dict>", "<plist", "</plist>", "<array>", "</array>",
    ]

    /// Whether the text ends with the end tag of an element.
    private func isWhole(_ name: ArraySlice<UInt8>) -> Bool {
        let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
        return bytes[..<end].reversed().starts(with: (Array("</".utf8) + name + [UInt8(ascii: ">")]).reversed())
    }

    /// The offset after the white space, processing instructions and comments with which the file begins.
    private var prolog: Int { prolog(from: markLength) }

    /// The number of bytes of a byte order mark.
    private var markLength: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    private func prolog(from start: Int) -> Int {
        var position = start
        while position < bytes.count {
            if bytes[position].isSpace {
                position += 1
            } else if begins("<?", at: position) {
                position = end(of: "?>", from: position)
            } else if begins("<!--", at: position) {
                position = end(of: "-->", from: position)
            } else {
                break
            }
        }
        return position
    }

    /// Returns the offset after the next occurrence of a text, or the end.
    private func end(of text: String, from start: Int) -> Int {
        let last = bytes.indices.dropFirst(start).first { bytes[$0...].starts(with: text.utf8) }
        return last.map { $0 + text.utf8.count } ?? bytes.count
    }

    /// Whether a text, given in lowercase, occurs at an offset. Case is ignored.
    private func begins(_ text: String, at offset: Int) -> Bool {
        let found = bytes[offset...].prefix(text.utf8.count)
        return found.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.elementsEqual(text.utf8)
    }

    /// The title of the page, such as ` titled "404 Not Found"`, or an empty string.
    private var title: String {
        guard let start = bytes.indices.first(where: { bytes[$0] == 0x3C && begins("<title>", at: $0) }) else {
            return ""
        }
        let text = bytes[(start + 7)...].prefix { $0 != 0x3C }.prefix(400)
        return " titled " + Phrase.quoted(String(decoding: text, as: UTF8.self))
    }

    func shortenedData() -> Problem? {
        guard !isBinary, let (number, text) = line(where: { shortened($0) != nil }), let length = shortened(text) else {
            return nil
        }
        return Problem(
            "format.defaults-output",
            "this is the output of defaults read, which shortens data to {length = \(length), bytes = …}; export the values "
                + "instead: defaults export DOMAIN - | savetool inspect",
            at: .line(number, column: 1))
    }

    /// Returns the length in `{length = 3125, bytes = 0x…}` in a line, or nil.
    private func shortened(_ line: ArraySlice<UInt8>) -> String? {
        let beginning = "{length = ".utf8
        var rest = line
        while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = rest[start...]
            if rest.starts(with: beginning) {
                let digits = rest.dropFirst(beginning.count).prefix { (0x30...0x39).contains($0) }
                let end = rest[digits.endIndex...]
                if !digits.isEmpty, end.starts(with: ", bytes = 0x".utf8) {
                    return String(decoding: digits, as: UTF8.self)
                }
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    func printedPlist() -> Problem? {
        // An entry begins with a key or the position of an element.
        let isEntry = { (line: ArraySlice<UInt8>) in
            let rest = line.drop { $0 == 0x20 }.drop { (0x30...0x39).contains($0) }
            if rest.startIndex > line.startIndex, rest.starts(with: " => ".utf8) { return true }
            return line.indices.contains { line[$0] == 0x22 && line[$0...].starts(with: "\" => ".utf8) }
        }
        guard !isBinary, let (number, _) = line(where: isEntry) else { return nil }
        return Problem(
            "format.plutil-output",
            "this is the output of plutil -p, which cannot be read back; use the property list itself",
            at: .line(number, column: 1))
    }

    /// Returns the first line that satisfies a condition, with its one-based number.
    private func line(where isWanted: (ArraySlice<UInt8>) -> Bool) -> (number: Int, text: ArraySlice<UInt8>)? {
        var (number, start) = (1, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if isWanted(bytes[start..<end]) { return (number, bytes[start..<end]) }
            (number, start) = (number + 1, end + 1)
        }
        return nil
    }

    func hexadecimalText() -> Problem? {
        guard !isBinary else { return nil }
        let digits = bytes.filter { !$0.isSpace }
        let text = digits.starts(with: "0x".utf8) ? digits[2...] : digits[...]
        guard text.count >= 16, let data = Hexadecimal.bytes(Array(text).span),
            let first = data.dropFirst(data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).first,
            let format = Format.detected(in: data), !format.has(.text) || "{[(<".utf8.contains(first)
        else { return nil }
        let name = format.definition.article + format.definition.title
        let isLayer = LayerSearch.kind(of: bytes, decodes: true) == .hexadecimal
        return Problem(
            "format.hexadecimal",
            "this is \(name) of \(CountText.of(data.count)) bytes, written as hexadecimal digits; "
                + (isLayer ? "use --unwrap to read it" : "xxd -r -p decodes them"))
    }

    func lzString() -> Problem? {
        // A mail program may have quoted each line.
        .lzString(in: DamagedText(bytes).bytes.filter { $0 != UInt8(ascii: ">") })
    }

    func undecodedLayers() -> Problem? {
        // If the reader found a damaged layer, that is the cause.
        guard !problem.kind.isCompression, !problem.kind.isOf(.wrapping) else { return nil }
        // A shorter file would decode to something under many XOR keys.
        guard bytes.count >= Self.minEvidenceLength, !isBegunText else { return nil }
        return .undecodedLayers(of: bytes) ?? unknownData()
    }

    /// Returns a problem if the text is Base64 of data in no known format.
    private func unknownData() -> Problem? {
        let text = bytes.filter { $0 != 0x0A && $0 != 0x0D }
        guard text.count >= 64, text.contains(where: { "+/".utf8.contains($0) }),
            case .success(let data) = Base64.decode(text.span)
        else { return nil }
        return Problem(
            "format.base64",
            "this is Base64 of \(CountText.of(data.count)) bytes in no known format, which may be encrypted")
    }

    /// The minimum byte count of a file that is searched for layers, and the number of first bytes that distinguish
    /// a text from such a file.
    private static let minEvidenceLength = 16

    /// Whether the reader got past the first characters and these include punctuation, so that layers are unlikely.
    ///
    /// The search for layers is the most expensive of the ``causes``.
    private var isBegunText: Bool {
        guard case .line(let line, let column)? = problem.location, line > 1 || column > Self.minEvidenceLength else {
            return false
        }
        return bytes.prefix(Self.minEvidenceLength).contains { byte in
            !TextFormatScanner.isWord(Unicode.Scalar(byte)) && !byte.isSpace
        }
    }
}

extension Problem.Kind {
    /// Whether the file is of another kind, so that nothing in it can be repaired.
    package var isOfOtherFile: Bool { Self.ofOtherFiles.contains(id) }

    private static let ofOtherFiles: Set<String> = [
        "format.git-lfs", "format.html", "format.xib", "format.defaults-output", "format.plutil-output",
        "format.hexadecimal", "format.layers", "format.apple-double", "format.sqlite-wal", "format.sqlite-journal",
        "format.lz-string", "format.other-xml", "format.rtf", "format.other", "format.base64",
    ]
}

extension Problem {
    /// Throws a problem at git's first conflict marker in the text from an offset to its end, which a reader ignores.
    ///
    /// Lines of equals signs alone do not count unless a line after them ends a pair, because they may underline a
    /// title.
    static func checkConflictMarkers(in text: [UInt8], from offset: Int) throws(Problem) {
        let markers = conflictMarkers(in: text, from: offset)
        guard let first = markers.first else { return }
        guard
            markers.contains(where: { text[$0] != UInt8(ascii: "=") })
                || (first..<text.count).contains(where: { text[$0] == UInt8(ascii: ";") && endsLine($0, text[...]) })
        else { return }
        throw .conflictMarker(at: .inText(text, at: first))
    }

    /// Returns the offsets of git's conflict markers in a text from an offset on.
    fileprivate static func conflictMarkers(in text: [UInt8], from offset: Int) -> [Int] {
        var offsets: [Int] = []
        var start = offset
        while start < text.count {
            let isAtLine = start == 0 || text[start - 1] == 0x0A || text[start - 1] == 0x0D
            if isAtLine, isConflictMarker(text[start...]) { offsets.append(start) }
            let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count - 1
            start = end + 1
        }
        return offsets
    }

    /// Whether a line begins like one of git's conflict markers: seven equal characters, then a blank or the line end.
    /// Only the line end follows equals signs.
    fileprivate static func isConflictMarker(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, "<|=>".utf8.contains(first), line.prefix(7).count(where: { $0 == first }) == 7
        else { return false }
        return endsLine(line.startIndex + 6, line) || first != UInt8(ascii: "=") && line.dropFirst(7).first == 0x20
    }

    /// Whether the line ends after the character at an offset.
    private static func endsLine(_ offset: Int, _ text: ArraySlice<UInt8>) -> Bool {
        offset + 1 == text.endIndex || text[offset + 1] == 0x0A || text[offset + 1] == 0x0D
    }

    fileprivate static func conflictMarker(at location: SourceLocation) -> Problem {
        Problem(
            "format.conflict", "this line is a conflict marker of git; resolve the conflict first", at: location)
    }
}
