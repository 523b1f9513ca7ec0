#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension SaveTool {
    /// Runs the tool with the arguments and streams of the process, and ends the process.
    package static func main() -> Never {
        // A closed pipe is then an error of `write`, which ends quietly.
        _ = signal(SIGPIPE, SIG_IGN)
        var environment: [String: String] = [:]
        for name in ["NO_COLOR", "COLUMNS", "VISUAL", "EDITOR", "TMPDIR"] + CGIRequest.variables {
            environment[name] = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        exit(
            run(
                Invocation(
                    arguments: Array(CommandLine.arguments.dropFirst()),
                    environment: environment, input: .standard,
                    output: .standard(1, name: "<stdout>"), talk: .standard(2, name: "<stderr>"))))
    }
}

/// How many processors are there to work.
let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

/// The clock of the system.
enum Clock {
    /// The present, in seconds since 2001-01-01T00:00:00Z.
    static var secondsSince2001: Double {
        Double(time(nil)) - 978_307_200
    }
}
