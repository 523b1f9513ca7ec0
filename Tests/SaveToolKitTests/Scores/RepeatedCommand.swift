import Foundation
import Testing

/// A process that repeats a shell command until `stop()` is called or the object is released.
final class RepeatedCommand {
    private let process = Process()
    private let workspace: Workspace
    /// The prefix of the names of its files.
    private let name: String

    /// Starts to repeat a command. `$number` counts the previous runs.
    init(_ name: String, _ command: String, in workspace: Workspace) throws {
        self.name = name
        self.workspace = workspace
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            number=0
            until [ -e \(name)-stop ]; do
                { \(command); } 2>> \(name)-failures || echo "exit $?" >> \(name)-failures
                number=$((number + 1))
            done
            echo $number > \(name)-count
            """,
        ]
        process.currentDirectoryURL = workspace.folder
        process.environment = Programs.environment
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Stops the process, and returns the number of runs and their error messages.
    func stop() throws -> (count: Int, failures: [String]) {
        try workspace.write("", to: name + "-stop")
        process.waitUntilExit()
        let count = try #require(Int(workspace.text(of: name + "-count").dropLast()))
        return (count, try workspace.text(of: name + "-failures").split(separator: "\n").map(String.init))
    }
}
