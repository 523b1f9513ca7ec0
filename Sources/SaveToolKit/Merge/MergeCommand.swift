import KeyedArchives
import SaveCodec
import SaveOperations

/// The command `savetool merge`, which merges two changed copies of a save.
enum MergeCommand {
    static let command = Command(
        name: "merge", summary: "merge two changed copies of a save",
        operands: [.file("BASE").optional, .file("OURS"), .file("THEIRS")],
        examples: [
            "merge the changes since a common ancestor":
                "savetool merge base.json phone.json tablet.json --rule higher -o merged.json",
            "without a common ancestor, with rules":
                "savetool merge --base none phone.json tablet.json --rule max --rule /unlocked=union",
            "ask about conflicts": "savetool merge --ask base.json phone.json tablet.json -o merged.json",
        ],
        discussion: """
            Starts from OURS and adds the changes that THEIRS made since BASE, their common ancestor. Property
            lists are merged by value, archives by object. A value that both changed differently, or that one changed
            and the other removed, is a conflict. Conflicts are listed, and nothing is written, unless rules
            settle them.

            --rule PATTERN=RULE applies at and below the pattern, --rule RULE everywhere; the last match wins.
            savetool help merging explains rules, --base none and text files; --help-all explains --ask and
            --resume.

            The result has the format, style and types of OURS; values from THEIRS keep their own types.
            --in-place writes to OURS.
            """,
        details: """
            --ask asks about each open conflict: ours, theirs, skip or quit, and for comments also both. With "all",
            an answer applies to all remaining conflicts. Answers are lines on standard input; no file is locked
            meanwhile. After skip or quit, the answers are written, conflicts without an answer keep ours, and the
            exit status is 1. Without answers, or after Ctrl-C, nothing is written. --resume continues with the
            --output file of an earlier run, or of a merge with --git: changes in it stay, and only conflicts that
            still have ours are asked. A file with git's markers is merged again; any other unreadable file is left
            alone.

            --git takes the operands of a git merge driver (%O %A %B %P), see git-setup; files in git have no
            dates. The result is written, with our side at conflicts, and each conflict is listed with the
            command that keeps ours and the one that takes theirs. Run them from the last conflict to the
            first, in the folder in which git was run. A JSON Schema describes the --conflicts file,
            which is written even without conflicts and with --dry-run.
            """,
        exitStatus: [.done: "merged", .negative: "conflicts", .cannot: "error"],
        options: [.rule, .base, .identity, .unordered, .conflicts, .ask, .resume, .mergeDriver],
        writing: .toOutput, foreignSpellings: ["-r": "--rule"],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try MergePlan(arguments)
        try plan.checkConflicts(invocation)
        if plan.asks {
            return try invocation.withoutLock(plan.edit.written) {
                guard let saves = try plan.saves(invocation) else { return .cannot }
                return try InteractiveMerge(of: saves, by: plan, invocation).run()
            }
        }
        return try invocation.whileEditing(plan.edit.written, reading: plan.files) {
            guard let saves = try plan.saves(invocation) else { return try plan.mergeUnreadable(invocation) }
            return try invocation.inFile(saves.ours.name) { try merge(saves, by: plan, invocation) }
        }
    }

    private static func merge(
        _ saves: MergeSources, by plan: MergePlan, _ invocation: Invocation
    ) throws -> ExitStatus {
        let name = saves.ours.name
        let options = try plan.options(for: saves.files, invocation)
        let merge = try invocation.during("merging into", name) { try saves.merge(options) }
        let count = Phrase.count(merge.conflictCount, "conflict")
        guard merge.conflicts.isEmpty || plan.isGit else {
            try plan.writeConflicts(ConflictJSONRenderer(merge, [], of: saves), invocation)
            ConflictLines(merge, in: name).print(invocation)
            invocation.printError(
                "\(Invocation.shownName(name)): \(count), nothing written; settle with \(Option.rule.shown) or "
                    + "\(Option.ask.shown)")
            return .negative
        }
        ConflictLines.printOverruled(in: merge, of: name, invocation)
        let result = try saves.result(of: merge)
        let lost = try saves.lostComments(in: result)
        let isRebase =
            plan.isGit && (!merge.conflicts.isEmpty || !lost.isEmpty) && GitIndex.isRebasing(in: invocation.folder)
        let advice = (isRebase ? GitIndex.oursInRebase + "; " : "") + "resolve with \(GitSetup.mergetoolCommand)"
        try plan.writeConflicts(
            ConflictJSONRenderer(merge, plan.edit.allowsLoss ? [] : lost, of: saves), invocation)
        if !merge.conflicts.isEmpty {
            let commands = ConflictCommands(merge, for: name, from: invocation.environment["GIT_PREFIX"] ?? "")
            ConflictLines(merge, in: name, settledBy: commands).print(invocation)
            invocation.printError(
                "\(Invocation.shownName(name)): \(count): kept ours, merged the rest; \(advice)")
        }
        let isAccepted = invocation.accepts(
            lost, in: name, isAllowed: plan.edit.allowsLoss,
            advice: plan.isGit ? "; " + advice : nil)
        guard isAccepted || plan.isGit else { return .negative }
        let hasConflict = !merge.conflicts.isEmpty || !isAccepted
        if hasConflict, plan.isGit {
            try? GitIndex(from: invocation.folder)?.forgetResolutions(of: plan.files.suffix(2), invocation)
        }
        let status = try plan.edit.deliver(result.save, with: result.edited, of: result.file, invocation)
        return max(status, hasConflict ? .negative : .done)
    }
}

extension Option {
    static let rule = Option(
        "rule", value: "[PATTERN=]RULE", is: .choice(MergeRule.names),
        isRepeatable: true, for: .conflicts, help: "settle conflicts: " + UsageError.list(MergeRule.names))
    static let mergeDriver = Option("git", for: .input, help: "take the operands of a git merge driver")
    static let ask = Option("ask", for: .conflicts, help: "ask about each conflict that no rule settles")
    static let resume = Option("resume", for: .conflicts, help: "with --ask: continue the merge in the --output file")
    static let conflicts = Option(
        "conflicts", name: "FILE", for: .conflicts, help: "write the conflicts to FILE as JSON")
    static let base = Option("base", name: "FILE", for: .input, help: "the common ancestor, or none")
}
