import Foundation
import Testing

/// The programs that the tests run. A program that is not installed is nil.
enum Programs {
    /// The tool that was built beside the tests.
    static let savetool: URL? = {
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "savetool")
        return isExecutable(beside) ? beside : nil
    }()

    static let git = installed("git")
    static let curl = installed("curl")
    static let jq = installed("jq")
    /// Shells with completion.
    static let bash = installed("bash")
    static let zsh = installed("zsh")
    static let fish = installed("fish")
    /// Whether the `script` of util-linux is installed, which runs a program on a terminal.
    static let script = (try? outputOfShell("script --version", in: URL(filePath: "/")).contains("util-linux")) == true
    /// Checkers of manual pages.
    static let mandoc = installed("mandoc")
    static let groff = installed("groff")
    static let cc = installed("cc") ?? installed("clang")
    /// A program that runs another one as a different user.
    static let setpriv = installed("setpriv")
    /// Whether the tests can run the tool as a different user.
    static let runAsOthers = geteuid() == 0 && setpriv != nil && savetool != nil
    /// A reader of Window Maker's preferences.
    static let wdread = installed("wdread")
    /// GNUstep's merger of property lists.
    static let plmerge = installed("plmerge")

    /// busybox, if it includes a web server.
    static let busybox: URL? = installed("busybox").flatMap { program in
        let process = Process()
        process.executableURL = program
        process.arguments = ["--list"]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let names = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return names.split(separator: "\n").contains("httpd") ? program : nil
    }

    /// The environment of the tests, with the built tool on the `PATH`.
    static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        let folder = savetool?.deletingLastPathComponent().path(percentEncoded: false) ?? "."
        environment["PATH"] = folder + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        return environment
    }

    /// Returns the standard output and standard error of an `sh` command.
    static func outputOfShell(_ line: String, in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = folder
        process.environment = environment
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// Copies a program, or a folder with programs.
    ///
    /// The system refuses to run a file that is open for writing. A copy by this process could be open in a child that
    /// a concurrent test starts, so `cp` makes the copy.
    static func copy(_ source: URL, to target: URL) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/cp")
        process.arguments = ["-R", source.path(percentEncoded: false), target.path(percentEncoded: false)]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static func installed(_ name: String) -> URL? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { URL(filePath: $0).appending(path: name) }
            .first(where: isExecutable)
    }

    private static func isExecutable(_ file: URL) -> Bool {
        FileManager.default.isExecutableFile(atPath: file.path(percentEncoded: false))
    }
}
