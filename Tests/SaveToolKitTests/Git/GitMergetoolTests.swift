import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests `git mergetool` with the installed git: after partial resolutions, below the top folder, and with unusual file
/// names.
@Suite(.enabled(if: GitRepository.isPossible, GitRepository.needs))
struct GitMergetoolTests {
    private let repository: GitRepository
    private var workspace: Workspace { repository.workspace }

    init() throws {
        repository = try GitRepository.setUp()
        try repository.git("add", ".gitattributes")
        try repository.git("commit", "-q", "-m", "attributes")
    }

    private static let base = #"{"health": 100, "gems": 5, "name": "Ada", "log": ["a", "b", "c"], "old": 1}"#
    private static let ours = #"{"health": 60, "gems": 5, "name": "Eve", "log": ["b", "C"], "old": 2}"#
    private static let theirs = #"{"health": 80, "gems": 6, "name": "Zoe", "log": ["x", "a", "b", "c!"], "new": true}"#

    /// Runs `sh` commands in a subfolder of the repository, with the file's name in `$f`, until one fails.
    private func shell(_ lines: String, name: String = "slot.save") throws -> GitRepository.Outcome {
        try repository.shell("set -e; mkdir -p 'sub d/deep'; cd 'sub d'; f=$(printf -- '\(name)')\n" + lines)
    }

    /// Commits the versions of the file on two branches, and stays on main.
    private func diverge(_ name: String = "slot.save", to format: String = "binary") throws {
        for (json, branch) in [(Self.base, "-q main"), (Self.theirs, "-qb theirs"), (Self.ours, "-q main")] {
            try workspace.write(json, to: "content")
            let outcome = try shell(
                """
                git checkout \(branch)
                savetool convert --to \(format) ../content --output="deep/$f"
                git add -- "deep/$f"
                git commit -qm commit
                """, name: name)
            try #require(outcome.status == 0, "\(outcome.text)")
        }
    }

    private func inspect(_ name: String = "slot.save") throws -> String {
        try shell(#"savetool inspect -f json --compact -- "deep/$f""#, name: name).text
    }

    private func mergetool(_ answers: String, name: String = "slot.save") throws -> GitRepository.Outcome {
        try shell("printf '\(answers)' | git mergetool --no-prompt --tool savetool", name: name)
    }

    // MARK: Going on

    static let names = ["slot.save", "two words.save", #"it'"'"'s.save"#, #"caf\351.save"#, "-x.save"]

    /// Values resolved by hand and other edits of the file stay. Only open conflicts are asked again.
    @Test(arguments: TestScale.isLong ? names : Array(names.suffix(2)), GitMergeTests.operations)
    func keepsExistingChanges(name: String, operation: String) throws {
        try diverge(name)
        let option = operation == "merge" ? "--no-edit " : ""
        let isRebase = operation == "rebase"
        #expect(try shell("git \(operation) \(option)theirs", name: name).status == 1)
        let byHand = try shell(
            #"""
            savetool set -i -- "deep/$f" /health 77
            savetool set -i -- "deep/$f" /gems 9
            savetool insert -i -- "deep/$f" /log/0 '"first"'
            """#, name: name)
        #expect(byHand.status == 0, "\(byHand.text)")
        let first = try mergetool(#"t\nq\n"#, name: name)
        #expect(first.status != 0)
        #expect(
            first.text.contains(", theirs \(isRebase ? 60 : 80); already settled: the file has 77\n"), "\(first.text)")
        #expect(first.text.contains("1 of 3: "), "\(first.text)")
        #expect(
            first.text.contains(": 2 conflicts left open, with ours in the file; run the command again to continue\n"),
            "\(first.text)")
        let answer = isRebase ? "Eve" : "Zoe"
        let halfway = try inspect(name)
        #expect(halfway.contains(#""health":77,"gems":9,"name":"\#(answer)","log":["first","x","b","#), "\(halfway)")
        let second = try mergetool(#"t\nt\n"#, name: name)
        #expect(second.status == 0, "\(second.text)")
        #expect(second.text.contains(#"; already settled: the file has "\#(answer)""#), "\(second.text)")
        #expect(second.text.contains("1 of 2: "), "\(second.text)")
        let save = try inspect(name)
        let log = isRebase ? #"["first","x","b","C"]"# : #"["first","x","b","c!"]"#
        #expect(save.contains(#""health":77,"gems":9,"name":"\#(answer)","log":\#(log)"#), "\(save)")
        #expect(save.contains(#""old":2"#) == isRebase)
        #expect(try repository.git("status", "--porcelain", "--untracked-files=no").hasPrefix("M"))
    }

    /// A file without open conflicts is accepted as it is.
    @Test func asksNothingIfAllIsSettled() throws {
        try diverge()
        _ = try shell("git merge theirs")
        let commands = try shell(
            """
            savetool set -i deep/slot.save /health 1; savetool set -i deep/slot.save /name '"N"'
            savetool remove -i deep/slot.save /old /log/2; savetool set -i --change-type deep/slot.save /gems '"none"'
            """)
        #expect(commands.status == 0, "\(commands.text)")
        let before = try workspace.bytes(of: "sub d/deep/slot.save")
        let outcome = try mergetool("")
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.text.contains("; already settled: the file has removed\n"), "\(outcome.text)")
        #expect(try workspace.bytes(of: "sub d/deep/slot.save") == before)
    }

    /// Without the merge driver, git leaves ours in a binary file, and conflict markers in a text.
    @Test(arguments: ["binary", "json"]) func withoutADriver(format: String) throws {
        try diverge(to: format)
        try repository.git("config", "--remove-section", "merge.savetool")
        _ = try shell("git merge theirs")
        let outcome = try mergetool("t all\\n")
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.text.contains("slot.save: the file has git's conflict markers, so ") == (format == "json"))
        let save = try inspect()
        #expect(
            save == #"{"health":80,"gems":6,"name":"Zoe","log":["x","b","c!"],"new":true}"# + "\n", "\(outcome.text)")
    }

    /// A syntax error in the file must not destroy the manual resolutions.
    @Test func keepsBrokenFiles() throws {
        try diverge()
        _ = try shell("git merge theirs")
        try workspace.write(#"{"health": 1, "gems": BROKEN"#, to: "sub d/deep/slot.save")
        let before = try workspace.bytes(of: "sub d/deep/slot.save")
        let outcome = try mergetool("t all\\n")
        #expect(outcome.status != 0, "\(outcome.text)")
        #expect(outcome.text.contains("nothing written: correct the file"), "\(outcome.text)")
        #expect(try workspace.bytes(of: "sub d/deep/slot.save") == before)
    }

    /// A file with conflict markers stays unchanged if no question is answered.
    @Test func keepsMarkersWithoutAnswers() throws {
        try diverge(to: "json")
        try repository.git("config", "--remove-section", "merge.savetool")
        _ = try shell("git merge theirs")
        let before = try workspace.bytes(of: "sub d/deep/slot.save")
        #expect(try mergetool("q\\n").text.contains(": 4 conflicts left open, nothing written\n"))
        #expect(try workspace.bytes(of: "sub d/deep/slot.save") == before)
    }

    // MARK: Commands

    /// The commands that the driver prints work in the folder in which git was run.
    @Test(arguments: ["merge --no-edit theirs", "rebase theirs", "cherry-pick theirs", "checkout -m deep/slot.save"])
    func commandsWorkBelowTopFolder(operation: String) throws {
        try diverge()
        if operation.hasPrefix("checkout") { _ = try shell("git merge theirs") }
        let outcome = try shell("git \(operation) || true")
        let theirs = outcome.text.split(separator: "\n").filter { $0.hasPrefix("    theirs: ") }
        #expect(theirs.count == 4, "\(outcome.text)")
        let settled = try shell(theirs.reversed().map { String($0.dropFirst(12)) }.joined(separator: "\n"))
        #expect(settled.status == 0, "\(settled.text)")
        let isRebase = operation.hasPrefix("rebase")
        #expect(try inspect().contains(isRebase ? #""health":60,"# : #""health":80,"#))
    }

    /// After `git stash pop`, the printed command reads a long value from git's index. The file is in a sibling folder.
    @Test func commandsWorkBesideFile() throws {
        try diverge()
        let text = String(repeating: "long ", count: 40)
        let outcome = try shell(
            """
            mkdir 'other one'; cd 'other one'
            savetool set -i ../deep/slot.save /name '"\(text)"'
            git stash -q
            savetool set -i ../deep/slot.save /name '"Bob"'
            git commit -qam name
            git stash pop || true
            """)
        let command = outcome.text.split(separator: "\n").first { $0.hasPrefix("    theirs: ") } ?? ""
        #expect(
            command.hasSuffix(
                "git show ':3:sub d/deep/slot.save' | savetool get --format typed - /name | "
                    + "savetool set -i --change-type --json-file - ../deep/slot.save /name"), "\(outcome.text)")
        #expect(try shell("cd 'other one'; \(command.dropFirst(12))").status == 0)
        #expect(try inspect().contains(text))
    }

    /// If the file's name cannot be printed in a command, each conflict has one line that names the merge tool.
    @Test func unprintableNames() throws {
        try diverge(#"caf\351.save"#)
        let outcome = try shell("git merge theirs")
        #expect(outcome.text.components(separatedBy: "    either: git mergetool --tool savetool\n").count == 5)
        #expect(!outcome.text.contains("ours:   git mergetool"), "\(outcome.text)")
    }
}
