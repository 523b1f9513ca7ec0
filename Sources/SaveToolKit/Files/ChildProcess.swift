import SaveCodec
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

enum ChildProcess {
    /// The status with which a program exited, or the signal that ended it.
    enum Termination: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// Runs a shell command with `operand` as its last argument, and waits for its end.
    ///
    /// Meanwhile, signals from the terminal, such as Ctrl-C, affect only the command.
    static func run(shellCommand command: String, operand: String) throws(SystemError) -> Termination {
        let takeBack = leaveTerminal()
        defer { takeBack() }
        return try wait(for: spawn(["/bin/sh", "-c", command + " \"$@\"", command, operand]))
    }

    /// Ignores signals from the terminal until the returned closure is called, so that they affect only the program
    /// that has been started.
    fileprivate static func leaveTerminal() -> () -> Void {
        let previous = terminalSignals.map { ($0, signal($0, SIG_IGN)) }
        return { for (number, handler) in previous { _ = signal(number, handler) } }
    }

    private static let terminalSignals = [SIGINT, SIGQUIT]

    /// The signals that the tool ignores, because the call that raises such a signal also returns an error.
    static let ignoredSignals = [SIGPIPE, SIGXFSZ]

    /// Starts a program. It is looked for in the folders of `PATH` if its name has no slash.
    ///
    /// - Parameters:
    ///   - input: The descriptor for its standard input, or nil to inherit the tool's.
    ///   - output: The descriptor for its standard output, or nil to inherit the tool's.
    ///   - errors: The descriptor for its standard error, or nil to inherit the tool's.
    ///   - defaults: Environment variables to set unless they already have a value.
    fileprivate static func spawn(
        _ words: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil,
        defaults: KeyValuePairs<String, String> = [:]
    ) throws(SystemError) -> pid_t {
        // Sound: no other thread reads or writes the environment, and the system copies both strings.
        for (name, value) in defaults { _ = unsafe setenv(name, value, 0) }
        // Sound: the copies of the words end in zero, and the list in nil; they are freed once, after the call that
        // reads them.
        var arguments = unsafe words.map { unsafe strdup(FileName.cString($0)) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        // Sound: each of these is initialized before it is used, destroyed once after its last use, and outlives the
        // calls that get its address; `environ` is the list of the process, which no other code changes meanwhile.
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
            var actions: posix_spawn_file_actions_t?
        #else
            var attributes = posix_spawnattr_t()
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        if let errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The program would inherit ignored signals, so restore their default actions.
        var defaults = sigset_t()
        _ = unsafe sigemptyset(&defaults)
        for number in terminalSignals + ignoredSignals { _ = unsafe sigaddset(&defaults, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let code = unsafe posix_spawnp(
            &process, FileName.cString(words[0]), &actions, &attributes, &arguments, variables)
        guard code == 0 else { throw SystemError(code: code) }
        return process
    }

    /// The environment of savetool, which child processes inherit.
    private static var variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        // Sound: the list belongs to the C library, and lives as long as the process.
        #if canImport(Darwin)
            unsafe _NSGetEnviron().pointee
        #else
            unsafe environ
        #endif
    }

    /// Asks a process to end. Kills it if it still runs after a second.
    fileprivate static func end(_ process: pid_t) throws(SystemError) -> Termination {
        _ = kill(process, SIGTERM)
        for _ in 0..<100 {
            var status: Int32 = 0
            // Sound: the system writes the status during the call.
            if unsafe waitpid(process, &status, WNOHANG) == process { return termination(status) }
            _ = usleep(10_000)
        }
        _ = kill(process, SIGKILL)
        return try wait(for: process)
    }

    fileprivate static func wait(for process: pid_t) throws(SystemError) -> Termination {
        var status: Int32 = 0
        // Sound: the system writes the status during the call.
        while unsafe waitpid(process, &status, 0) < 0 {
            let error = SystemError.last
            if error.code != EINTR { throw error }
        }
        return termination(status)
    }

    private static func termination(_ status: Int32) -> Termination {
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
}

/// A program that reads the tool's output.
final class PipedProgram {
    private let process: pid_t
    private var input: Descriptor?
    private let takeTerminalBack: () -> Void

    /// Starts a shell command.
    ///
    /// Signals from the terminal affect only that command until it has ended.
    ///
    /// - Parameter defaults: Environment variables to set unless they already have a value.
    init(_ command: String, defaults: KeyValuePairs<String, String>) throws(SystemError) {
        var reader: Int32 = -1
        let writer = try Descriptor(writingTo: &reader)
        defer { _ = close(reader) }
        process = try ChildProcess.spawn(["/bin/sh", "-c", command], input: reader, defaults: defaults)
        input = consume writer
        let takeBack = ChildProcess.leaveTerminal()
        // If the program ends, `write` must fail instead of raising a signal that ends the tool.
        let handler = signal(SIGPIPE, SIG_IGN)
        takeTerminalBack = {
            takeBack()
            _ = signal(SIGPIPE, handler)
        }
    }

    /// Writes to the program without buffering.
    ///
    /// If the program stops reading, the rest is dropped: the tool's result does not depend on whether its output is
    /// read to the end.
    func write(_ bytes: Span<UInt8>) throws(SystemError) {
        do throws(SystemError) {
            try input?.write(bytes)
        } catch {
            guard error == .brokenPipe else { throw error }
            input = nil
        }
    }

    /// Ends the input of the program, and waits for the program to end.
    func finish() throws(SystemError) -> ChildProcess.Termination {
        input = nil
        defer { takeTerminalBack() }
        return try ChildProcess.wait(for: process)
    }
}

/// A program that transforms or prints bytes.
final class FilterProgram {
    /// The result of a program that has ended.
    struct Outcome {
        /// The standard output, or nil if it was larger than the limit.
        let output: [UInt8]?
        /// The beginning of the standard error, if it was read.
        let errors: [UInt8]
        let termination: ChildProcess.Termination
    }

    private let process: pid_t
    private var input: Descriptor?
    private var output: Descriptor?
    private var errors: Descriptor?
    private var message: [UInt8] = []
    /// The byte count from which on further messages are dropped.
    private static let longestMessage = 1 << 16
    /// Ensures that programs are started one at a time. Otherwise they could inherit each other's pipes, and would not
    /// see the end of their input.
    private static let turn = Mutex(())

    private init(_ words: [String], readsErrors: Bool) throws(SystemError) {
        // If the program ends, `write` must fail instead of raising a signal that ends the tool.
        _ = signal(SIGPIPE, SIG_IGN)
        var (reader, writer, errorWriter): (Int32, Int32, Int32) = (-1, -1, -1)
        let input = try Descriptor(writingTo: &reader)
        defer { _ = close(reader) }
        let output = try Descriptor(readingFrom: &writer)
        defer { _ = close(writer) }
        if readsErrors { errors = try Descriptor(readingFrom: &errorWriter) }
        defer { if readsErrors { _ = close(errorWriter) } }
        process = try ChildProcess.spawn(
            words, input: reader, output: writer, errors: readsErrors ? errorWriter : nil)
        self.input = consume input
        self.output = consume output
    }

    /// Runs a shell command on some bytes.
    ///
    /// - Parameter limit: The maximum size of the output.
    static func run(shellCommand command: String, on bytes: [UInt8], limit: Int) throws(SystemError) -> Outcome {
        try run(["/bin/sh", "-c", command], on: bytes, limit: limit)
    }

    /// Runs a program, found in `PATH`, without a shell.
    ///
    /// - Parameter limit: The maximum size of the output.
    static func run(
        _ words: [String], on bytes: [UInt8] = [], limit: Int, readsErrors: Bool = false
    ) throws(SystemError) -> Outcome {
        let program = try turn.withLock { _ throws(SystemError) in
            try FilterProgram(words, readsErrors: readsErrors)
        }
        let output = Result { () throws(SystemError) in try program.output(of: bytes, limit) }
        // A program usually ends once its pipes are closed. After a failure or too much output, it is made to end.
        program.input = nil
        program.output = nil
        program.errors = nil
        let isComplete = if case .success(.some) = output { true } else { false }
        let termination = try isComplete ? ChildProcess.wait(for: program.process) : ChildProcess.end(program.process)
        return Outcome(output: try output.get(), errors: program.message, termination: termination)
    }

    /// Passes the bytes to the program and returns its output. Writes and reads in turn, so that neither side blocks
    /// the other.
    private func output(of bytes: [UInt8], _ limit: Int) throws(SystemError) -> [UInt8]? {
        var result: [UInt8] = []
        var written = 0
        while true {
            if written == bytes.count { input = nil }
            let ready = try wait()
            if ready.input { written += try write(bytes.span.extracting(written...)) }
            if ready.errors { try readErrors() }
            guard ready.output else { continue }
            guard let piece = try output?.readSome(atMost: 1 << 16), !piece.isEmpty else {
                try readLastErrors()
                return result
            }
            result += piece
            if result.count > limit { return nil }
        }
    }

    /// Writes as much as the program accepts. If it stops reading, the rest is dropped.
    private func write(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        do throws(SystemError) {
            return try input?.writeSome(bytes) ?? bytes.count
        } catch {
            guard error == .brokenPipe else { throw error }
            return bytes.count
        }
    }

    private func readErrors() throws(SystemError) {
        let piece = try errors?.readSome(atMost: 1 << 16) ?? []
        if piece.isEmpty { errors = nil }
        if message.count < Self.longestMessage { message += piece }
    }

    /// Reads messages after the end of the output. A program in the background may keep the pipe open, so this ends
    /// after a second without messages.
    private func readLastErrors() throws(SystemError) {
        output = nil
        input = nil
        while (errors?.number ?? -1) >= 0, try wait(milliseconds: 1000).errors { try readErrors() }
    }

    /// Waits until the program can be written to or read from, or has ended.
    ///
    /// - Parameter milliseconds: The longest time to wait, or -1 for no limit.
    private func wait(
        milliseconds: Int32 = -1
    ) throws(SystemError) -> (input: Bool, output: Bool, errors: Bool) {
        // `poll` ignores a request with a negative number.
        var requests = [
            pollfd(fd: input?.number ?? -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output?.number ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors?.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // Sound: the array holds three requests, the count that is passed.
        while unsafe poll(&requests, 3, milliseconds) < 0 {
            let error = SystemError.last
            if error.code != EINTR { throw error }
        }
        return (requests[0].revents != 0, requests[1].revents != 0, requests[2].revents != 0)
    }
}

extension Shell {
    /// Returns the standard output of a shell command without line feeds at its end, or nil if the command fails.
    static func output(of line: String, in folder: String = "") -> String? {
        let line = folder.isEmpty ? line : "cd \(quoted(folder)) && \(line)"
        // Sound: the stream is open from here to the only call that closes it, on every path.
        guard let stream = unsafe popen(FileName.cString(line), "r") else { return nil }
        var bytes: [UInt8] = []
        while case let byte = unsafe getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        guard unsafe pclose(stream) == 0 else { return nil }
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return FileName.text(bytes)
    }

    /// Whether a program of this name, or at this path, exists.
    static func hasProgram(_ name: String) -> Bool {
        output(of: "command -v -- \(quoted(name))") != nil
    }
}
