/// A binary property list with an array of strings or data, each of which extends to the end of the last one. The total
/// length of the objects grows with the square of the size of the file.
///
///     5F 12 00 00 00 1E  bplist00 . 5F 12 00 00 00 0F  bplist00 . …
///                        └─ the first string ────────────────── … ─┘
///                                                      └─ the second ─┘
public enum OverlappingObjects {
    /// The kind of the objects, with the marker byte of an object whose length follows separately.
    public enum Kind: UInt8 {
        case data = 0x4F
        case string = 0x5F
    }

    /// The distance in bytes between the starts of successive objects.
    public static let distance = 15

    /// Returns the file.
    public static func file(_ count: Int, of kind: Kind) -> [UInt8] {
        let head = Array("bplist00".utf8)
        let end = head.count + count * distance
        var bytes = head
        for position in 0..<count {
            let start = head.count + position * distance
            bytes += [kind.rawValue, 0x12] + number(end - (start + 6)) + head + [0x20]
        }
        let top = bytes.count
        bytes += [0xAF, 0x12] + number(count) + (0..<count).flatMap(number)
        let table = bytes.count
        bytes += (0..<count).flatMap { number(head.count + $0 * distance) } + number(top)
        return bytes + [0, 0, 0, 0, 0, 0, 4, 4] + [count + 1, count, table].flatMap { [0, 0, 0, 0] + number($0) }
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
