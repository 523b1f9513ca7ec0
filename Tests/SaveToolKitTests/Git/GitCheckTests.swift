import Foundation
import Testing

@testable import SaveToolKit

/// Tests the hook that refuses commits with saves in conflict, in a repository of the installed git.
@Suite(.enabled(if: GitRepository.isPossible, GitRepository.needs))
struct GitCheckTests {
    private let repository: GitRepository
    private var workspace: Workspace { repository.workspace }

    init() throws {
        repository = try GitRepository()
    }

    /// Makes two branches with a conflict at `/health`, and begins to merge them.
    private func conflict(setUp: [String]? = ["--hooks", "*.save"]) throws {
        if let setUp { #expect(workspace.run(["git-setup", "--apply"] + setUp).status == 0) }
        try workspace.write("*.save diff=savetool merge=savetool\n", to: ".gitattributes")
        try commit(health: 100, gems: 1)
        try repository.git("checkout", "-q", "-b", "theirs")
        try commit(health: 80, gems: 2)
        try repository.git("checkout", "-q", "main")
        try commit(health: 60, gems: 1)
        #expect(try repository.attempt("merge", "--no-edit", "theirs").status == 1)
    }

    private static func save(health: Int, gems: Int) -> String {
        "{\n  \"health\": \(health),\n  \"name\": \"Ada\",\n  \"level\": 1,\n  \"gems\": \(gems)\n}\n"
    }

    private func commit(health: Int, gems: Int) throws {
        try workspace.write(Self.save(health: health, gems: gems), to: "slot.save")
        try repository.git("add", ".gitattributes", "slot.save")
        try repository.git("commit", "-q", "-m", "commit")
    }

    private static let line = "slot.save: /health: conflict: was 100, ours 60, theirs 80\n"

    @Test func refusesConflictThatNobodyResolved() throws {
        try conflict()
        let outcome = try repository.attempt("commit", "-q", "-a", "--no-edit")
        #expect(outcome.status == 1)
        #expect(outcome.text.contains(Self.line), "\(outcome.text)")
        #expect(outcome.text.contains("savetool: 1 save in conflict; "))
        #expect(workspace.run(["git-check"]).status == 1)
        #expect(try repository.attempt("commit", "-q", "-a", "--no-edit", "--no-verify").status == 0)
        #expect(workspace.run(["git-check"]) == Workspace.Result(status: 0, output: ""))
    }

    @Test(arguments: [
        "savetool set -i slot.save /health 80", "git checkout -q --theirs slot.save",
        "git checkout -q --ours slot.save", "echo o | git mergetool --no-prompt --tool savetool",
    ])
    func acceptsResolvedConflict(command: String) throws {
        try conflict()
        #expect(try repository.shell(command).status == 0)
        let outcome = try repository.attempt("commit", "-q", "-a", "--no-edit")
        #expect(outcome.status == 0, "\(outcome.text)")
        // A later commit has nothing to do with the conflict.
        try commit(health: 60, gems: 3)
    }

    /// An answer in `git mergetool` is for one conflict. Another one with the same result is reported.
    @Test func remembersEachResolution() throws {
        try conflict()
        let outcome = try repository.shell(
            "echo o | git mergetool --no-prompt --tool savetool && git commit -qa --no-edit")
        #expect(outcome.status == 0, "\(outcome.text)")
        try repository.git("checkout", "-q", "theirs")
        try commit(health: 90, gems: 2)
        try repository.git("checkout", "-q", "main")
        #expect(try repository.attempt("merge", "--no-edit", "theirs").status == 1)
        #expect(try repository.attempt("commit", "-q", "-a", "--no-edit").status == 1)
    }

    /// An answer counts only in the merge in which it was given.
    @Test(arguments: [
        "git merge --abort; git merge --no-edit theirs", "git reset -q --hard; git merge --no-edit theirs",
        "git checkout -m slot.save",
    ])
    func forgetsResolutionWhenMergedAgain(command: String) throws {
        try conflict()
        #expect(try repository.shell("echo o | git mergetool --no-prompt --tool savetool").status == 0)
        #expect(workspace.run(["git-check"]).status == 0)
        _ = try repository.shell(command)
        let outcome = try repository.attempt("commit", "-q", "-a", "--no-edit")
        #expect(outcome.status == 1, "\(outcome.text)")
        #expect(outcome.text.contains(Self.line), "\(outcome.text)")
    }

    /// A refused `git commit -a` stages nothing, so its advice begins with `git add`.
    @Test func acceptsOurSideAsAdvised() throws {
        try conflict()
        let outcome = try repository.attempt("commit", "-q", "-a", "--no-edit")
        let command = "git update-index --clear-resolve-undo"
        #expect(outcome.text.hasSuffix(", git add FILE and then \(command) accept our side\n"), "\(outcome.text)")
        #expect(try repository.shell("git add slot.save && \(command)").status == 0)
        #expect(workspace.run(["git-check"]) == Workspace.Result(status: 0, output: ""))
        #expect(try repository.attempt("commit", "-q", "--no-edit").status == 0)
    }

    /// Outside of a merge, git has nothing to merge again.
    @Test func advisesOnMarkersOutsideOfMerge() throws {
        #expect(workspace.run(["git-setup", "--apply", "*.save"]).status == 0)
        try workspace.write("{\n<<<<<<< a\n\"b\": 1\n=======\n\"b\": 2\n>>>>>>> c\n}\n", to: "slot.save")
        try repository.git("add", "slot.save")
        let expected = """
            slot.save: has conflict markers
            savetool: 1 save in conflict; git commit --no-verify keeps the markers

            """
        #expect(workspace.run(["git-check"]).talk == expected)
    }

    /// A conflict that a rule of the merge driver resolves is none.
    @Test func appliesRules() throws {
        try conflict()
        try repository.git("add", "slot.save")
        #expect(workspace.run(["git-check", "--rule", "/health=lower"]).status == 0)
        #expect(workspace.run(["git-check", "--rule", "/gems=lower"]).status == 1)
    }

    @Test(arguments: [
        "{\n<<<<<<< ours\n\"health\": 60\n=======\n\"health\": 80\n>>>>>>> theirs\n}\n",
        "\"health\" = \"60\";\n=======\n\"gems\" = \"1\";\n", "{\n  health = 60;\n>>>>>>> theirs\n}\n",
    ])
    func refusesConflictMarkers(text: String) throws {
        try conflict()
        try workspace.write(text, to: "slot.save")
        let outcome = try repository.attempt("commit", "-q", "-a", "--no-edit")
        #expect(outcome.status == 1)
        #expect(outcome.text.hasPrefix("slot.save: has conflict markers\n"), "\(outcome.text)")
    }

    /// Without the settings, git leaves our version of a file that it treats as binary.
    @Test func refusesOurVersionWithoutMerge() throws {
        try repository.git("config", "merge.savetool.driver", "false")
        try conflict(setUp: nil)
        try repository.git("checkout", "-q", "--ours", "slot.save")
        try repository.git("add", "slot.save")
        #expect(workspace.run(["git-check", "--rule", "ours"]).talk.hasPrefix("slot.save: has only our changes"))
    }

    /// Makes two branches of which one changes a file and the other deletes it, and begins to merge them.
    private func conflictOfDeletion(isOurs: Bool) throws {
        #expect(workspace.run(["git-setup", "--apply", "--hooks", "*.save"]).status == 0)
        try commit(health: 100, gems: 1)
        func change(delete: Bool) throws {
            guard delete else { return try commit(health: 60, gems: 1) }
            try repository.git("rm", "-q", "slot.save")
            try repository.git("commit", "-q", "-m", "commit")
        }
        try repository.git("checkout", "-q", "-b", "theirs")
        try change(delete: !isOurs)
        try repository.git("checkout", "-q", "main")
        try change(delete: isOurs)
        #expect(try repository.attempt("merge", "--no-edit", "theirs").status == 1)
    }

    @Test(arguments: [true, false]) func refusesConflictWithDeletion(isOurs: Bool) throws {
        try conflictOfDeletion(isOurs: isOurs)
        let line = isOurs ? "theirs changed this file, ours deleted it" : "ours changed this file, theirs deleted it"
        let expected = """
            slot.save: conflict: \(line)
            savetool: 1 save in conflict; git rm FILE accepts a deletion, git add FILE and then \
            git update-index --clear-resolve-undo accept the file

            """
        for command in ["git commit -q -a --no-edit", "git add slot.save && git commit -q --no-edit"] {
            let outcome = try repository.shell(command)
            #expect(outcome.status == 1 && outcome.text == expected, "\(outcome)")
        }
    }

    @Test(arguments: [
        "git rm -q slot.save", "git add slot.save && git update-index --clear-resolve-undo",
        "savetool set -i slot.save /health 70 && git add slot.save",
    ])
    func acceptsConflictWithDeletion(command: String) throws {
        try conflictOfDeletion(isOurs: false)
        #expect(try repository.shell(command).status == 0)
        let outcome = try repository.attempt("commit", "-q", "--no-edit")
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    /// After `git stash pop`, git has no name for theirs. Later commits have nothing to do with the conflict.
    @Test func checksStash() throws {
        #expect(workspace.run(["git-setup", "--apply", "--hooks", "*.save"]).status == 0)
        try commit(health: 100, gems: 1)
        try workspace.write(Self.save(health: 80, gems: 2), to: "slot.save")
        try repository.git("stash", "-q")
        try commit(health: 60, gems: 1)
        #expect(try repository.attempt("stash", "pop").status == 1)
        let outcome = try repository.attempt("commit", "-q", "-a", "-m", "commit")
        #expect(outcome.status == 1 && outcome.text.hasPrefix(Self.line), "\(outcome)")
        #expect(workspace.run(["set", "-i", "slot.save", "/health", "70"]).status == 0)
        #expect(try repository.attempt("commit", "-q", "-a", "-m", "commit").status == 0)
        try commit(health: 60, gems: 2)
    }

    /// The merged file equals our version, so the next commit does not change it.
    @Test(arguments: ["merge --squash", "cherry-pick --no-commit"]) func checksMergeWithoutHead(command: String) throws
    {
        #expect(workspace.run(["git-setup", "--apply", "--hooks", "*.save"]).status == 0)
        try commit(health: 100, gems: 1)
        try repository.git("checkout", "-q", "-b", "theirs")
        try workspace.write("new", to: "notes.txt")
        try repository.git("add", "notes.txt")
        try commit(health: 80, gems: 1)
        try repository.git("checkout", "-q", "main")
        try commit(health: 60, gems: 1)
        #expect(try repository.shell("git \(command) theirs").status == 1)
        let outcome = try repository.shell("git add -A && git commit -q -m commit")
        #expect(outcome.status == 1 && outcome.text.hasPrefix(Self.line), "\(outcome)")
    }

    @Test(arguments: ["cherry-pick", "revert"]) func checksPickedCommit(command: String) throws {
        try conflict()
        try repository.git("merge", "--abort")
        if command == "revert" {
            try commit(health: 70, gems: 5)
            try commit(health: 80, gems: 5)
        }
        let picked = command == "revert" ? "HEAD~1" : "theirs"
        #expect(try repository.attempt(command, "--no-edit", picked).status == 1)
        try repository.git("add", "slot.save")
        let outcome = try repository.attempt(command, "--continue")
        #expect(outcome.status != 0 && outcome.text.contains("savetool: 1 save in conflict; "), "\(outcome)")
        #expect(workspace.run(["set", "-i", "slot.save", "/health", "70"]).status == 0)
        try repository.git("add", "slot.save")
        let next = try repository.attempt(command, "--continue")
        #expect(next.status == 0, "\(next)")
    }

    /// A linked work tree shares the settings and hooks, and has its own index.
    @Test func checksLinkedWorkTree() throws {
        try conflict()
        try repository.git("merge", "--abort")
        try repository.git("worktree", "add", "-q", "-b", "other", "linked")
        workspace.enter("linked")
        defer { workspace.enter(nil) }
        #expect(workspace.run(["git-setup", "--apply", "--hooks"]).talk == "nothing to do; git is set up\n")
        func run(_ command: String) throws -> GitRepository.Outcome { try repository.shell("cd linked && " + command) }
        #expect(try run("git merge --no-edit theirs").status == 1)
        #expect(try run("git diff").text.contains("++<<<<<<< ours\n"))
        let outcome = try run("git commit -q -a --no-edit")
        #expect(outcome.status == 1 && outcome.text.hasPrefix(Self.line), "\(outcome)")
        #expect(try run("echo o | git mergetool --no-prompt --tool savetool").status == 0)
        #expect(try run("git commit -q -a --no-edit").status == 0)
    }

    /// A conflict in comments alone is reported as such, and accepted after an answer in `git mergetool`.
    @Test func refusesConflictInComments() throws {
        #expect(workspace.run(["git-setup", "--hooks", "--apply", "*.json"]).status == 0)
        func commit(_ comment: String) throws {
            try workspace.write("{\n  // \(comment)\n  \"health\": 100\n}\n", to: "slot.json")
            try repository.git("add", "slot.json")
            try repository.git("commit", "-q", "-m", "commit")
        }
        try commit("base")
        try repository.git("checkout", "-q", "-b", "theirs")
        try commit("from the tablet")
        try repository.git("checkout", "-q", "main")
        try commit("from the phone")
        #expect(try repository.attempt("merge", "--no-edit", "theirs").status == 1)
        let outcome = try repository.attempt("commit", "-q", "-a", "--no-edit")
        #expect(outcome.status == 1)
        let line = "slot.json:2: conflict: the comment \"// from the tablet\" from theirs cannot be kept\n"
        #expect(outcome.text.hasPrefix(line), "\(outcome.text)")
        #expect(try repository.shell("echo o | git mergetool --no-prompt --tool savetool").status == 0)
        #expect(try repository.attempt("commit", "-q", "-a", "--no-edit").status == 0)
    }

    @Test func listsUnmergedSaves() throws {
        try conflict()
        let result = workspace.run(["git-check"])
        #expect(result.status == 1)
        #expect(result.talk.hasPrefix("slot.save: in conflict\n"))
        #expect(result.talk.hasSuffix(", git add FILE marks a resolved file\n"))
        try workspace.write("*.save -merge\n", to: ".gitattributes")
        #expect(workspace.run(["git-check"]).status == 0)
    }

    @Test func refusesOperandsAndOtherFolders() throws {
        #expect(workspace.run(["git-check", "a"]).status == 2)
        #expect(try Workspace().run(["git-check"]).talk == "savetool: not a git repository, or git is not installed\n")
    }

    // MARK: Differences

    @Test(arguments: ["lines", "changes"]) func differenceShowsConflict(driver: String) throws {
        try conflict(setUp: ["--driver", driver, "*.save"])
        let shown = """
            ++<<<<<<< ours
             +  "health": 60,
            ++=======
            +   "health": 80,
            ++>>>>>>> theirs

            """
        #expect(try repository.git("diff", "slot.save").contains(shown))
        #expect(workspace.run(["set", "-i", "slot.save", "/health", "70"]).status == 0)
        #expect(try !repository.git("diff", "slot.save").contains("<<<"))
    }

    /// The sides of a conflict in comments are shown, too, until the comment is edited.
    @Test func differenceShowsConflictInComments() throws {
        #expect(workspace.run(["git-setup", "--apply", "*.json"]).status == 0)
        func commit(_ first: String, _ second: String) throws {
            try workspace.write(
                "{\n  // \(first)\n  \"health\": 100,\n  \"name\": \"Ada\",\n  // \(second)\n  \"gems\": 1\n}\n",
                to: "slot.json")
            try repository.git("add", "slot.json")
            try repository.git("commit", "-q", "-m", "commit")
        }
        try commit("base", "base")
        try repository.git("checkout", "-q", "-b", "theirs")
        try commit("tablet", "second of the tablet")
        try repository.git("checkout", "-q", "main")
        try commit("phone", "second of the phone")
        #expect(try repository.attempt("merge", "--no-edit", "theirs").status == 1)
        func shown(_ words: String) -> String {
            "++<<<<<<< ours\n +  // \(words) phone\n++=======\n+   // \(words) tablet\n++>>>>>>> theirs\n"
                .replacing("//  ", with: "// ")
        }
        let difference = try repository.git("diff", "slot.json")
        #expect(difference.contains(shown("")) && difference.contains(shown("second of the")), "\(difference)")
        _ = try repository.shell("sed -i.old '2s/ phone/ both/' slot.json")
        let edited = try repository.git("diff", "slot.json")
        #expect(!edited.contains(shown("")) && edited.contains(shown("second of the")), "\(edited)")
    }

    /// A conflict that a rule settles has no markers.
    @Test func differenceAppliesRules() throws {
        try conflict()
        #expect(workspace.run(["git-setup", "--apply", "--rule", "/health=higher", "*.save"]).status == 0)
        #expect(try !repository.git("diff", "slot.save").contains("<<<"))
    }

    // MARK: Installing

    private static let head = "#!/bin/sh\n# Written by savetool git-setup --hooks.\n"
    private static let hook = "\(head)exec savetool git-check --rule 'higher'\n"
    private static let rebaseCheck =
        #"[ ! -d "$(git rev-parse --git-path rebase-merge)" ] || savetool git-check"#

    @Test func installsAndRemovesHook() throws {
        let rebaseHook = "\(Self.head)\(Self.rebaseCheck) --rule 'higher'\n"
        let shown = workspace.run(["git-setup", "--hooks", "--rule", "higher"]).output
        #expect(
            shown.hasSuffix(
                Self.hook + "\n# .git/hooks/prepare-commit-msg\n" + rebaseHook + "\n# .git/hooks/pre-applypatch\n"
                    + Self.hook))
        for ending in ["git is set up\n", "nothing to do; git is set up\n"] {
            let result = workspace.run(["git-setup", "--hooks", "--apply", "--rule", "higher"])
            #expect(result.status == 0 && result.talk.hasSuffix(ending))
            #expect(try workspace.text(of: ".git/hooks/pre-commit") == Self.hook)
            #expect(try workspace.text(of: ".git/hooks/prepare-commit-msg") == rebaseHook)
        }
        for hook in ["pre-commit", "prepare-commit-msg", "pre-applypatch"] {
            #expect(FileManager.default.isExecutableFile(atPath: workspace.path(of: ".git/hooks/\(hook)")))
        }
        let talk = workspace.run(["git-setup", "--hooks", "--apply", "--rule", "lower"]).talk
        #expect(talk.contains(".git/hooks/pre-commit:\n  + savetool git-check --rule 'lower'\n"))
        #expect(workspace.run(["git-setup", "--undo", "--apply"]).status == 0)
        for hook in ["pre-commit", "prepare-commit-msg", "pre-applypatch"] {
            #expect(!FileManager.default.fileExists(atPath: workspace.path(of: ".git/hooks/\(hook)")))
        }
    }

    @Test func checksRebase() throws {
        try conflict()
        try repository.git("merge", "--abort")
        try repository.git("checkout", "-q", "theirs")
        let start = try repository.attempt("rebase", "main")
        let clause = "in a rebase, ours is the branch that you rebase onto, and theirs is your commit; "
        #expect(start.status == 1)
        #expect(start.text.contains("1 conflict: kept ours, merged the rest; \(clause)resolve with "), "\(start.text)")
        let questions = try repository.shell("echo q | git mergetool --no-prompt --tool savetool").text
        #expect(questions.contains("savetool: \(clause.dropLast(2))\nslot.save: /health: conflict: "), "\(questions)")
        try repository.git("add", "slot.save")
        let outcome = try repository.attempt("rebase", "--continue")
        #expect(outcome.status != 0)
        #expect(outcome.text.contains("savetool: 1 save in conflict; \(clause)"), "\(outcome.text)")
        #expect(workspace.run(["set", "-i", "slot.save", "/health", "70"]).status == 0)
        try repository.git("add", "slot.save")
        let next = try repository.attempt("rebase", "--continue")
        #expect(next.status == 0, "\(next.text)")
    }

    @Test func keepsHookOfUser() throws {
        let folder = workspace.folder.appending(path: "hooks")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try repository.git("config", "core.hooksPath", "hooks")
        try workspace.write("#!/bin/sh\n", to: "hooks/pre-commit")
        let result = workspace.run(["git-setup", "--hooks", "--apply"])
        #expect(
            result.talk.contains(
                "hooks/pre-commit: this hook exists; add this line to it: savetool git-check || exit 1\n"))
        #expect(result.talk.contains("git is set up, except for the existing hook\n"))
        #expect(try workspace.text(of: "hooks/pre-commit") == "#!/bin/sh\n")
        #expect(try workspace.text(of: "hooks/prepare-commit-msg") == "\(Self.head)\(Self.rebaseCheck)\n")
        try workspace.write("#!/bin/sh\nsavetool git-check || exit 1\n", to: "hooks/pre-commit")
        #expect(workspace.run(["git-setup", "--hooks", "--apply"]).talk == "nothing to do; git is set up\n")
        #expect(workspace.run(["git-setup", "--undo", "--apply"]).status == 0)
        #expect(try workspace.text(of: "hooks/pre-commit").hasSuffix("|| exit 1\n"))
    }
}
