/// One command of the tool: what it is called, what it takes, and what it does; or a group of commands, which have a word
/// more each. Parsing, help, man pages and completion are made of it.
struct Command: Sendable {
    /// The words that it is called by: `convert`, `scores add`.
    let name: String
    /// What it does, in a few words.
    let summary: String
    let operands: [Operand]
    /// Lines for the shell with what each is for. All of them are run by tests.
    let examples: KeyValuePairs<String, String>
    /// What there is to know beyond the options, see ``Prose``.
    let discussion: String
    /// When the command ends how.
    let exitStatus: KeyValuePairs<ExitStatus, String>
    /// All options but `--help`, which every command has.
    let options: [Option]
    /// What people type who know other tools, and what that is here; nothing for what is done in any case.
    let habits: [String: String]
    /// The destination of the result; nil for a command that changes no files.
    let writing: Writing?
    let action: Action

    /// The habit of naming a file for what goes to standard output.
    static let redirection = ["-o": "> FILE", "--output": "> FILE"]

    /// The habit of asking for what is in folders.
    static let folders = ["-r": "", "-R": "", "--recursive": ""]

    enum Action: Sendable {
        case run(@Sendable (Arguments, Invocation) throws -> ExitStatus)
        /// The commands of a group by purpose, and the one that runs if the first argument is a file or one of its options.
        indirect case commands([Section], forFiles: Command)
    }

    /// Commands for one purpose.
    struct Section: Sendable {
        /// What they are for.
        let title: String
        let commands: [Command]
        /// Whether they are for scripts, and no list has them.
        var isHidden = false
    }

    /// A command that does something.
    ///
    /// - Parameter writing: where a command that changes files writes the result. It adds the options that all such
    ///   commands have to `options`, and a sentence to the first paragraph of the discussion.
    init(
        name: String, summary: String, operands: [Operand], examples: KeyValuePairs<String, String> = [:],
        discussion: String, exitStatus: KeyValuePairs<ExitStatus, String> = [:], options: [Option],
        writing: Writing? = nil, habits: [String: String] = [:],
        run: @escaping @Sendable (Arguments, Invocation) throws -> ExitStatus
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.examples = examples
        self.discussion = writing?.explained(in: discussion) ?? discussion
        self.exitStatus = exitStatus
        self.options = options + (writing == nil ? [] : EditPlan.options)
        self.writing = writing
        self.habits = habits
        action = .run(run)
    }

    /// A group of commands, whose names begin with its own.
    init(
        name: String, summary: String, examples: KeyValuePairs<String, String>, discussion: String,
        sections: [Section], forFiles: Command
    ) {
        self.name = name
        self.summary = summary
        operands = []
        self.examples = examples
        self.discussion = discussion
        exitStatus = [:]
        options = []
        habits = [:]
        writing = nil
        action = .commands(sections, forFiles: forFiles)
    }

    /// The last word of the name, by which the command is known in its group.
    var word: String {
        name.split(separator: " ").last.map(String.init) ?? ""
    }

    /// The words by which the shell calls it.
    var called: String {
        name.isEmpty ? "savetool" : "savetool " + name
    }

    /// The commands of a group, those for scripts included; none for a command that does something.
    var commands: [Command] {
        if case .commands(let sections, _) = action { sections.flatMap(\.commands) } else { [] }
    }

    /// The commands of a group by what they are for, as they are listed.
    var sections: [Section] {
        if case .commands(let sections, _) = action { sections.filter { !$0.isHidden } } else { [] }
    }

    /// The operand at a position; nil if there may be none. The last one may go on.
    func operand(at position: Int) -> Operand? {
        let operands = operands.filter { $0.kind != .option }
        if position < operands.count { return operands[position] }
        return operands.contains(where: \.goesOn) ? operands.last : nil
    }

    /// This command and those of the group, and of the groups in it, as they are listed.
    var all: [Command] {
        var all = [self]
        var next = 0
        while next < all.count {
            all += all[next].sections.flatMap(\.commands)
            next += 1
        }
        return all
    }

    /// All options that it takes.
    var allOptions: [Option] { options + [.help] }

    /// Returns the option that a word such as `--output` or `-o` names.
    func option(spelled word: String) -> Option? {
        allOptions.first { $0.isSpelled(word) }
    }
}

/// The destination of a command that changes files.
enum Writing: Sendable {
    /// To standard output, unless `-i` or `-o` is given.
    case toOutput
    /// Into the file, unless `-o` is given.
    case inPlace

    /// The sentence in the help that names the destination.
    var sentence: String {
        switch self {
        case .toOutput: "The result goes to standard output, unless -i (in place) or -o FILE is given."
        case .inPlace: "The file is changed in place, unless -o FILE is given."
        }
    }

    /// A discussion with the sentence at the end of the first paragraph.
    fileprivate func explained(in discussion: String) -> String {
        let end = discussion.firstRange(of: "\n\n")?.lowerBound ?? discussion.endIndex
        return discussion[..<end] + "\n" + sentence + discussion[end...]
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
