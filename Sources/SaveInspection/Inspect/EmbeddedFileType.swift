import SaveCodec

/// The type of a file in a data value, detected from its first bytes.
package enum EmbeddedFileType: String, Sendable, CaseIterable {
    /// `bplist00`, often a keyed archive.
    case binaryPropertyList = "binary property list"
    /// `<?xml`.
    case xml = "XML text"
    /// An archive of NSArchiver.
    case typedStream = "typedstream"
    /// A reference to a file that stays valid if the file is moved.
    case bookmark = "bookmark"
    case png = "PNG image"
    case jpeg = "JPEG image"
    /// A gzip file with the only compression method, DEFLATE.
    case gzip = "gzip file"
    case zip = "zip archive"
    case sqlite = "SQLite database"

    /// Detects the type of a file; nil for any other data.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard let kind = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
        self = kind
    }

    private func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .binaryPropertyList: BinaryPlist.begins(bytes)
        case .xml: bytes.starts(with: "<?xml".utf8)
        case .typedStream: TypedStream.begins(bytes)
        case .bookmark: bytes.starts(with: "book\0\0\0\0".utf8)
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gzip: bytes.starts(with: [0x1F, 0x8B, 0x08])
        case .zip: bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
        case .sqlite: SQLite.begins(bytes)
        }
    }
}
