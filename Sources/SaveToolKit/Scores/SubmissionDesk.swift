import SaveCodec
import SaveOperations

/// Takes submissions and enters them into the table of a leaderboard.
struct SubmissionDesk {
    private let file: ScoreFile
    private let salt: SaltSource
    /// How many records the table may have; 0 for any number.
    private let keep: Int

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.operands.count == 1 else {
            throw .operandCount(arguments.operands.count, expected: "the file of the leaderboard")
        }
        let plan = try EditPlan(arguments.operands[0], arguments, isInPlace: true)
        file = ScoreFile(plan: plan, search: ScoreSearch(form: .feed), target: nil)
        salt = try SaltSource(arguments, isInputTaken: true)
        keep = try arguments.number(of: .submissionsKept) ?? 0
    }

    /// What has become of a submission.
    enum Outcome {
        case entered(ScoreEntry)
        /// The table is full, and the score does not beat the last in it.
        case tooLow(Int64, last: Number)
        /// It breaks the rules.
        case refused(Problem)
        /// The table could not be changed; why has been said.
        case troubled
    }

    /// Judges the body of a request, and enters the score under the present date if there is nothing against it.
    func take(_ body: [UInt8], _ invocation: Invocation) throws -> Outcome {
        let salt = try salt.read(invocation)
        let submission: ScoreSubmission
        do throws(Problem) {
            submission = try ScoreSubmission(form: body, salt: salt)
        } catch {
            return .refused(error)
        }
        var outcome = Outcome.troubled
        let status = try invocation.forEachFile([file.name]) { _ in
            try file.change(invocation) { try add(submission, to: $0, &outcome) } ?? .done
        }
        guard status == .done else { return .troubled }
        if case .entered(let entry) = outcome { entry.warn(in: file.name, invocation) }
        return outcome
    }

    /// The save with the score in it; nil if it does not enter. The date is taken here, while the file is locked, so that
    /// dates rise as records arrive.
    private func add(
        _ submission: ScoreSubmission, to table: ScoreTable, _ outcome: inout Outcome
    ) throws(Problem) -> Document? {
        let record = ScoreRecord(
            name: Array(submission.name.utf16), score: .integer(Int128(submission.score)),
            date: Clock.secondsSince2001)
        switch try table.adding(record, keep: keep, limits: file.plan.limits) {
        case .refused(let last):
            outcome = .tooLow(submission.score, last: last.score)
            return nil
        case .entered(let entry):
            outcome = .entered(entry)
            return entry.document
        }
    }
}

extension SubmissionDesk.Outcome {
    /// What a game is told.
    var response: CGIResponse {
        switch self {
        case .entered(let entry): CGIResponse(.ok, entry.sentence)
        case .tooLow: CGIResponse(.conflict, reason ?? "")
        case .refused(let problem): CGIResponse(problem.status, problem.description)
        case .troubled: .internalTrouble
        }
    }

    /// Why the score is not in the table; nil if it is, or where that has been said.
    var reason: String? {
        switch self {
        case .tooLow(let score, let last): "\(score) does not enter; the table is full, and the last score is \(last)"
        case .refused(let problem): ProblemLine.render(problem, in: "-")
        case .entered, .troubled: nil
        }
    }
}

extension Problem {
    /// How a submission with this problem is answered.
    fileprivate var status: HTTPStatus {
        if kind == .submissionToken { return .forbidden }
        return kind.isOf(.form) ? .badRequest : .unprocessableContent
    }
}

extension Option {
    static let submissionsKept = Option(
        "keep", value: "N", help: "how many records the table may have (0, any number)")
}
