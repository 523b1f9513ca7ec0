package import SaveCodec

/// A checksum before or after a save in the same file: digits or Base64, or the bytes of the checksum.
///
///     53 41 56 45   C2 41 24 35   1F 8B …               byte 4
///     magic         CRC-32        what it covers
///
///     1F 8B …            C2 41 24 35                    byte -4
///     what it covers     CRC-32
package struct OutsideChecksum: Sendable {
    package let update: ChecksumUpdate
    /// The checksum before the edit.
    package let stored: StoredChecksum
    private let offset: FileOffset
    /// The size of the stored checksum.
    private let size: Int

    /// Finds the checksum in a file. If its bytes could be read in several ways, the way in which it is correct is
    /// chosen.
    ///
    /// - Throws: `fixup.form` if there is no checksum at the offset, before or after the save.
    package init(of update: ChecksumUpdate, at offset: FileOffset, in save: Save) throws(Problem) {
        let (size, header, file) = (update.algorithm.size, save.layers.headerSize, save.wrapped)
        let start = offset.inFile(of: file.count)
        let trailer = file.count - save.layers.followingByteCount
        let range = offset.number < 0 ? trailer..<file.count : 0..<min(header, file.count)
        func bytes(_ count: Int) -> [UInt8]? {
            range.contains(start) && count <= range.upperBound - start ? Array(file[start..<start + count]) : nil
        }
        let texts = [2 * size, (size + 2) / 3 * 4].compactMap { count in
            bytes(count).flatMap { StoredChecksum(text: $0, of: size) }.map { (stored: $0, count: count) }
        }
        let candidates = (texts + (bytes(size).map { [(.data($0), size)] } ?? [])).map { stored, count in
            OutsideChecksum(update: update, stored: stored, offset: offset, size: count)
        }
        guard let first = candidates.first else {
            let found =
                offset.number < 0
                ? "\(Phrase.count(range.count, "byte")) after the save" : "a header that ends at byte \(header)"
            throw .badChecksum(found, of: update.algorithm, at: start < 0 ? nil : .byte(start))
        }
        self =
            candidates.first { candidate in
                let covered = try? candidate.covered(in: save, file: save.wrapped)
                return (try? covered?.form(of: candidate.stored)) != nil
            } ?? first
    }

    private init(update: ChecksumUpdate, stored: StoredChecksum, offset: FileOffset, size: Int) {
        (self.update, self.stored, self.offset, self.size) = (update, stored, offset, size)
    }

    /// Returns the location of the checksum in a file of some size.
    package func range(inFileOf count: Int) -> Range<Int> {
        let start = offset.inFile(of: count)
        return start..<start + size
    }

    /// Returns the bytes that the checksum covers.
    ///
    /// - Parameter file: The file with all its layers, before the user's program is run on it.
    /// - Throws: `fixup.covered` if they include the checksum itself.
    package func covered(in save: Save, file: [UInt8]) throws(Problem) -> CoveredBytes {
        let range = range(inFileOf: file.count)
        for case .stretch(let from, let to) in update.parts {
            let (start, end) = (from.inFile(of: file.count), to?.inFile(of: file.count) ?? file.count)
            guard start < range.upperBound, range.lowerBound < end else { continue }
            throw Problem(
                "fixup.covered",
                "the checksum at bytes \(range.lowerBound) to \(range.upperBound) is inside the covered bytes, \(start) to "
                    + "\(end); a checksum cannot cover itself", at: .byte(range.lowerBound))
        }
        return try CoveredBytes(of: update, in: save, file: writing([UInt8](repeating: 0, count: size), to: file))
    }

    /// Returns a file with a checksum.
    ///
    /// - Parameter old: The checksum that was correct before the edit, if it is known.
    package func file(_ file: [UInt8], with checksum: Checksum, insteadOf old: Checksum?) -> [UInt8] {
        writing(stored.bytes(checksum, insteadOf: old), to: file)
    }

    private func writing(_ bytes: [UInt8], to file: [UInt8]) -> [UInt8] {
        let range = range(inFileOf: file.count)
        guard bytes.count == range.count, 0 <= range.lowerBound, range.upperBound <= file.count else { return file }
        var file = file
        file.replaceSubrange(range, with: bytes)
        return file
    }
}
