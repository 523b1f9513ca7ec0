/// A table of the lines and columns of a text, stored for every 1,024th byte.
///
/// Creation takes time linear in the size of the text; a lookup takes constant time.
package struct LineTable: Sendable {
    private struct Position {
        var line = 1
        var column = 1
    }

    private static let interval = 1024

    private let text: [UInt8]
    private var marks: [Position] = []

    package init(_ text: [UInt8]) {
        self.text = text
        var position = Position()
        for start in stride(from: 0, through: text.count, by: Self.interval) {
            marks.append(position)
            advance(&position, over: start..<min(start + Self.interval, text.count))
        }
    }

    /// Returns the line and column of an offset, counted as in ``SourceLocation/inText(_:at:)``.
    package func location(of offset: Int) -> SourceLocation {
        let offset = min(offset, text.count)
        let mark = offset / Self.interval
        var position = marks[mark]
        advance(&position, over: mark * Self.interval..<offset)
        return .line(position.line, column: position.column)
    }

    private func advance(_ position: inout Position, over range: Range<Int>) {
        for index in range {
            let byte = text[index]
            let isCRLF = byte == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A
            if byte == 0x0A || (byte == 0x0D && !isCRLF) {
                position.line += 1
                position.column = 1
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
        }
    }
}
