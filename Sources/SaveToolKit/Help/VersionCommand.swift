import SaveCodec

/// `savetool version`: says which version it is.
enum VersionCommand {
    static let command = Command(
        name: "version", summary: "show the version", operands: [],
        examples: [
            "the version": "savetool version", "the same": "savetool --version", "the same, as a letter": "savetool -V",
        ],
        discussion: "Prints the name of the tool and its version.",
        exitStatus: [.done: "done"], options: [],
        run: { arguments, invocation in
            if let word = arguments.operands.first { throw UsageError.extraOperand(word) }
            let commit = Version.commit.isEmpty ? "" : " (\(Version.commit))"
            try invocation.writeOutput { $0.write("savetool \(Version.current)\(commit)\n") }
            return .done
        })
}
