import SaveCodec
import SaveOperations

/// `savetool git-check`: finds saves in conflict, for a pre-commit hook.
enum GitCheckCommand {
    static let command = Command(
        name: "git-check", summary: "find saves in conflict before a commit", operands: [],
        examples: [
            "in a hook": "savetool git-check",
            "if git merges with a rule": "savetool git-check --rule higher",
            "install the hook": "savetool git-setup --hooks --apply",
        ],
        discussion: """
            Lists saves whose next commit would hide a conflict: with conflict markers, or with our side where a
            merge, rebase or cherry-pick conflicted, even after git add. A save is a file that git merges by
            savetool.

            Our side passes if you chose it in git mergetool, or by git checkout --ours where git had merged more.
            git add FILE, and then git update-index --clear-resolve-undo, accept our side.
            """,
        exitStatus: [.done: "no save is in conflict", .negative: "a save is in conflict", .cannot: "error"],
        options: [.checkedRule], run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if let operand = arguments.operands.first { throw UsageError.extraOperand(operand) }
        let rules = try arguments.mergeRules()
        do throws(SystemError) {
            if let index = try GitIndex(from: invocation.folder) {
                return try GitCheck(index: index, rules: rules, invocation: invocation).run()
            }
        } catch {
            guard error == .noSuchFile else { throw FileError("git", error) }
        }
        invocation.printError("savetool: \(GitSetup.Scope.repository.refusal)")
        return .cannot
    }
}

extension Option {
    static let checkedRule = Option(
        "rule", value: rule.value, is: rule.content, isRepeatable: true, for: .conflicts,
        help: "a rule of the merge driver, see help merging")
}

/// The check of the next commit.
private struct GitCheck {
    let index: GitIndex
    let rules: [MergeOptions.LocalRule]
    let invocation: Invocation

    func run() throws(SystemError) -> ExitStatus {
        let unmerged = try index.conflicts()
        let ended = try index.endedConflicts()
        let staged = try index.stagedFiles()
        let saves = try index.saves(among: unmerged.map(\.path) + ended.map(\.path) + staged)
        let merged = Set(ended.map(\.path))
        var found = 0
        for conflict in unmerged where saves.contains(conflict.path) {
            report("in conflict", of: conflict.path)
            found += 1
        }
        var unrelated = 0
        for path in staged where saves.contains(path) {
            guard try hasMarkers(path) else { continue }
            report("has conflict markers", of: path)
            found += 1
            if !merged.contains(path) { unrelated += 1 }
        }
        var hidden = 0
        for conflict in ended where saves.contains(conflict.path) {
            if try !index.isChosen(conflict), try hidesConflict(conflict) { hidden += 1 }
        }
        found += hidden
        guard found > 0 else { return .done }
        let advice =
            if unrelated == found {
                "git commit --no-verify keeps the markers"
            } else {
                "git checkout -m FILE merges again, "
                    + (hidden == found
                        ? "git add FILE and then git update-index --clear-resolve-undo accept our side"
                        : "git add FILE marks a resolved file")
            }
        invocation.printError("savetool: \(Phrase.count(found, "save")) in conflict; \(advice)")
        return .negative
    }

    private func report(_ sentence: String, of path: String) {
        invocation.printError("\(Invocation.shownName(path)): \(sentence)")
    }

    /// Whether the staged text has conflict markers.
    private func hasMarkers(_ path: String) throws(SystemError) -> Bool {
        guard let bytes = try index.stagedBytes(of: path) else { return false }
        do throws(Problem) {
            _ = try FileReadOptions().open(bytes)
            return false
        } catch {
            return error.id == "format.conflict"
        }
    }

    /// Whether the staged file has our side at a conflict, or as a whole. Prints these conflicts.
    private func hidesConflict(_ conflict: GitIndex.Conflict) throws(SystemError) -> Bool {
        guard let bytes = try index.stagedBytes(of: conflict.path), conflict.objects[3] != nil else { return false }
        guard let present = ConflictedSave.open(bytes, at: conflict.path),
            let save = try ConflictedSave(conflict, in: index, by: rules),
            let open = try? save.openConflicts(in: present), !open.isEmpty
        else {
            let comments = try ConflictedSave.lostComments(of: conflict, in: index, by: rules, from: bytes)
            for comment in comments.prefix(Self.maxLines) { invocation.printError(comment.shown(as: "conflict")) }
            reportRest(of: comments.count, in: conflict.path)
            guard comments.isEmpty else { return true }
            // Without a merge driver, git leaves our version.
            guard let ours = conflict.objects[2], try index.bytes(of: ours) == bytes else { return false }
            report("has only our changes, because git did not merge it", of: conflict.path)
            return true
        }
        let lines = ConflictLines(save.merge, in: conflict.path)
        for line in open.prefix(Self.maxLines).flatMap(lines.lines) { invocation.printError(line) }
        reportRest(of: open.count, in: conflict.path)
        return true
    }

    private func reportRest(of count: Int, in path: String) {
        guard count > Self.maxLines else { return }
        report("… and " + Phrase.count(count - Self.maxLines, "more conflict"), of: path)
    }

    private static let maxLines = 20
}
