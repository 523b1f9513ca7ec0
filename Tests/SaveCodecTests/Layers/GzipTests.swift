import TestSupport
import Testing

@testable import SaveCodec

/// The headers, checksums and trailing bytes of gzip and zlib are checked and kept.
@Suite struct GzipTests {
    /// Returns a gzip file around a deflate stream of `contents`.
    static func file(
        _ deflate: [UInt8], of contents: [UInt8], header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    ) -> [UInt8] {
        let numbers = [CRC32.checksum(of: contents.span), UInt32(contents.count)]
        return header + deflate
            + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    private static let abc: [UInt8] = [0x4B, 0x4C, 0x4A, 0x06, 0x00]
    private static let plain = file(abc, of: Array("abc".utf8))

    /// Returns a header with a time and, as `flags` says, extra bytes, a name, a comment and a checksum.
    private static func header(_ flags: UInt8) -> [UInt8] {
        var header: [UInt8] = [0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 2, 255]
        if flags & 4 != 0 { header += [3, 0, 9, 0, 9] }
        if flags & 8 != 0 { header += "a.plist\0".utf8 }
        if flags & 16 != 0 { header += "by hand\0".utf8 }
        if flags & 2 != 0 {
            let checksum = CRC32.checksum(of: header.span)
            header += [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)]
        }
        return header
    }

    @Test(arguments: 0...31 as ClosedRange<UInt8>)
    func keepsHeader(_ flags: UInt8) throws {
        let file = Self.file(Self.abc, of: Array("abc".utf8), header: Self.header(flags))
        let (contents, form) = try Gzip.read(file, room: 100)
        #expect(contents == Array("abc".utf8))
        let other = form.write(Array("abcd".utf8))
        #expect(other.starts(with: Self.header(flags)))
        #expect(try Gzip.read(other, room: 100).contents == Array("abcd".utf8))
        for count in 2..<file.count {
            let problem = #expect(throws: Problem.self) { try Gzip.read(Array(file[..<count]), room: 100) }
            #expect(problem?.location == .byte(count))
            #expect(["gzip.header", "deflate.truncated", "gzip.truncated"].contains(problem?.id), "\(count)")
        }
    }

    @Test func joinsMembersAndKeepsTrailingZeros() throws {
        let file = Self.plain + Self.file([3, 0], of: []) + Self.plain + [0, 0, 0]
        let (contents, form) = try Gzip.read(file, room: 100)
        #expect(contents == Array("abcabc".utf8))
        #expect(form.write(contents).suffix(3) == [0, 0, 0])
        #expect(try Gzip.read(form.write([]), room: 100).contents == [])
    }

    private static func changed(_ offset: Int, to byte: UInt8) -> [UInt8] {
        var file = plain
        file[offset] = byte
        return file
    }

    static let faults: [(file: [UInt8], id: String, byte: Int, message: String)] = [
        ([0x1F, 0x8B], "gzip.header", 2, "truncated: the data ends within the gzip header"),
        (
            changed(2, to: 7), "gzip.method", 2,
            "the gzip compression method is 7; expected 8 (deflate)"
        ),
        (
            changed(3, to: 0xE0), "gzip.flags", 3,
            "the gzip header has reserved flags: 0xE0"
        ),
        (
            Array(header(2).dropLast(2)) + [1, 2] + plain.dropFirst(10), "gzip.header-checksum", 10,
            "the stored checksum of the header is 0x201; the computed one is 0x2CE5"
        ),
        (
            changed(15, to: 0), "gzip.checksum", 15,
            "the stored checksum of the contents is 0x35244100; the computed one is 0x352441C2"
        ),
        (changed(19, to: 4), "gzip.size", 19, "the gzip contents have 3 bytes; the stored size is 4"),
        (
            plain + [0, 0, 7], "gzip.trailing", 25,
            "1 byte after the end of the gzip data; expected nothing, or zeros; use --unwrap-at 0 to keep what follows"
        ),
        (
            plain + [0x1F, 0x8B, 9, 0, 0, 0, 0, 0, 0, 0], "gzip.trailing", 23,
            "10 bytes after the end of the gzip data; expected nothing, or zeros; use --unwrap-at 0 to keep what follows"
        ),
        (
            plain + [0x1F, 0x8B, 8, 0], "gzip.header", 27,
            "truncated: the data ends within the gzip header"
        ),
        (
            plain + Self.plain.dropLast(), "gzip.truncated", 45,
            "truncated: the data ends within the gzip trailer"
        ),
    ]

    @Test(arguments: faults.indices)
    func refuses(_ row: Int) {
        let (file, id, byte, message) = Self.faults[row]
        let problem = #expect(throws: Problem.self) { try Gzip.read(file, room: 100) }
        #expect(problem == Problem(id, message, at: .byte(byte)))
    }

    /// A checksum after the data may begin like a member.
    @Test(arguments: [[0x1F, 0x8B], [0x1F, 0x8B, 8, 0], [0x1F, 0x8B, 7] + [UInt8](repeating: 9, count: 20)])
    func keepsWhatIsNoMember(_ rest: [UInt8]) throws {
        let (contents, form) = try Gzip.read(Self.plain + rest, room: 100, keepsTrailer: true)
        #expect(contents == Array("abc".utf8))
        #expect(form.trailer == rest)
        #expect(try Gzip.read(form.write(contents), room: 100, keepsTrailer: true).contents == contents)
    }

    // MARK: zlib

    private static let zlib: [UInt8] = [0x78, 0x9C] + abc + [0x02, 0x4D, 0x01, 0x27]

    @Test func keepsZlibHeader() throws {
        let (contents, form) = try Zlib.read(Self.zlib + [0, 0], room: 100)
        #expect(contents == Array("abc".utf8))
        #expect(form.write(contents) == Self.zlib + [0, 0])
    }

    /// The writer keeps a small declared window, so it finds no distant match.
    @Test func keepsWindowSize() throws {
        let word = Array("a word of its own".utf8)
        let far = word + [UInt8](repeating: 0x2E, count: 1000) + word
        var sizes: [Int] = []
        for header in [[0x18, 0x19], [0x78, 0x9C]] as [[UInt8]] {
            let form = try Zlib.read(header + Self.zlib.dropFirst(2), room: 100).form
            let written = form.write(far)
            #expect(written.starts(with: header))
            #expect(try Zlib.read(written, room: 10_000).contents == far)
            sizes.append(written.count)
        }
        // The words are more than 512 bytes apart.
        #expect(sizes[1] + 8 < sizes[0])
    }

    /// A text is not treated as zlib data even if its first two characters form a valid zlib header.
    @Test(arguments: ["x = \"Ünï\";", "(4, \"é\")", "hb = \"é\";", "80 = \"é\";", "x^ = 1;"])
    func doesNotTreatTextAsZlib(_ text: String) {
        let long = Array((text + String(repeating: "é", count: 100)).utf8)
        #expect(!Zlib.isPresent(in: Array(text.utf8)[...]))
        for count in text.utf8.count...100 where count > 67 { #expect(!Zlib.isPresent(in: long[..<count])) }
        #expect(Zlib.isPresent(in: [0x78, 0x9C, 0x4B, 0x4C]))
    }

    static let zlibFaults: [(data: [UInt8], id: String, byte: Int, message: String)] = [
        (
            [0x78, 0xBB] + zlib.dropFirst(2), "zlib.dictionary", 1,
            "the zlib data needs a preset dictionary, which the file does not contain"
        ),
        (Array(zlib.dropLast()), "zlib.truncated", 10, "truncated: the data ends within the zlib checksum"),
        (
            Array(zlib.dropLast()) + [0x28], "zlib.checksum", 7,
            "the stored checksum of the contents is 0x24D0128; the computed one is 0x24D0127"
        ),
        (
            zlib + [0, 1, 0, 1], "zlib.trailing", 12,
            "3 bytes after the end of the zlib data; expected nothing, or zeros; use --unwrap-at 0 to keep what follows"
        ),
    ]

    @Test(arguments: zlibFaults.indices)
    func refusesZlib(_ row: Int) {
        let (data, id, byte, message) = Self.zlibFaults[row]
        let problem = #expect(throws: Problem.self) { try Zlib.read(data, room: 100) }
        #expect(problem == Problem(id, message, at: .byte(byte)))
    }

    /// Two bytes identify zlib data if no text follows.
    @Test(
        arguments: [
            ([0x78, 0x9C, 0x4B], true), ([0x78, 0x5E, 0x4B, 0x4C], false), ([0x78, 0x5E, 0x4B, 0x00], true),
            ([0x78, 0x9D, 0], false), ([0x88, 0x1C, 0], false), ([0x77, 0x85, 0], false), ([0x78], false), ([], false),
        ] as [([UInt8], Bool)])
    func recognizesZlibHeader(_ bytes: [UInt8], _ isZlib: Bool) {
        #expect(Zlib.isPresent(in: bytes[...]) == isZlib)
    }

    // MARK: zlib as text

    /// JSON compressed as by RPG Maker MZ, which writes each byte as a character in UTF-8.
    private static let textFile = Hexadecimal.bytes(
        Array(
            ("7801c2ab562a482c2ac2a954c2b2c2aa56c28a4fc38fc38f4951c2b23234323631c39551c38a4bc38c4d55c2b25"
                + "2c28ac38a3fc2bc5ac2a956472927c2b3c2b844c3892ac39a50c38748c3875847c389215129c2b6160032251204").utf8
        ).span)
    private static let textContents = Array(
        "{\"party\":{\"_gold\":12345,\"name\":\"Zoë\"},\"list\":[1,2,3,\"@a\"]}".utf8)

    @Test func readsZlibStoredAsText() throws {
        let file = try #require(Self.textFile)
        let (contents, layers) = try Layers.unwrap(file)
        #expect(contents == Self.textContents && layers.title == "UTF-8-encoded zlib data")
        #expect(Layers.beginning(of: file, 5) == Array(contents.prefix(5)))
        let long: [UInt8] = (0..<40_000).flatMap { Array("{\"\($0 * 7919)\":1}".utf8) }
        for other in [contents, Array("[]".utf8), long] {
            let written = layers.wrap(other)
            #expect(UTF8Text.firstInvalid(in: written.span) == nil)
            #expect(try Zlib.read(written, room: 1 << 20).contents == other)
            #expect(layers.wrap(other) == written)
        }
        // Other data stored in this way was damaged by a conversion.
        let words = Zlib(header: [0x78, 0x01], trailer: [], isText: true).write(Array("some words, some words".utf8))
        #expect(!ZlibText.isPresent(in: words))
    }

    /// Damage near the beginning hides neither the form nor the contents before it.
    @Test func recognizesDamagedZlibStoredAsText() throws {
        let contents = Array("\((0..<2000).map { $0 * 7919 })".utf8)
        var file = Zlib(header: [0x78, 0x01], trailer: [], isText: true).write(contents)
        for offset in 900..<904 { file[offset] = 0xFF }
        #expect(ZlibText.isPresent(in: file))
        let (intact, layers, damage) = try Layers.unwrapIntact(file, outOf: nil, LayerOptions(), limits: Limits())
        #expect(layers.title == "UTF-8-encoded zlib data" && contents.starts(with: intact) && intact.count > 200)
        #expect(damage.map(\.id) == ["zlib.character"])
        #expect(!ZlibText.isPresent(in: Zlib(header: [0x78, 0x01], trailer: []).write(contents)))
    }

    @Test func locatesDamageInZlibStoredAsText() throws {
        let file = try #require(Self.textFile)
        let checksum = try #require(file.lastIndex(of: 0x25))
        let damages: [(bytes: [UInt8], id: String, byte: Int)] = [
            (Array(file.dropLast()), "zlib.truncated", file.count - 1),
            (file + [0x41], "zlib.trailing", file.count),
            (file.enumerated().map { $0.offset == checksum ? 0x26 : $0.element }, "zlib.checksum", file.count - 4),
        ]
        for (bytes, id, byte) in damages {
            let (contents, layers, damage) = try Layers.unwrapIntact(
                bytes, outOf: nil, LayerOptions(), limits: Limits())
            #expect(contents == Self.textContents && layers.title == "UTF-8-encoded zlib data", "\(id)")
            #expect(damage.map(\.id) == [id], "\(damage)")
            #expect(damage.first?.location == .byte(byte), "\(damage)")
        }
        let contents = Array("\((0..<2000).map { $0 * 7919 })".utf8)
        let long = Zlib(header: [0x78, 0x01], trailer: [], isText: true).write(contents)
        let problem = #expect(throws: Problem.self) { try Zlib.read(long + [0xC4, 0x80], room: 1 << 20) }
        #expect(problem?.id == "zlib.character" && problem?.location == .byte(long.count), "\(long.count)")
    }

    // MARK: Damage

    /// A flipped bit is either detected or does not change the contents.
    @Test func detectsEveryFlippedBit() throws {
        let contents = Array("the same words, the same words".utf8)
        var deflate = ByteWriter()
        Deflate.write(contents.span, to: &deflate)
        let file = Self.file(deflate.takeBytes(), of: contents, header: Self.header(2 | 8))
        for bit in 0..<8 * file.count {
            var damaged = file
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            do throws(Problem) {
                #expect(try Gzip.read(damaged, room: 1000).contents == contents)
            } catch {
                #expect(error.location != nil, "\(bit) \(error)")
            }
        }
    }
}

extension Gzip {
    static func read(
        _ bytes: [UInt8], room: Int, keepsTrailer: Bool = false
    ) throws(Problem) -> (contents: [UInt8], form: Gzip) {
        var contents: [UInt8] = []
        let (form, fault) = try read(bytes, room: room, keepsTrailer: keepsTrailer, into: &contents)
        if let fault { throw fault }
        return (contents, form)
    }
}

extension Zlib {
    static func read(_ bytes: [UInt8], room: Int) throws(Problem) -> (contents: [UInt8], form: Zlib) {
        var contents: [UInt8] = []
        let (form, fault) = try read(bytes, room: room, into: &contents)
        if let fault { throw fault }
        return (contents, form)
    }
}
