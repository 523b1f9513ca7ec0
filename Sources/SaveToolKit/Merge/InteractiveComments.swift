import SaveCodec
import SaveOperations

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
        invocation.printError(comment.shown(as: "conflict") + "; add it by hand")
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
