import SaveCodec
import SaveInspection
import SaveOperations

/// The command `savetool validate`, which checks files.
enum ValidateCommand {
    static let command = Command(
        name: "validate", summary: "check saves for damage and against schemas", operands: [.file.any],
        examples: [
            "check saves": "savetool validate swamp.save prefs.plist",
            "all in a folder, as annotations in GitHub Actions": "savetool validate -f github saves",
            "check values against a schema": "savetool validate --schema map.schema.json swamp.save later.save",
        ],
        discussion: """
            Checks the syntax of a property list or JSON. For a keyed archive, also checks the envelope,
            classes, references, and the fields of Foundation's classes. A finding has a severity (error,
            warning or info), a location, an address and a stable id.

            savetool help schema explains --schema. If no FILE is given, the files that .savetool.json
            names are checked; see --help-all.
            """,
        details: """
            text, github, codequality, sarif and html omit infos without --verbose. Paths in github, codequality and
            sarif begin at the top of the repository. junit reports at most 100 findings per file. If an address has more than 4,096 characters, json, ndjson
            and sarif have the address of a containing value instead, marked as shortened. A file name that is not
            UTF-8 is shown with \\xE9 for a byte; json and ndjson add its uri.

            --allow-class takes names separated by commas, in which * matches any characters; Foundation means
            Foundation's collections and values. The first object of another class is reported.

            --max-findings counts the omitted findings, and reports at least one finding of an invalid file. No
            date may be after the present, or after --now: a time, or a date, which means its first moment in
            UTC.

            The project file is looked for in the working folder and in the folders above it, up to the top of
            the repository. Outside of a repository, only your own folders up to your home folder are searched.
            An example:

                {"validate": [{"files": ["Saves/**/*.save"],
                               "profile": "archive", "strict": true}],
                 "ignore": ["**/*.bak"]}

            Members of a rule: schema, assertFormats, profile, allowClass, strict, expectInvalid, expect (the
            ids of the findings that may make a file invalid), from, and newestVersion, which requires saves as
            migrate makes them. --update-expectations writes expect into rules with expectInvalid or expect, and
            adds a rule for each other set of findings; with FILE, rules that may match other files and names
            of missing files stay. Besides validate and ignore, the file may have schemaRoot, and migrate: a
            list of files and folders with the rules of that command. Patterns are paths relative to the
            project file, with *, ?, [a-z], {a,b}, and ** for any number of folders; a wildcard does not match
            a dot at the beginning of a name. All matching rules apply; the last "from" wins. A rule that
            matches no file is an error. With FILE, rules apply to the named files that they match. Options of
            the command line override rules.
            """,
        exitStatus: [.done: "all files are valid", .negative: "a file is invalid", .cannot: "error"],
        options: [
            .schema, .schemaRoot, .assertFormats, .profile, .printProfile, .now, .allowClass, .strict,
            .expectInvalid, .updateExpectations, .format, .report, .helpURI, .fullPath, .quiet, .verbose,
            .maxFindings, .filesFrom, .null, .project, .noProject, .from, .unwrap, .unwrapAt, .filterIn, .opaque,
            .maxDepth, .maxWork,
        ] + Option.onScreen,
        foreignSpellings: Command.redirection.merging(Command.folders) { $1 }, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if let status = try showProfiles(arguments, invocation) { return status }
        do {
            return try check(ValidatePlan(arguments, Project.find(arguments, invocation)), invocation)
        } catch let error as FileProblem where !arguments.has(.updateExpectations) {
            try report(error, as: arguments, invocation)
            throw error
        }
    }

    /// Writes the reports for a project or schema file with an error, so that CI shows the error at its line.
    private static func report(_ error: FileProblem, as arguments: Arguments, _ invocation: Invocation) throws {
        let format: ReportFormat = try arguments.choice(of: .format) ?? .text
        let plans = try ValidatePlan.reports(arguments)
        var inputs = InputList(from: invocation.folder)
        try inputs.leaveOut(reports: plans.map(\.file), reading: [error.name])
        let settings = ReportSettings(
            folder: invocation.folder, helpURI: try ValidatePlan.helpURI(arguments),
            hasFullPaths: arguments.has(.fullPath))
        let finding = Finding(error.problem)
        let verdict = FileVerdict(
            name: error.name, verdict: .unchecked, isExpected: false, format: nil, isArchive: false,
            findings: [finding], omitted: 0, counts: FindingCounts([finding]))
        var totals = ReportTotals(mayBeEmpty: false)
        totals.add(verdict)
        for plan in plans {
            let report = try ReportFile(plan.file, as: plan.format, settings, invocation)
            report.add(verdict, reportsInfos: false)
            try report.write(totals, invocation)
        }
        guard format != .text else { return }
        var renderer = format.renderer(settings)
        try invocation.writeOutput { output in
            renderer.begin(to: &output)
            renderer.render(verdict, to: &output)
            renderer.end(totals, to: &output)
        }
    }

    private static func check(_ plan: ValidatePlan, _ invocation: Invocation) throws -> ExitStatus {
        invocation.outliveReader()
        var inputs = try plan.inputs(invocation)
        try inputs.leaveOut(reports: plan.reports.map(\.file), reading: plan.otherFiles)
        let files = inputs.files
        let options = try plan.options(for: files, invocation)
        try inputs.leaveOut(reports: plan.reports.map(\.file), reading: plan.referencedSchemas.names)
        plan.warn(invocation)
        if plan.hasNoProject, !plan.isQuiet {
            Project.reportForeign(of: plan.operands + files.filter { !$0.isFound }.map(\.name), invocation)
        }
        let check = FileCheck(options: options, files: try ParallelFiles(reading: files, invocation))
        let totals = try report(
            on: files, by: check, plan, mayBeEmpty: inputs.ignoredCount > 0 || plan.listsNothing(inputs), invocation)
        try plan.expectations?.write(invocation)
        guard totals.files > 0 || totals.mayBeEmpty else {
            throw UsageError.nothing(to: "check")
        }
        if !plan.isQuiet {
            invocation.printError(
                totals.files > 0 || inputs.ignoredCount == 0
                    ? totals.summary(reportsInfos: plan.reportsInfos)
                    : "savetool: nothing checked; the project file ignores all named files")
            report(inputs.overlooked, invocation)
        }
        return totals.status
    }

    /// Prints the names of the first few files without a rule in the project, and the count of the others.
    private static func report(_ overlooked: [String], _ invocation: Invocation) {
        for name in overlooked.prefix(maxOverlooked) {
            invocation.printError(
                "\(Invocation.shownName(name)): no rule in \(ProjectFile.fileName) applies to this file")
        }
        let rest = overlooked.count - maxOverlooked
        if rest > 0 { invocation.printError("… and \(Phrase.count(rest, "more file")) without a rule") }
    }

    private static let maxOverlooked = 5

    /// Lists the profiles or prints the schema of one; returns nil if no option requests that.
    private static func showProfiles(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus? {
        if arguments.value(of: .profile) == "list" {
            try invocation.writeOutput { output in
                for profile in Profile.all {
                    let gap = String(repeating: " ", count: max(1, 14 - profile.name.utf8.count))
                    output.write(profile.name + gap + profile.summary + "\n")
                }
            }
            return .done
        }
        guard arguments.has(.printProfile) else { return nil }
        guard let profile = try arguments.profile() else { throw UsageError.needsOneOf(.printProfile, [.profile]) }
        try invocation.writeOutput { output in
            output.write(profile.schemaText.hasSuffix("\n") ? profile.schemaText : profile.schemaText + "\n")
        }
        return .done
    }

    private static func report(
        on files: [InputFile], by check: FileCheck, _ plan: ValidatePlan, mayBeEmpty: Bool, _ invocation: Invocation
    ) throws -> ReportTotals {
        var settings = ReportSettings(
            folder: invocation.folder, helpURI: plan.helpURI, hasFullPaths: plan.hasFullPaths)
        let reports = try plan.reports.map { try ReportFile($0.file, as: $0.format, settings, invocation) }
        (settings.palette, settings.columns) = (invocation.palette, invocation.columns)
        var renderer = plan.format.renderer(settings)
        var totals = ReportTotals(mayBeEmpty: mayBeEmpty)
        var advice: String?
        var damaged = DamagedFiles()
        try invocation.writeOutput { renderer.begin(to: &$0) }
        let skipped = try check.files.forEachBatch(
            of: files, verb: "checking", invocation, { check.verdict(on: $0, of: $1) }
        ) { verdicts in
            try invocation.writeOutput { output in
                for verdict in verdicts {
                    totals.add(verdict)
                    if advice == nil { advice = verdict.findings.lazy.compactMap(\.problem.kind.limitAdvice).first }
                    damaged.add(verdict)
                    plan.expectations?.add(verdict)
                    renderer.render(plan.reportsInfos ? verdict : verdict.withoutInfos(), to: &output)
                    for report in reports { report.add(verdict, reportsInfos: plan.isVerbose) }
                }
            }
            for verdict in verdicts where verdict.verdict == .unchecked {
                invocation.printError(Invocation.shownName(verdict.name) + ": " + verdict.findings[0].problem.message)
            }
        }
        try invocation.writeOutput { renderer.end(totals, to: &$0) }
        for report in reports { try report.write(totals, invocation) }
        if !plan.isQuiet { skipped.report(.always, invocation) }
        guard plan.format == .text else { return totals }
        if let advice { invocation.printError("savetool: " + advice) }
        if !plan.isQuiet, damaged.canBeRepaired(reading: check.options, invocation) {
            invocation.printError("savetool: " + Invocation.salvageAdvice)
        }
        return totals
    }
}

/// The first files of a run that may be damaged, for the advice to repair them.
private struct DamagedFiles {
    private var files: [(name: String, rules: [Int], problem: Problem.Kind)] = []
    private static let most = 3

    mutating func add(_ verdict: FileVerdict) {
        guard files.count < Self.most, verdict.verdict == .invalid, !verdict.isExpected, verdict.name != "-",
            let kind = verdict.findings.first(where: { $0.problem.severity == .error })?.problem.kind, kind.mayBeDamage
        else { return }
        files.append((verdict.name, verdict.rules, kind))
    }

    /// Whether `salvage` gets back a part of one of the files.
    func canBeRepaired(reading options: CheckOptionsByRule, _ invocation: Invocation) -> Bool {
        files.contains { name, rules, problem in
            let validation = options[rules].validation
            let reading = ReadOptions(
                format: validation.format, layers: validation.layers, limits: validation.limits)
            guard options[rules].filter == nil, let file = try? invocation.readRegular(name) else { return false }
            return SalvagedSave.helps(with: problem, in: file, reading)
        }
    }
}

/// The validated arguments of `savetool validate`.
private final class ValidatePlan {
    private let basics: CheckOptions
    let format: ReportFormat
    /// The reports that are written to files.
    let reports: [(format: ReportFormat, file: String)]
    /// The address of the article of findings, or nil if it is unknown.
    let helpURI: String?
    /// Whether pages show the folders above all files.
    let hasFullPaths: Bool
    /// The update of the project's expectations; nil for none.
    var expectations: ExpectationUpdate?
    let isQuiet: Bool
    let isVerbose: Bool
    /// Whether the report on standard output has infos.
    var reportsInfos: Bool { isVerbose || !format.isBrief }
    /// The schema file for the values; nil for none.
    private let schema: String?
    /// The beginnings of the URIs of other schemas, each with the folder that replaces it.
    private let schemaRoots: [(uri: String, folder: String)]
    /// The schemas that were read because others refer to them.
    let referencedSchemas = ReferencedSchemas()
    private let assertsFormats: Bool
    private let project: Project?
    /// Whether the working folder has no project file, and no option turns it off.
    let hasNoProject: Bool
    let operands: [String]
    /// The file of `--files-from`, and the byte that ends each name in it.
    private let list: (file: String, separator: UInt8)?

    init(_ arguments: Arguments, _ project: Project?) throws(UsageError) {
        self.project = project
        hasNoProject = project == nil && !arguments.has(.noProject)
        operands = arguments.operands
        list = try Self.list(arguments)
        if operands.isEmpty, list == nil, project == nil {
            throw UsageError(
                "nothing to check; name files or folders, use - or \(Option.filesFrom.shown) FILE, or list files in "
                    + "\(ProjectFile.fileName)")
        }
        schema = arguments.value(of: .schema)
        assertsFormats = arguments.has(.assertFormats)
        schemaRoots = try SchemaSource.roots(arguments)
        if schema == nil, project == nil {
            for option in [Option.assertFormats, .schemaRoot] where arguments.has(option) {
                throw .needsOneOf(option, [.schema])
            }
        }
        format = try arguments.choice(of: .format) ?? .text
        reports = try Self.reports(arguments)
        helpURI = try Self.helpURI(arguments)
        hasFullPaths = arguments.has(.fullPath)
        if !reports.contains(where: { $0.format == .html }) {
            try arguments.checkFit(format, of: .format, [.fullPath: [.html]])
        }
        expectations = try Self.expectations(arguments, project)
        isQuiet = arguments.has(.quiet)
        isVerbose = arguments.has(.verbose)
        if isQuiet, isVerbose { throw .conflict(.quiet, .verbose) }
        let failurePolicy = FailurePolicy(
            isStrict: arguments.has(.strict), expectsInvalid: arguments.has(.expectInvalid), isQuiet: isQuiet,
            limit: try arguments.number(of: .maxFindings))
        let (sourceFormat, dialect) = try arguments.sourceFormat()
        var validation = Validation(
            format: sourceFormat, layers: try arguments.layerOptions(), limits: try arguments.limits(),
            classes: try Self.policies(arguments))
        validation.profiles = try arguments.profile().map { [$0] } ?? []
        validation.dialect = dialect
        validation.now = try arguments.now()
        if arguments.has(.opaque) { validation.nesting = nil }
        basics = CheckOptions(
            filter: try Filter(.filterIn, arguments), validation: validation, failurePolicy: failurePolicy)
    }

    /// Returns the checks for files after compiling their schemas.
    func options(for files: [InputFile], _ invocation: Invocation) throws -> CheckOptionsByRule {
        var basic = basics
        let roots = schemaRoots + (project?.schemaRoots ?? [])
        if let schema {
            let source = SchemaSource(
                file: schema, roots: roots, assertsFormats: assertsFormats, referencedSchemas: referencedSchemas)
            basic.validation.schemas = [try source.compile(invocation)]
        }
        var options = CheckOptionsByRule(basic: basic)
        guard let project else { return options }
        let rules = try RuleOptions(of: project, basic: basic, invocation) { rule, file in
            SchemaSource(
                file: file, roots: roots, assertsFormats: assertsFormats || rule.assertsFormats,
                referencedSchemas: referencedSchemas, isOfProject: true)
        }
        for file in files where !file.rules.isEmpty && options.byRules[file.rules] == nil {
            options.byRules[file.rules] = rules.options(of: file.rules)
            if expectations != nil { options.byRules[file.rules]?.failurePolicy.expectedFindings = nil }
        }
        return options
    }

    private static let everyClass = "NSObject allows every class, because all classes derive from it"

    /// The files that this run reads besides the saves: the project file, schemas, rules of migrations, and a list of
    /// names.
    var otherFiles: [String] {
        let named = project.map { project in
            (project.file.schemaFiles.sorted() + project.file.migrations).map(project.name)
        }
        return [schema, list?.file, project?.file.name].compactMap(\.self) + (named ?? [])
    }

    /// Warns if a class policy allows every class.
    func warn(_ invocation: Invocation) {
        if basics.validation.classes.contains(where: \.allowsEverything) {
            return invocation.printError("savetool: " + Self.everyClass)
        }
        guard basics.validation.classes.isEmpty, let project,
            let (_, member) = project.file.rules.lazy.compactMap(\.classes).first(where: \.policy.allowsEverything)
        else { return }
        invocation.printError(
            member.problem("project.every-class", Self.everyClass), in: project.file.name, as: "warning")
    }

    static func reports(_ arguments: Arguments) throws(UsageError) -> [(format: ReportFormat, file: String)] {
        var reports: [(format: ReportFormat, file: String)] = []
        for value in arguments.values(of: .report) {
            let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !["", "-", "/dev/stdout"].contains(parts[1]) else {
                throw .badValue(value, .report, expected: "a format and a file, such as junit=report.xml")
            }
            guard !reports.contains(where: { $0.file.utf8.elementsEqual(parts[1].utf8) }) else {
                throw UsageError("two reports have the file \(UsageError.quoted(String(parts[1])))")
            }
            guard let format = ReportFormat(rawValue: String(parts[0])) else {
                throw .badName(String(parts[0]), .report, names: ReportFormat.allCases.map(\.rawValue))
            }
            reports.append((format, String(parts[1])))
        }
        return reports
    }

    static func helpURI(_ arguments: Arguments) throws(UsageError) -> String? {
        guard let uri = arguments.value(of: .helpURI) else { return nil }
        let isWeb = uri.hasPrefix("https://") || uri.hasPrefix("http://")
        guard isWeb, uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"\"#<>\\^`{|}".utf8.contains($0) }) else {
            throw .badValue(uri, .helpURI, expected: "a web address without #, such as https://example.com/Findings.md")
        }
        return uri
    }

    private static func expectations(
        _ arguments: Arguments, _ project: Project?
    ) throws(UsageError) -> ExpectationUpdate? {
        guard arguments.has(.updateExpectations) else { return nil }
        if arguments.has(.expectInvalid) { throw .conflict(.updateExpectations, .expectInvalid) }
        guard let project else {
            throw UsageError("\(Option.updateExpectations.shown) needs a project file, \(ProjectFile.fileName)")
        }
        return ExpectationUpdate(of: project, isPartial: !arguments.operands.isEmpty || arguments.has(.filesFrom))
    }

    private static func list(_ arguments: Arguments) throws(UsageError) -> (String, UInt8)? {
        guard let file = arguments.value(of: .filesFrom) else {
            if arguments.has(.null) { throw .needsOneOf(.null, [.filesFrom]) }
            return nil
        }
        return (file, arguments.has(.null) ? 0 : UInt8(ascii: "\n"))
    }

    private static func policies(_ arguments: Arguments) throws(UsageError) -> [ClassPolicy] {
        guard arguments.has(.allowClass) else { return [] }
        let names = arguments.values(of: .allowClass).flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard !names.contains("") else {
            throw .badValue(
                arguments.values(of: .allowClass).joined(separator: ","), .allowClass, expected: "names of classes")
        }
        return [ClassPolicy(allowing: names)]
    }

    /// Whether the only source of names is a list without names, such as the output of `git diff` without changes.
    func listsNothing(_ inputs: InputList) -> Bool { list != nil && operands.isEmpty && inputs.files.isEmpty }

    /// Returns the files to check: the named ones, or without operands all files that have a rule in the project.
    func inputs(_ invocation: Invocation) throws -> InputList {
        let reading = FileReadOptions(ReadOptions(limits: basics.validation.limits), through: basics.filter)
        var inputs = InputList(from: invocation.folder, project: project, reading)
        if operands.isEmpty, list == nil, let project {
            inputs.addProject()
            expectations?.noteMissing(project.missingNames)
            try project.checkRules(inputs.files, except: expectations?.missing ?? [])
            return inputs
        }
        for operand in operands { inputs.add(operand) }
        if let list { try inputs.add(list: invocation.read(list.file), in: list.file, separator: list.separator) }
        if expectations != nil, let file = inputs.files.first(where: { project?.workTreeName(of: $0.name) != nil }) {
            throw UsageError(
                "\(Option.updateExpectations.shown) cannot be used with a file in git: \(UsageError.quoted(file.name))")
        }
        let uses = inputs.files.count { $0.name == "-" } + [list?.file, schema].count { $0 == "-" }
        guard uses < 2 else { throw UsageError.inputTwice }
        return inputs
    }
}

extension Option {
    fileprivate static let format = Option(
        "format", "f", value: "FORMAT", among: ReportFormat.self, usual: .text, for: .output)
    fileprivate static let report = Option(
        "report", value: "FORMAT=FILE", isRepeatable: true, for: .output, help: "also write a report to FILE")
    fileprivate static let allowClass = Option(
        "allow-class", value: "NAMES",
        isRepeatable: true, for: .checks, help: "allow only these classes and their subclasses")
    fileprivate static let strict = Option("strict", for: .checks, help: "treat warnings as errors")
    fileprivate static let expectInvalid = Option(
        "expect-invalid", for: .checks, help: "succeed if every file is invalid")
    fileprivate static let updateExpectations = Option(
        "update-expectations", for: .checks, help: "set expect in the project file to what is found")
    fileprivate static let helpURI = Option(
        "help-uri", value: "URI", for: .output, help: "sarif, html: the address of the article of findings")
    fileprivate static let quiet = Option(
        "quiet", "q", for: .output, help: "report only what makes a file invalid")
    fileprivate static let verbose = Option(
        "verbose", "v", for: .output, help: "also report infos, which some formats omit")
    fileprivate static let maxFindings = Option(
        "max-findings", value: "N",
        for: .output, help: "report at most N findings per file, worst first")
    static let filesFrom = Option(
        "files-from", name: "FILE", for: .input, help: "also check the files that FILE lists, one per line")
    static let null = Option("null", "0", for: .input, help: "names in that file end with a zero byte")
}

// MARK: Checking files

/// A check of files, several at a time.
struct FileCheck: Sendable {
    let options: CheckOptionsByRule
    let files: ParallelFiles

    /// Returns the verdicts in the order of the files; nil for files that were found in a folder and are not saves.
    func verdicts(on files: ArraySlice<InputFile>, workers: Int = ParallelFiles.workers) -> [FileVerdict?] {
        self.files.results(on: files, workers: workers) { verdict(on: $0, of: $1) }
    }

    func verdict(on bytes: Result<[UInt8], SystemError>, of file: InputFile) -> FileVerdict {
        var verdict = judged(bytes, of: file)
        verdict.rules = file.rules
        return verdict
    }

    private func judged(_ bytes: Result<[UInt8], SystemError>, of file: InputFile) -> FileVerdict {
        let options = self.options[file.rules]
        switch bytes {
        case .failure(let error):
            return options.failurePolicy.verdict(
                on: FileError(Invocation.shownName(file.name), error), of: file.name)
        case .success(let bytes):
            var validation = options.validation
            validation.format =
                validation.format ?? Format(ofUndecided: bytes, named: file.name, decodes: validation.layers.decodes)
            do throws(Problem) {
                let output = try options.filter?.output(of: bytes, validation.limits)
                var report = validation.report(on: output ?? bytes, outOf: output == nil ? nil : Filter.origin)
                if report.isSound, let warning = report.format?.warning(forFileNamed: file.name) {
                    report.findings.append(Finding(warning))
                }
                return options.failurePolicy.verdict(on: report, of: file.name)
            } catch {
                let failure = FileError(Invocation.shownName(file.name), error.message)
                return options.failurePolicy.verdict(on: failure, of: file.name)
            }
        }
    }
}
