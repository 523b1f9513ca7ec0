import SaveCodec
import SaveOperations

/// The command `savetool scores merge`, which joins tables.
enum ScoresMergeCommand {
    static let command = Command(
        name: "scores merge", summary: "merge tables of high scores", operands: [.file, .file("OTHER").repeated],
        examples: [
            "add the records of another table":
                "savetool scores merge -i highscores.plist leaderboard.plist",
            "the five best of both, as a new file":
                "savetool scores merge highscores.plist leaderboard.plist --keep 5 -o best.plist",
            "see what would change": "savetool scores merge -n highscores.plist leaderboard.plist",
        ],
        discussion: """
            Writes FILE with the records of all tables, the best first, the older of two equal scores first.
            Records with the same name, score and date are written once. The tables may have different forms.

            The result has the form, format and style of FILE. Records with the same fields are copied; fields
            that FILE does not have are listed, and nothing is written without --allow-loss. Scores of another
            type are refused without --change-type.
            """,
        exitStatus: [.done: "done", .cannot: "error"],
        options: [
            .keepBest, .scoreOrder, .changeScoreType, .scoreFields, .tableAddress,
        ],
        writing: .toOutput,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        guard let first = arguments.operands.first else { throw UsageError.missingOperand("FILE") }
        if arguments.operands.count < 2 { throw UsageError.missingOperand("OTHER") }
        let merge = ScoreFileMerge(
            try arguments.operands.map { try ScoreFile($0, arguments, in: invocation) },
            keep: try arguments.number(of: .keepBest) ?? 0,
            changesType: arguments.has(.changeScoreType), invocation)
        return try invocation.inFile(first) { try merge.run() }
    }
}

private final class ScoreFileMerge {
    /// The files. The records of the others are added to the first one.
    private let files: [ScoreFile]
    private let keep: Int
    private let changesType: Bool
    private let invocation: Invocation

    init(_ files: [ScoreFile], keep: Int, changesType: Bool, _ invocation: Invocation) {
        self.files = files
        self.keep = keep
        self.changesType = changesType
        self.invocation = invocation
    }

    func run() throws -> ExitStatus {
        try invocation.whileEditing(files[0].plan.written, reading: files.map(\.name), merge)
    }

    private func merge() throws -> ExitStatus {
        let (save, search) = files[0].entered(try files[0].plan.read(invocation))
        return try save.whileBased { try merge(into: save, search) }
    }

    private func merge(into save: SaveFile, _ search: ScoreSearch) throws -> ExitStatus {
        try save.save.checkIsWritable()
        if let address = search.address, save.view.readsAsRoot(address) {
            save.reportMissing(address, invocation)
            return .cannot
        }
        let table = try search.table(in: save.view)
        var others: [ScoreTable] = []
        for file in files.dropFirst() {
            others.append(try invocation.inFile(file.name) { try file.read(invocation) })
        }
        let merged: ScoreMerge
        do throws(ScoreMergeFault) {
            merged = try table.merging(others, keep: keep, changesType: changesType, limits: save.limits)
        } catch {
            let problem = error.problem.withHintOfType
            throw FileProblem(
                name: files[error.table].name, problem: error.table == 0 ? save.save.based(problem) : problem)
        }
        guard acceptsLosses(merged) else { return .cannot }
        let status = try files[0].plan.deliver(merged.edited, of: save, invocation)
        if status == .done, merged.count < merged.total {
            invocation.printError(
                "\(Invocation.shownName(files[0].name)): the best \(merged.count) of \(merged.total) records are kept")
        }
        return status
    }

    private func acceptsLosses(_ merged: ScoreMerge) -> Bool {
        files.dropFirst().enumerated().reduce(true) { accepts, next in
            next.element.acceptsLosses(merged.losses[next.offset], invocation) && accepts
        }
    }
}

extension Option {
    static let keepBest = Option(
        "keep", value: "N", for: .scores, help: "keep the N best records (0, all)")
}
