import Foundation
import Testing

@testable import SaveCodec

/// Documents composed by hand are written as Core Foundation writes them (the article BinaryFormat).
@Suite struct BinaryPlistWriterTests {
    /// Returns the binary file of the document that `compose` builds.
    static func file(_ compose: (inout DocumentBuilder) -> Void) throws -> [UInt8] {
        var builder = DocumentBuilder()
        compose(&builder)
        return try builder.finish().bytes(as: .binary)
    }

    @Test func writesDocumentedExample() throws {
        let file = try Self.file {
            $0.open(.dictionary)
            $0.add(string: "k")
            $0.add(integer: 5)
            $0.close()
        }
        let expected =
            "62706c6973743030" + "d10102" + "516b" + "1005" + "080b0d" + "0000000000000101"
            + "0000000000000003" + "0000000000000000" + "000000000000000f"
        #expect(hex(file) == expected)
    }

    @Test func writesBooleanAtEveryVisit() throws {
        let file = try Self.file {
            $0.open(.array)
            $0.add(boolean: true)
            $0.add(boolean: true)
            $0.close()
        }
        let expected = "62706c6973743030" + "a20101" + "09" + "09" + "080b0c"
        #expect(hex(file).hasPrefix(expected))
    }

    /// Dictionaries with the same keys refer to the first entries of these. A boolean key gets an entry per dictionary.
    @Test(arguments: [
        (false, "a3010406" + "d10203" + "516b" + "1001" + "d10205" + "1002" + "d10203"),
        (true, "a3010407" + "d10203" + "09" + "1001" + "d10206" + "09" + "1002" + "d10203" + "09"),
    ])
    func writesDictionariesWithSameKeys(isBoolean: Bool, objects: String) throws {
        let file = try Self.file { builder in
            builder.open(.array)
            for number in [1, 2, 1] as [Int128] {
                builder.open(.dictionary)
                if isBoolean { builder.add(boolean: true) } else { builder.add(string: "k") }
                builder.add(integer: number)
                builder.close()
            }
            builder.close()
        }
        #expect(hex(file).dropFirst(16).hasPrefix(objects), "\(hex(file))")
    }

    @Test(arguments: [
        (14, "5e"), (15, "5f100f"), (255, "5f10ff"), (256, "5f110100"), (65_535, "5f11ffff"), (65_536, "5f1200010000"),
    ])
    func writesCountsInMinimalWidth(count: Int, marker: String) throws {
        let file = try Self.file { $0.add(string: String(repeating: "x", count: count)) }
        #expect(hex(file).dropFirst(16).hasPrefix(marker + "78"))
    }

    @Test(arguments: [(254, 1), (255, 2), (65_534, 2), (65_535, 4)])
    func referenceWidthFitsObjectCount(elements: Int, size: Int) throws {
        let file = try Self.file { builder in
            builder.open(.array)
            for number in 0..<elements { builder.add(integer: Int128(number)) }
            builder.close()
        }
        #expect(Trailer(of: file).referenceSize == size)
        #expect(Trailer(of: file).objectCount == UInt64(elements + 1))
    }

    @Test(arguments: [
        (Int128(0), "1000"), (255, "10ff"), (256, "110100"), (65_536, "1200010000"),
        (4_294_967_296, "130000000100000000"),
        (-1, "13ffffffffffffffff"), (Int128(UInt64.max), "140000000000000000ffffffffffffffff"),
        (Int128.min, "1480000000000000000000000000000000"),
    ])
    func writesIntegersInMinimalWidth(value: Int128, bytes: String) throws {
        let file = try Self.file { $0.add(integer: value) }
        #expect(hex(file).dropFirst(16).hasPrefix(bytes))
    }

    @Test func foundationReadsOutput() throws {
        let file = try Self.file {
            $0.open(.dictionary)
            for (key, value) in [("name", "Zoë 🐉"), ("empty", "")] {
                $0.add(string: key)
                $0.add(string: value)
            }
            $0.add(string: "list")
            $0.open(.array)
            $0.add(real64: 0.1)
            $0.add(real32: 0.5)
            $0.add(integer: -7)
            $0.add(boolean: false)
            $0.add(date: 123_456.75)
            $0.add(data: [1, 2, 3].span)
            $0.close()
            $0.close()
        }
        let value = try unsafe PropertyListSerialization.propertyList(from: Data(file), format: nil)
        let expected: NSDictionary = [
            "name": "Zoë 🐉", "empty": "",
            "list": [
                0.1, Float(0.5), -7, false, Date(timeIntervalSinceReferenceDate: 123_456.75), Data([1, 2, 3]),
            ] as [Any],
        ]
        #expect(expected.isEqual(value))
    }

    @Test func writesSharedContainersOnce() throws {
        let file = try Self.file { builder in
            builder.open(.array)
            builder.close()
            builder.doubleRoot(levels: 60)
        }
        #expect(file.count < 400)
        #expect(try BinaryPlist.read(file).count == 61)
    }

    @Test func writesLastDuplicateKeyAndListsLoss() throws {
        var builder = DocumentBuilder()
        builder.open(.textDictionary)
        for number in 1...2 {
            builder.add(string: "k")
            builder.add(integer: Int128(number))
        }
        builder.close()
        let document = try builder.finish(format: .xml)
        #expect(
            document.losses(as: .binary).map(\.description) == [
                "(root): duplicate key \"k\"; text formats keep its last value, binary files the first"
            ])
        var output = ByteWriter()
        try document.write(as: .binary, to: &output)
        let expected = "62706c6973743030" + "d10102" + "516b" + "1002" + "080b0d"
        #expect(hex(output.takeBytes()).hasPrefix(expected))
    }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
}
