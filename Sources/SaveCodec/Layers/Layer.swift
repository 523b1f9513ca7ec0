/// One layer around the contents of a file, with the details needed to apply it to other contents.
enum Layer: Sendable, Equatable {
    case gzip(Gzip)
    case zlib(Zlib)
    case base64(Base64Form)
    case hexadecimal(HexText)
    /// Every byte combined with the same key by exclusive or.
    case xor(UInt8)
    /// Compressed data without a header or a checksum.
    case deflate(RawDeflate)
    case header(FileHeader)

    var name: String {
        switch self {
        case .gzip: Kind.gzip.name
        case .zlib: Kind.zlib.name
        case .base64: Kind.base64.name
        case .hexadecimal: Kind.hexadecimal.name
        case .xor(let key): Kind.xor(key).name
        case .deflate: Kind.deflate.name
        case .header(let form): Kind.header(form.bytes.count).name
        }
    }

    /// The bytes after compressed data.
    var trailer: [UInt8] {
        switch self {
        case .gzip(let form): form.trailer
        case .zlib(let form): form.trailer
        case .deflate(let form): form.trailer
        case .base64, .hexadecimal, .xor, .header: []
        }
    }

    /// Returns the contents with the layer around them.
    func wrap(_ contents: [UInt8]) -> [UInt8] {
        switch self {
        case .gzip(let form): form.write(contents)
        case .zlib(let form): form.write(contents)
        case .base64(let form): form.encode(contents)
        case .hexadecimal(let form): form.encode(contents)
        case .xor(let key): Self.combined(contents, with: key)
        case .deflate(let form): form.write(contents)
        case .header(let form): form.bytes + contents
        }
    }

    static func combined(_ bytes: some Sequence<UInt8>, with key: UInt8) -> [UInt8] {
        bytes.map { $0 ^ key }
    }
}

extension Layer {
    enum Kind: Equatable {
        case gzip, zlib, base64, hexadecimal, deflate
        case xor(UInt8)
        /// A header with the given byte count.
        case header(Int)

        /// The name of the layer, such as `gzip` or `XOR 11`.
        var name: String {
            switch self {
            case .gzip: "gzip"
            case .zlib: "zlib"
            case .base64: "Base64"
            case .hexadecimal: "hexadecimal"
            case .xor(let key): "XOR \(key)"
            case .deflate: "deflate"
            case .header(let size): "header of \(Phrase.count(size, "byte"))"
            }
        }

        /// Whether a signature and a checksum, or the user, confirm the layer.
        var isProved: Bool {
            switch self {
            case .gzip, .zlib, .header: true
            case .base64, .hexadecimal, .xor, .deflate: false
            }
        }
    }

    /// Removes a layer.
    ///
    /// - Parameters:
    ///   - room: The maximum byte count of the contents.
    ///   - keepsTrailer: Whether any bytes may follow compressed data.
    /// - Throws: A problem that names the layer and, if the bytes show it, the cause of the damage.
    static func unwrap(
        _ bytes: [UInt8], _ kind: Kind, room: Int, keepsTrailer: Bool
    ) throws(Problem) -> (contents: [UInt8], layer: Layer) {
        do throws(Problem) {
            return try read(bytes, kind, room: room, keepsTrailer: keepsTrailer)
        } catch {
            guard error.kind != .unwrapped, error.kind != .header else { throw error }
            let problem = error.diagnosed(in: bytes)
            throw Problem(problem.kind, "the \(kind.name) layer is damaged: \(problem.message)", at: problem.location)
        }
    }

    private static func read(
        _ bytes: [UInt8], _ kind: Kind, room: Int, keepsTrailer: Bool
    ) throws(Problem) -> (contents: [UInt8], layer: Layer) {
        switch kind {
        case .gzip:
            let (contents, form) = try Gzip.read(bytes, room: room, keepsTrailer: keepsTrailer)
            return (contents, .gzip(form))
        case .zlib:
            let (contents, form) = try Zlib.read(bytes, room: room, keepsTrailer: keepsTrailer)
            return (contents, .zlib(form))
        case .xor(let key): return (combined(bytes, with: key), .xor(key))
        case .deflate:
            let (contents, form) = try RawDeflate.read(bytes, room: room, keepsTrailer: keepsTrailer)
            return (contents, .deflate(form))
        case .header(let size):
            let (contents, form) = try FileHeader.read(bytes, size: size)
            return (contents, .header(form))
        case .hexadecimal:
            guard let (contents, form) = HexText.decode(bytes) else {
                throw Problem(.damagedHexadecimal, "expected pairs of hexadecimal digits in one case", at: .byte(0))
            }
            return (contents, .hexadecimal(form))
        case .base64:
            do throws(Base64Form.Fault) {
                let (contents, form) = try Base64Form.decode(bytes)
                return (contents, .base64(form))
            } catch {
                throw Problem(
                    .damagedBase64,
                    error.offset + 4 <= bytes.count
                        ? "found a character that Base64 text does not allow"
                        : "truncated: the Base64 text ends within a group of four characters", at: .byte(error.offset)
                )
            }
        }
    }
}
