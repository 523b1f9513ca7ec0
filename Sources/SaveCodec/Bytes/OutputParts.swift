import Synchronization

/// Runs a closure for every number below a count, in any order and several at the same time, and returns when all have
/// returned: what `DispatchQueue.concurrentPerform` does. The library starts no threads of its own.
public typealias ParallelRunner = @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

/// A writer of a tree that is a value, so that copies of it can write parts of a wide container side by side:
///
///     <array>                    written by the writer
///         elements 0..<256       written by a copy ─┐
///         elements 256..<512     written by a copy ─┼─▶ joined in order
///         …                                        ─┘
///     </array>                   written by the writer
protocol DivisibleWriter: Sendable {
    /// What writes some of the contents of the innermost container, and stops behind them.
    func part(_ range: Range<Int>) -> Self

    /// Writes on, to the end or until the output has `size` bytes. It also stops before a scalar or a key that is stored
    /// in as many, which takes at most a few times that in the text.
    mutating func write(to output: inout ByteWriter, upTo size: Int)
}

/// How wide containers are divided. Memory stays bounded: a part that has its size waits, and is written to its end when
/// it is its turn.
struct OutputParts: Sendable {
    /// Containers with fewer contents are not divided, as starting parts costs as much as writing some hundred scalars.
    static let leastCount = 2048

    /// How many parts are written at a time; more than there are processors, as some take longer than others.
    var partCount = 16
    /// At how many bytes a part waits for its turn.
    var maxSize = 1 << 19
    /// How many bytes parts should have, so that they are neither cut short nor cost more than they hold.
    var usualSize = 1 << 17
    /// How many contents the first parts have.
    var firstStep = 256

    /// Writes `count` contents of a writer's innermost container.
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
            if largest > 2 * usualSize { step = max(size / 2, 1) } else if largest < usualSize / 2 { step *= 2 }
        }
    }
}

/// A part of a container and the buffer that it is written to, which later parts use again.
private final class OutputPart<Writer: DivisibleWriter>: Sendable {
    private struct State: ~Copyable {
        /// What goes on where the part was cut; nil before it is begun and once it is finished.
        var writer: Writer?
        var output = ByteWriter()
    }

    private let state = Mutex(State())

    /// Writes contents of a writer's innermost container, as many as the buffer may hold.
    func write(_ range: Range<Int>, of writer: Writer, upTo size: Int) {
        state.withLock { state in
            var part = writer.part(range)
            part.write(to: &state.output, upTo: size)
            state.writer = part
        }
    }

    /// Hands on what has been written, and writes the rest; returns how much was in the buffer.
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
