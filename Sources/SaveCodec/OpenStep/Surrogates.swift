/// The halves of which UTF-16 makes the characters beyond U+FFFF, and which real files hold alone too.
enum Surrogates {
    /// Appends a character as UTF-16.
    @inline(__always)
    static func append(_ scalar: UInt32, to units: inout [UInt16]) {
        if scalar >= 0x10000 {
            units.append(0xD800 | UInt16(truncatingIfNeeded: (scalar - 0x10000) >> 10))
            units.append(0xDC00 | UInt16(truncatingIfNeeded: scalar & 0x3FF))
        } else {
            units.append(UInt16(truncatingIfNeeded: scalar))
        }
    }

    /// The position of the first surrogate that is not half of a pair.
    static func firstLone(in units: Span<UInt16>) -> Int? {
        var position = 0
        while position < units.count {
            let unit = units[position]
            if unit & 0xF800 == 0xD800 {
                guard UTF16.isLeadSurrogate(unit), position + 1 < units.count,
                    UTF16.isTrailSurrogate(units[position + 1])
                else { return position }
                position += 1
            }
            position += 1
        }
        return nil
    }
}
