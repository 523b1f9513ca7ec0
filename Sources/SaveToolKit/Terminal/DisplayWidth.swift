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
