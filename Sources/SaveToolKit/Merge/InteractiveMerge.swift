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
            return try deliver(result, pending, options, openCount: count)
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
        _ answered: MergeResult, _ pending: PendingMerge?, _ options: MergeOptions, openCount: Int
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
            try plan.edit.deliver(result.save, result.edited, of: result.file, invocation)
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
