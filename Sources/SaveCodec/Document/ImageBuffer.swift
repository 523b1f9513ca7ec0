/// A buffer for the image of a document under construction, from which the bytes of merged objects are removed.
///
/// The array is longer than its contents, so that bytes can be stored a word at a time. Every method makes room before
/// it stores, so no store exceeds the array. Only integers are stored, for which any bit pattern is valid.
struct ImageBuffer {
    /// The contents, followed by unused room.
    private(set) var bytes: [UInt8]
    /// The number of bytes in the contents.
    private(set) var count: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count
    }

    /// Creates a buffer with room for more bytes. Reserved pages that are never used take no physical memory.
    init(_ source: Span<UInt8>, capacity: Int) {
        self.init([])
        reserveCapacity(capacity)
        append(source)
    }

    var capacity: Int { bytes.capacity }

    mutating func reserveCapacity(_ capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Removes everything after the first `count` bytes.
    @inline(__always)
    mutating func removeLast(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    /// Returns the contents without copying them, and empties the buffer.
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

    /// Appends a marker and the low `width` bytes of a number, most significant byte first. The width is at most eight.
    @inline(__always)
    mutating func append(_ marker: UInt8, _ value: UInt64, width: Int) {
        makeRoom(9)
        let (target, number) = (count, (value &<< UInt64(64 - 8 * width)).bigEndian)
        // Sound: there is room for nine bytes from `target` on, and `count` grows by at most nine.
        unsafe bytes.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: marker, toByteOffset: target, as: UInt8.self)
            unsafe $0.storeBytes(of: number, toByteOffset: target + 1, as: UInt64.self)
        }
        count += 1 + min(max(width, 0), 8)
    }

    /// Appends the low `width` bytes of a number, most significant byte first. The width is at most eight.
    @inline(__always)
    mutating func append(_ value: UInt64, width: Int) {
        makeRoom(8)
        let (target, number) = (count, (value &<< UInt64(64 - 8 * width)).bigEndian)
        // Sound: there is room for eight bytes from `target` on, and `count` grows by at most eight.
        unsafe bytes.withUnsafeMutableBytes { unsafe $0.storeBytes(of: number, toByteOffset: target, as: UInt64.self) }
        count += min(max(width, 0), 8)
    }

    /// Appends every `step`th number in a range as four bytes, most significant byte first.
    mutating func append(_ numbers: [UInt32], in range: Range<Int>, by step: Int = 1) {
        makeRoom(4 * range.count)
        var target = count
        // Sound: the step is at least 1, so at most `range.count` numbers are stored, with room for four bytes each.
        // The array checks its indices.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            for position in stride(from: range.lowerBound, to: range.upperBound, by: step) {
                unsafe bytes.storeBytes(of: numbers[position].bigEndian, toByteOffset: target, as: UInt32.self)
                target += 4
            }
        }
        count = target
    }

    mutating func append(_ source: Span<UInt8>) {
        makeRoom(source.count)
        let target = count..<count + source.count
        // Sound: there is room for all bytes of the source. The source cannot overlap the array, to which this method
        // has exclusive access.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe source.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[target]).copyMemory(from: source)
            }
        }
        count = target.upperBound
    }

    /// Appends a range of `source` if all of its bytes are ASCII, or else nothing.
    ///
    /// - Returns: Whether all bytes are ASCII.
    @inline(__always)
    mutating func append(ascii source: Span<UInt8>, in range: Range<Int>) -> Bool {
        makeRoom(range.count + 8)
        var (target, position) = (count, range.lowerBound)
        var union: UInt64 = 0
        // Sound: there is room for eight bytes more than the range has, and the last word begins within the range.
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

    /// Makes the array larger by a small step, because unused room would take memory.
    @inline(never)
    private mutating func grow(_ size: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(size, min(max(bytes.count, 256), 1 << 16))))
    }
}
