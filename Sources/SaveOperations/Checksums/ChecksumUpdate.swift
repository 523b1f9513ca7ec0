package import KeyedArchives
package import SaveCodec

/// A checksum stored in a save over another value in it, which is recomputed after an edit:
///
///     sha1:/checksum over /payload
///
/// The checksum covers the bytes of data or the UTF-8 of a string. It keeps its encoding, see ``StoredChecksum``.
package struct ChecksumUpdate: Sendable {
    package let algorithm: DigestAlgorithm
    /// The address of the checksum.
    package let address: JSONPointer
    /// The address of the value that the checksum covers.
    package let covered: JSONPointer

    /// Creates the update of the checksum at an address.
    package init(_ algorithm: DigestAlgorithm, at address: JSONPointer, over covered: JSONPointer) {
        (self.algorithm, self.address, self.covered) = (algorithm, address, covered)
    }

    /// Returns the correct checksum for a save; nil if the covered value does not exist.
    ///
    /// - Throws: `fixup.covered` if the covered value is neither data nor a string with valid UTF-8.
    package func checksum(in view: ObjectView) throws(Problem) -> Checksum? {
        guard case .found(let id, let inner) = view.find(covered) else { return nil }
        switch inner.scalar(id) {
        case .data(let bytes)?: return Checksum(algorithm, of: bytes.span)
        case .string(let text)?:
            if let bytes = text.utf8Bytes { return Checksum(algorithm, of: bytes.span) }
            throw Problem(
                "fixup.covered", "the string has a lone surrogate; a checksum needs valid UTF-8",
                address: covered)
        case let node:
            let found = node.map(TypePhrase.of) ?? "a container"
            throw Problem(
                "fixup.covered", "found \(found); a checksum covers data or a string", address: covered)
        }
    }

    /// Returns the checksum stored in a save; nil if its address does not exist.
    ///
    /// - Throws: `fixup.form` if the value is not a checksum.
    package func present(in view: ObjectView) throws(Problem) -> StoredChecksum? {
        guard case .found(let id, let inner) = view.find(address) else { return nil }
        let node = inner.scalar(id)
        if let node, let form = StoredChecksum(node, of: algorithm) { return form }
        let found = node.map(TypePhrase.of) ?? "a container"
        let number = algorithm == .crc32 ? ", or a 32-bit integer" : ""
        throw Problem(
            "fixup.form",
            "found \(found); expected a \(algorithm.rawValue) checksum: \(2 * algorithm.size) hexadecimal digits in one case, base64 of \(algorithm.size) bytes, data of \(algorithm.size) bytes"
                + number,
            address: address)
    }
}

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

    private init?(text: [UInt8], of size: Int) {
        if let bytes = Hexadecimal.bytes(text.span), bytes.count == size {
            let hasCapitals = text.contains { (0x41...0x46).contains($0) }
            if hasCapitals, text.contains(where: { (0x61...0x66).contains($0) }) { return nil }
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

    /// Returns the value to store for a checksum, in this form.
    ///
    /// - Parameter old: The checksum that was correct before the edit. It shows the byte order of four bytes of data.
    package func value(_ checksum: Checksum, insteadOf old: Checksum?) throws(Problem) -> GivenValue {
        switch self {
        case .hexadecimal(_, let isUppercase):
            let text = Hexadecimal.text(of: checksum.bytes, uppercase: isUppercase)
            return try GivenValue { $0.add(string: text) }
        case .base64(_, let form):
            let text = String(decoding: form.encode(checksum.bytes), as: UTF8.self)
            return try GivenValue { $0.add(string: text) }
        case .data(let bytes):
            let isReversed = bytes.count == 4 && bytes == old?.bytes.reversed() && bytes != old?.bytes
            let new = isReversed ? checksum.bytes.reversed() : checksum.bytes
            return try GivenValue { $0.add(data: new.span) }
        case .integer(_, let isSigned):
            let number = checksum.bytes.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            let value = isSigned ? Int128(Int32(bitPattern: number)) : Int128(number)
            return try GivenValue { $0.add(integer: value) }
        }
    }
}
