import SaveCodec

/// Shows output in the user's pager if it is longer than the screen, like git.
///
/// Up to a screenful is held back, and is written to the terminal if no more follows. Messages are held back, too, so
/// that they stay in order with the output.
final class Pager {
    private enum State {
        /// The output so far, while it fits on the screen.
        case holding([UInt8], rows: Int, column: Int)
        case paging(PipedProgram)
        /// All output is written to the terminal, because the pager could not be started.
        case passing
    }

    private let command: String
    private let terminal: OutputChannel
    private let progress: Progress?
    private let size: TerminalSize
    private var state = State.holding([], rows: 0, column: 0)
    private let printError: (String) -> Void

    /// Creates a pager for the command in `SAVETOOL_PAGER`, or else in `PAGER`, or else for `less`.
    ///
    /// Returns nil if the command is empty or `cat`, or if the output is not a terminal, is a dumb one or has no known
    /// size.
    init?(_ invocation: Invocation) {
        let environment = invocation.environment
        command = environment["SAVETOOL_PAGER"] ?? environment["PAGER"] ?? "less"
        guard let size = invocation.output.size, invocation.output.isTerminal, environment["TERM"] != "dumb",
            !["", "cat"].contains(command)
        else { return nil }
        self.size = size
        terminal = invocation.output
        progress = invocation.progress
        printError = invocation.printError
    }

    /// The channel for the output to be shown.
    var channel: OutputChannel {
        OutputChannel(isTerminal: true, size: size) { try self.write($0) }
    }

    private func write(_ piece: Span<UInt8>) throws {
        switch state {
        case .holding(var bytes, var rows, var column):
            state = .passing
            for position in piece.indices {
                bytes.append(piece[position])
                // Counts bytes as columns. Colours and multi-byte characters take fewer columns, so the pager may be
                // started for output that fits; less then ends at once.
                column += 1
                if piece[position] == UInt8(ascii: "\n") || column > size.columns { (rows, column) = (rows + 1, 0) }
            }
            guard rows >= size.rows else { return state = .holding(bytes, rows: rows, column: column) }
            guard let program = start() else { return try terminal.write(bytes.span) }
            // The screen belongs to the pager from here on.
            progress?.stop()
            state = .paging(program)
            try program.write(bytes.span)
        case .paging(let program): try program.write(piece)
        case .passing: try terminal.write(piece)
        }
    }

    /// Starts the pager, or returns nil if it does not exist. A command that only a shell understands is assumed to
    /// exist.
    private func start() -> PipedProgram? {
        let name = command.split(separator: " ").first { !$0.utf8.contains(UInt8(ascii: "=")) }
        guard let name else { return nil }
        let isPlain = name.utf8.allSatisfy { !"\"'$`~\\(){}<>|;&*?[#!".utf8.contains($0) }
        guard !isPlain || Shell.hasProgram(String(name)) else { return nil }
        // less ends at once if everything fits on the screen, shows colours, and does not clear the screen.
        return try? PipedProgram(command, defaults: ["LESS": "FRX", "LV": "-c"])
    }

    /// Shows the output that was held back, or waits until the user leaves the pager.
    func finish() throws {
        switch state {
        case .holding(let bytes, _, _): try terminal.write(bytes.span)
        case .paging(let program):
            // A pager that the user leaves ends with status 0, or by a signal.
            state = .passing
            guard case .status(let status) = try program.finish(), status > 125 else { break }
            printError("savetool: the pager \(FileName.shown(command)) could not be started (status \(status))")
        case .passing: break
        }
        state = .passing
    }
}
