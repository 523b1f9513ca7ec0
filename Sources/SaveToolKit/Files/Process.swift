import Dispatch
import SaveCodec
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The process that the tool runs in.
enum Process {
    /// The arguments behind the name of the program, as ``FileName`` has names.
    static var arguments: [String] {
        // Sound: the system gives as many arguments as it says, each ends in zero, and they are there as long as the
        // process is.
        let arguments = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return unsafe arguments.dropFirst().compactMap { unsafe $0.map { unsafe FileName.text(cString: $0) } }
    }

    /// The variables of the environment that are there of those named.
    static func environment(_ names: [String]) -> [String: String] {
        var environment: [String: String] = [:]
        // Sound: the value ends in zero and is copied at once; nothing changes the environment before the tool starts a
        // program.
        for name in names { environment[name] = unsafe getenv(name).map { unsafe FileName.text(cString: $0) } }
        return environment
    }

    /// Takes the numbers of standard streams that are closed, which a file would have that is opened next, so that
    /// messages go into it. What stands for them is open the wrong way, so that using it fails as if it were closed.
    static func occupyClosedStreams() {
        for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is given, and those below are taken.
            // Sound: the path is a literal, which ends in zero.
            _ = unsafe open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Runs something and ends the process with its exit status. A closed pipe and a file that becomes too large are errors
    /// of `write` meanwhile, and whatever signal ends the process leaves no temporary files.
    static func end(_ run: @autoclosure () -> Int32) -> Never {
        for number in ChildProcess.ignoredSignals { _ = signal(number, SIG_IGN) }
        EndingSignals.catchAll()
        exit(run())
    }

    /// Ends the process without a word if it still runs after so many milliseconds, less than a second.
    static func endQuietly(after milliseconds: Int) {
        _ = signal(SIGALRM) { _ in _exit(0) }
        // Whoever started the process may have blocked the signal, and that is inherited.
        var signals = sigset_t()
        // Sound: the set is initialized by the first call, and outlives the others.
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGALRM)
        unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
        _ = ualarm(useconds_t(milliseconds) * 1000, 0)
    }

    /// How many processors are there to work.
    static let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Runs parts of a work side by side; nil where there is one processor.
    static let runner: ParallelRunner? = {
        guard processorCount > 1 else { return nil }
        return { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
    }()

    /// The present, in seconds since 2001-01-01T00:00:00Z.
    static var secondsSince2001: Double {
        Double(time(nil)) - 978_307_200
    }
}

// MARK: Signals

/// The signals that end the process: before they do, temporary files are removed.
enum EndingSignals {
    /// Ctrl-C, Ctrl-\, a terminal that closes, `kill`, and the limit of processor time.
    private static let numbers = [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGXCPU]

    /// As many temporary files are removed; a run has two, the new file and the backup.
    private static let places = 4

    /// The paths of the files. Whoever takes one out of its place, by exchange, has it alone.
    ///
    /// Sound: the places are initialized before anybody has the pointer, are never freed, and are atomic.
    private nonisolated(unsafe) static let paths: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>> = {
        let paths = UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>>.allocate(capacity: places)
        for place in 0..<places { unsafe (paths + place).initialize(to: Atomic(nil)) }
        return unsafe paths
    }()

    /// Lets the signals remove the files from now on. One that is ignored, as `nohup` has it, stays so.
    fileprivate static func catchAll() {
        // Made here, as a signal may come while memory is given out.
        // Sound: both are addresses, of the same size as a number, and only compared.
        _ = unsafe paths
        for number in numbers {
            let previous = signal(number) { number in
                EndingSignals.removeFiles()
                // It waits until this is over, and then does what it does to a program that does not catch it.
                _ = signal(number, SIG_DFL)
                _ = raise(number)
            }
            // Handlers are functions, of which only the addresses can be compared; SIG_IGN is no function, but a number.
            if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                _ = signal(number, SIG_IGN)
            }
        }
    }

    private static func removeFiles() {
        // Sound: a path that is taken out is this call's alone, and is not freed by anybody else; `unlink` may be called
        // while a signal is handled.
        for place in 0..<places {
            if let path = unsafe paths[place].exchange(nil, ordering: .acquiringAndReleasing) {
                _ = unsafe unlink(path)
            }
        }
    }

    /// Lets the signals remove a file, which need not be there, for as long as this exists.
    ///
    /// Sound: the path is freed in deinit, once, and only where no signal has taken it.
    @safe final class Removal {
        private let path: UnsafeMutablePointer<CChar>?
        private let place: Int?

        init(of path: String) {
            // Sound: there are `places` places; the copy is this object's until deinit.
            let path = unsafe strdup(FileName.cString(path))
            place = (0..<EndingSignals.places).first { place in
                unsafe EndingSignals.paths[place]
                    .compareExchange(expected: nil, desired: path, ordering: .acquiringAndReleasing).exchanged
            }
            unsafe self.path = path
        }

        deinit {
            // Sound: where a signal has taken the path out of its place, the process ends, and needs it until then; else
            // nobody can take it any more once it is out.
            if let place,
                unsafe EndingSignals.paths[place].exchange(nil, ordering: .acquiringAndReleasing) == nil
            {
                return
            }
            unsafe free(path)
        }
    }
}
