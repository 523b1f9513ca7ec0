import KeyedArchives
import SaveCodec
import SaveOperations

/// The command `savetool scores submit`, which adds a submitted score to a leaderboard.
enum ScoresSubmitCommand {
    static let command = Command(
        name: "scores submit", summary: "add a submitted score to a leaderboard",
        operands: [.file, .required(.saltFile, "SALT")],
        examples: [
            "take a submission": "savetool scores submit leaderboard.plist --salt-file salt.txt < ada.form",
            "see what would change": "savetool scores submit -n leaderboard.plist --salt-file salt.txt < ada.form",
            "keep the 100 best": "savetool scores submit --keep 100 leaderboard.plist --salt-file salt.txt < ada.form",
        ],
        discussion: """
            Reads a submission, as scores form writes it, from standard input. Adds the score with the current
            date to FILE, the feed of a leaderboard. A missing file is created. The rank is printed.
            Concurrent submissions are safe.

            --help-all lists the rules of a submission.
            """,
        details: """
            A submission has four fields, each once: a name of 1 to 32 Unicode scalars, not blank and without
            control characters; a score from 0 to 2^63-1 in digits; a device of 1 to 128 characters; the token.

            --cgi runs as a script of a web server (RFC 3875) and takes the body of a POST request, at most 64
            KiB. It answers with a line of text: 200 and the rank; 400 if the body is not a form, 403 for a
            wrong token, 422 for another broken rule, 409 if the table is full (--keep) and the score too low;
            405, 411, 413 and 415 for other requests. Errors of the server go to standard error and are
            answered with 500. The token may have letters of either case.

            \(SubmissionTokenHelp.limits)
            """,
        exitStatus: [
            .done: "added; with --cgi, also if the answer is an error",
            .negative: "refused",
            .cannot: "error",
        ],
        options: SaltSource.options + [.keepBest, .cgi],
        writing: .inPlace,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if arguments.has(.cgi) { return try answer(arguments, invocation) }
        let leaderboard = try SubmissionHandler(arguments)
        // One byte above the maximum shows that the body is too long.
        let outcome = try leaderboard.take(invocation.input.readStart(ScoreSubmission.maximumBody + 1), invocation)
        if let reason = outcome.reason { invocation.printError(reason) }
        switch outcome {
        case .entered(let entry):
            try entry.reportRank(in: leaderboard.plan, invocation)
            return .done
        case .tooLow, .refused: return .negative
        case .troubled: return .cannot
        }
    }

    private static func answer(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        for option in [Option.dryRun, .output] where arguments.has(option) { throw UsageError.conflict(.cgi, option) }
        return try CGIRequest.answer(invocation, allowing: ["POST"]) { request in
            let leaderboard = try SubmissionHandler(arguments)
            return try leaderboard.take(request.form(atMost: ScoreSubmission.maximumBody), invocation).response
        }
    }
}

/// Handles submissions to a leaderboard.
private final class SubmissionHandler {
    private let file: ScoreFile
    var plan: EditPlan { file.plan }
    private let salt: SaltSource
    /// The maximum number of records in the table; 0 for no limit.
    private let keep: Int

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.operands.count == 1 else {
            throw .operandCount(arguments.operands.count, expected: "one, the leaderboard file")
        }
        let plan = try EditPlan(arguments.operands[0], arguments)
        if plan.file == "-" {
            throw .badOperand("-", "FILE", expected: "a file, because standard input has the submission")
        }
        // Submissions are not listed in the web server's log.
        if arguments.has(.cgi) { plan.report.listsChanges = false }
        file = ScoreFile(plan: plan, search: ScoreSearch(form: .feed))
        salt = try SaltSource(arguments, isInputTaken: true)
        keep = try arguments.number(of: .keepBest) ?? 0
    }

    enum Outcome {
        case entered(ScoreInsertion)
        /// The table is full, and the score does not exceed its last score.
        case tooLow(Int64, last: Number)
        /// The submission violates the rules.
        case refused(Problem)
        /// The table could not be changed, and the error was printed.
        case troubled
    }

    /// Checks the body of a submission and adds the score with the current date.
    func take(_ body: [UInt8], _ invocation: Invocation) throws -> Outcome {
        let salt = try salt.read(invocation)
        let submission: ScoreSubmission
        do throws(Problem) {
            submission = try ScoreSubmission(form: body, salt: salt)
        } catch {
            return .refused(error)
        }
        var outcome = Outcome.troubled
        let status = try invocation.inFile(file.name) {
            try file.change(invocation) { try add(submission, to: $0, &outcome) }
        }
        if let status, status != .done { return .troubled }
        if case .entered(let entry) = outcome { entry.warn(in: file.name, invocation) }
        return outcome
    }

    /// Returns the save with the score; nil if the score is too low. The date is read while the file is locked, so that
    /// dates ascend in the order in which records are added.
    private func add(
        _ submission: ScoreSubmission, to table: ScoreTable, _ outcome: inout Outcome
    ) throws(Problem) -> ObjectView? {
        let record = ScoreRecord(
            name: Array(submission.name.utf16), score: .integer(Int128(submission.score)),
            date: ScoreDate(CurrentProcess.secondsSince2001))
        switch try table.adding(record, keep: keep, limits: file.plan.reading.limits) {
        case .refused(let last):
            outcome = .tooLow(submission.score, last: last.score)
            return nil
        case .entered(let entry):
            outcome = .entered(entry)
            return entry.edited
        }
    }
}

extension SubmissionHandler.Outcome {
    fileprivate var response: CGIResponse {
        switch self {
        case .entered(let entry): CGIResponse(.ok, entry.sentence)
        case .tooLow: CGIResponse(.conflict, reason ?? "")
        case .refused(let problem): CGIResponse(problem.status, problem.description)
        case .troubled: .internalTrouble
        }
    }

    /// The reason why the score was not added; nil if it was, or if the reason was already printed.
    fileprivate var reason: String? {
        switch self {
        case .tooLow(let score, let last): "\(score) is too low: the table is full and ends at \(last)"
        case .refused(let problem): ProblemLine.render(problem, in: "-")
        case .entered, .troubled: nil
        }
    }
}

extension Problem {
    fileprivate var status: HTTPStatus {
        if kind == .submissionToken { return .forbidden }
        return kind.isOf(.form) ? .badRequest : .unprocessableContent
    }
}
