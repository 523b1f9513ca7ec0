/// The help of the tool and of its commands, made from their declarations.
enum HelpPage {
    /// `savetool --help`.
    static func tool(_ commands: [Command]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { "  " + padded($0.name, to: width) + "  " + $0.summary + "\n" }
        return """
            usage: savetool COMMAND [options] [FILE …]

            Opens the save games and high-score files of Cocoa games: property lists in binary, XML, JSON
            and OpenStep form.

            commands:
            \(lines.joined())
            savetool COMMAND --help explains a command; savetool --version shows the version.

            """
    }

    /// `savetool COMMAND --help`.
    static func command(_ command: Command) -> String {
        """
        usage: savetool \(command.name) [options] \(command.operands)

        \(command.discussion)

        options:
        \((command.options + [.help]).map(line).joined())
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
