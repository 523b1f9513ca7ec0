import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool salvage`: gets back what is left of a damaged save.
enum SalvageCommand {
    static let command = Command(
        name: "salvage", summary: "get back what is left of a damaged save", operands: [.file],
        examples: [
            "see what can be saved": "savetool salvage damaged.save",
            "write a file that reads again": "savetool salvage damaged.save -o salvaged.save",
            "fill in what is lost from an older copy":
                "savetool salvage damaged.save --like swamp.save --fill -o salvaged.save",
        ],
        discussion: """
            Repairs a file that cannot be read, and reports what is lost. The damaged file is never changed: -o
            writes another one.

            A repair is exact if the file's own structure proves it: text before a save, bytes after a binary one,
            line ends converted to CRLF, conversion to UTF-8 or UTF-16, a damaged trailer or offset table.
            Otherwise everything that still reads is kept, and null, or an empty string in XML and OpenStep,
            stands for each value that does not. A kept value that may be wrong is doubtful.

            --like OTHER shows what an older copy of the save has in place of each loss. --fill copies
            lost values, keys and classes from there.

            Damage inside a text or a number may leave no sign.
            """,
        details: """
            A lost key becomes "lost key N", and a lost class becomes LostClass. The objects of an archive keep
            their numbers.

            With -o - the report goes to standard error. Layers such as gzip are put around the result again. In
            the JSON report, start and end are byte offsets inside the layers, after removed bytes; its schema is
            Fixtures/schemas/salvage.schema.json.
            """,
        exitStatus: [
            .done: "the file is whole: it has no damage, or the repair is exact",
            .negative: "something is lost, or the repair is not proved",
            .cannot: "error, or nothing can be read",
        ],
        options: [
            .salvageFormat, .fullPath, .output, .backup, .newOwner, .salvageLike, .fill, .from, .unwrap, .unwrapAt,
            .filterIn, .filterOut, .quiet,
            .raw, .maxDepth, .maxWork,
        ] + Option.onScreen,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try SalvagePlan(arguments, invocation)
        return try invocation.forEachFile([plan.file]) { name in
            var salvaged = try plan.salvage(name, invocation)
            try plan.compare(&salvaged, invocation)
            let report = plan.report(on: salvaged, of: name)
            if plan.writesToOutput {
                // Binary data is not written to a terminal. The report goes to standard error, so that the two are not
                // mixed.
                try invocation.checkTerminal(takes: salvaged.salvage.format)
                let file = try plan.filtered(salvaged.file)
                try invocation.writeOutput(as: salvaged.salvage.format) { $0.write(file) }
                if !plan.isQuiet { for line in report.lines { invocation.printError(line) } }
            } else {
                if let path = plan.output {
                    let file = try plan.filtered(salvaged.file)
                    try invocation.replace(path, by: plan.replacing) { $0.write(file) }
                    plan.warn(ofFormatOf: salvaged, at: path, of: name, invocation)
                }
                if !plan.isQuiet { try invocation.writeOutput { report.write(as: plan.outputFormat, to: &$0) } }
            }
            switch salvaged.confidence {
            case .undamaged, .proved: return .done
            case .complete, .partial: return .negative
            }
        }
    }
}

/// The checked arguments of `savetool salvage`.
final class SalvagePlan {
    /// The formats of the report.
    enum OutputFormat: String, CaseIterable {
        case text, json, html
    }

    let file: String
    let reading: FileReadOptions
    let outputFormat: OutputFormat
    /// The path of the repaired file; nil to write no file.
    let output: String?
    /// Whether the repaired file goes to standard output.
    let writesToOutput: Bool
    let replacing: ReplacementOptions
    /// The name of an older copy of the save, or nil.
    let other: String?
    /// Whether lost values are copied from the older copy.
    let fills: Bool
    /// Whether no report is printed.
    let isQuiet: Bool
    private let filterOut: Filter?
    private let hasFullPath: Bool
    private let palette: Palette

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        guard let file = arguments.operands.first else { throw UsageError.missingOperand("FILE") }
        if arguments.operands.count > 1 { throw UsageError.extraOperand(arguments.operands[1]) }
        self.file = file
        reading = try arguments.fileReading()
        outputFormat = try arguments.choice(of: .salvageFormat) ?? .text
        hasFullPath = arguments.has(.fullPath)
        try arguments.checkFit(outputFormat, of: .salvageFormat, [.fullPath: [.html]])
        output = arguments.outputPath
        writesToOutput = arguments.has(.output) && output == nil
        replacing = arguments.replacing
        other = arguments.value(of: .salvageLike)
        fills = arguments.has(.fill)
        isQuiet = arguments.has(.quiet)
        filterOut = try Filter(.filterOut, arguments)
        palette = writesToOutput ? invocation.messagePalette : invocation.palette
        if output == nil { try arguments.checkReplacing(with: [.output]) }
        if fills, other == nil { throw .needsOneOf(.fill, [.salvageLike]) }
        if file == "-", other == "-" { throw .inputTwice }
        if writesToOutput, outputFormat != .text {
            throw UsageError(
                "\(Option.salvageFormat.shown) \(outputFormat.rawValue) needs a file after \(Option.output.shown)")
        }
        if let output, invocation.isOne(output, of: [file]) {
            throw UsageError(
                "\(FileName.shown(output)) is the damaged file, which is never overwritten; expected another name")
        }
        if let output, let other, invocation.isOne(output, of: [other]) {
            throw UsageError(
                "\(FileName.shown(output)) is the file after \(Option.salvageLike.shown); expected another name")
        }
    }

    /// Repairs the damaged file.
    func salvage(_ name: String, _ invocation: Invocation) throws -> SalvagedSave {
        do {
            return try invocation.salvage(name, reading)
        } catch let problem as Problem where outputFormat == .json && !isQuiet {
            try invocation.writeOutput { SalvageReport.writeJSON(problem, of: name, to: &$0) }
            throw problem
        }
    }

    /// Returns the repaired file as it is written: piped through the user's program.
    func filtered(_ file: [UInt8]) throws(Problem) -> [UInt8] {
        try filterOut?.output(of: file, reading.limits) ?? file
    }

    /// Warns if the name of the result belongs to another format.
    func warn(ofFormatOf salvaged: SalvagedSave, at path: String, of name: String, _ invocation: Invocation) {
        guard let change = salvaged.formatChange, let ending = FileSystem.ending(of: path)?.lowercased(),
            !salvaged.salvage.format.definition.extensions.contains(ending),
            ending == FileSystem.ending(of: name)?.lowercased()
                || salvaged.originalFormat.definition.extensions.contains(ending)
        else { return }
        invocation.printError("\(Invocation.shownName(path)): warning: in spite of its name, this is \(change)")
    }

    func report(on salvaged: SalvagedSave, of name: String) -> SalvageReport {
        let other = other.map { SalvageReport.OlderCopy(name: $0, fills: fills) }
        return SalvageReport(salvaged, of: name, comparedWith: other, hasFullPath: hasFullPath, palette)
    }

    /// Finds the lost values in the older copy, and fills them in if that is requested.
    func compare(_ salvaged: inout SalvagedSave, _ invocation: Invocation) throws {
        guard let other, !salvaged.losses.isEmpty else { return }
        let older = try invocation.inFile(other) { try SaveFile(reading: other, reading, invocation).view }
        try salvaged.compare(with: older, fills: fills, limits: reading.limits)
    }
}

extension Invocation {
    /// Repairs a damaged file, and prints the layers around it.
    func salvage(_ name: String, _ reading: FileReadOptions) throws -> SalvagedSave {
        let file = try read(name)
        let filtered = try reading.filter?.output(of: file, reading.limits)
        let salvaged = try SalvagedSave(filtered ?? file, reading.options)
        report(salvaged.layers, in: name)
        return salvaged
    }
}

extension Option {
    static let salvageFormat = Option(
        "format", "f", value: "FORMAT", among: SalvagePlan.OutputFormat.self, usual: .text, for: .output,
        help: "report as ")
    fileprivate static let salvageLike = Option(
        "like", name: "OTHER", for: .input, help: "an older copy of the save, for what is lost")
    fileprivate static let fill = Option("fill", for: .value, help: "copy lost values from OTHER")
    fileprivate static let quiet = Option("quiet", "q", for: .output, help: "print no report")
}
