/// The characters that a terminal acts on or shows as nothing: the general categories Cc, Cf, Zl and Zp, and default
/// ignorable code points, assigned or not.
///
/// `Tests/Oracles/invisible_characters.py` makes the table from the Unicode Character Database. The tables of the
/// standard library depend on its version.
package enum InvisibleCharacters {
    /// Whether a code point is in the table.
    package static func contain(_ point: UInt32) -> Bool {
        if point < 0x300 { return point < 0x20 || 0x7F...0x9F ~= point || point == 0xAD }
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < point { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(point)
    }

    private static let ranges: [ClosedRange<UInt32>] = [
        0x0000...0x001F, 0x007F...0x009F, 0x00AD...0x00AD, 0x034F...0x034F, 0x0600...0x0605, 0x061C...0x061C,
        0x06DD...0x06DD, 0x070F...0x070F, 0x0890...0x0891, 0x08E2...0x08E2, 0x115F...0x1160, 0x17B4...0x17B5,
        0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F,
        0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x110BD...0x110BD, 0x110CD...0x110CD, 0x13430...0x1343F,
        0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]
}
