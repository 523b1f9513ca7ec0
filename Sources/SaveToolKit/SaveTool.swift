import SaveCodec

/// The command-line tool.
public enum SaveTool {
    static let version = "1.0.0"

    static let commands = [
        ConvertCommand.command, DiffCommand.command, EditCommand.command, GetCommand.command, GitSetupCommand.command,
        InsertCommand.command, InspectCommand.command, PatchCommand.command, RemoveCommand.command,
        RoundTripCommand.command,
        SchemaCommand.command, SetCommand.command, TextConvCommand.command, ValidateCommand.command,
    ]

    /// Runs the tool and returns its exit status: 0 done, 1 not there, 2 cannot.
    public static func run(_ invocation: Invocation) -> Int32 {
        do {
            return try dispatch(invocation).rawValue
        } catch let error as UsageError {
            invocation.say("savetool: " + error.sentence)
        } catch let error as FileError {
            invocation.say(error.name + ": " + error.sentence)
        } catch is ClosedPipe {
            // Whoever closed it has seen enough, and a pipeline that says so should succeed.
            return ExitStatus.done.rawValue
        } catch {
            invocation.say("savetool: \(error)")
        }
        return ExitStatus.cannot.rawValue
    }

    private static func dispatch(_ invocation: Invocation) throws -> ExitStatus {
        guard let first = invocation.arguments.first else {
            invocation.say(String(HelpPage.tool(commands).dropLast()))
            return .cannot
        }
        switch first {
        case "--version": try print("savetool \(version)\n", invocation)
        case "--help", "-h": try print(HelpPage.tool(commands), invocation)
        case "help": try help(invocation)
        default: return try runCommand(first, invocation)
        }
        return .done
    }

    private static func runCommand(_ name: String, _ invocation: Invocation) throws -> ExitStatus {
        let command = try command(name)
        guard let arguments = try Arguments.parse(invocation.arguments.dropFirst(), for: command) else {
            try print(HelpPage.command(command), invocation)
            return .done
        }
        return try command.run(arguments, invocation)
    }

    private static func help(_ invocation: Invocation) throws {
        guard invocation.arguments.count > 1, invocation.arguments[1] != "help" else {
            return try print(HelpPage.tool(commands), invocation)
        }
        try print(HelpPage.command(command(invocation.arguments[1])), invocation)
    }

    private static func command(_ name: String) throws(UsageError) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        if name.hasPrefix("-") {
            let suggestion = Suggestion.nearest(to: String(name.drop { $0 == "-" }), in: ["help", "version"])
            throw .unknownOption(name, suggestion: suggestion)
        }
        throw .unknownCommand(name, suggestion: Suggestion.nearest(to: name, in: commands.map(\.name) + ["help"]))
    }

    private static func print(_ text: String, _ invocation: Invocation) throws {
        try invocation.writeOutput { $0.write(text) }
    }
}
