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
