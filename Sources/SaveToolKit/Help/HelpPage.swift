/// A page of the help, as the terminal and `man` show it: all that there is to say of a command, a group of commands, or a
/// topic. It is made of the tables that the commands are run by.
struct HelpPage {
    /// What it is about: `scores add`, `addresses`; empty for the tool.
    let name: String
    let summary: String
    /// How the command is called; nil for a topic.
    let usage: String?
    let examples: KeyValuePairs<String, String>
    let discussion: Prose
    /// What the groups under the headings below are: `options`, `commands`.
    let kind: String
    /// Options or commands by what they are for.
    let groups: [Group]
    let exitStatus: [Prose.Entry]
    /// What to read next, in a sentence.
    let hint: String?

    struct Group {
        let title: String
        let entries: [Prose.Entry]
    }

    /// The page of a command, or of a group of commands.
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

    /// The page of a topic.
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
    /// `-o, --output FILE`, the names of all options one below the other.
    fileprivate var synopsis: String {
        let names = (letter.map { "-\($0), " } ?? "    ") + shown
        guard let value else { return names }
        return names + (impliedValue == nil ? " " + value : "[=\(value)]")
    }
}
