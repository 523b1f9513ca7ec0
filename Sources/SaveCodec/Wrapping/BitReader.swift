/// Takes bits from bytes, the lowest of each first, as deflate has them (RFC 1951 §3.1.1).
///
/// The bytes are handed to each call, so that a reader is a plain value.
struct BitReader {
    /// The next byte that no bit was loaded of.
    private(set) var position: Int
    /// Bits that are loaded and not taken; the next one is the lowest.
    private(set) var bits: UInt64 = 0
    /// How many these are.
    private(set) var count = 0

    init(at position: Int) {
        self.position = position
    }

    /// The byte that the next bit is of.
    var bytePosition: Int { position - (count + 7) >> 3 }

    /// How far a fast refill may look ahead.
    static let wordSize = 8

    /// Loads bits, at least 56 of them, where eight bytes more are there.
    @inline(__always)
    mutating func refillFast(_ input: Span<UInt8>) {
        let word: UInt64 = input.load(at: position)
        bits |= word &<< UInt64(truncatingIfNeeded: count)
        position &+= (63 &- count) &>> 3
        count |= 56
    }

    /// Loads as many bits as there are, up to 56 or more.
    mutating func refill(_ input: Span<UInt8>) {
        while count <= 56, position < input.count {
            bits |= UInt64(input[position]) << UInt64(count)
            position += 1
            count += 8
        }
    }

    /// Passes bits that are loaded.
    @inline(__always)
    mutating func skip(_ length: Int) {
        bits &>>= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    /// Takes bits that are loaded.
    @inline(__always)
    mutating func takeLoaded(_ length: Int) -> Int {
        let value = Int(truncatingIfNeeded: bits & ~(UInt64.max &<< UInt64(truncatingIfNeeded: length)))
        skip(length)
        return value
    }

    /// The next bits, at most 32 of them; nil if the bytes end before.
    mutating func take(_ length: Int, of input: Span<UInt8>) -> Int? {
        if count < length { refill(input) }
        guard count >= length else { return nil }
        return takeLoaded(length)
    }

    /// Passes what is left of a byte.
    mutating func alignToByte() {
        skip(count & 7)
        position = bytePosition
        (bits, count) = (0, 0)
    }

    /// Passes whole bytes, from a byte on.
    mutating func skipBytes(_ length: Int) {
        position += length
    }
}
