/// One layer around the contents of a file, with the details needed to apply it to other contents.
enum Layer: Sendable, Equatable {
    case gzip(Gzip)
    case zlib(Zlib)
    case base64(Base64Form)
    case hexadecimal(HexText)
    /// Every byte combined with the same key by exclusive or.
    case xor(UInt8)

    var name: String {
        switch self {
        case .gzip: Kind.gzip.name
        case .zlib: Kind.zlib.name
        case .base64: Kind.base64.name
        case .hexadecimal: Kind.hexadecimal.name
        case .xor(let key): Kind.xor(key).name
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
        }
    }

    static func combined(_ bytes: some Sequence<UInt8>, with key: UInt8) -> [UInt8] {
        bytes.map { $0 ^ key }
    }
}

extension Layer {
    enum Kind: Equatable {
        case gzip, zlib, base64, hexadecimal
        case xor(UInt8)

        /// The name of the layer, such as `gzip` or `XOR 11`.
        var name: String {
            switch self {
            case .gzip: "gzip"
            case .zlib: "zlib"
            case .base64: "Base64"
            case .hexadecimal: "hexadecimal"
            case .xor(let key): "XOR \(key)"
            }
        }

        /// Whether a signature and a checksum confirm the layer.
        var isProved: Bool {
            switch self {
            case .gzip, .zlib: true
            case .base64, .hexadecimal, .xor: false
            }
        }
    }

    /// Removes a layer.
    ///
    /// - Parameter room: The maximum byte count of the contents.
    /// - Throws: A problem that names the layer and, if the bytes show it, the cause of the damage.
    static func unwrap(_ bytes: [UInt8], _ kind: Kind, room: Int) throws(Problem) -> (contents: [UInt8], layer: Layer) {
        do throws(Problem) {
            return try read(bytes, kind, room: room)
        } catch {
            guard error.kind != .unwrapped else { throw error }
            let problem = error.diagnosed(in: bytes)
            throw Problem(problem.kind, "the \(kind.name) layer is damaged: \(problem.message)", at: problem.location)
        }
    }

    private static func read(
        _ bytes: [UInt8], _ kind: Kind, room: Int
    ) throws(Problem) -> (contents: [UInt8], layer: Layer) {
        switch kind {
        case .gzip:
            let (contents, form) = try Gzip.read(bytes, room: room)
            return (contents, .gzip(form))
        case .zlib:
            let (contents, form) = try Zlib.read(bytes, room: room)
            return (contents, .zlib(form))
        case .xor(let key): return (combined(bytes, with: key), .xor(key))
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
