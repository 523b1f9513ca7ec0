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
    case trailer(FileTrailer)

    var name: String {
        switch self {
        case .gzip: Kind.gzip.name
        case .zlib(let form): form.isText ? "UTF-8-encoded zlib" : Kind.zlib.name
        case .base64: Kind.base64.name
        case .hexadecimal: Kind.hexadecimal.name
        case .xor(let key): Kind.xor(key).name
        case .deflate: Kind.deflate.name
        case .header(let form): Kind.header(form.bytes.count).name
        case .trailer(let form): Kind.trailer(form.bytes.count).name
        }
    }

    /// The bytes after compressed data, or after the save.
    var trailer: [UInt8] {
        switch self {
        case .gzip(let form): form.trailer
        case .zlib(let form): form.trailer
        case .deflate(let form): form.trailer
        case .trailer(let form): form.bytes
        case .base64, .hexadecimal, .xor, .header: []
        }
    }

    /// Whether the layer is bytes after a save.
    var isTrailer: Bool { if case .trailer = self { true } else { false } }

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
        case .trailer(let form): contents + form.bytes
        }
    }

    static func combined(_ bytes: some Sequence<UInt8>, with key: UInt8) -> [UInt8] {
        bytes.map { $0 ^ key }
    }

    enum Kind: Equatable {
        case gzip, zlib, base64, hexadecimal, deflate
        case xor(UInt8)
        /// A header with the given byte count.
        case header(Int)
        /// Other bytes after a save, with their byte count.
        case trailer(Int)

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
            case .trailer(let size): "trailer of \(Phrase.count(size, "byte"))"
            }
        }

        /// Whether a signature and a checksum, or the user, confirm the layer.
        var isProved: Bool {
            switch self {
            case .gzip, .zlib, .header, .trailer: true
            case .base64, .hexadecimal, .xor, .deflate: false
            }
        }
    }

    /// Removes a layer.
    ///
    /// - Parameters:
    ///   - room: The maximum byte count of the contents.
    ///   - keepsTrailer: Whether any bytes may follow compressed data.
    ///   - limits: The limits for the search for the cause of damage.
    /// - Throws: A problem that names the layer and, if the bytes show it, the cause of the damage.
    static func unwrap(
        _ bytes: [UInt8], _ kind: Kind, room: Int, keepsTrailer: Bool, limits: Limits
    ) throws(Problem) -> (contents: [UInt8], layer: Layer) {
        let (contents, layer, damage) = try unwrapIntact(
            bytes, kind, room: room, keepsTrailer: keepsTrailer, limits: limits)
        if let damage { throw damage }
        return (contents, layer)
    }

    /// Removes a layer as far as it is intact, and returns its damage.
    ///
    /// - Throws: The damage if no contents are intact, or another problem, such as an exceeded limit.
    static func unwrapIntact(
        _ bytes: [UInt8], _ kind: Kind, room: Int, keepsTrailer: Bool, limits: Limits
    ) throws(Problem) -> (contents: [UInt8], layer: Layer, damage: Problem?) {
        var contents: [UInt8] = []
        do throws(Problem) {
            let (layer, fault) = try read(bytes, kind, room: room, keepsTrailer: keepsTrailer, into: &contents)
            return (contents, layer, fault.map { layerDamage($0, of: kind, in: bytes, limits) })
        } catch {
            guard error.kind != .unwrapped, error.kind != .header else { throw error }
            let damage = layerDamage(error, of: kind, in: bytes, limits)
            guard let layer = intactLayer(of: bytes, kind, &contents), !contents.isEmpty else { throw damage }
            return (contents, layer, damage)
        }
    }

    private static func layerDamage(
        _ fault: Problem, of kind: Kind, in bytes: [UInt8], _ limits: Limits
    ) -> Problem {
        let problem = fault.diagnosed(in: bytes, limits)
        return Problem(problem.kind, "the \(kind.name) layer is damaged: \(problem.message)", at: problem.location)
    }

    /// Returns a layer that is damaged after its beginning, or nil.
    ///
    /// - Parameter contents: The contents that were read before the damage. For Base64 text, this function decodes
    ///   them.
    private static func intactLayer(of bytes: [UInt8], _ kind: Kind, _ contents: inout [UInt8]) -> Layer? {
        switch kind {
        case .gzip: return Gzip.withHeader(of: bytes).map { .gzip($0) }
        case .zlib:
            return .zlib(
                Zlib(header: Array(bytes.prefix(2)), trailer: [], isText: ZlibText.isPresent(in: bytes)))
        case .base64:
            // The first attempt fails at the damage. Of the text before it, up to three characters may belong to an
            // incomplete group of four.
            var intact = bytes
            for _ in 0..<5 where !intact.isEmpty {
                do throws(Base64Form.Fault) {
                    let (decoded, form) = try Base64Form.decode(intact)
                    contents = decoded
                    return .base64(form)
                } catch {
                    intact = Array(intact.prefix(min(error.offset, intact.count - 1)))
                }
            }
            return nil
        case .hexadecimal, .xor, .deflate, .header, .trailer: return nil
        }
    }

    private static func read(
        _ bytes: [UInt8], _ kind: Kind, room: Int, keepsTrailer: Bool, into contents: inout [UInt8]
    ) throws(Problem) -> (layer: Layer, fault: Problem?) {
        switch kind {
        case .gzip:
            let (form, fault) = try Gzip.read(bytes, room: room, keepsTrailer: keepsTrailer, into: &contents)
            return (.gzip(form), fault)
        case .zlib:
            let (form, fault) = try Zlib.read(bytes, room: room, keepsTrailer: keepsTrailer, into: &contents)
            return (.zlib(form), fault)
        case .xor(let key):
            contents = combined(bytes, with: key)
            return (.xor(key), nil)
        case .deflate:
            let (inflated, form) = try RawDeflate.read(bytes, room: room, keepsTrailer: keepsTrailer)
            contents = inflated
            return (.deflate(form), nil)
        case .header(let size):
            let (rest, form) = try FileHeader.read(bytes, size: size)
            contents = rest
            return (.header(form), nil)
        case .trailer(let size):
            contents = Array(bytes.dropLast(size))
            return (.trailer(FileTrailer(bytes: Array(bytes.suffix(size)))), nil)
        case .hexadecimal:
            guard let (decoded, form) = HexText.decode(bytes) else {
                throw Problem(
                    .damagedHexadecimal, "expected pairs of hexadecimal digits, all uppercase or all lowercase",
                    at: .byte(0))
            }
            contents = decoded
            return (.hexadecimal(form), nil)
        case .base64:
            do throws(Base64Form.Fault) {
                let (decoded, form) = try Base64Form.decode(bytes)
                contents = decoded
                return (.base64(form), nil)
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
