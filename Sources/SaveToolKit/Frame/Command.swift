/// A command of the tool, or a group of commands: `scores` is the group of `scores add`, `scores list`, ….
///
/// Parsing, help, man pages and completion are derived from it.
struct Command: Sendable {
    /// The words after `savetool`, such as `convert` or `scores add`.
    let name: String
    let summary: String
    let operands: [Operand]
    /// Shell commands, each with its purpose. `--help` shows the first three, and tests run all of them.
    let examples: KeyValuePairs<String, String>
    /// The text of the help besides the options, see ``Prose``. Its paragraphs have at most twelve lines.
    let discussion: String
    /// Special cases, shown only by `--help-all` and the manual page.
    let details: String
    /// The meaning of each exit status.
    let exitStatus: KeyValuePairs<ExitStatus, String>
    /// All options except ``Option/helpOptions``, which every command has.
    let options: [Option]
    /// Options of other tools, with the equivalent here; an empty string for something that the command always does.
    let foreignSpellings: [String: String]
    /// The destination of the result, or nil for a command that changes no files.
    let writing: ResultDestination?
    let action: Action

    /// The foreign spellings of an option for an output file, for commands that only write to standard output.
    static let redirection = ["-o": "> FILE", "--output": "> FILE"]

    /// The foreign spellings of an option for reading folders, for commands that always do so.
    static let folders = ["-r": "", "-R": "", "--recursive": ""]

    enum Action: Sendable {
        case run(@Sendable (Arguments, Invocation) throws -> ExitStatus)
        /// The commands of a group by purpose. If the first argument is a file or an option instead of a command's
        /// name, the command `forFiles` runs.
        case commands([Section], forFiles: Entry)
    }

    /// Commands with the same purpose.
    struct Section: Sendable {
        let title: String
        let entries: [Entry]
        var listing = Listing.lines

        var commands: [Command] { entries.map(\.command) }
    }

    /// A command of a group. It is built only where it is used, because a run needs few of the tables of options.
    struct Entry: Sendable {
        /// The last word of the command's name.
        let word: String
        private let declaration: @Sendable () -> Command

        init(_ word: String, _ command: @autoclosure @escaping @Sendable () -> Command) {
            self.word = word
            declaration = command
        }

        var command: Command {
            let command = declaration()
            assert(command.word == word, "the entry \(word) is the command \(command.name)")
            return command
        }
    }

    /// The amount of detail in which a help page lists commands.
    enum Listing: Sendable {
        /// One line each, with the summary.
        case lines
        /// By their names only, unless the page is shown in full.
        case names
        /// Not at all.
        case hidden
    }

    /// Creates a command.
    ///
    /// - Parameter writing: The destination of the result, or nil for a command that changes no files. A destination
    ///   adds the options that all commands with this destination share.
    init(
        name: String, summary: String, operands: [Operand], examples: KeyValuePairs<String, String> = [:],
        discussion: String, details: String = "", exitStatus: KeyValuePairs<ExitStatus, String> = [:],
        options: [Option],
        writing: ResultDestination? = nil, foreignSpellings: [String: String] = [:],
        run: @escaping @Sendable (Arguments, Invocation) throws -> ExitStatus
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.examples = examples
        self.discussion = discussion
        self.details = details
        self.exitStatus = exitStatus
        self.options = options + (writing?.options ?? [])
        self.writing = writing
        self.foreignSpellings = foreignSpellings
        action = .run(run)
    }

    /// Creates a group of commands, whose names begin with the group's name.
    init(
        name: String, summary: String, examples: KeyValuePairs<String, String>, discussion: String,
        sections: [Section], forFiles: Entry
    ) {
        self.name = name
        self.summary = summary
        operands = []
        self.examples = examples
        self.discussion = discussion
        details = ""
        exitStatus = [:]
        options = []
        foreignSpellings = [:]
        writing = nil
        action = .commands(sections, forFiles: forFiles)
    }

    /// The last word of the name, by which the command is known in its group.
    var word: String { name.split(separator: " ").last.map(String.init) ?? "" }

    /// The words that run the command in a shell.
    var called: String { name.isEmpty ? "savetool" : "savetool " + name }

    /// Whether the command is a group.
    var isGroup: Bool {
        if case .commands = action { true } else { false }
    }

    /// The entries of a group, including hidden ones; empty for a single command.
    var entries: [Entry] {
        if case .commands(let sections, _) = action { sections.flatMap(\.entries) } else { [] }
    }

    /// The commands of a group, including hidden ones; empty for a single command.
    var commands: [Command] { entries.map(\.command) }

    /// Returns the command of this group with the given word, or nil.
    func command(_ word: String) -> Command? {
        entries.first { $0.word == word }?.command
    }

    /// The listed commands of a group by purpose.
    var sections: [Section] {
        if case .commands(let sections, _) = action { sections.filter { $0.listing != .hidden } } else { [] }
    }

    /// Returns the operand at a position, counted from 0, or nil if the command takes no operand there. A repeatable
    /// last operand takes all further positions.
    func operand(at position: Int) -> Operand? {
        let operands = operands.filter { $0.kind != .option }
        if position < operands.count { return operands[position] }
        return operands.contains(where: \.allowsMoreOperands) ? operands.last : nil
    }

    /// This command and, if it is a group, all listed commands in it and in its groups.
    var all: [Command] {
        var all = [self]
        var next = 0
        while next < all.count {
            all += all[next].sections.flatMap(\.commands)
            next += 1
        }
        return all
    }

    /// The options of the command, including ``Option/helpOptions``.
    var allOptions: [Option] { options + Option.helpOptions }

    /// The usage without options: `savetool get FILE… ADDRESS…`.
    var usage: String { ([called] + operands.map(\.usage)).joined(separator: " ") }

    /// Returns the option that a word such as `--output` or `-o` names.
    func option(spelled word: String) -> Option? {
        allOptions.first { $0.isSpelled(word) }
    }
}

/// The destination of the result of a command that changes files.
enum ResultDestination: Sendable {
    /// Standard output, unless `-i` or `-o` is given.
    case toOutput
    /// The file, unless `-o` is given.
    case inPlace

    /// The options of all commands with this destination.
    fileprivate var options: [Option] {
        switch self {
        case .toOutput: [.output] + EditPlan.options
        case .inPlace: [.otherOutput] + EditPlan.options
        }
    }
}
