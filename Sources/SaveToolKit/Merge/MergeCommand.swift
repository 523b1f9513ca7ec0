import KeyedArchives
import SaveCodec
import SaveOperations

/// The command `savetool merge`, which merges two changed copies of a save.
enum MergeCommand {
    static let command = Command(
        name: "merge", summary: "bring together two changed copies of a file",
        operands: [.file("BASE").optional, .file("OURS"), .file("THEIRS")],
        examples: [
            "both sides' changes since the common file":
                "savetool merge base.json phone.json tablet.json --rule higher -o merged.json",
            "without a common file, settled by rules":
                "savetool merge --base none phone.json tablet.json --rule max --rule /unlocked=union",
            "ask what to do at conflicts": "savetool merge --ask base.json phone.json tablet.json -o merged.json",
        ],
        discussion: """
            Takes OURS and brings in what THEIRS changed since BASE, the file that both come from: value by
            value, an archive object by object, elements of arrays aligned as diff does it. What both
            changed, or one changed and the other removed, is a conflict, unless both did the same; new
            dictionaries, and new objects of one class, that both have under one key are merged in turn.
            Elements that both inserted at one place stand there one after the other, those of OURS first;
            an element that both moved stands where OURS has it.

            Conflicts are listed with all three values, and nothing is written, unless a rule settles them:

                ours, theirs   what that side has
                higher, lower  the greater or lesser of two numbers or dates
                newest         what the side has whose file was changed last; newest:/ADDRESS, whose date
                               or number there is greater; newest:KEY, under that key of the value or else
                               of what is nearest around it. If neither is newer, the conflict stays
                fail           nothing: an exception from a wider rule

            These hold wherever the sides differ, even if only one of them changed something:

                max, min       the greater or lesser number or date: a level that may never fall. With max,
                               a number that one side removed from a dictionary or an object stays
                union          all that either has: the elements of OURS, and those of THEIRS that are not
                               among them; nothing is removed. Numbers and strings under a key can still
                               be in conflict

            So max undoes what one side alone lowered, and a line says where: for what may fall, such as
            health, take higher. And one adds up what both did, even if that is the same:

                sum-of-changes  the number of BASE, or 0, and what both added to it: gems, coins

            --rule PATTERN=RULE holds where the pattern matches and below, --rule RULE everywhere; of several
            the last that matches. In a PATTERN, an address, * stands for one step and ** for any number;
            one that matches nothing in any of the files is warned of.

            With --base none there are only OURS and THEIRS, as for a key–value store: what only one has is
            kept, and what both have and is not the same is merged in turn if it is a dictionary or an
            object, and a conflict for the rules if not.

            The lines of text files are merged, too, as git does it; if what comes out reads as the merge of
            the values, it is the result, with the comments and spellings of both. Else OURS is edited, or
            the merged lines are, what is new with the text that it has in THEIRS; a comment, or digits that
            no value holds, with no place in the result is a conflict, unless --allow-loss.

            The result has the format and the style of OURS, and the types, but for what only THEIRS has or
            changed; --in-place writes it to OURS. What is not touched keeps its bytes. --conflicts FILE writes the conflicts as JSON, which
            a JSON Schema describes; also if there are none, and with --dry-run.

            --ask asks for each conflict that no rule settles: ours, theirs, skip or quit, or with "all"
            behind it for the rest, too. Comments that have no place are asked for as well, those in the same
            lines together: also with both, and only with what can be done. The answers are lines on standard
            input; while they are given, no file is locked. Where conflicts are skipped, or at quit, the
            answers to the others are written, with ours at what is open, and the exit status is 1; if
            nothing was answered, or at Ctrl-C, nothing is written. With --resume, the file of --output, if
            there is one, is what an earlier run or --git has left: what has been changed in it since stays,
            and only conflicts where it still has ours are asked for. A file with git's markers is merged
            anew; any other that does not read is left.

            With --git, the operands are those of a merge driver of git (%O %A %B %P), see git-setup; files
            in git have no dates. The result is written, with ours at the conflicts; each is told with the
            command that keeps ours there, and the one that takes theirs, for the file as it is: they hold
            from the last conflict to the first, in the folder that git was run in.

            \(EditedText.rewriting)
            """,
        exitStatus: [.done: "merged", .negative: "conflicts", .cannot: "they could not be merged"],
        options: [.rule, .base, .identity, .unordered, .conflicts, .ask, .resume, .mergeDriver],
        writing: .toOutput, habits: ["-r": "--rule"],
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
            guard let saves = try plan.saves(invocation) else { return .cannot }
            return try invocation.inFile(saves.ours.name) { try merge(saves, by: plan, invocation) }
        }
    }

    private static func merge(
        _ saves: MergedSaves, by plan: MergePlan, _ invocation: Invocation
    ) throws -> ExitStatus {
        let name = saves.ours.name
        let options = try plan.options(for: saves.files, invocation)
        let merge = try invocation.during("merging into", name) { try saves.merge(options) }
        let count = Counted.of(merge.allConflicts.count, "conflict")
        guard merge.conflicts.isEmpty || plan.isGit else {
            try plan.writeConflicts(ConflictJSONRenderer(merge, [], of: saves), invocation)
            ConflictLines(merge, in: name).print(invocation)
            invocation.printError(
                "\(Invocation.shownName(name)): \(count), nothing written; \(Option.rule.shown) settles them, "
                    + "\(Option.ask.shown) asks")
            return .negative
        }
        ConflictLines.printOverruled(in: merge, of: name, invocation)
        let result = try saves.result(of: merge)
        let lost = try saves.lostComments(in: result)
        try plan.writeConflicts(
            ConflictJSONRenderer(merge, plan.edit.allowsLoss ? [] : lost, of: saves), invocation)
        if !merge.conflicts.isEmpty {
            let commands = ConflictCommands(merge, for: name, from: invocation.environment["GIT_PREFIX"] ?? "")
            ConflictLines(merge, in: name, settledBy: commands).print(invocation)
            invocation.printError(
                "\(Invocation.shownName(name)): \(count); the file has ours there, and all else merged; "
                    + "\(GitSetup.question) asks one by one")
        }
        let isAccepted = invocation.accepts(
            lost, in: name, isAllowed: plan.edit.allowsLoss,
            advice: plan.isGit ? "; \(GitSetup.question) asks one by one" : nil)
        guard isAccepted || plan.isGit else { return .negative }
        let status = try plan.edit.deliver(result.save, result.edited, of: result.file, invocation)
        return max(status, merge.conflicts.isEmpty && isAccepted ? .done : .negative)
    }
}

extension Option {
    static let rule = Option(
        "rule", value: "[PATTERN=]RULE", is: .choice(MergeRule.names),
        isRepeatable: true, for: .conflicts, help: "settle conflicts: " + UsageError.list(MergeRule.names))
    static let mergeDriver = Option("git", for: .input, help: "take the operands of a merge driver of git")
    static let ask = Option("ask", for: .conflicts, help: "ask how to settle each conflict that no rule settles")
    static let resume = Option("resume", for: .conflicts, help: "with --ask, go on with what the file of --output has")
    static let conflicts = Option(
        "conflicts", name: "FILE", for: .conflicts, help: "write the conflicts to FILE, as JSON")
    static let base = Option("base", name: "FILE", for: .input, help: "the file that both come from, or none")
}
