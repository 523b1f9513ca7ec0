/// The layers to remove from a file, in addition to gzip and zlib.
package struct LayerOptions: Sendable {
    /// Whether Base64, hexadecimal and XOR layers that lead to a save are removed.
    package var decodes: Bool
    /// The size of a header before the save or its layers; nil if nothing is known about the beginning of the file.
    /// With a size, even 0, deflate data without a zlib or gzip header is a layer, too, and other bytes may follow
    /// compressed data or the save.
    package var headerSize: Int?
    /// Whether XOR layers are removed, too. This is a separate option, because some key turns noise into text if the
    /// header size is wrong.
    package var findsKeys: Bool

    /// - Parameter findsKeys: Whether XOR layers are removed; nil for the value of `decodes`.
    package init(decodes: Bool = false, headerSize: Int? = nil, findsKeys: Bool? = nil) {
        (self.decodes, self.headerSize, self.findsKeys) = (decodes, headerSize, findsKeys ?? decodes)
    }
}

/// A size in a header that an edit made wrong.
package struct StaleSize: Sendable, Equatable {
    /// The offset of the stored size in the file.
    package let offset: Int
    package let stored: Int
    package let actual: Int
}

/// The layers around the contents of a file. They are removed before reading and applied again after writing.
///
///     slot.dat ─▶ XOR 11 ─▶ Base64 ─▶ gzip ─▶ contents     unwrap(_:decodes:limits:)
///     slot.dat ◀─ XOR 11 ◀─ Base64 ◀─ gzip ◀─ contents     wrap(_:)
package struct Layers: Sendable, Equatable {
    /// The layers, outermost first.
    private(set) var layers: [Layer] = []
    /// The source of the bytes, such as `output of a program`; nil for the file itself.
    var origin: String?

    /// Creates an empty list of layers.
    package init() {}

    /// The maximum number of layers to remove.
    static let deepest = 8

    package var isEmpty: Bool { layers.isEmpty }

    /// Whether a layer has a checksum of its contents.
    package var haveChecksum: Bool {
        layers.contains { layer in
            switch layer {
            case .gzip, .zlib: true
            case .base64, .hexadecimal, .xor, .deflate, .header, .trailer: false
            }
        }
    }

    /// A description of the layered data: `gzip data`, `XOR 11, Base64 and gzip data`, `zlib data after a header of 8
    /// bytes and before 12 other bytes`.
    package var title: String {
        let hasHeader = headerSize > 0
        let names = layers.dropFirst(hasHeader ? 1 : 0).filter { !$0.isTrailer }.map(\.name)
        let surroundings = [
            hasHeader ? "after a \(layers[0].name)" : nil,
            trailerSize > 0 ? "before \(Phrase.count(trailerSize, "other byte"))" : nil,
        ].compactMap(\.self)
        let inner = names.isEmpty ? "data" : Phrase.series(names) + " data"
        return inner + (surroundings.isEmpty ? "" : " " + Phrase.series(surroundings))
    }

    /// The size of the header that was skipped.
    package var headerSize: Int {
        if case .header(let header)? = layers.first { header.bytes.count } else { 0 }
    }

    /// The number of bytes after the save or its outermost layer.
    package var followingByteCount: Int { layers.dropFirst(headerSize > 0 ? 1 : 0).first?.trailer.count ?? 0 }

    /// The number of bytes after compressed data or the save. Zeros after compressed data do not count.
    private var trailerSize: Int {
        layers.reduce(0) { $0 + ($1.isTrailer || $1.trailer.contains { $0 != 0 } ? $1.trailer.count : 0) }
    }

    /// Returns the contents inside all layers of a file, and the layers.
    ///
    /// - Parameters:
    ///   - decodes: Whether to also remove Base64, hexadecimal and XOR layers that lead to a save. gzip and zlib layers
    ///     are always removed.
    ///   - limits: The limit for the total byte count of all layers' contents (see ``Limits/workFactor``).
    /// - Throws: A problem of a layer, with its byte.
    package static func unwrap(
        _ bytes: [UInt8], decodes: Bool = false, limits: Limits = Limits()
    ) throws(Problem) -> (contents: [UInt8], layers: Layers) {
        try unwrap(bytes, outOf: nil, LayerOptions(decodes: decodes), limits: limits)
    }

    /// Returns the contents inside all layers of bytes that may not come directly from a file, and the layers.
    ///
    /// - Parameter origin: A description of the bytes for locations, such as `output of a program`; nil for a file.
    package static func unwrap(
        _ bytes: [UInt8], outOf origin: String?, _ options: LayerOptions, limits: Limits
    ) throws(Problem) -> (contents: [UInt8], layers: Layers) {
        let (contents, layers, damage) = try unwrapIntact(bytes, outOf: origin, options, limits: limits)
        if let damage = damage.first { throw damage }
        return (contents, layers)
    }

    /// Returns the contents inside all layers as far as the layers are intact, the layers, and their damage.
    ///
    /// Compressed data is decompressed up to the damage, and Base64 is decoded up to it.
    ///
    /// - Parameter origin: A description of the bytes for locations; nil for a file.
    /// - Throws: A problem of a layer without intact contents.
    package static func unwrapIntact(
        _ bytes: [UInt8], outOf origin: String?, _ options: LayerOptions, limits: Limits
    ) throws(Problem) -> (contents: [UInt8], layers: Layers, damage: [Problem]) {
        let (contents, removed, damage) = try remove(from: bytes, outOf: origin, options, limits: limits)
        var layers = removed
        if case .header(var header)? = layers.layers.first {
            header.contentsSize = contents.count
            layers.layers[0] = .header(header)
        }
        return (contents, layers, damage)
    }

    private static func remove(
        from bytes: [UInt8], outOf origin: String?, _ options: LayerOptions, limits: Limits
    ) throws(Problem) -> (contents: [UInt8], layers: Layers, damage: [Problem]) {
        var (contents, layers) = (bytes, Layers())
        layers.origin = origin
        let most = limits.maxDecodedByteCount(of: bytes.count)
        var room = most
        var proved = (contents: contents, layers: layers, damage: [] as [Problem])
        var damage: [Problem] = []
        while let kind = layers.nextKind(in: contents, options, limits: limits) {
            do throws(Problem) {
                guard layers.layers.count < deepest else {
                    throw Problem("wrapping.depth", "the file has more than \(deepest) layers")
                }
                let (inner, layer, fault) = try Layer.unwrapIntact(
                    contents, kind, room: room, keepsTrailer: options.headerSize != nil,
                    limits: layers.limits(limits, inside: bytes))
                if let fault {
                    if isGuess(fault, contents, isProved: proved.layers == layers) { return proved }
                    damage.append(layers.located(fault))
                }
                room -= inner.count
                contents = inner
                layers.append(layer)
                if kind.isProved { proved = (contents, layers, damage) }
            } catch {
                if isGuess(error, contents, isProved: proved.layers == layers) { return proved }
                throw error.kind == .unwrapped ? .unwrappedTooLarge(most) : damage.first ?? layers.located(error)
            }
        }
        // Layers without proof (see `isProved`) are guesses, which only a save inside them confirms.
        if damage.isEmpty, layers.layers.count > proved.layers.layers.count, Format.detected(in: contents) == nil {
            return proved
        }
        return (contents, layers, damage)
    }

    /// Whether a fault shows that contents are not Base64 text at all.
    private static func isGuess(_ fault: Problem, _ contents: [UInt8], isProved: Bool) -> Bool {
        fault.kind == .damagedBase64 && !isProved && !LayerSearch.isCertainBase64(contents)
    }

    /// Returns the limits for the contents of a file in these layers. They depend on the size of the stored file.
    package func limits(_ limits: Limits, inside file: [UInt8]) -> Limits {
        guard !isEmpty else { return limits }
        var limits = limits
        limits.storedSize = file.count
        return limits
    }

    /// Returns the kind of the next layer, or nil.
    func nextKind(in contents: [UInt8], _ options: LayerOptions, limits: Limits) -> Layer.Kind? {
        if isEmpty, let size = options.headerSize, size > 0 { return .header(size) }
        if let kind = LayerSearch.kind(of: contents, options, limits: limits) { return kind }
        guard options.headerSize != nil, layers.count == (headerSize > 0 ? 1 : 0) else { return nil }
        return FileTrailer.size(in: contents, limits).map { .trailer($0) }
    }

    /// Returns the beginning of the contents of a compressed file, which may be truncated. A file without gzip or zlib
    /// layers is returned unchanged.
    ///
    /// - Parameter count: The maximum byte count of the contents of each layer.
    package static func beginning(of bytes: [UInt8], _ count: Int) -> [UInt8] {
        var contents = bytes
        for _ in 0..<deepest {
            switch LayerSearch.kind(of: contents, decodes: false) {
            case .gzip: contents = Gzip.beginning(of: contents, count)
            case .zlib: contents = Zlib.beginning(of: contents, count)
            case .base64, .hexadecimal, .xor, .deflate, .header, .trailer, nil: return contents
            }
        }
        return contents
    }

    // MARK: Values

    /// Whether bytes begin with the signature of gzip or zlib data.
    package static func areCompressed(_ bytes: ArraySlice<UInt8>) -> Bool {
        Gzip.isPresent(in: bytes) || Zlib.isPresent(in: bytes)
    }

    /// Returns the byte count of the contents of compressed data that may be damaged, up to a maximum.
    package static func contentSize(of bytes: [UInt8], atMost most: Int) -> Int {
        switch LayerSearch.kind(of: bytes, decodes: false) {
        case .gzip: Gzip.beginning(of: bytes, most).count
        case .zlib: Zlib.beginning(of: bytes, most).count
        case .base64, .hexadecimal, .xor, .deflate, .header, .trailer, nil: 0
        }
    }

    /// Whether bytes begin like Base64 text.
    package static func mayBeBase64(_ bytes: [UInt8]) -> Bool { Base64Form.beginning(of: bytes[...]) != nil }

    /// Removes the outermost layer of a value in a save, and appends it to this list. The layer is gzip, zlib or, with
    /// `decodes`, Base64 text.
    ///
    /// - Parameter room: The maximum byte count of the contents.
    /// - Returns: The contents, or nil if there is no layer.
    /// - Throws: A problem of the layer, with its byte.
    package mutating func removeLayer(
        of bytes: [UInt8], decodes: Bool, room: Int
    ) throws(Problem) -> [UInt8]? {
        guard layers.count < Self.deepest else { return nil }
        guard let kind = LayerSearch.kind(of: bytes, decodes: false) else {
            guard decodes, let (contents, form) = try? Base64Form.decode(bytes) else { return nil }
            layers.append(.base64(form))
            return contents
        }
        do throws(Problem) {
            let (contents, layer) = try Layer.unwrap(bytes, kind, room: room, keepsTrailer: false, limits: Limits())
            layers.append(layer)
            return contents
        } catch {
            throw located(error)
        }
    }

    mutating func append(_ layer: Layer) {
        // Geometry Dash uses this key with the URL-safe alphabet. A text without `-` and `_` does not show its
        // alphabet.
        if case .base64(var form) = layer, layers.last == .xor(11), form.isURLSafe == nil {
            form.isURLSafe = true
            layers.append(.base64(form))
        } else {
            layers.append(layer)
        }
    }

    /// Returns a file with other contents in the same layers, including the header of gzip data and the alphabet and
    /// line lengths of Base64.
    package func wrap(_ contents: [UInt8]) -> [UInt8] {
        layers.reversed().reduce(contents) { $1.wrap($0) }
    }

    /// Returns the sizes in the header that are wrong after an edit.
    ///
    /// A number in the header is assumed to be a size if it equals the size of the file that was read, of the data
    /// after the header (with or without the bytes that follow the data), or of the contents.
    ///
    /// - Parameters:
    ///   - contents: The size of the new contents.
    ///   - file: The size of the new file.
    package func staleSizes(contents: Int, file: Int) -> [StaleSize] {
        guard case .header(let header)? = layers.first else { return [] }
        let trailer = followingByteCount
        func sizes(_ contents: Int, _ file: Int) -> [Int] {
            [contents, file - header.bytes.count, file - header.bytes.count - trailer, file]
        }
        let (old, new) = (sizes(header.contentsSize, header.fileSize), sizes(contents, file))
        return header.fields(equalTo: old).compactMap { field in
            new[field.index] == old[field.index]
                ? nil : StaleSize(offset: field.offset, stored: old[field.index], actual: new[field.index])
        }
    }

    // MARK: Locations

    /// Returns a problem with its location inside the layers. A problem that concerns the contents as a whole is
    /// located at their first byte.
    package func located(_ problem: Problem) -> Problem {
        var problem = problem
        problem.location = problem.location.map(located)
        let isOfAll = problem.location == nil && problem.kind.isOf(.format, .damage)
        if isOfAll, !isEmpty { problem.location = located(.byte(0)) }
        return problem
    }

    /// Returns a location in the contents with a description of the layers and the origin, if any. A location that
    /// already has a description is returned unchanged.
    package func located(_ location: SourceLocation) -> SourceLocation {
        if case .within = location { return location }
        switch (isEmpty, origin) {
        case (true, nil): return location
        case (true, let origin?): return .within(origin, location)
        case (false, nil): return .within(title, location)
        case (false, let origin?): return .within("\(title) in the \(origin)", location)
        }
    }
}

extension Problem.Kind {
    static let unwrapped = Problem.Kind("limit.unwrapped")
    static let header = Problem.Kind("wrapping.header")
    static let damagedBase64 = Problem.Kind("wrapping.base64")
    static let damagedHexadecimal = Problem.Kind("wrapping.hexadecimal")
}

extension Problem {
    fileprivate static func unwrappedTooLarge(_ most: Int) -> Problem {
        Problem(
            .unwrapped, "the decompressed contents exceed the limit for this file, \(most >> 20) MiB"
        )
    }
}
