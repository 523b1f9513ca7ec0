/// The image of a document under construction: bytes that are appended, and taken back where an equal object exists.
///
/// The array has room behind the bytes, so that what is appended is stored a word at a time. Every method makes room
/// before it stores, so no word can leave the array, and every store is of whole numbers, for which any bits will do.
struct ImageBuffer {
    /// The bytes, and the room behind them.
    private(set) var bytes: [UInt8]
    /// How many bytes there are.
    private(set) var count: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count
    }

    /// How many bytes there is room for without taking more memory.
    var capacity: Int { bytes.capacity }

    mutating func reserveCapacity(_ capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Takes back what was appended behind the first `count` bytes.
    @inline(__always)
    mutating func removeLast(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    /// The bytes without the room behind them; nothing is left here, so that they need not be copied.
    mutating func takeBytes() -> [UInt8] {
        bytes.removeLast(bytes.count - count)
        count = 0
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    // MARK: Appending

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        makeRoom(1)
        bytes[count] = byte
        count += 1
    }

    /// Appends a marker and the low `width` bytes of a number, at most eight, the most significant first.
    @inline(__always)
    mutating func append(_ marker: UInt8, _ value: UInt64, width: Int) {
        makeRoom(9)
        let (target, number) = (count, (value << UInt64(64 - 8 * width)).bigEndian)
        // Sound: there is room for nine bytes from `target` on, and `count` grows by no more.
        unsafe bytes.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: marker, toByteOffset: target, as: UInt8.self)
            unsafe $0.storeBytes(of: number, toByteOffset: target + 1, as: UInt64.self)
        }
        count += 1 + min(max(width, 0), 8)
    }

    /// Appends the low `width` bytes of a number, at most eight, the most significant first.
    @inline(__always)
    mutating func append(_ value: UInt64, width: Int) {
        makeRoom(8)
        let (target, number) = (count, (value << UInt64(64 - 8 * width)).bigEndian)
        // Sound: there is room for eight bytes from `target` on, and `count` grows by no more.
        unsafe bytes.withUnsafeMutableBytes { unsafe $0.storeBytes(of: number, toByteOffset: target, as: UInt64.self) }
        count += min(max(width, 0), 8)
    }

    /// Appends every `step`th of the numbers in a range, four bytes each, the most significant first.
    mutating func append(_ numbers: [UInt32], in range: Range<Int>, by step: Int = 1) {
        makeRoom(4 * range.count)
        var target = count
        // Sound: steps are at least 1, so there are no more numbers than the range has positions, for each of which there
        // are four bytes of room. The array checks its positions.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            for position in stride(from: range.lowerBound, to: range.upperBound, by: step) {
                unsafe bytes.storeBytes(of: numbers[position].bigEndian, toByteOffset: target, as: UInt32.self)
                target += 4
            }
        }
        count = target
    }

    /// Appends all bytes of `source`.
    mutating func append(_ source: Span<UInt8>) {
        makeRoom(source.count)
        let target = count..<count + source.count
        // Sound: there is room for as many bytes as the source has, and it is none of these, as they are lent here alone.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe source.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[target]).copyMemory(from: source)
            }
        }
        count = target.upperBound
    }

    /// Appends the bytes of `source` in a range, which lies within it, if all of them are ASCII; else appends nothing.
    ///
    /// - Returns: whether they are.
    @inline(__always)
    mutating func append(ascii source: Span<UInt8>, in range: Range<Int>) -> Bool {
        makeRoom(range.count + 8)
        var (target, position) = (count, range.lowerBound)
        var union: UInt64 = 0
        // Sound: there are eight bytes more of room than the range has, and the last word begins within the range.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            while position < range.upperBound {
                let word = EightBytes(source, at: position).first(range.upperBound - position)
                union |= word.nonASCII
                unsafe bytes.storeBytes(of: word.word.littleEndian, toByteOffset: target, as: UInt64.self)
                position += 8
                target += 8
            }
        }
        guard union == 0 else { return false }
        count += range.count
        return true
    }

    @inline(__always)
    private mutating func makeRoom(_ size: Int) {
        if bytes.count - count < size { grow(size) }
    }

    /// Room is made in steps, as what is never used should take no memory.
    @inline(never)
    private mutating func grow(_ size: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(size, min(max(bytes.count, 256), 1 << 16))))
    }
}
