/// What the reader accepts although someone should look at it: listed up to a number, then only counted, so that a
/// hostile file cannot turn into a list larger than itself.
struct XMLWarnings {
    enum Kind {
        case encoding, unmarked, leadingSpace, trailing, dateRange, realRange, data, uid, character
    }

    static let limit = 100

    private var list: [Problem] = []
    private var count = 0
    private var lines = LineCounter()

    /// Adds the warning that stands at an offset.
    mutating func add(_ kind: Kind, at offset: Int, in text: [UInt8]) {
        count += 1
        guard count <= Self.limit else { return }
        list.append(.xmlWarning(kind, at: lines.place(of: offset, in: text)))
    }

    /// All warnings, in the order of their kinds' discovery, and how many more there are.
    func finished() -> [Problem] {
        count > Self.limit ? list + [.xmlMoreWarnings(count - Self.limit)] : list
    }

    /// Whether XML 1.0 does not allow a character: a control but tab, LF and CR, or U+FFFE or U+FFFF.
    static func isForbidden(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D: false
        case ..<0x20, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// Adds a warning for every character of the text that XML 1.0 does not allow.
    mutating func addForbiddenCharacters(of text: [UInt8]) {
        guard Self.mayHoldForbidden(text.span) else { return }
        lines = LineCounter()
        for offset in text.indices where Self.isForbidden(text, offset) { add(.character, at: offset, in: text) }
    }

    /// One pass without branches, which settles nearly every file.
    private static func mayHoldForbidden(_ text: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for offset in text.indices {
            let byte = text[offset]
            found |= isControl(byte) | (byte == 0xEF ? 1 : 0)
        }
        return found != 0
    }

    /// One for a control character that XML does not allow, else zero.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> UInt8 {
        (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) & (byte != 0x0A ? 1 : 0) & (byte != 0x0D ? 1 : 0)
    }

    private static func isForbidden(_ text: [UInt8], _ offset: Int) -> Bool {
        let byte = text[offset]
        if byte < 0x20 { return isForbidden(UInt32(byte)) }
        return byte == 0xEF && text[offset + 1] == 0xBF && text[offset + 2] >= 0xBE
    }
}
