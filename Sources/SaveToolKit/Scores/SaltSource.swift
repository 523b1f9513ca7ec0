import SaveCodec
import SaveOperations

/// Where the salt comes from. It is never shown, and nothing is quoted that stands where it might stand.
enum SaltSource {
    case file(String)
    case argument(String)

    static let options: [Option] = [.saltFile, .salt]

    /// - Parameter isInputTaken: whether something else is read from standard input.
    init(_ arguments: Arguments, isInputTaken: Bool = false) throws(UsageError) {
        let file = arguments.value(of: .saltFile)
        let text = arguments.value(of: .salt)
        switch (file, text) {
        case (nil, nil): throw .missingOption(.saltFile, because: "tokens are made with the salt of the game")
        case (_?, _?): throw .conflict(.saltFile, .salt)
        case ("-", nil) where isInputTaken: throw .inputTwice
        case (let file?, nil): self = .file(file)
        case (nil, let text?): self = .argument(text)
        }
    }

    /// Reads the salt. Warns of one that others may have seen.
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
        "savetool: warning: \(Option.salt.shown) is seen by all processes and kept in the history of the shell; "
        + "\(Option.saltFile.shown) is not"
}

extension Option {
    static let saltFile = Option(
        "salt-file", name: "FILE", for: .scores,
        help: "the file that the salt is in; a line end behind it is no part of it")
    static let salt = Option(
        "salt", value: "TEXT",
        for: .scores, help: "the salt itself; all processes and the shell's history see it, so there is a warning")
}
