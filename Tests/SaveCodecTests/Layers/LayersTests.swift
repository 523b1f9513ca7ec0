import TestSupport
import Testing

@testable import SaveCodec

/// Nested layers are detected, removed and restored.
@Suite struct LayersTests {
    private static let json = Array("{\"gems\": 7, \"name\": \"Ada\"}\n".utf8)
    private static let xml = Array("<?xml version=\"1.0\"?><plist><dict><key>a</key><true/></dict></plist>".utf8)
    private static let binary = Array("bplist00".utf8) + [8, 9, 0, 0, 0]

    private static let gzip = Layer.gzip(Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3], trailer: []))
    private static let zlib = Layer.zlib(Zlib(header: [0x78, 0xDA], trailer: []))

    private static func base64(_ text: String = "-_-_") throws -> Layer {
        .base64(try Base64Form.decode(Array(text.utf8)).form)
    }

    private static func wrapped(_ contents: [UInt8], _ layers: [Layer]) -> [UInt8] {
        layers.reversed().reduce(contents) { $1.wrap($0) }
    }

    @Test func leavesPlainFilesUnchanged() throws {
        for bytes in [[], Self.json, Self.xml, Self.binary, Array("x^2 = 5;".utf8), [0, 1, 2]] {
            for decodes in [false, true] {
                let (contents, layers) = try Layers.unwrap(bytes, decodes: decodes)
                #expect(contents == bytes)
                #expect(layers.isEmpty)
            }
        }
    }

    /// Four layers in every order and with repetitions are removed and restored.
    @Test func readsLayersInAnyOrder() throws {
        let kinds: [Layer] = [Self.gzip, Self.zlib, try Self.base64(), .xor(11)]
        for number in TestScale.one(in: 3, of: Array(0..<4 * 4 * 4 * 4)) {
            var layers = (0..<4).map { kinds[number >> (2 * $0) & 3] }
            // Two adjacent XOR layers amount to one, or to none if their keys are equal.
            for position in (1..<4).reversed() where layers[position] == .xor(11) && layers[position - 1] == .xor(11) {
                layers.remove(at: position)
            }
            for contents in [Self.json, Self.xml, Self.binary] {
                let file = Self.wrapped(contents, layers)
                let (found, removed) = try Layers.unwrap(file, decodes: true)
                #expect(found == contents, "\(layers.map(\.name))")
                #expect(removed.layers.map(\.name) == layers.map(\.name))
                #expect(removed.wrap(contents) == file)
            }
        }
    }

    /// Texts are detected in every encoding, with a byte order mark, after a comment, or as plain words.
    @Test(arguments: [
        "{\"gems\": 7}", "{\"$date\": 0.0}", "// here\n{\"gems\" = 7;}", "/* here */ gems = 7;", "\"gems\" = \"7\";\n",
        "gems = 7;",
        "<?xml version=\"1.0\"?><plist><string>\u{7F}</string></plist>",
    ])
    func findsTexts(_ text: String) throws {
        let utf8 = Array(text.utf8)
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var contents: [[UInt8]] = [utf8, mark + utf8]
        if !text.hasPrefix("{\"") { contents.append(utf16) }
        for contents in contents {
            for layers in [[try Self.base64()], [.xor(11)], [try Self.base64(), .xor(200)], [Self.gzip, .xor(1)]] {
                let file = Self.wrapped(contents, layers)
                let (found, removed) = try Layers.unwrap(file, decodes: true)
                #expect(found == contents, "\(layers.map(\.name)): \(text)")
                #expect(removed.wrap(contents) == file)
            }
        }
    }

    @Test func limitsLayersToEight() throws {
        let layers = (0..<9).map { $0 % 2 == 0 ? Self.gzip : Self.zlib }
        let eight = Self.wrapped(Self.json, Array(layers.dropLast()))
        #expect(try Layers.unwrap(eight).layers.layers.count == 8)
        let problem = #expect(throws: Problem.self) { try Layers.unwrap(Self.wrapped(Self.json, layers)) }
        #expect(problem == Problem("wrapping.depth", "the file has more than 8 layers"))
        for count in 9...12 {
            let text = Self.wrapped(Self.json, try (0..<count).map { _ in try Self.base64() })
            #expect(throws: Problem.self) { try Layers.unwrap(text, decodes: true) }
        }
    }

    /// Only compressed data is opened by default; Base64 and XOR need an option.
    @Test func opensBase64AndXOROnlyOnRequest() throws {
        for layers in [[try Self.base64()], [.xor(11), try Self.base64(), Self.gzip], [.xor(3)]] {
            let file = Self.wrapped(Self.xml, layers)
            #expect(try Layers.unwrap(file).layers.isEmpty)
            #expect(try Layers.unwrap(file, decodes: true).contents == Self.xml)
        }
        let inside = Self.wrapped(Self.xml, [Self.gzip, .xor(11), try Self.base64(), Self.gzip])
        #expect(try Layers.unwrap(inside).layers.title == "gzip data")
        #expect(try Layers.unwrap(inside, decodes: true).layers.title == "gzip, XOR 11, Base64 and gzip data")
    }

    @Test func findsEveryXORKey() throws {
        for key in TestScale.sample(of: Array(UInt8(1)...255)) {
            for (contents, layers) in [
                (Self.json, [Layer.xor(key)]), (Self.xml, [.xor(key)]), (Self.binary, [.xor(key)]),
                (Self.json, [.xor(key), try Self.base64()]), (Self.json, [.xor(key), Self.gzip]),
                (Self.json, [.xor(key), Self.zlib]), (Self.json, [try Self.base64(), .xor(key)]),
            ] {
                let file = Self.wrapped(contents, layers)
                #expect(try Layers.unwrap(file, decodes: true).contents == contents, "\(layers.map(\.name))")
            }
        }
    }

    /// The alphabet, lines and padding are kept. If the text shows no alphabet, the URL alphabet is used together with
    /// XOR and the standard one otherwise.
    @Test func keepsBase64Style() throws {
        let contents = Array("{\"a\": \"\u{FF}\u{FF}?>\"}".utf8)
        for text in ["-_-_", "+/+/", "-_-_\n", "+/+/\r\n+/+/\r\n"] {
            let file = Self.wrapped(contents, [try Self.base64(text)])
            #expect(try Layers.unwrap(file, decodes: true).layers.wrap(contents) == file)
        }
        let untold = Array("{\"a\": 1}".utf8)
        let other = Array("{\"a\": \"~~~???\"}".utf8)
        let (_, plain) = try Layers.unwrap(Self.wrapped(untold, [try Self.base64()]), decodes: true)
        let (_, combined) = try Layers.unwrap(Self.wrapped(untold, [.xor(11), try Self.base64()]), decodes: true)
        #expect(plain.wrap(other) == Self.wrapped(other, [try Self.base64("+/+/")]))
        #expect(combined.wrap(other) == Self.wrapped(other, [.xor(11), try Self.base64()]))
    }

    /// The complete groups of a cut text are decoded, wherever it is cut.
    @Test func decodesCutBase64() throws {
        let contents = Self.xml + Self.json
        let text = Self.wrapped(contents, [try Self.base64("+/+/")])
        for count in (text.count - 20)..<(text.count - 2) {
            let (inner, layers, _) = try Layers.unwrapIntact(
                Array(text.prefix(count)), outOf: nil, LayerOptions(decodes: true), limits: Limits())
            #expect(contents.starts(with: inner) && inner.count >= count / 4 * 3 - 3, "\(count)")
            #expect(layers.layers.map(\.name) == ["Base64"])
        }
    }

    /// Text that begins as Base64 but does not continue as such is reported with the location of the first other byte.
    @Test func reportsTruncatedBase64() throws {
        let file = Self.wrapped(Self.json + [UInt8](repeating: 0x20, count: 8000), [try Self.base64()])
        var damaged = file
        damaged[6000] = UInt8(ascii: "*")
        let problem = #expect(throws: Problem.self) { try Layers.unwrap(damaged, decodes: true) }
        #expect(
            problem
                == Problem(
                    "wrapping.base64",
                    "the Base64 layer is damaged: found a character that Base64 text does not allow",
                    at: .byte(6000))
        )
    }

    /// Damage near the beginning of a short file is reported, too: first of the Base64 text, then of the gzip data.
    @Test func damagedCharactersAreReported() throws {
        let file = Self.wrapped(Self.xml, [.xor(11), try Self.base64(), Self.gzip])
        var damaged = file
        damaged[40] = UInt8(ascii: "*") ^ 11
        let problem = #expect(throws: Problem.self) { try Layers.unwrap(damaged, decodes: true) }
        #expect(
            problem?.description
                == "in the XOR 11 data: byte 0x28: the Base64 layer is damaged: found a character that Base64 text does not allow"
        )
        for count in 16..<file.count - 4 {
            let problem = #expect(throws: Problem.self) { try Layers.unwrap(Array(file.prefix(count)), decodes: true) }
            #expect(problem?.message.contains("layer is damaged: truncated") ?? false, "\(count)")
        }
    }

    /// Words, numbers and texts that are never treated as layers, even if all layers are requested.
    @Test(arguments: [
        "YES", "12345678", "deadbeef", "hello", "(qwerty, asdf)", "{ a = b; }", "a8 = \"b\";", "[1, 2, 3]", "\"YWJj\"",
        "AAAAAAAA", "Fg==", "x = y;", "<0fbd 771c>", "0123456789abcdef0123456789abcdef",
        "[[0, 0, 0], [0, 0, 0]]", "[0,1,1,0,1]", "(0, 0, 1)", "{a = (0, 0);}", "[[[[[[[[]]]]]]]]",
        "// a\n\"a\" = \"b\";",
        "-0.1", "true", "null",
    ])
    func ignoresOtherBytes(_ text: String) throws {
        #expect(try Layers.unwrap(Array(text.utf8), decodes: true).layers.isEmpty)
    }

    /// Bytes that some XOR key turns into property list or Base64 text, but never into a save.
    @Test(
        arguments: [
            Array("lorem ipsum dolor sit amet, consectetur".utf8), Array("7c1b22e4 and more of it\n".utf8),
            [0, 2] + [UInt8](repeating: 0, count: 14) + [0, 0x14],
            [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 15) + [0x13],
            [0x40, 0x60] + (0..<400).map { $0 % 2 == 0 ? 0x40 : 0x41 }, Array("<!--<!--<!--<!--<!--<!--".utf8),
            Array(repeatElement(UInt8(ascii: "["), count: 600)),
            (0..<400).map { UInt8(ascii: $0 % 2 == 0 ? "A" : "B") },
        ] as [[UInt8]])
    func verifiesGuessedLayers(_ bytes: [UInt8]) throws {
        let (contents, layers) = try Layers.unwrap(bytes, decodes: true)
        #expect(layers.isEmpty)
        #expect(contents == bytes)
        let wrapped = Self.wrapped(bytes, [Self.gzip])
        #expect(try Layers.unwrap(wrapped, decodes: true).contents == bytes)
    }

    /// The search gives up early on bytes that fit many keys, and on text that repeats.
    @Test func searchesInLinearTime() throws {
        for unit in ["A", "AB", "QUFB", "H4sI", "\u{01}\u{02}", "eJ"] {
            let isLinear = try Growth.isLinear(to: TestScale.count(40_000, long: 1_000_000)) { count in
                let bytes = Array(repeatElement(Array(unit.utf8), count: count / unit.utf8.count).joined())
                return { _ = try? Layers.unwrap(bytes, decodes: true) }
            }
            #expect(isLinear, "\(unit)")
        }
    }

    // MARK: Locations and limits

    @Test func locationsNameTheirLayer() throws {
        let (_, layers) = try Layers.unwrap(Self.wrapped(Self.json, [Self.gzip, Self.zlib]))
        #expect("\(layers.located(.byte(26)))" == "in the gzip and zlib data: byte 0x1A")
        #expect("\(layers.located(.line(3, column: 4)))" == "in the gzip and zlib data: 3:4")
        #expect(layers.located(layers.located(.byte(1))) == layers.located(.byte(1)))
        #expect(Layers().located(.byte(26)) == .byte(26))
        let damaged = Self.wrapped(Array(Self.zlib.wrap(Self.json).dropLast()), [Self.gzip])
        let problem = #expect(throws: Problem.self) { try Layers.unwrap(damaged) }
        #expect(problem?.description.hasPrefix("in the gzip data: byte 0x") ?? false)
        #expect(problem?.id == "zlib.truncated")
    }

    /// All layers share one limit.
    @Test func limitsDecompressedSize() throws {
        for layers in [[Self.gzip], [Self.zlib], [Self.zlib, Self.gzip]] {
            let file = Self.wrapped(Self.json, layers)
            let problem = #expect(throws: Problem.self) { try Layers.unwrap(file, limits: Limits(workFactor: 0)) }
            let message = "the decompressed contents exceed the limit for this file, 0 MiB"
            #expect(problem == Problem("limit.unwrapped", message))
        }
        #expect(Limits().maxDecodedByteCount(of: 1000) == 64 << 20 + 256_000)
        #expect(Limits().maxDecodedByteCount(of: 1 << 30) == 2 << 30)
        #expect(Limits(workFactor: 3).maxDecodedByteCount(of: .max) == 6 << 30)
        #expect(Limits(workFactor: 0).maxDecodedByteCount(of: 1000) == 0)
    }

    @Test func decodesTruncatedFiles() throws {
        let file = Self.wrapped(Self.xml + [UInt8](repeating: 0x20, count: 5000), [Self.gzip, Self.zlib])
        #expect(Layers.beginning(of: file, 256).starts(with: Self.xml[..<60]))
        #expect(Self.xml.starts(with: Layers.beginning(of: Array(file[..<40]), 60)))
        #expect(Layers.beginning(of: [0x1F, 0x8B, 8], 60).isEmpty)
        #expect(Layers.beginning(of: Self.json, 60) == Self.json)
    }
}
