import KeyedArchives
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
            changed. It goes to standard output unless an option says otherwise; --in-place writes it to
            OURS. What is not touched keeps its bytes. --conflicts FILE writes the conflicts as JSON, which
            a JSON Schema describes; also if there are none, and with --dry-run.

            --ask asks for each conflict that no rule settles: ours, theirs, skip or quit, or with "all"
            behind it for the rest, too. The answers are lines on standard input; while they are given, no
            file is locked. If one is skipped, nothing is written.

            With --git, the operands are those of a merge driver of git (%O %A %B %P), see git-setup; files
            in git have no dates. The result is written, with ours at the conflicts; each is told with the
            command that keeps ours there, and the one that takes theirs, for the file as it is: they hold
            from the last conflict to the first.

            \(EditedText.replacing)

            Exit status: 0 merged, 1 conflicts, 2 they could not be merged.
            """,
        options: [.rule, .base, .identity, .unordered, .conflicts, .ask, .mergeDriver] + EditPlan.options,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try MergePlan(arguments)
        try plan.checkConflicts(invocation)
        // While a person thinks, nobody else waits.
        if plan.asks { return try Merging(plan, invocation)?.run() ?? .cannot }
        return try invocation.whileEditing(plan.edit.written, reading: plan.files) {
            try Merging(plan, invocation)?.run() ?? .cannot
        }
    }
}

/// The way from the files of two sides, and of what they come from, to one.
private final class Merging {
    private let plan: MergePlan
    private let invocation: Invocation
    private let base: SaveFile?
    private let ours: SaveFile
    private let theirs: SaveFile

    /// Nil if one of the files cannot be read, which is said.
    init?(_ plan: MergePlan, _ invocation: Invocation) throws {
        self.plan = plan
        self.invocation = invocation
        var saves: [SaveFile] = []
        let status = try plan.read(invocation) { saves.append($0) }
        guard status == .done, let theirs = saves.popLast(), let ours = saves.popLast() else { return nil }
        (base, self.ours, self.theirs) = (saves.first, ours, theirs)
    }

    func run() throws -> ExitStatus {
        try invocation.inFile(ours.name) {
            let merge = try merge()
            guard merge.conflicts.isEmpty || plan.isGit else {
                try writeConflicts(of: merge)
                if !plan.asks { ConflictLines(merge, in: ours.name).print(invocation) }
                invocation.printError(
                    "\(Invocation.shownName(ours.name)): \(Counted.of(merge.conflicts.count, "conflict"))"
                        + "\(plan.asks ? " left" : ""), nothing written; \(Option.rule.shown) settles them")
                return .negative
            }
            return try deliver(merge)
        }
    }

    /// The merge, with the answers of a person where there are questions.
    private func merge() throws -> ThreeWayMerge {
        let files = [base, ours, theirs].compactMap(\.self)
        var options = try plan.options(for: files, invocation)
        // The rules that git has are for many files.
        if !plan.isGit { try UnmatchedPatterns(options, in: files.map(\.view)).report(invocation) }
        func merge() throws(Problem) -> ThreeWayMerge {
            try ThreeWayMerge(
                base: base?.view, ours: ours.view, theirs: theirs.view, options, limits: ours.limits)
        }
        let first = try merge()
        guard plan.asks, !first.conflicts.isEmpty else { return first }
        options.answers = try ConflictQuestions(first, in: ours.name, invocation).answers()
        return try merge()
    }

    private func deliver(_ merge: ThreeWayMerge) throws -> ExitStatus {
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        let edited = draft.isUnchanged ? nil : try draft.finish(limits: ours.limits)
        let text = TextMerge(base: base, ours: ours, theirs: theirs, plan.edit.reading)
        let result = try text.result(edited)
        let lost = try text.lostComments(in: result)
        try writeConflicts(of: merge, plan.edit.allowsLoss ? [] : lost)
        if !merge.conflicts.isEmpty {
            ConflictLines(merge, in: ours.name, settledBy: ConflictCommands(merge, for: ours.name)).print(invocation)
            invocation.printError(
                "\(Invocation.shownName(ours.name)): \(Counted.of(merge.conflicts.count, "conflict")); the file has "
                    + "ours there, and all else merged; git mergetool --tool savetool asks one by one")
        }
        let isAccepted = invocation.accepts(
            lost, in: ours.name, isAllowed: plan.edit.allowsLoss, isWritten: plan.isGit)
        guard isAccepted || plan.isGit else { return .negative }
        let status = try invocation.whileReplacing(plan.edit.written, since: ours.bytes, of: plan.ours) {
            try plan.edit.deliver(result, edited, of: ours, invocation)
        }
        return max(status, merge.conflicts.isEmpty && isAccepted ? .done : .negative)
    }

    private func writeConflicts(of merge: ThreeWayMerge, _ comments: [LostComment] = []) throws {
        try plan.writeConflicts(
            ConflictJSONRenderer(merge, comments, base: base, ours: ours, theirs: theirs), invocation)
    }
}

extension Option {
    static let rule = Option(
        "rule", "r", value: "[PATTERN=]RULE",
        help: "settle conflicts: ours, theirs, newest, max, min,\nsum-of-changes, union or fail")
    static let mergeDriver = Option("git", help: "take the operands of a merge driver of git")
    static let ask = Option("ask", help: "ask how to settle each conflict that no rule settles")
    static let conflicts = Option("conflicts", name: "FILE", help: "write the conflicts to FILE, as JSON")
    static let base = Option("base", name: "FILE", help: "the file that both come from, or none")
}
