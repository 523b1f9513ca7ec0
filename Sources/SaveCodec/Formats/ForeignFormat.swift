/// A format that saves come in and that is not read: named, so that nobody looks for damage in a sound file.
enum ForeignFormat: String {
    case bplist15, bplist16, bplist17
    case nibArchive = "nib-archive"
    case typedStream = "typedstream"
    case bookmark, gzip, bzip2, xz, zstd, zlib, zip, sqlite, png
    case geometryDash = "geometry-dash"
    case dotNet = "dotnet"
    case machO = "mach-o"

    /// The format that the first bytes of a file belong to.
    static func recognize(_ bytes: [UInt8]) -> ForeignFormat? {
        switch bytes.first {
        case 0x62: first(of: [.bplist15, .bplist16, .bplist17, .bookmark], in: bytes)
        case 0x78: [0x01, 0x5E, 0x9C, 0xDA].contains(bytes.dropFirst().first) ? .zlib : nil
        default:
            first(
                of: [
                    .nibArchive, .typedStream, .gzip, .bzip2, .xz, .zstd, .zip, .sqlite, .png, .geometryDash, .dotNet,
                    .machO,
                ], in: bytes)
        }
    }

    private static func first(of formats: [ForeignFormat], in bytes: [UInt8]) -> ForeignFormat? {
        formats.first { format in format.signatures.contains { bytes.starts(with: $0) } }
    }

    private var signatures: [[UInt8]] {
        switch self {
        case .bplist15, .bplist16, .bplist17: [Array(rawValue.utf8)]
        case .nibArchive: [Array("NIBArchive".utf8)]
        case .typedStream: [Array("\u{4}\u{B}streamtyped".utf8), Array("\u{4}\u{B}typedstream".utf8)]
        case .bookmark: [Array("book\0\0\0\0".utf8)]
        case .gzip: [[0x1F, 0x8B]]
        case .bzip2: (1...9).map { Array("BZh\($0)1AY&SY".utf8) }
        case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
        case .zstd: [[0x28, 0xB5, 0x2F, 0xFD]]
        case .zlib: []
        case .zip: [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]]
        case .sqlite: [Array("SQLite format 3\0".utf8)]
        case .png: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]]
        // The Base64 of a gzip header, "H4sIAA", with every byte combined with 11.
        case .geometryDash: [Array("C?xBJJ".utf8)]
        case .dotNet: [[0x00, 0x01, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]]
        case .machO:
            [
                [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE], [0xCF, 0xFA, 0xED, 0xFE],
                [0xCA, 0xFE, 0xBA, 0xBE],
            ]
        }
    }

    /// What was found, and what to do about it, as a sentence.
    var sentence: String {
        switch self {
        case .bplist15, .bplist16, .bplist17:
            "\(rawValue): unsupported stream variant of the binary property list; expected bplist00"
        case .nibArchive: "this is an archive of interface objects (NIBArchive), not a property list"
        case .typedStream: "this is a typedstream, the archive of NSArchiver; expected one of NSKeyedArchiver"
        case .bookmark: "this is a file bookmark, not a property list"
        case .gzip, .bzip2, .xz, .zstd, .zlib: "this is compressed by \(rawValue); decompress it first"
        case .zip: "this is a zip archive; unpack it first"
        case .sqlite: "this is an SQLite database, not a property list"
        case .png: "this is a PNG image, not a property list"
        case .geometryDash:
            "this is a save of Geometry Dash, an XML property list behind XOR 11, Base64 and gzip; decode it first"
        case .dotNet: "this is a stream of .NET objects, not a property list"
        case .machO: "this is a program, not a property list"
        }
    }
}
