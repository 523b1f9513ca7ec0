import Synchronization

/// A function that runs a closure for every number below a count, in any order and possibly in parallel, and returns
/// after all calls have returned.
///
/// `DispatchQueue.concurrentPerform` is such a function. The library starts no threads of its own.
public typealias ParallelRunner = @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

/// A writer of a tree. It has value semantics, so that copies of it can write parts of a wide container in parallel:
///
///     <array>                    written by the writer
///         elements 0..<256       written by a copy ─┐
///         elements 256..<512     written by a copy ─┼─▶ joined in order
///         …                                        ─┘
///     </array>                   written by the writer
protocol DivisibleWriter: Sendable {
    /// Returns a writer for a range of the innermost container's contents, which stops after them.
    func part(_ range: Range<Int>) -> Self

    /// Writes until the end, or until the output has `size` bytes.
    ///
    /// It also stops before a scalar or key that takes at least `size` bytes as stored. The text of any smaller scalar
    /// or key has at most a few times `size` bytes.
    mutating func write(to output: inout ByteWriter, upTo size: Int)
}

/// The division of wide containers into parts that are written in parallel.
///
/// Memory stays bounded: a part that reaches its maximum size pauses until the parts before it are complete.
struct OutputParts: Sendable {
    /// The smallest number of elements or pairs for which a container is divided.
    ///
    /// Starting the parts costs about as much as writing a few hundred scalars.
    static let minCount = 2048

    /// The number of parts written at a time. It exceeds the usual processor count, because parts differ in duration.
    var partCount = 16
    /// The size in bytes at which a part pauses.
    var maxSize = 1 << 19
    /// The target size of a part in bytes, at which it neither pauses nor costs more to start than to write.
    var targetSize = 1 << 17
    /// The number of elements or pairs in each of the first parts.
    var firstStep = 256

    /// Writes `count` elements or pairs of a writer's innermost container.
    func write<Writer: DivisibleWriter>(
        _ count: Int, of writer: Writer, by run: ParallelRunner, to output: inout ByteWriter
    ) {
        let parts = (0..<partCount).map { _ in OutputPart<Writer>() }
        var step = firstStep
        var next = 0
        while next < count, !output.hasFailed {
            let (start, size) = (next, step)
            let turn = parts.prefix((count - start + size - 1) / size)
            run(turn.count) { index in
                let first = start + index * size
                turn[index].write(first..<min(first + size, count), of: writer, upTo: maxSize)
            }
            let largest = turn.map { $0.finish(to: &output) }.max() ?? 0
            next += partCount * size
            if largest > 2 * targetSize { step = max(size / 2, 1) } else if largest < targetSize / 2 { step *= 2 }
        }
    }
}

/// A part of a container and its output buffer, which later parts reuse.
private final class OutputPart<Writer: DivisibleWriter>: Sendable {
    private struct State: ~Copyable {
        /// The writer that continues where the part paused, or nil before its start and after its end.
        var writer: Writer?
        var output = ByteWriter()
    }

    private let state = Mutex(State())

    /// Writes a range of the innermost container's contents until the buffer has `size` bytes.
    func write(_ range: Range<Int>, of writer: Writer, upTo size: Int) {
        state.withLock { state in
            var part = writer.part(range)
            part.write(to: &state.output, upTo: size)
            state.writer = part
        }
    }

    /// Moves the buffer's bytes to the output, then writes the rest of the part. Returns the buffer's byte count.
    func finish(to output: inout ByteWriter) -> Int {
        let (writer, bytes) = state.withLock { state in
            defer { state.writer = nil }
            return (state.writer, state.output.takeBytes())
        }
        output.write(bytes)
        if var writer { writer.write(to: &output, upTo: .max) }
        return bytes.count
    }
}
