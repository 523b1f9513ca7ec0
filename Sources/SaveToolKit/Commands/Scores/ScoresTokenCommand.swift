import SaveCodec
import SaveOperations

/// `savetool scores token`: makes the token of a submission.
enum ScoresTokenCommand {
    static let command = Command(
        name: "scores token", summary: "make the token of a submission",
        operands: "--score N --device ID --salt-file FILE",
        discussion: """
            Prints the token that a game sends with a score: MD5 of SCORE:SALT:DEVICE in hexadecimal
            digits. --salt-file - reads the salt from standard input.

            \(TokenHelp.limits)

            Exit status: 0 done, 2 it could not be made.
            """,
        options: [.submittedScore, .device] + SaltSource.options + [.upper], run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        try arguments.expectNoOperands()
        let source = try SaltSource(arguments)
        let device = try arguments.text(of: .device)
        let score = try SubmissionRules.score(arguments.text(of: .submittedScore))
        try SubmissionRules.checkDevice(device)
        let token = SubmissionToken(score: score, salt: try source.read(invocation), device: device)
        try invocation.writeOutput { $0.write(token.text(uppercase: arguments.has(.upper)) + "\n") }
        return .done
    }
}

extension Option {
    fileprivate static let upper = Option("upper", help: "write the token in capital letters")
}
