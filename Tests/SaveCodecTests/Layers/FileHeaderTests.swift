import TestSupport
import Testing

@testable import SaveCodec

/// A header of a given size before a save or its layers is kept.
@Suite struct FileHeaderTests {
    private static let json = Array("{\"gems\": 7, \"name\": \"Ada\", \"items\": [1, 2, 3, 4, 5, 6]}\n".utf8)
    private static let xml = Array("<?xml version=\"1.0\"?><plist><dict><key>a</key><true/></dict></plist>".utf8)
    private static let binary = Array("bplist00".utf8) + [8, 9, 0, 0, 0]

    private static let layers: [[Layer]] = {
        let gzip = Layer.gzip(Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3], trailer: []))
        let zlib = Layer.zlib(Zlib(header: [0x78, 0xDA], trailer: []))
        let deflate = Layer.deflate(RawDeflate(trailer: []))
        guard let base64 = try? Base64Form.decode(Array("+/+/".utf8)).form else { return [] }
        return [
            [], [gzip], [zlib], [deflate], [.deflate(RawDeflate(trailer: [0, 0, 0]))], [.base64(base64)], [.xor(11)],
            [.base64(base64), zlib], [.base64(base64), deflate], [.xor(11), .base64(base64), gzip], [deflate, deflate],
        ]
    }()

    private static func unwrap(_ file: [UInt8], at size: Int) throws -> (contents: [UInt8], layers: Layers) {
        try Layers.unwrap(file, outOf: nil, LayerOptions(decodes: true, headerSize: size), limits: Limits())
    }

    @Test(arguments: layers.indices, [0, 1, 8, 300])
    func keepsHeader(_ row: Int, _ size: Int) throws {
        let layers = Self.layers[row]
        let header = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        for contents in [Self.json, Self.xml, Self.binary] {
            let file = header + layers.reversed().reduce(contents) { $1.wrap($0) }
            let (found, removed) = try Self.unwrap(file, at: size)
            #expect(found == contents)
            #expect(
                removed.layers.map(\.name) == (size == 0 ? [] : [Layer.Kind.header(size).name]) + layers.map(\.name))
            #expect(removed.wrap(found) == file)
        }
    }

    /// A checksum after a text is not part of it, whichever bytes it has.
    @Test(arguments: [
        #"{"gems": 7}"#, "{ gems = 7; }", "<?xml version=\"1.0\"?><plist version=\"1.0\"><integer>7</integer></plist>",
    ])
    func findsTheEndOfTexts(_ text: String) throws {
        let ends: [UInt8] = [0x7D, 0xFF, 0x01, 0x20, 0x5D, 0xC2]
        for first in UInt8.min...UInt8.max {
            let isFull = TestScale.isLong && Int(first) % TestScale.step == 0
            for last in isFull ? ends : Array(ends.prefix(2)) {
                let file = Array(text.utf8) + [first, 0x93, 0x01, last]
                let (found, layers) = try Self.unwrap(file, at: 0)
                #expect(found == Array(text.utf8), "\(first) \(last)")
                #expect(layers.wrap(found) == file)
            }
        }
    }

    /// Other bytes after compressed data are kept if the header's size is given, also if there is no header.
    @Test(arguments: [0, 8], [[1], Array("END.".utf8), [UInt8](repeating: 0xFF, count: 5000)])
    func keepsTrailer(_ size: Int, _ trailer: [UInt8]) throws {
        let header = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let layers: [Layer] = [
            .gzip(Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3], trailer: trailer)),
            .zlib(Zlib(header: [0x78, 0xDA], trailer: trailer)), .deflate(RawDeflate(trailer: trailer)),
        ]
        let large: [UInt8] =
            [0x5B] + Array([[UInt8]](repeating: Self.json, count: 500).joined(separator: [0x2C])) + [0x5D]
        for layer in layers {
            for contents in [Self.json, Self.xml, large] {
                let file = header + layer.wrap(contents)
                let (found, layers) = try Self.unwrap(file, at: size)
                #expect(found == contents)
                #expect(layers.wrap(found) == file)
                #expect(layers.title.hasSuffix("before \(Phrase.count(trailer.count, "other byte"))"))
                if case .deflate = layer { continue }
                let problem = #expect(throws: Problem.self) { try Layers.unwrap(layer.wrap(contents)) }
                #expect(problem?.id == "\(layer.name).trailing")
            }
        }
    }

    /// A size in the header may not count the bytes after the data.
    @Test func reportsStaleSizeBeforeTrailer() throws {
        let inner = Zlib(header: [0x78, 0xDA], trailer: []).write(Self.json)
        let header: [UInt8] = [0x53, 0x41, 0x56, 0x45, UInt8(inner.count), 0, 0, 0]
        let file = header + inner + Array("END.".utf8)
        let (contents, layers) = try Self.unwrap(file, at: 8)
        #expect(contents == Self.json)
        let stale = layers.staleSizes(contents: contents.count, file: file.count + 3)
        #expect(stale == [StaleSize(offset: 4, stored: inner.count, actual: inner.count + 3)])
    }

    /// Deflate data has no signature, so it is only searched for on request.
    @Test func findsDeflateOnRequest() throws {
        let file = RawDeflate(trailer: []).write(Self.json)
        #expect(try Layers.unwrap(file, decodes: true).layers.isEmpty)
        #expect(try Self.unwrap(file, at: 0).contents == Self.json)
    }

    /// Saves as Clicker Heroes exports them: 32 digits that name the compression, and Base64. Python's zlib wrote them.
    @Test(arguments: [
        "7a990d405d2c6fb93aa8fbb0ec1a3b23eJyrVipJLS5RslIoKSpNrQUAJPMFFw==",
        "7e8bb5a89f2842ac4af01b3b7e228592q1YqSS0uUbJSKCkqTa0FAA==",
    ])
    func readsClickerHeroes(_ text: String) throws {
        let (contents, layers) = try Self.unwrap(Array(text.utf8), at: 32)
        #expect(contents == Array("{\"test\": true}".utf8))
        #expect(try Self.unwrap(layers.wrap(contents), at: 32).contents == contents)
    }

    @Test(arguments: [0, 3, 8])
    func rejectsShortFiles(_ count: Int) {
        let problem = #expect(throws: Problem.self) { try Self.unwrap(Array(repeating: 1, count: count), at: 8) }
        #expect(problem?.id == "wrapping.header")
    }

    /// Data that does not reveal a save stays as it is after the header.
    @Test func leavesOtherData() throws {
        let other: [UInt8] = [1, 2, 3, 4] + (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 7) }
        let (contents, layers) = try Self.unwrap(other, at: 4)
        #expect(contents == Array(other[4...]))
        #expect(layers.title == "data after a header of 4 bytes")
    }

    /// Damage is located in the data after the header.
    @Test func locatesDamage() throws {
        var file: [UInt8] = [1, 2, 3, 4] + Zlib(header: [0x78, 0xDA], trailer: []).write(Self.json)
        file.removeLast(6)
        let problem = #expect(throws: Problem.self) { try Self.unwrap(file, at: 4) }
        let location = problem?.location.map { "\($0)" } ?? ""
        #expect(location.contains("after a header of 4 bytes"))
    }

    /// The zeros of one number and the first byte of the next are a number in the other byte order by chance.
    @Test func prefersAlignedSizes() throws {
        let inner = RawDeflate(trailer: []).write(Self.json)
        let header: [UInt8] = [0x53, 0x41, 0x56, 0x45, 1, 0, 0, 0, UInt8(inner.count), 0, 0, 0]
        let (contents, layers) = try Self.unwrap(header + inner, at: 12)
        let size = header.count + inner.count
        let stale = layers.staleSizes(contents: contents.count, file: size + 2)
        #expect(stale == [StaleSize(offset: 8, stored: inner.count, actual: inner.count + 2)])
    }

    @Test func reportsStaleSizes() throws {
        let inner = RawDeflate(trailer: []).write(Self.json)
        func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let header = bytes(Self.json.count) + bytes(1) + bytes(inner.count).reversed()
        let (contents, layers) = try Self.unwrap(header + inner, at: 12)
        let size = header.count + inner.count
        #expect(layers.staleSizes(contents: contents.count, file: size).isEmpty)
        #expect(
            layers.staleSizes(contents: contents.count + 1, file: size + 2) == [
                StaleSize(offset: 0, stored: Self.json.count, actual: Self.json.count + 1),
                StaleSize(offset: 8, stored: inner.count, actual: inner.count + 2),
            ])
    }
}
