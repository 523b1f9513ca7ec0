/// A binary property list with an array of strings or data, each of which goes on to the end of the last: a small file
/// that holds as many bytes as the square of its size.
///
///     5F 12 00 00 00 1E  bplist00 . 5F 12 00 00 00 0F  bplist00 . …
///                        └─ the first string ────────────────── … ─┘
///                                                      └─ the second ─┘
public enum OverlappingObjects {
    /// The kinds of objects there may be.
    public enum Kind: UInt8 {
        case data = 0x4F
        case string = 0x5F
    }

    /// How many bytes of the file each object begins behind the one before.
    public static let distance = 15

    /// The file.
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
