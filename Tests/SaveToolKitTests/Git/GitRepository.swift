import Foundation
import Testing

/// A repository of a real git, of its own for a test, with a copy of the games' saves and the built tool on the `PATH`.
struct GitRepository {
    static let isPossible = Programs.savetool != nil && Programs.git != nil
    static let needs: Comment = "needs git, and the built tool beside the tests"

    let workspace: Workspace

    init() throws {
        workspace = try Workspace(fixtures: ["games"])
        try git("init", "-q", "-b", "main", "--template=")
    }

    /// What a run of git came to, with all that it wrote.
    struct Outcome {
        let status: Int32
        let text: String
    }

    /// Runs git, and expects it to succeed. Returns what it wrote to standard output.
    @discardableResult
    func git(_ arguments: String...) throws -> String {
        let outcome = try run(arguments, talk: FileHandle.nullDevice)
        try #require(outcome.status == 0)
        return outcome.text
    }

    /// Runs git, which may fail.
    func attempt(_ arguments: String...) throws -> Outcome {
        try run(arguments, talk: nil)
    }

    /// Runs a command of the shell, which may fail.
    ///
    /// - Parameter input: standard input; nil for that of the tests.
    func shell(_ command: String, input: FileHandle? = nil) throws -> Outcome {
        try run(["-c", command], by: URL(filePath: "/bin/sh"), talk: nil, input: input)
    }

    /// - Parameter talk: takes messages; nil for where everything else goes.
    private func run(
        _ arguments: [String], by program: URL? = Programs.git, talk: FileHandle?, input: FileHandle? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        if let input { process.standardInput = input }
        process.currentDirectoryURL = workspace.folder
        var environment = Programs.environment
        for role in ["AUTHOR", "COMMITTER"] {
            environment["GIT_\(role)_NAME"] = "Ada"
            environment["GIT_\(role)_EMAIL"] = "ada@example.com"
        }
        environment["GIT_CONFIG_NOSYSTEM"] = "1"
        environment["GIT_EDITOR"] = "true"
        environment["HOME"] = workspace.folder.path(percentEncoded: false)
        environment["LC_ALL"] = "C"
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = talk ?? output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, text: String(decoding: text, as: UTF8.self))
    }
}
