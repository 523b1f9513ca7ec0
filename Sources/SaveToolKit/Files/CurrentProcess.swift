import Dispatch
import SaveCodec
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The process that the tool runs in.
enum CurrentProcess {
    /// The arguments after the program's name, in the encoding of ``FileName``.
    static var arguments: [String] {
        // Sound: the system gives as many arguments as it says, each ends in zero, and they live as long as the
        // process.
        let arguments = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return unsafe arguments.dropFirst().compactMap { unsafe $0.map { unsafe FileName.text(cString: $0) } }
    }

    /// Returns the values of the given environment variables that are set.
    static func environment(_ names: [String]) -> [String: String] {
        var environment: [String: String] = [:]
        // Sound: the value ends in zero and is copied at once; nothing changes the environment before the tool starts a
        // program.
        for name in names { environment[name] = unsafe getenv(name).map { unsafe FileName.text(cString: $0) } }
        return environment
    }

    /// Opens /dev/null for each standard stream that is closed. Otherwise the next file that is opened would get its
    /// number, and messages would be written into the file.
    ///
    /// Each is opened in the wrong direction, so that using it fails as if it were closed.
    static func occupyClosedStreams() {
        for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 {
            // The system assigns the lowest free number, and all lower numbers are in use.
            // Sound: the path is a literal, which ends in zero.
            _ = unsafe open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Runs the tool, and ends the process with its exit status.
    ///
    /// During the run, writing to a closed pipe or to a file that becomes too large raises no signal, but is an error
    /// of `write`. If another signal ends the process, it leaves no temporary files.
    static func end(_ run: @autoclosure () -> Int32) -> Never {
        for number in ChildProcess.ignoredSignals { _ = signal(number, SIG_IGN) }
        TerminationSignals.catchAll()
        exit(run())
    }

    /// Ends the process silently, with status 0, if it still runs after the given time, which must be less than a
    /// second.
    static func endQuietly(after milliseconds: Int) {
        _ = signal(SIGALRM) { _ in _exit(0) }
        // The parent process may have blocked the signal, and that is inherited.
        var signals = sigset_t()
        // Sound: the set is initialized by the first call, and outlives the others.
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGALRM)
        unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
        _ = ualarm(useconds_t(milliseconds) * 1000, 0)
    }

    /// The number of processors that are online.
    static let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Runs parts of a task in parallel; nil if there is only one processor.
    static let runner: ParallelRunner? = {
        guard processorCount > 1 else { return nil }
        return { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
    }()

    /// The current time, in seconds since 2001-01-01T00:00:00Z.
    static var secondsSince2001: Double { Double(time(nil)) - 978_307_200 }
}

// MARK: Signals

/// The signals that end the process. Temporary files are removed first.
enum TerminationSignals {
    /// Ctrl-C, Ctrl-\, a terminal that closes, `kill`, and the limit of processor time.
    private static let numbers = [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGXCPU]

    /// The maximum number of temporary files that a signal removes. A run has two, the new file and the backup.
    private static let capacity = 4

    /// The paths of the temporary files. The code that exchanges a path for nil owns the path.
    ///
    /// Sound: the slots are initialized before any other code gets the pointer, are never freed, and are atomic.
    private nonisolated(unsafe) static let paths: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>> = {
        let paths = UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>>.allocate(capacity: capacity)
        for slot in 0..<capacity { unsafe (paths + slot).initialize(to: Atomic(nil)) }
        return unsafe paths
    }()

    /// Makes the signals remove the files from now on. A signal that is ignored, as with `nohup`, stays ignored.
    fileprivate static func catchAll() {
        // Initializes the paths now, as a signal handler must not allocate memory.
        //
        // Sound: `paths` is only initialized here. The values that are cast below are addresses, of the same size as an
        // integer, and only compared.
        _ = unsafe paths
        for number in numbers {
            let previous = signal(number) { number in
                TerminationSignals.removeFiles()
                // The signal is blocked until the handler returns. Then it has its default effect.
                _ = signal(number, SIG_DFL)
                _ = raise(number)
            }
            // Compares the addresses, as SIG_IGN is a number and not a function.
            if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                _ = signal(number, SIG_IGN)
            }
        }
    }

    private static func removeFiles() {
        // Sound: a path that is taken out belongs to this call alone, and no other code frees it; `unlink` is safe in a
        // signal handler.
        for slot in 0..<capacity {
            if let path = unsafe paths[slot].exchange(nil, ordering: .acquiringAndReleasing) {
                _ = unsafe unlink(path)
            }
        }
    }

    /// A registration of a file that the signals remove. The file need not exist. The registration ends with this
    /// object.
    ///
    /// Sound: the path is freed in deinit, once, and only if no signal has taken it.
    @safe final class Removal {
        private let path: UnsafeMutablePointer<CChar>?
        private let slot: Int?

        init(of path: String) {
            // Sound: there are `capacity` slots; the copy belongs to this object until deinit.
            let path = unsafe strdup(FileName.cString(path))
            slot = (0..<TerminationSignals.capacity).first { slot in
                unsafe TerminationSignals.paths[slot]
                    .compareExchange(expected: nil, desired: path, ordering: .acquiringAndReleasing).exchanged
            }
            unsafe self.path = path
        }

        deinit {
            // Sound: if a signal has taken the path out of its slot, the process ends, and needs the path until then;
            // otherwise no signal can take the path after it is out.
            if let slot,
                unsafe TerminationSignals.paths[slot].exchange(nil, ordering: .acquiringAndReleasing) == nil
            {
                return
            }
            unsafe free(path)
        }
    }
}
