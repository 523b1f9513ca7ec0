/// A buffered writer of bytes, which passes them on in large pieces.
///
/// Without a sink, the buffer grows and holds all bytes. Otherwise the buffer keeps its size, and the sink receives its
/// contents whenever it is full. After the sink has thrown, it is not called again: later bytes are dropped, and
/// ``finish()`` throws the sink's error.
///
/// The writer uses a pointer, as does ``ImageBuffer``. An array would check its uniqueness and capacity for every byte
/// of an output that is several times as large as its input. Every method makes room before it writes, so no index can
/// leave the buffer.
///
/// Sound: the writer is the only owner of the buffer. It cannot be copied, and frees the buffer once, in deinit. The
/// buffer always has at least 64 bytes, and only the first `used` of them are read.
@safe
public struct ByteWriter: ~Copyable {
    /// Receives a piece of the output. The span is valid only during the call.
    public typealias Sink = (Span<UInt8>) throws -> Void

    /// The size in bytes from which a span is passed to the sink without being copied.
    private static let largePiece = 1 << 16

    private var storage: UnsafeMutableBufferPointer<UInt8>
    private var used = 0
    private var handedOn = 0
    private let sink: Sink?
    private var failure: (any Error)?

    /// Creates a writer that keeps all its bytes in memory, for ``takeBytes()``.
    public init() {
        // Sound: deinit frees this buffer.
        unsafe storage = .allocate(capacity: 1 << 12)
        sink = nil
    }

    /// Creates a writer that hands its bytes to `sink` in pieces of about `size` bytes.
    public init(pieces size: Int = 1 << 18, to sink: @escaping Sink) {
        // Sound: deinit frees this buffer.
        unsafe storage = .allocate(capacity: max(size, 64))
        self.sink = sink
    }

    deinit {
        // Sound: init or makeRoom allocated the buffer, and it has no other owner.
        unsafe storage.deallocate()
    }

    /// The number of bytes written so far.
    package var count: Int { handedOn + used }

    /// Whether the sink has thrown, so that further output is pointless.
    package var hasFailed: Bool { failure != nil }

    /// Writes one byte.
    @inline(__always)
    package mutating func write(_ byte: UInt8) {
        // Sound: the byte at `used` is in the buffer, because makeRoom(1) has run if it was full.
        if unsafe used == storage.count { makeRoom(1) }
        unsafe storage[unchecked: used] = byte
        used += 1
    }

    /// Writes the bytes of `source` in `range`.
    @inline(__always)
    package mutating func write(_ source: [UInt8], in range: Range<Int>) {
        if range.count > 32 { return write(source.span.extracting(range)) }
        _ = write(source.span, from: range.lowerBound, upTo: range.upperBound) { _ in 0 }
    }

    /// Writes all bytes of `source`.
    @inline(__always)
    package mutating func write(_ source: [UInt8]) {
        write(source.span)
    }

    /// Writes the UTF-8 bytes of a literal.
    ///
    /// If there is room, the compiler turns this into a few moves, because it knows the bytes.
    @inline(__always)
    package mutating func write(_ literal: StaticString) {
        let count = literal.utf8CodeUnitCount
        // Sound: a literal is never freed and has `count` bytes, for which the guard has ensured room. The buffer has
        // at least 64 bytes, so its base address exists.
        guard unsafe storage.count - used >= count else {
            return unsafe write(UnsafeBufferPointer(start: literal.utf8Start, count: count).span)
        }
        unsafe (storage.baseAddress.unsafelyUnwrapped + used).update(from: literal.utf8Start, count: count)
        used += count
    }

    /// Writes a short text.
    @inline(__always)
    mutating func write(short text: ShortText) {
        // Sound: makeRoom(16) ensures 16 bytes of room after `used`, which grows by at most 16.
        if unsafe storage.count - used < 16 { makeRoom(16) }
        let buffer = unsafe UnsafeMutableRawBufferPointer(storage)
        unsafe buffer.storeBytes(of: text.low.littleEndian, toByteOffset: used, as: UInt64.self)
        unsafe buffer.storeBytes(of: text.high.littleEndian, toByteOffset: used + 8, as: UInt64.self)
        used += text.count
    }

    /// Writes a string as UTF-8.
    @_disfavoredOverload
    package mutating func write(_ string: String) {
        write(string.utf8.span)
    }

    /// Writes all bytes of `source`.
    package mutating func write(_ source: Span<UInt8>) {
        if sink != nil, source.count >= Self.largePiece {
            handOn()
            return handOn(source)
        }
        var position = 0
        while position < source.count {
            // Sound: `length` exceeds neither the rest of the source nor the rest of the buffer after `used`. The two
            // never overlap, because a span of the buffer exists only during a call of the sink.
            if unsafe used == storage.count { makeRoom(source.count - position) }
            let length = unsafe min(source.count - position, storage.count - used)
            let target = unsafe UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(storage)[used..<used + length])
            unsafe source.extracting(position..<position + length).withUnsafeBytes {
                unsafe target.copyMemory(from: $0)
            }
            used += length
            position += length
        }
    }

    /// Writes the bytes of `source` from `start` up to the first one that `stops` marks, in a single pass.
    ///
    /// - Parameters:
    ///   - source: The bytes to read.
    ///   - start: The offset of the first byte.
    ///   - end: The offset to stop at if no byte is marked; it lies within `source`.
    ///   - stops: A function that marks the bytes to stop at.
    /// - Returns: The offset of the first byte that was not written.
    @inline(__always)
    mutating func write(
        _ source: Span<UInt8>, from start: Int, upTo end: Int, before stops: (EightBytes) -> UInt64
    ) -> Int {
        var position = start
        while position < end {
            // Sound: makeRoom(8) ensures eight bytes of room after `used`, which grows by at most eight.
            if unsafe storage.count - used < 8 { makeRoom(8) }
            let bytes = EightBytes(source, at: position)
            unsafe UnsafeMutableRawBufferPointer(storage).storeBytes(
                of: bytes.word.littleEndian, toByteOffset: used, as: UInt64.self)
            let length = min(EightBytes.first(stops(bytes)), end - position)
            used += length
            position += length
            if length < 8 { break }
        }
        return position
    }

    /// Writes a code point as UTF-8.
    mutating func write(codePoint point: UInt32) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: point >> shift & 0x3F) }
        switch point {
        case ..<0x80:
            write(UInt8(truncatingIfNeeded: point))
        case ..<0x800:
            write(0xC0 | UInt8(truncatingIfNeeded: point >> 6))
            write(tail(0))
        case ..<0x10000:
            write(0xE0 | UInt8(truncatingIfNeeded: point >> 12))
            write(tail(6))
            write(tail(0))
        default:
            write(0xF0 | UInt8(truncatingIfNeeded: point >> 18))
            write(tail(12))
            write(tail(6))
            write(tail(0))
        }
    }

    /// Writes `byte` `times` times.
    @inline(__always)
    package mutating func write(_ byte: UInt8, times: Int) {
        // Sound: the guard ensures eight bytes of room after `used`, which grows by at most eight.
        guard times <= 8, unsafe storage.count - used >= 8 else { return writeMany(byte, times) }
        unsafe UnsafeMutableRawBufferPointer(storage).storeBytes(
            of: 0x0101_0101_0101_0101 &* UInt64(byte), toByteOffset: used, as: UInt64.self)
        used += max(times, 0)
    }

    private mutating func writeMany(_ byte: UInt8, _ times: Int) {
        var left = times
        while left > 0 {
            // Sound: `length` does not exceed the rest of the buffer after `used`.
            if unsafe used == storage.count { makeRoom(left) }
            let length = unsafe min(left, storage.count - used)
            unsafe UnsafeMutableBufferPointer(rebasing: storage[used..<used + length]).update(repeating: byte)
            used += length
            left -= length
        }
    }

    /// Writes the low `width` bytes of `value`, the most significant byte first.
    @inline(__always)
    mutating func writeBigEndian(_ value: UInt64, width: Int) {
        if width > 8 { write(0, times: width - 8) }
        // Sound: makeRoom(8) ensures eight bytes of room after `used`, which grows by at most eight.
        if unsafe storage.count - used < 8 { makeRoom(8) }
        let length = min(max(width, 0), 8)
        let bytes = (value &<< UInt64(64 - 8 * length)).bigEndian
        unsafe UnsafeMutableRawBufferPointer(storage).storeBytes(of: bytes, toByteOffset: used, as: UInt64.self)
        used += length
    }

    /// Writes the low `width` bytes of `count` numbers, the most significant byte of each first.
    ///
    /// - Parameter number: A function that returns the number at a position.
    @inline(__always)
    mutating func writeBigEndian(_ count: Int, width: Int, _ number: (Int) -> Int) {
        if width > 8 {
            for position in 0..<count {
                writeBigEndian(UInt64(truncatingIfNeeded: number(position)), width: width)
            }
            return
        }
        let length = min(max(width, 1), 8)
        let shift = UInt64(64 - 8 * length)
        var position = 0
        while position < count {
            // Sound: makeRoom(8) ensures eight bytes of room after `used`. The inner loop stores at most as many
            // numbers as there are eight bytes of room for, and each moves `target` by at most eight.
            if unsafe storage.count - used < 8 { makeRoom(8) }
            let end = unsafe min(count, position + (storage.count - used) / 8)
            let buffer = unsafe UnsafeMutableRawBufferPointer(storage)
            var target = used
            while position < end {
                let bytes = (UInt64(truncatingIfNeeded: number(position)) &<< shift).bigEndian
                unsafe buffer.storeBytes(of: bytes, toByteOffset: target, as: UInt64.self)
                target += length
                position += 1
            }
            used = target
        }
    }

    /// Passes the rest of the buffer to the sink.
    ///
    /// - Throws: The error of the sink if it has thrown, now or earlier.
    public mutating func finish() throws {
        if sink != nil { handOn() }
        if let failure { throw failure }
    }

    /// Returns all bytes written to a writer without a sink, and empties the writer.
    public mutating func takeBytes() -> [UInt8] {
        // Sound: the first `used` bytes are initialized, and the array copies them.
        let bytes = unsafe [UInt8](UnsafeBufferPointer(rebasing: storage[..<used]))
        used = 0
        return bytes
    }

    /// Makes room in the buffer. With a sink, passes the buffer's bytes to the sink, which gives room for at least 64
    /// bytes, even if more are `wanted`. Without a sink, grows the buffer to hold `wanted` more bytes.
    @inline(never)
    private mutating func makeRoom(_ wanted: Int) {
        if sink != nil {
            handOn()
        } else {
            // Sound: the new buffer is larger than the copied bytes. No other pointer to the old buffer exists.
            let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(
                capacity: max(storage.count * 2, used + wanted))
            _ = unsafe larger.update(fromContentsOf: storage[..<used])
            unsafe storage.deallocate()
            unsafe storage = larger
        }
    }

    private mutating func handOn() {
        // Sound: the first `used` bytes are initialized. The writer does not change during the life of the span.
        unsafe handOn(UnsafeBufferPointer(rebasing: storage[..<used]).span)
        used = 0
    }

    private mutating func handOn(_ bytes: Span<UInt8>) {
        if failure == nil, bytes.count > 0, let sink {
            do {
                try sink(bytes)
            } catch {
                failure = error
            }
        }
        handedOn += bytes.count
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// The element at an index that the caller has checked. Debug builds check it here too.
    ///
    /// Sound: the only caller has checked that the index lies in the buffer. The buffer has at least 64 bytes, so its
    /// base address exists.
    fileprivate subscript(unchecked index: Int) -> UInt8 {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < count)
            return unsafe UnsafePointer(baseAddress.unsafelyUnwrapped + index)
        }
        @inline(__always) unsafeMutableAddress {
            assert(index >= 0 && index < count)
            return unsafe baseAddress.unsafelyUnwrapped + index
        }
    }
}

// MARK: Short texts

/// A text of at most 16 bytes that is chosen at run time. A ``ByteWriter`` writes it in two moves, almost as fast as a
/// literal.
struct ShortText: Sendable {
    /// The first eight bytes; the first one is the lowest byte.
    let low: UInt64
    /// The other bytes.
    let high: UInt64
    let count: Int

    /// - Precondition: The text has at most 16 bytes.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        // The texts are constants of the program, such as tags, so no input can cause this failure.
        precondition(bytes.count <= 16, "the text is too long for a short text")
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        (low, high, count) = (word(bytes.prefix(8)), word(bytes.dropFirst(8)), bytes.count)
    }
}

// MARK: Numbers of variable length

/// Numbers in groups of seven bits, the least significant first, with the high bit set on all but the last byte: `AC 02`
/// is 0x2C + 2 · 128 = 300.
package enum LEB128 {
    /// Appends a number. The bits of a negative number are treated as unsigned.
    package static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: Int64(number))
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
