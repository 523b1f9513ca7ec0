/// Eight bytes looked at together, as one number whose lowest byte is the first.
///
///     "a<b & c>"   marks(of: "<")   00 80 00 00 00 00 00 00   the first is at 1
///
/// A set of bytes is told by marks, the top bits of its bytes. What is subtracted from a byte may be borrowed from those
/// behind it, so of the marks only the first is certain (Mycroft 1987); sets are united by `|`.
struct EightBytes {
    private static let each: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The bytes, the first in the low eight bits.
    let word: UInt64

    @inline(__always)
    init(_ word: UInt64) {
        self.word = word
    }

    /// The bytes at an offset, which lies within `bytes`; zeros behind its end.
    @inline(__always)
    init(_ bytes: Span<UInt8>, at offset: Int) {
        word = offset <= bytes.count &- 8 ? bytes.load(at: offset) : Self.last(of: bytes, from: offset)
    }

    @inline(never)
    private static func last(of bytes: Span<UInt8>, from offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for position in (offset..<bytes.count).reversed() { word = word << 8 | UInt64(bytes[position]) }
        return word
    }

    /// The marks of the bytes that are `byte`.
    @inline(__always)
    func marks(of byte: UInt8) -> UInt64 {
        let others = word ^ Self.each &* UInt64(byte)
        return (others &- Self.each) & ~others & Self.tops
    }

    /// The marks of the bytes below `limit`, which is at most 0x80.
    @inline(__always)
    func marks(below limit: UInt8) -> UInt64 {
        (word &- Self.each &* UInt64(limit)) & ~word & Self.tops
    }

    /// The marks of the bytes from 0x80 on; these are all certain.
    @inline(__always)
    var nonASCII: UInt64 { word & Self.tops }

    /// The bytes with `bits` set in each of them.
    @inline(__always)
    func setting(_ bits: UInt8) -> EightBytes { EightBytes(word | Self.each &* UInt64(bits)) }

    /// The first `count` bytes, and zeros behind them.
    @inline(__always)
    func first(_ count: Int) -> EightBytes {
        count >= 8 ? self : EightBytes(word & ~(UInt64.max << UInt64(8 * count)))
    }

    /// The position of the first mark; 8 if there is none.
    @inline(__always)
    static func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}

extension Span<UInt8> {
    /// The whole number in the bytes at a position, the lowest first.
    ///
    /// This is the one place where the codec reads several bytes at a time.
    @inlinable
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(at position: Int) -> Number {
        // Sound: the precondition, which release builds check, too, has all bytes within the span; none need be aligned,
        // and any bits are a whole number.
        precondition(position >= 0 && position <= count &- MemoryLayout<Number>.size)
        return Number(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: Number.self))
    }
}

extension Span<UInt8> {
    /// The position of the first byte in `start..<end` that `marks` marks, or `end`. The bytes behind `end` that are looked
    /// at along with it do not matter.
    @inline(__always)
    func firstIndex(from start: Int, upTo end: Int, where marks: (EightBytes) -> UInt64) -> Int {
        var position = start
        while position < end {
            let found = EightBytes.first(marks(EightBytes(self, at: position)))
            if found < 8 { return Swift.min(position &+ found, end) }
            position &+= 8
        }
        return end
    }

    /// The position of the first byte from `start` on that is not ASCII, or the end.
    func firstNonASCII(from start: Int) -> Int {
        var position = start
        // Most text is ASCII for long.
        while position <= count &- 32 {
            let (a, b): (UInt64, UInt64) = (load(at: position), load(at: position &+ 8))
            let (c, d): (UInt64, UInt64) = (load(at: position &+ 16), load(at: position &+ 24))
            guard EightBytes(a | b | c | d).nonASCII == 0 else { break }
            position &+= 32
        }
        return firstIndex(from: position, where: \.nonASCII)
    }

    /// The position of the first byte from `start` on that `marks` marks, or the end.
    @inline(__always)
    func firstIndex(from start: Int, where marks: (EightBytes) -> UInt64) -> Int {
        firstIndex(from: start, upTo: count, where: marks)
    }
}

extension Span<UInt8> {
    /// Whether the same `count` bytes stand in two places, both of which lie within the span.
    @inline(__always)
    func holdsSame(_ count: Int, at a: Int, and b: Int) -> Bool {
        holdsSame(count, at: a, and: b, in: self)
    }

    /// Whether the same `count` bytes stand in a place of this span and in one of another, which lie within them.
    @inline(__always)
    func holdsSame(_ count: Int, at a: Int, and b: Int, in other: Span<UInt8>) -> Bool {
        var offset = 0
        while count &- offset >= 8 {
            guard (load(at: a &+ offset) as UInt64) == other.load(at: b &+ offset) else { return false }
            offset &+= 8
        }
        guard offset < count else { return true }
        let first = EightBytes(self, at: a &+ offset).first(count &- offset)
        return first.word == EightBytes(other, at: b &+ offset).first(count &- offset).word
    }
}
