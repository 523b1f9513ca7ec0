package import KeyedArchives
package import SaveCodec

/// A checksum of a save, which is recomputed after an edit:
///
///     sha1:/checksum over /payload            stored in the save
///     md5:/sum over "salt" + /payload         over several parts, one after the other
///     sha256:file a.sha256 over file          stored in another file
///     crc32:byte 4 over file from 8           stored in a header
///     crc32:byte -4 over file to -4           stored after the save
///
/// A part that is a value covers the bytes of data, the UTF-8 of a string, or the text of a dictionary or an array; see
/// ``CoveredBytes``. The checksum keeps its encoding; see ``StoredChecksum``.
package struct ChecksumUpdate: Sendable {
    /// The value, the file, or the bytes outside the save, that store a checksum.
    package enum Destination: Sendable {
        /// An address in the save.
        case value(JSONPointer)
        /// The name of another file, in which `*` stands for the name of the save.
        case file(String)
        /// An offset in the header before the save or its layers, or in the bytes after them.
        case byte(FileOffset)
    }

    /// A part of the bytes that a checksum covers.
    package enum Part: Sendable {
        /// The value at an address.
        case value(JSONPointer)
        /// Given bytes, such as a salt.
        case bytes([UInt8])
        /// The whole file, with zeros in place of a checksum outside the save.
        case file
        /// The bytes of the file from an offset on, up to its end or to another offset.
        case stretch(from: FileOffset, to: FileOffset?)
        /// The bytes inside the layers of the file.
        case contents
    }

    package let algorithm: DigestAlgorithm
    package let destination: Destination
    /// The parts that the checksum covers, in order.
    package let parts: [Part]

    /// Creates the update of a checksum.
    package init(_ algorithm: DigestAlgorithm, in destination: Destination, over parts: [Part]) {
        (self.algorithm, self.destination, self.parts) = (algorithm, destination, parts)
    }

    /// The address of the checksum; nil if it is outside the save.
    package var address: JSONPointer? {
        if case .value(let address) = destination { address } else { nil }
    }

    /// Returns the update with changed addresses of the covered values.
    package func mapping(_ change: (JSONPointer) -> JSONPointer) -> ChecksumUpdate {
        ChecksumUpdate(
            algorithm, in: destination,
            over: parts.map { part in
                if case .value(let address) = part { .value(change(address)) } else { part }
            })
    }

    /// Returns the first covered address that does not exist in a save, or nil.
    package func missingPart(in view: ObjectView) -> JSONPointer? {
        for case .value(let address) in parts {
            guard case .found = view.find(address) else { return address }
        }
        return nil
    }

    /// Returns the checksum stored at an address in a save; nil if the address does not exist.
    ///
    /// - Throws: `fixup.form` if the value is not a checksum.
    package func present(at address: JSONPointer, in view: ObjectView) throws(Problem) -> StoredChecksum? {
        guard case .found(let id, let inner) = view.find(address) else { return nil }
        let node = inner.scalar(id)
        if let node, let form = StoredChecksum(node, of: algorithm) { return form }
        let number = algorithm == .crc32 ? ", or a 32-bit integer" : ""
        throw .badChecksum(node.map(TypePhrase.of) ?? "a container", of: algorithm, or: number, address: address)
    }
}

/// An offset in a file whose size may change.
package struct FileOffset: Sendable, Equatable {
    /// The offset; a negative one is counted from the end of the file, so -4 is the offset of its last four bytes.
    package let number: Int

    package init(_ number: Int) { self.number = number }

    /// Returns the offset in a file of some size. It may be outside the file.
    func inFile(of size: Int) -> Int { number < 0 ? size + number : number }
}

extension Problem {
    /// Returns the problem of bytes outside a save that are not the checksum of the file before the edit.
    package static func notAChecksum(_ checksum: String, at offset: Int) -> Problem {
        Problem("fixup.form", "the bytes here are not \(checksum) before the edit; nothing written", at: .byte(offset))
    }

    /// Returns the problem of a value or a file that is not a checksum.
    static func badChecksum(
        _ found: String, of algorithm: DigestAlgorithm, or other: String = "", at location: SourceLocation? = nil,
        address: JSONPointer? = nil
    ) -> Problem {
        let size = algorithm.size
        return Problem(
            "fixup.form",
            "found \(found); expected a \(algorithm.rawValue) checksum: \(2 * size) uppercase or lowercase hexadecimal digits, "
                + "base64 of \(size) bytes, data of \(size) bytes" + other, at: location, address: address)
    }
}
