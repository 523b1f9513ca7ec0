import Dispatch
import SaveCodec
import Synchronization

/// The progress of a long run, on a line of the terminal that is overwritten and finally removed:
///
///     1,200 of 100,000 files, 3,400 a second, 29 s left: checking
///     writing big.json: 120 MB, 35 MB a second
///
/// The line appears after a second. It is drawn on another thread, so that it is updated while a large file is read.
final class Progress: Sendable {
    private let state = Mutex(ProgressState())
    private let stream: Int32
    private let columns: Int

    /// Creates a line on the terminal of a standard stream, or returns nil if the stream is not a terminal.
    init?(on stream: Int32, environment: [String: String]) {
        let terminal = Descriptor(standard: stream)
        guard terminal.isTerminal, environment["TERM"] != "dumb", let size = terminal.terminalSize else { return nil }
        self.stream = stream
        columns = size.columns
        draw(after: .seconds(1))
    }

    /// Runs `body`, described by a task such as `reading big.plist`.
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

    /// Records the number of finished files and the total; 0 of 0 at the end.
    func note(_ done: Int, of total: Int) {
        state.withLock { state in
            if state.files?.total != total { state.filesBegan = .now }
            state.files = (done, total)
        }
    }

    /// Records that more bytes have been written.
    func note(written count: Int) {
        state.withLock { $0.bytes += count }
    }

    /// Removes the line, and does not show it again until the output is at the start of a line.
    func hide(before piece: Span<UInt8>) {
        state.withLock { state in
            hide(&state)
            if piece.count > 0 { state.isWithinLine = piece[piece.count - 1] != UInt8(ascii: "\n") }
        }
    }

    /// Removes the line permanently.
    func stop() {
        state.withLock { state in
            hide(&state)
            state.isStopped = true
        }
    }

    // MARK: The line

    private func hide(_ state: inout ProgressState) {
        guard state.isShown else { return }
        state.isShown = false
        try? Descriptor(standard: stream).write("\r\u{1B}[K".utf8.span)
    }

    private func draw(after interval: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self else { return }
            let isStopped = self.state.withLock { state in
                self.draw(&state)
                return state.isStopped
            }
            if !isStopped { self.draw(after: .milliseconds(200)) }
        }
    }

    private func draw(_ state: inout ProgressState) {
        guard let line = state.line, !state.isWithinLine, !state.isStopped else { return hide(&state) }
        state.isShown = true
        try? Descriptor(standard: stream).write(("\r\u{1B}[K" + DisplayWidth.fit(line, to: columns - 1)).utf8.span)
    }
}

/// The state of the work that the line shows.
struct ProgressState {
    /// The current task, or nil between tasks.
    private(set) var task: String?
    private var began = ContinuousClock.now
    /// The number of bytes that the task has written.
    var bytes = 0
    /// The number of finished files, and the total.
    var files: (done: Int, total: Int)?
    var filesBegan = ContinuousClock.now
    var isShown = false
    /// Whether the output has begun a line that is not complete.
    var isWithinLine = false
    var isStopped = false

    mutating func begin(_ task: String?) {
        self.task = task
        bytes = 0
        began = .now
    }

    /// The text of the line, or nil for none.
    var line: String? {
        guard let task else { return nil }
        if let files, files.total > 1 { return line(of: files, task) }
        let seconds = Self.seconds(since: began)
        guard bytes > 0 else { return "\(task): \(Int(seconds.rounded())) s" }
        return "\(task): \(Self.size(bytes)), \(Self.size(Int(Double(bytes) / max(seconds, 0.1)))) a second"
    }

    private func line(of files: (done: Int, total: Int), _ task: String) -> String {
        let start = CountText.of(files.done) + " of " + Phrase.count(files.total, "file")
        let rate = Double(files.done) / max(Self.seconds(since: filesBegan), 0.1)
        guard files.done > 0, files.done < files.total else { return "\(start): \(task)" }
        let left = Int((Double(files.total - files.done) / rate).rounded(.up))
        let shown = rate < 10 ? "\((rate * 10).rounded() / 10)" : CountText.of(Int(rate))
        return "\(start), \(shown) a second, \(CountText.of(left)) s left: \(task)"
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .seconds(1)
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 10_000_000 ? CountText.of(bytes / 1000) + " kB" : CountText.of(bytes / 1_000_000) + " MB"
    }
}
