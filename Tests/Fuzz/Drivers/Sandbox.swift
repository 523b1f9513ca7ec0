import Foundation
import SaveToolKit

/// A folder in which the tool runs within this process. It is in the folder `SAVETOOL_FUZZ_MEMORY`, which `run` creates
/// in memory.
final class Sandbox: Sendable {
    static let shared = Sandbox()

    private let folder: URL
    /// Whether every run is printed; see `run`.
    private let isInformative = ProcessInfo.processInfo.environment["SAVETOOL_FUZZ_TELL"] != nil

    private init() {
        let memory = ProcessInfo.processInfo.environment["SAVETOOL_FUZZ_MEMORY"].map { URL(filePath: $0) }
        folder = (memory ?? FileManager.default.temporaryDirectory)
            .appending(path: "savetool-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            fatalError("\(error)")
        }
    }

    struct Result {
        let status: Int32
        let output: [UInt8]
        let talk: [UInt8]

        /// All output, for messages.
        var text: String { String(decoding: output + talk, as: UTF8.self) }
    }

    /// Runs the tool.
    ///
    /// - Parameter isTerminal: Whether standard output is a terminal.
    func run(_ arguments: [String], input: [UInt8] = [], isTerminal: Bool = false) -> Result {
        var output: [UInt8] = []
        var talk: [UInt8] = []
        let status = SaveTool.run(
            Invocation(
                arguments: arguments, environment: ["NO_COLOR": "1", "HOME": folder.path], folder: folder.path,
                input: InputChannel(input),
                output: OutputChannel(isTerminal: isTerminal, size: TerminalSize(columns: 80, rows: 24)) { piece in
                    for position in piece.indices { output.append(piece[position]) }
                },
                standardError: OutputChannel { piece in
                    for position in piece.indices { talk.append(piece[position]) }
                }))
        let result = Result(status: status, output: output, talk: talk)
        if isInformative {
            print("$ savetool \(arguments.joined(separator: " "))\n\(result.text)exit \(status)")
            fflush(nil)
        }
        return result
    }

    func write(_ bytes: [UInt8], to name: String) {
        do {
            try Data(bytes).write(to: folder.appending(path: name))
        } catch {
            fatalError("\(error)")
        }
    }

    func bytes(of name: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) }
    }

    /// Removes all files and returns their names.
    @discardableResult func clear() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names { try? FileManager.default.removeItem(at: folder.appending(path: name)) }
        return names
    }
}
