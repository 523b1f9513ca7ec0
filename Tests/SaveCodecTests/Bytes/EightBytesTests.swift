import Testing

@testable import SaveCodec

@Suite struct EightBytesTests {
    /// Every byte is found at every position, next to neighbors just below and above it.
    @Test func findsFirstByteOfSet() {
        for byte in UInt8.min...UInt8.max {
            for neighbour in [0, byte &- 1, byte, byte &+ 1, 0x7F, 0xFF] {
                for place in 0..<8 {
                    var bytes = [UInt8](repeating: neighbour, count: 8)
                    bytes[place] = byte
                    let word = EightBytes(bytes.span, at: 0)
                    for other in [byte, 0, 0x3C] {
                        #expect(EightBytes.first(word.marks(of: other)) == bytes.firstIndex(of: other) ?? 8)
                    }
                    #expect(EightBytes.first(word.marks(below: 0x20)) == bytes.firstIndex { $0 < 0x20 } ?? 8)
                    #expect(EightBytes.first(word.nonASCII) == bytes.firstIndex { $0 >= 0x80 } ?? 8)
                }
            }
        }
    }

    @Test func readsDigits() {
        for number in [0, 1, 9, 90_000_000, 12_345_678, 87_654_321, 99_999_999] as [UInt64] {
            let text = String(number)
            let digits = Array((String(repeating: "0", count: 8 - text.utf8.count) + text).utf8)
            #expect(EightBytes(digits.span, at: 0).areDigits)
            #expect(EightBytes(digits.span, at: 0).decimalNumber == number)
            for byte in UInt8.min...UInt8.max {
                for place in 0..<8 {
                    var bytes = digits
                    bytes[place] = byte
                    #expect(EightBytes(bytes.span, at: 0).areDigits == (0x30...0x39 ~= byte))
                }
            }
        }
    }

    @Test func ignoresBytesAfterEnd() {
        for count in 0..<20 {
            let bytes = (0..<count).map { UInt8($0 + 1) }
            for start in 0...count {
                for end in start...count {
                    let found = bytes.span.firstIndex(from: start, upTo: end) { $0.marks(of: 0) }
                    #expect(found == end, "no zero is found behind the end")
                    guard end < count else { continue }
                    let next = bytes.span.firstIndex(from: start, upTo: count) { $0.marks(of: bytes[end]) }
                    #expect(next == end)
                    let last = bytes.span.firstIndex(from: start, upTo: end) { $0.marks(of: bytes[end]) }
                    #expect(last == end)
                }
            }
        }
    }

    private func isSame(_ count: Int, in bytes: [UInt8], and other: Int) -> Bool {
        bytes.span.holdsSame(count, at: 0, and: other)
    }

    @Test func comparesBytes() {
        for count in 0..<20 {
            var bytes = (0..<count).map { UInt8($0) } + (0..<count).map { UInt8($0) }
            #expect(isSame(count, in: bytes, and: count))
            for place in 0..<count {
                bytes[place] ^= 0x80
                #expect(!isSame(count, in: bytes, and: count))
                #expect(isSame(place, in: bytes, and: count))
                bytes[place] ^= 0x80
            }
        }
    }
}

@Suite struct RunWritingTests {
    /// Runs of every length are written while the output buffer flushes in the middle of them.
    @Test func copiesUntilFirstStop() throws {
        for length in 0..<40 {
            for stop in 0...length {
                var text = [UInt8](repeating: 0x61, count: length)
                if stop < length { text[stop] = 0x3C }
                var written: [UInt8] = []
                var output = ByteWriter(pieces: 64) { piece in
                    for index in piece.indices { written.append(piece[index]) }
                }
                output.write(0x62, times: 60)
                let end = output.write(text.span, from: 0, upTo: length) { $0.marks(of: 0x3C) }
                #expect(end == stop)
                output.write(0x63, times: 3)
                try output.finish()
                #expect(written == [UInt8](repeating: 0x62, count: 60) + text[..<stop] + [0x63, 0x63, 0x63])
            }
        }
    }
}

@Suite struct ImageBufferTests {
    @Test func removedBytesLeaveNoTrace() {
        var buffer = ImageBuffer([1])
        for count in 0..<40 {
            let text = [UInt8](repeating: 0x61, count: count)
            let start = buffer.count
            let isASCII = buffer.append(ascii: text.span, in: 0..<count)
            #expect(isASCII)
            buffer.removeLast(to: start)
            buffer.append(0x20, UInt64(count), width: 2)
            buffer.append([1, 2, 3, 4, 5], in: 0..<5, by: 2)
            let longer = text + [0x80]
            let isLongerASCII = buffer.append(ascii: longer.span, in: 0..<count + 1)
            #expect(!isLongerASCII)
        }
        var expected: [UInt8] = [1]
        for count in UInt8(0)..<40 { expected += [0x20, 0, count, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 5] }
        let bytes = buffer.takeBytes()
        #expect(bytes == expected)
    }
}
