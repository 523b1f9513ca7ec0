import SaveCodec
import SaveOperations

/// The command `savetool scores form`, which prints the body of a submission.
enum ScoresFormCommand {
    static let command = Command(
        name: "scores form", summary: "write the body of a submission",
        operands: [.required(.name), .required(.score), .required(.device), .required(.saltFile)],
        examples: [
            "the body of a request":
                "savetool scores form --name Ada --score 98200 --device 0123456789abcdef --salt-file salt.txt",
            "submit it to a local table":
                "savetool scores form --name Bob --score 5 --device ab12 --salt-file salt.txt | savetool scores submit leaderboard.plist --salt-file salt.txt",
            "the salt from standard input":
                "savetool scores form --name Ada --score 5 --device ab12 --salt-file - < salt.txt",
        ],
        discussion: """
            Prints the body of the request with which a game sends a score to a leaderboard, as
            application/x-www-form-urlencoded with the fields high_score[auth_token], high_score[player_name],
            high_score[total_score] and high_score[iphone_udid]. The rules of scores submit apply.
            """,
        exitStatus: [.done: "done", .cannot: "error"],
        options: [.name, .score, .device] + SaltSource.options, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        try arguments.expectNoOperands()
        let source = try SaltSource(arguments)
        let submission = try ScoreSubmission(
            name: arguments.text(of: .name), score: arguments.text(of: .score),
            device: arguments.text(of: .device))
        let body = submission.requestBody(salt: try source.read(invocation))
        try invocation.writeOutput { output in
            output.write(body)
            output.write("\n")
        }
        return .done
    }
}

extension Arguments {
    /// Returns the value of a required option.
    fileprivate func text(of option: Option) throws(UsageError) -> String {
        guard let text = value(of: option) else {
            throw .missingOption(option, because: "a submission needs it")
        }
        return text
    }

    /// Refuses operands without quoting them, because they may be parts of a salt.
    fileprivate func expectNoOperands() throws(UsageError) {
        guard operands.isEmpty else { throw .operandCount(operands.count, expected: "none") }
    }
}

/// The command `savetool scores token`, which prints the token of a submission.
enum ScoresTokenCommand {
    static let command = Command(
        name: "scores token", summary: "compute the token of a submission",
        operands: [.required(.score), .required(.device), .required(.saltFile)],
        examples: [
            "the token of a score":
                "savetool scores token --score 98200 --device 0123456789abcdef --salt-file salt.txt",
            "in capital letters": "savetool scores token --upper --score 5 --device ab12 --salt-file salt.txt",
            "the salt from standard input": "savetool scores token --score 5 --device ab12 --salt-file - < salt.txt",
        ],
        discussion: """
            Prints the token that a game sends with a score: the MD5 of SCORE:SALT:DEVICE in hexadecimal digits.
            The token only stops casual cheating: see --help-all.
            """,
        details: """
            \(SubmissionTokenHelp.limits)
            """,
        exitStatus: [.done: "done", .cannot: "error"],
        options: [.score, .device] + SaltSource.options + [.upper], run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        try arguments.expectNoOperands()
        let source = try SaltSource(arguments)
        let device = try arguments.text(of: .device)
        let score = try SubmissionRules.score(arguments.text(of: .score))
        try SubmissionRules.checkDevice(device)
        let token = SubmissionToken(score: score, salt: try source.read(invocation), device: device)
        try invocation.writeOutput { $0.write(token.text(uppercase: arguments.has(.upper)) + "\n") }
        return .done
    }
}

extension Option {
    fileprivate static let upper = Option("upper", for: .output, help: "write the token in capital letters")
}

/// The help text about tokens that several commands share.
enum SubmissionTokenHelp {
    static let limits = """
        A token only stops casual cheating. The salt is in the game, and anyone who reads it there can
        send any score; a recorded submission can be sent again. MD5 over a secret is not an HMAC, and MD5
        is broken. The token hides nothing from a listener on the network: use HTTPS, and let the server
        judge whether a score is possible.
        """
}

extension Option {
    fileprivate static let name = Option(
        "name", value: "NAME", for: .scores, help: "the name of the player, 1 to 32 characters")
    fileprivate static let score = Option("score", value: "N", for: .scores, help: "the score, an integer from 0")
    fileprivate static let device = Option(
        "device", value: "ID", for: .scores, help: "the ID of the device, once its UDID")
}

// MARK: Salt

/// The source of the salt. The salt is never printed, and errors do not quote arguments that could contain it.
enum SaltSource {
    case file(String)
    case argument(String)

    static let options: [Option] = [.saltFile, .salt]

    /// - Parameter isInputTaken: Whether standard input is used for something else.
    init(_ arguments: Arguments, isInputTaken: Bool = false) throws(UsageError) {
        let file = arguments.value(of: .saltFile)
        let text = arguments.value(of: .salt)
        switch (file, text) {
        case (nil, nil): throw .missingOption(.saltFile, because: "a token needs the salt of the game")
        case (_?, _?): throw .conflict(.saltFile, .salt)
        case ("-", nil) where isInputTaken: throw .inputTwice
        case (let file?, nil): self = .file(file)
        case (nil, let text?): self = .argument(text)
        }
    }

    /// Reads the salt. Warns if it was given as an argument, which other processes can see.
    func read(_ invocation: Invocation) throws -> Salt {
        do {
            switch self {
            case .file(let name): return try Salt(file: invocation.read(name))
            case .argument(let text):
                invocation.printError(Self.warning)
                return try Salt(text.utf8)
            }
        } catch let problem as Problem {
            throw FileError(name, problem.message)
        }
    }

    private var name: String {
        switch self {
        case .file(let name): Invocation.shownName(name)
        case .argument: Option.salt.shown
        }
    }

    private static let warning =
        "savetool: warning: \(Option.salt.shown) is visible to all processes and stays in the shell history; "
        + "use \(Option.saltFile.shown) instead"
}

extension Option {
    static let saltFile = Option(
        "salt-file", name: "FILE", for: .scores, help: "read the salt from FILE, without the line end")
    static let salt = Option(
        "salt", value: "TEXT",
        for: .scores, help: "the salt itself, visible to all processes")
}
