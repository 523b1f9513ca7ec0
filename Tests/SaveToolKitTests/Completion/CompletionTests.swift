import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests the suggestions of `__complete`, which all shells share.
@Suite struct CompletionTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace(fixtures: ["games"])
        workspace.enter("Fixtures/games")
    }

    /// Returns the output of `__complete` for a shell.
    private func answer(_ words: [String], in shell: String = "zsh") -> String {
        let result = workspace.run(["__complete", shell, "--"] + words)
        #expect(result.status == 0)
        #expect(result.talk == "")
        return result.output
    }

    private func words(_ typed: [String]) -> [String] {
        answer(typed).split(separator: "\n").dropFirst().map { String($0.dropFirst().prefix { $0 != "\t" }) }
    }

    static let rows: [(typed: [String], expected: String)] = [
        (["insp"], "files\n=inspect\tshow what is in a save\n"),
        (["__"], "files\n"), (["swa"], "files\n"), (["--ver"], "none\n=--version\tshow the version\n"),
        (["scores", "m"], "none\n=merge\tmerge tables of high scores\n"),
        (["scores", "he"], "none\n=help\texplain a command or a topic\n"),
        (["scores", "help", "to"], "none\n=token\tcompute the token of a submission\n"),
        (["help", "add"], "none\n=addresses\thow to name values in a file\n"),
        (["help", "scores", "add", ""], "none\n"), (["nothing", "x"], "files\n"),
        (["scores", "nothing", ""], "none\n"),
        (
            ["inspect", "--lim"],
            "none\n=--limit\t" + (InspectCommand.command.options.first { $0.name == "limit" }?.help ?? "") + "\n"
        ),
        (["inspect", "--format", "d"], "none\n=dot\n"), (["inspect", "-f", "d"], "none\n=dot\n"),
        (["inspect", "-tf", "d"], "none\n=dot\n"), (["inspect", "--format=d"], "none\n=--format=dot\n"),
        (["inspect", "--color", "n"], "files\n"), (["inspect", "--color=n"], "none\n=--color=never\n"),
        (["inspect", "--limit", ""], "none\n"), (["inspect", "--limit=5", ""], "files\n"),
        (["inspect", "-d5", ""], "files\n"), (["inspect", "--pat"], "none\n"),
        (["inspect", "--", "--f"], "files\n"), (["inspect", "--nothing=", "x"], "files\n"),
        (["inspect", "--nothing=x"], "none\n"),
        (["convert", "-o", ""], "files\n"), (["convert", "--output-dir=x"], "folders\n"),
        (["merge", "--rule", "su"], "none\n=sum-of-changes\n"), (["completions", "f"], "none\n=fish\n"),
        (["set", "a", "/b", ""], "none\n"), (["patch", "a", ""], "files\n"), (["textconv", "a", ""], "none\n"),
        (
            ["get", "swamp.save", "/ro"],
            "none\n~/root\tMap {eventList.count: 12, currentLevelName: \"Swamp\", charList: […]}\n"
        ),
        (["get", "swamp.save", "/root/cu"], "none\n=/root/currentLevelName\t\"Swamp\"\n"),
        (["get", "swamp.save", "/root/charList/1/$"], "none\n=/root/charList/1/$class\tthe class\n"),
        (["swamp.save", "-p", "/root/cu"], "none\n=/root/currentLevelName\t\"Swamp\"\n"),
        (["diff", "swamp.save", "x", "--ignore=/root/cu"], "none\n=--ignore=/root/currentLevelName\t\"Swamp\"\n"),
        (["get", "--raw", "swamp.save", "/$top/"], "none\n=/$top/root\tUID 1\n"),
        (["get", "swamp.save", "root"], "none\n"), (["get", "swamp.save", "/root/x/"], "none\n"),
        (["get", "swamp.save", "/root/currentLevelName/"], "none\n"), (["get", "nothing.save", "/"], "none\n"),
        (["get", ".", "/"], "none\n"), (["get", "-", "/"], "none\n"), (["get", "/dev/zero", "/"], "none\n"),
    ]

    @Test(arguments: rows.indices)
    func offers(_ row: Int) {
        #expect(answer(Self.rows[row].typed) == Self.rows[row].expected)
    }

    @Test func offersAllOptionsOfCommand() {
        #expect(words(["get", "--"]) == GetCommand.command.allOptions.map(\.shown))
    }

    /// In suggested keys, slashes and tildes are escaped as in addresses. Keys that cannot be typed are not suggested.
    @Test func escapesKeys() throws {
        try workspace.write(#"{"a/b": 1, "a~c": [], "a d": 2, "a\ne": 3, "a\u202Ef": 4, "": 5}"#, to: "keys.json")
        #expect(words(["get", "keys.json", "/a"]) == ["/a~1b", "/a~0c", "/a d"])
        #expect(answer(["savetool get keys.json /a\\ ", "=:"], in: "bash") == "none\n=/a\\ d\n")
    }

    @Test(arguments: [
        ("savetool get swamp.save '/root/cu", "=/root/currentLevelName"),
        (#"savetool get swamp.save "/root/\$c"#, #"=/root/\$class"#),
        (#"savetool get swamp.save /root/\$c"#, #"=/root/\$class"#),
        ("savetool  inspect --format=su", "=summary"), ("savetool inspect '--format=su", "=--format=summary"),
        ("savetool inspect -f su", "=summary"), ("savetool ins", "=inspect\n=insert"),
    ])
    func splitsWordsForBash(_ line: String, _ expected: String) {
        let lines = answer([line, " \t\n\"'><=;|&(:"], in: "bash").split(separator: "\n").dropFirst()
        #expect(lines.sorted() == expected.split(separator: "\n").sorted())
    }

    @Test func parsesLineLikeBash() {
        #expect(ShellLine(#"a 'b c'\ "d\"\e" "#, breaks: "").words == ["a", #"b c d"\e"#, ""])
        #expect(ShellLine("", breaks: "").words == [""])
        #expect(ShellLine(#"a "#, breaks: "").words == ["a", ""])
        #expect(ShellLine.quoted("a'b$ é".unicodeScalars, within: "'") == #"a'\''b$ é"#)
        #expect(ShellLine.quoted("a'b$ é".unicodeScalars, within: nil) == #"a\'b\$\ é"#)
    }

    /// A file larger than 16 MB is not read, so it offers no addresses.
    @Test func offersNoAddressesOfLargeFile() throws {
        let text = #"{"key": 5}"#
        for (size, offered) in [(100, ["/key"]), (16 << 20 + 1, [])] {
            let blanks = Data(repeating: UInt8(ascii: " "), count: size - text.utf8.count)
            try (Data(text.utf8) + blanks).write(to: workspace.current.appending(path: "large.json"))
            #expect(words(["get", "large.json", "/"]) == offered)
        }
    }

    /// The process ends by itself even if the shell never reads its output.
    @Test(.enabled(if: Programs.savetool != nil, "needs the built tool beside the tests"))
    func stopsAtTimeLimit() throws {
        let keys = (0..<1000).map { #""\#(String(repeating: "k", count: 100))\#($0)": 1"# }
        try workspace.write("{\(keys.joined(separator: ","))}", to: "keys.json")
        let process = Process()
        process.executableURL = Programs.savetool
        process.arguments = ["__complete", "zsh", "--", "get", "keys.json", "/"]
        process.currentDirectoryURL = workspace.current
        process.standardOutput = Pipe()
        try process.run()
        let end = Date(timeIntervalSinceNow: 20)
        while process.isRunning, Date() < end { usleep(10_000) }
        #expect(!process.isRunning)
        if process.isRunning { process.terminate() } else { #expect(process.terminationStatus == 0) }
    }
}
