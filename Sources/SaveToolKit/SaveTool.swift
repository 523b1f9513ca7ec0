import SaveCodec
import SaveOperations

/// The command-line tool.
package enum SaveTool {
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

    /// Runs the tool and returns its exit status: 0 done, 1 not so, 2 cannot.
    package static func run(_ invocation: Invocation) -> Int32 {
        do {
            return try dispatch(invocation).rawValue
        } catch is ClosedPipe {
            // Whoever closed it has seen enough, and a pipeline that says so should succeed.
            return ExitStatus.done.rawValue
        } catch {
            invocation.printError(error)
            return ExitStatus.cannot.rawValue
        }
    }

    /// Runs the tool with the arguments and streams of the process, and ends the process.
    package static func main() -> Never {
        let variables = ["NO_COLOR", "COLUMNS", "VISUAL", "EDITOR", "TMPDIR", "GIT_PREFIX"] + CGIRequest.variables
        Process.occupyClosedStreams()
        Process.end(
            run(
                Invocation(
                    arguments: Process.arguments, environment: Process.environment(variables),
                    input: .standard, output: .standard(1, name: "<stdout>"),
                    standardError: .standard(2, name: "<stderr>"))))
    }

    private static func dispatch(_ invocation: Invocation) throws -> ExitStatus {
        switch invocation.arguments.first {
        case "--version": try invocation.writeOutput { $0.write("savetool \(Version.current)\n") }
        case "help": try help(invocation)
        default: return try run(command, with: invocation.arguments[...], invocation)
        }
        return .done
    }

    /// Runs a command with the arguments behind its name, of a group the one that the next of them names.
    private static func run(
        _ command: Command, with arguments: ArraySlice<String>, _ invocation: Invocation
    ) throws -> ExitStatus {
        switch command.action {
        case .commands(let commands):
            guard let first = arguments.first else {
                invocation.printError(String(HelpPage.command(command).dropLast()))
                return .cannot
            }
            if first == Option.help.shown || first == "-h" { break }
            return try run(find(first, in: commands, of: command), with: arguments.dropFirst(), invocation)
        case .run(let body):
            guard let parsed = try Arguments.parse(arguments, for: command) else { break }
            do {
                return try body(parsed, invocation)
            } catch let error as UsageError where error.meant != nil {
                throw error.meaning(error.meant.map { parsed.nearest(to: $0, invocation) })
            }
        }
        try invocation.writeOutput { $0.write(HelpPage.command(command)) }
        return .done
    }

    /// `savetool help`, and behind it the words of a command.
    private static func help(_ invocation: Invocation) throws {
        var command = command
        for word in invocation.arguments.dropFirst() where word != "help" {
            guard case .commands(let commands) = command.action else { throw UsageError.extraOperand(word) }
            command = try find(word, in: commands, of: command)
        }
        try invocation.writeOutput { $0.write(HelpPage.command(command)) }
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
        let called = isTool ? "" : group.name + " "
        throw UsageError(
            "there is no command \(UsageError.quoted(called + word))"
                + UsageError.advice(nearest.map { called + $0 }, help: "savetool \(called)--help"))
    }
}
