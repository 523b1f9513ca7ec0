/// A header before the contents of a file. Its bytes are kept.
///
///     53 41 56 45 01 00 00 00   78 9C …
///     a header of 8 bytes       zlib data
struct FileHeader: Sendable, Equatable {
    let bytes: [UInt8]
    /// The size of the file that was read.
    let fileSize: Int
    /// The size of the contents inside all layers of that file.
    var contentsSize = 0

    /// Returns the bytes after a header.
    static func read(_ bytes: [UInt8], size: Int) throws(Problem) -> (contents: [UInt8], form: FileHeader) {
        guard size < bytes.count else {
            throw Problem(
                .header,
                "the file has \(Phrase.count(bytes.count, "byte")); expected more after a header of \(size)")
        }
        return (Array(bytes[size...]), FileHeader(bytes: Array(bytes[..<size]), fileSize: bytes.count))
    }

    /// Returns the first offset in the header at which each size is stored, and the index of the size. A stored size
    /// has four or eight bytes in either byte order. Multiples of four are preferred, because the bytes at other
    /// offsets are often parts of two numbers. Small sizes are left out, because other numbers equal them by chance.
    func fields(equalTo sizes: [Int]) -> [(offset: Int, index: Int)] {
        var fields: [(offset: Int, index: Int)] = []
        let input = bytes.span
        let offsets = bytes.indices.prefix(Self.searched)
        for offset in offsets.filter({ $0 % 4 == 0 }) + offsets.filter({ $0 % 4 != 0 }) where offset + 4 <= bytes.count
        {
            let number: UInt32 = input.load(at: offset)
            let numbers = [Int(number), Int(number.byteSwapped)]
            let found = sizes.firstIndex { $0 >= Self.smallest && numbers.contains($0) }
            if let found, !fields.contains(where: { $0.index == found }) { fields.append((offset, found)) }
        }
        return fields.sorted { $0.offset < $1.offset }
    }

    /// The smallest size that is looked for.
    private static let smallest = 24
    /// The number of bytes that are searched for sizes.
    private static let searched = 4096
}

/// Other bytes after a save without layers, such as a checksum. Its bytes are kept.
///
///     7B 22 61 22 3A 31 7D   C2 41 24 35
///     {"a":1}                a CRC-32
struct FileTrailer: Sendable, Equatable {
    let bytes: [UInt8]

    /// Returns the number of bytes after a complete save, or nil if the save takes all bytes or is not complete.
    static func size(in bytes: [UInt8], _ limits: Limits) -> Int? {
        guard let format = Format.detected(in: bytes) else { return nil }
        guard format.has(.text) || format.has(.objectTable) else { return nil }
        let end = format.has(.text) ? endOfText(in: bytes, format, limits) : endOfList(in: bytes)
        return end.map { bytes.count - $0 }
    }

    private static func endOfList(in bytes: [UInt8]) -> Int? {
        guard !Trailer.fits(bytes, endingAt: bytes.count), let end = Trailer.end(in: bytes), end < bytes.count else {
            return nil
        }
        return end
    }

    private static func endOfText(in bytes: [UInt8], _ format: Format, _ limits: Limits) -> Int? {
        guard let first = bytes.first, first < 0xFE, !bytes.prefix(4).contains(0) else { return nil }
        // Zeros, and bytes that are not UTF-8, do not belong to the text.
        var end = min((bytes.lastIndex { $0 != 0 } ?? 0) + 1, UTF8Text.firstInvalid(in: bytes.span) ?? bytes.count)
        for _ in 0..<maxTries {
            let text = Array(bytes[..<end])
            guard let stop = UnreadableFile.offsetOfProblem(in: text, format, limits) else {
                guard UnreadableFile.isFile(text, as: format, limits), end < bytes.count else { return nil }
                // The other bytes may begin with white space.
                return (text.lastIndex { !$0.isSpace } ?? 0) + 1
            }
            guard stop > 0, stop < end else { return nil }
            end = stop
        }
        return nil
    }

    private static let maxTries = 4
}

/// Deflate data (RFC 1951) without the header and the checksum of zlib or gzip.
struct RawDeflate: Sendable, Equatable {
    /// The bytes after the data.
    let trailer: [UInt8]

    /// Returns the contents of deflate data.
    ///
    /// - Parameters:
    ///   - room: The maximum byte count of the contents.
    ///   - keepsTrailer: Whether any bytes may follow the data, not only zeros.
    static func read(
        _ bytes: [UInt8], room: Int, keepsTrailer: Bool = false
    ) throws(Problem) -> (contents: [UInt8], form: RawDeflate) {
        var contents: [UInt8] = []
        let end = try Inflate.read(bytes.span, at: 0, after: &contents, hint: 4 * bytes.count, room: room)
        let trailer = try FollowingBytes.read(
            bytes[end...], keepsAll: keepsTrailer, orThrow: "deflate.trailing", of: "the deflate data")
        return (contents, RawDeflate(trailer: trailer))
    }

    func write(_ contents: [UInt8]) -> [UInt8] {
        var output = ByteWriter()
        Deflate.write(contents.span, to: &output)
        output.write(trailer)
        return output.takeBytes()
    }
}
