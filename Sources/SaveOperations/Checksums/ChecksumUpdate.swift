package import KeyedArchives
package import SaveCodec

/// A checksum in a save over another value in it, which is to be right after an edit:
///
///     sha1:/checksum over /payload
///
/// It is taken over the bytes of data, or over the UTF-8 of a text, and written in the form that stands there, see
/// ``ChecksumForm``.
package struct ChecksumUpdate: Sendable {
    package let algorithm: DigestAlgorithm
    /// Where the checksum is.
    package let address: JSONPointer
    /// Where that is which it is taken over.
    package let covered: JSONPointer

    /// Creates one.
    package init(_ algorithm: DigestAlgorithm, at address: JSONPointer, over covered: JSONPointer) {
        (self.algorithm, self.address, self.covered) = (algorithm, address, covered)
    }

    /// The checksum that a save is to have.
    ///
    /// - Throws: `fixup.covered` if there is neither data nor text to take it over.
    package func checksum(in view: ObjectView) throws(Problem) -> Checksum? {
        guard case .found(let id, let inner) = view.find(covered) else { return nil }
        switch inner.scalar(id) {
        case .data(let bytes)?: return Checksum(algorithm, of: bytes.span)
        case .string(let text)?:
            if let bytes = text.utf8Bytes { return Checksum(algorithm, of: bytes.span) }
            throw Problem(
                "fixup.covered", "the string has a lone surrogate, so it has no UTF-8 to take a checksum over",
                address: covered)
        case let node:
            let found = node.map(TypePhrase.of) ?? "a value that contains others"
            throw Problem(
                "fixup.covered", "found \(found); a checksum is taken over data or a text", address: covered)
        }
    }

    /// The checksum that stands in a save; nil if nothing is there.
    ///
    /// - Throws: `fixup.form` if what stands there is none.
    package func present(in view: ObjectView) throws(Problem) -> ChecksumForm? {
        guard case .found(let id, let inner) = view.find(address) else { return nil }
        let node = inner.scalar(id)
        if let node, let form = ChecksumForm(node, of: algorithm) { return form }
        let found = node.map(TypePhrase.of) ?? "a value that contains others"
        let number = algorithm == .crc32 ? ", or an integer of 32 bits" : ""
        throw Problem(
            "fixup.form",
            "found \(found) in no form of a checksum; of \(algorithm.rawValue) that is \(2 * algorithm.size) hexadecimal digits "
                + "in one case, base64 of \(algorithm.size) bytes, data of as many" + number,
            address: address)
    }
}

/// A checksum.
package struct Checksum: Sendable, Equatable {
    /// The highest byte first.
    let bytes: [UInt8]

    init(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) {
        self.bytes = algorithm.digest(of: bytes)
    }
}

/// How a checksum stands in a save: as text in hexadecimal digits or base64, as data, or as an integer.
package enum ChecksumForm: Sendable {
    case hexadecimal([UInt8], isUppercase: Bool)
    case base64([UInt8], Base64Form)
    case data([UInt8])
    /// - Parameter isSigned: whether what is beyond 2^31 stands as a negative number.
    case integer(UInt32, isSigned: Bool)

    /// The form of a value; nil if it is in none that a checksum has.
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

    /// Whether it is a checksum. Data of four bytes may have either order.
    package func isSame(as checksum: Checksum) -> Bool {
        switch self {
        case .hexadecimal(let bytes, _), .base64(let bytes, _): bytes == checksum.bytes
        case .data(let bytes): bytes == checksum.bytes || bytes.count == 4 && bytes == checksum.bytes.reversed()
        case .integer(let number, _): DigestBlocks.bytes(of: [number]) == checksum.bytes
        }
    }

    /// A checksum in this form.
    ///
    /// - Parameter old: the checksum that was right where this stands, by which the order of bytes is known.
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
