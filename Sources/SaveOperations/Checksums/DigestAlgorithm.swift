import SaveCodec

/// A checksum algorithm.
package enum DigestAlgorithm: String, CaseIterable, Sendable {
    case md5, sha1, sha256, crc32

    /// The length of a checksum, in bytes.
    var size: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .crc32: 4
        }
    }

    /// Returns the checksum of some bytes, most significant byte first for a CRC.
    package func digest(of bytes: Span<UInt8>) -> [UInt8] {
        switch self {
        case .md5: MD5.digest(bytes)
        case .sha1: SHA1.digest(bytes)
        case .sha256: SHA256.digest(bytes)
        case .crc32: DigestBlocks.bytes(of: [CRC32.checksum(of: bytes)])
        }
    }
}
