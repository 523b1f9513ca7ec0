import TestSupport
import Testing

@testable import SaveCodec

@Suite struct DeflateTests {
    private static func deflated(_ bytes: [UInt8], window: Int = 1 << 15) -> [UInt8] {
        var output = ByteWriter()
        Deflate.write(bytes.span, window: window, to: &output)
        return output.takeBytes()
    }

    private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        var output: [UInt8] = []
        let end = try Inflate.read(bytes.span, at: 0, after: &output, hint: 0, room: 1 << 30)
        #expect(end == bytes.count)
        return output
    }

    @Test func compressesShortTexts() {
        #expect(Self.deflated([]) == [0x03, 0x00])
        #expect(Self.deflated(Array("abc".utf8)) == [0x4B, 0x4C, 0x4A, 0x06, 0x00])
        // A literal and a match of length 99 at distance 1.
        #expect(Self.deflated([UInt8](repeating: 0x61, count: 100)).count == 5)
    }

    /// Random bytes with few and with many distinct values, in sizes around the boundaries of blocks and windows.
    @Test func roundTrips() throws {
        var generator = SeededGenerator(seed: 11)
        let sizes =
            Array(0...20) + [
                255, 256, 257, 258, 259, 260, 16_383, 16_385, 32_767, 32_768, 32_769, 65_535, 65_536, 70_000, 140_000,
            ]
        for size in sizes {
            for largest in [0, 1, 4, 255] as [UInt8] {
                let bytes = (0..<size).map { _ in UInt8.random(in: 0...largest, using: &generator) }
                #expect(try Self.inflated(Self.deflated(bytes)) == bytes, "\(size) up to \(largest)")
            }
        }
    }

    /// Codes made for a block are shorter than the fixed ones, also if the most frequent byte is 4,181 times as frequent
    /// as the rarest, whose code would have more than 15 bits.
    @Test func makesCodesForBlocks() throws {
        var generator = SeededGenerator(seed: 3)
        var counts = [1, 1]
        while counts.count < 19 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
        let bytes = counts.enumerated().flatMap { [UInt8](repeating: UInt8($0), count: $1) }
            .shuffled(using: &generator)
        let deflated = Self.deflated(bytes)
        #expect(try Self.inflated(deflated) == bytes)
        #expect(deflated.count < bytes.count * 9 / 20, "\(bytes.count) → \(deflated.count)")
    }

    /// Incompressible data is stored, with a few extra bytes per block.
    @Test func storesRandomBytes() throws {
        var generator = SeededGenerator(seed: 5)
        for size in [1, 100, 65_535, 65_536, 200_000] {
            let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let deflated = Self.deflated(bytes)
            #expect(deflated.count <= size + 5 * (size / 16_384 + 1))
            #expect(try Self.inflated(deflated) == bytes)
        }
    }

    @Test func limitsMatchesToWindow() throws {
        let word = Array("a word of its own".utf8)
        for window in [256, 1 << 15] {
            for distance in [window - 1, window, window + 1] {
                let bytes = word + [UInt8](repeating: 0x2E, count: distance - word.count) + word
                let deflated = Self.deflated(bytes, window: window)
                #expect(try Self.inflated(deflated) == bytes)
                let isMatched =
                    deflated.count < Self.deflated(Array(bytes.dropLast(word.count)), window: window).count + 8
                #expect(isMatched == (distance <= window), "\(distance)")
            }
        }
    }

    @Test(arguments: ["a", "ab", "abcabcabd", "\0"])
    func takesLinearTime(_ unit: String) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(200_000, long: 2_000_000)) { count in
            let bytes = Array(repeatElement(Array(unit.utf8), count: count / unit.utf8.count).joined())
            return { _ = Self.deflated(bytes) }
        }
        #expect(isLinear)
    }
}
