import SaveCodec

/// What the parts of an output are, for those who see colours.
enum Ink {
    case plain, heading, key, string, number, note, line, added, removed, changed

    fileprivate var code: StaticString? {
        switch self {
        case .plain: nil
        case .heading: "\u{1B}[1m"
        case .key: "\u{1B}[36m"
        case .string: "\u{1B}[32m"
        case .number: "\u{1B}[33m"
        case .note, .line: "\u{1B}[2m"
        case .added: "\u{1B}[32m"
        case .removed: "\u{1B}[31m"
        case .changed: "\u{1B}[33m"
        }
    }
}

/// Whether output is coloured.
struct Palette {
    let isColored: Bool

    /// Writes what `body` writes in the colour of `ink`.
    func write(
        in ink: Ink, to output: inout ByteWriter, _ body: (inout ByteWriter) -> Void
    ) {
        guard isColored, let code = ink.code else { return body(&output) }
        output.write(code)
        body(&output)
        output.write("\u{1B}[0m")
    }

    /// Writes a text in the colour of `ink`.
    func write(_ text: String, in ink: Ink, to output: inout ByteWriter) {
        write(in: ink, to: &output) { $0.write(text) }
    }
}
