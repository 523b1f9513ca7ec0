import SaveCodec

/// The width of text on a terminal.
enum DisplayWidth {
    /// Returns the width, in columns, of a text that is safe to print. A wide character takes two, a combining mark
    /// none.
    static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns the text, or as much of it as fits into the given number of columns, with `…` at its end.
    static func fit(_ text: String, to room: Int) -> String {
        guard width(of: text) > room else { return text }
        var used = 1
        let start = text.prefix { character in
            used += width(of: character)
            return used <= room
        }
        return start + "…"
    }

    /// Returns the width of a character. An emoji takes two columns, however many code points it has.
    private static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if let first = scalars.first, first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // The vowels and finals of Hangul are combined with the consonant before them.
        if 0x1160...0x11FF ~= scalar.value || 0xD7B0...0xD7FF ~= scalar.value { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The characters that take two columns in East Asian scripts (UAX 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

/// Lines for a terminal, broken between words instead of at its edge.
enum TerminalLines {
    /// Returns a coloured line, broken before words that do not fit, with an indentation before the rest.
    ///
    /// A word that is wider than the terminal is not broken here; the terminal breaks it.
    ///
    /// - Parameter columns: The width of the terminal.
    static func broken(_ line: String, columns: Int, indentation: Int) -> String {
        guard line.utf8.count > columns, indentation < columns / 2 else { return line }
        var result = ""
        var column = 0
        for (position, word) in line.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .enumerated()
        {
            let word = String(Substring(word))
            let width = width(of: word)
            if position > 0, column > indentation, column + 1 + width > columns {
                result += "\n" + String(repeating: " ", count: indentation)
                column = indentation
            } else if position > 0 {
                result += " "
                column += 1
            }
            result += word
            column += width
        }
        return result
    }

    /// Returns the width of a text without its color sequences.
    private static func width(of text: String) -> Int {
        guard text.utf8.contains(0x1B) else { return DisplayWidth.width(of: text) }
        let parts = text.unicodeScalars.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return parts.enumerated().reduce(0) { sum, part in
            let scalars = part.offset == 0 ? part.element[...] : part.element.drop { $0 != "m" }.dropFirst()
            return sum + DisplayWidth.width(of: String(String.UnicodeScalarView(scalars)))
        }
    }
}
