/// Base64 (RFC 4648 §4) with the alphabet that includes `+` and `/`, padded.
///
///     66 6F 6F 62  ──▶  Zm9vYg==
///
/// It is written as a single line or in the lines of an XML property list, and read strictly or as Core Foundation
/// reads it.
enum Base64 {
    /// Writes a range of `source` without line breaks.
    static func write(_ source: [UInt8], in range: Range<Int>, to output: inout ByteWriter) {
        write(source.span.extracting(range), to: &output)
    }

    /// Writes bytes without line breaks.
    static func write(_ bytes: Span<UInt8>, to output: inout ByteWriter) {
        var position = 0
        while position + 6 <= bytes.count {
            let upper = triple(bytes, at: position)
            let lower = triple(bytes, at: position + 3)
            output.writeBigEndian(characters(upper << 32 | lower), width: 8)
            position += 6
        }
        if position + 3 <= bytes.count {
            output.writeBigEndian(characters(triple(bytes, at: position)), width: 4)
            position += 3
        }
        if position < bytes.count {
            writeLast(bytes.extracting(position..<bytes.count), to: &output)
        }
    }

    /// Writes a range of `source` in lines. Each begins with tabs and ends with a line feed.
    ///
    /// - Parameters:
    ///   - source: The bytes.
    ///   - range: The range to write.
    ///   - lineLength: The number of characters per line, a multiple of four. The last line may be shorter.
    ///   - indent: The number of tabs.
    ///   - output: The writer.
    static func writeLines(
        _ source: [UInt8], in range: Range<Int>, lineLength: Int, indent: Int, to output: inout ByteWriter
    ) {
        let step = max(lineLength / 4, 1) * 3
        var start = range.lowerBound
        while start < range.upperBound {
            let end = range.upperBound - start > step ? start + step : range.upperBound
            output.write(UInt8(ascii: "\t"), times: indent)
            write(source, in: start..<end, to: &output)
            output.write(UInt8(ascii: "\n"))
            start = end
        }
    }

    /// Decodes a text strictly.
    ///
    /// - Returns: The bytes, or the offset of the first invalid character: one outside the alphabet, misplaced or
    ///   missing padding, or set bits after the end of the data.
    static func decode(_ text: Span<UInt8>) -> Result<[UInt8], DecodingFault> {
        decode(text, isLenient: false).map(\.bytes)
    }

    /// Decodes a text by the rules of Core Foundation's reader of XML property lists.
    ///
    /// ASCII characters outside the alphabet are skipped, and an incomplete last quantum is dropped. An `=` counts as
    /// six zero bits at any position. Each `=` at the end of a quantum, up to two, removes one of its bytes. Non-ASCII
    /// characters are invalid.
    static func decodeLenient(_ text: Span<UInt8>) -> Result<LenientResult, DecodingFault> {
        decode(text, isLenient: true)
    }

    struct LenientResult: Equatable {
        var bytes: [UInt8]
        /// Whether ``decode(_:)`` would accept the text without its white space.
        var isClean: Bool
        /// The number of dropped characters of an incomplete last quantum, 0 to 3, or 0 if the text has other defects.
        var dropped = 0
    }

    /// The location of the first invalid character.
    struct DecodingFault: Error, Equatable {
        /// The offset in the text.
        let offset: Int
    }
}

// MARK: - Writing

extension Base64 {
    /// Writes one or two bytes as two or three characters and padding.
    private static func writeLast(_ bytes: Span<UInt8>, to output: inout ByteWriter) {
        let second = bytes.count > 1 ? UInt64(bytes[1]) : 0
        let quantum = characters(UInt64(bytes[0]) << 16 | second << 8)
        let padding: UInt64 = bytes.count > 1 ? 0xFF : 0xFFFF
        output.writeBigEndian(quantum & ~padding | 0x3D3D & padding, width: 4)
    }

    private static func triple(_ bytes: Span<UInt8>, at position: Int) -> UInt64 {
        UInt64(bytes[position]) << 16 | UInt64(bytes[position + 1]) << 8 | UInt64(bytes[position + 2])
    }

    /// Returns the eight characters for two groups of 24 bits, one in each half of the word.
    ///
    /// The groups are split in half twice, in all lanes at once. Each of the eight sextets is then mapped to its
    /// letter: by adding the distance from 0 to `A`, then by adding the gaps in ASCII before `a`, `0`, `+` and `/`.
    @inline(__always)
    private static func characters(_ groups: UInt64) -> UInt64 {
        let twelves = (groups << 4) & 0x0FFF_0000_0FFF_0000 | groups & 0x0000_0FFF_0000_0FFF
        let sixes = (twelves << 2) & 0x3F00_3F00_3F00_3F00 | twelves & 0x003F_003F_003F_003F
        let capitals = sixes &+ ones &* 65
        let letters = capitals &+ isAtLeast(26, sixes) &* 6
        let lettersAndDigits = letters &- isAtLeast(52, sixes) &* 75
        return lettersAndDigits &- isAtLeast(62, sixes) &* 15 &+ isAtLeast(63, sixes) &* 3
    }

    /// Returns a word with 1 in each byte whose value is at least `bound`, and 0 in the others. Values are below 64.
    private static func isAtLeast(_ bound: UInt64, _ lanes: UInt64) -> UInt64 {
        (lanes &+ ones &* (128 - bound)) >> 7 & ones
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
}

// MARK: - Reading

extension Base64 {
    private static func decode(_ text: Span<UInt8>, isLenient: Bool) -> Result<LenientResult, DecodingFault> {
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3)
        var output = bytes.mutableSpan
        var decoder = Decoder()
        var isClean = true
        var position = 0
        while position < text.count {
            if decoder.isBetweenQuanta, !decoder.isAtEnd || isLenient {
                let quanta = decodeQuanta(text, from: position, to: &output, at: decoder.count)
                position += quanta * 4
                if quanta > 0 {
                    isClean = isClean && !decoder.isAtEnd
                    decoder.passQuanta(quanta)
                    continue
                }
            }
            let character = text[position]
            if isLenient {
                if character >= 0x80 { return .failure(DecodingFault(offset: position)) }
                position += 1
                if character.isSpace { continue }
                if decoder.take(character, to: &output) != nil { isClean = false }
            } else {
                if let distance = decoder.take(character, to: &output) {
                    return .failure(DecodingFault(offset: position - distance))
                }
                position += 1
            }
        }
        guard isLenient || decoder.isBetweenQuanta else {
            return .failure(DecodingFault(offset: position - decoder.padding))
        }
        bytes.removeLast(bytes.count - decoder.count)
        return .success(
            LenientResult(
                bytes: bytes, isClean: isClean && decoder.isBetweenQuanta, dropped: isClean ? decoder.length : 0))
    }

    private struct Decoder {
        /// The number of decoded bytes.
        private(set) var count = 0
        /// The bits of the current quantum so far.
        private var bits: UInt32 = 0
        /// The number of characters of the current quantum so far, 0 to 3.
        private(set) var length = 0
        /// The number of consecutive `=`, which Core Foundation counts across quanta.
        private(set) var padding = 0
        /// Whether padding has ended a quantum, after which no more may follow.
        private(set) var isAtEnd = false

        var isBetweenQuanta: Bool { length == 0 }

        /// Records that complete quanta were decoded without this decoder.
        mutating func passQuanta(_ quanta: Int) {
            count += quanta * 3
            padding = 0
        }

        /// Processes the next character.
        ///
        /// - Returns: Nil if RFC 4648 allows the character. Otherwise, the distance from this character back to the
        ///   first one that it does not allow.
        mutating func take(_ character: UInt8, to output: inout MutableSpan<UInt8>) -> Int? {
            let value = sextet(character)
            guard character == UInt8(ascii: "=") else {
                let isAllowed = value < 64 && padding == 0 && !isAtEnd
                let distance = padding
                padding = 0
                if value < 64 { _ = append(value, to: &output) }
                return isAllowed ? nil : distance
            }
            let isMisplaced = length < 2 || isAtEnd
            padding += 1
            let hasRest = append(0, to: &output)
            return isMisplaced ? padding - 1 : hasRest ? padding : nil
        }

        /// Adds six bits to the quantum. Returns whether this completes it with set bits that belong to no byte.
        private mutating func append(_ value: UInt32, to output: inout MutableSpan<UInt8>) -> Bool {
            bits = bits << 6 | value
            length += 1
            guard length == 4 else { return false }
            let size = 3 - min(padding, 2)
            for index in 0..<size {
                output[count + index] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
            }
            count += size
            isAtEnd = isAtEnd || padding > 0
            let hasRest = padding > 0 && bits << UInt32(8 * size + 8) != 0
            (bits, length) = (0, 0)
            return hasRest
        }
    }

    /// Decodes quanta of four characters from `start` on, up to the first with a character outside the alphabet.
    ///
    /// Writes the bytes at `offset` of the output, and returns the number of quanta.
    private static func decodeQuanta(
        _ text: Span<UInt8>, from start: Int, to output: inout MutableSpan<UInt8>, at offset: Int
    ) -> Int {
        var position = start
        var end = offset
        while position + 4 <= text.count {
            let upper = sextet(text[position]) << 18 | sextet(text[position + 1]) << 12
            let value = upper | sextet(text[position + 2]) << 6 | sextet(text[position + 3])
            guard value <= 0xFFFFFF else { break }
            output[end] = UInt8(truncatingIfNeeded: value >> 16)
            output[end + 1] = UInt8(truncatingIfNeeded: value >> 8)
            output[end + 2] = UInt8(truncatingIfNeeded: value)
            position += 4
            end += 3
        }
        return (position - start) / 4
    }

    /// Returns the six bits of a character, or a value with all bits set for one outside the alphabet.
    fileprivate static func sextet(_ character: UInt8) -> UInt32 {
        character < 0x80 ? UInt32(truncatingIfNeeded: values[Int(character)]) : .max
    }

    /// The value of each ASCII character, or −1 outside the alphabet.
    private static let values: [Int8] = [
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 62, -1, -1, -1, 63,
        52, 53, 54, 55, 56, 57, 58, 59, 60, 61, -1, -1, -1, -1, -1, -1,
        -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
        15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, -1, -1, -1, -1, -1,
        -1, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
        41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, -1, -1, -1, -1, -1,
    ]
}
