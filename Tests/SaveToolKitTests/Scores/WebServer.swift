import Foundation
import Testing

/// busybox httpd in the folder of a test, on a random port, with curl as its client. The server ends when the object is
/// released.
final class WebServer {
    private let process = Process()
    private let workspace: Workspace
    private let origin: String

    struct NotRunning: Error {}

    init(folder: String, in workspace: Workspace) throws {
        let address = "127.0.0.1:\(Int.random(in: 20_000..<60_000))"
        self.workspace = workspace
        origin = "http://" + address
        process.executableURL = Programs.busybox
        process.arguments = ["httpd", "-f", "-p", address, "-h", folder]
        process.currentDirectoryURL = workspace.folder
        process.environment = Programs.environment
        process.standardError = FileHandle.nullDevice
        try process.run()
        repeat {
            usleep(20_000)
            guard process.isRunning else { throw NotRunning() }
        } while try curl(["--output", "/dev/null", origin + "/"]) == nil
    }

    deinit {
        // The server may have inherited blocked signals. SIGKILL cannot be blocked.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    struct Answer: Equatable {
        let status: Int
        let header: [String]
        let body: String
    }

    func send(_ method: String, _ path: String, body: String? = nil, type: String? = nil) throws -> Answer {
        var arguments = method == "HEAD" ? ["--head"] : ["--include", "--request", method]
        if let body { arguments += ["--data-binary", body] }
        if let type { arguments += ["--header", "Content-Type: " + type] }
        let text = try #require(try curl(arguments + [origin + path]))
        let end = try #require(text.range(of: "\r\n\r\n"))
        let header = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let status = try #require(Int(header[0].split(separator: " ")[1]))
        return Answer(status: status, header: header, body: String(text[end.upperBound...]))
    }

    /// Sends forms, up to `count` at a time, and returns the bodies of the answers in any order.
    func send(_ forms: [String], to path: String, atOnce count: Int) throws -> [String] {
        let requests = forms.map { "url = \"\(origin + path)\"\ndata-binary = \"\($0)\"\n" }
        try workspace.write(requests.joined(separator: "next\n"), to: "requests")
        let arguments = ["--parallel", "--parallel-immediate", "--parallel-max", "\(count)", "--config", "requests"]
        return try #require(try curl(arguments)).split(separator: "\n").map(String.init)
    }

    /// Returns a shell command that downloads a page into a file.
    func command(for path: String, into file: String) -> String {
        "curl --silent --fail --output \(file) \(origin + path)"
    }

    /// Returns the output of curl, or nil without an answer.
    private func curl(_ arguments: [String]) throws -> String? {
        let process = Process()
        process.executableURL = Programs.curl
        process.arguments = ["--silent", "--noproxy", "*"] + arguments
        process.currentDirectoryURL = workspace.folder
        let output = Pipe()
        process.standardOutput = output
        // curl shows the progress of parallel requests even with --silent.
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: text, as: UTF8.self) : nil
    }
}
