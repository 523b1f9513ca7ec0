import KeyedArchives
import SaveCodec
import SaveOperations

/// A problem, and the file that it is in.
struct FileProblem: Error {
    let name: String
    let problem: Problem
}

// MARK: - Standard error

extension Invocation {
    /// Prints a line on standard error. Failures to write are ignored, as they cannot be reported.
    func printError(_ line: String) {
        try? standardError.write((line + "\n").utf8.span)
    }

    /// Prints a problem of a file, with a word such as `warning` before the message.
    func printError(_ problem: Problem, in name: String, as word: String? = nil) {
        printError(ProblemLine.render(problem, in: name, as: word, messagePalette))
    }

    /// Prints an error.
    func printError(_ error: any Error) {
        let palette = messagePalette
        switch error {
        case let error as UsageError: printError(palette.text("savetool:", in: .error) + " " + error.message)
        case let error as FileError: printError(palette.text(error.beginning, in: .error) + " " + error.sentence)
        case let error as FileProblem:
            printError(error.problem, in: error.name)
            let name = Self.shownName(error.name)
            let advice = error.problem.kind.advice
            if salvageHelps(with: error) {
                let file = error.name.hasPrefix("-") ? "./" + error.name : error.name
                let command = "savetool salvage \(Shell.word(file) ?? "FILE") -o OUT"
                printError("\(name): \(advice.map { $0 + ", or " } ?? "use ")\(command) to get back what is left")
            } else if let advice {
                printError("\(name): \(advice)")
            }
        default: printError("savetool: \(error)")
        }
    }

    /// Returns the advice to repair a damaged file.
    static var salvageAdvice: String {
        "to get back what is left of a damaged file, use savetool salvage FILE -o OUT"
    }

    /// The commands that read many files, or run inside git, and report each file on one line.
    private static let briefCommands = ["find", "git-check", "textconv"]

    /// Whether `salvage` gets back a part of a file that cannot be read.
    private func salvageHelps(with error: FileProblem) -> Bool {
        guard !Self.briefCommands.contains(arguments.first ?? ""), error.name != "-", error.problem.kind.mayBeDamage,
            let file = try? readRegular(error.name)
        else {
            return false
        }
        return SalvagedSave.helps(with: error.problem.kind, in: file, ReadOptions())
    }

    /// Prints the first of some warnings, and the number of others.
    ///
    /// - Parameter count: The total number, if not all are passed.
    func warn(_ problems: [Problem], count: Int? = nil, in name: String) {
        var problems = problems
        if let (warning, comments, commas) = Problem.joinedJSONExtras(in: problems) {
            problems[comments] = warning
            problems.remove(at: commas)
        }
        for problem in problems.prefix(Self.shownWarnings) { printError(problem, in: name, as: "warning") }
        if problems.count > Self.shownWarnings {
            let rest = (count ?? problems.count) - Self.shownWarnings
            printError("\(Self.shownName(name)): … and \(Phrase.count(rest, "more warning"))")
        }
    }

    static let shownWarnings = 10
}

extension Problem.Kind {
    /// The advice for a problem, which names an option that helps; nil if no option does.
    fileprivate var advice: String? {
        if isOf(.archive) {
            return "not a valid keyed archive; use \(Option.raw.shown) to read the property list that stores it"
        }
        if isDatabaseDamage {
            return "damaged; use \(Option.raw.shown) to read what is intact and list what is left out"
        }
        return limitAdvice
    }

    /// The advice to raise the limit that is exceeded, or nil for any other problem.
    var limitAdvice: String? {
        let raised = [
            "limit.expansion", "limit.nested", "limit.output", "limit.overlap", "limit.references", "limit.stream",
            "limit.unwrapped", "limit.values", "pattern.ways",
        ]
        return raised.contains(id)
            ? "if you trust the file, use \(Option.maxWork.shown) N to multiply the limit by N" : nil
    }
}

// MARK: - Files

extension Invocation {
    /// Runs `body`, and rethrows a problem with the file's name.
    func inFile<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as Problem {
            throw FileProblem(name: name, problem: problem)
        }
    }

    /// Runs `body` for each file, or for standard input if there are no names. A file that fails does not stop the
    /// others, and the worst status is returned.
    ///
    /// - Parameter output: Returns the path that the result of a file is written to, or nil for none.
    func forEachFile(
        _ names: [String], writing output: (String) -> String? = { _ in nil }, _ body: (String) throws -> ExitStatus
    ) throws -> ExitStatus {
        if names.isEmpty { announceInput() }
        var status = ExitStatus.done
        defer { progress?.note(0, of: 0) }
        for (position, name) in (names.isEmpty ? ["-"] : names).enumerated() {
            progress?.note(position, of: names.count)
            do {
                let result = try inFile(name) {
                    try whileEditing(output(name), reading: [name]) {
                        try during("working on", name) { try body(name) }
                    }
                }
                status = max(status, result)
            } catch let error where error is FileProblem || error is FileError {
                printError(error)
                status = .cannot
            } catch is ClosedPipe {
                return status
            }
        }
        return status
    }

    /// Runs `body` for each input file, like ``forEachFile(_:writing:_:)``, but reports a file that could not be found
    /// or listed without running `body`.
    func forEachSave(
        _ files: [InputFile], writing output: (String) -> String? = { _ in nil },
        _ body: (String) throws -> ExitStatus
    ) throws -> ExitStatus {
        var rest = files[...]
        return try forEachFile(files.map(\.name), writing: output) { name in
            try rest.popFirst()?.checkFailure()
            return try body(name)
        }
    }

    /// Returns the files that operands name, and the saves in the folders that they name. Empty without operands.
    ///
    /// - Parameters:
    ///   - other: A folder to leave out if it is inside a folder that an operand names.
    ///   - withLinks: Whether to return the symbolic links in folders. Their targets are in the same folders, and a
    ///     command that replaces files must do so under their own names.
    ///   - reading: The settings for the files. If they pass through a filter, its output shows which are saves.
    ///   - reporting: When to print the number of skipped files; nil for never.
    func saves(
        in operands: [String], besides other: String? = nil, withLinks: Bool = true, _ reading: FileReadOptions,
        reporting: SkippedFiles.Reporting? = .withoutSaves
    ) throws(UsageError) -> [InputFile] {
        var inputs = InputList(from: folder, reading)
        if let other { inputs.leaveOut(other, unlessIn: operands) }
        for operand in operands { inputs.add(operand) }
        var skipped = SkippedFiles()
        let files = inputs.files.filter {
            if !$0.isFound || $0.failure != nil { return true }
            let isSave = !$0.isBroken && isSave($0)
            skipped.note($0, isSave: isSave)
            return isSave && (withLinks || !$0.isLink)
        }
        if let reporting { skipped.report(reporting, self) }
        guard !files.isEmpty || operands.isEmpty else {
            throw UsageError.nothing(to: "read")
        }
        return files
    }

    private func isSave(_ file: InputFile) -> Bool {
        guard file.filtering != nil, !SaveDetection.hasKnownExtension(file.name) else {
            return SaveDetection.isSave(file.name, from: folder)
        }
        return (try? readRegular(file.name)).map(file.isSave) ?? false
    }

    /// Prints a note that the tool waits for input, if no file is named and standard input is a terminal.
    func announceInput() {
        if input.isTerminal { printError("savetool: no file is named; reading standard input until Ctrl-D") }
    }

    /// Opens a save, and prints the warnings of its reader.
    ///
    /// - Parameter title: The name in messages, or nil to use `name`.
    func open(_ name: String, titled title: String? = nil, _ reading: FileReadOptions) throws -> Save {
        try open(read(name), of: title ?? name, reading)
    }

    /// Opens the save in the bytes of a file, and prints the warnings of its reader.
    func open(_ bytes: [UInt8], of name: String, _ reading: FileReadOptions) throws(Problem) -> Save {
        let save = try reading.ofFile(named: name, bytes).open(bytes) { warn($0, in: name) }
        report(save.layers, in: name)
        return save
    }

    /// Prints, once for each file, that the file is in layers.
    func report(_ layers: Layers, in name: String) {
        guard !layers.isEmpty, unwrapped.insert(name).inserted else { return }
        printError("\(Self.shownName(name)): reading the contents of the \(layers.title)")
    }
}

extension SourceLocation {
    /// Whether the location is a line and a column.
    var isLine: Bool {
        if case .line = self { true } else { false }
    }
}

/// The line that reports a problem: `slot1.save: byte 0x1A4F: …`, `prefs.plist:12:7: …`, `slot1.save: /root/name: …`.
enum ProblemLine {
    /// Returns the line for a problem of the file `name`, with a word such as `warning` before the message.
    static func render(
        _ problem: Problem, in name: String, as word: String? = nil, _ palette: Palette = .plain
    ) -> String {
        var line = palette.text(self.file(name, problem.location) + ":", in: word == nil ? .error : .heading)
        if let word { line += " " + palette.text(word + ":", in: .warning) }
        return line + details(problem, palette)
    }

    /// Returns the reason why a file could not be read, without its name: `12:7: …`; nil for another error.
    static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as FileError: error.sentence
        case let error as FileProblem: reason(error.problem)
        case let problem as Problem: reason(problem)
        default: nil
        }
    }

    private static func reason(_ problem: Problem) -> String {
        let line = problem.location.flatMap { $0.isLine ? "\($0):" : nil } ?? ""
        let reason = line + details(problem, .plain)
        return line.isEmpty ? String(reason.dropFirst()) : reason
    }

    /// Returns the location unless it is a line, the address and the message, after a space.
    private static func details(_ problem: Problem, _ palette: Palette) -> String {
        var line = ""
        if let location = problem.location, !location.isLine { line += " \(location):" }
        if let address = problem.address { line += " " + palette.text(TruncatedText.address(address) + ":", in: .key) }
        return line + " " + problem.message
    }

    /// Returns the name of a file, with a line and column if the location has them.
    static func file(_ name: String, _ location: SourceLocation?) -> String {
        guard let location, location.isLine else { return Invocation.shownName(name) }
        return "\(Invocation.shownName(name)):\(location)"
    }

    /// Returns the beginning of a message about a location in a file.
    static func beginning(_ name: String, _ location: SourceLocation) -> String {
        file(name, location) + (location.isLine ? "" : ": \(location)")
    }
}
