/// The style of an OpenStep text. A document keeps it, so that rewriting the file preserves it.
struct OpenStepStyle: Equatable {
    /// The indentation of one level.
    enum Indentation: Equatable {
        case spaces(Int)
        case tabs
        /// GNUstep's style: four spaces per level, with a tab for every eight spaces. Empty containers take two lines.
        case gnustep
    }

    /// Whether the file is a strings file: pairs without enclosing braces, whose keys and strings are written in
    /// quotes.
    var isStringsBody = false
    var indentation = Indentation.spaces(4)

    /// The maximum indentation level. Without it, a chain of containers would produce output quadratic in its length.
    private static let deepest = 64

    func writeIndentation(_ level: Int, to output: inout ByteWriter) {
        let level = min(level, Self.deepest)
        switch indentation {
        case .spaces(let count): output.write(0x20, times: count * level)
        case .tabs: output.write(0x09, times: level)
        case .gnustep:
            output.write(0x09, times: level / 2)
            output.write(0x20, times: 4 * (level % 2))
        }
    }
}

extension Document {
    /// Whether the document was read from a strings file: pairs without enclosing braces.
    package var isStringsFile: Bool { facts.formatFacts.openStepStyle?.isStringsBody ?? false }
}

extension OpenStepStyle {
    /// The maximum width of one level, in spaces.
    private static let widest = 16

    /// Detects the style of a text from its first indented line that is not empty.
    init(of text: [UInt8], isStringsBody: Bool) {
        self.isStringsBody = isStringsBody
        guard let line = Self.firstIndentedLine(of: text) else {
            if Self.hasEmptyOnTwoLines(text) { indentation = .gnustep }
            return
        }
        if text[line.lowerBound] == 0x09 {
            indentation = .tabs
        } else if line.count == 4, Self.hasTabbedLine(text) {
            indentation = .gnustep
        } else if line.count <= Self.widest {
            indentation = .spaces(line.count)
        }
    }

    /// Returns the indentation of the first indented line that is neither empty nor part of a comment.
    private static func firstIndentedLine(of text: [UInt8]) -> Range<Int>? {
        var start = 0
        while let lineEnd = text[start...].firstIndex(where: endsLine) {
            start = lineEnd + 1
            let end = text[start...].firstIndex { !$0.isBlank } ?? text.count
            guard end > start, end < text.count else { continue }
            if !endsLine(text[end]), text[end] != UInt8(ascii: "/"), text[end] != UInt8(ascii: "*") {
                return start..<end
            }
        }
        return nil
    }

    /// Whether an empty container takes two lines. In a text without indentation, this is the only sign of GNUstep's
    /// style.
    private static func hasEmptyOnTwoLines(_ text: [UInt8]) -> Bool {
        text.indices.dropFirst().dropLast().contains { position in
            guard text[position] == 0x0A else { return false }
            switch (text[position - 1], text[position + 1]) {
            case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "("), UInt8(ascii: ")")): return true
            default: return false
            }
        }
    }

    private static func hasTabbedLine(_ text: [UInt8]) -> Bool {
        text.indices.dropLast().contains { endsLine(text[$0]) && text[$0 + 1] == 0x09 }
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
