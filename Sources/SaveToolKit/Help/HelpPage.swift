/// A page of the help about a command, a group of commands, or a topic, for the terminal and for `man`.
///
/// It is built from the same tables as the argument parser.
struct HelpPage {
    /// The command or topic, such as `scores add` or `addresses`; empty for the tool.
    let name: String
    let summary: String
    /// The usage line, or nil for a topic.
    let usage: String?
    let examples: [KeyValuePairs<String, String>.Element]
    let discussion: Prose
    /// The kind of entries in the groups: `options` or `commands`.
    let kind: String
    /// The options or commands by purpose.
    let groups: [Group]
    /// The exit statuses. A short page has them only for a command with a negative status, and without the usual
    /// meanings of 0 and 2.
    let exitStatus: [Prose.Entry]
    /// A sentence about further help, or nil.
    let hint: String?

    struct Group {
        let title: String
        let entries: [Prose.Entry]
        /// Whether only the terms are listed.
        var isBrief = false
    }

    /// The part of a page that is shown.
    enum Extent {
        /// Two screens at most: `--help`.
        case short
        /// With common options and special cases: `--help-all` and the manual page.
        case full
    }

    /// Creates the page of a command, or of a group of commands.
    init(_ command: Command, _ extent: Extent = .short) {
        let isFull = extent == .full
        name = command.name
        summary = command.summary
        examples = isFull ? Array(command.examples) : Array(command.examples.prefix(3))
        discussion = Prose(command.discussion + (isFull ? "\n\n" + command.details : ""))
        let answers = command.exitStatus.contains { $0.key == .negative }
        exitStatus = command.exitStatus.filter { isFull || answers && !Self.usualMeanings.contains($0.value) }
            .map { Prose.Entry(term: "\($0.key.rawValue)", explanation: $0.value) }
        switch command.action {
        case .run:
            usage = ([command.called, "[OPTIONS]"] + command.operands.map(\.usage)).joined(separator: " ")
            kind = "options"
            groups = Self.groups(of: command.allOptions.filter { isFull || $0.purpose != .common })
            hint = isFull ? nil : "More: savetool help options, --help-all."
        case .commands:
            usage = command.called + " COMMAND [OPTIONS] [FILE …]"
            kind = "commands"
            let sections = command.sections.map { section in
                Group(
                    title: section.title,
                    entries: section.commands.map { Prose.Entry(term: $0.word, explanation: $0.summary) },
                    isBrief: section.listing == .names && !isFull)
            }
            let isTool = command.name.isEmpty
            groups = isTool ? sections + [Self.topics] : sections
            hint =
                isTool
                ? "savetool FILE inspects a file. More: savetool COMMAND --help, savetool help TOPIC, --help-all."
                : "See also \(command.called) COMMAND --help."
        }
    }

    /// Creates the page of a topic.
    init(_ topic: HelpTopic) {
        name = topic.name
        summary = topic.summary
        usage = nil
        examples = Array(topic.examples)
        discussion = Prose(topic.text)
        kind = "options"
        groups = Self.groups(of: topic.options)
        exitStatus = []
        hint = nil
    }

    /// The meanings of the exit statuses 0 and 2 that a short page leaves to `help exit-codes`.
    private static let usualMeanings = ["done", "error"]

    private static func groups(of options: [Option]) -> [Group] {
        Option.Purpose.allCases.compactMap { purpose in
            let options = options.filter { $0.purpose == purpose }
            let entries = options.map { Prose.Entry(term: $0.synopsis, explanation: $0.help) }
            return entries.isEmpty ? nil : Group(title: purpose.rawValue, entries: entries)
        }
    }

    static let topicsTitle = "topics"

    private static let topics = Group(
        title: topicsTitle,
        entries: HelpTopic.all.map { Prose.Entry(term: $0.name, explanation: $0.summary) })
}

extension Option {
    /// The option in a list: `-o, --output FILE`, or `    --ignore PATTERN…` for an option that may be repeated.
    fileprivate var synopsis: String {
        let names = (letter.map { "-\($0), " } ?? "    ") + shown
        guard let value else { return names }
        return names + (impliedValue == nil ? " " + value : "[=\(value)]") + (isRepeatable ? "…" : "")
    }
}
