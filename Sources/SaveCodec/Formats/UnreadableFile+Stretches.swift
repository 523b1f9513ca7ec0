/// Changed bytes and overwritten stretches in the middle of a file.
extension UnreadableFile {
    // MARK: Binary property lists

    func changedTrailer() -> Problem? {
        guard isBinaryPlist, let fault = Trailer.fault(in: bytes) else { return nil }
        return Problem(
            "damage.byte",
            "the \(fault.name) in the trailer was changed: \(problem.message); the file is valid with \(fault.expected) instead",
            at: .byte(fault.offset))
    }

    func shiftedObjects() -> Problem? {
        guard isBinaryPlist, !hasSoundEnd, let shift = BinaryPlistShift(in: bytes) else { return nil }
        let isSurplus = shift.byteCount > 0
        let size = abs(shift.byteCount)
        let count = Phrase.count(size, "byte")
        let subject = isSurplus ? Phrase.count(size, "extra byte") : "\(count) \(Phrase.verb("is", for: size)) missing"
        let id: Problem.Kind = isSurplus ? .inserted : .missing
        guard let numbers = shift.objects else {
            return Problem(
                id,
                "\(subject) before the offset table, which begins here, \(count) \(isSurplus ? "after" : "before") the "
                    + "offset in the trailer", at: .byte(shift.offset))
        }
        return Problem(
            id,
            "\(subject) in or after \(BinaryPlistDamage.title(of: numbers)), which begin\(numbers.count > 1 ? "" : "s") "
                + "here: all later objects are \(count) \(isSurplus ? "after" : "before") their offsets",
            at: .byte(shift.offset))
    }

    func damagedObjects() -> Problem? {
        guard isBinaryPlist, let damage = BinaryPlistDamage(in: bytes) else { return nil }
        let range = damage.bytes
        if let run = longestZeros(in: range), run.count > 8, 2 * run.count >= range.count {
            return zeros(run, "; they replaced \(damage.title); \(damage.intact)")
        }
        if let (offset, header) = ForeignHeader.first(
            in: bytes, min(damage.searchStart, range.lowerBound)..<range.upperBound)
        {
            return block(header, at: offset, "; it replaced \(damage.title); \(damage.intact)")
        }
        switch damage.kind {
        case .offsets(let numbers, let expected) where numbers.count == 1:
            return changedOffset(numbers.lowerBound, at: range, expected)
        case .objects(let numbers) where numbers.count == 1:
            return changedObject(numbers.lowerBound, at: range, in: damage)
        default:
            return Problem(
                "damage.stretch",
                "\(damage.title), \(Phrase.count(range.count, "byte")) from here on, were overwritten; \(damage.intact)",
                at: .byte(range.lowerBound))
        }
    }

    private func changedOffset(_ number: Int, at range: Range<Int>, _ expected: Int) -> Problem {
        let found = bytes.bigEndian(at: range.lowerBound, width: range.count)
        let changed = range.first { position in
            let shift = UInt64(8 * (range.upperBound - 1 - position))
            return bytes[position] != UInt8(truncatingIfNeeded: UInt64(expected) >> shift)
        }
        let before = number > 0 ? "object \(number - 1) ends" : "the header ends"
        return Problem(
            "damage.byte",
            "offset table entry \(number) was changed: it is 0x\(Hexadecimal.text(found)), but \(before) at "
                + "0x\(Hexadecimal.text(UInt64(expected))), where object \(number) begins",
            at: .byte(changed ?? range.lowerBound))
    }

    private func changedObject(_ number: Int, at range: Range<Int>, in damage: BinaryPlistDamage) -> Problem {
        let isReported = problem.location == .byte(range.lowerBound)
        let next = number + 1 < damage.objectCount ? "object \(number + 1)" : "the offset table"
        let fault = isReported ? problem.message : "object \(number) does not end where \(next) begins"
        return Problem(
            "damage.byte", "object \(number) was changed here: \(fault); \(damage.intact)", at: .byte(range.lowerBound),
            address: isReported ? problem.address : nil)
    }

    func changedReference() -> Problem? {
        guard isBinaryPlist, problem.id == "binary.reference-range", let lost = LostReference(in: bytes) else {
            return nil
        }
        return Problem(
            "damage.byte",
            "a reference was changed here: \(problem.message); nothing refers to object \(lost.expected)",
            at: .byte(lost.offset), address: problem.address)
    }

    // MARK: Conversions

    /// Returns a problem if all bytes of a binary file lost their highest bit. A typedstream contains bytes above 0x7F,
    /// and so does compressed data.
    func strippedBits() -> Problem? {
        if isBinaryPlist { return Self.strippedBits(in: bytes) }
        let headers: [[UInt8]] = [[0x1F, 0x0B, 8], [0x78, 0x1C], [0x78, 0x5A]]
        guard isBinary, bytes.count >= 64, bytes.allSatisfy({ $0 < 0x80 }),
            TypedStream.begins(bytes[...]) || headers.contains(where: { bytes.starts(with: $0) })
        else { return nil }
        return Problem(
            "damage.seven-bit",
            "the highest bit of each byte is gone: none of \(CountText.of(bytes.count)) bytes is above 0x7F; copy the file again as binary"
        )
    }

    /// Returns the error for a binary property list whose bytes all lost their highest bit: no object is a container,
    /// but the first one was, since it has valid references with the bit restored. Returns nil for any other file.
    static func strippedBits(in bytes: [UInt8]) -> Problem? {
        guard bytes.count > 42, bytes.starts(with: "bplist0".utf8), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let trailer = Trailer(of: bytes)
        guard trailer.unused.allSatisfy({ $0 == 0 }), (1...8).contains(trailer.offsetSize),
            (1...8).contains(trailer.referenceSize), trailer.objectCount > 2,
            trailer.objectCount < UInt64(bytes.count)
        else { return nil }
        let table = OffsetTable(
            start: bytes.count - Trailer.size, count: Int(trailer.objectCount), offsetSize: Int(trailer.offsetSize),
            referenceSize: Int(trailer.referenceSize))
        var restored = bytes
        restored[8] |= 0x80
        guard let first = ObjectMarker.object(in: restored, at: 8, table: table), first.kind.isContainer,
            (0..<first.referenceCount).allSatisfy({ position in
                let start = first.start + position * table.referenceSize
                return 1..<trailer.objectCount ~= bytes.bigEndian(at: start, width: table.referenceSize)
            })
        else { return nil }
        return Problem(
            "damage.seven-bit",
            "the highest bit of each byte is gone: the file has \(CountText.of(Int(trailer.objectCount))) objects, but no array or dictionary; copy it again as binary"
        )
    }

    /// Returns a problem if CR became LF in a binary property list, or the reverse.
    func replacedLineEnds() -> Problem? { isBinaryPlist ? ReplacedLineEnds(in: bytes)?.problem : nil }

    // MARK: Zeros

    /// Returns the error about zeros that replaced objects of a binary property list, or nil. Such zeros read as nulls.
    static func zeros(amongNullsOf file: [UInt8], _ limits: Limits) -> Problem? {
        let found = UnreadableFile(file, .emptyDocument(), limits).damagedObjects()
        return found?.id == "damage.zeros" ? found : nil
    }

    /// Returns a problem if the header of a database is damaged.
    func damagedDatabase() -> Problem? {
        guard problem.id == "format.unknown" || problem.id == "sqlite.magic" else { return nil }
        return DamagedDatabase(in: bytes)?.problem
    }

    /// Returns a problem if the file begins with at least 8 zeros. It names the format that the rest looks like, if
    /// any.
    func zerosAtStart() -> Problem? {
        let count = bytes.prefix { $0 == 0 }.count
        guard count >= 8, ["format.unknown", "binary.magic"].contains(problem.id) else { return nil }
        let zeros = "the first \(CountText.of(count)) bytes are zero"
        if let format = Format.allCases.first(where: { $0.definition.resembles(bytes) })?.definition {
            return Problem(
                "damage.zeros", "\(zeros); the rest looks like \(format.article)\(format.title)", at: .byte(0))
        }
        return Problem(problem.kind, "\(zeros); expected \(Format.alternatives)", at: problem.location)
    }

    func zerosInside() -> Problem? {
        if problem.kind.isCompression { return zerosInCompressedData() }
        guard let offset, offset < bytes.count else { return nil }
        if SQLite.begins(bytes) {
            // A page of a table or an index begins with its kind, which is never zero.
            let size = Int(bytes.bigEndian(at: 16, width: 2))
            let run = bytes.zeros(around: offset)
            guard problem.id == "sqlite.page-kind", size >= 512, run.contains(offset / size * size + size - 1) else {
                return nil
            }
            return zeros(offset..<run.upperBound)
        }
        guard let format = Self.format(of: bytes), format.has(.text), !isWide,
            let first = bytes.firstIndex(of: 0), first <= offset + 64
        else { return nil }
        let run = bytes.zeros(around: first)
        // Zeros only count between printable characters, because other binary data may contain zeros, too.
        let neighbors = [run.lowerBound - 1, run.upperBound].filter(bytes.indices.contains)
        guard neighbors.allSatisfy({ Self.isTyped(bytes[$0]) }) else { return nil }
        return zeros(run, ", which a text does not contain")
    }

    /// Whether the text has zero bytes because its characters take two or four bytes.
    var isWide: Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0)
    }

    /// Returns a problem if there is a long run of zeros, which compressed data does not contain.
    private func zerosInCompressedData() -> Problem? {
        // The end is missing, whether or not the data before it repeat themselves and so consist of zeros.
        guard !problem.id.hasSuffix(".truncated") else { return nil }
        // The header of gzip data (10 bytes) and the checksum and size at its end (8 bytes) may contain zeros.
        guard bytes.count > 18, let run = longestZeros(in: 10..<bytes.count - 8), run.count >= 64 else { return nil }
        return zeros(run)
    }

    private func zeros(_ run: Range<Int>, _ evidence: String = "") -> Problem {
        let count = run.count == 1 ? "this byte is" : "\(CountText.of(run.count)) bytes from here on are"
        return Problem("damage.zeros", "\(count) zero\(evidence)", at: .byte(run.lowerBound))
    }

    private func longestZeros(in range: Range<Int>) -> Range<Int>? {
        var longest: Range<Int>?
        var position = range.lowerBound
        while let start = bytes[position..<range.upperBound].firstIndex(of: 0) {
            position = bytes[start..<range.upperBound].firstIndex { $0 != 0 } ?? range.upperBound
            if position - start > longest?.count ?? 0 { longest = start..<position }
        }
        return longest
    }

    // MARK: Blocks

    /// Returns a problem if another file begins shortly before the location where the reader stopped.
    func foreignBlock() -> Problem? {
        guard let offset, !isBinaryPlist, !SQLite.begins(bytes), !problem.id.hasSuffix(".trailing") else { return nil }
        let range = max(1, offset - 256)..<max(1, min(offset + 16, bytes.count))
        // A text may quote the beginning of an HTML page.
        guard let (start, header) = ForeignHeader.first(in: bytes, range), !header.isPage,
            bytes[..<start].contains(where: { $0 > 0x20 && $0 < 0x80 })
        else { return nil }
        return block(header, at: start)
    }

    private func block(_ header: ForeignHeader, at offset: Int, _ evidence: String = "") -> Problem {
        Problem(
            "damage.block",
            "a block of another file, the beginning of \(header.title), is in the middle of this one\(evidence)",
            at: .byte(offset))
    }

    /// Returns a problem if binary data, not just text in another encoding, is in the middle of a text.
    func binaryInText() -> Problem? {
        guard ["text.utf8", "json.encoding"].contains(problem.id), let offset, offset < bytes.count,
            bytes[offset] >= 0x80, Self.format(of: bytes)?.has(.text) ?? false
        else { return nil }
        var (end, count, controls) = (offset, 0, 0)
        for position in offset..<bytes.count where bytes[position] >= 0x80 || Self.isControl(bytes[position]) {
            guard position - end < 16 else { break }
            end = position + 1
            count += 1
            if Self.isControl(bytes[position]) || bytes[position] == 0xFF { controls += 1 }
        }
        guard count >= 8, controls >= 4 else { return nil }
        return Problem(
            "damage.stretch",
            "\(CountText.of(end - offset)) bytes from here on are binary data in the middle of a text",
            at: .byte(offset))
    }

    // MARK: Old encodings

    /// Returns the reader's problem, with a command that converts the text, if the text is in an encoding with one byte
    /// per character: no other character is UTF-8, and with letters in place of the bytes the text is valid.
    func oldEncoding() -> Problem? {
        guard ["text.utf8", "json.encoding"].contains(problem.id), !isBinary,
            let offset = UTF8Text.firstInvalid(in: bytes.span)
        else { return nil }
        let letter = UInt8(ascii: "x")
        var text = bytes
        var (count, hasControls, previous) = (0, false, letter)
        for (position, byte) in bytes.enumerated() {
            if byte >= 0x80 {
                // Longer characters need further bytes, which rarely follow by chance.
                if (0xC2..<0xE0).contains(previous), byte < 0xC0 { return nil }
                text[position] = letter
                count += 1
                if byte < 0xA0 { hasControls = true }
            }
            previous = byte
        }
        guard let format = Self.format(of: text), format.has(.text), isComplete(text, as: format) else { return nil }
        // Latin-1 has control characters where the others have letters and quotation marks.
        let encoding = !hasControls ? "latin1" : format == .openStep ? "macintosh" : "windows-1252"
        // Windows-1252 does not define these bytes, so the text is in another encoding.
        let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
        guard encoding != "windows-1252" || !bytes.contains(where: undefined.contains) else { return nil }
        let byte = bytes[offset]
        // Texts in this encoding are rare, so a single byte proves nothing.
        if count == 1, encoding == "macintosh" { return nil }
        let isFlipped = count == 1 && Self.isTyped(byte ^ 0x80)
        return Problem(
            problem.kind,
            "the byte \(Self.named(byte)) is not UTF-8: the text is probably in an old encoding; "
                + "convert it with iconv -f \(encoding) -t utf-8, or if the file is only this text, "
                + "read it with --filter-in 'iconv -f \(encoding) -t utf-8' and write it with --filter-out 'iconv -f utf-8 -t \(encoding)'"
                + (isFlipped ? "; or one bit of the byte \(Self.named(byte ^ 0x80)) was changed" : ""),
            at: problem.location)
    }

    // MARK: Changed characters

    /// The maximum byte count of a text that is searched for changed bits, because each try reads the text again.
    private static let mostTried = 1 << 18

    /// A byte of a text, and the values that make the text valid if they replace it. Each differs in one bit.
    struct ChangedByte {
        let offset: Int
        let values: [UInt8]
    }

    /// Returns a problem if the text becomes valid by flipping a bit in one byte near the reader's error, and in no
    /// other byte.
    func changedCharacter() -> Problem? {
        guard let found = changedByte() else { return nil }
        // A control character in a JSON string that may stand for several letters was rather stored by a program.
        if problem.id == "json.string", found.values.count > 1 { return nil }
        let value = bytes[found.offset]
        let instead =
            found.values.count == 1
            ? Self.named(found.values[0]) + " in its place" : "another character in its place"
        return Problem(
            "damage.byte",
            "one bit of the byte \(Self.named(value)) was changed: the file is valid with \(instead)",
            at: .byte(found.offset))
    }

    /// Returns the only byte near the reader's error that can make the text valid by a flipped bit, or nil.
    ///
    /// In XML, any byte near the error is tried, as markup leaves little choice. In other texts, only control
    /// characters and non-ASCII bytes are tried, because most wrong printable characters were typed by people.
    func changedByte() -> ChangedByte? {
        guard bytes.count <= Self.mostTried, let offset, offset < bytes.count, let format = Self.format(of: bytes),
            format.has(.text)
        else {
            return nil
        }
        let near = max(offset - 1, 0)..<min(offset + 12, bytes.count)
        let isMarkup = format.has(.markup) && ["xml.element", "xml.end", "xml.text"].contains(problem.id)
        var found: ChangedByte?
        var changed = bytes
        for position in near where isMarkup || !Self.isTyped(bytes[position]) {
            var values: [UInt8] = []
            for bit in 0..<8 {
                changed[position] = bytes[position] ^ 1 << UInt8(bit)
                guard Self.isTyped(changed[position]), isComplete(changed, as: format) else { continue }
                values.append(changed[position])
            }
            changed[position] = bytes[position]
            guard !values.isEmpty else { continue }
            guard found == nil else { return nil }
            found = ChangedByte(offset: position, values: values)
        }
        return found
    }

    /// Returns a byte with its character, such as `0x72 (r)`.
    static func named(_ byte: UInt8) -> String {
        let number = "0x" + Hexadecimal.text(UInt64(byte))
        return (0x21..<0x7F).contains(byte) ? "\(number) (\(Unicode.Scalar(byte)))" : number
    }

    private static func isTyped(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) || [0x09, 0x0A, 0x0D].contains(byte)
    }
}

extension [UInt8] {
    /// Returns the range of the zero bytes around an offset, which is empty if the byte there is not zero.
    fileprivate func zeros(around offset: Int) -> Range<Int> {
        let start = self[..<offset].lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let end = self[offset...].firstIndex { $0 != 0 } ?? count
        return Swift.min(start, end)..<end
    }
}

// MARK: - Headers

/// The first bytes of a kind of file. They are so characteristic that they do not occur in other files by chance.
struct ForeignHeader {
    /// The kind of the file, with its article.
    let title: String
    /// Whether the file is a save.
    let isOfSave: Bool
    /// Whether the file is an HTML page.
    var isPage: Bool { title == "an HTML page" }
    private let bytes: [UInt8]

    private init(_ title: String, _ bytes: [UInt8], isOfSave: Bool = false) {
        (self.title, self.bytes, self.isOfSave) = (title, bytes, isOfSave)
    }

    private static let all = [
        ForeignHeader("a binary property list", Array("bplist00".utf8), isOfSave: true),
        ForeignHeader("an SQLite database", Array("SQLite format 3\0".utf8), isOfSave: true),
        ForeignHeader("a typedstream", [0x04, 0x0B] + Array("streamtyped".utf8), isOfSave: true),
        ForeignHeader("a typedstream", [0x04, 0x0B] + Array("typedstream".utf8), isOfSave: true),
        ForeignHeader("an XML document", Array("<?xml version=\"".utf8), isOfSave: true),
        ForeignHeader("an HTML page", Array("<!DOCTYPE html".utf8)),
        ForeignHeader("an HTML page", Array("<!doctype html".utf8)),
        ForeignHeader("an HTML page", Array("<html".utf8)),
        ForeignHeader("a PNG image", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ForeignHeader("a JPEG image", [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10, 0x4A, 0x46, 0x49, 0x46]),
        ForeignHeader("a JPEG image", [0xFF, 0xD8, 0xFF, 0xE1]),
        ForeignHeader("a GIF image", Array("GIF89a".utf8)),
        ForeignHeader("a PDF document", Array("%PDF-1.".utf8)),
        ForeignHeader("a zip archive", [0x50, 0x4B, 0x03, 0x04, 0x14, 0x00]),
        ForeignHeader("an ELF program", [0x7F, 0x45, 0x4C, 0x46, 0x02, 0x01, 0x01, 0x00]),
    ]

    /// Returns the header at an offset, or nil.
    static func at(_ offset: Int, in bytes: [UInt8]) -> ForeignHeader? {
        guard offset < bytes.count else { return nil }
        return all.first { $0.bytes[0] == bytes[offset] && bytes[offset...].starts(with: $0.bytes) }
    }

    /// The first bytes of other kinds of files, too short or too common to be found in the middle of a file, and their
    /// offset.
    private static let beginnings: [(title: String, offset: Int, bytes: [UInt8])] =
        [("a JPEG image", 0, [0xFF, 0xD8, 0xFF]), ("a program", 0, [0x4D, 0x5A, 0x90, 0x00])]
        + [
            ("a PDF document", 0, "%PDF-"), ("a GIF image", 0, "GIF8"), ("a 7-Zip archive", 0, "7z\u{BC}\u{AF}'\u{1C}"),
            ("a RAR archive", 0, "Rar!\u{1A}\u{7}"), ("an image (HEIC)", 4, "ftyphei"),
            ("an image (HEIC)", 4, "ftypmif1"), ("an image (AVIF)", 4, "ftypavif"),
            ("a video or sound (MP4)", 4, "ftyp"),
            ("an MP3 file", 0, "ID3"), ("a sound (Ogg)", 0, "OggS"), ("a sound (WAVE)", 8, "WAVEfmt"),
            ("an image (WebP)", 8, "WEBPVP8"), ("a TIFF image", 0, "II*\0"), ("a TIFF image", 0, "MM\0*"),
            ("a cabinet of files (CAB)", 0, "MSCF\0"), ("a document (OLE)", 0, "\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}"),
        ].map { ($0, $1, $2.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) }

    /// Returns the kind of a file other than a save, with its article, or nil.
    static func otherFile(_ bytes: [UInt8]) -> String? {
        if let header = at(0, in: bytes), !header.isOfSave, !header.isPage { return header.title }
        return beginnings.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.title
    }

    private static let firstBytes = all.reduce(into: Bitmap(count: 256)) { $0.insert(Int($1.bytes[0])) }

    /// Returns the first header in a range of offsets, or nil. With `isOfSave`, only headers of saves count.
    static func first(
        in bytes: [UInt8], _ range: Range<Int>, isOfSave: Bool = false
    ) -> (offset: Int, header: ForeignHeader)? {
        for offset in range where firstBytes.contains(Int(bytes[offset])) {
            if let header = at(offset, in: bytes), header.isOfSave || !isOfSave { return (offset, header) }
        }
        return nil
    }
}

extension Problem.Kind {
    fileprivate static let inserted = Problem.Kind("damage.inserted")
    fileprivate static let missing = Problem.Kind("damage.missing")
}
