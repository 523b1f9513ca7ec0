import SaveCodec

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
