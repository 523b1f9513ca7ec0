import SaveCodec
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs other programs.
enum ChildProcess {
    /// How a program ended.
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// Runs a command of the shell, which gets `operand` as its last argument, and waits for its end.
    ///
    /// The signals that a terminal sends meanwhile, Ctrl-C above all, are for that program alone.
    static func run(shellCommand command: String, operand: String) throws(SystemError) -> Ending {
        let takeBack = leaveTerminal()
        defer { takeBack() }
        return try wait(for: spawn(["/bin/sh", "-c", command + " \"$@\"", command, operand]))
    }

    /// Leaves the signals that a terminal sends to another program until the result is called.
    fileprivate static func leaveTerminal() -> () -> Void {
        let previous = terminalSignals.map { ($0, signal($0, SIG_IGN)) }
        return { for (number, handler) in previous { _ = signal(number, handler) } }
    }

    private static let terminalSignals = [SIGINT, SIGQUIT]

    /// The signals that the tool ignores, as the call that causes them fails, too.
    static let ignoredSignals = [SIGPIPE, SIGXFSZ]

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - input: the descriptor that it reads from; nil for the standard input of the tool.
    ///   - output: the descriptor that it writes to; nil for the standard output of the tool.
    ///   - defaults: variables of its environment, where they have no value yet.
    fileprivate static func spawn(
        _ words: [String], input: Int32? = nil, output: Int32? = nil, defaults: KeyValuePairs<String, String> = [:]
    ) throws(SystemError) -> pid_t {
        // Sound: no other thread reads or writes the environment, and the system copies both strings.
        for (name, value) in defaults { _ = unsafe setenv(name, value, 0) }
        // Sound: the copies of the words end in zero, and the list in nil; they are freed once, behind the call that reads
        // them.
        var arguments = unsafe words.map { unsafe strdup(FileName.cString($0)) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        // Sound: each of these is initialized before it is used, destroyed once behind the last use, and outlives the calls
        // that are given its address; `environ` is what the process has, and nobody changes it meanwhile.
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
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // What the tool ignores the program would ignore, too.
        var defaults = sigset_t()
        _ = unsafe sigemptyset(&defaults)
        for number in terminalSignals + ignoredSignals { _ = unsafe sigaddset(&defaults, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let code = unsafe posix_spawn(
            &process, FileName.cString(words[0]), &actions, &attributes, &arguments, variables)
        guard code == 0 else { throw SystemError(code: code) }
        return process
    }

    /// The environment of the process.
    private static var variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        // Sound: the list is the C library's, and is there as long as the process is.
        #if canImport(Darwin)
            unsafe _NSGetEnviron().pointee
        #else
            unsafe environ
        #endif
    }

    /// Asks a program to end, and ends it a second later.
    fileprivate static func end(_ process: pid_t) throws(SystemError) -> Ending {
        _ = kill(process, SIGTERM)
        for _ in 0..<100 {
            var status: Int32 = 0
            // Sound: the system writes the status during the call.
            if unsafe waitpid(process, &status, WNOHANG) == process { return ending(status) }
            _ = usleep(10_000)
        }
        _ = kill(process, SIGKILL)
        return try wait(for: process)
    }

    fileprivate static func wait(for process: pid_t) throws(SystemError) -> Ending {
        var status: Int32 = 0
        // Sound: the system writes the status during the call.
        while unsafe waitpid(process, &status, 0) < 0 {
            let error = SystemError.last
            if error.code != EINTR { throw error }
        }
        return ending(status)
    }

    private static func ending(_ status: Int32) -> Ending {
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
}

/// A program that reads what is written.
final class PipedProgram {
    private let process: pid_t
    private var input: Descriptor?
    private let takeTerminalBack: () -> Void

    /// Starts a command of the shell.
    ///
    /// The signals that a terminal sends are for that program alone until it has ended.
    ///
    /// - Parameter defaults: variables of its environment, where they have no value yet.
    init(_ command: String, defaults: KeyValuePairs<String, String>) throws(SystemError) {
        var reader: Int32 = -1
        let writer = try Descriptor(writingTo: &reader)
        defer { _ = close(reader) }
        process = try ChildProcess.spawn(["/bin/sh", "-c", command], input: reader, defaults: defaults)
        input = consume writer
        let takeBack = ChildProcess.leaveTerminal()
        // Its end is an error of `write`, as everywhere in the tool.
        let handler = signal(SIGPIPE, SIG_IGN)
        takeTerminalBack = {
            takeBack()
            _ = signal(SIGPIPE, handler)
        }
    }

    /// Writes to the program, at once. What it does not want to read any more is dropped: the answer of the tool is the same
    /// whether somebody has read to the end or not.
    func write(_ bytes: Span<UInt8>) throws(SystemError) {
        do throws(SystemError) {
            try input?.write(bytes)
        } catch {
            guard error == .brokenPipe else { throw error }
            input = nil
        }
    }

    /// Ends the input of the program, and waits for its end.
    func finish() throws(SystemError) -> ChildProcess.Ending {
        input = nil
        defer { takeTerminalBack() }
        return try ChildProcess.wait(for: process)
    }
}

/// A program that makes other bytes of those that it is given.
final class FilterProgram {
    private let process: pid_t
    private var input: Descriptor?
    private var output: Descriptor?
    /// Programs that are started side by side would have each other's pipes, and none would see the end of its input.
    private static let turn = Mutex(())

    /// Starts a command of the shell.
    private init(_ command: String) throws(SystemError) {
        // Its end is an error of `write`, as everywhere in the tool.
        _ = signal(SIGPIPE, SIG_IGN)
        var (reader, writer): (Int32, Int32) = (-1, -1)
        let input = try Descriptor(writingTo: &reader)
        defer { _ = close(reader) }
        let output = try Descriptor(readingFrom: &writer)
        defer { _ = close(writer) }
        process = try ChildProcess.spawn(["/bin/sh", "-c", command], input: reader, output: writer)
        self.input = consume input
        self.output = consume output
    }

    /// What a command of the shell makes of some bytes, and how it ended; no bytes where it makes more than `limit`.
    static func run(
        _ command: String, on bytes: [UInt8], limit: Int
    ) throws(SystemError) -> (output: [UInt8]?, ending: ChildProcess.Ending) {
        let program = try turn.withLock { _ throws(SystemError) in try FilterProgram(command) }
        let output = Result { () throws(SystemError) in try program.output(of: bytes, limit) }
        // Without its pipes it ends, and who does not is ended.
        program.input = nil
        program.output = nil
        guard case .success(.some) = output else {
            return (try output.get(), try ChildProcess.end(program.process))
        }
        return (try output.get(), try ChildProcess.wait(for: program.process))
    }

    /// Writes and reads in turn, as either may have to wait for the other.
    private func output(of bytes: [UInt8], _ limit: Int) throws(SystemError) -> [UInt8]? {
        var result: [UInt8] = []
        var written = 0
        while true {
            if written == bytes.count { input = nil }
            let (canWrite, canRead) = try wait()
            if canWrite { written += try write(bytes.span.extracting(written...)) }
            guard canRead else { continue }
            guard let piece = try output?.readSome(atMost: 1 << 16), !piece.isEmpty else { return result }
            result += piece
            if result.count > limit { return nil }
        }
    }

    /// Writes what can be written. What the program does not want to read any more is dropped.
    private func write(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        do throws(SystemError) {
            return try input?.writeSome(bytes) ?? bytes.count
        } catch {
            guard error == .brokenPipe else { throw error }
            return bytes.count
        }
    }

    /// Waits until something can be written or read, or the program has ended.
    private func wait() throws(SystemError) -> (canWrite: Bool, canRead: Bool) {
        // A negative number is passed over.
        var requests = [
            pollfd(fd: input?.number ?? -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output?.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // Sound: there are two requests, as the call is told.
        while unsafe poll(&requests, 2, -1) < 0 {
            let error = SystemError.last
            if error.code != EINTR { throw error }
        }
        return (requests[0].revents != 0, requests[1].revents != 0)
    }
}

extension Shell {
    /// What a line of `sh` writes to standard output, without the line ends behind it; nil if it fails.
    static func output(of line: String, in folder: String = "") -> String? {
        let line = folder.isEmpty ? line : "cd \(quoted(folder)) && \(line)"
        // Sound: the stream is open from here to the one call that closes it, on every way.
        guard let stream = unsafe popen(FileName.cString(line), "r") else { return nil }
        var bytes: [UInt8] = []
        while case let byte = unsafe getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        guard unsafe pclose(stream) == 0 else { return nil }
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return FileName.text(bytes)
    }

    /// Whether there is a program of this name, or at this path.
    static func hasProgram(_ name: String) -> Bool {
        output(of: "command -v -- \(quoted(name))") != nil
    }
}
