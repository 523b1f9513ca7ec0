import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// Warnings of the binary reader, and files made to be slow; `Fixtures/hostile.tsv` covers the rest.
@Suite struct BinaryPlistReaderTests {
    @Test(arguments: [
        (["d10102", "1007", "1001"], ["binary.key-kind"]),
        (["d10102", "1007", "1001", "ff"], ["binary.unsound-object", "binary.key-kind"]),
        (["a101", "00"], ["binary.null"]),
        (["5361e962"], ["binary.high-bytes"]),
        (["1400000000000000010000000000000000"], ["binary.wide-integer"]),
        (["d10102", "516b", "1001"], []),
    ])
    func warnings(objects: [String], ids: [String]) throws {
        #expect(try BinaryPlist.read(assembled(objects)).warnings.map(\.id) == ids)
    }

    /// `objects` is the contents of the file from offset 8 to the offset table.
    @Test(arguments: [
        ("a101 516b", [8, 10], []),
        ("a101 ff 516b", [8, 11], ["byte 0xA: 1 byte belongs to no object"]),
        ("ff a101 516b", [9, 11], ["byte 0x8: 1 byte belongs to no object"]),
        ("a101 516b ffff", [8, 10], ["byte 0xC: 2 bytes belong to no object"]),
        ("a101 ff 516b ffff", [8, 11], ["byte 0xA: 1 byte belongs to no object (and 1 more like it)"]),
        ("516b a101", [10, 8], []),
        ("516b ff a101", [11, 8], ["byte 0xA: 1 byte belongs to no object"]),
        ("a101 53516b6b", [8, 10, 11], ["byte 0xB: object 2 starts within another object"]),
        (
            "a101 53516b6b ff", [8, 10, 11],
            ["byte 0xB: object 2 starts within another object", "byte 0xE: 1 byte belongs to no object"]
        ),
        (
            "a101 516b ffff", [8, 10, 12],
            ["byte 0xC: object 2 is damaged, but nothing in the value refers to it"]
        ),
        (
            "a101 516b ffff", [8, 10, 13],
            [
                "byte 0xD: object 2 is damaged, but nothing in the value refers to it",
                "byte 0xC: 1 byte belongs to no object",
            ]
        ),
    ])
    func findsOverlapsAndGaps(objects: String, offsets: [UInt8], warnings: [String]) throws {
        var file = Array("bplist00".utf8) + bytes(hex: objects)
        let trailer = Trailer(
            offsetSize: 1, referenceSize: 1, objectCount: UInt64(offsets.count), root: 0, tableStart: UInt64(file.count)
        )
        file += offsets
        var output = ByteWriter()
        trailer.write(to: &output)
        #expect(try BinaryPlist.read(file + output.takeBytes()).warnings.map { "\($0)" } == warnings)
    }

    @Test func readsShortestFile() {
        let file = assembled(["08"])
        #expect(file.count == 42)
        #expect((try? BinaryPlist.read(file)) != nil)
        #expect { try BinaryPlist.read(Array(file.dropFirst())) } throws: { ($0 as? Problem)?.id == "binary.magic" }
        #expect { try BinaryPlist.read(Array("bplist00".utf8) + file.suffix(33)) } throws: {
            "\($0)" == "byte 0x29: truncated: the file has 41 bytes; the shortest binary property list has 42"
        }
    }

    /// Every truncated copy of a file is reported as truncated.
    @Test func rejectsTruncatedFiles() throws {
        let file = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))
        for count in 8..<file.count {
            let problem = #expect(throws: Problem.self) { try BinaryPlist.read(Array(file[..<count])) }
            let message = problem?.message ?? ""
            #expect(message.hasPrefix("truncated: "), "\(count): \(message)")
        }
    }

    @Test(arguments: [
        (1, "1 byte follows the trailer, which ends a binary property list"),
        (4, "4 bytes follow the trailer, which ends a binary property list"),
        (4000, "4,000 bytes follow the trailer, which ends a binary property list"),
    ])
    func rejectsBytesAfterTrailer(_ count: Int, _ message: String) throws {
        let file = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))
        let problem = #expect(throws: Problem.self) { try BinaryPlist.read(file + [UInt8](repeating: 7, count: count)) }
        #expect(problem?.id == "binary.trailing")
        #expect(problem?.location == .byte(file.count))
        #expect(problem?.message == message)
    }

    /// Thousands of entries of the offset table refer to the same long string or array; reading must stay linear.
    @Test(arguments: [UInt8(0x5F), 0xAF])
    func readsOverlappingBytesInLinearTime(marker: UInt8) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(8_000, long: 60_000)) { length in
            let file = Self.sharing(length, marker: marker)
            return { _ = try? BinaryPlist.read(file) }
        }
        #expect(isLinear)
    }

    /// A file whose `length` table entries all refer to one string or array of `length` elements.
    private static func sharing(_ length: Int, marker: UInt8) -> [UInt8] {
        var file = Array("bplist00".utf8) + [marker, 0x11, UInt8(length >> 8), UInt8(length & 0xFF)]
        file += [UInt8](repeating: 0x41, count: marker == 0x5F ? length : 4 * length)
        let start = file.count
        for _ in 0..<length { file += [0, 0, 8] }
        var output = ByteWriter()
        Trailer(
            offsetSize: 3, referenceSize: 4, objectCount: UInt64(length), root: 0, tableStart: UInt64(start)
        ).write(to: &output)
        return file + output.takeBytes()
    }

    /// The address in a message shows only the start of a long key, so that deep paths do not make huge messages.
    @Test func shortensAddressesWithLongKeys() throws {
        var builder = DocumentBuilder()
        let key = String(repeating: "k", count: 10_000)
        for _ in 0..<200 {
            builder.open(.dictionary)
            builder.add(string: key)
        }
        builder.addNull()
        for _ in 0..<200 { builder.close() }
        let losses = try builder.finish().losses(as: .xml)
        let loss = try #require(losses.first)
        #expect("\(loss)".utf8.count < 200 * 220)
    }
}
