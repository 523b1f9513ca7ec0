import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests that no edit is lost if many processes change one file in place at once.
@Suite(.enabled(if: Programs.savetool != nil, "needs the built tool beside the tests"), .serialized)
struct ConcurrentEditTests {
    private static let file = "save.json"
    private static let table =
        #"{"HighScores": [{"playerName": "Ada", "score": 5, "date": {"$date": "2009-09-06T12:34:56Z"}}], "list": []}"#

    /// Returns the command of the process with the given number.
    private static func arguments(_ number: Int, _ workspace: Workspace) throws -> [String] {
        switch number % 5 {
        case 0: return ["set", "-i", file, "/key\(number)", "\(number)"]
        case 1: return ["insert", "-i", file, "/list/-", "\(number)"]
        case 2:
            try workspace.write(#"[{"op": "add", "path": "/key\#(number)", "value": \#(number)}]"#, to: "p\(number)")
            return ["patch", "-i", file, "p\(number)"]
        case 3: return ["scores", "add", file, "--name", "p\(number)", "--score", "\(number)", "--keep", "0"]
        default:
            // Neither the base nor theirs has what other processes write meanwhile.
            try workspace.write(#"{"key\#(number)": \#(number)}"#, to: "t\(number)")
            try workspace.write("{}", to: "b\(number)")
            return ["merge", "-i", "b\(number)", file, "t\(number)"]
        }
    }

    @Test(.timeLimit(.minutes(15))) func concurrentEditsLoseNothing() throws {
        let workspace = try Workspace()
        try workspace.write(Self.table, to: Self.file)
        let numbers = 0..<50
        let processes = try numbers.map { number in
            let process = Process()
            process.executableURL = Programs.savetool
            process.currentDirectoryURL = workspace.folder
            process.arguments = try Self.arguments(number, workspace)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        let save = try #require(
            try JSONSerialization.jsonObject(with: Data(workspace.bytes(of: Self.file))) as? [String: Any])
        for number in numbers where [0, 2, 4].contains(number % 5) {
            #expect(save["key\(number)"] as? Int == number)
        }
        #expect(Set(try #require(save["list"] as? [Int])) == Set(numbers.filter { $0 % 5 == 1 }))
        let records = try #require(save["HighScores"] as? [[String: Any]])
        #expect(
            Set(records.compactMap { $0["playerName"] as? String })
                == Set(numbers.filter { $0 % 5 == 3 }.map { "p\($0)" } + ["Ada"]))
        #expect(workspace.names.allSatisfy { !$0.hasPrefix(".savetool") })
    }

    /// Commands in a pipeline that wait for each other's output must not also wait for each other's lock.
    @Test(.timeLimit(.minutes(15))) func pipelineOverOneFileEnds() throws {
        let workspace = try Workspace()
        try workspace.write(#"{"a": 1}"#, to: "base.json")
        try workspace.write(#"{"a": 1, "b": 1}"#, to: "save.json")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = workspace.folder
        process.environment = Programs.environment
        process.arguments = [
            "-c",
            "{ sleep 0.5; savetool set -i save.json /b 2; echo '{\"a\": 2}'; } | savetool merge -i base.json save.json -",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try workspace.text(of: "save.json") == #"{"a": 2, "b": 2}"#)
    }
}

/// Tests that changes by programs that do not take the lock are noticed.
@Suite struct ForeignWriterTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let command: [String]
        let text: String
        var testDescription: String { command[0] }
    }

    /// Commands that print a message before they write, at which the test changes the file.
    static let cases = [
        Case(command: ["set", "-i", "a.txt", "/a", "3"], text: #"{"a": 1, "a": 2}"#),
        Case(command: ["set", "-o", "./a.txt", "a.txt", "/a", "3"], text: #"{"a": 1, "a": 2}"#),
        Case(command: ["remove", "-i", "--backup", "a.txt", "/b"], text: "{\n/* a */ b = 1;\nc = 2;\n}"),
        Case(command: ["convert", "-i", "--to", "openstep", "--allow-loss", "a.txt"], text: #"{"a": [true]}"#),
    ]

    /// A change that another program makes to the file.
    enum Change: CaseIterable {
        case content, sizeAndTimeStay, file, removal

        func make(at path: String) throws {
            let url = URL(filePath: path)
            switch self {
            case .content: try Data("other".utf8).write(to: url)
            case .sizeAndTimeStay:
                let date = try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate])
                let handle = try FileHandle(forWritingTo: url)
                try handle.write(contentsOf: Data("!".utf8))
                try handle.close()
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            case .file:
                let text = try Data(contentsOf: url)
                try FileManager.default.removeItem(at: url)
                try text.write(to: url)
            case .removal: try FileManager.default.removeItem(at: url)
            }
        }
    }

    @Test(arguments: cases, Change.allCases) func detectsConcurrentChange(_ row: Case, _ change: Change) throws {
        try workspace.write(row.text, to: "a.txt")
        let path = workspace.path(of: "a.txt")
        var written: Data?
        var isDone = false
        var talk = ""
        let status = workspace.run(
            row.command, output: Collector().channel(),
            talk: OutputChannel { piece in
                for position in piece.indices { talk.unicodeScalars.append(Unicode.Scalar(piece[position])) }
                guard !isDone else { return }
                isDone = true
                try change.make(at: path)
                written = FileManager.default.contents(atPath: path)
            })
        #expect(isDone)
        #expect(status == 2)
        #expect(talk.hasSuffix("a.txt: changed meanwhile by another program; nothing written\n"), "\(talk)")
        #expect(FileManager.default.contents(atPath: path) == written)
        #expect(workspace.names == (change == .removal ? [] : ["a.txt"]))
    }

    /// A file that did not exist at first is not overwritten if another program has created it meanwhile.
    @Test func detectsFileCreatedMeanwhile() throws {
        let path = workspace.path(of: "a.txt")
        let version = try FileVersion(ofFileAt: path)
        let replacement = try FileReplacement(of: path, by: ReplacementOptions(), since: version)
        try replacement.write(Array("mine".utf8).span)
        try workspace.write("theirs", to: "a.txt")
        #expect(throws: SystemError.changedMeanwhile) { try replacement.commit() }
        #expect(try workspace.text(of: "a.txt") == "theirs")
    }
}
