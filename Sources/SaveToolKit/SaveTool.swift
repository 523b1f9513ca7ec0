import SaveCodec
import SaveOperations

/// The command-line tool.
package enum SaveTool {
    /// The tool's top-level group of commands.
    static let command = Command(
        name: "", summary: "open, change and compare the saves of Cocoa games",
        examples: [
            "show a save": "savetool swamp.save",
            "change a value": "savetool set -i swamp.save /root/charList/0/health 100",
            "compare two saves": "savetool diff swamp.save later.save",
        ],
        discussion: """
            Reads property lists in binary, XML, JSON and OpenStep form, and the keyed archives in them.
            """,
        sections: [
            Command.Section(
                title: "commands",
                entries: [
                    Command.Entry("inspect", InspectCommand.command),
                    Command.Entry("get", GetCommand.command),
                    Command.Entry("find", FindCommand.command),
                    Command.Entry("set", SetCommand.command),
                    Command.Entry("insert", InsertCommand.command),
                    Command.Entry("remove", RemoveCommand.command),
                    Command.Entry("edit", EditCommand.command),
                    Command.Entry("convert", ConvertCommand.command),
                    Command.Entry("diff", DiffCommand.command),
                    Command.Entry("merge", MergeCommand.command),
                    Command.Entry("validate", ValidateCommand.command),
                    Command.Entry("salvage", SalvageCommand.command),
                    Command.Entry("scores", ScoresCommand.command),
                ]),
            Command.Section(
                title: "plumbing",
                entries: [
                    Command.Entry("patch", PatchCommand.command),
                    Command.Entry("migrate", MigrateCommand.command),
                    Command.Entry("rename-class", RenameClassCommand.command),
                    Command.Entry("schema", SchemaCommand.command),
                    Command.Entry("roundtrip", RoundTripCommand.command),
                    Command.Entry("git-setup", GitSetupCommand.command),
                    Command.Entry("git-check", GitCheckCommand.command),
                    Command.Entry("textconv", TextConvCommand.command),
                    Command.Entry("completions", CompletionsCommand.command),
                    Command.Entry("help", HelpCommand.command),
                ], listing: .names),
            Command.Section(
                title: "",
                entries: [
                    Command.Entry("version", VersionCommand.command),
                    Command.Entry(CompleteCommand.word, CompleteCommand.command),
                ], listing: .hidden),
        ], forFiles: Command.Entry("inspect", InspectCommand.command))

    /// The commands that explain topics, by the name of the topic.
    private static var topics: [String: String] {
        Dictionary(uniqueKeysWithValues: HelpTopic.all.map { ($0.name, "\(HelpCommand.command.name) \($0.name)") })
    }

    /// Runs the tool and returns its exit status: 0 for success, 1 for a negative result, 2 for an error.
    package static func run(_ invocation: Invocation) -> Int32 {
        do {
            return try run(command, with: invocation.arguments[...], invocation).rawValue
        } catch is ClosedPipe {
            // The reader that closed the pipe has seen enough. A pipeline with `pipefail` should still succeed.
            return ExitStatus.done.rawValue
        } catch {
            invocation.printError(error)
            return ExitStatus.cannot.rawValue
        }
    }

    /// Runs the tool with the arguments and standard streams of the process, then ends the process.
    package static func main() -> Never {
        let variables =
            [
                "NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS", "SAVETOOL_PAGER", "PAGER", "VISUAL", "EDITOR",
                "TMPDIR", "GIT_PREFIX", "HOME", "PATH",
            ] + CGIRequest.variables
        if CurrentProcess.arguments.first == CompleteCommand.word {
            CurrentProcess.endQuietly(after: CompleteCommand.longestTime)
        }
        CurrentProcess.occupyClosedStreams()
        let environment = CurrentProcess.environment(variables)
        let progress = Progress(on: 2, environment: environment)
        CurrentProcess.end(
            run(
                Invocation(
                    arguments: CurrentProcess.arguments, environment: environment, input: .standard,
                    output: .standard(1, name: "<stdout>", over: progress),
                    standardError: .standard(2, name: "<stderr>", over: progress), progress: progress)))
    }

    /// Runs a command with the arguments after its name. For a group, the next argument names the command.
    private static func run(
        _ command: Command, with arguments: ArraySlice<String>, _ invocation: Invocation
    ) throws -> ExitStatus {
        switch command.action {
        case .commands(_, let forFiles):
            return try run(oneOf: command, orWithFile: forFiles, with: arguments, invocation)
        case .run(let body):
            let parsed = try Arguments.parse(arguments, for: command)
            if let extent = parsed.help { return try showHelp(of: command, extent, invocation) }
            do {
                try parsed.checkFiles(of: command)
                try parsed.checkOrder(of: command, invocation)
                invocation.coloring = try parsed.colorChoice()
                let mayPage = command.options.contains { $0.name == Option.noPager.name } && !parsed.has(.noPager)
                return try invocation.paging(mayPage) { try body(parsed, invocation) }
            } catch let error as UsageError {
                throw error.suggesting(error.suggestion.flatMap { parsed.nearest(to: $0, invocation) }).of(command)
            }
        }
    }

    /// Runs the command that the first argument names. Runs `forFiles` instead if that argument is a file or an option
    /// of `forFiles`.
    private static func run(
        oneOf group: Command, orWithFile forFiles: Command.Entry, with arguments: ArraySlice<String>,
        _ invocation: Invocation
    ) throws -> ExitStatus {
        let isTool = group.name.isEmpty
        let rest = arguments.dropFirst()
        switch arguments.first {
        case nil:
            var page = ByteWriter()
            HelpTextRenderer(palette: Palette(isColored: false)).render(HelpPage(group), to: &page)
            try? invocation.standardError.write(page.takeBytes().span)
            return .cannot
        case "--help", "-h": return try showHelp(of: group, .short, invocation)
        case "--help-all": return try showHelp(of: group, .full, invocation)
        case HelpCommand.command.word where !isTool:
            return try run(HelpCommand.command, with: [group.word] + rest, invocation)
        case "--version" where isTool, "-V" where isTool:
            return try run(VersionCommand.command, with: rest, invocation)
        case let word?:
            let isCommand = group.entries.contains { $0.word == word }
            if isTool, let command = OtherTools.equivalent(ofOptions: arguments) {
                throw UsageError.unknownOption(word, of: group, suggestion: command)
            }
            if !isCommand, isFile(word, invocation) || forFiles.command.takes(word) {
                return try run(forFiles.command, with: arguments, invocation)
            }
            if isTool, !isCommand, let error = OtherTools.error(forTool: word) { throw error }
            if isTool, !isCommand, let command = OtherTools.equivalent(ofWord: word, rest) {
                let names = [command] + group.commands.flatMap(\.commands).filter { $0.word == word }.map(\.name)
                throw UsageError.unknownCommand(word, of: group, suggestion: UsageError.list(names))
            }
            return try run(group.subcommand(word, besides: isTool ? topics : [:]), with: rest, invocation)
        }
    }

    /// Whether the first argument of a group is a file, or precedes one, rather than a command: it exists, or looks like
    /// a path.
    private static func isFile(_ word: String, _ invocation: Invocation) -> Bool {
        if word.hasPrefix("-") { return word == "-" || word == "--" }
        if word.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }) { return true }
        return !word.isEmpty && (try? FileSystem.status(invocation.path(word))) != nil
    }

    private static func showHelp(
        of command: Command, _ extent: HelpPage.Extent, _ invocation: Invocation
    ) throws -> ExitStatus {
        try invocation.paging(true) {
            try HelpCommand.show(HelpPage(command, extent), invocation)
        }
        return .done
    }
}

extension Command {
    /// Returns the command of this group that a word names.
    ///
    /// - Parameter others: Other words that the user may have meant, with the suggestion for each. They are only built
    ///   for an unknown word.
    func subcommand(
        _ word: String, besides others: @autoclosure () -> [String: String] = [:]
    ) throws(UsageError) -> Command {
        if let command = command(word) { return command }
        if word.hasPrefix("-") {
            let options = name.isEmpty ? ["help", "help-all", "version"] : ["help", "help-all"]
            // The text after = is not quoted, because it may be the salt of a leaderboard.
            let word = String(word.unicodeScalars.prefix { $0 != "=" })
            let nearest = Suggestion.nearest(to: String(word.drop { $0 == "-" }), in: options)
            throw .unknownOption(word, of: self, suggestion: nearest.map { "--" + $0 })
        }
        let prefix = name.isEmpty ? "" : name + " "
        let names = sections.flatMap(\.entries).map { prefix + $0.word }
        let deeper = commands.flatMap(\.commands).first { $0.word == word }?.name
        if let nearest = deeper ?? Suggestion.nearest(to: prefix + word, in: names) {
            throw .unknownCommand(prefix + word, of: self, suggestion: nearest)
        }
        let others = others()
        let other = Suggestion.nearest(to: word, in: others.keys.sorted()).flatMap { others[$0] }
        throw .unknownCommand(prefix + word, of: self, suggestion: other)
    }

    /// Whether an argument is one of the command's options.
    fileprivate func takes(_ argument: String) -> Bool {
        option(spelled: String(argument.unicodeScalars.prefix { $0 != "=" })) != nil
    }
}
