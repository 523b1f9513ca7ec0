import Foundation
import SaveToolKit
import TestSupport

/// A temporary folder for one test, with copies of fixtures if requested. The folder is removed when the object is
/// released.
final class Workspace {
    let folder: URL
    /// The folder in which commands run.
    private(set) var current: URL

    /// - Parameter fixtures: The folders of `Fixtures` to copy. They are copies instead of links, so that a test cannot
    ///   change the fixtures.
    init(fixtures: [String]? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "savetool-\(UUID().uuidString)")
        current = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        guard let fixtures else { return }
        let copies = folder.appending(path: "Fixtures")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
        for name in fixtures {
            try FileManager.default.copyItem(
                at: TestFiles.fixtures.appending(path: name), to: copies.appending(path: name))
        }
    }

    /// Makes a copy of another workspace's folder.
    init(copying other: Workspace) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "savetool-\(UUID().uuidString)")
        current = folder
        try FileManager.default.copyItem(at: other.folder, to: folder)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Changes the current folder to a subfolder, or to the top folder for nil.
    func enter(_ name: String?) {
        current = name.map { current.appending(path: $0) } ?? folder
    }

    struct Result: Equatable {
        var status: Int32
        var output: String
        var talk = ""
    }

    /// Runs the tool in the current folder.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether standard output is a terminal.
    ///   - size: The size of the terminal, or nil if it is unknown.
    ///   - typed: Whether the input comes from a terminal.
    func run(
        _ arguments: [String], input: [UInt8] = [], isTerminal: Bool = false, size: TerminalSize? = nil,
        typed: Bool = false, environment: [String: String] = [:]
    ) -> Result {
        let output = Collector()
        let talk = Collector()
        let status = run(
            arguments, input: input, typed: typed, environment: environment,
            output: output.channel(isTerminal: isTerminal, size: size), talk: talk.channel())
        return Result(status: status, output: output.text, talk: talk.text)
    }

    /// Runs the tool in the current folder, with the given streams.
    func run(
        _ arguments: [String], input: [UInt8] = [], typed: Bool = false, environment: [String: String] = [:],
        output: OutputChannel, talk: OutputChannel
    ) -> Int32 {
        SaveTool.run(
            Invocation(
                arguments: arguments, environment: environment, folder: current.path(percentEncoded: false),
                input: InputChannel(input, isTerminal: typed), output: output, standardError: talk))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: current.appending(path: name))
    }

    func path(of name: String) -> String {
        current.appending(path: name).path(percentEncoded: false)
    }

    func bytes(of name: String) throws -> [UInt8] {
        try TestFiles.bytes(current.appending(path: name))
    }

    func text(of name: String) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    /// The sorted names of all files in the top folder.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []).sorted()
    }
}

/// Collects the bytes that are written to a channel.
final class Collector {
    private(set) var bytes: [UInt8] = []

    func append(_ more: [UInt8]) {
        bytes += more
    }

    /// Returns a channel that writes to this collector.
    ///
    /// - Parameter size: The size of the terminal, or nil if it is unknown.
    func channel(isTerminal: Bool = false, size: TerminalSize? = nil) -> OutputChannel {
        OutputChannel(isTerminal: isTerminal, size: size) { piece in
            for position in piece.indices { self.bytes.append(piece[position]) }
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
