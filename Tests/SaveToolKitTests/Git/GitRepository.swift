import Foundation
import Testing

/// A repository for one test, with the installed git, copies of the games' saves, and the built tool on the `PATH`.
struct GitRepository {
    static let isPossible = Programs.savetool != nil && Programs.git != nil
    static let needs: Comment = "needs git, and the built tool beside the tests"

    let workspace: Workspace

    init() throws {
        workspace = try Workspace(fixtures: ["games"])
        try git("init", "-q", "-b", "main", "--template=")
    }

    /// Creates a repository in which git shows and merges saves with the tool.
    static func setUp() throws -> GitRepository {
        let repository = try GitRepository()
        try #require(repository.workspace.run(["git-setup", "--apply", "*.save"]).status == 0)
        return repository
    }

    struct Outcome {
        let status: Int32
        let text: String
    }

    /// Runs git, which must succeed, and returns its standard output.
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

    /// Runs a shell command, which may fail.
    ///
    /// - Parameter input: Standard input, or nil to inherit it.
    func shell(_ command: String, input: FileHandle? = nil) throws -> Outcome {
        try run(["-c", command], by: URL(filePath: "/bin/sh"), talk: nil, input: input)
    }

    /// - Parameter talk: Standard error, or nil for the same pipe as standard output.
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
