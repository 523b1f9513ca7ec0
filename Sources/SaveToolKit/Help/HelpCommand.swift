import SaveCodec

/// `savetool help`: explains commands and topics.
enum HelpCommand {
    static let command = Command(
        name: "help", summary: "explain a command or a topic", operands: [.page.optional],
        examples: [
            "a command": "savetool help inspect",
            "a topic": "savetool help addresses",
            "the manual page of a command": "savetool help --man scores add > savetool-scores-add.1",
        ],
        discussion: """
            Shows the help of a command, as COMMAND --help does, or of a topic. --man prints a manual page with
            every detail: savetool help --man | man -l - shows the page of savetool itself.
            """,
        exitStatus: [.done: "done", .cannot: "no such command or topic"],
        options: [.man, .manFolder] + Option.onScreen,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if let folder = arguments.value(of: .manFolder) {
            guard arguments.has(.man) else { throw UsageError.needsOneOf(.manFolder, [.man]) }
            if let word = arguments.operands.first { throw UsageError.extraOperand(word) }
            return try writeManual(into: folder, invocation)
        }
        let page = try page(of: arguments.operands, arguments.has(.man) ? .full : .short)
        if arguments.has(.man) {
            try invocation.writeOutput { ManPageRenderer().render(page, to: &$0) }
        } else {
            try show(page, invocation)
        }
        return .done
    }

    /// Writes the manual pages of all commands and topics.
    private static func writeManual(into folder: String, _ invocation: Invocation) throws -> ExitStatus {
        let topics = HelpTopic.all.filter { !$0.isCommand }.map { HelpPage($0) }
        for page in SaveTool.command.all.map({ HelpPage($0, .full) }) + topics {
            try invocation.replace("\(folder)/\(page.manualName).\(page.manualSection)") {
                ManPageRenderer().render(page, to: &$0)
            }
        }
        return .done
    }

    static func show(_ page: HelpPage, _ invocation: Invocation) throws {
        try invocation.writeOutput { HelpTextRenderer(palette: invocation.palette).render(page, to: &$0) }
    }

    /// Returns the page of the command or topic that words name.
    static func page(
        of words: [String], _ extent: HelpPage.Extent = .short
    ) throws(UsageError) -> HelpPage {
        if words.count == 1, let topic = HelpTopic.all.first(where: { $0.name == words[0] }), !topic.isCommand {
            return HelpPage(topic)
        }
        let topics = HelpTopic.all.map(\.name)
        var command = SaveTool.command
        for word in words {
            guard command.isGroup else { throw UsageError.extraOperand(word) }
            if command.name.isEmpty, let error = OtherTools.error(forTool: word) { throw error }
            command = try command.subcommand(
                word, besides: command.name.isEmpty ? Dictionary(uniqueKeysWithValues: zip(topics, topics)) : [:])
        }
        return HelpPage(command, extent)
    }
}

extension Option {
    fileprivate static let man = Option("man", for: .output, help: "write a manual page")
    fileprivate static let manFolder = Option(
        "output-dir", name: "DIR", is: .folder, for: .destination, help: "write all manual pages into the folder DIR")
}

// MARK: Version

/// `savetool version`: prints the version.
enum VersionCommand {
    static let command = Command(
        name: "version", summary: "show the version", operands: [],
        examples: [
            "the version": "savetool version", "the same": "savetool --version", "as a short option": "savetool -V",
        ],
        discussion: "Prints the name and the version.",
        exitStatus: [.done: "done"], options: [],
        run: { arguments, invocation in
            if let word = arguments.operands.first { throw UsageError.extraOperand(word) }
            let commit = Version.commit.isEmpty ? "" : " (\(Version.commit))"
            try invocation.writeOutput { $0.write("savetool \(Version.current)\(commit)\n") }
            return .done
        })
}
