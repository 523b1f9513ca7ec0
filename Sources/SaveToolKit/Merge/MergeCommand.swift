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
            the last that matches. In a PATTERN, an address, * stands for one step and ** for any number.

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
            a JSON Schema describes; also if there are none, and with --dry-run. With --git, the operands
            are those of a merge driver of git (%O %A %B %P), see git-setup; files in git have no dates.

            Exit status: 0 merged, 1 conflicts, 2 they could not be merged.
            """,
        options: [.rule, .base, .identity, .unordered, .conflicts, .git] + EditPlan.options,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try MergePlan(arguments)
        try plan.checkConflicts(invocation)
        return try invocation.whileEditing(plan.edit.written, reading: plan.files) { try merge(plan, invocation) }
    }

    private static func merge(_ plan: MergePlan, _ invocation: Invocation) throws -> ExitStatus {
        var saves: [SaveFile] = []
        let status = try plan.read(invocation) { saves.append($0) }
        guard status == .done, let theirs = saves.popLast(), let ours = saves.popLast() else { return .cannot }
        return try invocation.inFile(ours.name) {
            let merge = try ThreeWayMerge(
                base: saves.first?.view, ours: ours.view, theirs: theirs.view,
                try plan.options(for: saves + [ours, theirs], invocation), limits: ours.limits)
            func writeConflicts(_ comments: [LostComment] = []) throws {
                try plan.writeConflicts(
                    ConflictJSONRenderer(merge, comments, base: saves.first, ours: ours, theirs: theirs), invocation)
            }
            guard merge.conflicts.isEmpty else {
                try writeConflicts()
                ConflictLines(merge, in: ours.name).print(invocation)
                return .negative
            }
            var draft = Draft(merge.ours)
            try draft.apply(merge)
            let edited = draft.isUnchanged ? nil : try draft.finish(limits: ours.limits)
            let text = TextMerge(base: saves.first, ours: ours, theirs: theirs, plan.edit.reading)
            let result = try text.result(edited)
            let lost = try text.lostComments(in: result)
            try writeConflicts(plan.edit.allowsLoss ? [] : lost)
            guard invocation.accepts(lost, in: ours.name, isAllowed: plan.edit.allowsLoss) else { return .negative }
            return try plan.edit.deliver(result, edited, of: ours, invocation)
        }
    }
}

/// What the arguments of `savetool merge` ask for.
private final class MergePlan {
    /// What both come from; nil if that is not known.
    private let base: String?
    private let ours: String
    private let theirs: String
    /// The path of the file in the repository, if git is the caller.
    private let path: String?
    private let rules: [MergeOptions.LocalRule]
    private let identities: [DifferenceOptions.Identity]
    private let unordered: [PointerPattern]
    /// Where the conflicts are written to; nil if they are not.
    private let conflicts: String?
    let edit: EditPlan

    init(_ arguments: Arguments) throws(UsageError) {
        var files = arguments.operands
        let isGit = arguments.has(.git)
        if isGit {
            if arguments.has(.base) { throw .conflict(.git, .base) }
            guard files.count == 4 else {
                throw .operandCount(files.count, expected: "those of a merge driver: BASE OURS THEIRS PATH")
            }
        } else if let base = arguments.value(of: .base) {
            guard files.count == 2 else {
                throw .operandCount(files.count, expected: "OURS and THEIRS besides \(Option.base.shown)")
            }
            files.insert(base, at: 0)
        }
        guard files.count == (isGit ? 4 : 3) else {
            throw .operandCount(files.count, expected: "BASE OURS THEIRS, or \(Option.base.shown) none")
        }
        guard files.count(where: { $0 == "-" }) < 2 else { throw .inputTwice }
        path = isGit ? files.removeLast() : nil
        base = !isGit && arguments.value(of: .base) == "none" ? nil : files[0]
        ours = files[1]
        theirs = files[2]
        rules = try arguments.mergeRules()
        identities = try arguments.identities()
        unordered = try arguments.patterns(of: .unordered)
        edit = try EditPlan(ours, arguments, isInPlace: isGit)
        conflicts = arguments.value(of: .conflicts).map { $0 == "/dev/stdout" ? "-" : $0 }
        if conflicts == "-", edit.output == nil || edit.isDryRun {
            throw .badValue("-", .conflicts, expected: "a file, as standard output is for the result")
        }
    }

    /// The files that are read.
    var files: [String] { [base, ours, theirs].compactMap(\.self) }

    /// Reads the files that there are: the base, ours and theirs.
    func read(_ invocation: Invocation, _ body: (SaveFile) -> Void) throws -> ExitStatus {
        var files: [(name: String, title: String)] = [(ours, path ?? ours), (theirs, path ?? theirs)]
        if let base, try !isAbsent(base, invocation) { files.insert((base, path ?? base), at: 0) }
        var status = ExitStatus.done
        for file in files {
            let read = try invocation.forEachFile([file.title]) { _ in
                body(try SaveFile(reading: file.name, titled: file.title, edit.reading, invocation))
                return .done
            }
            status = max(status, read)
        }
        return status
    }

    /// Whether git has no base: of a file that both sides added it gives an empty one.
    private func isAbsent(_ base: String, _ invocation: Invocation) throws -> Bool {
        try path != nil && invocation.read(base).isEmpty
    }

    /// Writes the conflicts to where they are wanted, if they are.
    func writeConflicts(_ renderer: ConflictJSONRenderer, _ invocation: Invocation) throws {
        guard let conflicts else { return }
        if conflicts == "-" {
            try invocation.writeOutput { try renderer.render(to: &$0) }
        } else {
            try invocation.replace(conflicts) { try renderer.render(to: &$0) }
        }
    }

    /// Refuses to write the conflicts over what is merged, or where the result goes.
    func checkConflicts(_ invocation: Invocation) throws {
        guard let conflicts, conflicts != "-" else { return }
        let place = try FileSystem.status(invocation.path(conflicts))
        for name in [base, ours, theirs, edit.output].compactMap(\.self) where name != "-" {
            let other = try FileSystem.status(invocation.path(name))
            let isSame = place.flatMap { other?.isSameFile(as: $0) } ?? false
            guard isSame || FileName.areSame(name, conflicts) else { continue }
            throw UsageError.badValue(conflicts, .conflicts, expected: "another file than those that are merged")
        }
    }

    /// The options of a merge of some files, of which the last two are ours and theirs.
    func options(for files: [SaveFile], _ invocation: Invocation) throws -> MergeOptions {
        var options = MergeOptions()
        options.rules = rules
        options.identities = identities
        options.unordered = unordered
        options.fitsNumbers = files.contains { $0.format != files.last?.format }
        if path == nil, let ours = try date(ours, invocation), let theirs = try date(theirs, invocation) {
            options.dates = (ours, theirs)
        }
        return options
    }

    /// When a file was changed last; nil for what has no such date.
    private func date(_ name: String, _ invocation: Invocation) throws -> Double? {
        guard name != "-", let status = try FileSystem.status(invocation.path(name)), status.kind == .regular else {
            return nil
        }
        return status.modified
    }
}

extension Arguments {
    /// The rules that are given, in their order.
    func mergeRules() throws(UsageError) -> [MergeOptions.LocalRule] {
        var rules: [MergeOptions.LocalRule] = []
        for text in values(of: .rule) { rules.append(try Self.mergeRule(text)) }
        return rules
    }

    /// `PATTERN=RULE`, or a rule alone. Both may have other equals signs: `/level=newest:/saves/=5`.
    private static func mergeRule(_ text: String) throws(UsageError) -> MergeOptions.LocalRule {
        if let rule = MergeRule(text) { return MergeOptions.LocalRule(try pattern("", of: .rule), rule) }
        for sign in text.utf8.indices.reversed() where text.utf8[sign] == UInt8(ascii: "=") {
            guard let rule = MergeRule(String(text[text.utf8.index(after: sign)...])) else { continue }
            return MergeOptions.LocalRule(try pattern(String(text[..<sign]), of: .rule), rule)
        }
        throw .badValue(
            text, .rule,
            expected: "ours, theirs, newest, max, min, sum-of-changes, union or fail, such as /gems=sum-of-changes")
    }
}

extension Option {
    static let rule = Option(
        "rule", "r", value: "[PATTERN=]RULE",
        help: "settle conflicts: ours, theirs, newest, max, min,\nsum-of-changes, union or fail")
    fileprivate static let git = Option("git", help: "take the operands of a merge driver of git")
    fileprivate static let conflicts = Option("conflicts", value: "FILE", help: "write the conflicts to FILE, as JSON")
    fileprivate static let base = Option("base", value: "FILE", help: "the file that both come from, or none")
}
