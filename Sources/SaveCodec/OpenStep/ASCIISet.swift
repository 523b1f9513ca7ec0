/// A set of ASCII characters, one bit each.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The set of the characters of a text.
    init(_ members: String) {
        for byte in members.utf8 { insert(byte) }
    }

    /// All printable characters but the space, without those of a text.
    init(printableExcept others: String) {
        let excluded = ASCIISet(others)
        for byte in UInt8(0x21)...0x7E where !excluded.contains(byte) { insert(byte) }
    }

    /// Whether the byte is in the set.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let half = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && half >> UInt64(byte & 0x3F) & 1 != 0
    }

    private mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) << UInt64(byte & 0x3F)
        if byte < 0x40 { low |= bit } else { high |= bit }
    }
}

extension OpenStep.Dialect {
    /// The characters of which a string without quotes may consist.
    var bareCharacters: ASCIISet {
        switch self {
        case .openStep: ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$/:.-")
        case .gnustep: ASCIISet(printableExcept: "\"'(),;<=>[\\]`{}")
        }
    }
}
