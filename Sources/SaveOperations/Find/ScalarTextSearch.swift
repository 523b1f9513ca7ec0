import SaveCodec

/// Looks for a text in numbers, dates, Booleans and nulls as lines show them:
///
///     100   in   100, 2100, 0.1001      true   in   true
///
/// A text that no number could have is not looked for in any. All numbers share one buffer.
final class ScalarTextSearch {
    private let pattern: TextPattern
    private let isInNumbers: Bool
    private let isInDates: Bool
    private let inWords: (null: TextPattern.Match, yes: TextPattern.Match, no: TextPattern.Match)
    private let line = Line()
    private var writer: ByteWriter

    /// The text of a number.
    private final class Line {
        var bytes: [UInt8] = []

        func take(_ piece: Span<UInt8>) {
            bytes.removeAll(keepingCapacity: true)
            for index in piece.indices { bytes.append(piece[index]) }
        }
    }

    init(_ pattern: TextPattern) {
        self.pattern = pattern
        isInNumbers = pattern.consists(of: Set("0123456789+-.e".utf16).union("inf nan".utf16))
        isInDates = pattern.consists(of: Set("0123456789+-.:tz".utf16))
        inWords = (
            pattern.match(inASCII: Array("null".utf8)), pattern.match(inASCII: Array("true".utf8)),
            pattern.match(inASCII: Array("false".utf8))
        )
        // No number and no date is as long.
        writer = ByteWriter(pieces: 128) { [line] in line.take($0) }
    }

    /// Whether the text is in a value; in no data, and in no string, which others search.
    func match(in node: Node) -> TextPattern.Match {
        switch node {
        case .null: inWords.null
        case .boolean(let value): value ? inWords.yes : inWords.no
        case .integer where isInNumbers: matchText { ScalarText.writePlain(node, to: &$0) }
        case .uid(let uid) where isInNumbers: matchText { $0.write(uid.value.description) }
        case .real32(let value) where isInNumbers: matchText { Self.write(Double(value), node, to: &$0) }
        case .real64(let value) where isInNumbers: matchText { Self.write(value, node, to: &$0) }
        case .date where isInDates: matchText { ScalarText.writePlain(node, to: &$0) }
        default: .none
        }
    }

    private static func write(_ value: Double, _ node: Node, to output: inout ByteWriter) {
        if value.isFinite { ScalarText.writePlain(node, to: &output) } else { output.write(value.description) }
    }

    private func matchText(_ write: (inout ByteWriter) -> Void) -> TextPattern.Match {
        write(&writer)
        try? writer.finish()
        return pattern.match(inASCII: line.bytes)
    }
}
