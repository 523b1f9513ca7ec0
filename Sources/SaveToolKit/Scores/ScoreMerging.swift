import SaveCodec
import SaveOperations

/// Joins the tables of several files.
struct ScoreMerging {
    /// The files, of which the first one takes the others.
    let files: [ScoreFile]
    let keep: Int
    let invocation: Invocation

    func run() throws -> ExitStatus {
        try files[0].whileOutputIsOwn(besides: files.dropFirst(), invocation, merge)
    }

    private func merge() throws -> ExitStatus {
        let save = try files[0].plan.read(invocation)
        let table = try files[0].search.table(in: save.view)
        var others: [ScoreTable] = []
        for file in files.dropFirst() {
            guard let other = try read(file) else { return .cannot }
            others.append(other)
        }
        let merged: ScoreMerge
        do throws(ScoreMergeFault) {
            merged = try table.merging(others, keep: keep, limits: save.limits)
        } catch {
            invocation.say(ProblemLine.render(error.problem, in: files[error.table].name))
            return .cannot
        }
        guard acceptsLosses(merged) else { return .cannot }
        let status = try EditDelivery(file: save, plan: files[0].plan, invocation: invocation).deliver(merged.document)
        if status == .done, merged.count < merged.total {
            invocation.say(
                "\(Invocation.shownName(files[0].name)): the best \(merged.count) of \(merged.total) records are kept")
        }
        return status
    }

    /// The table of a file that is merged into the first; nil if there is something wrong with it, which is said.
    private func read(_ file: ScoreFile) throws -> ScoreTable? {
        var table: ScoreTable?
        let status = try invocation.forEachFile([file.name]) { _ in
            table = try file.read(invocation)
            return .done
        }
        return status == .done ? table : nil
    }

    private func acceptsLosses(_ merged: ScoreMerge) -> Bool {
        files.dropFirst().enumerated().reduce(true) { accepts, next in
            next.element.acceptsLosses(merged.losses[next.offset], invocation) && accepts
        }
    }
}
