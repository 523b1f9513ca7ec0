/// The layers around the contents of a file, which are taken off before these are read, and put around what is made of them:
///
///     slot.dat ─▶ XOR 11 ─▶ Base64 ─▶ gzip ─▶ contents     unwrap(_:decodes:limits:)
///     slot.dat ◀─ XOR 11 ◀─ Base64 ◀─ gzip ◀─ others       wrap(_:)
package struct Wrapping: Sendable, Equatable {
    /// From the outside in.
    private(set) var layers: [Layer] = []
    /// What the outermost is around, if that is not the file itself.
    private var origin: String?

    /// No layers.
    package init() {}

    /// How many layers are taken off.
    static let deepest = 8

    /// Whether there is no layer.
    package var isEmpty: Bool { layers.isEmpty }

    /// What the contents are in: `gzip data`, `XOR 11, Base64 and gzip data`.
    package var title: String { Phrase.series(layers.map(\.name)) + " data" }

    /// What is in all layers of a file, and which these are.
    ///
    /// - Parameters:
    ///   - decodes: whether Base64 text and XOR by one byte are taken off as well, as far as they lead on to a save; gzip
    ///     and zlib are in any case.
    ///   - limits: how many bytes the contents of all layers may have together, see ``Limits/workFactor``.
    /// - Throws: what is wrong with a layer, with its byte.
    package static func unwrap(
        _ bytes: [UInt8], decodes: Bool = false, limits: Limits = Limits()
    ) throws(Problem) -> (contents: [UInt8], wrapping: Wrapping) {
        try unwrap(bytes, outOf: nil, decodes: decodes, limits: limits)
    }

    /// The same with what has come out of a file in another way.
    ///
    /// - Parameter origin: what the bytes are, for their places: `output of a program`.
    package static func unwrap(
        _ bytes: [UInt8], outOf origin: String?, decodes: Bool, limits: Limits
    ) throws(Problem) -> (contents: [UInt8], wrapping: Wrapping) {
        var (contents, wrapping) = (bytes, Wrapping())
        wrapping.origin = origin
        let most = limits.mostUnwrapped(of: bytes.count)
        var room = most
        var proved = (contents: contents, wrapping: wrapping)
        while let kind = LayerSearch.kind(of: contents, decodes: decodes, limits: limits) {
            do throws(Problem) {
                guard wrapping.layers.count < deepest else {
                    throw Problem("wrapping.depth", "more than \(deepest) layers are around what is in the file")
                }
                let (inner, layer) = try Layer.unwrap(contents, kind, room: room)
                room -= inner.count
                contents = inner
                wrapping.append(layer)
                if kind.isProved { proved = (contents, wrapping) }
            } catch {
                let isGuess = error.kind == .damagedBase64 && wrapping.layers.count > proved.wrapping.layers.count
                if isGuess, !LayerSearch.isCertainBase64(contents) { return proved }
                throw error.kind == .unwrapped ? .unwrappedTooLarge(most) : wrapping.located(error)
            }
        }
        // Base64 and XOR were guesses, which only a save proves right.
        if wrapping.layers.count > proved.wrapping.layers.count, Format.detected(in: contents) == nil {
            return proved
        }
        return (contents, wrapping)
    }

    /// The beginning of what is compressed in a file, which may be cut off anywhere; of one that is not its own.
    ///
    /// - Parameter count: how many bytes are wanted at most.
    package static func beginning(of bytes: [UInt8], _ count: Int) -> [UInt8] {
        var contents = bytes
        for _ in 0..<deepest {
            switch LayerSearch.kind(of: contents, decodes: false) {
            case .gzip: contents = Gzip.beginning(of: contents, count)
            case .zlib: contents = Inflate.beginning(of: contents.span, at: 2, count)
            default: return contents
            }
        }
        return contents
    }

    private mutating func append(_ layer: Layer) {
        // Geometry Dash, whose key this is, has the alphabet for URLs, where nothing tells.
        if case .base64(var form) = layer, layers.last == .xor(11), form.isURLSafe == nil {
            form.isURLSafe = true
            layers.append(.base64(form))
        } else {
            layers.append(layer)
        }
    }

    /// A file with other contents, in the same layers: with the header of gzip data, the alphabet and lines of Base64.
    package func wrap(_ contents: [UInt8]) -> [UInt8] {
        layers.reversed().reduce(contents) { $1.wrap($0) }
    }

    // MARK: Places

    /// A problem of the contents, with its place in them: their beginning, if it is about all of them.
    package func located(_ problem: Problem) -> Problem {
        var problem = problem
        problem.place = problem.place.map(located)
        let isOfAll = problem.place == nil && ["format", "damage"].contains(problem.kind.area)
        if isOfAll, !isEmpty { problem.place = located(.byte(0)) }
        return problem
    }

    /// A place in the contents.
    package func located(_ place: SourceLocation) -> SourceLocation {
        if case .within = place { return place }
        switch (isEmpty, origin) {
        case (true, nil): return place
        case (true, let origin?): return .within(origin, place)
        case (false, nil): return .within(title, place)
        case (false, let origin?): return .within("\(title) in the \(origin)", place)
        }
    }
}

extension Problem.Kind {
    static let unwrapped = Problem.Kind("limit.unwrapped")
    static let damagedBase64 = Problem.Kind("wrapping.base64")
}

extension Problem {
    fileprivate static func unwrappedTooLarge(_ most: Int) -> Problem {
        Problem(
            .unwrapped, "what is compressed in the file comes to more than \(most >> 20) MiB, as much as it may come to"
        )
    }
}
