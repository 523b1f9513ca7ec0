import SaveCodec

/// Shows what is longer than the screen in the program that the user reads long texts in, as git does.
///
/// Up to a screenful is held back, and goes to the terminal if nothing follows. Messages that would come between go the
/// same way, so that they stand where they belong.
final class Pager {
    private enum State {
        /// What was written so far, while it has room on the screen.
        case holding([UInt8], rows: Int, column: Int)
        case paging(PipedProgram)
        /// All goes to the terminal, as there is no such program.
        case passing
    }

    private let command: String
    private let terminal: OutputChannel
    private let progress: Progress?
    private let size: TerminalSize
    private var state = State.holding([], rows: 0, column: 0)
    private let printError: (String) -> Void

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
        printError = invocation.printError
    }

    /// The channel whose output is shown.
    var channel: OutputChannel {
        OutputChannel(isTerminal: true, size: size) { try self.write($0) }
    }

    private func write(_ piece: Span<UInt8>) throws {
        switch state {
        case .holding(var bytes, var rows, var column):
            state = .passing
            for position in piece.indices {
                bytes.append(piece[position])
                // Colours and wide alphabets take fewer columns than bytes; less ends at once where all has room.
                column += 1
                if piece[position] == UInt8(ascii: "\n") || column > size.columns { (rows, column) = (rows + 1, 0) }
            }
            guard rows >= size.rows else { return state = .holding(bytes, rows: rows, column: column) }
            guard let program = start() else { return try terminal.write(bytes.span) }
            // The screen is the program's from now on.
            progress?.stop()
            state = .paging(program)
            try program.write(bytes.span)
        case .paging(let program): try program.write(piece)
        case .passing: try terminal.write(piece)
        }
    }

    /// Nil if there is no such program. What only a shell understands is taken for one.
    private func start() -> PipedProgram? {
        let name = command.split(separator: " ").first { !$0.utf8.contains(UInt8(ascii: "=")) }
        guard let name else { return nil }
        let isPlain = name.utf8.allSatisfy { !"\"'$`~\\(){}<>|;&*?[#!".utf8.contains($0) }
        guard !isPlain || Shell.hasProgram(String(name)) else { return nil }
        // less ends at once if all has room on the screen after all, shows colours, and leaves the screen as it is.
        return try? PipedProgram(command, defaults: ["LESS": "FRX", "LV": "-c"])
    }

    /// Shows what was held back, or waits until the user has read enough.
    func finish() throws {
        switch state {
        case .holding(let bytes, _, _): try terminal.write(bytes.span)
        case .paging(let program):
            // One that is left ends with 0, and by a signal where somebody is in a hurry.
            state = .passing
            guard case .status(let status) = try program.finish(), status > 125 else { break }
            printError("savetool: the pager \(FileName.shown(command)) could not be started (status \(status))")
        case .passing: break
        }
        state = .passing
    }
}
