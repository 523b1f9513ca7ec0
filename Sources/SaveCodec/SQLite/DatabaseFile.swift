/// The pages of a database and the properties in its header (<doc:SQLiteFormat>).
///
///     53 51 4C 69 74 65 20 66 6F 72 6D 61 74 20 33 00    "SQLite format 3\0"
///     10 00                                              pages of 4096 bytes; 00 01 for 65536
///     01 01                                              versions for writing and for reading: 1, or 2 with a log
///     00                                                 bytes at the end of each page that are not used
///     …                                                  at 28 the number of pages, at 56 the encoding of text
struct DatabaseFile {
    let bytes: [UInt8]
    /// The size of a page in bytes.
    let pageSize: Int
    /// The count of used bytes per page.
    let usableSize: Int
    /// The number of complete pages.
    let pageCount: Int
    let encoding: DatabaseEncoding

    static let headerSize = 100

    /// - Parameter isWhole: Whether the file must contain as many pages as its header states.
    init(_ bytes: [UInt8], isWhole: Bool) throws(Problem) {
        guard SQLite.begins(bytes) else {
            throw Problem("sqlite.magic", "the file does not start with \"SQLite format 3\"", at: .byte(0))
        }
        guard bytes.count >= Self.headerSize else {
            throw Problem(
                "sqlite.length",
                "truncated: the file has \(Phrase.count(bytes.count, "byte")); the header alone has 100",
                at: .byte(bytes.count))
        }
        self.bytes = bytes
        pageSize = try Self.pageSize(in: bytes)
        usableSize = pageSize - Int(bytes[20])
        guard usableSize >= 480 else {
            throw Problem(
                "sqlite.reserved",
                "\(bytes[20]) bytes of each page are reserved, which leaves \(usableSize); expected at least 480",
                at: .byte(20))
        }
        guard bytes[19] <= 2 else {
            throw Problem(
                "sqlite.version", "the read version is \(bytes[19]); expected 1 or 2", at: .byte(19))
        }
        let format = bytes.bigEndian(at: 44, width: 4)
        guard format <= 4 else {
            throw Problem("sqlite.version", "the schema format is \(format); expected 1 to 4", at: .byte(44))
        }
        let encoding = bytes.bigEndian(at: 56, width: 4)
        guard let encoding = encoding == 0 ? .utf8 : DatabaseEncoding(rawValue: encoding) else {
            throw Problem("sqlite.encoding", "the text encoding is \(encoding); expected 1 to 3", at: .byte(56))
        }
        self.encoding = encoding
        pageCount = bytes.count / pageSize
        if isWhole { try checkPageCount() }
    }

    private static func pageSize(in bytes: [UInt8]) throws(Problem) -> Int {
        let stored = Int(bytes.bigEndian(at: 16, width: 2))
        let size = stored == 1 ? 65536 : stored
        guard size >= 512, size.nonzeroBitCount == 1 else {
            throw Problem(
                "sqlite.page-size", "the page size is \(stored); expected a power of two from 512 to 32768, or 1",
                at: .byte(16))
        }
        return size
    }

    /// Throws a problem if the file has fewer pages than its header states. The stated count is valid only if the last
    /// program to change the file updated it: then the change counter equals the version-valid-for number at offset 92.
    private func checkPageCount() throws(Problem) {
        let counted = Int(bytes.bigEndian(at: 28, width: 4))
        let isCountValid = bytes.bigEndian(at: 24, width: 4) == bytes.bigEndian(at: 92, width: 4)
        let expected = isCountValid ? max(counted, 1) : 1
        guard pageCount < expected else { return }
        throw Problem(
            "sqlite.length",
            "truncated: the header states \(Phrase.count(expected, "page")) of \(Phrase.count(pageSize, "byte")); "
                + "the file has \(Phrase.count(bytes.count, "byte")), so "
                + Phrase.count(expected * pageSize - bytes.count, "byte", "is") + " missing",
            at: .byte(bytes.count))
    }

    /// The warning about bytes after the last complete page, which SQLite ignores; nil without such bytes.
    var trailingBytes: Problem? {
        let end = pageCount * pageSize
        let count = bytes.count - end
        return count == 0
            ? nil
            : Problem(
                "sqlite.trailing",
                "\(Phrase.count(count, "byte", "follows")) the last complete page; SQLite ignores the rest",
                severity: .warning, at: .byte(end))
    }

    func page(at offset: Int) -> Int { offset / pageSize + 1 }

    func start(ofPage number: Int) -> Int { (number - 1) * pageSize }

    /// Reads the variable-length integer at an offset and moves the offset past it; nil if it does not end before
    /// `end`.
    ///
    /// Each byte contributes seven bits, and its top bit is set if another byte follows. A ninth byte contributes eight
    /// bits.
    @inline(__always)
    static func varint(in bytes: [UInt8], at offset: inout Int, before end: Int) -> Int64? {
        guard offset < end else { return nil }
        let first = bytes[offset]
        offset += 1
        if first < 0x80 { return Int64(first) }
        return longVarint(in: bytes, after: first, at: &offset, before: end)
    }

    private static func longVarint(
        in bytes: [UInt8], after first: UInt8, at offset: inout Int, before end: Int
    ) -> Int64? {
        var value = UInt64(first & 0x7F)
        for position in 1...8 {
            guard offset < end else { return nil }
            let byte = bytes[offset]
            offset += 1
            if position == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: value)
    }
}

/// The text encoding of a database. The raw values are those in the header.
package enum DatabaseEncoding: UInt64, Sendable {
    case utf8 = 1
    case utf16LittleEndian = 2
    case utf16BigEndian = 3

    /// Returns a text as UTF-16 code units. An incomplete code unit at the end of UTF-16 text is ignored.
    func units(of text: Span<UInt8>) -> [UInt16] {
        if self == .utf8 { return Array(String(decoding: utf8(of: text), as: UTF8.self).utf16) }
        var units: [UInt16] = []
        units.reserveCapacity(text.count / 2)
        for position in stride(from: 0, to: text.count - 1, by: 2) {
            let unit: UInt16 = text.load(at: position)
            units.append(self == .utf16BigEndian ? unit.byteSwapped : unit)
        }
        return units
    }

    /// Returns the bytes of a text. The encoding must be one of UTF-16.
    func bytes(of units: [UInt16]) -> [UInt8] {
        units.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return self == .utf16BigEndian ? bytes : bytes.reversed()
        }
    }

    /// Returns a text as UTF-8, with U+FFFD for invalid characters.
    func utf8(of text: Span<UInt8>) -> [UInt8] {
        switch self {
        case .utf8:
            var bytes: [UInt8] = []
            for position in text.indices { bytes.append(text[position]) }
            return UTF8Text.firstInvalid(in: text) == nil ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
        case .utf16LittleEndian, .utf16BigEndian:
            return Array(String(decoding: units(of: text), as: UTF16.self).utf8)
        }
    }
}
