import KeyedArchives
import SaveCodec
import SaveOperations

/// The validated arguments of `savetool merge`.
final class MergePlan {
    /// The common base; nil if it is unknown.
    private let base: String?
    let ours: String
    private let theirs: String
    /// The path of the file in the repository, if git is the caller.
    private let path: String?
    /// The name of all files in messages; nil to use the name of each file.
    private let title: String?
    /// Whether the user resolves each conflict.
    let asks: Bool
    /// The output of an earlier merge, which this one continues; nil for none.
    let resumed: String?
    private let rules: [MergeOptions.LocalRule]
    private let identities: [DifferenceOptions.Identity]
    private let unordered: [PointerPattern]
    /// The file to which conflicts are written as JSON; nil for none.
    private let conflicts: String?
    let edit: EditPlan

    /// Whether git called the command. The result is then written despite conflicts, which git knows from the exit
    /// status.
    var isGit: Bool { path != nil }

    init(_ arguments: Arguments) throws(UsageError) {
        var files = arguments.operands
        let isGit = arguments.has(.mergeDriver)
        if isGit {
            // A merge driver in git's settings must not make savetool run other programs.
            for option in [Option.base, .filterIn, .filterOut] where arguments.has(option) {
                throw .conflict(.mergeDriver, option)
            }
            guard files.count == 4 else {
                throw .operandCount(files.count, expected: "the operands of a merge driver: BASE OURS THEIRS PATH")
            }
        } else if let base = arguments.value(of: .base) {
            guard files.count == 2 else {
                throw .operandCount(files.count, expected: "OURS and THEIRS with \(Option.base.shown)")
            }
            files.insert(base, at: 0)
        }
        guard files.count == (isGit ? 4 : 3) else {
            throw .operandCount(files.count, expected: "BASE OURS THEIRS, or \(Option.base.shown) none")
        }
        asks = arguments.has(.ask)
        if asks, isGit { throw .conflict(.ask, .mergeDriver) }
        guard files.count(where: { $0 == "-" }) < (asks ? 1 : 2) else { throw .inputTwice }
        path = isGit ? files.removeLast() : nil
        base = !isGit && arguments.value(of: .base) == "none" ? nil : files[0]
        ours = files[1]
        theirs = files[2]
        rules = try arguments.mergeRules()
        identities = try arguments.identities()
        unordered = try arguments.patterns(of: .unordered)
        edit = try EditPlan(ours, arguments, isInPlace: isGit)
        // Git reports the changes of a merge itself.
        if isGit { edit.report.listsChanges = false }
        if arguments.has(.resume), !asks { throw .needsOneOf(.resume, [.ask]) }
        resumed = arguments.has(.resume) ? edit.output : nil
        if arguments.has(.resume), arguments.outputPath == nil { throw .needsOneOf(.resume, [.output]) }
        title = path ?? (asks ? arguments.outputPath : nil)
        conflicts = arguments.value(of: .conflicts).map { $0 == "/dev/stdout" ? "-" : $0 }
        if conflicts == "-", edit.output == nil || edit.isDryRun {
            throw .badValue("-", .conflicts, expected: "a file, because the result goes to standard output")
        }
    }

    var files: [String] { [base, ours, theirs].compactMap(\.self) }

    /// Reads the files. Returns nil after printing an error if one of them cannot be read.
    func saves(_ invocation: Invocation) throws -> MergeSources? {
        var files = [ours, theirs]
        if let base, try !isAbsent(base, invocation) { files.insert(base, at: 0) }
        var saves: [SaveFile] = []
        var status = ExitStatus.done
        for file in files {
            let read = try invocation.forEachFile([title ?? file]) { title in
                let save = try SaveFile(reading: file, titled: title, edit.reading, invocation)
                saves.append(save)
                // Damage would be taken for a change.
                let isBase = files.count == 3 && saves.count == 1
                let refusal =
                    "not merged: it may be damaged; use savetool salvage first"
                    + (isGit ? "" : ", or \(Option.allowLoss.shown) to merge it anyway")
                let isSound =
                    isBase
                    || edit.acceptsDamage(
                        in: save, besides: files.count == 3 ? saves[0] : nil, else: refusal, invocation)
                return isSound ? .done : .cannot
            }
            status = max(status, read)
            if read != .done, let title {
                let side = file == theirs ? "theirs" : file == ours ? "ours" : "the base"
                invocation.printError("\(Invocation.shownName(title)): this is the version of \(side)")
            }
        }
        guard status == .done, let theirs = saves.popLast(), let ours = saves.popLast() else { return nil }
        return MergeSources(base: saves.first, ours: ours, theirs: theirs)
    }

    /// Merges the versions by lines, or keeps ours, if git is the caller and one version cannot be read.
    func mergeUnreadable(_ invocation: Invocation) throws -> ExitStatus {
        guard let path, let base else { return .cannot }
        if let lines = try GitLineMerge(base: base, ours: ours, theirs: theirs, at: path, invocation) {
            return try lines.deliver(by: self, at: path, invocation) ? .done : .negative
        }
        let theirs = GitLineMerge.command("checkout --theirs", on: path, invocation)
        invocation.printError(
            "\(Invocation.shownName(path)): kept ours; \(theirs) takes theirs, and then "
                + "\(GitLineMerge.command("add", on: path, invocation)) ends the conflict")
        return .cannot
    }

    /// Whether the base is missing. Git passes an empty file as the base of a file that both sides added.
    private func isAbsent(_ base: String, _ invocation: Invocation) throws -> Bool {
        try title != nil && invocation.read(base).isEmpty
    }

    func writeConflicts(_ renderer: ConflictJSONRenderer, _ invocation: Invocation) throws {
        guard let conflicts else { return }
        if conflicts == "-" {
            try invocation.writeOutput { try renderer.render(to: &$0) }
        } else {
            try invocation.replace(conflicts) { try renderer.render(to: &$0) }
        }
    }

    /// Checks that the file for the conflicts is neither an input nor the result.
    func checkConflicts(_ invocation: Invocation) throws {
        guard let conflicts, conflicts != "-" else { return }
        let status = try FileSystem.status(invocation.path(conflicts))
        for name in [base, ours, theirs, edit.output].compactMap(\.self) where name != "-" {
            let other = try FileSystem.status(invocation.path(name))
            let isSame = status.flatMap { other?.isSameFile(as: $0) } ?? false
            guard isSame || FileName.areSame(name, conflicts) else { continue }
            throw UsageError.badValue(conflicts, .conflicts, expected: "a file other than the merged ones")
        }
    }

    /// Whether the merge can be repeated with its own result as ours. `sum-of-changes` would add the changes twice, and
    /// for `newest` the result would be the newest file.
    func isRepeatable(_ invocation: Invocation) -> Bool {
        guard let output = edit.written, invocation.isOne(output, of: [ours]) else { return true }
        return !rules.contains { $0.rule == .sumOfChanges || $0.rule == .newest(.file) }
    }

    /// Returns the options for merging files, whose last two are ours and theirs. Warns about patterns without matches.
    func options(for files: [SaveFile], _ invocation: Invocation) throws -> MergeOptions {
        var options = MergeOptions()
        options.runner = CurrentProcess.runner
        options.rules = rules
        options.identities = identities
        options.unordered = unordered
        options.comparesNumbersByValue = files.contains { $0.format != files.last?.format }
        if path == nil, let ours = try date(ours, invocation), let theirs = try date(theirs, invocation) {
            options.dates = (ours, theirs)
        }
        // The rules of a merge driver are written for many files, so they need not all match in this one.
        if !isGit, resumed == nil { try UnmatchedPatterns(options, in: files.map(\.view)).report(invocation) }
        return options
    }

    /// Returns the modification time of a file; nil for standard input and other inputs without one.
    private func date(_ name: String, _ invocation: Invocation) throws -> Double? {
        guard name != "-", let status = try FileSystem.status(invocation.path(name)), status.kind == .regular else {
            return nil
        }
        return status.modified
    }
}

extension Arguments {
    func mergeRules() throws(UsageError) -> [MergeOptions.LocalRule] {
        try values(of: .rule).map { text throws(UsageError) in try Self.mergeRule(text) }
    }

    /// Parses `PATTERN=RULE`, or a rule alone. Both parts may contain further equal signs: `/level=newest:/saves/=5`.
    private static func mergeRule(_ text: String) throws(UsageError) -> MergeOptions.LocalRule {
        if let rule = MergeRule(text) { return MergeOptions.LocalRule(try pattern("", of: .rule), rule) }
        for sign in text.utf8.indices.reversed() where text.utf8[sign] == UInt8(ascii: "=") {
            guard let rule = MergeRule(String(text[text.utf8.index(after: sign)...])) else { continue }
            return MergeOptions.LocalRule(try pattern(String(text[..<sign]), of: .rule), rule)
        }
        let names = MergeRule.names
        throw .badValue(
            text, .rule,
            expected: UsageError.list(names) + ", such as /gems=sum-of-changes"
                + Suggestion.sentence(Suggestion.nearest(to: split(text)?.1 ?? text, in: names)))
    }
}

/// The two sides of a merge and their base, and the merge of their values and texts.
final class MergeSources {
    let base: SaveFile?
    let ours: SaveFile
    let theirs: SaveFile
    private let text: TextMerge

    init(base: SaveFile?, ours: SaveFile, theirs: SaveFile) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
        text = TextMerge(base: base, ours: ours, theirs: theirs)
    }

    /// The saves, beginning with the base if there is one.
    var files: [SaveFile] { [base, ours, theirs].compactMap(\.self) }

    func merge(_ options: MergeOptions) throws(Problem) -> ThreeWayMerge {
        try ThreeWayMerge(base: base?.view, ours: ours.view, theirs: theirs.view, options, limits: ours.limits)
    }

    /// Returns the result of a merge, with ours at open conflicts.
    ///
    /// - Parameter choices: The lines to use, by the index of a conflict of lines.
    func result(
        of merge: ThreeWayMerge, taking choices: [Int: LineMerge.Choice] = [:]
    ) throws(Problem) -> MergeResult {
        var draft = Draft(merge.ours)
        try draft.apply(merge)
        let edited = draft.isUnchanged ? nil : try draft.editedView(limits: ours.limits)
        return MergeResult(file: ours, edited: edited, save: try text.result(edited, taking: choices))
    }

    /// Returns the comments and numbers that are missing from a result, see ``LostComment``.
    func lostComments(in result: MergeResult) throws -> [LostComment] {
        try text.lostComments { () throws(Problem) in try result.bytes() }
    }

    /// Returns the missing comments and numbers, grouped by the answer that resolves them.
    func groups(of comments: [LostComment]) -> [LostCommentGroup] {
        text.groups(of: comments)
    }

    /// Returns the comments and numbers that are missing from a file; empty for a file in another format than ours.
    func lostComments(in file: SaveFile) throws -> [LostComment] {
        guard file.format == ours.format else { return [] }
        return try text.lostComments { file.save.bytes }
    }
}

struct MergeResult {
    /// The file whose format and style the result has.
    let file: SaveFile
    /// The merged values; nil if they equal the file's values.
    let edited: ObjectView?
    let save: EditedSave

    func bytes() throws(Problem) -> [UInt8] {
        try save.bytes()
    }

    func reopened() throws(Problem) -> SaveFile {
        try file.reopened(with: bytes())
    }
}
