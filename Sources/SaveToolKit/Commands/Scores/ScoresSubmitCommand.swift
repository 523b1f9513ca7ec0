import SaveCodec
import SaveOperations

/// `savetool scores submit`: takes a submission to a leaderboard.
enum ScoresSubmitCommand {
    static let command = Command(
        name: "scores submit", summary: "enter a submitted score into a leaderboard",
        operands: "FILE --salt-file SALT",
        discussion: """
            Reads the body of a submission, as scores form makes it, from standard input, and enters the
            score with the present date into FILE, the feed of a leaderboard, which is made if it is not
            there. Prints the rank. Several may do so at once: none gets lost, and the file is always whole.

            Rules: all four fields, each once, and no other; a name of 1 to 32 characters (Unicode
            scalar values), not blank, without control characters; a whole score from 0 to 2^63-1 in
            plain digits; a device of 1 to 128 characters; the token of score, salt and device, in
            letters of either case.

            With --cgi it is a script of a web server (RFC 3875) and takes the body of a POST request of
            at most 64 KiB. It answers in a line of text: 200 and the rank; 400 for a body that is no
            form, 403 for a wrong token, 422 for any other broken rule, 409 if the table is full (--keep)
            and the score too low; 405, 411, 413 and 415 for other requests. What goes wrong on the
            server is told on standard error, and answered by 500.

            \(TokenHelp.limits)

            Exit status: 0 entered, 1 refused, 2 it could not be done; with --cgi 0 whenever there was an
            answer.
            """,
        options: SaltSource.options + [.submissionsKept, .cgi, .backup, .dryRun, .maxDepth], run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if arguments.has(.cgi) { return try answer(arguments, invocation) }
        let desk = try SubmissionDesk(arguments)
        // One byte more than there may be tells that there are too many.
        let outcome = try desk.take(invocation.input.readStart(ScoreSubmission.maximumBody + 1), invocation)
        if let reason = outcome.reason { invocation.say(reason) }
        switch outcome {
        case .entered(let entry):
            try invocation.writeOutput { $0.write(entry.sentence + "\n") }
            return .done
        case .tooLow, .refused: return .notThere
        case .troubled: return .cannot
        }
    }

    private static func answer(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if arguments.has(.dryRun) { throw UsageError.conflict(.cgi, .dryRun) }
        return try CGIRequest.answer(invocation, allowing: ["POST"]) { request in
            let desk = try SubmissionDesk(arguments)
            return try desk.take(request.form(atMost: ScoreSubmission.maximumBody), invocation).response
        }
    }
}
