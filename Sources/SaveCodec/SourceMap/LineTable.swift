/// A table of the lines and columns of a text, stored for every 1,024th byte.
///
/// Creation takes time linear in the size of the text; a lookup takes constant time.
package struct LineTable: Sendable {
    private static let interval = 1024

    private let text: [UInt8]
    private var marks: [TextPosition] = []

    package init(_ text: [UInt8]) {
        self.text = text
        var position = TextPosition()
        for start in stride(from: 0, through: text.count, by: Self.interval) {
            marks.append(position)
            position.advance(over: start..<min(start + Self.interval, text.count), of: text)
        }
    }

    /// Returns the line and column of an offset, counted as in ``SourceLocation/inText(_:at:)``.
    package func location(of offset: Int) -> SourceLocation {
        let offset = min(offset, text.count)
        let mark = offset / Self.interval
        var position = marks[mark]
        position.advance(over: mark * Self.interval..<offset, of: text)
        return position.location
    }
}

/// A line and a column of a text. Lines end at LF, CR LF or CR; columns count Unicode scalars.
struct TextPosition {
    private var line = 1
    private var column = 1

    var location: SourceLocation { .line(line, column: column) }

    mutating func advance(over range: Range<Int>, of text: [UInt8]) {
        for index in range {
            let byte = text[index]
            let isCRLF = byte == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A
            if byte == 0x0A || (byte == 0x0D && !isCRLF) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

extension SourceLocation {
    /// Returns the location of the byte at `offset` in a valid UTF-8 text. For many locations in one text, use a
    /// ``LineTable``.
    static func inText(_ text: [UInt8], at offset: Int) -> SourceLocation {
        var position = TextPosition()
        position.advance(over: 0..<min(offset, text.count), of: text)
        return position.location
    }
}
