/// Draws damaged copies of files, the same ones every time.
public struct Mutator {
    private let seeds: [[UInt8]]
    private let keepsLength: Bool
    private var generator: SeededGenerator

    /// Bytes that mean something in one of the formats, or are the ends of a range.
    private static let telling: [UInt8] =
        Array("<>{}[]()\"'\\/;:,=&#%$*-+.0eE \n".utf8) + [
            0x00, 0x01, 0x08, 0x0F, 0x10, 0x13, 0x14, 0x7F, 0x80, 0xA1, 0xC0, 0xD8, 0xDC, 0xED, 0xEF, 0xFE, 0xFF,
        ]

    /// - Parameter keepsLength: whether most of the damage leaves everything where it was, as a format with offsets
    ///   needs it to be read at all.
    public init(seeds: [[UInt8]], seed: UInt64, keepsLength: Bool = false) {
        self.seeds = seeds
        self.keepsLength = keepsLength
        generator = SeededGenerator(seed: seed)
    }

    /// One of the files with one or two things done to it.
    public mutating func next() -> [UInt8] {
        guard var bytes = seeds.randomElement(using: &generator) else { return [] }
        for _ in 0..<Int.random(in: 1...2, using: &generator) where !bytes.isEmpty { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<(keepsLength ? 24 : 8), using: &generator) {
        case 0: setField(&bytes)
        case 1: bytes.insert(Self.telling.randomElement(using: &generator) ?? 0, at: position(in: bytes))
        case 2: bytes.removeSubrange(range(in: bytes))
        case 3: bytes.insert(contentsOf: bytes[range(in: bytes)], at: position(in: bytes))
        case 4: splice(&bytes)
        case 5, 8..<16: bytes[position(in: bytes)] = Self.telling.randomElement(using: &generator) ?? 0
        case 6, 16..<24: bytes[position(in: bytes)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default: bytes.removeLast(bytes.count - position(in: bytes))
        }
    }

    /// Puts a piece of another file over a piece of this one.
    private mutating func splice(_ bytes: inout [UInt8]) {
        guard let other = seeds.randomElement(using: &generator), !other.isEmpty else { return }
        bytes.replaceSubrange(range(in: bytes), with: other[range(in: other)])
    }

    /// Puts an extreme number where a length or an offset may be, near the end as often as not: there the trailer of a
    /// binary property list stands.
    private mutating func setField(_ bytes: inout [UInt8]) {
        let width = [1, 2, 4, 8].randomElement(using: &generator) ?? 1
        let values: [UInt64] = [
            0, 1, 0xFF, 0x7FFF_FFFF, 1 << 31, 1 << 62, .max >> 1, 1 << 63, .max, UInt64(bytes.count),
        ]
        let value = values.randomElement(using: &generator) ?? 0
        var start = position(in: bytes)
        if Bool.random(using: &generator) { start = max(0, bytes.count - 1 - start % 40) }
        for index in 0..<width where start + index < bytes.count {
            bytes[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - index)))
        }
    }

    private mutating func position(in bytes: [UInt8]) -> Int {
        Int.random(in: 0..<bytes.count, using: &generator)
    }

    private mutating func range(in bytes: [UInt8]) -> Range<Int> {
        let start = position(in: bytes)
        return start..<min(bytes.count, start + Int.random(in: 1...32, using: &generator))
    }
}
