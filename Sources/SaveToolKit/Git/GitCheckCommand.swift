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
            Lists saves whose next commit would hide a conflict. They have conflict markers, or still our side
            or an undecided deletion after a conflict, even after git add. Saves are files merged by savetool.

            Our side passes if chosen in git mergetool, or by git checkout --ours if git merged more.
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
        invocation.printError("savetool: \(GitSetup.Scope.repository.refusal(from: invocation.folder))")
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
        let staged = try index.stagedFiles()
        let ended = try index.endedConflicts()
        let saves = try index.saves(among: unmerged.map(\.path) + ended.map(\.path) + staged)
        let merged = Set(ended.map(\.path))
        var (found, hidden, oneSided) = (0, 0, 0)
        for conflict in unmerged where saves.contains(conflict.path) {
            report("in conflict", of: conflict.path)
            found += 1
            if conflict.isOneSided { oneSided += 1 }
        }
        var unrelated = 0
        for path in staged where saves.contains(path) {
            guard try hasMarkers(path) else { continue }
            report("has conflict markers", of: path)
            found += 1
            if !merged.contains(path) { unrelated += 1 }
        }
        for conflict in ended where saves.contains(conflict.path) {
            guard try !index.isChosen(conflict), try hidesConflict(conflict) else { continue }
            hidden += 1
            if conflict.isOneSided { oneSided += 1 }
        }
        found += hidden
        guard found > 0 else { return .done }
        let side = if hidden > 0, GitIndex.isRebasing(in: index.top) { GitIndex.oursInRebase + "; " } else { "" }
        let advice =
            unrelated == found
            ? "git commit --no-verify keeps the markers" : advice(on: found, hidden: hidden, oneSided: oneSided)
        invocation.printError("savetool: \(Phrase.count(found, "save")) in conflict; \(side)\(advice)")
        return .negative
    }

    /// Returns the commands that resolve conflicts.
    ///
    /// - Parameters:
    ///   - found: The count of conflicts.
    ///   - hidden: The count of conflicts that `git add` has ended.
    ///   - oneSided: The count of conflicts in which only one side has a file. git cannot merge it again.
    private func advice(on found: Int, hidden: Int, oneSided: Int) -> String {
        let again = oneSided < found ? "git checkout -m FILE merges again, " : ""
        let removal = oneSided > 0 ? "git rm FILE accepts a deletion, " : ""
        guard hidden == found else { return again + removal + "git add FILE marks a resolved file" }
        return again + removal + "git add FILE and then git update-index --clear-resolve-undo "
            + (oneSided == 0 ? "accept our side" : "accept the file") + (found > 1 ? " for all \(found) saves" : "")
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

    /// Whether the staged file has our side at a conflict, or is the only version. Prints these conflicts.
    private func hidesConflict(_ conflict: GitIndex.Conflict) throws(SystemError) -> Bool {
        guard !conflict.isOneSided else { return try hidesDeletion(conflict) }
        guard let bytes = try index.stagedBytes(of: conflict.path) else { return false }
        let save = try ConflictedSave(conflict, in: index, by: rules)
        if let save, let present = ConflictedSave.open(bytes, at: conflict.path),
            let open = try? save.openConflicts(in: present), !open.isEmpty
        {
            let lines = ConflictLines(save.merge, in: conflict.path)
            for line in open.prefix(Self.maxLines).flatMap(lines.lines) { invocation.printError(line) }
            reportRest(of: open.count, in: conflict.path)
            return true
        }
        if let comments = try? save?.lostComments(from: bytes), !comments.isEmpty {
            for comment in comments.prefix(Self.maxLines) { invocation.printError(comment.shown(as: "conflict")) }
            reportRest(of: comments.count, in: conflict.path)
            return true
        }
        // Without a merge driver, git leaves our version.
        guard let ours = conflict.objects[2], try index.bytes(of: ours) == bytes else { return false }
        report("has only our changes, because git did not merge it", of: conflict.path)
        return true
    }

    /// Whether the staged file is the version of the only side that has one. Prints the conflict.
    private func hidesDeletion(_ conflict: GitIndex.Conflict) throws(SystemError) -> Bool {
        guard let side = conflict.objects[2] ?? conflict.objects[3], try index.isStaged(side, at: conflict.path) else {
            return false
        }
        let (one, other) = conflict.objects[2] == nil ? ("theirs", "ours") : ("ours", "theirs")
        report(
            conflict.objects[1] == nil
                ? "conflict: only \(one) has a file of this name"
                : "conflict: \(one) changed this file, \(other) deleted it",
            of: conflict.path)
        return true
    }

    private func reportRest(of count: Int, in path: String) {
        guard count > Self.maxLines else { return }
        report("… and " + Phrase.count(count - Self.maxLines, "more conflict"), of: path)
    }

    private static let maxLines = 20
}
