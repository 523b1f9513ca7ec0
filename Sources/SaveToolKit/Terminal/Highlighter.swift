import SaveCodec

/// Colours values in JSON and in the one-line notation of trees and differences:
///
///     Player {type: 3, health: 80, name: "Ada", weapons: […], …}
///
/// A string or word before a colon is a key. A word before a bracket is a type, and so is the first word if a comma
/// follows it. The text itself is never changed.
struct Highlighter {
    /// The notation of the text.
    enum Notation {
        /// Values on a line, or JSON.
        case values
        /// An address, ` = ` and a value on each line.
        case lines
    }

    private enum State {
        /// Between words and strings.
        case between
        case word
        /// After a word and a space.
        case afterWord
        case string(isEscaped: Bool)
        case afterString
        case address
    }

    private let notation: Notation
    private var state: State
    /// The current word, string or address, as far as it has been read.
    private var token: [UInt8] = []
    /// Whether the token is the first one of the text.
    private var isFirst = true
    /// Whether the text describes a container with its count: `Player, 3 fields`.
    private var isCaption = false
    /// The number of open brackets. Outside all of them a colon is punctuation.
    private var depth = 0

    /// The length in bytes of the longest string that may be a key.
    private static let longestKey = 1 << 12

    init(_ notation: Notation) {
        self.notation = notation
        state = notation == .lines ? .address : .between
    }

    /// Writes the next piece of the text.
    mutating func write(_ piece: Span<UInt8>, to output: inout ByteWriter) {
        for position in piece.indices { write(piece[position], to: &output) }
    }

    /// Writes the text that is held back, at the end of the text.
    mutating func finish(to output: inout ByteWriter) {
        endToken(before: UInt8(ascii: "\n"), to: &output)
    }

    private mutating func write(_ byte: UInt8, to output: inout ByteWriter) {
        switch (state, byte) {
        // No string continues on the next line.
        case (_, UInt8(ascii: "\n")):
            endToken(before: byte, to: &output)
            output.write(byte)
            state = notation == .lines ? .address : .between
        case (.string(isEscaped: true), _):
            token.append(byte)
            state = .string(isEscaped: false)
        case (.string, _):
            // Colours must not separate the bytes of a character.
            if token.count >= Self.longestKey, byte & 0xC0 != 0x80 { writeToken(in: .string, to: &output) }
            token.append(byte)
            if byte == UInt8(ascii: "\\") { state = .string(isEscaped: true) }
            if byte == UInt8(ascii: "\"") { state = .afterString }
        case (.address, _):
            token.append(byte)
            if token.suffix(3).elementsEqual(" = ".utf8) { endToken(before: byte, to: &output) }
        case (.word, _) where !Self.endsWord(byte):
            token.append(byte)
        case (.word, UInt8(ascii: " ")):
            state = .afterWord
        default:
            endToken(before: byte, to: &output)
            begin(byte, to: &output)
        }
    }

    /// Begins a token with a byte that does not continue one, or writes the byte if it cannot begin a token.
    private mutating func begin(_ byte: UInt8, to output: inout ByteWriter) {
        if byte == UInt8(ascii: "\"") {
            state = .string(isEscaped: false)
        } else if !Self.endsWord(byte), byte != UInt8(ascii: ":") {
            state = .word
        } else {
            if Self.opens(byte) { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            isFirst = false
            return output.write(byte)
        }
        token.append(byte)
    }

    /// Writes the token, whose meaning depends on the next byte.
    private mutating func endToken(before next: UInt8, to output: inout ByteWriter) {
        let ended = state
        state = .between
        switch ended {
        case .between: return
        case .string: writeToken(in: .string, to: &output)
        case .afterString: writeToken(in: next == UInt8(ascii: ":") ? .key : .string, to: &output)
        case .address: writeToken(in: .key, to: &output)
        case .word: writeWord(isType: isFirst && next == UInt8(ascii: ","), to: &output)
        case .afterWord:
            writeWord(isType: Self.opens(next), to: &output)
            output.write(UInt8(ascii: " "))
        }
        isFirst = false
    }

    private mutating func writeWord(isType: Bool, to output: inout ByteWriter) {
        let isKey = depth > 0 && token.last == UInt8(ascii: ":")
        if isType, !isKey {
            isCaption = isFirst && depth == 0
            return writeToken(in: .type, to: &output)
        }
        if isKey { return writeToken(in: .key, to: &output) }
        let start = token.first == UInt8(ascii: "-") ? token.dropFirst().first : token.first
        let isNumber = start.map { $0.isDigit } ?? false && !(isCaption && depth == 0)
        writeToken(in: isNumber || Self.constants.contains(token) ? .number : .plain, to: &output)
    }

    private mutating func writeToken(in textRole: TextRole, to output: inout ByteWriter) {
        guard !token.isEmpty else { return }
        Palette(isColored: true).write(in: textRole, to: &output) { $0.write(token) }
        token.removeAll(keepingCapacity: true)
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    private static func opens(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    private static let constants = Set(
        ["true", "false", "null", "NaN", "Infinity", "-Infinity"].map { Array($0.utf8) })
}

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
