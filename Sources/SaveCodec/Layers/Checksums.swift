/// The checksum of gzip (RFC 1952 §8), with the polynomial 0xEDB88320 and the lowest bit first.
///
///     "123456789"  ─▶  CBF43926
package enum CRC32 {
    /// Returns the checksum of bytes.
    ///
    /// - Parameter start: The checksum of the preceding bytes.
    package static func checksum(of bytes: Span<UInt8>, from start: UInt32 = 0) -> UInt32 {
        let table = table.span
        var crc = ~start
        var position = 0
        // Processes eight bytes at a time. Each has its own table, which accounts for the bytes after it.
        while position <= bytes.count &- 8 {
            var word: UInt64 = bytes.load(at: position) ^ UInt64(crc)
            crc = 0
            var start = 7 * 256
            while start >= 0 {
                crc ^= table[start &+ Int(truncatingIfNeeded: word & 0xFF)]
                word &>>= 8
                start &-= 256
            }
            position &+= 8
        }
        while position < bytes.count {
            crc = table[Int(truncatingIfNeeded: crc ^ UInt32(bytes[position])) & 0xFF] ^ crc &>> 8
            position &+= 1
        }
        return ~crc
    }

    /// The checksum of each byte, followed by the checksums of each byte with one to seven zero bytes after it.
    private static let table: [UInt32] = {
        var table: [UInt32] = (0..<256).map { byte in
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
            return crc
        }
        for index in 256..<2048 {
            let crc = table[index - 256]
            table.append(table[Int(crc & 0xFF)] ^ crc >> 8)
        }
        return table
    }()
}

/// The checksum of zlib (RFC 1950 §8.2): one plus the sum of the bytes, and the sum of the values that the first sum
/// takes after each byte, both modulo 65521.
///
///     "Wikipedia"  ─▶  11E60398
enum Adler32 {
    private static let modulus: UInt32 = 65521
    /// The maximum number of bytes that can be added before a sum may exceed 32 bits.
    private static let runLength = 5552

    static func checksum(of bytes: Span<UInt8>) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        var position = 0
        while position < bytes.count {
            let end = min(position &+ runLength, bytes.count)
            while position < end {
                a &+= UInt32(bytes[position])
                b &+= a
                position &+= 1
            }
            a %= modulus
            b %= modulus
        }
        return b << 16 | a
    }
}
