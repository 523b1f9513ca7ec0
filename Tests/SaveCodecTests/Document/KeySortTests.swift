import TestSupport
import Testing

@testable import SaveCodec

@Suite struct KeySortTests {
    /// Code units on both sides of each boundary in the sort encoding and in UTF-16.
    private static let units: [UInt16] = [
        0, 1, 0x20, 0x61, 0x62, 0x7F, 0x80, 0xEE, 0xEF, 0xF0, 0xFF, 0x100, 0x61EF, 0xD800, 0xDC00, 0xEF00, 0xFFFF,
    ]

    @Test(arguments: [2, 30, 255, 300, 2000])
    func sortsKeysByCodeUnits(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        for alphabet in [Self.units[3...4], Self.units[2...5], Self.units[0...], Self.units[7...10]] {
            let keys = (0..<count).map { _ in
                let common = [UInt16](repeating: alphabet.first ?? 0, count: Int.random(in: 0...9, using: &random))
                return common
                    + (0..<Int.random(in: 0...12, using: &random)).map { _ in
                        alphabet.randomElement(using: &random) ?? 0
                    }
            }
            try expectOrder(of: keys, &random)
        }
    }

    @Test func keepsFirstDuplicateKey() throws {
        var random = SeededGenerator(seed: 7)
        try expectOrder(of: [[0x62], [0x61], [0x62], [], [0x61], [0x61, 0]], &random)
    }

    @Test func sortIsStable() throws {
        var random = SeededGenerator(seed: 8)
        for length in [0, 15, 16, 17, 40] {
            let key = [UInt16](repeating: 0x61, count: length)
            try expectOrder(of: (0..<200).map { $0 % 50 == 49 ? key + [0x61, UInt16($0)] : key }, &random)
        }
    }

    /// Stores each key in two bytes per character or, at random where possible, in one, and compares the order with a
    /// plain sort.
    private func expectOrder(of keys: [[UInt16]], _ random: inout SeededGenerator) throws {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        for key in keys {
            let bytes = key.compactMap { UInt8(exactly: $0) }
            if bytes.count == key.count, Bool.random(using: &random) {
                builder.add(latin1: bytes, shared: Bool.random(using: &random))
            } else {
                builder.add(utf16: key.span, shared: Bool.random(using: &random), alwaysWide: true)
            }
            builder.add(boolean: true)
        }
        builder.close()
        let document = try builder.finish()
        let root = document.object(document.root)
        let expected = keys.indices.sorted { a, b in
            keys[a] == keys[b] ? a < b : keys[a].lexicographicallyPrecedes(keys[b])
        }
        var all = PairOrder(document, .sorted, dropsDuplicates: false)
        #expect(all.positions(of: root) == expected.map { UInt32($0) })
        var counted = PairOrder(document, .sorted, dropsDuplicates: true)
        let firsts = expected.enumerated().filter {
            $0.offset == 0 || keys[expected[$0.offset - 1]] != keys[$0.element]
        }
        #expect(counted.positions(of: root) == firsts.map { UInt32($0.element) })
    }

    @Test func numbersOfAnyWidth() throws {
        // Keys: a 1-byte UID, a 7-byte UID, a 1-byte integer and an 8-byte integer.
        let keys: [[UInt8]] = [[0x80, 3], [0x86, 0, 0, 0, 0, 0, 0, 0], [0x10, 3], [0x13, 0, 0, 0, 0, 0, 0, 0, 2]]
        var file = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for key in keys {
            offsets.append(UInt8(file.count))
            file += key
        }
        offsets.append(UInt8(file.count))
        file += [0xD4, 0, 1, 2, 3, 0, 0, 0, 0]
        let table = UInt8(file.count)
        file += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [5, 4, table].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] }
        let document = try Document.read(file, as: .binary)
        var order = PairOrder(document, .sorted, dropsDuplicates: false)
        #expect(order.positions(of: document.object(document.root)) == [3, 2, 1, 0])
    }
}
