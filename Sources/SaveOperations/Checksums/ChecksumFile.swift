package import SaveCodec

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
        let start = text.firstIndex { !Self.isSpace($0) } ?? text.endIndex
        let end = text[start...].firstIndex(where: Self.isSpace) ?? text.endIndex
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

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
