import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
    static func catchAll() {
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
