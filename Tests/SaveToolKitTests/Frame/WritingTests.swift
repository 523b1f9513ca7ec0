import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests that all commands that change files have the same options, the same help text and the same behavior.
@Suite struct WritingTests {
    static let names = HelpTests.commands.filter { $0.writing != nil }.map(\.name)

    /// A small file, and the arguments to run a command on it.
    struct Row {
        var file = "a.json"
        var text = #"{"n": 1, "list": [1, 2]}"#
        /// The operands and options, including the file.
        let arguments: [String]
        var others: [String: String] = [:]
        /// The arguments of a run whose output becomes the standard input.
        var input: [String] = []
        var environment: [String: String] = [:]
        /// Whether every run has the same result.
        var isRepeatable = true
    }

    static let rows: [String: Row] = [
        "set": Row(arguments: ["a.json", "/n", "2"]),
        "insert": Row(arguments: ["a.json", "/list/-", "3"]),
        "remove": Row(arguments: ["a.json", "/n"]),
        "edit": Row(arguments: ["a.json"], environment: ["EDITOR": "sed -i.bak 's/\"n\": 1/\"n\": 2/'"]),
        "patch": Row(
            arguments: ["a.json", "p.json"],
            others: ["p.json": #"[{"op": "replace", "path": "/n", "value": 2}]"#]),
        "migrate": Row(
            arguments: ["r.json", "a.json"],
            others: [
                "r.json":
                    #"{"version": "/n", "from": 1, "to": 2, "rules": [{"replace": "/list", "value": [3]}]}"#
            ]),
        "rename-class": Row(
            text:
                #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"Map": ["Map", "NSObject"]}, "$top": {"root": {"$class": "Map"}}}"#,
            arguments: ["Map", "Level", "a.json"]),
        "merge": Row(
            arguments: ["b.json", "a.json", "t.json"],
            others: ["b.json": #"{"n": 1, "list": [1, 2]}"#, "t.json": #"{"n": 2, "list": [1, 2]}"#]),
        "scores add": Row(
            text: #"[{"playerName": "Ada", "score": 4}]"#,
            arguments: ["a.json", "--name", "Bob", "--score", "5", "--date", "none"]),
        "scores remove": Row(
            text: #"[{"playerName": "Ada", "score": 4}, {"playerName": "Bob", "score": 2}]"#,
            arguments: ["a.json", "--name", "Bob"], isRepeatable: false),
        "scores merge": Row(
            text: #"[{"playerName": "Ada", "score": 4}]"#, arguments: ["a.json", "b.json"],
            others: ["b.json": #"[{"playerName": "Bob", "score": 5}]"#]),
        "scores submit": Row(
            file: "new.plist", text: leaderboard, arguments: ["new.plist", "--salt-file", "salt"],
            others: ["salt": "pepper"],
            input: ["scores", "form", "--name", "Bob", "--score", "5", "--device", "d", "--salt-file", "salt"],
            isRepeatable: false),
    ]

    private static let leaderboard = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <array/>
        </plist>

        """

    @Test(arguments: names)
    func optionsAndHelpMatchDeclaration(_ name: String) throws {
        let command = try HelpTests.command(name)
        let writing = try #require(command.writing)
        let options = Set(command.options.map(\.name))
        #expect(options.isSuperset(of: EditPlan.options.map(\.name)))
        let output = try #require(command.options.first { $0.name == Option.output.name })
        #expect(output.help == (writing == .toOutput ? Option.output : .otherOutput).help)
    }

    /// `convert` is the only exception: it can also write many files into a folder.
    @Test func noOtherCommandWritesInPlace() {
        let others = HelpTests.commands.filter { command in
            command.writing == nil && command.options.contains { $0.name == Option.inPlace.name }
        }
        #expect(others.map(\.name) == ["convert"])
    }

    /// The outcome of a command on a fresh copy of its file.
    private struct Run {
        let status: Int32
        let output: [UInt8]
        let talk: String
        /// The file, and the other files in its folder.
        let file: [UInt8]
        let files: [String: [UInt8]]
    }

    private static func run(_ name: String, _ row: Row, _ options: [String]) throws -> Run {
        let workspace = try Workspace()
        try workspace.write(row.text, to: row.file)
        for (name, text) in row.others { try workspace.write(text, to: name) }
        let input = row.input.isEmpty ? [] : Array(workspace.run(row.input).output.utf8)
        let (output, talk) = (Collector(), Collector())
        let environment = row.environment.merging(["TMPDIR": workspace.folder.path(percentEncoded: false)]) { $1 }
        let status = workspace.run(
            name.split(separator: " ").map(String.init) + row.arguments + options, input: input,
            environment: environment, output: output.channel(), talk: talk.channel())
        var files: [String: [UInt8]] = [:]
        for name in workspace.names where name != row.file { files[name] = try workspace.bytes(of: name) }
        return Run(
            status: status, output: output.bytes, talk: talk.text, file: try workspace.bytes(of: row.file), files: files
        )
    }

    @Test(arguments: names)
    func behaviourMatchesDeclaration(_ name: String) throws {
        let row = try #require(Self.rows[name], "a command that writes has a row")
        let writing = try #require(try HelpTests.command(name).writing)
        let original = Array(row.text.utf8)
        let inPlace = try Self.run(name, row, ["-i"])
        let result = inPlace.file
        #expect(inPlace.status == 0, "\(inPlace.talk)")
        #expect(result != original)

        func expectResult(_ bytes: [UInt8]?, _ what: Comment) {
            #expect(row.isRepeatable ? bytes == result : bytes != nil && bytes != original, what)
        }
        let plain = try Self.run(name, row, [])
        #expect(plain.status == 0)
        switch writing {
        case .toOutput:
            #expect(plain.file == original)
            expectResult(plain.output, "standard output")
            #expect(inPlace.output.isEmpty)
        case .inPlace: expectResult(plain.file, "the file")
        }
        let toOutput = try Self.run(name, row, ["-o", "-"])
        #expect(toOutput.status == 0 && toOutput.file == original)
        expectResult(toOutput.output, "-o -")
        let toFile = try Self.run(name, row, ["-o", "out"])
        #expect(toFile.status == 0 && toFile.file == original)
        expectResult(toFile.files["out"], "-o out")
        #expect(writing == .inPlace || toFile.output.isEmpty)
        let dry = try Self.run(name, row, ["-n"])
        #expect(dry.status == 0 && dry.file == original && !dry.output.isEmpty)
        let kept = try Self.run(name, row, ["-i", "--backup"])
        #expect(kept.status == 0 && kept.files[row.file + "~"] == original)
        expectResult(kept.file, "-i --backup")
        let both = try Self.run(name, row, ["-i", "-o", "out"])
        #expect(both.status == 2 && both.file == original && both.files["out"] == nil)
    }
}
