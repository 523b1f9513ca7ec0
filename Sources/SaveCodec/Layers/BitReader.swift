/// A reader of bits, lowest bit of each byte first, as in deflate (RFC 1951 §3.1.1).
///
/// Each call takes the bytes as an argument, so that the reader is a plain value.
struct BitReader {
    /// The offset of the next byte to load.
    private(set) var position: Int
    /// The bits that are loaded but not consumed, beginning with the lowest.
    private(set) var bits: UInt64 = 0
    private(set) var count = 0

    init(at position: Int) {
        self.position = position
    }

    /// The offset of the byte with the next bit.
    var bytePosition: Int { position - (count + 7) >> 3 }

    /// The number of bytes that a fast refill reads.
    static let wordSize = 8

    /// Loads bits until at least 56 are loaded. At least eight more bytes must be available.
    @inline(__always)
    mutating func refillFast(_ input: Span<UInt8>) {
        let word: UInt64 = input.load(at: position)
        bits |= word &<< UInt64(truncatingIfNeeded: count)
        position &+= (63 &- count) &>> 3
        count |= 56
    }

    /// Loads bits until more than 56 are loaded or the input ends.
    mutating func refill(_ input: Span<UInt8>) {
        while count <= 56, position < input.count {
            bits |= UInt64(input[position]) << UInt64(count)
            position += 1
            count += 8
        }
    }

    @inline(__always)
    mutating func skip(_ length: Int) {
        bits &>>= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    @inline(__always)
    mutating func takeLoaded(_ length: Int) -> Int {
        let value = Int(truncatingIfNeeded: bits & ~(UInt64.max &<< UInt64(truncatingIfNeeded: length)))
        skip(length)
        return value
    }

    /// Returns the next bits, at most 32; nil if the input ends before them.
    mutating func take(_ length: Int, of input: Span<UInt8>) -> Int? {
        if count < length { refill(input) }
        guard count >= length else { return nil }
        return takeLoaded(length)
    }

    /// Skips the rest of a partly consumed byte.
    mutating func alignToByte() {
        skip(count & 7)
        position = bytePosition
        (bits, count) = (0, 0)
    }

    /// Skips whole bytes. The position must be at a byte boundary.
    mutating func skipBytes(_ length: Int) {
        position += length
    }
}
