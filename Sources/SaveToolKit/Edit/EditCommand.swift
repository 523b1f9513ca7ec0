import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool edit`: opens a file as JSON in an editor.
enum EditCommand {
    static let command = Command(
        name: "edit", summary: "edit a file as JSON in an editor", operands: [.file],
        examples: [
            "edit a save as JSON": "savetool edit swamp.save",
            "see what the edit would change": "savetool edit -n swamp.save",
            "write the edited save to another file": "savetool edit swamp.save -o new.save",
        ],
        discussion: """
            Opens a save as JSON in the editor that $VISUAL or $EDITOR names, otherwise vi, and writes the
            changes back. An archive appears as graph JSON, see savetool help json.

            If the text cannot be read, the editor opens again (only on a terminal) with the error in // lines at
            the top. If you leave the text unchanged or empty it, the save does not change. If the changes cannot
            be read or written, savetool keeps the text. See also savetool help editing.
            """,
        exitStatus: [.done: "done, or no change", .cannot: "error"],
        options: [], writing: .inPlace,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let name = try arguments.soleOperand("FILE")
        if name == "-" { throw UsageError.badOperand(name, "FILE", expected: "a file to be edited in place") }
        let plan = try EditPlan(name, arguments)
        plan.reportsChanges = !plan.isQuiet
        return try invocation.inFile(name) {
            try invocation.withoutLock(plan.written) {
                let file = try plan.read(invocation)
                try file.save.checkIsWritable()
                return try EditorSession(editing: file, by: plan, invocation).run()
            }
        }
    }
}
