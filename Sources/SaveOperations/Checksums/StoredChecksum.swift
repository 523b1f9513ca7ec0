package import SaveCodec

/// A computed checksum.
package struct Checksum: Sendable, Equatable {
    /// The bytes, most significant first.
    let bytes: [UInt8]

    init(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) {
        self.bytes = algorithm.digest(of: bytes)
    }
}

/// The stored form of a checksum: a string of hexadecimal digits or Base64, data, or an integer.
package enum StoredChecksum: Sendable {
    case hexadecimal([UInt8], isUppercase: Bool)
    case base64([UInt8], Base64Form)
    case data([UInt8])
    /// - Parameter isSigned: Whether values of 2^31 and more are stored as negative numbers.
    case integer(UInt32, isSigned: Bool)

    /// Creates the form of a stored value; nil if it cannot be a checksum.
    init?(_ node: Node, of algorithm: DigestAlgorithm) {
        switch node {
        case .data(let bytes) where bytes.count == algorithm.size: self = .data(Array(bytes))
        case .integer(let integer) where algorithm == .crc32:
            if let number = UInt32(exactly: integer.value) {
                self = .integer(number, isSigned: false)
            } else if let number = Int32(exactly: integer.value) {
                self = .integer(UInt32(bitPattern: number), isSigned: true)
            } else {
                return nil
            }
        case .string(let text) where text.count <= 4 * algorithm.size && text.allSatisfy { $0 < 0x80 }:
            self.init(text: text.map { UInt8(truncatingIfNeeded: $0) }, of: algorithm.size)
        default: return nil
        }
    }

    /// Creates the form of a checksum stored as text; nil if the text cannot be a checksum.
    init?(text: [UInt8], of size: Int) {
        if let bytes = Hexadecimal.bytes(text.span), bytes.count == size {
            let hasCapitals = text.contains(where: \.isUppercaseHexLetter)
            if hasCapitals, text.contains(where: \.isLowercaseHexLetter) { return nil }
            self = .hexadecimal(bytes, isUppercase: hasCapitals)
        } else if let (bytes, form) = try? Base64Form.decode(text), bytes.count == size {
            self = .base64(bytes, form)
        } else {
            return nil
        }
    }

    /// Whether the stored checksum equals a computed one. Four bytes of data may be in either order.
    package func isSame(as checksum: Checksum) -> Bool {
        switch self {
        case .hexadecimal(let bytes, _), .base64(let bytes, _): bytes == checksum.bytes
        case .data(let bytes): bytes == checksum.bytes || bytes.count == 4 && bytes == checksum.bytes.reversed()
        case .integer(let number, _): DigestBlocks.bytes(of: [number]) == checksum.bytes
        }
    }

    /// Returns the bytes of the text or data that stores a checksum in this form.
    ///
    /// - Parameter old: The checksum that was correct before the edit. It shows the byte order of four bytes of data.
    func bytes(_ checksum: Checksum, insteadOf old: Checksum?) -> [UInt8] {
        switch self {
        case .hexadecimal(_, let isUppercase):
            return Array(Hexadecimal.text(of: checksum.bytes, uppercase: isUppercase).utf8)
        case .base64(_, let form): return form.encode(checksum.bytes)
        case .data(let bytes):
            let isReversed = bytes.count == 4 && bytes == old?.bytes.reversed() && bytes != old?.bytes
            return isReversed ? checksum.bytes.reversed() : checksum.bytes
        case .integer: return checksum.bytes
        }
    }

    /// Returns the value to store for a checksum, in this form.
    package func value(_ checksum: Checksum, insteadOf old: Checksum?) throws(Problem) -> GivenValue {
        let bytes = bytes(checksum, insteadOf: old)
        switch self {
        case .hexadecimal, .base64:
            let text = String(decoding: bytes, as: UTF8.self)
            return try GivenValue { $0.add(string: text) }
        case .data: return try GivenValue { $0.add(data: bytes.span) }
        case .integer(_, let isSigned):
            let number = bytes.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            let value = isSigned ? Int128(Int32(bitPattern: number)) : Int128(number)
            return try GivenValue { $0.add(integer: value) }
        }
    }
}

/// A file that holds the checksum of a save, such as `game.dat.sha256`.
///
/// The file either begins with hexadecimal digits or Base64, which other text may follow as in the files of `sha1sum`,
/// or consists of the bytes of the checksum.
package struct ChecksumFile: Sendable {
    package let stored: StoredChecksum
    /// The text before and after the checksum.
    private let before: ArraySlice<UInt8>
    private let after: ArraySlice<UInt8>

    /// Finds the checksum in a file.
    ///
    /// - Throws: `fixup.form` if the file does not begin with a checksum.
    package init(_ file: [UInt8], of algorithm: DigestAlgorithm) throws(Problem) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = file.starts(with: mark) ? file[mark.count...] : file[...]
        let start = text.firstIndex { !$0.isSpace } ?? text.endIndex
        let end = text[start...].firstIndex(where: \.isSpace) ?? text.endIndex
        if let stored = StoredChecksum(text: Array(text[start..<end]), of: algorithm.size) {
            (self.stored, before, after) = (stored, file[..<start], file[end...])
        } else if file.count == algorithm.size {
            (stored, before, after) = (.data(file), [], [])
        } else {
            throw .badChecksum(Phrase.count(file.count, "byte"), of: algorithm)
        }
    }

    /// Returns the file with another checksum.
    ///
    /// - Parameter old: The checksum that was correct before the edit, if it is known.
    package func bytes(_ checksum: Checksum, insteadOf old: Checksum?) -> [UInt8] {
        before + stored.bytes(checksum, insteadOf: old) + after
    }
}
