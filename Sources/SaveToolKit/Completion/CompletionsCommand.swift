import SaveCodec
import SaveOperations

/// `savetool completions`: prints what makes a shell complete the arguments of the tool.
enum CompletionsCommand {
    static let command = Command(
        name: "completions", summary: "complete arguments in bash, zsh and fish", operands: [.shell],
        examples: [
            "for bash, in its folder of completions": "savetool completions bash > savetool",
            "for zsh, in a folder of $fpath": "savetool completions zsh > _savetool",
            "for fish, in ~/.config/fish/completions": "savetool completions fish > savetool.fish",
        ],
        discussion: """
            Prints a script for bash, zsh or fish that completes commands, options, their values, names of
            files, and addresses in the file that is named before. It asks the tool itself, so it need not be
            made anew with a new version.

            Instead of keeping it in a file, a shell can read it as it starts:

                bash  source <(savetool completions bash)
                zsh   source <(savetool completions zsh), behind compinit
                fish  savetool completions fish | source

            Addresses are completed in files of up to 16 MB that are read within a fifth of a second.
            """,
        exitStatus: [.done: "done", .cannot: "there is no script for the shell"], options: [],
        run: { arguments, invocation in
            let name = try arguments.soleOperand("SHELL")
            let names = CompletionShell.allCases.map(\.rawValue)
            guard let shell = CompletionShell(rawValue: name) else {
                let nearest = Suggestion.sentence(Suggestion.nearest(to: name, in: names))
                throw UsageError.badOperand(name, "SHELL", expected: UsageError.list(names) + nearest)
            }
            try invocation.writeOutput { $0.write(shell.script) }
            return .done
        })
}

/// A shell that completes arguments.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish
}
