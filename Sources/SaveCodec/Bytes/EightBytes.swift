/// Eight bytes processed together as one number, whose lowest byte is the first.
///
///     "a<b & c>"   marks(of: "<")   00 80 00 00 00 00 00 00   the first mark is at 1
///
/// A set of bytes is represented by marks: the top bit of each byte in the set. A subtraction may borrow from the
/// following bytes, so only the first mark is reliable (Mycroft 1987). The operator `|` unites sets.
struct EightBytes {
    private static let each: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The number, with the first byte in its low eight bits.
    let word: UInt64

    @inline(__always)
    init(_ word: UInt64) {
        self.word = word
    }

    /// Loads the bytes at an offset within `bytes`, with zeros after its end.
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

    /// Returns the marks of the bytes equal to `byte`.
    @inline(__always)
    func marks(of byte: UInt8) -> UInt64 {
        let others = word ^ Self.each &* UInt64(byte)
        return (others &- Self.each) & ~others & Self.tops
    }

    /// Returns the number of bytes before the first that differs from `byte`.
    @inline(__always)
    func count(of byte: UInt8) -> Int { Self.first(word ^ Self.each &* UInt64(byte)) }

    /// Returns the marks of the bytes below `limit`, which is at most 0x80.
    @inline(__always)
    func marks(below limit: UInt8) -> UInt64 {
        (word &- Self.each &* UInt64(limit)) & ~word & Self.tops
    }

    /// The marks of the bytes from 0x80 up. All of them are reliable.
    @inline(__always)
    var nonASCII: UInt64 { word & Self.tops }

    /// Whether all bytes are the digits `0` to `9`.
    @inline(__always)
    var areDigits: Bool {
        let highs: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
        // Adding six carries into the high half of the bytes from 0x3A up.
        return (word & highs) | ((word &+ Self.each &* 6) & highs) >> 4 == Self.each &* 0x33
    }

    /// The decimal number in eight digits. Each step joins neighbours: digits to pairs, pairs to fours, fours to eight.
    @inline(__always)
    var decimalNumber: UInt64 {
        let pairs = ((word & (Self.each &* 0x0F)) &* (10 << 8 | 1)) >> 8
        let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* (100 << 16 | 1)) >> 16
        return ((fours & 0x0000_FFFF_0000_FFFF) &* (10_000 << 32 | 1)) >> 32
    }

    /// Returns the bytes with `bits` set in each of them.
    @inline(__always)
    func setting(_ bits: UInt8) -> EightBytes { EightBytes(word | Self.each &* UInt64(bits)) }

    /// Returns the first `count` bytes, followed by zeros.
    @inline(__always)
    func first(_ count: Int) -> EightBytes {
        count >= 8 ? self : EightBytes(word & ~(UInt64.max &<< UInt64(8 * count)))
    }

    /// Returns the index of the first mark, or 8 without a mark.
    @inline(__always)
    static func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}

extension Span<UInt8> {
    /// Returns the little-endian integer at a position.
    ///
    /// No other function of the codec reads several bytes at a time.
    @inlinable
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(at position: Int) -> Number {
        // Sound: the precondition, which release builds check too, ensures that all bytes are in the span. The load
        // needs no alignment, and all bit patterns are valid integers.
        precondition(position >= 0 && position <= count &- MemoryLayout<Number>.size)
        return Number(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: Number.self))
    }
}

extension Span<UInt8> {
    /// Returns the position of the first byte in `start..<end` that `marks` marks, or `end`.
    ///
    /// The search may also pass bytes after `end` to `marks`, but ignores their marks.
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

    /// Returns the position of the first non-ASCII byte from `start` on, or the end.
    func firstNonASCII(from start: Int) -> Int {
        var position = start
        // Most texts contain long runs of ASCII.
        while position <= count &- 32 {
            let (a, b): (UInt64, UInt64) = (load(at: position), load(at: position &+ 8))
            let (c, d): (UInt64, UInt64) = (load(at: position &+ 16), load(at: position &+ 24))
            guard EightBytes(a | b | c | d).nonASCII == 0 else { break }
            position &+= 32
        }
        return firstIndex(from: position, where: \.nonASCII)
    }

    /// Returns the position of the first byte from `start` on that `marks` marks, or the end.
    @inline(__always)
    func firstIndex(from start: Int, where marks: (EightBytes) -> UInt64) -> Int {
        firstIndex(from: start, upTo: count, where: marks)
    }
}

extension Span<UInt8> {
    /// Whether both spans hold the same bytes. Comparing two arrays with `==` takes several times as long.
    package func holdsSame(as other: Span<UInt8>) -> Bool {
        count == other.count && holdsSame(count, at: 0, and: 0, in: other)
    }

    /// Whether `count` bytes are the same at two positions. Both ranges lie within the span.
    @inline(__always)
    func holdsSame(_ count: Int, at a: Int, and b: Int) -> Bool {
        holdsSame(count, at: a, and: b, in: self)
    }

    /// Whether `count` bytes are the same at a position of this span and of another. Both ranges lie in their spans.
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
