import SaveCodec

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
    ///   - defaults: variables of its environment, where they have no value yet.
    fileprivate static func spawn(
        _ words: [String], input: Int32? = nil, defaults: KeyValuePairs<String, String> = [:]
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

    fileprivate static func wait(for process: pid_t) throws(SystemError) -> Ending {
        var status: Int32 = 0
        // Sound: the system writes the status during the call.
        while unsafe waitpid(process, &status, 0) < 0 {
            let error = SystemError.last
            if error.code != EINTR { throw error }
        }
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
