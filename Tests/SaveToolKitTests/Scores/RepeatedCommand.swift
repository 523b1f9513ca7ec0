import Foundation
import Testing

/// A process that runs a command of the shell over and over until it is told to stop. It ends with the value.
final class RepeatedCommand {
    private let process = Process()
    private let workspace: Workspace
    /// What its files are called.
    private let name: String

    /// Starts to run a command, in which `$number` says how often it has been run before.
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

    /// Ends it and returns how often the command was run, and what has gone wrong.
    func stop() throws -> (count: Int, failures: [String]) {
        try workspace.write("", to: name + "-stop")
        process.waitUntilExit()
        let count = try #require(Int(workspace.text(of: name + "-count").dropLast()))
        return (count, try workspace.text(of: name + "-failures").split(separator: "\n").map(String.init))
    }
}
