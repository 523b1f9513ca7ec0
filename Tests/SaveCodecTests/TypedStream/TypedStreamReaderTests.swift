import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// The typedstream reader converts objects to an archive, reads both byte orders, reports truncated files and limits
/// its work. `Fixtures/hostile.tsv` covers the rest.
@Suite struct TypedStreamReaderTests {
    /// The objects after `$null`, as typed JSON.
    @Test(arguments: [
        // The example of TypedStream.swift.
        ("84 01 '@' 84 84 84 08 'NSString' 01 84 84 08 'NSObject' 00 85 84 01 '+' 02 'hi' 86", #""hi""#),
        (
            "84 01 '@' 84 84 84 04 'Hero' 00 85 84 03 'i@:' 07 92 84 04 'run:' 86",
            #"{"Hero.0":7,"Hero.1":{"$uid":1},"Hero.2":{"$uid":2},"$class":{"$uid":3}},"run:","#
                + #"{"$classes":["Hero"],"$classname":"Hero"}"#
        ),
        (
            "84 01 '@' 84 84 84 04 'Hero' 00 85 84 0D '{P=i[2c]}[2f]' 05 00 FF 01 02 86",
            #"{"Hero.0":[5,{"$uid":2}],"Hero.1":[{"$real32":1.0},{"$real32":2.0}],"$class":{"$uid":3}},"#
                + #"{"$data":"AP8="},{"$classes":["Hero"],"$classname":"Hero"}"#
        ),
        // A C string that occurs again is one object, and so is an equal string.
        ("84 03 '***' 84 84 01 'a' 92 84 93", #""a""#),
        // A name that would mean nil as an object is stored in place.
        (
            "84 01 '@' 84 84 84 06 'NSFont' 15 84 84 08 'NSObject' 00 85 84 01 'i' 16 84 05 '[22c]' 06 00 00 00 0C 00 00 00 "
                + "FF FE '$' 00 'n' 00 'u' 00 'l' 00 'l' 00 00 00 84 01 'f' 09 84 01 'c' 00 98 00 98 00 98 00 86",
            #"{"NSName":"$null","NSSize":{"$real32":9.0},"NSFont.3":0,"NSFont.4":0,"NSFont.5":0,"NSFont.6":0,"#
                + #""$class":{"$uid":2}},{"$classes":["NSFont","NSObject"],"$classname":"NSFont"}"#
        ),
        (
            "84 01 '@' 84 84 84 06 'NSNull' 00 85 86",
            #"{"$class":{"$uid":2}},{"$classes":["NSNull"],"$classname":"NSNull"}"#
        ),
    ])
    func objects(_ stream: String, _ objects: String) throws {
        for header in [littleEndian, bigEndian] {
            #expect(try Self.objects(in: header + assembled(stream)) == #"["$null","# + objects + "]")
        }
    }

    /// The worked example of the article TypedStreamFormat yields the objects that the article lists.
    @Test func articleExample() throws {
        let article = TestFiles.package.appending(path: "Sources/SaveCodec/SaveCodec.docc/TypedStreamFormat.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let lines = text.components(separatedBy: "```")[1].split(separator: "\n")
        let stream = lines.flatMap { assembled(String($0.prefixMatch(of: /([0-9A-F]{2} ?)+/)?.output.0 ?? "")) }
        #expect(text.contains("takes \(stream.count) bytes"))
        #expect(
            try Self.objects(in: stream)
                == #"["$null",{"NS.objects":[{"$uid":2},{"$uid":3}],"$class":{"$uid":4}},"Ada",7,"#
                + #"{"$classes":["NSArray","NSObject"],"$classname":"NSArray"}]"#)
    }

    private static func objects(in stream: [UInt8]) throws -> String {
        let document = try TypedStream.read(stream)
        guard case .dictionary(let pairs) = document[document.root] else { return "" }
        return try pairs.value(for: "$objects".utf16).map { try json(document.rooted(at: $0)) } ?? ""
    }

    private static func json(_ document: Document) throws -> String {
        let bytes = try document.bytes(as: .json, options: WriteOptions(isCompact: true))
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// A root of each type, with multibyte numbers in the byte order of the stream.
    @Test(arguments: [
        ("c", "80", "-128"), ("C", "80", "128"), ("B", "01", "true"),
        ("i", "00", "0"), ("i", "7F", "127"), ("i", "92", "-110"), ("i", "FF", "-1"), ("i", "81 |FF90", "-112"),
        ("i", "82 |7FFFFFFF", "2147483647"), ("q", "87 |FFFFFFFDE78EE600", "-9000000000"),
        ("s", "81 |8000", "-32768"), ("S", "FF", "65535"), ("I", "FF", "4294967295"), ("L", "81 |8000", "4294934528"),
        ("I", "82 |80000000", "2147483648"), ("Q", "FF", "18446744073709551615"), ("Q", "05", "5"),
        ("f", "05", #"{"$real32":5.0}"#), ("f", "83 |3F000000", #"{"$real32":0.5}"#), ("d", "81 |03E8", "1000.0"),
        ("d", "83 |3FB999999999999A", "0.1"), ("d", "87 |0000000100000000", "4294967296.0"),
    ])
    func numbers(_ type: String, _ bytes: String, _ json: String) throws {
        for (header, isBigEndian) in [(littleEndian, false), (bigEndian, true)] {
            let stream = header + assembled("84 01 '\(type)'") + assembled(bytes, isBigEndian: isBigEndian)
            let text = try Self.json(try TypedStream.read(stream))
            #expect(text.contains(#""$top":{"root":\#(json)}"#), "\(text)")
        }
    }

    /// A file truncated anywhere after the header is reported as truncated.
    @Test(arguments: ["oldmac/swamp.save", "oldmac/swamp-powerpc.save"])
    func rejectsTruncatedFiles(_ name: String) throws {
        let file = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
        #expect((try? TypedStream.read(file)) != nil)
        for count in 13..<file.count {
            let problem = #expect(throws: Problem.self) { try TypedStream.read(Array(file[..<count])) }
            #expect(
                problem?.message.hasPrefix("truncated: the stream ends") == true,
                "\(count): \(problem.debugDescription)")
            guard case .byte(let offset)? = problem?.location else { continue }
            #expect(offset <= count, "\(count)")
        }
    }

    /// A save has the same value in both byte orders, and in version 3, which stores no types for objects.
    @Test(arguments: ["oldmac/swamp-powerpc.save", "tricky/63-version-3.typedstream"])
    func hasSameValueInEveryVersion(_ name: String) throws {
        let (one, other) = (try Self.document("oldmac/swamp.save"), try Self.document(name))
        #expect(try RoundTrip.value(of: one) == RoundTrip.value(of: other))
    }

    private static func document(_ name: String) throws -> Document {
        try TypedStream.read(try TestFiles.bytes(TestFiles.fixtures.appending(path: name)))
    }

    @Test func typesOfFields() throws {
        let document = try TypedStream.read(
            littleEndian + assembled("84 02 'c@' 01 84 84 84 04 'Hero' 03 85 84 09 'i{P=ff}*@' 05 01 02 85 85 86"))
        func types(_ uid: Int) -> [String] {
            (0..<9).compactMap { document.cType(ofField: $0, of: uid).map { String(decoding: $0, as: UTF8.self) } }
        }
        #expect(types(0) == ["c", "@"])
        #expect(types(1) == ["i", "{P=ff}", "*", "@"])
        #expect(types(2) == [])
        #expect(document.versions(ofClass: 2) == [3])
        #expect(document.versions(ofClass: 1) == [])
    }

    // MARK: Cost

    /// Streams whose parts refer repeatedly to the same long string, or to each other.
    @Test(arguments: Slow.allCases)
    func takesLinearTime(_ slow: Slow) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(8000, long: 200_000)) { count in
            let stream = slow.stream(count)
            return { _ = try? TypedStream.read(stream) }
        }
        #expect(isLinear)
    }

    enum Slow: CaseIterable {
        case longType, longStructName, longClassName, longFieldNames, nestedObjects, ancestors, noBytes, nestedStructs
        case oldTypes

        func stream(_ count: Int) -> [UInt8] {
            let many = [UInt8](repeating: 0x63, count: count)
            let hero = assembled("84 01 '@' 84 84 84 04 'Hero' 00 85")
            switch self {
            case .longType: return littleEndian + text(many) + many + [UInt8](repeating: 0x92, count: count)
            case .longStructName:
                return littleEndian + text(Array("{".utf8) + many + Array("=c}".utf8)) + [1]
                    + repeated([0x92, 1], count)
            case .longClassName:
                return littleEndian + text(Array("@".utf8)) + [0x84, 0x84] + text(many) + [0, 0x85, 0x86]
                    + repeated([0x92, 0x84, 0x84, 0x93, 0, 0x85, 0x86], count)
            case .longFieldNames:
                return littleEndian + text(Array("@".utf8)) + [0x84, 0x84] + text(many) + [0, 0x85]
                    + text(Array("c".utf8)) + [1] + repeated([0x94, 1], count) + [0x86]
            case .nestedObjects: return littleEndian + hero + repeated([0x92, 0x84, 0x93], count)
            case .ancestors:
                return littleEndian + assembled("84 01 '#'") + repeated([0x84, 0x92, 0], count) + [0x85]
                    + text(Array("@".utf8)) + repeated([0x93, 0x84, 0x92, 0x86], count)
            case .noBytes: return littleEndian + assembled("84 01 '!'") + [UInt8](repeating: 0x92, count: count)
            case .nestedStructs:
                let types =
                    "[\(count)" + String(repeating: "{", count: 400) + "c" + String(repeating: "}", count: 400) + "]"
                return littleEndian + text(Array(types.utf8)) + many
            case .oldTypes:
                return [3] + littleEndian.dropFirst() + text(many) + many + [UInt8](repeating: 0x92, count: count)
            }
        }

        private func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
            Array([[UInt8]](repeating: bytes, count: count).joined())
        }

        private func text(_ bytes: [UInt8]) -> [UInt8] {
            let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
            return [0x84, 0x82] + length + bytes
        }
    }

    /// A stream that exceeds a limit is refused with that reason, and is read when the limit is raised.
    @Test func limits() throws {
        let stream = littleEndian + assembled("84 01 '!'") + [UInt8](repeating: 0x92, count: 5_000)
        #expect((try? TypedStream.read(stream)) != nil)
        let nothings = littleEndian + assembled("84 08 '[90000!]'")
        let problem = #expect(throws: Problem.self) { try TypedStream.read(nothings) }
        #expect(problem?.description == "byte 0x1A: more than 1128 values take no bytes in the stream")
        #expect((try? TypedStream.read(nothings, limits: Limits(workFactor: 100))) != nil)

        let fields = Slow.longFieldNames.stream(4_000)
        let other = #expect(throws: Problem.self) { try TypedStream.read(fields) }
        #expect(other?.id == "limit.stream")
        #expect(
            other?.message.hasPrefix("the objects, with field and class names, take ") == true,
            "\(other?.message ?? "")")
    }
}

private let littleEndian = [4, 11] + Array("streamtyped".utf8) + [0x81, 0xE8, 0x03]
private let bigEndian = [4, 11] + Array("typedstream".utf8) + [0x81, 0x03, 0xE8]

/// Returns the bytes of hexadecimal digits, of text in quotation marks, and of numbers after `|`, whose digits are
/// given most significant byte first.
private func assembled(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
    text.split(separator: " ").flatMap { part -> [UInt8] in
        if part.hasPrefix("'") { return Array(part.dropFirst().dropLast().utf8) }
        let digits = Array(part.drop { $0 == "|" })
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
        return part.hasPrefix("|") && !isBigEndian ? bytes.reversed() : bytes
    }
}
