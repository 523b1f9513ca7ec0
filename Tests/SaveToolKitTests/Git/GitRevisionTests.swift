import Foundation
import Testing

@testable import SaveToolKit

/// Tests names of files in git, such as `HEAD:saves/a.save`.
@Suite(.enabled(if: GitRepository.isPossible, GitRepository.needs))
struct GitRevisionTests {
    private let repository: GitRepository
    private var workspace: Workspace { repository.workspace }

    init() throws {
        repository = try GitRepository()
        try FileManager.default.createDirectory(
            at: workspace.folder.appending(path: "saves"), withIntermediateDirectories: false)
        try workspace.write(#"{"health": 100}"#, to: "saves/a.save")
        try workspace.write("old\n", to: "-x.save")
        try repository.git("add", ".")
        try repository.git("commit", "-q", "-m", "commit")
        try workspace.write(#"{"health": 55}"#, to: "saves/a.save")
    }

    @Test func comparesRevisionWithFile() throws {
        let line = "~ /health: 100 → 55\n"
        #expect(workspace.run(["diff", "HEAD:saves/a.save", "saves/a.save"]).output == line)
        #expect(workspace.run(["diff", ":saves/a.save", "saves/a.save"]).output == line)
        try repository.git("add", ".")
        #expect(workspace.run(["diff", ":saves/a.save", "saves/a.save"]).status == 0)
        #expect(workspace.run(["diff", "main:saves/a.save", ":0:saves/a.save"]).output == line)
    }

    @Test(arguments: [
        (["get", "HEAD:./a.save", "/health"], "100\n"),
        (["inspect", "-f", "flat", "HEAD:saves/a.save"], "/health = 100\n"),
        (["convert", "--to", "openstep", "HEAD:./a.save", "--allow-loss"], "{\n    health = 100;\n}\n"),
        (["validate", "-q", "HEAD:./a.save", "a.save"], ""), (["find", "100", "HEAD:./a.save"], "/health = 100\n"),
    ])
    func readsRevisions(arguments: [String], output: String) {
        workspace.enter("saves")
        let result = workspace.run(arguments)
        #expect(result.output.hasSuffix(output), "\(result)")
        #expect(result.status == 0, "\(result)")
    }

    /// Folders of a commit are compared file by file. Folders whose name begins with a dot are left out.
    @Test func comparesFolders() throws {
        try workspace.write("{}", to: "saves/b.save")
        let text = "a.save:\n~ /health: 100 → 55\n\n+ b.save: only in "
        #expect(workspace.run(["diff", "HEAD:saves", "saves"]).output == text + "saves\n")
        #expect(workspace.run(["diff", "HEAD:saves/", "HEAD:saves"]).status == 0)
        #expect(workspace.run(["diff", ":saves", "saves"]).output == text + "saves\n")
        #expect(workspace.run(["diff", "HEAD", "saves"]).output == text + "saves\n")
        #expect(workspace.run(["diff", "saves/a.save", "HEAD"]).output == "~ /health: 55 → 100\n")
        #expect(workspace.run(["diff", "HEADD", "saves"]).talk.hasPrefix("HEADD: no such file\n"))
        try repository.git("add", ".")
        try repository.git("commit", "-q", "-m", "second")
        let talk = workspace.run(["diff", "HEAD~:", "HEAD:"]).output
        #expect(talk == "saves/a.save:\n~ /health: 100 → 55\n\n+ saves/b.save: only in HEAD:\n")
        workspace.enter("saves")
        #expect(workspace.run(["diff", "HEAD:./", "."]).status == 0)
        #expect(workspace.run(["diff", "HEAD~:./", "."]).output == text + ".\n")
        #expect(workspace.run(["diff", "HEAD~", "."]).output == text + ".\n")
        #expect(workspace.run(["diff", ":./", "."]) == Workspace.Result(status: 0, output: ""))
        #expect(workspace.run(["diff", "HEAD:saves", "a.save"]).talk.contains("this is a folder; expected a file"))
    }

    /// A folder of a commit has the same files as the folder on disk.
    @Test func listsFoldersAlike() throws {
        for (link, target) in [
            ("saves/link.save", "a.save"), ("folder", "saves"), ("saves/up", ".."), ("dangling", "gone"),
            ("out", "/etc"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: workspace.path(of: link), withDestinationPath: target)
        }
        try workspace.write("{}", to: ".savetool.json")
        try repository.git("add", ".")
        try repository.git("commit", "-q", "-m", "second")
        for name in ["HEAD:", ":", ":./"] {
            let result = workspace.run(["diff", name, "."])
            #expect(result.status == 0 && result.output.isEmpty, "\(result)")
        }
        let result = workspace.run(["diff", "HEAD~:", "HEAD:"])
        #expect(result.output.hasSuffix("\n+ saves/link.save: only in HEAD:\n"), "\(result)")
        #expect(result.output.components(separatedBy: "only in").count == 2, "\(result)")
    }

    /// A folder of the index has the same files as on disk, also if it is named from another folder or hidden.
    @Test func comparesFoldersOfIndex() throws {
        for folder in ["sub", ".hid"] {
            try FileManager.default.createDirectory(
                atPath: workspace.path(of: folder), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path(of: "saves/l.plist"), withDestinationPath: "../saves/a.save")
        try workspace.write(#"{"gems": 1}"#, to: ".hid/b.save")
        try repository.git("add", ".")
        for name in [":saves", ":saves/", ":./saves"] {
            let result = workspace.run(["diff", name, "saves"])
            #expect(result.status == 0 && result.output.isEmpty, "\(result)")
        }
        try workspace.write(#"{"gems": 2}"#, to: ".hid/b.save")
        #expect(workspace.run(["diff", ":.hid", ".hid"]).output == "b.save:\n~ /gems: 1 → 2\n")
        try FileManager.default.removeItem(atPath: workspace.path(of: "saves/l.plist"))
        try workspace.write(#"{"health": 1}"#, to: "saves/a.save")
        workspace.enter("sub")
        #expect(
            workspace.run(["diff", ":../saves", "../saves"]).output == """
                a.save:
                ~ /health: 55 → 1

                - l.plist: only in :../saves

                """)
    }

    /// git's refusal of a repository of another user is passed on.
    @Test func keepsOwnershipCheck() throws {
        for command in ["get HEAD:saves/a.save /health", "git-setup --apply"] {
            let outcome = try repository.shell("GIT_TEST_ASSUME_DIFFERENT_OWNER=1 savetool \(command)")
            #expect(outcome.status == 2 && outcome.text.contains("safe.directory"), "\(outcome)")
        }
    }

    /// The findings of a commit are not expectations of the file in the folder.
    @Test func updatesNoExpectationsFromCommits() throws {
        try workspace.write("{", to: "bad.json")
        try repository.git("add", ".")
        try repository.git("commit", "-q", "-m", "second")
        let rules = #"{"validate": [{"files": ["bad.json"], "expectInvalid": true}]}"#
        try workspace.write(rules, to: ".savetool.json")
        let result = workspace.run(["validate", "--update-expectations", "HEAD:bad.json"])
        #expect(
            result.talk == "savetool: --update-expectations cannot be used with a file in git: 'HEAD:bad.json'\n")
        #expect(result.status == 2)
        #expect(try workspace.text(of: ".savetool.json") == rules)
    }

    /// The rules of the project apply to a file in a commit as to the file in the folder.
    @Test(arguments: ["HEAD:saves/cut.plist", ":saves/cut.plist", ":0:saves/cut.plist", "HEAD:./cut.plist"])
    func appliesRules(_ name: String) throws {
        try workspace.write("<plist><string>", to: "saves/cut.plist")
        try workspace.write(
            #"{"validate": [{"files": ["saves/cut.plist"], "expectInvalid": true}]}"#, to: ".savetool.json")
        try repository.git("add", ".")
        try repository.git("commit", "-q", "-m", "second")
        workspace.enter("saves")
        let result = workspace.run(["validate", name])
        #expect(result.status == 0 && result.output.contains("expected error"), "\(result)")
        #expect(workspace.run(["roundtrip", name]).output.contains("skipped; "))
    }

    /// git finds the file that is meant below the top of the repository.
    @Test func showsAdviceOfGit() {
        workspace.enter("saves")
        let talk = workspace.run(["get", "HEAD:a.save", "/health"]).talk
        #expect(talk.hasSuffix("hint: Did you mean 'HEAD:saves/a.save' aka 'HEAD:./a.save'?\n"), "\(talk)")
    }

    /// Symbolic links are followed inside a commit.
    @Test(arguments: [
        ("HEAD:saves/link", "100\n", ""), ("HEAD:./saves/link", "100\n", ""), ("HEAD:folder/a.save", "100\n", ""),
        ("HEAD:out", "", "this is a symbolic link to /etc/passwd, outside of the commit"),
        ("HEAD:dangling", "", "this is a symbolic link to a file that the commit does not have"),
        ("HEAD:loop", "", "this symbolic link leads to itself"),
        (":saves/link", "100\n", ""), (":./saves/link", "100\n", ""),
        (":out", "", "this is a symbolic link to /etc/passwd, which git does not follow here"),
        (":loop", "", "this is a symbolic link to loop, which git does not follow here"),
        (":0:saves/link", "", "this is a symbolic link to a.save, which git does not follow here"),
    ])
    func followsLinks(_ name: String, _ output: String, _ reason: String) throws {
        for (link, target) in [
            ("saves/link", "a.save"), ("out", "/etc/passwd"), ("dangling", "gone"), ("loop", "loop"),
            ("folder", "saves"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: workspace.path(of: link), withDestinationPath: target)
        }
        try workspace.write(#"{"health": 100}"#, to: "saves/a.save")
        try repository.git("add", ".")
        try repository.git("commit", "-q", "-m", "links")
        let result = workspace.run(["get", name, "/health"])
        #expect(result.output == output, "\(result)")
        #expect(result.talk == (reason.isEmpty ? "" : "\(name): no such file; git: \(reason)\n"))
    }

    @Test func fileTakesPrecedence() throws {
        workspace.enter("saves")
        try workspace.write(#"{"health": 1}"#, to: "HEAD:a.save")
        #expect(workspace.run(["get", "HEAD:a.save", "/health"]).output == "1\n")
    }

    @Test(arguments: [
        ("HEADD:saves/a.save", "no such file; git: invalid object name 'HEADD'."),
        ("HEAD:a.save", "no such file; git: path 'a.save' does not exist in 'HEAD'"),
        ("HEAD:saves", "this is a folder; expected a file"),
        ("HEAD^{/commit:}", "no such file; git: "),
        ("HEAD", "no such file"), ("gone.save", "no such file"),
        ("HEAD:saves/a.save; touch /tmp/x", "no such file; git: path"),
        ("HEAD:$(id)\n\u{1B}[31m", "no such file; git: path"),
        ("--batch:x", "no such file"),
    ])
    func reportsWordsOfGit(name: String, message: String) {
        let result = workspace.run(["get", "--", name, "/health"])
        #expect(result.status == 2)
        #expect(result.talk.contains(": " + message), "\(result.talk)")
        #expect(!result.talk.contains("\u{1B}"))
    }

    @Test func reportsMissingFileOutsideOfRepositories() throws {
        let other = try Workspace()
        #expect(other.run(["get", "HEAD:a.save", ""]).talk == "HEAD:a.save: no such file\n")
        #expect(
            other.run(["get", "https://example.com/a.save", ""]).talk == "https://example.com/a.save: no such file\n")
    }

    /// A revision is not edited in place, but its edited copy can be written.
    @Test func revisionIsReadOnly() throws {
        let name = "HEAD:saves/a.save"
        #expect(workspace.run(["set", "-i", name, "/health", "1"]).talk == name + ": no such file\n")
        #expect(workspace.run(["set", name, "/health", "1", "-o", "b.save"]).status == 0)
        #expect(try workspace.text(of: "b.save") == #"{"health": 1}"#)
    }

    /// The filters of `.gitattributes` apply, as in a checkout.
    @Test func appliesFilters() throws {
        try workspace.write("*.save filter=case\n", to: ".gitattributes")
        try repository.git("config", "filter.case.smudge", "tr a-z A-Z")
        #expect(workspace.run(["inspect", "-f", "flat", "HEAD:saves/a.save"]).output == "/HEALTH = 100\n")
    }
}
