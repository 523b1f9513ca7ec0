import Testing

@testable import SaveCodec

@Suite struct ByteWriterTests {
    /// A list of numbers has the same bytes as its numbers written one by one, also where it crosses the end of the
    /// buffer. A reference of a damaged file may be wider than eight bytes.
    @Test(arguments: [1, 2, 3, 4, 7, 8, 9, 16]) func writesListsOfNumbers(width: Int) throws {
        for count in [0, 1, 7, 8, 9, 100] {
            for first in 0..<10 {
                var (list, single): ([UInt8], [UInt8]) = ([], [])
                var output = ByteWriter(pieces: 64) { piece in list += piece.indices.map { piece[$0] } }
                var other = ByteWriter(pieces: 64) { piece in single += piece.indices.map { piece[$0] } }
                output.write(0xFF, times: first)
                other.write(0xFF, times: first)
                output.writeBigEndian(count, width: width) { 0x0102_0304_0506_0708 &* ($0 + 1) }
                for position in 0..<count {
                    let number = 0x0102_0304_0506_0708 &* (position + 1)
                    other.writeBigEndian(UInt64(truncatingIfNeeded: number), width: width)
                }
                try output.finish()
                try other.finish()
                #expect(list.count == first + count * width)
                #expect(list == single)
            }
        }
    }
}
