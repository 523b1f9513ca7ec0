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
        plan.report.listsChanges = !plan.report.isQuiet
        return try invocation.inFile(name) {
            try invocation.withoutLock(plan.written) {
                let file = try plan.read(invocation)
                try file.save.checkIsWritable()
                return try EditorSession(editing: file, by: plan, invocation).run()
            }
        }
    }
}

/// Edits a file in an editor: writes it as JSON, runs the editor until the text can be read, and applies the
/// differences.
final class EditorSession {
    private let file: SaveFile
    private let plan: EditPlan
    private let invocation: Invocation
    private let original: [UInt8]
    private let text: PrivateFile

    init(editing file: SaveFile, by plan: EditPlan, _ invocation: Invocation) throws {
        self.file = file
        self.plan = plan
        self.invocation = invocation
        original = try file.editableText()
        let folder = invocation.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        text = try FileError.naming(FileName.shown(folder)) { [original] () throws(SystemError) in
            try PrivateFile(named: Self.textName(for: file.name), in: folder, original)
        }
    }

    /// Returns the name of the text file.
    ///
    /// A long name is cut, because editors append to it for their own copies.
    private static func textName(for name: String) -> String {
        var name = FileSystem.name(of: name)
        while FileName.bytes(name).count > longestName { name.removeLast() }
        return name + ".json"
    }

    private static let longestName = 200

    func run() throws -> ExitStatus {
        switch try edit() {
        case .nothing(let reason):
            report("\(reason); nothing is written")
            return .done
        case .failed: return .cannot
        case .edited(let text): return try keepingText { try apply(text) }
        }
    }

    // MARK: Editing

    private enum Outcome {
        case nothing(String)
        case failed
        case edited(EditedText)
    }

    /// Opens the editor until the text can be read. Without a terminal the editor is probably a script, which would
    /// make the same mistake again, so it runs only once.
    private func edit() throws -> Outcome {
        var last = original
        while true {
            guard try openEditor() else {
                keepIfEdited()
                return .failed
            }
            let edited = EditorComment.removed(from: try onText { () throws(SystemError) in try text.read() })
            if edited == original { return .nothing("the text is unchanged") }
            if edited.allSatisfy(\.isXMLSpace) { return .nothing("the text is empty") }
            do throws(Problem) {
                return .edited(try file.values(ofEdited: edited, from: original))
            } catch {
                guard invocation.input.isTerminal, edited != last else { return keepFaulty(error) }
                last = edited
                let comment = EditorComment.text(for: error, in: FileSystem.name(of: text.path))
                try onText { () throws(SystemError) in try text.replace(with: comment + edited) }
            }
        }
    }

    /// Runs the editor. Returns whether it succeeded, and prints an error if not.
    private func openEditor() throws -> Bool {
        let names = ["VISUAL", "EDITOR"]
        let editor = names.compactMap { invocation.environment[$0] }.first { !$0.isEmpty } ?? "vi"
        let ending = try onText { () throws(SystemError) in
            try ChildProcess.run(shellCommand: editor, operand: text.path)
        }
        switch ending {
        case .status(0): return true
        case .status(let status): report("the editor exited with status \(status); nothing is written")
        case .signal(let signal): report("the editor was killed by signal \(signal); nothing is written")
        }
        return false
    }

    private func keepFaulty(_ problem: Problem) -> Outcome {
        invocation.printError(problem, in: text.path)
        keepText()
        return .failed
    }

    private func onText<Result>(_ body: () throws(SystemError) -> Result) throws -> Result {
        try FileError.naming(FileName.shown(text.path), body)
    }

    // MARK: Applying

    private func apply(_ text: EditedText) throws -> ExitStatus {
        file.report(text.roundings, invocation)
        for line in text.adaptedRuns { invocation.printError(file.line(line.address, line.sentence)) }
        let difference = Difference(file.view, text.view, options: .stored(as: file.format, file.format))
        guard !difference.isEmpty else {
            report("the values are the same as before; nothing is written")
            return .done
        }
        var draft = Draft(file.view)
        try draft.apply(difference)
        let edited = try draft.editedView(limits: plan.reading.limits)
        // The folder was not locked while the editor was open.
        let status = try invocation.whileReplacing { try plan.deliver(edited, of: file, invocation) }
        if status != .done { keepText() }
        return status
    }

    /// Runs `body`. If it throws, prints the error and keeps the text.
    private func keepingText(_ body: () throws -> ExitStatus) throws -> ExitStatus {
        do {
            return try invocation.inFile(file.name, body)
        } catch let error where error is FileProblem || error is FileError {
            invocation.printError(error)
            if invocation.replaced == nil { keepText() }
            return .cannot
        }
    }

    /// Keeps the text that was saved in an editor that failed.
    private func keepIfEdited() {
        guard let bytes = try? text.read() else { return }
        let edited = EditorComment.removed(from: bytes)
        if !edited.isEmpty, edited != original { keepText() }
    }

    private func keepText() {
        text.keep()
        report("the edited text is kept in \(FileName.shown(text.path))")
    }

    private func report(_ sentence: String) {
        invocation.printError("\(Invocation.shownName(file.name)): \(sentence)")
    }
}

extension SaveFile {
    /// Returns the text for the editor: graph JSON for an archive, with the runs of attributed strings; typed JSON for
    /// other files.
    fileprivate func editableText() throws(Problem) -> [UInt8] {
        if let archive = view.archive, let loss = GraphJSON.losses(in: archive).first { throw loss }
        var output = ByteWriter()
        var options = WriteOptions()
        options.showsRuns = true
        try view.write(as: .json, to: &output, options: options, limits: limits)
        return output.takeBytes()
    }

    /// Returns the values of an edited text. Values whose types the text does not state keep their previous types.
    fileprivate func values(ofEdited text: [UInt8], from original: [UInt8]) throws(Problem) -> EditedText {
        // Typed JSON refuses a mistyped date, which a detected dialect could read as a dictionary.
        let dialect = view.document.isPlainJSON ? JSON.Dialect.plain : .typed
        let document = try Document.readSave(text, as: .json, limits: limits, dialect: dialect)
        var given = ObjectView(document)
        if view.archive != nil {
            guard GraphJSON.isPresent(in: document) else {
                throw Problem(
                    "edit.no-graph", "the text is not graph JSON; keep its members $archiver and $top")
            }
            given = try ObjectView(of: document, limits: limits, isRaw: false)
        }
        let before = try Document.readSave(original, as: .json, limits: limits, dialect: dialect)
        let text =
            if let edited = try view.edited(to: document, from: before, limits: limits) { edited } else {
                EditedText(exactly: try given.storingRuns(limits: limits))
            }
        // Refuses edits that make an object inconsistent, such as an index set whose range count no longer fits its
        // data.
        if let fault = text.view.archive?.objectErrors.first, view.archive?.objectErrors.isEmpty ?? true { throw fault }
        return text
    }
}

/// The lines above a text in an editor that state an error. JSON has no comments, so they are removed before the text
/// is read:
///
///     // slot1.save.json:14:7: unexpected character '}'; expected a value
///     // …
///     {
private enum EditorComment {
    private static let sign = Array("//".utf8)

    /// Returns the lines for a problem. Its line number counts the added lines, too.
    static func text(for problem: Problem, in name: String) -> [UInt8] {
        var problem = problem
        if case .line(let line, let column) = problem.location { problem.location = .line(line + 2, column: column) }
        let lines = [
            ProblemLine.render(problem, in: name),
            "Correct the text and save it. To stop, leave it unchanged or empty it.",
        ]
        return Array(lines.map { "// \($0)\n" }.joined().utf8)
    }

    /// Returns the text without the lines at its start that begin with `//`.
    static func removed(from text: [UInt8]) -> [UInt8] {
        var rest = text[...]
        while rest.starts(with: sign) {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            rest = rest[end...].dropFirst()
        }
        return Array(rest)
    }
}
