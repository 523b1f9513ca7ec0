/// A source of damaged copies of files, in the same sequence for the same seed.
public struct Mutator {
    private let seeds: [[UInt8]]
    private let keepsLength: Bool
    private var generator: SeededGenerator

    /// Bytes that have a meaning in one of the formats, or that are at the end of a range.
    private static let telling: [UInt8] =
        Array("<>{}[]()\"'\\/;:,=&#%$*-+.0eE \n".utf8) + [
            0x00, 0x01, 0x08, 0x0F, 0x10, 0x13, 0x14, 0x7F, 0x80, 0xA1, 0xC0, 0xD8, 0xDC, 0xED, 0xEF, 0xFE, 0xFF,
        ]

    /// Creates a source of damaged copies.
    ///
    /// - Parameters:
    ///   - seeds: The undamaged files.
    ///   - seed: The seed of the random numbers.
    ///   - keepsLength: Whether most damage keeps all offsets, which formats with offsets need to be read at all.
    public init(seeds: [[UInt8]], seed: UInt64, keepsLength: Bool = false) {
        self.seeds = seeds
        self.keepsLength = keepsLength
        generator = SeededGenerator(seed: seed)
    }

    /// Returns a copy of one of the files with one or two changes.
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

    /// Replaces a range with a range of another file.
    private mutating func splice(_ bytes: inout [UInt8]) {
        guard let other = seeds.randomElement(using: &generator), !other.isEmpty else { return }
        bytes.replaceSubrange(range(in: bytes), with: other[range(in: other)])
    }

    /// Writes an extreme number at a random position, in half of the cases near the end, where a binary property list
    /// has its trailer.
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
