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
