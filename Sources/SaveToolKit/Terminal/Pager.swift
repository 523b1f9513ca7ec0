import SaveCodec

/// Shows what is longer than the screen in the program that the user reads long texts in, as git does.
///
/// Up to a screenful is held back, and goes to the terminal if nothing follows. Messages that would come between go the
/// same way, so that they stand where they belong.
final class Pager {
    private enum State {
        /// What was written so far, while it has room on the screen.
        case holding([UInt8], lines: Int)
        case paging(PipedProgram)
        /// All goes to the terminal, as there is no such program.
        case passing
    }

    private let command: String
    private let terminal: OutputChannel
    private let progress: Progress?
    private let size: TerminalSize
    private var state = State.holding([], lines: 0)

    /// Nil where nobody reads along, or nobody wants a pager: `SAVETOOL_PAGER`, else `PAGER`, is empty or `cat`.
    init?(_ invocation: Invocation) {
        let environment = invocation.environment
        command = environment["SAVETOOL_PAGER"] ?? environment["PAGER"] ?? "less"
        guard let size = invocation.output.size, invocation.output.isTerminal, environment["TERM"] != "dumb",
            !["", "cat"].contains(command)
        else { return nil }
        self.size = size
        terminal = invocation.output
        progress = invocation.progress
    }

    /// The channel whose output is shown.
    var channel: OutputChannel {
        OutputChannel(isTerminal: true, size: size) { try self.write($0) }
    }

    private func write(_ piece: Span<UInt8>) throws {
        switch state {
        case .holding(var bytes, var lines):
            state = .passing
            for position in piece.indices {
                bytes.append(piece[position])
                if piece[position] == UInt8(ascii: "\n") { lines += 1 }
            }
            // A line and its colours take less than four bytes a column.
            let isLong = lines >= size.rows || bytes.count > 4 * size.columns * size.rows
            guard isLong else { return state = .holding(bytes, lines: lines) }
            guard let program = start() else { return try terminal.write(bytes.span) }
            // The screen is the program's from now on.
            progress?.stop()
            state = .paging(program)
            try program.write(bytes.span)
        case .paging(let program): try program.write(piece)
        case .passing: try terminal.write(piece)
        }
    }

    /// Nil if there is no such program.
    private func start() -> PipedProgram? {
        let name = command.split(separator: " ").first { !$0.utf8.contains(UInt8(ascii: "=")) }
        guard let name, Shell.hasProgram(String(name)) else { return nil }
        // less ends at once if all has room on the screen after all, shows colours, and leaves the screen as it is.
        return PipedProgram(command, defaults: ["LESS": "FRX", "LV": "-c"])
    }

    /// Shows what was held back, or waits until the user has read enough.
    func finish() throws {
        switch state {
        case .holding(let bytes, _): try terminal.write(bytes.span)
        case .paging(let program): program.finish()
        case .passing: break
        }
        state = .passing
    }
}
