import SaveCodec

/// A file within a file: what the bytes of a data value are, told by their beginning.
package enum Payload: String, Sendable, CaseIterable {
    /// `bplist00`, often a keyed archive.
    case binaryPropertyList = "binary property list"
    /// `<?xml`.
    case xml = "XML text"
    /// The archive of NSArchiver.
    case typedStream = "typedstream"
    /// A reference to a file that follows it when it is moved.
    case bookmark = "bookmark"
    /// A picture.
    case png = "PNG image"
    /// A picture.
    case jpeg = "JPEG image"
    /// A file compressed by gzip, which has one method only.
    case gzip = "gzip file"
    /// A zip archive.
    case zip = "zip archive"
    /// A database.
    case sqlite = "SQLite database"

    /// What the bytes are, if they begin like one of these.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard let kind = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
        self = kind
    }

    private func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .binaryPropertyList: bytes.starts(with: "bplist".utf8)
        case .xml: bytes.starts(with: "<?xml".utf8)
        case .typedStream: TypedStream.begins(bytes)
        case .bookmark: bytes.starts(with: "book\0\0\0\0".utf8)
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gzip: bytes.starts(with: [0x1F, 0x8B, 0x08])
        case .zip: bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
        case .sqlite: bytes.starts(with: "SQLite format 3\0".utf8)
        }
    }
}
