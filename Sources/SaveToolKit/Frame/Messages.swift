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
    /// Prints a line on standard error. A failure there has nowhere to be reported.
    func printError(_ line: String) {
        try? standardError.write((line + "\n").utf8.span)
    }

    /// Prints a problem of a file, with a word such as `warning` before the sentence.
    func printError(_ problem: Problem, in name: String, as word: String? = nil) {
        printError(ProblemLine.render(problem, in: name, as: word, messagePalette))
    }

    /// Prints what has gone wrong.
    func printError(_ error: any Error) {
        let palette = messagePalette
        switch error {
        case let error as UsageError: printError(palette.text("savetool:", in: .error) + " " + error.message)
        case let error as FileError: printError(palette.text(error.beginning, in: .error) + " " + error.sentence)
        case let error as FileProblem:
            printError(error.problem, in: error.name)
            if let advice = error.problem.kind.advice { printError("\(Self.shownName(error.name)): \(advice)") }
        default: printError("savetool: \(error)")
        }
    }

    /// Prints the first of some warnings, and how many more there are.
    ///
    /// - Parameter count: how many there are in all, if not all are given.
    func warn(_ problems: [Problem], count: Int? = nil, in name: String) {
        for problem in problems.prefix(Self.shownWarnings) { printError(problem, in: name, as: "warning") }
        if problems.count > Self.shownWarnings {
            let rest = (count ?? problems.count) - Self.shownWarnings
            printError("\(Self.shownName(name)): … and \(rest) more warnings")
        }
    }

    static let shownWarnings = 10
}

extension Problem.Kind {
    /// Which option helps against a problem; nil if none does.
    fileprivate var advice: String? {
        if isOf(.archive) {
            return "not a sound keyed archive; \(Option.raw.shown) takes it as the property list that it is stored as"
        }
        if isDatabaseDamage {
            return "damaged; \(Option.raw.shown) reads what can be read, and tells what it leaves out"
        }
        let raised = [
            "limit.expansion", "limit.nested", "limit.output", "limit.overlap", "limit.references", "limit.stream",
            "limit.unwrapped", "limit.values", "pattern.ways",
        ]
        return raised.contains(id) ? "\(Option.maxWork.shown) N allows N times as much, for a file that you trust" : nil
    }
}

// MARK: - Files

extension Invocation {
    /// Does something with a file, whose problems are thrown with its name.
    func inFile<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as Problem {
            throw FileProblem(name: name, problem: problem)
        }
    }

    /// Does one thing with each file, standard input if there is none. A file that fails does not stop the others; the
    /// gravest result counts.
    ///
    /// - Parameter output: the file that what is made of one is written to; nil for none.
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

    /// Does one thing with each file, likewise.
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

    /// The files that operands stand for: of a folder the saves in it; none for no operand.
    ///
    /// - Parameter besides: a folder that is left out where it is in another one.
    func saves(in operands: [String], besides other: String? = nil) throws(UsageError) -> [InputFile] {
        var inputs = InputList(from: folder)
        if let other { inputs.leaveOut(other, unlessIn: operands) }
        for operand in operands { inputs.add(operand) }
        let files = inputs.files.filter { !$0.isFound || $0.failure != nil || FoundFile.isSave($0.name, from: folder) }
        guard !files.isEmpty || operands.isEmpty else {
            throw UsageError("there is nothing to read: no save, property list or JSON is in what was named")
        }
        return files
    }

    /// Tells a person who named no file that the tool waits for one.
    func announceInput() {
        if input.isTerminal { printError("savetool: reads standard input, as no file is named; Ctrl-D ends it") }
    }

    /// Opens a save, and prints what its reader warns of.
    ///
    /// - Parameter title: what messages call it; nil for its name.
    func open(_ name: String, titled title: String? = nil, _ reading: FileReading) throws -> Save {
        try open(read(name), of: title ?? name, reading)
    }

    /// Opens the save in the bytes of a file, and prints what its reader warns of.
    func open(_ bytes: [UInt8], of name: String, _ reading: FileReading) throws(Problem) -> Save {
        let save = try reading.ofFile(named: name, bytes).open(bytes) { warn($0, in: name) }
        report(save.wrapping, in: name)
        return save
    }

    /// Says once of a file that what is read is in layers.
    func report(_ wrapping: Layers, in name: String) {
        guard !wrapping.isEmpty, unwrapped.insert(name).inserted else { return }
        printError("\(Self.shownName(name)): what is in the \(wrapping.title) is read")
    }
}

extension SourceLocation {
    /// Whether it is a line and a column of the file itself.
    var isLine: Bool {
        if case .line = self { true } else { false }
    }
}

/// A problem as a line: `slot1.save: byte 0x1A4F: …`, `prefs.plist:12:7: …`, `slot1.save: /root/name: …`.
enum ProblemLine {
    /// Renders a problem of the file `name`; a word such as `warning` stands before the sentence.
    static func render(
        _ problem: Problem, in name: String, as word: String? = nil, _ palette: Palette = .plain
    ) -> String {
        var line = palette.text(self.file(name, problem.place) + ":", in: word == nil ? .error : .heading)
        if let word { line += " " + palette.text(word + ":", in: .warning) }
        if let place = problem.place, !place.isLine { line += " \(place):" }
        if let address = problem.address { line += " " + palette.text(Shortened.address(address) + ":", in: .key) }
        return line + " " + problem.message
    }

    /// The name of a file, with the line and the column of a place that is in it.
    static func file(_ name: String, _ place: SourceLocation?) -> String {
        guard let place, place.isLine else { return Invocation.shownName(name) }
        return "\(Invocation.shownName(name)):\(place)"
    }

    /// What a message begins with that is about a place in a file.
    static func beginning(_ name: String, _ place: SourceLocation) -> String {
        file(name, place) + (place.isLine ? "" : ": \(place)")
    }
}
