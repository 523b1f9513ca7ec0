package import SaveCodec

/// A checksum in the header of a file: digits or Base64, or the bytes of the checksum.
///
///     53 41 56 45   C2 41 24 35   1F 8B …
///     magic         CRC-32        what it covers
package struct HeaderChecksum: Sendable {
    package let update: ChecksumUpdate
    /// The checksum before the edit.
    package let stored: StoredChecksum
    /// The location of the checksum in the file.
    package let range: Range<Int>

    /// Finds the checksum in a file. If its bytes can be read in several ways, chooses the first that gives the correct
    /// checksum, or the first of all if none does.
    ///
    /// - Throws: `fixup.form` if the header has no checksum at the offset.
    package init(of update: ChecksumUpdate, at offset: Int, in save: Save) throws(Problem) {
        let (size, header) = (update.algorithm.size, save.layers.headerSize)
        func bytes(_ count: Int) -> [UInt8]? {
            let (end, isBeyond) = offset.addingReportingOverflow(count)
            return isBeyond || end > min(header, save.wrapped.count) ? nil : Array(save.wrapped[offset..<end])
        }
        let texts = [2 * size, (size + 2) / 3 * 4].compactMap { count in
            bytes(count).flatMap { StoredChecksum(text: $0, of: size) }.map { (stored: $0, count: count) }
        }
        let candidates = (texts + (bytes(size).map { [(.data($0), size)] } ?? [])).map { stored, count in
            HeaderChecksum(update: update, stored: stored, range: offset..<offset + count)
        }
        guard let first = candidates.first else {
            throw .badChecksum("a header that ends at byte \(header)", of: update.algorithm, at: .byte(offset))
        }
        self =
            candidates.first { candidate in
                let covered = try? candidate.covered(in: save, file: save.wrapped)
                return (try? covered?.form(of: candidate.stored)) != nil
            } ?? first
    }

    private init(update: ChecksumUpdate, stored: StoredChecksum, range: Range<Int>) {
        (self.update, self.stored, self.range) = (update, stored, range)
    }

    /// Returns the bytes that the checksum covers.
    ///
    /// - Parameter file: The file with all its layers, before an output filter of the user is run on it.
    /// - Throws: `fixup.covered` if a part that begins at an offset would include the checksum itself.
    package func covered(in save: Save, file: [UInt8]) throws(Problem) -> CoveredBytes {
        for case .rest(let offset) in update.parts where offset < range.upperBound {
            throw Problem(
                "fixup.covered",
                "the checksum ends at byte \(range.upperBound), but the file is covered from byte \(offset); a checksum "
                    + "cannot cover itself", at: .byte(range.lowerBound))
        }
        return try CoveredBytes(
            of: update, in: save, file: writing([UInt8](repeating: 0, count: range.count), to: file))
    }

    /// Returns a file with a checksum.
    ///
    /// - Parameter old: The checksum that was correct before the edit, if it is known.
    package func file(_ file: [UInt8], with checksum: Checksum, insteadOf old: Checksum?) -> [UInt8] {
        writing(stored.bytes(checksum, insteadOf: old), to: file)
    }

    private func writing(_ bytes: [UInt8], to file: [UInt8]) -> [UInt8] {
        guard bytes.count == range.count, range.upperBound <= file.count else { return file }
        var file = file
        file.replaceSubrange(range, with: bytes)
        return file
    }
}
