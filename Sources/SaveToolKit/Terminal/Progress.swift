import Dispatch
import SaveCodec
import Synchronization

/// How far a long run has come, on a line of the terminal that is written over and taken away again:
///
///     1,200 of 100,000 files, 3,400 a second, 29 s left: checking
///     writing big.json: 120 MB, 35 MB a second
///
/// A run that takes less than a second has none. The line is drawn by a thread of its own, so that it goes on while a
/// large file is read.
final class Progress: Sendable {
    private let state = Mutex(Work())
    private let stream: Int32
    private let columns: Int

    /// A line on the terminal behind a standard stream; nil where nobody reads along.
    init?(on stream: Int32, environment: [String: String]) {
        let terminal = Descriptor(standard: stream)
        guard terminal.isTerminal, environment["TERM"] != "dumb", let size = terminal.terminalSize else { return nil }
        self.stream = stream
        columns = size.columns
        draw(after: .seconds(1))
    }

    /// Does something that may take long, `reading big.plist` for one.
    func during<Result, Failure>(
        _ task: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = state.withLock { state in
            defer { state.begin(task) }
            return state.task
        }
        defer { state.withLock { $0.begin(before) } }
        return try body()
    }

    /// Notes how many files are done of those that the run goes through; of none at the end.
    func note(_ done: Int, of total: Int) {
        state.withLock { state in
            if state.files?.total != total { state.filesBegan = .now }
            state.files = (done, total)
        }
    }

    /// Notes that so many bytes more are written.
    func note(written count: Int) {
        state.withLock { $0.bytes += count }
    }

    /// Takes the line away, and does not show it before the next line of the output has begun.
    func hide(before piece: Span<UInt8>) {
        state.withLock { state in
            hide(&state)
            if piece.count > 0 { state.isWithinLine = piece[piece.count - 1] != UInt8(ascii: "\n") }
        }
    }

    /// Takes the line away for good.
    func stop() {
        state.withLock { state in
            hide(&state)
            state.isStopped = true
        }
    }

    // MARK: The line

    private func hide(_ state: inout Work) {
        guard state.isShown else { return }
        state.isShown = false
        try? Descriptor(standard: stream).write("\r\u{1B}[K".utf8.span)
    }

    private func draw(after interval: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self else { return }
            self.state.withLock { self.draw(&$0) }
            self.draw(after: .milliseconds(200))
        }
    }

    private func draw(_ state: inout Work) {
        guard let line = state.line, !state.isWithinLine, !state.isStopped else { return hide(&state) }
        state.isShown = true
        try? Descriptor(standard: stream).write(("\r\u{1B}[K" + Columns.fit(line, to: columns - 1)).utf8.span)
    }
}

/// What is being done.
struct Work {
    /// Nil where a person is asked, or nothing is done.
    private(set) var task: String?
    private var began = ContinuousClock.now
    /// How many bytes the task has written.
    var bytes = 0
    /// How many files are done of how many.
    var files: (done: Int, total: Int)?
    var filesBegan = ContinuousClock.now
    var isShown = false
    /// Whether the output has begun a line that is not ended.
    var isWithinLine = false
    var isStopped = false

    mutating func begin(_ task: String?) {
        self.task = task
        bytes = 0
        began = .now
    }

    /// What there is to say; nil for nothing.
    var line: String? {
        guard let task else { return nil }
        if let files, files.total > 1 { return line(of: files, task) }
        let seconds = Self.seconds(since: began)
        guard bytes > 0 else { return "\(task): \(Int(seconds.rounded())) s" }
        return "\(task): \(Self.size(bytes)), \(Self.size(Int(Double(bytes) / max(seconds, 0.1)))) a second"
    }

    private func line(of files: (done: Int, total: Int), _ task: String) -> String {
        let start = Grouped.of(files.done) + " of " + Grouped.of(files.total, "file")
        let rate = Double(files.done) / max(Self.seconds(since: filesBegan), 0.1)
        guard files.done > 0, files.done < files.total else { return "\(start): \(task)" }
        let left = Int((Double(files.total - files.done) / rate).rounded(.up))
        let shown = rate < 10 ? "\((rate * 10).rounded() / 10)" : Grouped.of(Int(rate))
        return "\(start), \(shown) a second, \(Grouped.of(left)) s left: \(task)"
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .seconds(1)
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 10_000_000 ? Grouped.of(bytes / 1000) + " kB" : Grouped.of(bytes / 1_000_000) + " MB"
    }
}
