/// Reads code points out of UTF-16: a surrogate pair is one, a lone surrogate is one of its own.
enum TextUnits {
    /// The code point that begins at a position, and where the next one begins.
    @inline(__always)
    static func point(at position: Int, in text: [UInt16]) -> (point: UInt32, next: Int) {
        let unit = text[position]
        guard UTF16.isLeadSurrogate(unit), position + 1 < text.count, UTF16.isTrailSurrogate(text[position + 1]) else {
            return (UInt32(unit), position + 1)
        }
        return (pair(unit, text[position + 1]), position + 2)
    }

    /// The code point that ends at a position, and where it begins.
    @inline(__always)
    static func point(before position: Int, in text: [UInt16]) -> (point: UInt32, next: Int) {
        let unit = text[position - 1]
        guard UTF16.isTrailSurrogate(unit), position > 1, UTF16.isLeadSurrogate(text[position - 2]) else {
            return (UInt32(unit), position - 1)
        }
        return (pair(text[position - 2], unit), position - 2)
    }

    /// All code points.
    static func points(_ text: [UInt16]) -> [UInt32] {
        var points: [UInt32] = []
        points.reserveCapacity(text.count)
        var position = 0
        while position < text.count {
            let (point, next) = point(at: position, in: text)
            points.append(point)
            position = next
        }
        return points
    }

    private static func pair(_ lead: UInt16, _ trail: UInt16) -> UInt32 {
        0x10000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF))
    }
}
