import SaveCodec
import SaveOperations

/// What the arguments of `savetool merge` ask for.
final class MergePlan {
    /// What both come from; nil if that is not known.
    private let base: String?
    let ours: String
    private let theirs: String
    /// The path of the file in the repository, if git is the caller.
    private let path: String?
    /// What messages call all of the files; nil for the name of each.
    private let title: String?
    /// Whether a person settles the conflicts, one by one.
    let asks: Bool
    /// The file that an earlier merge has left and this one goes on with; nil for none.
    let resumed: String?
    private let rules: [MergeOptions.LocalRule]
    private let identities: [DifferenceOptions.Identity]
    private let unordered: [PointerPattern]
    /// Where the conflicts are written to; nil if they are not.
    private let conflicts: String?
    let edit: EditPlan

    /// Whether the result is written although there are conflicts: git has asked for it, and knows of them.
    var isGit: Bool { path != nil }

    init(_ arguments: Arguments) throws(UsageError) {
        var files = arguments.operands
        let isGit = arguments.has(.mergeDriver)
        if isGit {
            // What git runs by its settings runs no other program.
            for option in [Option.base, .filterIn, .filterOut] where arguments.has(option) {
                throw .conflict(.mergeDriver, option)
            }
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
        // Git shows the changes of a merge itself.
        if isGit { edit.reportsChanges = false }
        if arguments.has(.resume), !asks { throw .needsOneOf(.resume, [.ask]) }
        resumed = arguments.has(.resume) ? edit.output : nil
        if arguments.has(.resume), arguments.outputPath == nil { throw .needsOneOf(.resume, [.output]) }
        title = path ?? (asks ? arguments.outputPath : nil)
        conflicts = arguments.value(of: .conflicts).map { $0 == "/dev/stdout" ? "-" : $0 }
        if conflicts == "-", edit.output == nil || edit.isDryRun {
            throw .badValue("-", .conflicts, expected: "a file, as standard output is for the result")
        }
    }

    /// The files that are read.
    var files: [String] { [base, ours, theirs].compactMap(\.self) }

    /// Reads the files. Nil if one of them cannot be read, which is said.
    func saves(_ invocation: Invocation) throws -> MergedSaves? {
        var files = [ours, theirs]
        if let base, try !isAbsent(base, invocation) { files.insert(base, at: 0) }
        var saves: [SaveFile] = []
        var status = ExitStatus.done
        for file in files {
            let read = try invocation.forEachFile([title ?? file]) { title in
                saves.append(try SaveFile(reading: file, titled: title, edit.reading, invocation))
                return .done
            }
            status = max(status, read)
        }
        guard status == .done, let theirs = saves.popLast(), let ours = saves.popLast() else { return nil }
        return MergedSaves(base: saves.first, ours: ours, theirs: theirs)
    }

    /// Whether git has no base: of a file that both sides added it gives an empty one.
    private func isAbsent(_ base: String, _ invocation: Invocation) throws -> Bool {
        try title != nil && invocation.read(base).isEmpty
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

    /// Whether a merge that has left conflicts could be done again with what it has written: what adds up what both sides
    /// did would do so twice, and the file that was changed last would be that.
    func isRepeatable(_ invocation: Invocation) -> Bool {
        guard let output = edit.written, invocation.isOne(output, of: [ours]) else { return true }
        return !rules.contains { $0.rule == .sumOfChanges || $0.rule == .newest(.file) }
    }

    /// The options of a merge of some files, of which the last two are ours and theirs. Warns of patterns that match
    /// nothing.
    func options(for files: [SaveFile], _ invocation: Invocation) throws -> MergeOptions {
        var options = MergeOptions()
        options.runner = Process.runner
        options.rules = rules
        options.identities = identities
        options.unordered = unordered
        options.fitsNumbers = files.contains { $0.format != files.last?.format }
        if path == nil, let ours = try date(ours, invocation), let theirs = try date(theirs, invocation) {
            options.dates = (ours, theirs)
        }
        // The rules that git has are for many files.
        if !isGit, resumed == nil { try UnmatchedPatterns(options, in: files.map(\.view)).report(invocation) }
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
        let names = MergeRule.names
        throw .badValue(
            text, .rule,
            expected: UsageError.list(names) + ", such as /gems=sum-of-changes"
                + Suggestion.sentence(Suggestion.nearest(to: split(text)?.1 ?? text, in: names)))
    }
}
