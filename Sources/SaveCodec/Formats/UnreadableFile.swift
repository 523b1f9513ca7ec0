extension Problem {
    /// Returns the cause of the damage if the bytes prove one, or else the problem itself.
    ///
    /// The cause is the first of ``UnreadableFile/causes`` with evidence. Called only after a reader has refused the
    /// bytes, so valid files do not pay for it. The time is linear, but some causes read the bytes several times.
    ///
    /// - Parameter limits: The limits for the bytes. Contents far larger than their file are not searched for a cause.
    package func diagnosed(in bytes: [UInt8], _ limits: Limits) -> Problem {
        guard isOpenToDiagnosis, bytes.count <= limits.maxDiagnosedByteCount(of: bytes.count) else { return self }
        let file = UnreadableFile(bytes, self, limits)
        for cause in UnreadableFile.causes {
            if let problem = cause(file)() { return problem }
        }
        return self
    }

    /// Whether a cause may still be found. False for exceeded limits and for problems that already name the cause.
    private var isOpenToDiagnosis: Bool {
        switch kind.area {
        case .limit, .damage: false
        case .format: kind.id == "format.unknown" || kind.id == "format.comments"
        default: kind.id != "binary.trailing" && kind.id != "binary.truncated"
        }
    }
}

/// A file that a reader refused, and the causes that its bytes can prove:
///
///     00 00 00 00 …                            lost by the disk              damage.blank
///     … 62 0D 0A 63 …   no 0A without 0D        copied as text                damage.line-ends
///     … 00 00 00 00 …   objects begin here      overwritten with zeros        damage.zeros
///     … EF 01 …         all but one object fit  a changed byte                damage.byte
///     63 61 66 E9       valid as Latin-1        saved in an old encoding      text.utf8
///     {"a":1}{"a":2}    each is valid           two files in one              damage.second-file
///     62 70 … EF BF BD …   valid UTF-8          binary data read as text      damage.replaced
///     version https://git-lfs…                 never fetched                 format.git-lfs
struct UnreadableFile {
    let bytes: [UInt8]
    let problem: Problem
    /// The limits for the bytes, and for what they become without their damage.
    let limits: Limits
    /// Whether the bytes contain control characters and so are not text.
    let isBinary: Bool
    let isBinaryPlist: Bool

    init(_ bytes: [UInt8], _ problem: Problem, _ limits: Limits) {
        (self.bytes, self.problem, self.limits) = (bytes, problem, limits)
        isBinary = bytes.contains(where: Self.isControl)
        isBinaryPlist = bytes.starts(with: "bplist0".utf8)
    }

    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && !(0x09...0x0D).contains(byte) }

    /// The recognized causes. The first one with evidence is reported.
    static var causes: [(UnreadableFile) -> () -> Problem?] {
        [
            blank, missingBeginning, rewrittenText, damagedDatabase, appendedBytes, zerosAtEnd, overwritten, missingEnd,
            convertedLineEnds, replacedCharacters, convertedToUTF8, convertedToUTF16, strippedBits, replacedLineEnds,
            brokenEnd, changedTrailer, shiftedObjects, damagedObjects, changedReference, gitPointer, conflictMarkers,
            htmlPage, interfaceDocument, otherMarkup, lzString, shortenedData, printedPlist, completeBefore,
            precedingBytes, foreignBlock, binaryInText, zerosInside, oldEncoding, changedCharacter, wrongChecksum,
            zerosAtStart, hexadecimalText, undecodedLayers,
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

    private func zerosAtEnd() -> Problem? {
        // The pages of a database may end with unused space.
        // Zeros are no damage in a file of an unknown format.
        guard problem.id != "format.unknown", !SQLite.begins(bytes), let last = bytes.lastIndex(where: { $0 != 0 }),
            last > 3
        else { return nil }
        let count = bytes.count - 1 - last
        // A valid trailer that is cut off anywhere ends with fewer zeros, and UTF-8 text contains none.
        let mostWithoutDamage = isBinaryPlist || bytes[..<last].contains(where: Self.isControl) ? Trailer.size : 0
        guard count > mostWithoutDamage || hasZerosInTrailer(count) else { return nil }
        let zeros = count == 1 ? "byte is" : "\(CountText.of(count)) of \(CountText.of(bytes.count)) bytes are"
        return Problem("damage.zeros", "the last \(zeros) zero", at: .byte(last + 1))
    }

    /// Whether zeros overwrote the trailer of a binary property list that still has its whole length. An intact trailer
    /// does not end with eight zeros, because its last field is the offset of the table.
    private func hasZerosInTrailer(_ count: Int) -> Bool {
        isBinaryPlist && count >= 8 && ObjectSequence.proved(in: bytes)?.sizeOfFile == bytes.count
    }

    private func convertedLineEnds() -> Problem? {
        guard isBinary, !hasSoundEnd else { return nil }
        let lines = LineFeeds(of: bytes)
        let feeds = lines.feeds.count
        guard lines.areConverted, let first = lines.feeds.first else { return nil }
        // A few line ends may belong to text in the file, unless the file is valid without the carriage returns.
        guard feeds > 7 || isSound(lines.bytes) else { return nil }
        let evidence =
            feeds == 1 ? "the only 0x0A byte follows" : "every 0x0A byte (\(CountText.of(feeds))) follows"
        return Problem(
            "damage.line-ends",
            "line ends were converted to CRLF, as if the file were text: \(evidence) 0x0D; copy it again as binary",
            at: .byte(first))
    }

    /// Whether the bytes end like a valid binary property list.
    var hasSoundEnd: Bool { isBinaryPlist && Trailer.fits(bytes, endingAt: bytes.count) }

    private func isSound(_ restored: [UInt8]) -> Bool {
        if isBinaryPlist { return Trailer.end(in: restored) != nil }
        // A checksum or a page count proves the other formats.
        if let contents = try? Layers.unwrap(restored, limits: limits), !contents.layers.isEmpty { return true }
        return Self.format(of: restored).map { (!$0.has(.text) || isWide) && isComplete(restored, as: $0) } ?? false
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

    /// The number of U+FFFD characters and the number of other non-ASCII characters in binary data that is valid UTF-8,
    /// and the offset of the first of them.
    ///
    /// Nil for text, for binary data of an unknown format, and for data that is not valid UTF-8. The last character may
    /// be cut off.
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
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        let units = stride(from: 2, to: min(bytes.count - 1, 66), by: 2)
        guard units.allSatisfy({ bytes[isLittle ? $0 + 1 : $0] == 0 }) || isWidePlist(isLittle) else { return nil }
        let start = units.map { bytes[isLittle ? $0 : $0 + 1] }
        guard let title = Self.binaryTitle(of: start) else { return nil }
        return Problem(
            "damage.utf16",
            "\(title) was converted to UTF-16 text, for example by > in PowerShell; copy the file as binary",
            at: .byte(0))
    }

    /// Returns the name of the binary format whose files begin like these bytes, or nil.
    private static func binaryTitle(of start: [UInt8]) -> String? {
        if Layers.areCompressed(start[...]) { return "compressed data" }
        guard let format = Format.detected(in: start), !format.has(.text) else { return nil }
        return format.definition.article + format.definition.title
    }

    /// Whether the header of a binary property list in UTF-16 follows the byte order mark.
    private func isWidePlist(_ isLittle: Bool) -> Bool {
        let header: [UInt8] = "bplist0".utf8.reduce(into: []) { $0 += isLittle ? [$1, 0] : [0, $1] }
        return bytes[2...].starts(with: header)
    }

    private func missingEnd() -> Problem? {
        guard isBinaryPlist, isAboutEnd, case .exactly(let count)? = ObjectSequence.missing(in: bytes) else {
            return nil
        }
        return truncated("\(Phrase.count(count, "byte", "is")) missing at the end")
    }

    private func brokenEnd() -> Problem? {
        guard isBinaryPlist, isAboutEnd, !Trailer(of: bytes).isLikely(in: bytes) else { return nil }
        if case .atLeast(let count)? = ObjectSequence.missing(in: bytes) {
            return truncated("at least \(CountText.of(count)) bytes are missing at the end")
        }
        return truncated("no valid trailer in the last 32 bytes")
    }

    func truncated(_ evidence: String) -> Problem {
        Problem("binary.truncated", "truncated: \(evidence)", at: .byte(bytes.count))
    }

    /// Whether the reader stopped at the end of the file, where the trailer should be.
    private var isAboutEnd: Bool {
        guard bytes.count >= 42, case .byte(let offset)? = problem.location else { return false }
        return offset >= bytes.count - Trailer.size && !hasSoundEnd
    }
}

extension Document {
    /// Returns the document, with a warning if the file is an OpenStep text of one word that decodes to a save, or if
    /// the file stands for another one.
    package func addingLayerWarning(for bytes: [UInt8], _ limits: Limits) -> Document {
        guard let problem = cloudPlaceholder ?? layerWarning(for: bytes, limits) ?? Problem.misreadText(bytes, self)
        else {
            return self
        }
        return with { $0.warnings.append(problem) }
    }

    private func layerWarning(for bytes: [UInt8], _ limits: Limits) -> Problem? {
        guard sourceFormat == .openStep || sourceFormat == .gnustep,
            bytes.count <= limits.maxDiagnosedByteCount(of: bytes.count), case .string = self[root]
        else { return nil }
        return Problem.lzString(in: bytes, severity: .warning)
            ?? (sourceFormat == .openStep ? Problem.undecodedLayers(of: bytes, severity: .warning) : nil)
    }

    /// A warning if the file is the placeholder that iCloud keeps for a file that it has not downloaded.
    private var cloudPlaceholder: Problem? {
        guard sourceFormat == .binary, case let dictionary = object(root), dictionary.kind == .dictionary,
            dictionary.count == 3
        else { return nil }
        let keys = ["NSURLNameKey", "NSURLFileSizeKey", "NSURLFileResourceTypeKey"]
        guard keys.allSatisfy({ self[$0] != nil }) else { return nil }
        return Problem(
            "format.icloud",
            "this is a placeholder of iCloud; the file itself has not been downloaded to this computer",
            severity: .warning)
    }
}

extension Problem {
    /// Returns a problem that names the layers that only `--unwrap` removes, or nil.
    static func undecodedLayers(of bytes: [UInt8], severity: Severity = .error) -> Problem? {
        guard let contents = layers(of: bytes) else { return nil }
        return Problem("format.layers", "this is \(contents)", severity: severity)
    }

    /// Returns a problem if a text is probably JSON compressed by LZString, or nil.
    static func lzString(in bytes: [UInt8], severity: Severity = .error) -> Problem? {
        guard LZString.isPresent(in: bytes) else { return nil }
        return Problem(
            "format.lz-string",
            "this is probably JSON compressed by LZString, such as a save of RPG Maker MV; decompress it first "
                + "(LZString.decompressFromBase64)", severity: severity)
    }

    /// Returns a description of the layers and the format in them, or only of the outer layers if one is damaged.
    private static func layers(of bytes: [UInt8]) -> String? {
        do throws(Problem) {
            let (contents, layers) = try Layers.unwrap(bytes, decodes: true)
            guard !layers.isEmpty else { return nil }
            guard let format = Format.detected(in: contents)?.definition else { return nil }
            return "\(layers.title) with \(format.article)\(format.title) in it; use --unwrap to read it"
        } catch {
            if case .within(let title, _)? = error.location {
                return "\(title), damaged inside; use --unwrap to locate the damage"
            }
            return nil
        }
    }
}
