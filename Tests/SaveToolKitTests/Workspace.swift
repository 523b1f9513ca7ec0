import Foundation
import SaveToolKit
import TestSupport

/// A folder of its own for a test, with copies of fixtures if it wants some. It is removed with the value.
final class Workspace {
    let folder: URL
    /// The folder in it that commands are run in.
    private(set) var current: URL

    /// - Parameter fixtures: the folders of `Fixtures` of which copies are wanted. They are copies, not links, so that
    ///   nothing that is written here changes the fixtures themselves.
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

    /// A folder with copies of all that is in another.
    init(copying other: Workspace) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "savetool-\(UUID().uuidString)")
        current = folder
        try FileManager.default.copyItem(at: other.folder, to: folder)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs what comes in another folder; in the first one again if none is named.
    func enter(_ name: String?) {
        current = name.map { current.appending(path: $0) } ?? folder
    }

    /// What a run of the tool came to.
    struct Result: Equatable {
        var status: Int32
        var output: String
        var talk = ""
    }

    /// Runs the tool in this folder.
    ///
    /// - Parameters:
    ///   - isTerminal: whether standard output is a terminal.
    ///   - size: how large that is; nil if it does not say.
    ///   - typed: whether the input comes from a terminal.
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

    /// Runs the tool in this folder with the given streams.
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

    /// The path of a file here.
    func path(of name: String) -> String {
        current.appending(path: name).path(percentEncoded: false)
    }

    func bytes(of name: String) throws -> [UInt8] {
        try TestFiles.bytes(current.appending(path: name))
    }

    func text(of name: String) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    /// The names of all files here, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []).sorted()
    }
}

/// Gathers what is written to a channel.
final class Collector {
    private(set) var bytes: [UInt8] = []

    func append(_ more: [UInt8]) {
        bytes += more
    }

    /// A channel that ends here.
    ///
    /// - Parameter size: how large the terminal is; nil for one that does not say.
    func channel(isTerminal: Bool = false, size: TerminalSize? = nil) -> OutputChannel {
        OutputChannel(isTerminal: isTerminal, size: size) { piece in
            for position in piece.indices { self.bytes.append(piece[position]) }
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
