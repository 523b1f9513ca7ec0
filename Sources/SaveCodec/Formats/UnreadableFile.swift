extension Problem {
    /// Returns the cause of the damage if the bytes prove one, or else the problem itself.
    ///
    /// The cause is the first of ``UnreadableFile/causes`` with evidence. Called only after a reader has refused the
    /// bytes, so valid files do not pay for it. The time is linear.
    package func diagnosed(in bytes: [UInt8]) -> Problem {
        guard isOpenToDiagnosis else { return self }
        let file = UnreadableFile(bytes, self)
        for cause in UnreadableFile.causes {
            if let problem = cause(file)() { return problem }
        }
        return self
    }

    /// Whether a cause may still be found. False for exceeded limits and for problems that already name the cause.
    private var isOpenToDiagnosis: Bool {
        switch kind.area {
        case "limit", "damage": false
        case "format": kind.id == "format.unknown" || kind.id == "format.comments"
        default: kind.id != "binary.trailing" && kind.id != "binary.truncated"
        }
    }
}

/// A file that a reader refused, and the causes that its bytes can prove:
///
///     00 00 00 00 …                            lost by the disk              damage.blank
///     … 62 0D 0A 63 …   no 0A without 0D        copied as text                damage.line-ends
///     62 70 … EF BF BD …   valid UTF-8          binary data read as text      damage.replaced
///     version https://git-lfs…                 never fetched                 format.git-lfs
struct UnreadableFile {
    private let bytes: [UInt8]
    private let problem: Problem
    /// Whether the bytes contain control characters and so are not text.
    private let isBinary: Bool
    private let isBinaryPlist: Bool

    init(_ bytes: [UInt8], _ problem: Problem) {
        self.bytes = bytes
        self.problem = problem
        isBinary = bytes.contains(where: Self.isControl)
        isBinaryPlist = bytes.starts(with: "bplist0".utf8)
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && !(0x09...0x0D).contains(byte) }

    /// The recognized causes. The first one with evidence is reported.
    static var causes: [(UnreadableFile) -> () -> Problem?] {
        [
            blank, appendedBytes, zerosAtEnd, missingEnd, convertedLineEnds, replacedCharacters, convertedToUTF8,
            convertedToUTF16, brokenEnd, gitPointer, conflictMarkers, htmlPage, shortenedData, printedPlist,
            hexadecimalText, undecodedLayers,
        ]
    }
}

// MARK: - Damage

extension UnreadableFile {
    private func blank() -> Problem? {
        guard let first = bytes.first, first == 0 || first == 0xFF, bytes.allSatisfy({ $0 == first }) else {
            return nil
        }
        let value = first == 0 ? "zero" : "0xFF"
        return Problem(
            "damage.blank", "all \(CountText.of(bytes.count)) bytes are \(value); nothing is left to recover")
    }

    private func appendedBytes() -> Problem? {
        guard isBinaryPlist, let end = Trailer.end(in: bytes), end < bytes.count else { return nil }
        let isBlank = bytes[end...].allSatisfy { $0 == 0 }
        let count = bytes.count - end == 1 ? "1 byte follows" : "\(CountText.of(bytes.count - end)) bytes follow"
        return Problem(
            "binary.trailing",
            "\(count) the trailer, which ends a binary property list\(isBlank ? "; all of them are zero" : "")",
            at: .byte(end))
    }

    private func zerosAtEnd() -> Problem? {
        // The pages of a database may end with unused space.
        guard !SQLite.begins(bytes), let last = bytes.lastIndex(where: { $0 != 0 }), last > 3 else { return nil }
        let count = bytes.count - 1 - last
        // A valid trailer that is cut off anywhere ends with fewer zeros, and UTF-8 text contains none.
        guard count > (isBinaryPlist || bytes[..<last].contains(where: Self.isControl) ? Trailer.size : 0) else {
            return nil
        }
        let zeros = count == 1 ? "byte is" : "\(CountText.of(count)) of \(CountText.of(bytes.count)) bytes are"
        return Problem("damage.zeros", "the last \(zeros) zero", at: .byte(last + 1))
    }

    private func convertedLineEnds() -> Problem? {
        guard isBinary, !hasSoundEnd else { return nil }
        var (feeds, first) = (0, 0)
        for position in bytes.indices where bytes[position] == 0x0A {
            guard position > 0, bytes[position - 1] == 0x0D else { return nil }
            if feeds == 0 { first = position - 1 }
            feeds += 1
        }
        // A few line ends may belong to text in the file, unless the file is valid without the carriage returns.
        guard feeds > 0, feeds > 7 || isSoundWithoutReturns else { return nil }
        let evidence =
            feeds == 1 ? "the only 0x0A byte follows" : "every 0x0A byte (\(CountText.of(feeds))) follows"
        return Problem(
            "damage.line-ends",
            "line ends were converted to CRLF, as if the file were text: \(evidence) 0x0D; copy it again as binary",
            at: .byte(first))
    }

    /// Whether the bytes end like a valid binary property list.
    private var hasSoundEnd: Bool { isBinaryPlist && Trailer.fits(bytes, endingAt: bytes.count) }

    private var isSoundWithoutReturns: Bool {
        guard isBinaryPlist else { return false }
        var restored: [UInt8] = []
        restored.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == 0x0A, restored.last == 0x0D { restored.removeLast() }
            restored.append(byte)
        }
        return Trailer.end(in: restored) != nil
    }

    private func replacedCharacters() -> Problem? {
        guard let (scalars, first) = wideScalars, scalars.replaced > 0 else { return nil }
        return Problem(
            "damage.replaced",
            "the bytes were converted as if they were UTF-8 text: EF BF BD, the replacement character, occurs "
                + "\(times(scalars.replaced)); the replaced bytes are lost",
            at: .byte(first))
    }

    private func convertedToUTF8() -> Problem? {
        guard let (scalars, first) = wideScalars, scalars.replaced == 0, scalars.other > 0 else { return nil }
        return Problem(
            "damage.utf8",
            "the file was converted from Latin-1 to UTF-8: "
                + (scalars.other == 1
                    ? "1 byte above 0x7F became two or three bytes"
                    : "\(CountText.of(scalars.other)) bytes above 0x7F became two or three bytes each"),
            at: .byte(first))
    }

    private func times(_ count: Int) -> String { count == 1 ? "once" : "\(CountText.of(count)) times" }

    /// The numbers of non-ASCII characters in binary data that is valid UTF-8, and the offset of the first.
    ///
    /// Nil for text and for other data. The last character may be cut off.
    private var wideScalars: (count: (replaced: Int, other: Int), first: Int)? {
        guard isBinary, !hasSoundEnd, hasBinaryHeader,
            let first = bytes.firstIndex(where: { $0 >= 0x80 }),
            UTF8Text.firstInvalid(in: bytes.span).map({ $0 > first && $0 > bytes.count - 4 }) ?? true
        else { return nil }
        var replaced = 0
        var wide = 0
        for position in bytes.indices where bytes[position] >= 0xC0 {
            wide += 1
            if bytes[position...].starts(with: [0xEF, 0xBF, 0xBD]) { replaced += 1 }
        }
        return ((replaced, wide - replaced), first)
    }

    /// Whether the bytes begin like a known binary format whose bytes above 0x7F were converted to characters.
    private var hasBinaryHeader: Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let headers: [[UInt8]] = [
            Array("bplist".utf8), Array("SQLite format 3".utf8), [0x1F, 0xEF, 0xBF, 0xBD, 0x08],
            [0x1F, 0xC2, 0x8B, 0x08],
            [0x78, 0xEF, 0xBF, 0xBD], [0x78, 0xC2, 0x9C], [0x78, 0xC5, 0x93], [0x78, 0xC3, 0x9A],
        ]
        return TypedStream.begins(start) || headers.contains { start.starts(with: $0) }
    }

    private func convertedToUTF16() -> Problem? {
        let little: [UInt8] = "bplist0".utf8.reduce(into: [0xFF, 0xFE]) { $0 += [$1, 0] }
        let big: [UInt8] = "bplist0".utf8.reduce(into: [0xFE, 0xFF]) { $0 += [0, $1] }
        guard bytes.starts(with: little) || bytes.starts(with: big) else { return nil }
        return Problem(
            "damage.utf16",
            "a binary property list was converted to UTF-16 text, as PowerShell's > does; copy the file as binary",
            at: .byte(0))
    }

    private func missingEnd() -> Problem? {
        guard isBinaryPlist, isAboutEnd, case .exactly(let count)? = TruncatedBinaryPlist.missing(in: bytes) else {
            return nil
        }
        return truncated("\(count == 1 ? "1 byte is" : "\(CountText.of(count)) bytes are") missing at the end")
    }

    private func brokenEnd() -> Problem? {
        guard isBinaryPlist, isAboutEnd, !Trailer(of: bytes).isLikely(in: bytes) else { return nil }
        if case .atLeast(let count)? = TruncatedBinaryPlist.missing(in: bytes) {
            return truncated("at least \(CountText.of(count)) bytes are missing at the end")
        }
        return truncated("no valid trailer in the last 32 bytes")
    }

    private func truncated(_ evidence: String) -> Problem {
        Problem("binary.truncated", "truncated: \(evidence)", at: .byte(bytes.count))
    }

    /// Whether the reader stopped at the end of the file, where the trailer should be.
    private var isAboutEnd: Bool {
        guard bytes.count >= 42, case .byte(let offset)? = problem.location else { return false }
        return offset >= bytes.count - Trailer.size && !hasSoundEnd
    }
}

// MARK: - Other files

extension UnreadableFile {
    private func gitPointer() -> Problem? {
        guard bytes.starts(with: "version https://git-lfs.github.com/spec/".utf8) else { return nil }
        let size = line { $0.starts(with: "size ".utf8) }.map {
            " (\(SafeText.quoting($0.text.dropFirst(5))) bytes)"
        }
        return Problem(
            "format.git-lfs",
            "this is a Git LFS pointer in place of the file\(size ?? ""); git lfs pull fetches it")
    }

    private func conflictMarkers() -> Problem? {
        guard !isBinary, let (number, _) = line(where: { $0.starts(with: "<<<<<<< ".utf8) }) else { return nil }
        return Problem(
            "format.conflict", "this line is a conflict marker of git; resolve the conflict first",
            at: .line(number, column: 1))
    }

    private func htmlPage() -> Problem? {
        guard !isBinary else { return nil }
        let start = prolog
        guard ["<!doctype html", "<html", "<head", "<body"].contains(where: { begins($0, at: start) }) else {
            return nil
        }
        return Problem(
            "format.html", "this is an HTML page\(title), possibly an error page instead of a download; expected a save"
        )
    }

    /// The offset after white space, processing instructions and comments.
    private var prolog: Int {
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while position < bytes.count {
            if bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) {
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

    /// Whether a lowercase text occurs at an offset, ignoring case.
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

    private func shortenedData() -> Problem? {
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

    private func printedPlist() -> Problem? {
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

    private func hexadecimalText() -> Problem? {
        guard !isBinary else { return nil }
        let digits = bytes.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        let text = digits.starts(with: "0x".utf8) ? digits[2...] : digits[...]
        guard text.count >= 16, let data = Hexadecimal.bytes(Array(text).span), let first = data.first,
            let format = Format.detected(in: data), !format.has(.text) || "{[(<".utf8.contains(first)
        else { return nil }
        let name = format.definition.article + format.definition.title
        let isLayer = LayerSearch.kind(of: bytes, decodes: true) == .hexadecimal
        return Problem(
            "format.hexadecimal",
            "this is \(name) of \(CountText.of(data.count)) bytes, written as hexadecimal digits; "
                + (isLayer ? "use --unwrap to read it" : "xxd -r -p decodes them"))
    }

    private func undecodedLayers() -> Problem? {
        // If the reader found a damaged layer, that is the cause.
        guard !["gzip", "zlib", "deflate", "wrapping"].contains(problem.kind.area) else { return nil }
        // Fewer bytes decode to something under many XOR keys.
        guard bytes.count >= Self.telling, !isBegunText else { return nil }
        return .undecodedLayers(of: bytes)
    }

    /// The minimum size in bytes of a file to search for layers.
    private static let telling = 16

    /// Whether the reader got past the first characters and these include punctuation, so that layers are unlikely.
    ///
    /// The search for layers is the most expensive of the ``causes``.
    private var isBegunText: Bool {
        guard case .line(let line, let column)? = problem.location, line > 1 || column > Self.telling else {
            return false
        }
        return bytes.prefix(Self.telling).contains { byte in
            !TextFormatScanner.isWord(Unicode.Scalar(byte)) && byte != 0x20 && !(0x09...0x0D).contains(byte)
        }
    }
}

extension Document {
    /// Returns the document, with a warning if the file is an OpenStep text of one word that decodes to a save.
    package func addingLayerWarning(for bytes: [UInt8]) -> Document {
        guard sourceFormat == .openStep, case .string = self[root],
            let problem = Problem.undecodedLayers(of: bytes, severity: .warning)
        else { return self }
        return with { $0.warnings.append(problem) }
    }
}

extension Problem {
    /// Returns a problem that names the layers that only `--unwrap` removes, or nil.
    fileprivate static func undecodedLayers(of bytes: [UInt8], severity: Severity = .error) -> Problem? {
        guard let contents = layers(of: bytes) else { return nil }
        return Problem("format.layers", "this is \(contents)", severity: severity)
    }

    /// Returns a description of the layers and the format in them, or only of the outer layers if one is damaged.
    private static func layers(of bytes: [UInt8]) -> String? {
        do throws(Problem) {
            let (contents, wrapping) = try Layers.unwrap(bytes, decodes: true)
            guard !wrapping.isEmpty else { return nil }
            guard let format = Format.detected(in: contents)?.definition else { return nil }
            return "\(wrapping.title) with \(format.article)\(format.title) in it; use --unwrap to read it"
        } catch {
            if case .within(let title, _)? = error.location {
                return "\(title), damaged inside; use --unwrap to locate the damage"
            }
            return nil
        }
    }
}
