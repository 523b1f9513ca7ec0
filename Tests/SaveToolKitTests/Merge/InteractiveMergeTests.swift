import Foundation
import Testing

@testable import SaveToolKit

/// Tests merges in which a person resolves the conflicts: the files, the messages, and how a merge is resumed.
@Suite struct InteractiveMergeTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.write(#"{"gems": 1, "gold": 1, "name": "Ada", "list": [1, 2, 3]}"#, to: "base")
        try workspace.write(#"{"gems": 2, "gold": 2, "name": "Eve", "list": [1, 3]}"#, to: "ours")
        try workspace.write(#"{"gems": 3, "gold": 3, "name": "Zoe", "list": [1, 20, 3], "new": 1}"#, to: "theirs")
    }

    private func merge(_ options: String..., answers: String = "") -> Workspace.Result {
        workspace.run(["merge", "--ask"] + options + ["base", "ours", "theirs"], input: Array(answers.utf8))
    }

    private static let halfway = #"{"gems": 3, "gold": 2, "name": "Eve", "list": [1, 3], "new": 1}"#

    // MARK: Answers

    /// A partly answered merge writes the answers, and ours for the open conflicts.
    @Test(arguments: ["t\n", "t\nq\n", "t\nskip all\n", "t\ns\ns\nskip\n"]) func partialAnswers(answers: String) throws
    {
        var result = merge("-o", "out", answers: answers)
        #expect(result.status == 1)
        #expect(
            result.talk.hasSuffix("out: 3 conflicts left open, with ours in the file; use --resume to continue\n"),
            "\(result.talk)")
        #expect(!result.talk.contains("--rule"))
        #expect(try workspace.text(of: "out") == Self.halfway)
        result = merge("-o", "out", "--resume", answers: "t\no\nt\n")
        #expect(result.status == 0, "\(result.talk)")
        #expect(
            result.talk.hasPrefix(
                "out: /gems: conflict: was 1, ours 2, theirs 3; already settled: the file has 3\n"
                    + "out: /gold: conflict: was 1, ours 2, theirs 3\n1 of 3: "), "\(result.talk)")
        #expect(
            try workspace.text(of: "out") == #"{"gems": 3, "gold": 3, "name": "Eve", "list": [1, 20, 3], "new": 1}"#)
    }

    @Test func inPlaceAndOnStandardOutput() throws {
        var result = merge(answers: "t\n")
        #expect(result.output == Self.halfway)
        #expect(result.talk.hasSuffix("ours: 3 conflicts left open, with ours in the file\n"), "\(result.talk)")
        result = merge("-i", "--rule", "/gold=sum-of-changes", answers: "t\n")
        #expect(result.status == 1)
        #expect(
            result.talk.hasSuffix(
                "ours: 2 conflicts left open, nothing written, because the rules would apply twice; "
                    + "use --output FILE to keep the answers\n"), "\(result.talk)")
        // Another path to ours is ours, too.
        result = merge("-o", "./ours", "--rule", "/gold=sum-of-changes", answers: "t\n")
        #expect(result.talk.contains("because the rules would apply twice"), "\(result.talk)")
        result = merge("-i", answers: "t\n")
        #expect(
            result.talk.hasSuffix("3 conflicts left open, with ours in the file; run the command again to continue\n"))
        #expect(try workspace.text(of: "ours") == Self.halfway)
        result = merge("-i", answers: "t all\n")
        #expect(result.status == 0 && result.talk.contains("1 of 3: "), "\(result.talk)")
    }

    @Test(arguments: ["", "q\n", "skip all\n", "what\n"]) func writesNothingWithoutAnswers(answers: String) throws {
        let result = merge("-o", "out", "--conflicts", "left.json", answers: answers)
        #expect(result.status == 1)
        #expect(result.talk.hasSuffix("out: 4 conflicts left open, nothing written\n"), "\(result.talk)")
        #expect(result.talk.contains("'what' is not one of the answers\n") == answers.hasPrefix("what"))
        #expect(!workspace.names.contains("out"))
        #expect(try workspace.text(of: "left.json").contains(#""address":"/list/1""#))
    }

    @Test func resumeNeedsAFileAndAnAnswer() {
        #expect(merge("--resume").talk == "savetool: --resume has an effect only with --output\n")
        let result = workspace.run(["merge", "--resume", "-o", "out", "base", "ours", "theirs"])
        #expect(result.talk == "savetool: --resume has an effect only with --ask\n")
    }

    // MARK: Resuming

    /// Edits between the two runs stay, whether they resolve a conflict or change something else.
    private static let edits: [(edits: [[String]], settled: String, file: String)] = [
        ([["set", "out", "/gold", "7"]], "/gold 7", #""gems":3,"gold":7,"name":"Zoe","list":[1,20,3],"new":1"#),
        (
            [["remove", "out", "/name"], ["set", "out", "/new", "5"]], "/name removed",
            #""gems":3,"gold":3,"list":[1,20,3],"new":5"#
        ),
        (
            [["insert", "out", "/list/0", "0"], ["insert", "out", "/list/2", "20"]], "/list/1 20",
            #""gems":3,"gold":3,"name":"Zoe","list":[0,1,20,3],"new":1"#
        ),
        (
            [["set", "--change-type", "out", "/gems", "[8]"], ["remove", "out", "/new"]], "/gems [8]",
            #""gems":[8],"gold":3,"name":"Zoe","list":[1,20,3]"#
        ),
    ]

    @Test(arguments: edits) func keepsExistingChanges(edits: [[String]], settled: String, file: String) throws {
        _ = merge("-o", "out", answers: "o\n")
        for edit in edits { #expect(workspace.run(edit + ["-i"]).status == 0) }
        let result = merge("-o", "out", "--resume", answers: "t all\n")
        #expect(result.status == 0, "\(result.talk)")
        let words = settled.split(separator: " ", maxSplits: 1)
        let line = result.talk.split(separator: "\n").first { $0.contains("settled") } ?? ""
        #expect(line.hasPrefix("out: \(words[0]): ") && line.hasSuffix("the file has \(words[1])"), "\(result.talk)")
        let shown = workspace.run(["inspect", "-f", "json", "--compact", "out"]).output
        #expect(shown == "{" + file + "}\n")
    }

    /// A shared object, and a class that both sides changed.
    @Test func resumesArchives() throws {
        func write(_ boss: String, _ health: Int, to name: String) throws {
            let json =
                #"{"$archiver": "NSKeyedArchiver", "$classes": {"L": ["L", "NSObject"], "A": ["A", "NSObject"], "#
                + #""B": ["B", "NSObject"], "C": ["C", "NSObject"]}, "$top": {"root": {"$class": "L", "last": {"$ref": 1}, "#
                + #""boss": {"$class": "\#(boss)", "$id": 1, "health": \#(health), "gems": \#(health)}}}}"#
            try workspace.write(json, to: "json")
            #expect(workspace.run(["convert", "--to", "archive", "json", "-o", name]).status == 0)
        }
        try write("A", 1, to: "base")
        try write("B", 2, to: "ours")
        try write("C", 3, to: "theirs")
        #expect(merge("-o", "out", answers: "o\nt\n").status == 1)
        #expect(workspace.run(["set", "-i", "out", "/root/boss/$class", #""A""#]).status == 0)
        let result = merge("-o", "out", "--resume", answers: "t\n")
        #expect(result.status == 0, "\(result.talk)")
        #expect(result.talk.contains("already settled: the file has class A\n"), "\(result.talk)")
        let shown = workspace.run(["convert", "--to", "json", "out"]).output
        #expect(shown.contains(#""$class": "A""#) && shown.contains(#"{"$ref": 1}"#), "\(shown)")
        #expect(workspace.run(["get", "out", "/root/last/health", "/root/last/gems"]).output == "3\n3\n")
    }

    /// New rules of the second run apply to the conflicts that were not resolved by hand.
    @Test func appliesOtherRules() throws {
        _ = merge("-o", "out", answers: "o\n")
        #expect(workspace.run(["set", "-i", "out", "/gems", "9"]).status == 0)
        let result = merge("-o", "out", "--resume", "--rule", "theirs")
        #expect(result.status == 0, "\(result.talk)")
        #expect(workspace.run(["get", "out", "/gems", "/gold", "/name"]).output == "9\n3\nZoe\n")
    }

    @Test func doesNotReplaceOtherKindOfFile() throws {
        let archive = #"{"$archiver": "NSKeyedArchiver", "$top": {"root": 1}}"#
        try workspace.write(archive, to: "out")
        let result = merge("-o", "out", "--resume", answers: "t all\n")
        #expect(result.status == 2)
        #expect(result.talk == "out: a keyed archive can only be merged with keyed archives\n")
        #expect(try workspace.text(of: "out") == archive)
    }

    // MARK: Other programs

    /// A file that another program changes while the questions are answered is not overwritten.
    @Test(arguments: [["-i"], ["-o", "out"], ["-o", "out", "--resume"], ["-o", "new"], ["-o", "link"]])
    func detectsConcurrentChange(options: [String]) throws {
        try workspace.write(Self.halfway, to: "out")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path(of: "link"), withDestinationPath: workspace.path(of: "out"))
        let name = options.count == 1 ? "ours" : options[1]
        let (talk, output) = (Collector(), Collector())
        let other = #"{"gems": 4}"#
        let status = workspace.run(
            ["merge", "--ask"] + options + ["base", "ours", "theirs"], input: Array("t all\n".utf8),
            output: output.channel(),
            talk: OutputChannel { piece in
                try talk.channel().write(piece)
                if talk.text.hasSuffix("conflicts): ") { try workspace.write(other, to: name) }
            })
        #expect(status == 2, "\(talk.text)")
        #expect(talk.text.hasSuffix("\(name): changed meanwhile by another program; nothing written\n"), "\(talk.text)")
        #expect(try workspace.text(of: name) == other)
    }

    // MARK: Comments

    private static let comments: [(answers: String, status: Int32, text: String)] = [
        ("o\no\no\n", 0, "{\n  a = 1;\n  // ours\n  m = 5;\n\n  z = 2; // lo\n}\n"),
        ("t\nt\nt\n", 0, "{\n  a = 1;\n  // theirs\n  m = 5;\n\n  z = 3; // lt\n}\n"),
        ("o\nb\nt\n", 0, "{\n  a = 1;\n  // ours\n  // theirs\n  m = 5;\n\n  z = 2; // lt\n}\n"),
        ("t\no\nb\n", 1, "{\n  a = 1;\n  // ours\n  m = 5;\n\n  z = 3; // lo\n}\n"),
        ("o\nt\nq\n", 1, "{\n  a = 1;\n  // theirs\n  m = 5;\n\n  z = 2; // lo\n}\n"),
    ]

    @Test(arguments: comments) func asksAboutComments(answers: String, status: Int32, text: String) throws {
        let base = "{\n  a = 1;\n  // base\n  m = 5;\n\n  z = 1; // last\n}\n"
        for (name, comment, value, last) in [("ours", "// ours", "2", "// lo"), ("theirs", "// theirs", "3", "// lt")] {
            let side = base.replacingOccurrences(of: "// base", with: comment)
                .replacingOccurrences(of: "z = 1; // last", with: "z = \(value); \(last)")
            try workspace.write(side, to: name)
        }
        try workspace.write(base, to: "base")
        var result = merge("-o", "out", answers: answers)
        #expect(result.status == status, "\(result.talk)")
        #expect(result.talk.contains(": ours, theirs, both, skip or quit ("), "\(result.talk)")
        #expect(try workspace.text(of: "out") == text)
        guard status == 1 else { return }
        // Only one comment fits after a value, so `both` is not offered.
        if answers.contains("b") { #expect(result.talk.contains("3 of 3: ours, theirs, skip or quit (")) }
        // Comments that were added by hand are not asked for again.
        let last = text.contains("lo\n") ? "lo" : "lt"
        let byHand = text.replacingOccurrences(of: "// \(last)\n", with: "// lo\n  // lt\n")
        try workspace.write(byHand, to: "out")
        result = merge("-o", "out", "--resume", answers: "o\no\n")
        #expect(result.status == 0, "\(result.talk)")
        #expect(!result.talk.contains("\"// lt\""), "\(result.talk)")
        #expect(try workspace.text(of: "out") == byHand)
    }

    /// A group of lines is taken from one side, so all its comments are one question.
    @Test(arguments: [("o\n", "ours"), ("t\n", "theirs"), ("o all\n", "ours")])
    func asksAboutLinesOnce(answers: String, side: String) throws {
        for name in ["base", "ours", "theirs"] {
            try workspace.write("{\n  a = 1; // \(name) a\n  b = 2; // \(name) b\n}\n", to: name)
        }
        let result = merge(answers: answers)
        #expect(result.status == 0, "\(result.talk)")
        #expect(result.talk.contains("1 of 1: ours, theirs, skip or quit ("), "\(result.talk)")
        #expect(result.talk.contains("// theirs a") && result.talk.contains("// theirs b"), "\(result.talk)")
        #expect(try result.output == workspace.text(of: side))
    }

    /// If ours removed the value, the comment after it cannot be kept, so only ours is offered.
    /// The numbers of the questions about comments continue those about values.
    @Test func numbersAllQuestions() throws {
        func write(_ comment: String, _ gems: Int, to name: String) throws {
            try workspace.write("{\n  // \(comment)\n  \"name\": \"Ada\",\n  \"gems\": \(gems)\n}\n", to: name)
        }
        try write("base", 1, to: "base")
        try write("phone", 2, to: "ours")
        try write("tablet", 3, to: "theirs")
        let talk = merge("-o", "out", answers: "t\nb\n").talk
        #expect(
            talk.contains("\n1 of 2: ours, theirs, skip") && talk.contains("\n2 of 2: ours, theirs, both"), "\(talk)")
    }

    @Test func offersOnlyPossibleAnswers() throws {
        try workspace.write("{\n  a = 1;\n  k = 1; // last\n}\n", to: "base")
        try workspace.write("{\n  a = 1;\n}\n", to: "ours")
        try workspace.write("{\n  a = 1;\n  k = 3; // lt\n}\n", to: "theirs")
        let result = merge(answers: "o\nt\no\n")
        #expect(result.status == 0, "\(result.talk)")
        #expect(result.talk.contains("2 of 2: ours, skip or quit ("), "\(result.talk)")
        #expect(try result.output == workspace.text(of: "ours"))
    }

    /// `both` is not offered for numbers.
    @Test func asksAboutDigits() throws {
        for (name, digits) in [
            ("base", "0.10000000000000000555"), ("ours", "0.1000000000000000055"), ("theirs", "0.100000000000000005"),
        ] {
            try workspace.write("{\"x\": \(digits)}\n", to: name)
        }
        let result = merge(answers: "b\nt\n")
        #expect(result.status == 0, "\(result.talk)")
        #expect(result.talk.contains("1 of 1: ours, theirs, skip or quit ("), "\(result.talk)")
        #expect(result.output == "{\"x\": 0.100000000000000005}\n")
    }
}
