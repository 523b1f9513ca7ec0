import Foundation
import Testing

@testable import SaveToolKit

/// Tests every way to resolve a conflict and commit the result, in a repository of the installed git.
@Suite(.enabled(if: GitRepository.isPossible, GitRepository.needs))
struct GitConflictTests {
    private let repository: GitRepository
    private var workspace: Workspace { repository.workspace }

    private static let base = #"{"health": 100, "gems": 5, "name": "Ada", "log": ["a", "b", "c"], "old": 1}"#
    private static let ours = #"{"health": 60, "gems": 5, "name": "Eve", "log": ["b", "C"], "old": 2}"#
    private static let theirs =
        #"{"health": 80, "gems": 6, "name": "O'Neil", "log": ["x", "a", "b", "c!"], "new": true}"#

    /// Makes two branches, main and theirs, with conflicts in a binary save. The tests then merge them.
    init() throws {
        repository = try GitRepository.setUp()
        try commit(Self.base)
        try repository.git("checkout", "-q", "-b", "theirs")
        try commit(Self.theirs)
        try repository.git("checkout", "-q", "main")
        try commit(Self.ours)
    }

    private func commit(_ json: String) throws {
        try workspace.write(json, to: "slot.json")
        #expect(workspace.run(["convert", "--to", "binary", "slot.json", "-o", "slot.save"]).status == 0)
        try repository.git("add", ".gitattributes", "slot.save")
        try repository.git("commit", "-q", "-m", "commit")
    }

    private func save() -> String {
        workspace.run(["inspect", "-f", "json", "--compact", "slot.save"]).output
    }

    private func merge() throws -> String {
        let outcome = try repository.attempt("merge", "--no-edit", "theirs")
        #expect(outcome.status == 1)
        #expect(try repository.git("status", "--porcelain", "--untracked-files=no") == "UU slot.save\n")
        return outcome.text
    }

    /// Commits the resolved file, which ends the merge.
    private func finish() throws {
        try repository.git("add", "slot.save")
        try repository.git("commit", "-q", "--no-edit")
        #expect(try repository.git("log", "-1", "--format=%P").split(separator: " ").count == 2)
        #expect(try repository.git("status", "--porcelain", "--untracked-files=no") == "")
        #expect(workspace.run(["validate", "--quiet", "slot.save"]).status == 0)
    }

    private static let stopped =
        #"{"health":60,"gems":6,"name":"Eve","log":["x","b","C"],"new":true,"old":2}"# + "\n"
    private static let asOurs = stopped
    private static let asTheirs =
        #"{"health":80,"gems":6,"name":"O'Neil","log":["x","b","c!"],"new":true}"# + "\n"

    @Test(arguments: ["ours:", "theirs:"]) func settledByCommandsOfDriver(side: String) throws {
        let text = try merge()
        #expect(save() == Self.stopped)
        let commands = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("    " + side) }
            .map { String($0.dropFirst(12)) }
        #expect(commands.count == 4, "\(text)")
        for command in commands.reversed() {
            let outcome = try repository.shell(command)
            #expect(outcome.status == 0, "\(command): \(outcome.text)")
        }
        #expect(save() == (side == "ours:" ? Self.asOurs : Self.asTheirs))
        try finish()
    }

    @Test func commandsOfEachConflict() throws {
        #expect(
            try merge().contains(
                """
                slot.save: /name: conflict: was "Ada", ours "Eve", theirs "O'Neil"
                    ours:   savetool set -i slot.save /name '"Eve"'
                    theirs: savetool set -i slot.save /name '"O'\\''Neil"'
                slot.save: /old: conflict: was 1, ours 2, theirs removed
                    ours:   savetool set -i slot.save /old 2
                    theirs: savetool remove -i slot.save /old

                """))
    }

    private static func level(_ enemies: [Int], boss: String) -> String {
        func enemy(_ health: Int) -> String { #"{"$class": "Enemy", "health": \#(health)}"# }
        return
            #"{"$archiver": "NSKeyedArchiver", "$classes": {"Enemy": ["Enemy", "NSObject"], "Level": ["Level", "NSObject"], "#
            + #""Boss": ["Boss", "Enemy", "NSObject"]}, "$top": {"root": {"$class": "Level", "boss": \#(boss), "#
            + #""enemies": [\#(enemies.map(enemy).joined(separator: ", "))]}}}"#
    }

    private func commit(level: String) throws {
        try workspace.write(level, to: "level.json")
        #expect(workspace.run(["convert", "--to", "archive", "level.json", "-o", "level.save"]).status == 0)
        try repository.git("add", "level.save")
        try repository.git("commit", "-q", "-m", "level")
    }

    /// The printed commands read objects from the versions in git's index.
    @Test func settledByCommandsForObjects() throws {
        try repository.git("reset", "-q", "--hard", "HEAD~1")
        try commit(level: Self.level([10, 20, 30], boss: #""none""#))
        try repository.git("checkout", "-q", "-B", "theirs")
        let boss = #"{"$class": "Enemy", "health": 99, "loot": [1, 2.5]}"#
        try commit(level: Self.level([5, 10, 21, 30], boss: boss))
        try workspace.write(Self.level([5, 10, 21, 30], boss: boss), to: "expected.json")
        try repository.git("checkout", "-q", "main")
        try commit(level: Self.level([10, 30], boss: #""late""#))
        let text = try repository.attempt("merge", "--no-edit", "theirs").text
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("    theirs: git show :3:level.save | ") }
        #expect(commands.count == 2, "\(text)")
        for command in commands.reversed() {
            let outcome = try repository.shell(String(command.dropFirst(12)))
            #expect(outcome.status == 0, "\(command): \(outcome.text)")
        }
        #expect(workspace.run(["convert", "--to", "archive", "-i", "expected.json"]).status == 0)
        let difference = workspace.run(["diff", "expected.json", "level.save"])
        #expect(difference == Workspace.Result(status: 0, output: ""))
        try repository.git("add", "level.save")
        try repository.git("commit", "-q", "--no-edit")
    }

    // MARK: mergetool

    private static let halfway = stopped.replacingOccurrences(of: "60", with: "80")

    /// Answers from standard input, the exit status, and the resulting save. Conflicts without an answer stay open, and
    /// the other answers are written.
    private static let scripts: [(answers: String, status: Int32, save: String)] = [
        ("o\no\nours\no\n", 0, asOurs), ("theirs all\n", 0, asTheirs),
        ("what\n\nt\nt\ntheirs\nt\n", 0, asTheirs),
        ("t\no all\n", 0, halfway),
        ("t\nskip\nt\nt\n", 1, #"{"health":80,"gems":6,"name":"Eve","log":["x","b","c!"],"new":true}"# + "\n"),
        ("t\nq\n", 1, halfway), ("t\n", 1, halfway), ("", 1, stopped), ("q\n", 1, stopped), ("skip all\n", 1, stopped),
    ]

    @Test(arguments: scripts) func settledByAnswersOnStandardInput(answers: String, status: Int32, expected: String)
        throws
    {
        _ = try merge()
        try workspace.write(answers, to: "answers")
        let outcome = try repository.shell("git mergetool --no-prompt --tool savetool < answers")
        #expect(outcome.status == status, "\(outcome.text)")
        #expect(save() == expected, "\(outcome.text)")
        let isSettled = try repository.git("status", "--porcelain", "--untracked-files=no") == "M  slot.save\n"
        #expect(isSettled == (status == 0))
        if status == 0 { try finish() }
    }

    #if os(Linux)
        /// A person answers at a terminal, where git asks first whether to start the tool.
        @Test func settledByAnswersAtTerminal() throws {
            _ = try merge()
            let terminal = try Terminal()
            terminal.type("\n")
            terminal.type("t\no\ntheirs all\n")
            let outcome = try repository.shell("git mergetool --tool savetool", input: terminal.end)
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(
                outcome.text.contains("1 of 4: ours, theirs, skip or quit (add \"all\" for all remaining conflicts): "))
            #expect(outcome.text.contains("slot.save: /health: conflict: was 100, ours 60, theirs 80\n"))
            let save = save()
            #expect(save.contains(#""health":80"#) && save.contains(#""gems":6"#), "\(save)")
            try finish()
        }
    #endif

    @Test func bothAddedTheFile() throws {
        for branch in ["main", "theirs"] {
            try repository.git("checkout", "-q", branch)
            try workspace.write(branch == "main" ? #"{"a": 1, "b": 1}"# : #"{"a": 2, "c": 1}"#, to: "new.save")
            try repository.git("add", "new.save")
            try repository.git("commit", "-q", "-m", "new")
        }
        try repository.git("checkout", "-q", "main")
        #expect(try repository.attempt("merge", "-X", "ours", "theirs").status == 1)
        try workspace.write("t all\nt all\n", to: "answers")
        let outcome = try repository.shell("git mergetool --no-prompt --tool savetool < answers")
        #expect(outcome.status == 0, "\(outcome.text)")
        let merged = workspace.run(["get", "new.save", "/a", "/b", "/c"])
        #expect(merged == Workspace.Result(status: 0, output: "2\n1\n1\n"))
    }

    // MARK: Rules

    /// A rule for one merge, and a rule that `git-setup` configures for all merges.
    @Test(arguments: [
        "git -c merge.savetool.driver='savetool merge --git --rule theirs -- %O %A %B %P' checkout -m slot.save",
        "savetool git-setup --apply --rule theirs '*.save' && git checkout -m slot.save",
    ])
    func settledByRule(command: String) throws {
        _ = try merge()
        #expect(workspace.run(["set", "-i", "slot.save", "/gems", "0"]).status == 0)
        let outcome = try repository.shell(command)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(save() == Self.asTheirs)
        try finish()
    }
}

#if os(Linux)
    /// A pseudoterminal that a test types on.
    private final class Terminal {
        private let keyboard: FileHandle
        /// The standard input of programs on the terminal.
        let end: FileHandle

        init() throws {
            // The ioctl requests of `unlockpt` and `ptsname`, which Swift's module of the C library does not export.
            let (unlock, name) = (UInt(0x4004_5431), UInt(0x8004_5430))
            let flags = O_RDWR | O_NOCTTY
            let keyboard = unsafe open("/dev/ptmx", flags)
            var (isLocked, number): (Int32, Int32) = (0, 0)
            try #require(unsafe ioctl(keyboard, unlock, &isLocked) == 0 && ioctl(keyboard, name, &number) == 0)
            self.keyboard = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
            let end = unsafe open("/dev/pts/\(number)", flags)
            try #require(end >= 0)
            self.end = FileHandle(fileDescriptor: end, closeOnDealloc: true)
        }

        func type(_ text: String) {
            keyboard.write(Data(text.utf8))
        }
    }
#endif
