import SaveCodec

/// The way of a text to standard output: values have their colours, and nothing reaches a terminal that would act on it.
final class Screen {
    private let channel: OutputChannel
    private var filter: ActiveTextFilter?
    private var highlighter: Highlighter?

    /// - Parameters:
    ///   - format: the format that is written as it is; nil where a renderer made the text.
    ///   - notation: how values are written that are to be coloured; nil if they are not.
    ///   - isForEyes: whether it comes to a terminal, perhaps by way of another program.
    ///   - isColored: whether a renderer has coloured what is not of that format.
    init(
        _ channel: OutputChannel, for format: Format?, _ notation: Highlighter.Notation?, isForEyes: Bool,
        isColored: Bool
    ) {
        self.channel = channel
        filter = isForEyes ? ActiveTextFilter(for: format, isColored: isColored && format == nil) : nil
        highlighter = notation.map { Highlighter($0) }
    }

    /// Writes the next piece of the text.
    func write(_ piece: Span<UInt8>) throws {
        guard filter != nil else { return try color(piece) }
        var safe = ByteWriter()
        filter?.write(piece, to: &safe)
        try color(safe.takeBytes().span)
    }

    /// Writes what is held back.
    func finish() throws {
        var safe = ByteWriter()
        filter?.finish(to: &safe)
        try color(safe.takeBytes().span)
        var colored = ByteWriter()
        highlighter?.finish(to: &colored)
        try channel.write(colored.takeBytes().span)
    }

    private func color(_ piece: Span<UInt8>) throws {
        guard highlighter != nil else { return try channel.write(piece) }
        var colored = ByteWriter()
        highlighter?.write(piece, to: &colored)
        try channel.write(colored.takeBytes().span)
    }
}
