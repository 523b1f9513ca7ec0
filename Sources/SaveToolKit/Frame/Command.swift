/// One command of the tool: what it is called, what it takes, and what it does; or a group of commands, which have a word
/// more each.
struct Command: Sendable {
    /// The words that it is called by: `convert`, `scores add`.
    let name: String
    /// What it does, in a few words.
    let summary: String
    /// What the files and other operands are called in the usage line.
    let operands: String
    /// What there is to know beyond the options, in lines of at most 100 characters.
    let discussion: String
    /// All options but `--help`, which every command has.
    let options: [Option]
    let action: Action

    enum Action: Sendable {
        case run(@Sendable (Arguments, Invocation) throws -> ExitStatus)
        /// The commands of a group, in the order of their names.
        case commands([Command])
    }

    /// A command that does something.
    init(
        name: String, summary: String, operands: String, discussion: String, options: [Option],
        run: @escaping @Sendable (Arguments, Invocation) throws -> ExitStatus
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.discussion = discussion
        self.options = options
        action = .run(run)
    }

    /// A group of commands, whose names begin with its own.
    init(name: String, summary: String, discussion: String, commands: [Command]) {
        self.name = name
        self.summary = summary
        operands = ""
        self.discussion = discussion
        options = []
        action = .commands(commands)
    }

    /// The last word of the name, by which the command is known in its group.
    var word: String {
        name.split(separator: " ").last.map(String.init) ?? ""
    }
}

/// How a run ends.
enum ExitStatus: Int32, Comparable {
    /// It was done, and the answer is yes: the same, valid, merged.
    case done = 0
    /// The answer is no: different, invalid, in conflict, nothing there.
    case negative = 1
    /// It cannot be done.
    case cannot = 2

    static func < (a: ExitStatus, b: ExitStatus) -> Bool {
        a.rawValue < b.rawValue
    }
}

/// The help of the tool and of its commands, made from their declarations.
enum HelpPage {
    /// `savetool COMMAND --help`; of a group, and of the tool, whose name is empty, the commands that it consists of.
    static func command(_ command: Command) -> String {
        switch command.action {
        case .run: single(command)
        case .commands(let commands): group(command, commands)
        }
    }

    private static func single(_ command: Command) -> String {
        """
        usage: savetool \(command.name) [options] \(command.operands)

        \(command.discussion)

        options:
        \((command.options + [.help]).map(line).joined())
        """
    }

    private static func group(_ group: Command, _ commands: [Command]) -> String {
        let width = commands.map(\.word.count).max() ?? 0
        let lines = commands.map { "  " + padded($0.word, to: width) + "  " + $0.summary + "\n" }
        let called = group.name.isEmpty ? "savetool" : "savetool \(group.name)"
        return """
            usage: \(called) COMMAND [options] [FILE …]

            \(group.discussion)

            commands:
            \(lines.joined())
            \(called) COMMAND --help explains a command\(group.name.isEmpty ? "; savetool --version shows the version" : "").

            """
    }

    private static func line(_ option: Option) -> String {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        let head = "  " + letter + option.shown + (option.value.map { " " + $0 } ?? "")
        let lines = option.help.split(separator: "\n")
        let rest = lines.dropFirst().map { "\n" + String(repeating: " ", count: column) + $0 }
        return padded(head, to: column - 2) + "  " + (lines.first ?? "") + rest.joined() + "\n"
    }

    /// Where the explanations start.
    private static let column = 28

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
