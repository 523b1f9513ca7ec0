/// The bytes that a writer has produced, gathered in one buffer and handed on in large pieces.
///
/// Without a sink the buffer grows and holds everything; with one it keeps its size, and the sink receives it whenever
/// it is full. A sink that throws is not called again: what follows is dropped, and ``finish()`` throws its error.
///
/// It writes through a pointer, as only ``ImageBuffer`` does beside it, because a growing array costs a check of its
/// uniqueness and of its capacity for every byte of an output that is several times its input. Every method makes room
/// before it writes, so no index can leave the buffer.
///
/// Sound: nobody else sees the buffer, which is given back once, in deinit, as a writer cannot be copied. It has at least
/// 64 bytes from the first to the last moment, and only the first `used` of them are read.
@safe
public struct ByteWriter: ~Copyable {
    /// Receives a piece of the output. The span is only valid during the call.
    public typealias Sink = (Span<UInt8>) throws -> Void

    /// What is as large is handed on without being copied.
    private static let largePiece = 1 << 16

    private var storage: UnsafeMutableBufferPointer<UInt8>
    private var used = 0
    private var handedOn = 0
    private let sink: Sink?
    private var failure: (any Error)?

    /// Creates a writer that keeps all its bytes in memory, for ``takeBytes()``.
    public init() {
        // Sound: this is the buffer that deinit gives back.
        unsafe storage = .allocate(capacity: 1 << 12)
        sink = nil
    }

    /// Creates a writer that hands its bytes to `sink` in pieces of about `size` bytes.
    public init(pieces size: Int = 1 << 18, to sink: @escaping Sink) {
        // Sound: this is the buffer that deinit gives back.
        unsafe storage = .allocate(capacity: max(size, 64))
        self.sink = sink
    }

    deinit {
        // Sound: it is the buffer that init or makeRoom allocated, and there is no other owner.
        unsafe storage.deallocate()
    }

    /// How many bytes have been written so far.
    package var count: Int { handedOn + used }

    /// Whether the sink has thrown, so that writing more is of no use.
    package var hasFailed: Bool { failure != nil }

    /// Writes one byte.
    @inline(__always)
    package mutating func write(_ byte: UInt8) {
        // Sound: there is room for the byte at `used` once makeRoom(1) has run where there was none.
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
    /// Where there is room, the compiler makes a few moves of it, as it knows the bytes.
    @inline(__always)
    package mutating func write(_ literal: StaticString) {
        let count = literal.utf8CodeUnitCount
        // Sound: a literal is never freed and has `count` bytes, for which there is room where they are copied. The buffer
        // has at least 64 bytes, so its base address exists.
        guard unsafe storage.count - used >= count else {
            return unsafe write(UnsafeBufferPointer(start: literal.utf8Start, count: count).span)
        }
        unsafe (storage.baseAddress.unsafelyUnwrapped + used).update(from: literal.utf8Start, count: count)
        used += count
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
            // Sound: `length` is no more than what is left of the source and of the buffer behind `used`, and the two never
            // overlap, as no span of the buffer leaves the writer but for the time of a call of the sink.
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

    /// Writes bytes of `source`, from `start` up to the first that `stops` marks, but not beyond `end`, which lies within
    /// it; returns where that is. A run of text is so looked at and copied in one pass.
    @inline(__always)
    mutating func write(
        _ source: Span<UInt8>, from start: Int, upTo end: Int, before stops: (EightBytes) -> UInt64
    ) -> Int {
        var position = start
        while position < end {
            // Sound: there is room for eight bytes behind `used`, as makeRoom(8) makes it; `used` grows by no more than
            // eight.
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

    /// Writes `byte` as often as `times` says.
    @inline(__always)
    package mutating func write(_ byte: UInt8, times: Int) {
        // Sound: there is room for eight bytes behind `used`, which grows by no more than eight.
        guard times <= 8, unsafe storage.count - used >= 8 else { return writeMany(byte, times) }
        unsafe UnsafeMutableRawBufferPointer(storage).storeBytes(
            of: 0x0101_0101_0101_0101 &* UInt64(byte), toByteOffset: used, as: UInt64.self)
        used += max(times, 0)
    }

    private mutating func writeMany(_ byte: UInt8, _ times: Int) {
        var left = times
        while left > 0 {
            // Sound: `length` is no more than what is left of the buffer behind `used`.
            if unsafe used == storage.count { makeRoom(left) }
            let length = unsafe min(left, storage.count - used)
            unsafe UnsafeMutableBufferPointer(rebasing: storage[used..<used + length]).update(repeating: byte)
            used += length
            left -= length
        }
    }

    /// Writes the low `width` bytes of `value`, the most significant first.
    @inline(__always)
    mutating func writeBigEndian(_ value: UInt64, width: Int) {
        if width > 8 { write(0, times: width - 8) }
        // Sound: there is room for eight bytes behind `used`, as makeRoom(8) makes it; `used` grows by no more than eight.
        if unsafe storage.count - used < 8 { makeRoom(8) }
        let length = min(max(width, 0), 8)
        let bytes = (value << UInt64(64 - 8 * length)).bigEndian
        unsafe UnsafeMutableRawBufferPointer(storage).storeBytes(of: bytes, toByteOffset: used, as: UInt64.self)
        used += length
    }

    /// Hands on what is left in the buffer.
    ///
    /// - Throws: the error of the sink, if it threw now or before.
    public mutating func finish() throws {
        if sink != nil { handOn() }
        if let failure { throw failure }
    }

    /// Everything written to a writer without a sink; the writer is empty afterwards.
    public mutating func takeBytes() -> [UInt8] {
        // Sound: the first `used` bytes are written, and the array has a copy of them.
        let bytes = unsafe [UInt8](UnsafeBufferPointer(rebasing: storage[..<used]))
        used = 0
        return bytes
    }

    /// Makes room for at least one byte: by handing the buffer on, or by growing it to hold `wanted` more.
    @inline(never)
    private mutating func makeRoom(_ wanted: Int) {
        if sink != nil {
            handOn()
        } else {
            // Sound: the new buffer is larger than what is copied, and takes the place of the old one, which nothing points
            // to.
            let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(
                capacity: max(storage.count * 2, used + wanted))
            _ = unsafe larger.update(fromContentsOf: storage[..<used])
            unsafe storage.deallocate()
            unsafe storage = larger
        }
    }

    private mutating func handOn() {
        // Sound: the first `used` bytes are written, and the span lives as long as the call, in which the writer does not
        // change.
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
    /// The element at an index that the caller has checked; checked here too in debug builds.
    ///
    /// Sound: its one caller has seen that the index lies in the buffer, which has at least 64 bytes, so that its base
    /// address exists.
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
