import SaveCodec

/// The roles of parts of the output, each with a colour.
///
/// All colours are among the sixteen that users can configure in a terminal, so they are readable on light and dark
/// backgrounds.
enum TextRole: CaseIterable {
    /// Values in the notation of trees, lines and JSON, in which each part has its own colour, see ``Highlighter``.
    case value
    case plain, heading, type, key, string, number, note, line, added, removed, changed, error, warning
    /// The words of a new value that differ from the old value, and the words that they replace.
    case addedWord, removedWord

    var code: StaticString? {
        switch self {
        case .plain, .value: nil
        case .heading, .type: "\u{1B}[1m"
        case .key: "\u{1B}[36m"
        case .string, .added: "\u{1B}[32m"
        case .number: "\u{1B}[35m"
        case .note, .line: "\u{1B}[2m"
        case .removed: "\u{1B}[31m"
        case .changed: "\u{1B}[33m"
        case .addedWord: "\u{1B}[7;32m"
        case .removedWord: "\u{1B}[7;31m"
        case .error: "\u{1B}[1;31m"
        case .warning: "\u{1B}[1;33m"
        }
    }

    /// The sequence that ends a colour.
    static let end: StaticString = "\u{1B}[0m"

    /// All sequences that begin or end a colour.
    static let sequences: [[UInt8]] = (allCases.compactMap(\.code) + [end]).map { Array($0.description.utf8) }
}

/// The colours of an output, or none.
struct Palette {
    static let plain = Palette(isColored: false)

    let isColored: Bool

    /// Writes the output of `body` in the colour of `textRole`.
    func write(
        in textRole: TextRole, to output: inout ByteWriter, _ body: (inout ByteWriter) -> Void
    ) {
        guard isColored, let code = textRole.code else { return body(&output) }
        output.write(code)
        body(&output)
        output.write(TextRole.end)
    }

    /// Writes a text in the colour of `textRole`.
    func write(_ text: String, in textRole: TextRole, to output: inout ByteWriter) {
        guard isColored, textRole == .value else { return write(in: textRole, to: &output) { $0.write(text) } }
        var highlighter = Highlighter(.values)
        highlighter.write(text.utf8.span, to: &output)
        highlighter.finish(to: &output)
    }

    /// Returns a text in the colour of `textRole`.
    func text(_ text: String, in textRole: TextRole) -> String {
        guard isColored else { return text }
        var output = ByteWriter()
        write(text, in: textRole, to: &output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }
}
