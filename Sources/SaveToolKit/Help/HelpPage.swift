/// A page of the help about a command, a group of commands, or a topic, for the terminal and for `man`.
///
/// It is built from the tables by which the commands are run.
struct HelpPage {
    /// The command or topic, such as `scores add` or `addresses`; empty for the tool.
    let name: String
    let summary: String
    /// The usage line, or nil for a topic.
    let usage: String?
    let examples: KeyValuePairs<String, String>
    let discussion: Prose
    /// The kind of entries in the groups: `options` or `commands`.
    let kind: String
    /// The options or commands by purpose.
    let groups: [Group]
    let exitStatus: [Prose.Entry]
    /// A sentence about further help, or nil.
    let hint: String?

    struct Group {
        let title: String
        let entries: [Prose.Entry]
    }

    /// Creates the page of a command, or of a group of commands.
    init(_ command: Command) {
        name = command.name
        summary = command.summary
        examples = command.examples
        discussion = Prose(command.discussion)
        exitStatus = command.exitStatus.map { Prose.Entry(term: "\($0.key.rawValue)", explanation: $0.value) }
        switch command.action {
        case .run:
            usage = ([command.called, "[OPTIONS]"] + command.operands.map(\.usage)).joined(separator: " ")
            kind = "options"
            groups = Self.options(of: command)
            hint = nil
        case .commands:
            usage = command.called + " COMMAND [OPTIONS] [FILE …]"
            kind = "commands"
            let sections = command.sections.map { section in
                Group(
                    title: section.title,
                    entries: section.commands.map { Prose.Entry(term: $0.word, explanation: $0.summary) })
            }
            let isTool = command.name.isEmpty
            groups = isTool ? sections + [Self.topics] : sections
            hint =
                isTool
                ? "savetool FILE inspects a file. savetool COMMAND --help and savetool help TOPIC tell more."
                : "\(command.called) COMMAND --help explains a command."
        }
    }

    /// Creates the page of a topic.
    init(_ topic: HelpTopic) {
        name = topic.name
        summary = topic.summary
        usage = nil
        examples = topic.examples
        discussion = Prose(topic.text)
        kind = ""
        groups = []
        exitStatus = []
        hint = nil
    }

    private static func options(of command: Command) -> [Group] {
        Option.Purpose.allCases.compactMap { purpose in
            let options = command.allOptions.filter { $0.purpose == purpose }
            let entries = options.map { Prose.Entry(term: $0.synopsis, explanation: $0.help) }
            return entries.isEmpty ? nil : Group(title: purpose.rawValue, entries: entries)
        }
    }

    static let topicsTitle = "topics of help"

    private static let topics = Group(
        title: topicsTitle,
        entries: HelpTopic.all.map { Prose.Entry(term: $0.name, explanation: $0.summary) })
}

extension Option {
    /// The names of the option: `-o, --output FILE`. Missing letters are filled with spaces, so that long names are
    /// aligned.
    fileprivate var synopsis: String {
        let names = (letter.map { "-\($0), " } ?? "    ") + shown
        guard let value else { return names }
        return names + (impliedValue == nil ? " " + value : "[=\(value)]")
    }
}
