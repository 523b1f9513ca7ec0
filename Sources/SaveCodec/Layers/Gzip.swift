/// The gzip file format (RFC 1952): a header, the deflated contents, their checksum and their size.
///
///     1F 8B 08 08 00 00 00 00 02 03   61 2E 70 6C 69 73 74 00   …   CRC-32   size
///     magic │  flags  time     │  │   the name "a.plist"
///      deflate          level ─┘  └─ system
///
/// A file may consist of several such members, whose contents are concatenated, and may end with zero bytes.
struct Gzip: Sendable, Equatable {
    /// The header of the first member as stored, with its name, time, comment and other fields.
    let header: [UInt8]
    /// The bytes after the data.
    let trailer: [UInt8]

    static func isPresent(in bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Appends the contents of gzip data to an empty array.
    ///
    /// - Parameters:
    ///   - room: The maximum byte count of the contents.
    ///   - keepsTrailer: Whether any bytes may follow the data, not only zeros.
    /// - Returns: The header and trailer of the data, and a problem for the first wrong checksum or size, if any.
    /// - Throws: The first other problem, or a problem for a wrong checksum or size before it. The array then has the
    ///   contents read so far.
    static func read(
        _ bytes: [UInt8], room: Int, keepsTrailer: Bool = false, into contents: inout [UInt8]
    ) throws(Problem) -> (form: Gzip, fault: Problem?) {
        let input = bytes.span
        var position = try headerEnd(input, at: 0)
        let header = Array(bytes[..<position])
        var hint = sizeHint(input)
        var fault: Problem?
        while true {
            let start = contents.count
            do throws(Problem) {
                position = try Inflate.read(input, at: position, after: &contents, hint: hint, room: room - start)
                do throws(Problem) {
                    try checkTrailer(input, at: position, contents.span.extracting(start...))
                } catch {
                    guard error.kind != .truncatedGzip else { throw error }
                    fault = fault ?? error
                }
                position += checksumSize
                guard let next = try nextMember(input, at: position, keepsTrailer: keepsTrailer) else { break }
                position = next
            } catch {
                throw fault ?? error
            }
            hint = 0
        }
        let trailer: [UInt8]
        do throws(Problem) {
            trailer = try FollowingBytes.read(
                bytes[position...], keepsAll: keepsTrailer, orThrow: "gzip.trailing", of: "the gzip data")
        } catch {
            throw fault ?? error
        }
        return (Gzip(header: header, trailer: trailer), fault)
    }

    /// Returns the end of the header of another member, or nil if no member follows.
    ///
    /// A checksum that a game adds may begin like a member: `1F 8B 4C 02`.
    ///
    /// - Throws: The problem of a header that is cut off or has a wrong checksum, unless any bytes may follow.
    private static func nextMember(
        _ input: Span<UInt8>, at start: Int, keepsTrailer: Bool
    ) throws(Problem) -> Int? {
        guard input.count - start >= 2, input[start] == 0x1F, input[start + 1] == 0x8B else { return nil }
        do throws(Problem) {
            return try headerEnd(input, at: start)
        } catch {
            let isMember = input.count - start < 3 || input[start + 2] == 8 && error.id != "gzip.flags"
            if isMember, !keepsTrailer { throw error }
            return nil
        }
    }

    /// Returns the form of gzip data with the header of a file and an empty trailer, or nil if the header is damaged.
    static func withHeader(of bytes: [UInt8]) -> Gzip? {
        guard let end = try? headerEnd(bytes.span, at: 0) else { return nil }
        return Gzip(header: Array(bytes[..<end]), trailer: [])
    }

    /// Returns the first bytes of the contents of a file that may be truncated.
    static func beginning(of bytes: [UInt8], _ count: Int) -> [UInt8] {
        guard let start = try? headerEnd(bytes.span, at: 0) else { return [] }
        return Inflate.beginning(of: bytes.span, at: start, count)
    }

    func write(_ contents: [UInt8]) -> [UInt8] {
        var output = ByteWriter()
        output.write(header)
        Deflate.write(contents.span, to: &output)
        for number in [CRC32.checksum(of: contents.span), UInt32(truncatingIfNeeded: contents.count)] {
            output.writeBigEndian(UInt64(number.byteSwapped), width: 4)
        }
        output.write(trailer)
        return output.takeBytes()
    }

    // MARK: Header

    /// The bits of the fourth header byte (RFC 1952 §2.3.1).
    private enum Flag {
        static let headerChecksum: UInt8 = 2
        static let extra: UInt8 = 4
        static let name: UInt8 = 8
        static let comment: UInt8 = 16
        static let reserved: UInt8 = 0xE0
    }

    static func headerEnd(_ input: Span<UInt8>, at start: Int) throws(Problem) -> Int {
        let truncated = Problem(
            "gzip.header", "truncated: the data ends within the gzip header", at: .byte(input.count))
        guard input.count - start >= 10 else { throw truncated }
        guard input[start + 2] == 8 else {
            throw Problem(
                "gzip.method", "the gzip compression method is \(input[start + 2]); expected 8 (deflate)",
                at: .byte(start + 2))
        }
        let flags = input[start + 3]
        guard flags & Flag.reserved == 0 else {
            throw Problem(
                "gzip.flags",
                "the gzip header has reserved flags: \(Hexadecimal.prefixed(flags))",
                at: .byte(start + 3))
        }
        var end = start + 10
        if flags & Flag.extra != 0 {
            guard end + 2 <= input.count else { throw truncated }
            let size: UInt16 = input.load(at: end)
            end += 2 + Int(size)
        }
        for flag in [Flag.name, Flag.comment] where flags & flag != 0 {
            while end < input.count, input[end] != 0 { end += 1 }
            end += 1
        }
        guard flags & Flag.headerChecksum != 0 else {
            guard end <= input.count else { throw truncated }
            return end
        }
        guard end + 2 <= input.count else { throw truncated }
        let stored: UInt16 = input.load(at: end)
        let computed = UInt16(truncatingIfNeeded: CRC32.checksum(of: input.extracting(start..<end)))
        guard stored == computed else {
            throw .checksum(
                "gzip.header-checksum", of: "header", stored: UInt64(stored), computed: UInt64(computed), at: end)
        }
        return end + 2
    }

    // MARK: Trailer

    /// The byte count of the two fields after the data of a member: the checksum and the size of the contents.
    private static let checksumSize = 8

    private static func checkTrailer(
        _ input: Span<UInt8>, at position: Int, _ contents: Span<UInt8>
    ) throws(Problem) {
        guard input.count - position >= checksumSize else {
            throw Problem(
                .truncatedGzip, "truncated: the data ends within the gzip trailer", at: .byte(input.count))
        }
        let (checksum, size): (UInt32, UInt32) = (input.load(at: position), input.load(at: position + 4))
        let computed = CRC32.checksum(of: contents)
        guard checksum == computed else {
            throw .checksum(
                "gzip.checksum", of: "contents", stored: UInt64(checksum), computed: UInt64(computed), at: position)
        }
        guard size == UInt32(truncatingIfNeeded: contents.count) else {
            throw Problem(
                "gzip.size",
                "the gzip contents have \(Phrase.count(contents.count, "byte")); the stored size is \(size)",
                at: .byte(position + 4))
        }
    }

    /// Returns the content size stored at the end of the file, limited to a plausible value.
    private static func sizeHint(_ input: Span<UInt8>) -> Int {
        guard input.count >= checksumSize else { return 0 }
        let size: UInt32 = input.load(at: input.count - 4)
        return min(Int(size), 32 * input.count)
    }
}

/// The zlib format (RFC 1950): a header of two bytes, the deflated contents, and their checksum.
///
///     78 9C   …   Adler-32
struct Zlib: Sendable, Equatable {
    /// The method with the window size, and the flags.
    let header: [UInt8]
    /// The bytes after the data.
    let trailer: [UInt8]
    /// Whether the data is stored as text (``ZlibText``).
    var isText = false

    /// Whether bytes begin with a valid zlib header and are not text. A text such as `x = 1` also begins like a header.
    static func isPresent(in bytes: ArraySlice<UInt8>) -> Bool {
        guard let method = bytes.first, let flags = bytes.dropFirst().first, method & 0xF == 8, method >> 4 <= 7,
            (UInt16(method) << 8 | UInt16(flags)) % 31 == 0
        else { return false }
        let start = Array(bytes.prefix(64))
        let isCharacter = { (byte: UInt8) in byte >= 0x20 && byte != 0x7F || (0x09...0x0D).contains(byte) }
        guard start.allSatisfy(isCharacter) else { return true }
        // The last character of the sample may be incomplete.
        return UTF8Text.firstInvalid(in: start.span).map { $0 <= start.count - 4 || bytes.count <= 64 } ?? false
    }

    /// Appends the contents of zlib data to an empty array.
    ///
    /// - Parameters:
    ///   - room: The maximum byte count of the contents.
    ///   - keepsTrailer: Whether any bytes may follow the data, not only zeros.
    /// - Returns: The header and trailer of the data, and a problem if the checksum is wrong.
    /// - Throws: The first other problem, or a problem for a wrong checksum before it. The array then has the contents
    ///   read so far.
    static func read(
        _ bytes: [UInt8], room: Int, keepsTrailer: Bool = false, into contents: inout [UInt8]
    ) throws(Problem) -> (form: Zlib, fault: Problem?) {
        guard ZlibText.isPresent(in: bytes) else {
            return try readData(bytes, room: room, keepsTrailer: keepsTrailer, into: &contents)
        }
        let (data, end) = ZlibText.decode(bytes[...])
        do throws(Problem) {
            var (form, fault) = try readData(data, room: room, keepsTrailer: keepsTrailer, into: &contents)
            if end < bytes.count { throw .character(at: end) }
            form.isText = true
            return (form, fault.map { ZlibText.located($0, in: bytes) })
        } catch {
            let isCut = end < bytes.count && error.kind != .unwrapped
            throw isCut ? .character(at: end) : ZlibText.located(error, in: bytes)
        }
    }

    private static func readData(
        _ bytes: [UInt8], room: Int, keepsTrailer: Bool, into contents: inout [UInt8]
    ) throws(Problem) -> (form: Zlib, fault: Problem?) {
        let input = bytes.span
        let header = Array(bytes.prefix(2))
        guard header.count == 2, header[1] & 0x20 == 0 else {
            throw Problem(
                "zlib.dictionary", "the zlib data needs a preset dictionary, which the file does not contain",
                at: .byte(1))
        }
        let position = try Inflate.read(input, at: 2, after: &contents, hint: 4 * bytes.count, room: room)
        guard input.count - position >= 4 else {
            throw Problem("zlib.truncated", "truncated: the data ends within the zlib checksum", at: .byte(input.count))
        }
        let stored: UInt32 = input.load(at: position)
        let computed = Adler32.checksum(of: contents.span)
        let fault: Problem? =
            stored.byteSwapped == computed
            ? nil
            : .checksum(
                "zlib.checksum", of: "contents", stored: UInt64(stored.byteSwapped), computed: UInt64(computed),
                at: position)
        let trailer: [UInt8]
        do throws(Problem) {
            trailer = try FollowingBytes.read(
                bytes[(position + 4)...], keepsAll: keepsTrailer, orThrow: "zlib.trailing", of: "the zlib data")
        } catch {
            throw fault ?? error
        }
        return (Zlib(header: header, trailer: trailer), fault)
    }

    /// Returns the first bytes of the contents of a file that may be truncated.
    static func beginning(of bytes: [UInt8], _ count: Int) -> [UInt8] {
        let data = ZlibText.isPresent(in: bytes) ? ZlibText.decode(bytes[...]).bytes : bytes
        return Inflate.beginning(of: data.span, at: 2, count)
    }

    func write(_ contents: [UInt8]) -> [UInt8] {
        var output = ByteWriter()
        output.write(header)
        Deflate.write(contents.span, window: 1 << (Int(header[0] >> 4) + 8), to: &output)
        output.writeBigEndian(UInt64(Adler32.checksum(of: contents.span)), width: 4)
        output.write(trailer)
        return isText ? ZlibText.encode(output.takeBytes()) : output.takeBytes()
    }
}

/// The bytes after compressed data, up to the end of a file: zeros, or anything if the size of the file's header is
/// given.
enum FollowingBytes {
    /// Returns the bytes after data.
    ///
    /// - Parameter keepsAll: Whether bytes other than zeros are allowed.
    /// - Throws: A problem with the identifier `id` if there are other bytes.
    static func read(
        _ bytes: ArraySlice<UInt8>, keepsAll: Bool, orThrow id: String, of what: String
    ) throws(Problem) -> [UInt8] {
        guard !keepsAll, let other = bytes.firstIndex(where: { $0 != 0 }) else { return Array(bytes) }
        throw Problem(
            id,
            "\(Phrase.count(bytes.endIndex - other, "byte")) after the end of \(what); expected nothing, or zeros; use "
                + "--unwrap-at 0 to keep what follows", at: .byte(other))
    }
}

extension Problem.Kind {
    fileprivate static let truncatedGzip = Problem.Kind("gzip.truncated")
}

extension Problem {
    fileprivate static func character(at offset: Int) -> Problem {
        Problem(
            "zlib.character",
            "found a character above U+00FF, or invalid UTF-8; expected zlib data stored as UTF-8 text",
            at: .byte(offset))
    }

    fileprivate static func checksum(
        _ id: String, of what: String, stored: UInt64, computed: UInt64, at offset: Int
    ) -> Problem {
        let (stored, computed) = (Hexadecimal.prefixed(stored), Hexadecimal.prefixed(computed))
        return Problem(
            id, "the stored checksum of the \(what) is \(stored); the computed one is \(computed)", at: .byte(offset))
    }
}
