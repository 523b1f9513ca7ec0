extension Layers {
    /// Returns the contents inside all layers of a file as far as the layers are intact, the layers, and their damage.
    ///
    /// Compressed data is decompressed up to the damage, and Base64 is decoded up to it.
    ///
    /// - Parameter origin: A description of the bytes for locations; nil for a file.
    /// - Throws: A problem of a layer without intact contents.
    package static func salvage(
        _ bytes: [UInt8], outOf origin: String?, _ options: LayerOptions, limits: Limits
    ) throws(Problem) -> (contents: [UInt8], layers: Layers, damage: [Problem]) {
        var (contents, layers) = (bytes, Layers())
        var damage: [Problem] = []
        do throws(Problem) {
            (contents, layers) = try unwrap(bytes, outOf: origin, options, limits: limits)
            return (contents, layers, [])
        } catch {
            guard error.kind != .unwrapped else { throw error }
            layers.origin = origin
        }
        var room = limits.maxDecodedByteCount(of: bytes.count)
        while let kind = layers.nextKind(in: contents, options, limits: limits) {
            guard layers.layers.count < deepest else { break }
            let part: (contents: [UInt8], layer: Layer)
            do throws(Problem) {
                part = try Layer.unwrap(
                    contents, kind, room: room, keepsTrailer: options.headerSize != nil)
            } catch {
                let problem = layers.located(error)
                guard error.kind != .unwrapped, let intact = Layer.intactPart(of: contents, kind, room: room),
                    !intact.contents.isEmpty
                else { throw problem }
                damage.append(problem)
                part = intact
            }
            room -= part.contents.count
            contents = part.contents
            layers.append(part.layer)
        }
        return (contents, layers, damage)
    }
}

extension Layer {
    /// Returns the contents of a damaged layer up to the damage, and the layer. Nil if the layer is damaged where it
    /// begins.
    fileprivate static func intactPart(
        of bytes: [UInt8], _ kind: Kind, room: Int
    ) -> (contents: [UInt8], layer: Layer)? {
        switch kind {
        case .gzip:
            return Gzip.intactPart(of: bytes, room: room).map { ($0.contents, .gzip($0.form)) }
        case .zlib:
            guard bytes.count > 2, bytes[1] & 0x20 == 0 else { return nil }
            let contents = Inflate.beginning(of: bytes.span, at: 2, room)
            return (contents, .zlib(Zlib(header: Array(bytes.prefix(2)), trailer: [])))
        case .base64:
            // The last group before the damage may be incomplete.
            var intact = bytes
            for _ in 0..<2 {
                do throws(Base64Form.Fault) {
                    let (contents, form) = try Base64Form.decode(intact)
                    return (contents, .base64(form))
                } catch {
                    intact = Array(intact.prefix(error.offset))
                }
            }
            return nil
        case .hexadecimal, .xor, .deflate, .header: return nil
        }
    }
}

extension Gzip {
    /// Returns the contents of gzip data up to the damage. Checksums and sizes are ignored. Nil if the first header is
    /// damaged.
    fileprivate static func intactPart(of bytes: [UInt8], room: Int) -> (
        contents: [UInt8], form: Gzip
    )? {
        let input = bytes.span
        guard var position = try? headerEnd(input, at: 0) else { return nil }
        let form = Gzip(header: Array(bytes[..<position]), trailer: [])
        var contents: [UInt8] = []
        while true {
            var member: [UInt8] = []
            let left = room - contents.count
            guard let end = try? Inflate.read(input, at: position, behind: &member, hint: 0, room: left)
            else {
                contents += Inflate.beginning(of: input, at: position, left)
                return (contents, form)
            }
            contents += member
            guard end + 8 <= bytes.count, isPresent(in: bytes[(end + 8)...]),
                let next = try? headerEnd(input, at: end + 8)
            else { return (contents, form) }
            position = next
        }
    }
}

extension Salvage {
    /// Adds the damage of the layers around the file.
    ///
    /// If all contents were decompressed and only a checksum or a size is wrong, nothing is known to be lost.
    package mutating func add(_ damage: [Problem]) {
        for problem in damage {
            isProved = false
            if ["gzip.checksum", "gzip.size", "zlib.checksum", "gzip.trailing", "zlib.trailing"].contains(problem.id) {
                repairs.append(
                    Problem("salvage.checksum", problem.message, severity: .info, at: problem.location))
            } else {
                losses.append(SalvageLoss(.doubtful, nil, at: .address(.root), problem.message))
            }
        }
    }
}
