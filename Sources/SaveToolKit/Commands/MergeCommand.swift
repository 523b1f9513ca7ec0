import KeyedArchive
import SaveCodec
import SaveOperations

/// `savetool merge`: brings together what two sides made of a save.
enum MergeCommand {
    static let command = Command(
        name: "merge", summary: "bring together two changed copies of a file", operands: "[BASE] OURS THEIRS",
        discussion: """
            Takes OURS and brings in what THEIRS changed since BASE, the file that both come from: value by
            value, an archive object by object, elements of arrays aligned as diff does it. What both
            changed, or one changed and the other removed, is a conflict, unless both did the same; new
            dictionaries, and new objects of one class, that both have under one key are merged in turn.
            Elements that both inserted at one place stand there one after the other, those of OURS first;
            an element that both moved stands where OURS has it.

            Conflicts are listed with all three values, and nothing is written, unless a rule settles them:

                ours, theirs   what that side has
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

            And one adds up what both did, even if that is the same:

                sum-of-changes the number of BASE, or 0, and what both added to it: gems, coins

            --rule PATTERN=RULE holds where the pattern matches and below, --rule RULE everywhere; of several
            the last that matches. In a PATTERN, an address, * stands for one step and ** for any number.

            With --base none there are only OURS and THEIRS, as for a key–value store: what only one has is
            kept, and what both have and is not the same is merged in turn if it is a dictionary or an
            object, and a conflict for the rules if not.

            The result has the format and the style of OURS, and the types, but for what only THEIRS has or
            changed. It goes to standard output unless an option says otherwise; --in-place writes it to
            OURS. What is not touched keeps its bytes. --conflicts FILE writes the conflicts as JSON, which
            a JSON Schema describes; also if there are none, and with --dry-run. With --git, the operands
            are those of a merge driver of git (%O %A %B %P), see git-setup; files in git have no dates.

            Exit status: 0 merged, 1 conflicts, 2 they could not be merged.
            """,
        options: [.rule, .base, .identity, .unordered, .conflicts, .mergeGit] + EditPlan.options,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try MergePlan(arguments)
        try plan.checkConflicts(invocation)
        var saves: [SaveFile] = []
        let status = try plan.read(invocation) { saves.append($0) }
        guard status == .done, let theirs = saves.popLast(), let ours = saves.popLast() else { return .cannot }
        return try invocation.forEachFile([ours.name]) { _ in
            let merge = try ThreeWayMerge(
                base: saves.first?.view, ours: ours.view, theirs: theirs.view,
                try plan.options(saves + [ours, theirs], invocation), limits: plan.edit.limits)
            try plan.writeConflicts(merge, base: saves.first, ours: ours, theirs: theirs, invocation)
            guard merge.conflicts.isEmpty else {
                ConflictLines(merge, in: ours.name).say(invocation)
                return .notThere
            }
            var draft = Draft(merge.ours)
            try draft.apply(merge)
            return try EditDelivery(file: ours, plan: plan.edit, invocation: invocation).deliver(draft)
        }
    }
}

extension Option {
    static let rule = Option(
        "rule", "r", value: "[PATTERN=]RULE",
        help: "settle conflicts: ours, theirs, newest, max, min,\nsum-of-changes, union or fail")
    static let mergeGit = Option("git", help: "take the operands of a merge driver of git")
    static let conflicts = Option("conflicts", value: "FILE", help: "write the conflicts to FILE, as JSON")
    static let base = Option("base", value: "FILE", help: "the file that both come from, or none")
}
