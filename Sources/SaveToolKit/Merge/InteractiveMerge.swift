import KeyedArchives
import SaveCodec
import SaveOperations

/// A merge in which the user resolves each conflict. Open conflicts keep the value from ours.
final class InteractiveMerge {
    private let saves: MergeSources
    private let plan: MergePlan
    private let invocation: Invocation
    private let questions: ConflictQuestions

    init(of saves: MergeSources, by plan: MergePlan, _ invocation: Invocation) {
        (self.saves, self.plan, self.invocation) = (saves, plan, invocation)
        let isRebase = plan.resumed != nil && GitIndex.isRebasing(in: invocation.folder)
        questions = ConflictQuestions(preface: isRebase ? "savetool: " + GitIndex.oursInRebase : nil, invocation)
    }

    func run() throws -> ExitStatus {
        try invocation.inFile(saves.ours.name) {
            var options = try plan.options(for: saves.files, invocation)
            let merge = try saves.merge(options)
            let pending = try plan.resumed.flatMap {
                try PendingMerge(in: $0, of: saves, merge, plan.edit.reading, invocation)
            }
            options.answers = try sides(of: merge, pending)
            let answered = try saves.merge(options)
            ConflictLines.printOverruled(in: answered, of: saves.ours.name, invocation)
            let (result, open) = try textResult(of: answered, pending)
            try plan.writeConflicts(ConflictJSONRenderer(answered, open, of: saves), invocation)
            let count = answered.conflicts.count + open.count
            guard count == 0 || questions.hasAnswers else { return leave(count, "nothing written") }
            guard count == 0 || plan.isRepeatable(invocation) else {
                return leave(
                    count,
                    "nothing written, because the rules would apply twice; "
                        + "use \(Option.output.shown) FILE to keep the answers"
                )
            }
            return try deliver(result, after: pending, options, openCount: count)
        }
    }

    // MARK: Questions

    /// Returns the chosen side of each conflict. Conflicts that were resolved by hand keep the value in the file.
    private func sides(of merge: ThreeWayMerge, _ pending: PendingMerge?) throws -> [MergeSide?] {
        let lines = ConflictLines(merge, in: saves.ours.name)
        var sides: [MergeSide?] = []
        var open: [Int] = []
        for (number, conflict) in merge.conflicts.enumerated() {
            let settlement = pending?.settlement(of: conflict)
            sides.append(settlement == nil ? nil : .ours)
            guard let settlement else {
                open.append(number)
                continue
            }
            if number - open.count < 1000 {
                for line in lines.lines(conflict) {
                    invocation.printError(line + "; already settled: the file has \(settlement)")
                }
            }
        }
        // Only the total in the questions depends on it.
        let later = open.isEmpty ? 0 : (try? commentCount(of: merge, pending)) ?? 0
        let answers = try questions.answers(open.count, before: later, from: { _ in [.ours, .theirs] }) {
            lines.lines(merge.conflicts[open[$0]])
        }
        for (number, answer) in zip(open, answers) { sides[number] = answer.map { $0 == .ours ? .ours : .theirs } }
        return sides
    }

    /// Returns the count of questions about comments that a merge without answers would ask.
    private func commentCount(of merge: ThreeWayMerge, _ pending: PendingMerge?) throws -> Int {
        guard saves.ours.format.has(.text), !plan.edit.allowsLoss else { return 0 }
        let lost = try saves.lostComments(in: saves.result(of: merge))
        return saves.groups(of: try pending?.missing(lost) ?? lost).count
    }

    /// Returns the merged result with the chosen lines, and the comments that are still missing from it.
    private func textResult(
        of merge: ThreeWayMerge, _ pending: PendingMerge?
    ) throws -> (result: MergeResult, open: [LostComment]) {
        let result = try saves.result(of: merge)
        let lost = try saves.lostComments(in: result)
        if plan.edit.allowsLoss {
            _ = invocation.accepts(lost, in: saves.ours.name, isAllowed: true, advice: nil)
            return (result, [])
        }
        let missing = try pending?.missing(lost) ?? lost
        guard !missing.isEmpty else { return (result, []) }
        let asked = InteractiveComments(missing, present: Set(lost).subtracting(missing), in: saves, of: merge)
        return try asked.settled(result, by: questions, invocation)
    }

    // MARK: Result

    private func deliver(
        _ answered: MergeResult, after pending: PendingMerge?, _ options: MergeOptions, openCount: Int
    ) throws -> ExitStatus {
        var result = answered
        var isAccepted = true
        var openCount = openCount
        if let pending {
            let (saves, merged, left) = try pending.result(with: answered, options)
            // Manual changes take precedence. Without rules, each answer that conflicts with one is reported.
            if options.rules.isEmpty {
                for line in left { invocation.printError(line + "; the value in the file is kept") }
                openCount += left.count
            }
            isAccepted = invocation.accepts(
                try saves.lostComments(in: merged), in: saves.ours.name, isAllowed: plan.edit.allowsLoss,
                advice: "")
            result = merged
        }
        let status = try invocation.whileReplacing {
            try plan.edit.deliver(result.save, with: result.edited, of: result.file, invocation)
        }
        guard openCount > 0 else {
            if status == .done, isAccepted { noteResolution() }
            return max(status, isAccepted ? .done : .negative)
        }
        return status == .done ? leave(openCount, "with ours in the file" + advice) : status
    }

    /// Notes in the repository that the user resolved all conflicts, so that `git-check` accepts our side at them. Does
    /// nothing except in `git mergetool`, which runs in the top folder of the repository.
    private func noteResolution() {
        guard let output = plan.edit.written, (try? FileSystem.status(invocation.path(".git"))) ?? nil != nil else {
            return
        }
        try? GitIndex(from: invocation.folder)?.noteResolution(at: output, invocation)
    }

    private var advice: String {
        guard let output = plan.edit.written else { return "" }
        let isResumed = plan.resumed != nil || invocation.isOne(output, of: [plan.ours])
        return isResumed ? "; run the command again to continue" : "; use \(Option.resume.shown) to continue"
    }

    private func leave(_ count: Int, _ outcome: String) -> ExitStatus {
        let name = Invocation.shownName(saves.ours.name)
        invocation.printError("\(name): \(Phrase.count(count, "conflict")) left open, \(outcome)")
        return .negative
    }
}

// MARK: Continuation

/// The continuation of an earlier merge, whose output has the value from ours at each conflict. The user may have
/// resolved some conflicts in that output by hand. The manual changes are merged with the new answers:
///
///     earlier output, no rules or answers ────── by hand ──────▶ present file ──┐
///        └───────── by rules and answers ────▶ answered ────────────────────────┴─▶ result
///
/// If a value was changed both by hand and by a rule or an answer, the present file wins.
final class PendingMerge {
    private let saves: MergeSources
    private let present: SaveFile
    private var settled: ResolvedConflicts
    private let abbreviator: ValueAbbreviator

    /// Returns nil if the file does not exist or has no manual changes, or, after printing a warning, if it has git's
    /// conflict markers.
    ///
    /// - Parameters:
    ///   - name: The output of the earlier merge.
    ///   - merge: The merge by the rules, without answers.
    /// - Throws: A problem if the file cannot be read and has no conflict markers.
    init?(
        in name: String, of saves: MergeSources, _ merge: ThreeWayMerge, _ reading: FileReadOptions,
        _ invocation: Invocation
    ) throws {
        guard try FileSystem.status(invocation.path(name))?.kind == .regular else { return nil }
        let merged = try saves.result(of: merge)
        let bytes = try invocation.read(name)
        do throws(Problem) {
            present = SaveFile(try reading.open(bytes), name: saves.ours.name)
        } catch {
            // A file that was edited by hand is kept even if it has a syntax error.
            guard Self.hasMarkers(bytes) else {
                throw Problem(
                    error.kind,
                    error.message + "; nothing written: correct the file, or run git checkout -m to merge again",
                    at: error.location, address: error.address)
            }
            invocation.printError(error, in: saves.ours.name, as: "warning")
            invocation.printError(
                "\(Invocation.shownName(saves.ours.name)): the file has git's conflict markers, so the merge "
                    + "starts again"
            )
            return nil
        }
        // Without a merge driver, git leaves the file as in ours.
        if try present.save.bytes == saves.ours.save.bytes || present.save.bytes == merged.bytes() { return nil }
        try ThreeWayMerge.checkKinds(saves.ours.view, present.view)
        self.saves = saves
        settled = ResolvedConflicts(merge, in: try merged.reopened().view, now: present.view)
        abbreviator = ValueAbbreviator(of: present.view)
    }

    private static func hasMarkers(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: 0x0A).contains { $0.starts(with: "<<<<<<< ".utf8) }
    }

    /// Returns the value that the file has at a conflict that was resolved by hand; nil for an open conflict.
    func settlement(of conflict: MergeConflict) -> String? {
        guard case .settled(let id) = settled.state(of: conflict) else { return nil }
        guard let id else { return "removed" }
        if case .className = conflict.subject { return "class " + present.view.classOrType(of: id) }
        return abbreviator.line(id)
    }

    /// Returns the given comments without the ones that the present file has.
    func missing(_ comments: [LostComment]) throws -> [LostComment] {
        guard !comments.isEmpty else { return [] }
        let missing = Set(try saves.lostComments(in: present))
        return comments.filter(missing.contains)
    }

    /// Returns the present file merged with the changes by rules and answers.
    ///
    /// - Parameters:
    ///   - answered: The result of the rules and answers.
    ///   - options: The options of the merge.
    /// - Returns: The merged versions, the result, and a line for each change that conflicts with a manual change.
    func result(
        with answered: MergeResult, _ options: MergeOptions
    ) throws -> (saves: MergeSources, result: MergeResult, left: [String]) {
        var options = options
        (options.rules, options.answers) = ([], [])
        let left = try saves.result(of: saves.merge(options))
        let saves = MergeSources(
            base: try left.reopened(), ours: present, theirs: try answered.reopened())
        options.comparesNumbersByValue = saves.files.contains { $0.format != present.format }
        let merge = try saves.merge(options)
        let lines = ConflictLines(merge, in: present.name)
        return (saves, try saves.result(of: merge), merge.conflicts.flatMap(lines.lines))
    }
}

// MARK: Comments

/// Asks the user about the comments that are missing from the result of a merge.
final class InteractiveComments {
    private let saves: MergeSources
    private let merge: ThreeWayMerge
    private let groups: [LostCommentGroup]
    /// The comments that the user has already inserted by hand.
    private let present: Set<LostComment>
    /// The lines to use, by the index of a conflict of lines.
    private var choices: [Int: LineMerge.Choice] = [:]
    /// The comments that are dropped because an answer chose the other side.
    private var dropped: Set<LostComment> = []

    init(_ lost: [LostComment], present: Set<LostComment>, in saves: MergeSources, of merge: ThreeWayMerge) {
        (self.saves, self.merge, self.present) = (saves, merge, present)
        groups = saves.groups(of: lost)
    }

    /// Asks about each group of comments and rebuilds the result with the chosen lines.
    ///
    /// - Parameter result: The result without the comments.
    /// - Returns: The result, and the comments that are still missing from it.
    func settled(
        _ result: MergeResult, by questions: ConflictQuestions, _ invocation: Invocation
    ) throws -> (result: MergeResult, open: [LostComment]) {
        let offered = try offeredAnswers()
        let answers = try questions.answers(groups.count, from: { offered[$0] }) { [groups] in
            groups[$0].comments.map { $0.shown(as: "conflict") }
        }
        for case (let group, let answer?) in zip(groups, answers) { take(answer, for: group) }
        let chosen = choices.isEmpty ? result : try saves.result(of: merge, taking: choices)
        let absent = try saves.lostComments(in: chosen)
        let known = present.union(groups.flatMap(\.comments))
        let open = absent.filter { known.contains($0) && !present.contains($0) && !dropped.contains($0) }
        let skipped = zip(groups, zip(offered, answers)).filter { !$1.0.isEmpty && $1.1 == nil }
        let isSkipped = Set(skipped.flatMap(\.0.comments))
        for comment in open where !isSkipped.contains(comment) { reportOpen(comment, invocation) }
        let others = report(absent.filter { !known.contains($0) }, invocation)
        return (chosen, open + others)
    }

    private func take(_ answer: ConflictQuestions.Answer, for group: LostCommentGroup) {
        dropped.formUnion(group.comments.filter { answer == ($0.isTheirs ? .ours : .theirs) })
        guard let conflict = group.conflict, answer != .ours, group.comments.contains(where: \.isTheirs) else { return }
        choices[conflict] = answer == .both ? .both : .theirs
    }

    /// Reports the comments that the answers leave out, and returns the comments that the user still has to insert.
    ///
    /// A comment of ours is only reported, not returned, if the user chose the lines of theirs instead.
    private func report(_ comments: [LostComment], _ invocation: Invocation) -> [LostComment] {
        var open: [LostComment] = []
        for group in saves.groups(of: comments) {
            let takesTheirs = group.conflict.map { choices[$0] == .theirs } ?? false
            for comment in group.comments {
                if takesTheirs, !comment.isTheirs {
                    invocation.printError(comment.shown(as: "warning") + "; the lines of theirs replace it")
                } else {
                    open.append(comment)
                    reportOpen(comment, invocation)
                }
            }
        }
        return open
    }

    private func reportOpen(_ comment: LostComment, _ invocation: Invocation) {
        invocation.printError(comment.shown(as: "conflict") + "; \(comment.remedy) by hand")
    }

    /// Returns the possible answers for each group. To find them, the lines are merged twice: with theirs at all
    /// conflicts, and with both sides.
    private func offeredAnswers() throws -> [[ConflictQuestions.Answer]] {
        let conflicts = groups.filter { $0.comments.contains(where: \.isTheirs) }.compactMap(\.conflict)
        func lost(_ choice: LineMerge.Choice) throws -> Set<LostComment> {
            guard !conflicts.isEmpty else { return [] }
            let choices = Dictionary(uniqueKeysWithValues: conflicts.map { ($0, choice) })
            return Set(try saves.lostComments(in: saves.result(of: merge, taking: choices)))
        }
        let (theirs, both) = (try lost(.theirs), try lost(.both))
        return groups.map { $0.answers(losing: theirs, or: both) }
    }
}
