import SaveCodec
import SaveOperations

/// `savetool scores merge`: joins tables.
enum ScoresMergeCommand {
    static let command = Command(
        name: "scores merge", summary: "join tables of high scores", operands: "FILE OTHER…",
        discussion: """
            Writes FILE with the records of all files in its table, to standard output unless an option
            says otherwise: records with the same name, score and date once, the best first, equal scores
            in the order of the files, and at most 10 (--keep). The files may be of different forms.

            The result has the form, the format and the style of FILE. A record of a file with the same
            fields is taken over as it is; of any other what FILE has no field for is listed and nothing is
            written, unless --allow-loss.

            Exit status: 0 done, 2 the tables could not be joined.
            """,
        options: [
            .keep, .output, .inPlace, .backup, .dryRun, .allowLoss, .scoreFields, .tableAddress, .from, .maxDepth,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        guard let first = arguments.operands.first else { throw UsageError.missingOperand("FILE") }
        if arguments.operands.count < 2 { throw UsageError.missingOperand("OTHER") }
        if arguments.operands.count(where: { $0 == "-" }) > 1 { throw UsageError.inputTwice }
        let merge = ScoreMerging(
            files: try arguments.operands.map { name throws(UsageError) in try ScoreFile(name, arguments) },
            keep: try arguments.number(of: .keep) ?? ScoresAddCommand.usualKeep, invocation: invocation)
        return try invocation.forEachFile([first]) { _ in try merge.run() }
    }
}

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
