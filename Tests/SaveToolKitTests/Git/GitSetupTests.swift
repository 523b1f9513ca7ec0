import Foundation
import Testing

@testable import SaveToolKit

/// Tests what `git-setup --apply` changes in a repository.
@Suite(.enabled(if: GitRepository.isPossible, GitRepository.needs))
struct GitSetupTests {
    private let repository: GitRepository
    private var workspace: Workspace { repository.workspace }

    init() throws {
        repository = try GitRepository.setUp()
    }

    @Test func settingUpTwiceChangesNothing() throws {
        let attributes = try workspace.text(of: ".gitattributes")
        let configuration = try workspace.text(of: ".git/config")
        #expect(attributes == "*.save diff=savetool merge=savetool\n")
        #expect(configuration.contains("textconv = savetool textconv --\n"))
        #expect(configuration.contains("driver = savetool merge --git -- %O %A %B %P\n"))
        #expect(workspace.run(["git-setup", "--apply", "*.save"]).status == 0)
        #expect(try workspace.text(of: ".gitattributes") == attributes)
        #expect(try workspace.text(of: ".git/config") == configuration)
    }

    /// git reads a pattern with spaces in quotation marks.
    @Test func quotesPatterns() throws {
        let before = try workspace.text(of: ".gitattributes")
        #expect(workspace.run(["git-setup", "--apply", "*.save", "My Saves/*", "a \"b\""]).status == 0)
        #expect(
            try workspace.text(of: ".gitattributes") == before + """
                "My Saves/*" diff=savetool merge=savetool
                "a \\"b\\"" diff=savetool merge=savetool

                """)
        for name in ["My Saves/slot", "a \"b\""] {
            #expect(try repository.git("check-attr", "-z", "diff", "--", name).hasSuffix("savetool\0"), "\(name)")
        }
        #expect(workspace.run(["git-setup", "--undo", "--apply"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: workspace.folder.appending(path: ".gitattributes").path))
    }

    /// A line that begins with `[attr]` would define a macro.
    @Test(arguments: ["[attr]foo", "[attr]a b"]) func refusesMacro(_ pattern: String) {
        #expect(workspace.run(["git-setup", pattern]).talk.contains("does not begin with #, ! or [attr]"))
    }

    /// In a bare repository, git's own words say what is wrong.
    @Test(arguments: [["git-setup", "--apply"], ["git-check"]]) func refusesBareRepository(_ command: [String]) throws {
        try repository.git("init", "-q", "--bare", "bare")
        workspace.enter("bare")
        let result = workspace.run(command)
        #expect(result.status == 2 && !result.talk.contains("not a git repository"), "\(result)")
    }

    /// The content of `.gitattributes` before and after the setup.
    @Test(arguments: [
        ("", "*.save diff=savetool merge=savetool\n"),
        ("*.txt text", "*.txt text\n*.save diff=savetool merge=savetool\n"),
        ("*.txt text\n\n", "*.txt text\n\n*.save diff=savetool merge=savetool\n"),
        ("*.save diff=savetool\n*.save -merge", "*.save diff=savetool merge=savetool\n*.save -merge"),
        ("*.save diff=savetool \r\n*.txt text\r\n", "*.save diff=savetool merge=savetool \r\n*.txt text\r\n"),
        ("*.save diff=savetool\n*.sks diff=savetool\n", "*.save diff=savetool merge=savetool\n*.sks diff=savetool\n"),
        ("*.save diff=savetool merge=savetool\t", "*.save diff=savetool merge=savetool\t"),
        (
            "*.save diff=savetool merge=binary\n",
            "*.save diff=savetool merge=binary\n*.save diff=savetool merge=savetool\n"
        ),
    ])
    func keepsExistingSettings(before: String, after: String) throws {
        try workspace.write(before, to: ".gitattributes")
        for expected in [before == after ? 0 : 1, 0] {
            let talk = workspace.run(["git-setup", "--apply", "*.save"]).talk
            #expect(talk.contains("  + *.save diff=savetool merge=savetool\n") == (expected == 1))
            #expect(talk.hasSuffix((expected == 0 ? "nothing to do; " : "") + "git is set up\n"))
            #expect(try workspace.text(of: ".gitattributes") == after)
        }
    }

    /// Without patterns, those in `.gitattributes` are used, because a new clone lacks only the settings.
    @Test(arguments: [
        ("*.save diff=savetool merge=savetool\n", true), ("*.save diff=savetool merge=savetool text\n", false),
        ("*.save\tmerge=savetool  diff=savetool\n", true), ("# *.save diff=savetool merge=savetool\n", false),
        ("#*.save diff=savetool\n", false),
        ("", false),
    ]) func usesPatternsOfAttributesFile(attributes: String, areChosen: Bool) throws {
        try workspace.write(attributes, to: ".gitattributes")
        #expect(workspace.run(["git-setup", "--apply"]).status == 0)
        #expect(try (workspace.text(of: ".gitattributes") == attributes) == areChosen)
        #expect(workspace.run(["git-setup", "--apply", "*.plist"]).status == 0)
        #expect(try workspace.text(of: ".gitattributes").contains("*.plist diff=savetool merge=savetool\n"))
    }

    /// Patterns of an older version, which set up `diff` only, gain `merge`.
    @Test func addsMergeToPatternsOfOlderVersion() throws {
        try workspace.write("*.foo  diff=savetool\n*.bar diff=savetool text\n", to: ".gitattributes")
        #expect(workspace.run(["git-setup", "--apply"]).status == 0)
        let attributes = try workspace.text(of: ".gitattributes")
        #expect(attributes == "*.foo  diff=savetool merge=savetool\n*.bar diff=savetool text\n")
    }

    /// The setup warns if git will not find the tool, because every git command on a save would then fail.
    @Test func warnsIfGitCannotFindTool() throws {
        try workspace.write("", to: "savetool")
        let line = "savetool is not in the PATH, so git will not find it\n"
        for (path, isReported) in [("/nowhere:" + workspace.folder.path(), false), ("/nowhere::/", true), ("", true)] {
            let result = workspace.run(["git-setup", "--apply"], environment: ["PATH": path])
            #expect(result.talk.hasSuffix(line) == isReported, "\(path): \(result.talk)")
        }
    }

    /// `--undo` removes what the setup wrote, and nothing else.
    @Test func undoKeepsOtherSettings() throws {
        let attributes = "*.txt text\n*.sav diff=savetool merge=savetool text\n"
        try workspace.write(attributes, to: ".gitattributes")
        _ = try repository.git("config", "diff.savetool.cachetextconv", "true")
        #expect(workspace.run(["git-setup", "--apply", "--all", "--driver", "changes"]).status == 0)
        let setUp = try workspace.text(of: ".gitattributes")
        #expect(setUp.contains("*.nib diff=savetool merge=savetool\n"))

        let told = workspace.run(["git-setup", "--undo"])
        #expect(told.talk.contains("  - *.nib diff=savetool merge=savetool\n"))
        #expect(told.talk.contains("  - diff.savetool.command\n"))
        #expect(try workspace.text(of: ".gitattributes") == setUp)

        let undone = workspace.run(["git-setup", "--undo", "--apply"])
        let lists = [told, undone].map { $0.talk.split(separator: "\n").dropLast() }
        #expect(lists[0] == lists[1])
        #expect(try workspace.text(of: ".gitattributes") == attributes)
        #expect(
            try repository.git("config", "--local", "--get-regexp", "savetool")
                == "diff.savetool.cachetextconv true\n")
        #expect(
            workspace.run(["git-setup", "--undo", "--apply"]).talk == "nothing to undo; git does not use savetool\n")
        #expect(workspace.run(["git-setup", "--undo", "*.save"]).status == 2)
    }

    /// `--undo` deletes a `.gitattributes` that the setup created.
    @Test func undoRemovesCreatedFile() throws {
        #expect(workspace.run(["git-setup", "--undo", "--apply"]).status == 0)
        #expect(throws: (any Error).self) { try workspace.text(of: ".gitattributes") }
    }

    private static let rules: [(rules: [String], line: String)] = [
        (["max"], "--rule 'max'"), (["/gems=max", "/a b=min"], "--rule '/gems=max' --rule '/a b=min'"),
        ([##"/it's "x"\#;=max"##], ##"--rule '/it'\''s "x"\#;=max'"##), (["/100%P=ours"], "--rule '/100%%P=ours'"),
        (["/a'\u{301}=ours"], "--rule '/a'\\''\u{301}=ours'"),
    ]

    /// The driver in git's settings is a shell command in which git replaces `%`, so rules are quoted for both.
    @Test(arguments: rules)
    func quotesRules(rules: [String], line: String) throws {
        let options = rules.flatMap { ["--rule", $0] }
        let expected = "savetool merge --git \(line) -- %O %A %B %P\n"
        let text = workspace.run(["git-setup", "*.save"] + options).output
        let settings = try #require(text.components(separatedBy: "# .git/config\n").last)
        try workspace.write(settings, to: "settings")
        #expect(try repository.git("config", "-f", "settings", "merge.savetool.driver") == expected)
        #expect(workspace.run(["git-setup", "--apply", "*.save"] + options).status == 0)
        #expect(try repository.git("config", "merge.savetool.driver") == expected)
        #expect(
            try repository.git("config", "-f", "settings", "--get-regexp", "savetool")
                == repository.git("config", "--local", "--get-regexp", "savetool"))
        // A later setup for other files keeps the rules.
        #expect(workspace.run(["git-setup", "--apply", "*.sav"]).status == 0)
        #expect(try repository.git("config", "merge.savetool.driver") == expected)
        #expect(workspace.run(["git-setup", "--apply", "--rule", "min"]).status == 0)
        #expect(
            try repository.git("config", "merge.savetool.driver")
                == "savetool merge --git --rule 'min' -- %O %A %B %P\n")
    }

    @Test func lastDriverWins() throws {
        #expect(workspace.run(["git-setup", "--apply", "--driver", "changes", "*.save"]).status == 0)
        let keys = ["config", "--get-regexp", "^diff[.]savetool[.]"]
        func settings() throws -> String { try repository.git(keys[0], keys[1], keys[2]) }
        let lines = "diff.savetool.textconv savetool textconv --\n"
        #expect(try settings() == lines + "diff.savetool.command savetool diff --git --\n")
        #expect(workspace.run(["git-setup", "--apply", "*.save"]).status == 0)
        #expect(try settings() == lines)
    }
}
