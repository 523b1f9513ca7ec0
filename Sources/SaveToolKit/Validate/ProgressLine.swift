/// How far a long run has come, on a line of the terminal that is written over and taken away again.
struct ProgressLine {
    let total: Int
    let talk: OutputChannel
    private var isShown = false

    init(total: Int, talk: OutputChannel) {
        self.total = total
        self.talk = talk
    }

    /// Shows how many files are done, if a person reads along and some are done before the rest.
    mutating func show(_ done: Int) {
        guard talk.isTerminal, done > 0 else { return }
        isShown = true
        try? talk.write("\(Grouped.of(done)) of \(Grouped.of(total, "file"))".utf8.span)
    }

    /// Takes the line away.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        try? talk.write("\r\u{1B}[K".utf8.span)
    }
}
