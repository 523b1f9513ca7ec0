/// Which characters the labels of international host names may have, and where (RFC 5892).
///
/// The derived property is told by general category and case, not by a table: characters that only compatibility
/// normalization would change are let pass.
enum HostCharacter {
    static func isAllowed(at position: Int, in label: [UInt32]) -> Bool {
        let point = label[position]
        if point < 0x80 { return point.isDigit || point == 0x2D || point.isLetter }
        switch point {
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        case 0xB7: return neighbour(position - 1, label) == 0x6C && neighbour(position + 1, label) == 0x6C
        case 0x375: return neighbour(position + 1, label).map { isScript($0, 0x370...0x3FF, 0x1F00...0x1FFF) } ?? false
        case 0x5F3, 0x5F4: return neighbour(position - 1, label).map { 0x590...0x5FF ~= $0 } ?? false
        case 0x30FB: return label.contains(where: isJapanese)
        case 0x660...0x669: return !label.contains { 0x6F0...0x6F9 ~= $0 }
        case 0x6F0...0x6F9: return !label.contains { 0x660...0x669 ~= $0 }
        case 0x200C, 0x200D: return follows(virama: position, label)
        // Parts of Hangul syllables.
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: return false
        default: return isLetterOrDigit(point)
        }
    }

    private static func neighbour(_ position: Int, _ label: [UInt32]) -> UInt32? {
        label.indices.contains(position) ? label[position] : nil
    }

    private static func isScript(_ point: UInt32, _ ranges: ClosedRange<UInt32>...) -> Bool {
        ranges.contains { $0.contains(point) }
    }

    /// Hiragana, Katakana or Han; the middle dot itself is none.
    private static func isJapanese(_ point: UInt32) -> Bool {
        point != 0x30FB
            && isScript(
                point, 0x3041...0x309F, 0x30A1...0x30FF, 0x31F0...0x31FF, 0x2E80...0x2FD5, 0x3005...0x3007,
                0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF)
    }

    /// Joiners stand behind a sign that takes a vowel away.
    private static func follows(virama position: Int, _ label: [UInt32]) -> Bool {
        guard let before = neighbour(position - 1, label).flatMap(Unicode.Scalar.init) else { return false }
        return before.properties.canonicalCombiningClass == .virama
    }

    private static func isLetterOrDigit(_ point: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(point) else { return false }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark, .spacingMark:
            return scalar.properties.lowercaseMapping.unicodeScalars.elementsEqual([scalar])
                && !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}
