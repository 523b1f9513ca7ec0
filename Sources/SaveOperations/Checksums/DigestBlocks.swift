/// The 64-byte blocks of a padded message for MD5 and the SHA family (RFC 1321 §3.1, FIPS 180-4 §5.1.1).
///
///     message │ 80 00 … 00 │ length in bits, eight bytes
enum DigestBlocks {
    static let size = 64

    /// Calls a closure with each block.
    ///
    /// - Parameter isBigEndian: Whether the length is stored most significant byte first.
    static func forEach(of message: Span<UInt8>, isBigEndian: Bool, _ body: (Span<UInt8>) -> Void) {
        let whole = message.count / size * size
        for start in stride(from: 0, to: whole, by: size) { body(message.extracting(start..<start + size)) }
        let rest = message.count - whole
        var ending = [UInt8](repeating: 0, count: rest < size - 8 ? size : 2 * size)
        for position in 0..<rest { ending[position] = message[whole + position] }
        ending[rest] = 0x80
        let bits = UInt64(message.count) << 3
        for position in 0..<8 {
            let byte = UInt8(truncatingIfNeeded: bits >> UInt64(8 * position))
            ending[isBigEndian ? ending.count - 1 - position : ending.count - 8 + position] = byte
        }
        for start in stride(from: 0, to: ending.count, by: size) { body(ending.span.extracting(start..<start + size)) }
    }

    /// Returns the words of a block, each stored most significant byte first.
    static func words(of block: Span<UInt8>) -> [UInt32] {
        (0..<16).map { word in
            var value: UInt32 = 0
            for position in 4 * word..<4 * word + 4 { value = value << 8 | UInt32(block[position]) }
            return value
        }
    }

    /// Returns the bytes of words, most significant first.
    static func bytes(of words: [UInt32]) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }
}
