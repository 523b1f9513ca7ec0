import SaveCodec
import SaveOperations

/// `savetool find`: looks for values in files.
enum FindCommand {
    static let command = Command(
        name: "find", summary: "find values in files and folders", operands: "[TEXT] [FILE …]",
        examples: [
            "strings with a text in them, in all saves of a folder": "savetool find Swamp saves",
            "objects of a class with a field below 10": "savetool find --class Player --where 'health<10' swamp.save",
            "which files have a key": "savetool find --key gems -l saves prefs.plist",
        ],
        discussion: """
            Finds values in files, and in folders the files that validate checks there; without FILE in the
            working folder. All conditions hold together. Without one the first operand is the text to look
            for.

            --where compares a field of an object or a key of a dictionary, and finds the object: FIELD OP
            VALUE, where OP is one of == != < <= > >= and =~, which takes a regular expression. FIELD is a
            JSON string if it has one of these signs in it. VALUE, and that of --value, is a number, true,
            false, null, a string, a date such as 2009-09-06T12:34:56Z or 2009-09-06, or other typed JSON of
            a single value; a word that is none of these is a string. Numbers are compared by what they are,
            whole or real, strings by their code units; a string that tells a date is one beside a date. In
            OpenStep, where all scalars are text, text is a number beside a number. What is of another kind
            is neither less nor greater, and not equal; a field that is not there satisfies nothing.

            Regular expressions are those of JavaScript, found anywhere in the text: ^ and $ hold its ends.

            Each line tells the address of a value and the value in short, an object with some of its
            fields. In a file that is one of several the name stands before, on a terminal above.
            What is shared is looked into once, where it stands first; with --key, every place counts. Saves
            that are stored in data are searched, too, unless --opaque.

            json is one document, ndjson a JSON object a line; address, type, class and value are those of
            diff -f json.
            """,
        exitStatus: [.done: "something is found", .negative: "nothing is", .cannot: "a file could not be read"],
        options: [
            .key, .value, .where, .class, .type, .regex, .text, FileSearch.Form.format, .filesWithMatches, .count,
            .withFilename,
            .noFilename, .nullNames, .from, .unwrap, .filterIn, .raw, .opaque, .maxDepth, .maxWork,
        ] + Option.onScreen,
        habits: Command.redirection.merging(Command.folders) { $1 }, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try FindPlan(arguments, invocation)
        var inputs = InputList(from: invocation.folder)
        for operand in plan.operands { inputs.add(operand) }
        let files = try ParallelFiles(reading: inputs.files, invocation)
        let search = plan.search
        var report = FindReport(plan, invocation)
        try report.begin()
        try files.forEachBatch(
            of: inputs.files, "searching", invocation, size: { $0.text.count }, { search.hits(in: $0, of: $1) }
        ) { hits in
            for hits in hits { try report.add(hits) }
        }
        try report.end()
        guard report.fileCount > 0 else {
            throw UsageError("there is nothing to search: no save, property list or JSON is in what was named")
        }
        return report.status
    }
}

/// What the arguments of `savetool find` ask for.
private final class FindPlan {
    let operands: [String]
    let search: FileSearch
    let hasNames: Bool
    /// Whether files have their names above what is found in them.
    let hasHeadings: Bool

    init(_ arguments: Arguments, _ invocation: Invocation) throws {
        var query = try ValueQuery(arguments)
        var operands = arguments.operands[...]
        if !ValueQuery.options.contains(where: arguments.has) {
            guard let text = operands.popFirst() else { throw UsageError.missingOperand("TEXT") }
            query.texts = [.contains(Array(try Arguments.text(text, "TEXT").utf16))]
        }
        if operands.count(where: { $0 == "-" }) > 1 { throw UsageError.inputTwice }
        self.operands = operands.isEmpty ? ["."] : Array(operands)
        let form = try FileSearch.Form(arguments)
        let names = [Option.withFilename, .noFilename].filter(arguments.has)
        if names.count > 1 { throw UsageError.conflict(names[0], names[1]) }
        if form.isJSON, let option = (names + [.nullNames].filter(arguments.has)).first {
            throw UsageError.onlyWith(option, FileSearch.Form.format, values: ["text"])
        }
        let isFolder = self.operands.contains { name in
            name != "-" && (try? FileSystem.status(invocation.path(name)))?.kind == .folder
        }
        hasNames =
            names.isEmpty
            ? self.operands.count > 1 || isFolder || form == .names : names[0].name == Option.withFilename.name
        hasHeadings = form == .lines && hasNames && names.isEmpty && invocation.output.isTerminal
        if arguments.has(.nullNames), !hasNames || hasHeadings {
            throw UsageError("\(Option.nullNames.shown) has an effect only where lines begin with names")
        }
        search = FileSearch(
            query: query, form: form, namesLines: hasNames && !hasHeadings,
            endsNamesInZero: arguments.has(.nullNames), reading: try arguments.readOptions(),
            palette: invocation.palette)
    }
}

/// Writes what is found, file by file.
private struct FindReport {
    private let plan: FindPlan
    private let invocation: Invocation
    private var rows = JSONRows()
    private var isFirst = true
    private(set) var fileCount = 0
    private var hitCount = 0
    private var hasFailed = false

    init(_ plan: FindPlan, _ invocation: Invocation) {
        self.plan = plan
        self.invocation = invocation
    }

    var status: ExitStatus { hasFailed ? .cannot : hitCount > 0 ? .done : .negative }

    mutating func begin() throws {
        guard plan.search.form == .json else { return }
        try invocation.writeOutput(coloring: .values) { output in
            rows.begin(to: &output)
            rows.beginRows("hits", to: &output)
        }
    }

    mutating func add(_ hits: FileSearch.Hits) throws {
        fileCount += 1
        hitCount += hits.count
        try invocation.writeOutput(coloring: plan.search.form.isJSON ? .values : nil) { output in
            if plan.hasHeadings, hits.count > 0 {
                output.write(isFirst ? "" : "\n")
                invocation.palette.write(Invocation.shownName(hits.name), in: .heading, to: &output)
                output.write("\n")
            }
            guard plan.search.form == .json else { return output.write(hits.text) }
            for row in hits.text.split(separator: UInt8(ascii: "\n")) { rows.add(.written(Array(row)), to: &output) }
        }
        if hits.count > 0 { isFirst = false }
        guard let error = hits.error else { return }
        hasFailed = true
        invocation.printError(error)
    }

    mutating func end() throws {
        guard plan.search.form == .json else { return }
        try invocation.writeOutput(coloring: .values) { output in
            rows.endRows(to: &output)
            rows.end([("files", .integer(fileCount)), ("count", .integer(hitCount))], to: &output)
        }
    }
}

extension Option {
    fileprivate static let withFilename = Option(
        "with-filename", "H", for: .view, help: "begin each line with the name of the file")
    fileprivate static let noFilename = Option("no-filename", for: .view, help: "do not name files")
    fileprivate static let nullNames = Option(
        "null", "0", for: .view, help: "end each name in a zero byte, for xargs -0, and show it as it is")
}
