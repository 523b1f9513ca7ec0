import SaveCodec
import SaveInspection
import SaveOperations

/// `savetool find`: searches for values in files.
enum FindCommand {
    static let command = Command(
        name: "find", summary: "find values in files and folders", operands: [.textOrFile("TEXT").optional, .file.any],
        examples: [
            "a text in all saves in a folder": "savetool find swamp saves",
            "objects of a class with a field below 10": "savetool find --class Player --where 'health<10' swamp.save",
            "which files have a key": "savetool find --key gems -l saves prefs.plist",
        ],
        discussion: """
            The first operand is TEXT, unless another condition is given. find looks for it in keys,
            field names, class names, strings, and the printed form of numbers, dates and other scalars: 100 also
            finds 2100. All conditions must hold. The default for FILE is the working folder.

            --where compares a field of an object or a key of a dictionary: FIELD OP VALUE, where OP is == !=
            < <= > >= or =~ (a JavaScript regular expression). VALUE is a scalar in typed JSON, a date or a
            word. A missing field satisfies no condition.

            TEXT and --text ignore case unless they contain a capital letter. Nested saves are searched, too.
            """,
        details: """
            A match in a key shows the key's value; a match in a class name shows the object. Each line shows the
            address and the abbreviated value; an object shows some of its fields. With several files, the file's
            name begins each line, or on a terminal is printed above the lines. A shared object is searched once, at
            its first address; with --key, at every address.

            FIELD may be a path: position.x. Quote it as a JSON string if it contains an operator. Numbers are
            compared by value, integer or real, and strings by code units. A string that spells a date is
            compared with a date as a date. OpenStep text that spells a number is compared as a number. Other
            kinds are unequal and have no order. Dates are written as 2009-09-06T12:34:56Z or 2009-09-06.
            Regular expressions match anywhere in the text.

            -i and -s apply to TEXT, --text, --regex, --key and --class. In --class, * matches any characters.

            json is one document, ndjson one JSON object per line, with address, type, class and value as in
            diff -f json.
            """,
        exitStatus: [.done: "found", .negative: "not found", .cannot: "error"],
        options: [
            .key, .value, .where, .class, .type, .regex, .text, .ignoreCase, .caseSensitive,
            FileSearch.OutputFormat.format, .filesWithMatches, .count, .onlyStatus, .withFilename, .noFilename,
            .nullNames, .from, .unwrap, .unwrapAt, .filterIn, .raw, .opaque, .textSaves, .maxDepth, .maxWork,
            .noProject,
        ] + Option.onScreen,
        foreignSpellings: Command.redirection.merging(Command.folders) { $1 }.merging(alwaysOn) { $1 }, run: run)

    /// Options of other search tools for behaviour that `find` always has.
    private static let alwaysOn = ["-S": "", "--smart-case": ""]

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try FindPlan(arguments, invocation)
        var inputs = InputList(from: invocation.folder, plan.search.reading)
        for operand in plan.operands { inputs.add(operand) }
        let files = try ParallelFiles(reading: inputs.files, invocation)
        let search = plan.search
        var report = FindReport(plan, invocation)
        try report.begin()
        let skipped = try files.forEachBatch(
            of: inputs.files, verb: "searching", invocation,
            { search.hits(in: $0, of: $1) }
        ) { hits in
            for hits in hits { try report.add(hits) }
        }
        try report.end()
        if search.outputFormat != .nothing { skipped.report(.withoutSaves, invocation) }
        guard report.fileCount > 0 else {
            throw UsageError.nothing(to: "search")
        }
        return report.status
    }
}

/// The checked arguments of `savetool find`.
private final class FindPlan {
    /// The text to find, or nil if other conditions are given.
    let text: String?
    /// The name of the class to find.
    let className: String?
    /// The key to find.
    let key: String?
    let operands: [String]
    let search: FileSearch
    let hasNames: Bool
    /// Whether the name of each file is a heading above its values.
    let hasHeadings: Bool
    /// Whether the text is also the name of a folder.
    let isTextFolder: Bool
    /// The project of the working folder, which is read once a file cannot be searched. Nil without one, and for a
    /// project file with an error, which `validate` reports.
    private(set) lazy var project = (try? Project.find(arguments, invocation)) ?? nil
    private let arguments: Arguments
    private let invocation: Invocation

    init(_ arguments: Arguments, _ invocation: Invocation) throws {
        (self.arguments, self.invocation) = (arguments, invocation)
        let caseSensitivity = try CaseSensitivity(arguments)
        var query = try ValueQuery(arguments, caseSensitivity)
        var operands = arguments.operands[...]
        if ValueQuery.options.contains(where: arguments.has) {
            text = nil
            try Self.checkFiles(arguments.operands, invocation)
        } else {
            try Self.checkOrder(arguments.operands, invocation)
            guard let operand = operands.popFirst() else { throw UsageError.missingOperand("TEXT") }
            let text = try Arguments.text(operand, "TEXT")
            query.texts = [.anywhere(caseSensitivity.pattern(text))]
            self.text = text
        }
        className = arguments.value(of: .class)
        key = arguments.value(of: .key)
        if operands.count(where: { $0 == "-" }) > 1 { throw UsageError.inputTwice }
        // As in grep, the names found in a named folder begin with its name, so that none looks like an option.
        self.operands = operands.isEmpty ? ["."] : operands.map { $0 == "." ? "./" : $0 }
        let outputFormat = try FileSearch.OutputFormat(arguments)
        let names = [Option.withFilename, .noFilename].filter(arguments.has)
        if names.count > 1 { throw UsageError.conflict(names[0], names[1]) }
        if outputFormat.isJSON, let option = (names + [.nullNames].filter(arguments.has)).first {
            throw UsageError.onlyWith(option, FileSearch.OutputFormat.format, values: ["text"])
        }
        let isFolder = self.operands.contains { $0 != "-" && Self.kind(of: $0, invocation) == .folder }
        isTextFolder = text.map { Self.kind(of: $0, invocation) == .folder } ?? false
        hasNames =
            names.isEmpty
            ? self.operands.count > 1 || isFolder || outputFormat == .names : names[0].name == Option.withFilename.name
        hasHeadings = outputFormat == .lines && hasNames && names.isEmpty && invocation.output.isTerminal
        if arguments.has(.nullNames), !hasNames || hasHeadings {
            throw UsageError("\(Option.nullNames.shown) needs lines that begin with file names")
        }
        let reading = try arguments.fileReading()
        if arguments.has(.textSaves), reading.options.isOpaque { throw UsageError.conflict(.textSaves, .opaque) }
        search = FileSearch(
            query: query, outputFormat: outputFormat, namesLines: hasNames && !hasHeadings,
            endsNamesInZero: arguments.has(.nullNames), reading: reading, opensText: arguments.has(.textSaves),
            palette: invocation.palette)
    }

    /// Refuses a file name in place of TEXT.
    private static func checkOrder(_ operands: [String], _ invocation: Invocation) throws(UsageError) {
        guard let first = operands.first, kind(of: first, invocation) == .regular else { return }
        let others = operands.dropFirst()
        guard !others.contains(where: { $0 == "-" || kind(of: $0, invocation) != nil }) else { return }
        let name = Invocation.shownName(first)
        let word = Shell.word(first) ?? "FILE"
        guard let text = others.first else {
            throw UsageError(
                "\(name) is a file, and TEXT is missing; use savetool find TEXT \(word), or "
                    + "savetool find \(word) . to search for the name")
        }
        throw UsageError(
            "\(name) is a file; TEXT comes before it: savetool find \(Shell.word(text) ?? "TEXT") \(word)")
    }

    /// Refuses a word in place of the first file. With other conditions, all operands are files.
    private static func checkFiles(_ operands: [String], _ invocation: Invocation) throws(UsageError) {
        guard let first = operands.first, first != "-", !first.utf8.contains(where: "./".utf8.contains),
            kind(of: first, invocation) == nil,
            operands.dropFirst().contains(where: { kind(of: $0, invocation) != nil })
        else { return }
        let word = Shell.word(first) ?? "TEXT"
        throw UsageError(
            "\(Invocation.shownName(first)): no such file; use \(Option.text.shown) \(word) to find a text that also "
                + "meets other conditions")
    }

    private static func kind(of name: String, _ invocation: Invocation) -> FileStatus.Kind? {
        (try? FileSystem.status(invocation.path(name)))?.kind
    }
}

/// Writes the values that are found, file by file.
private struct FindReport {
    private let plan: FindPlan
    private let invocation: Invocation
    private var rows = JSONRows()
    private var isFirst = true
    private(set) var fileCount = 0
    private var hitCount = 0
    private var failureCount = 0
    /// The number of files that cannot be searched, as the project expects.
    private var skippedCount = 0
    private var missedByCase = 0
    private var closedSaves = 0
    private var hasTextSaves = false
    private var classNames: Set<String> = []
    private var keys: Set<String> = []
    /// Whether the saves have further keys.
    private var hasMoreKeys = false

    init(_ plan: FindPlan, _ invocation: Invocation) {
        self.plan = plan
        self.invocation = invocation
    }

    var status: ExitStatus {
        if plan.search.outputFormat == .nothing, hitCount > 0 { return .done }
        return failureCount > 0 ? .cannot : hitCount > 0 ? .done : .negative
    }

    mutating func begin() throws {
        guard plan.search.outputFormat == .json else { return }
        try invocation.writeOutput(coloring: .values) { output in
            rows.begin(to: &output)
            rows.beginRows("hits", to: &output)
        }
    }

    mutating func add(_ hits: FileSearch.Hits) throws {
        fileCount += 1
        hitCount += hits.count
        missedByCase += hits.missedByCase
        closedSaves += hits.closedSaves
        hasTextSaves = hasTextSaves || hits.hasTextSaves
        if hitCount == 0, classNames.count < Self.maxClassNames { classNames.formUnion(hits.classNames) }
        hasMoreKeys = hasMoreKeys || hits.hasMoreKeys || keys.count >= Self.maxClassNames
        if hitCount == 0, keys.count < Self.maxClassNames { keys.formUnion(hits.keys) }
        try invocation.writeOutput(coloring: plan.search.outputFormat.isJSON ? .values : nil) { output in
            if plan.hasHeadings, hits.count > 0 {
                output.write(isFirst ? "" : "\n")
                invocation.palette.write(Invocation.shownName(hits.name), in: .heading, to: &output)
                output.write("\n")
            }
            guard plan.search.outputFormat == .json else { return output.write(hits.text) }
            for row in hits.text.split(separator: UInt8(ascii: "\n")) { rows.add(.written(Array(row)), to: &output) }
        }
        if hits.count > 0 { isFirst = false }
        guard let error = hits.error else { return }
        if Self.isOfContents(error), let reason = plan.project?.reasonToSkip(hits.name) {
            skippedCount += 1
            return invocation.printError("\(Invocation.shownName(hits.name)): skipped; \(reason)")
        }
        failureCount += 1
        invocation.printError(error)
    }

    /// Whether the contents of a file are the reason why it cannot be searched, rather than a limit or the system.
    private static func isOfContents(_ error: any Error) -> Bool {
        guard let kind = (error as? FileProblem)?.problem.kind else { return false }
        return !kind.isOf(.limit) && kind.limitAdvice == nil
    }

    /// The maximum number of class names or keys that are searched for a similar one.
    private static let maxClassNames = 10_000

    /// A class with the requested name in some module, or else the most similar class name. Nil if a class has exactly
    /// the requested name.
    private var nearestClass: String? {
        guard let name = plan.className, !classNames.contains(name) else { return nil }
        let names = classNames.sorted()
        return names.first { $0.hasSuffix("." + name) } ?? Suggestion.nearest(to: name, in: names)
    }

    /// The most similar key, if no key has the requested name.
    private var nearestKey: String? {
        guard let key = plan.key, !keys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) else { return nil }
        return Suggestion.nearest(to: key, in: keys.sorted())
    }

    /// The first key in a condition that is not a key of the saves, and the most similar one. Nil unless all keys are
    /// known.
    private var nearestField: (given: String, nearest: String)? {
        guard !hasMoreKeys else { return nil }
        for condition in plan.search.query.fields {
            let names = ([condition.field] + condition.keys).map { String(decoding: $0, as: UTF16.self) }
            guard !keys.contains(names[0]), let given = names.dropFirst().first(where: { !keys.contains($0) }) else {
                continue
            }
            return Suggestion.nearest(to: given, in: keys.sorted()).map { (given, $0) }
        }
        return nil
    }

    /// Returns a regular expression that matches a text in which `*` is any characters.
    private static func regex(of text: String) -> String {
        text.reduce(into: "") { regex, character in
            if "\\^$.|?+()[]{}/".contains(character) { regex += "\\" }
            regex += character == "*" ? ".*" : String(character)
        }
    }

    /// Prints that nothing is found, the number of saves searched, and options that would find more.
    private func printNothing() {
        let searched = fileCount - failureCount - skippedCount
        guard hitCount == 0, searched > 0, plan.search.outputFormat != .nothing else { return }
        var line = "nothing found in " + Phrase.count(searched, "save")
        if let name = nearestClass {
            line += "; did you mean \(Option.class.shown) \(Shell.word(name) ?? FileName.shown(name))?"
        } else if missedByCase > 0 {
            line += "; with \(Option.ignoreCase.shown) (-i) \(Phrase.count(missedByCase, "value")) would be found"
        } else if let key = nearestKey {
            let name = { "\(Option.key.shown) \(Shell.word($0) ?? FileName.shown($0))" }
            line += Suggestion.sentence(name(key), for: plan.key.map(name))
        } else if let (given, nearest) = nearestField {
            line += FieldCondition.noField(Array(given.utf16), nearest: Array(nearest.utf16))
        }
        if closedSaves > 0 {
            line += "; \(Phrase.count(closedSaves, "save")) in data not searched because of \(Option.opaque.shown)"
        }
        if hasTextSaves { line += "; \(Option.textSaves.shown) searches saves in strings, too" }
        if let text = plan.text, text.hasPrefix("/"), text.utf16.count > 1 {
            line += "; for the value at an address: savetool get FILE \(Shell.word(text) ?? "ADDRESS")"
        }
        if let text = plan.text ?? plan.key, text.contains("*"), let word = Shell.word(Self.regex(of: text)) {
            line += "; * is not a wildcard here: \(Option.regex.shown) \(word)"
        }
        if let condition = plan.text.flatMap(FieldCondition.advice) { line += "; to compare fields: \(condition)" }
        if let text = plan.text, plan.isTextFolder {
            line += "; \(Invocation.shownName(text)) is a folder: savetool find TEXT \(Shell.word(text) ?? "FOLDER")"
        }
        invocation.printError(line)
    }

    mutating func end() throws {
        defer { printNothing() }
        guard plan.search.outputFormat == .json else { return }
        try invocation.writeOutput(coloring: .values) { output in
            rows.endRows(to: &output)
            rows.end([("files", .integer(fileCount)), ("count", .integer(hitCount))], to: &output)
        }
    }
}

extension Option {
    fileprivate static let textSaves = Option(
        "nested", for: .input, help: "also search nested saves stored as OpenStep text or Base64")
    fileprivate static let withFilename = Option(
        "with-filename", "H", for: .output, help: "begin each line with the file name")
    fileprivate static let noFilename = Option("no-filename", for: .output, help: "do not print file names")
    fileprivate static let nullNames = Option(
        "null", "0", for: .output, help: "end file names with a zero byte, for xargs -0")
}
