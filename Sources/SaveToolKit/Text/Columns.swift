/// How much room text takes on a terminal.
enum Columns {
    /// The columns that a safe text takes: two for a wide character, none for a mark on the one before.
    static func width(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// The text, or as much of it as has room in so many columns, with a sign that more is missing.
    static func fit(_ text: String, to room: Int) -> String {
        guard width(of: text) > room else { return text }
        var used = 1
        var start = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            used += width(of: scalar)
            guard used <= room else { break }
            start.append(scalar)
        }
        return String(start) + "…"
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// East Asian scripts and pictures (UAX 11, the blocks that are wide as a whole).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
