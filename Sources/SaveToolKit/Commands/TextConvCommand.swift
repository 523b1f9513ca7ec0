import SaveCodec

/// `savetool textconv`: a save as lines, for `git diff`.
enum TextConvCommand {
    static let command = Command(
        name: "textconv", summary: "write a save as lines, for git diff", operands: "FILE",
        discussion: """
            Writes all that is in a save as lines of text that stay the same where the save does: keys in
            their order, no positions, no UIDs, archives and property lists in data opened. An object that
            is inserted adds its lines and changes no others.

            git calls this to show differences, see savetool help git-setup. A file that is no sound save
            is told in one line with its size, so that git can go on; the exit status is 0 then, too.

            Exit status: 0 done, 2 the file could not be opened.
            """,
        options: [.from, .raw, .maxDepth],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        guard let name = arguments.operands.first else { throw UsageError.missingOperand("FILE") }
        if arguments.operands.count > 1 { throw UsageError.extraOperand(arguments.operands[1]) }
        let bytes = try invocation.read(name)
        let limits = try arguments.limits()
        let source = try arguments.format(of: .from)
        try invocation.writeOutput { output in
            do {
                let format = try source ?? Format.recognize(bytes)
                let view = try invocation.view(
                    bytes, of: name, as: format, limits: limits, isRaw: arguments.has(.raw))
                var renderer = LineRenderer()
                try renderer.render(view, limits: limits, to: &output)
            } catch let error as Problem {
                let digest = String(Digest.of(bytes), radix: 16)
                output.write("not shown: \(error.description)\n\(Counted.of(bytes.count, "byte")), digest \(digest)\n")
            }
        }
        return .done
    }
}
