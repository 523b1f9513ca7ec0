import SaveCodec

/// Writes text to standard output: colours values, and escapes characters that a terminal would act on.
final class DisplayWriter {
    private let channel: OutputChannel
    private var filter: ActiveTextFilter?
    private var highlighter: Highlighter?

    /// - Parameters:
    ///   - format: The format of the text, or nil if a renderer made it.
    ///   - notation: The notation of values to be coloured, or nil for no colours.
    ///   - isForEyes: Whether the text is shown on a terminal, possibly through another program.
    ///   - isColored: Whether a renderer has coloured the text. Ignored for text of a format.
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

    /// Writes the text that is held back, at the end of the text.
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
