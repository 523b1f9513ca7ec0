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

    /// Writes on, to the end or until the output has `size` bytes; before a scalar that alone has as many, too.
    mutating func write(to output: inout ByteWriter, upTo size: Int)
}

/// How wide containers are divided. Memory stays bounded: a part that has its size waits, and is written to its end when
/// it is its turn.
enum OutputParts {
    /// Containers with fewer contents are not divided, as starting parts costs as much as writing some hundred scalars.
    static let leastCount = 2048
    /// How many parts are written at a time; more than there are processors, as some take longer than others.
    private static let width = 16
    private static let maxSize = 1 << 19
    /// The size that parts should have, so that they are neither cut short nor cost more than they hold.
    private static let aim = 1 << 17

    /// Writes `count` contents of a writer's innermost container.
    static func write<Writer: DivisibleWriter>(
        _ count: Int, of writer: Writer, by run: ParallelRunner, to output: inout ByteWriter
    ) {
        let parts = (0..<width).map { _ in OutputPart<Writer>() }
        var step = 256
        var next = 0
        while next < count, !output.hasFailed {
            let (start, size) = (next, step)
            run(min(width, (count - start + size - 1) / size)) { index in
                let first = start + index * size
                parts[index].write(first..<min(first + size, count), of: writer, upTo: maxSize)
            }
            let largest = parts.map { $0.finish(to: &output) }.max() ?? 0
            next += width * size
            if largest > 2 * aim { step = max(size / 2, 1) } else if largest < aim / 2 { step *= 2 }
        }
    }
}

/// A part of a container and the buffer that it is written to, which later parts use again.
private final class OutputPart<Writer: DivisibleWriter>: Sendable {
    private struct State: ~Copyable {
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
        let (writer, bytes) = state.withLock { ($0.writer, $0.output.takeBytes()) }
        output.write(bytes)
        if var writer { writer.write(to: &output, upTo: .max) }
        return bytes.count
    }
}
