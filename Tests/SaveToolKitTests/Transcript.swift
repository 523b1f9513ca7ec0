import Foundation
import SaveToolKit
import TestSupport

/// Commands and their output, as a terminal shows them:
///
///     $ echo '{"gems": 7}' > prefs.json
///     $ savetool inspect --at /gold prefs.json
///     prefs.json:1:1: /gold: no such value; (root) is a dictionary with the key gems
///     exit 1
///
/// `savetool`, `echo`, `cat`, `cd` and `sed` run inside the test process. `>`, `<` and `|` work as in a shell.
struct Transcript {
    /// The commands, without the prompt.
    let commands: [String]
    let text: String

    init(_ text: String) {
        self.text = text
        commands = text.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
    }

    /// Runs the commands in a new folder with the fixtures that they name, and returns the new transcript.
    func replay() throws -> String {
        let folders = try FileManager.default.contentsOfDirectory(atPath: TestFiles.fixtures.path)
        return try replay(
            in: Workspace(fixtures: folders.filter { name in commands.contains { $0.contains(name) } }))
    }

    /// Runs the commands in an existing workspace, and returns the new transcript.
    func replay(in workspace: Workspace, environment: [String: String] = [:]) throws -> String {
        var result = ""
        for command in commands {
            result += "$ " + command + "\n"
            let (output, status) = try Self.run(command, in: workspace, environment)
            result += output
            if !output.isEmpty, !output.hasSuffix("\n") { result += "\n" }
            if status != 0 { result += "exit \(status)\n" }
        }
        return result
    }

    private static func run(
        _ line: String, in workspace: Workspace, _ environment: [String: String]
    ) throws -> (String, Int32) {
        let terminal = Collector()
        var input: [UInt8] = []
        var status: Int32 = 0
        let stages = try words(line).split(separator: "|", omittingEmptySubsequences: false)
        for (number, stage) in stages.enumerated() {
            var words = Array(stage)
            if let source = take("<", from: &words) { input = try workspace.bytes(of: source) }
            let target = take(">", from: &words)
            let isLast = number == stages.count - 1
            let output = isLast && target == nil ? terminal : Collector()
            status = try run(words, input, output, terminal, workspace, environment)
            input = output.bytes
            if let target { try Data(output.bytes).write(to: workspace.current.appending(path: target)) }
        }
        return (terminal.text, status)
    }

    private static func run(
        _ words: [String], _ input: [UInt8], _ output: Collector, _ terminal: Collector, _ workspace: Workspace,
        _ environment: [String: String]
    ) throws -> Int32 {
        switch words.first {
        case "savetool":
            return workspace.run(
                Array(words.dropFirst()), input: input, environment: environment, output: output.channel(),
                talk: terminal.channel())
        case "echo": output.append(Array((words.dropFirst().joined(separator: " ") + "\n").utf8))
        case "cd": workspace.enter(words.dropFirst().first)
        case "cat": for name in words.dropFirst() { output.append(try workspace.bytes(of: name)) }
        case "sed": output.append(try substituted(words, in: input))
        default: throw Unsupported(words: words)
        }
        return 0
    }

    /// Returns the output of `sed s/a/b/`, where `a` is plain text instead of a regular expression.
    private static func substituted(_ words: [String], in input: [UInt8]) throws -> [UInt8] {
        let parts = words.count == 2 ? words[1].components(separatedBy: "/") : []
        guard parts.count == 4, parts[0] == "s", parts[3].isEmpty else { throw Unsupported(words: words) }
        let lines = String(decoding: input, as: UTF8.self).components(separatedBy: "\n").map { line in
            line.range(of: parts[1]).map { line.replacingCharacters(in: $0, with: parts[2]) } ?? line
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// A command that a transcript cannot run.
    struct Unsupported: Error {
        let words: [String]
    }

    private static func take(_ sign: String, from words: inout [String]) -> String? {
        guard let position = words.firstIndex(of: sign), position + 1 < words.count else { return nil }
        defer { words.removeSubrange(position...position + 1) }
        return words[position + 1]
    }

    /// Splits a line at blanks. Single and double quotation marks quote blanks and operators.
    private static func words(_ line: String) throws -> [String] {
        var words: [String] = []
        var word: String?
        var mark: Unicode.Scalar?
        for scalar in line.unicodeScalars {
            if let open = mark {
                if scalar == open { mark = nil } else { word?.unicodeScalars.append(scalar) }
            } else if scalar == "'" || scalar == "\"" {
                mark = scalar
                word = word ?? ""
            } else if scalar == " " {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(scalar)
            }
        }
        guard mark == nil else { throw Unsupported(words: [line]) }
        return words + (word.map { [$0] } ?? [])
    }
}
