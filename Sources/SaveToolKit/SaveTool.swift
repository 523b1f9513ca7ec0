import SaveCodec

/// The command-line tool.
package enum SaveTool {
    static let version = "1.0.0"

    /// The tool as the group of its commands.
    static let command = Command(
        name: "", summary: "",
        discussion: """
            Opens the save games and high-score files of Cocoa games: property lists in binary, XML, JSON
            and OpenStep form.
            """,
        commands: [
            ConvertCommand.command, DiffCommand.command, EditCommand.command, GetCommand.command,
            GitSetupCommand.command, InsertCommand.command, InspectCommand.command, MergeCommand.command,
            PatchCommand.command, RemoveCommand.command, RoundTripCommand.command, SchemaCommand.command,
            ScoresCommand.command,
            SetCommand.command, TextConvCommand.command, ValidateCommand.command,
        ])

    /// Runs the tool and returns its exit status: 0 done, 1 not there, 2 cannot.
    package static func run(_ invocation: Invocation) -> Int32 {
        do {
            return try dispatch(invocation).rawValue
        } catch is ClosedPipe {
            // Whoever closed it has seen enough, and a pipeline that says so should succeed.
            return ExitStatus.done.rawValue
        } catch {
            say(error, invocation)
            return ExitStatus.cannot.rawValue
        }
    }

    /// Says what has gone wrong.
    static func say(_ error: any Error, _ invocation: Invocation) {
        switch error {
        case let error as UsageError: invocation.say("savetool: " + error.sentence)
        case let error as FileError: invocation.say(error.name + ": " + error.sentence)
        default: invocation.say("savetool: \(error)")
        }
    }

    private static func dispatch(_ invocation: Invocation) throws -> ExitStatus {
        switch invocation.arguments.first {
        case "--version": try print("savetool \(version)\n", invocation)
        case "help": try help(invocation)
        default: return try run(command, invocation.arguments[...], invocation)
        }
        return .done
    }

    /// Runs a command with the arguments behind its name, of a group the one that the next of them names.
    private static func run(
        _ command: Command, _ arguments: ArraySlice<String>, _ invocation: Invocation
    ) throws -> ExitStatus {
        switch command.action {
        case .commands(let commands):
            guard let first = arguments.first else {
                invocation.say(String(HelpPage.command(command).dropLast()))
                return .cannot
            }
            if first == "--\(Option.help.name)" || first == "-h" { break }
            return try run(find(first, in: commands, of: command), arguments.dropFirst(), invocation)
        case .run(let body):
            guard let parsed = try Arguments.parse(arguments, for: command) else { break }
            return try body(parsed, invocation)
        }
        try print(HelpPage.command(command), invocation)
        return .done
    }

    /// `savetool help`, and behind it the words of a command.
    private static func help(_ invocation: Invocation) throws {
        var command = command
        for word in invocation.arguments.dropFirst() where word != "help" {
            guard case .commands(let commands) = command.action else { throw UsageError.extraOperand(word) }
            command = try find(word, in: commands, of: command)
        }
        try print(HelpPage.command(command), invocation)
    }

    private static func find(
        _ word: String, in commands: [Command], of group: Command
    ) throws(UsageError) -> Command {
        if let command = commands.first(where: { $0.word == word }) { return command }
        let isTool = group.name.isEmpty
        if word.hasPrefix("-") {
            let options = isTool ? ["help", "version"] : ["help"]
            // What stands behind = is not quoted: it may be the salt of a leaderboard.
            let word = String(word.unicodeScalars.prefix { $0 != "=" })
            throw .unknownOption(word, suggestion: Suggestion.nearest(to: String(word.drop { $0 == "-" }), in: options))
        }
        let nearest = Suggestion.nearest(to: word, in: commands.map(\.word) + (isTool ? ["help"] : []))
        throw .unknownCommand(
            word, group: group.name, suggestion: nearest.map { isTool ? $0 : group.name + " " + $0 })
    }

    private static func print(_ text: String, _ invocation: Invocation) throws {
        try invocation.writeOutput { $0.write(text) }
    }
}
