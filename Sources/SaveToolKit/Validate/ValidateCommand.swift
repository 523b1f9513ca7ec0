import SaveCodec
import SaveOperations

/// The command `savetool validate`, which checks files.
enum ValidateCommand {
    static let command = Command(
        name: "validate", summary: "check that files are sound", operands: [.file.any],
        examples: [
            "check saves": "savetool validate swamp.save prefs.plist",
            "all in a folder, as annotations in GitHub Actions": "savetool validate -f github saves",
            "check values, too, against a schema": "savetool validate --schema map.schema.json swamp.save later.save",
        ],
        discussion: """
            Checks saves on every level: the syntax of the property list or JSON, its keys, and of a
            keyed archive its envelope, classes, references and the fields of Foundation's classes. Each
            finding is an error, a warning or an info, with its place in the file, its address, and an id
            that stays the same from version to version. Text and GitHub are told infos with
            --verbose only.

            A folder stands for the files in it and below: those whose name ends in .plist, .bplist,
            .save, .sav, .archive, .json, .strings, .openstep, .gnustep or .sks, SQLite databases whose
            name ends in .sqlite, .sqlite3, .db or .store, and property lists in binary or XML form and
            typedstreams of any name. Links are followed; folders whose name begins with a dot are not
            entered; pipes and devices are not read. One that is named itself is read to its end, which of a
            pipe means that its writer is waited for.

            --schema checks the values, in an archive those of its objects, whose class is at $class. Beside
            the standard's keywords there are x-class, x-type, x-stored, x-order, x-uniqueBy and x-maxBytes.
            Nothing is fetched from a network. --profile checks for a kind of save that is known by name.

            --allow-class takes names with commas between them; Foundation stands for Foundation's
            collections and values. Of an object with another class the first one is told.

            Without FILE, all files are checked that the project file .savetool.json has rules for; it is looked
            for here and above: up to the top of a repository, or else in your own folders, up to your home folder:

                {"validate": [{"files": ["Saves/**/*.save"],
                               "profile": "archive", "strict": true}],
                 "ignore": ["**/*.bak"]}

            A rule has the options schema, assertFormats, profile, allowClass, strict, expectInvalid, from and
            newestVersion, for saves to be as migrate makes them; schemaRoot stands beside validate and ignore,
            and so does migrate, a list of files and folders with the rules of that command. Patterns are paths from the folder of the project
            file, with *, ?, [a-z], {a,b}, and ** for any number of folders; none of these stands for a dot at
            the front of a name. All rules hold that match a file, and it is an error if one matches none.
            With FILE, the rules hold for those files that they match. Options of the command line hold
            instead of those of the rules.

            Output: \(ReportFormat.allCases.map { "\($0), \($0.summary)" }.joined(separator: "; ")). In place of an address of more than 4,096 characters json, ndjson and
            sarif have that of a value around it, and say that it is shortened. A name that is not UTF-8 is
            shown with \\xE9 for such a byte; json and ndjson have it whole as uri then, as sarif always has.
            """,
        exitStatus: [.done: "all files are valid", .negative: "one is invalid", .cannot: "one could not be read"],
        options: [
            .schema, .schemaRoot, .assertFormats, .profile, .printProfile, .now, .allowClass, .strict,
            .expectInvalid, .format, .quiet, .verbose, .maxFindings, .filesFrom, .null, .project,
            .noProject, .from, .unwrap, .filterIn, .opaque, .maxDepth, .maxWork,
        ] + Option.onScreen,
        habits: Command.redirection.merging(Command.folders) { $1 }, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        if let status = try showProfiles(arguments, invocation) { return status }
        return try check(ValidatePlan(arguments, Project.find(arguments, invocation)), invocation)
    }

    private static func check(_ plan: ValidatePlan, _ invocation: Invocation) throws -> ExitStatus {
        let inputs = try plan.inputs(invocation)
        let files = inputs.files
        let options = try plan.options(for: files, invocation)
        plan.warn(invocation)
        let check = FileCheck(options: options, files: try ParallelFiles(reading: files, invocation))
        let totals = try report(on: files, by: check, as: plan.format, mayBeEmpty: inputs.ignoredCount > 0, invocation)
        guard totals.files > 0 || totals.mayBeEmpty else {
            throw UsageError("there is nothing to check: no save, property list or JSON is in what was named")
        }
        if !plan.isQuiet {
            invocation.printError(
                totals.files > 0
                    ? totals.summary(reportsInfos: plan.reportsInfos)
                    : "savetool: nothing is checked, as the project ignores what was named")
            report(inputs.overlooked, invocation)
        }
        return totals.status
    }

    /// Prints the first of the files without a rule of the project, and the count of the others.
    private static func report(_ overlooked: [String], _ invocation: Invocation) {
        for name in overlooked.prefix(mostOverlooked) {
            invocation.printError("\(Invocation.shownName(name)): no rule of \(ProjectFile.fileName) is for this file")
        }
        let rest = overlooked.count - mostOverlooked
        if rest > 0 { invocation.printError("… and for \(Counted.of(rest, "file")) more") }
    }

    private static let mostOverlooked = 5

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
        on files: [InputFile], by check: FileCheck, as format: ReportFormat, mayBeEmpty: Bool,
        _ invocation: Invocation
    ) throws -> ReportTotals {
        var renderer = format.renderer(in: invocation.folder, invocation.palette)
        var totals = ReportTotals(mayBeEmpty: mayBeEmpty)
        try invocation.writeOutput { renderer.begin(to: &$0) }
        try check.files.forEachBatch(of: files, verb: "checking", invocation, { check.verdict(on: $0, of: $1) }) {
            verdicts in
            try invocation.writeOutput { output in
                for verdict in verdicts {
                    totals.add(verdict)
                    renderer.render(verdict, to: &output)
                }
            }
            for verdict in verdicts where verdict.verdict == .unchecked {
                invocation.printError(Invocation.shownName(verdict.name) + ": " + verdict.findings[0].problem.message)
            }
        }
        try invocation.writeOutput { renderer.end(totals, to: &$0) }
        return totals
    }
}

/// The validated arguments of `savetool validate`.
private final class ValidatePlan {
    private let basics: CheckOptions
    let format: ReportFormat
    let isQuiet: Bool
    let reportsInfos: Bool
    /// The schema file for the values; nil for none.
    private let schema: String?
    /// The beginnings of the URIs of other schemas, each with the folder that replaces it.
    private let schemaRoots: [(uri: String, folder: String)]
    private let assertsFormats: Bool
    private let project: Project?
    private let operands: [String]
    /// The file with more names, and the byte that ends each name.
    private let list: (file: String, separator: UInt8)?

    init(_ arguments: Arguments, _ project: Project?) throws(UsageError) {
        self.project = project
        operands = arguments.operands
        list = try Self.list(arguments)
        if operands.isEmpty, list == nil, project == nil {
            throw UsageError(
                "there is nothing to check; name files or folders, - for standard input, or "
                    + "\(Option.filesFrom.shown) \(Option.filesFrom.value ?? ""), or say in a file "
                    + "\(ProjectFile.fileName) what is checked here")
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
        isQuiet = arguments.has(.quiet)
        if isQuiet, arguments.has(.verbose) { throw .conflict(.quiet, .verbose) }
        reportsInfos = arguments.has(.verbose) || !format.isBrief
        let failurePolicy = FailurePolicy(
            isStrict: arguments.has(.strict), expectsInvalid: arguments.has(.expectInvalid), isQuiet: isQuiet,
            reportsInfos: reportsInfos,
            limit: try arguments.number(of: .maxFindings))
        let (sourceFormat, dialect) = try arguments.sourceFormat()
        var validation = Validation(
            format: sourceFormat, decodes: arguments.has(.unwrap), limits: try arguments.limits(),
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
            let source = SchemaSource(file: schema, roots: roots, assertsFormats: assertsFormats)
            basic.validation.schemas = [try source.compile(invocation)]
        }
        var options = CheckOptionsByRule(basic: basic)
        guard let project else { return options }
        let rules = try RuleOptions(of: project, basic: basic, invocation) { rule, file in
            SchemaSource(file: file, roots: roots, assertsFormats: assertsFormats || rule.assertsFormats)
        }
        for file in files where !file.rules.isEmpty && options.byRules[file.rules] == nil {
            options.byRules[file.rules] = rules.options(of: file.rules)
        }
        return options
    }

    private static let everyClass = "every class is allowed, as all are derived from NSObject"

    /// Warns if a class policy allows every class.
    func warn(_ invocation: Invocation) {
        if basics.validation.classes.contains(where: \.allowsEverything) {
            return invocation.printError("savetool: " + Self.everyClass)
        }
        guard basics.validation.classes.isEmpty, let project,
            let (_, place) = project.file.rules.lazy.compactMap(\.classes).first(where: \.policy.allowsEverything)
        else { return }
        invocation.printError(
            place.problem("project.every-class", Self.everyClass), in: project.file.name, as: "warning")
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

    /// Returns the files to check: the named ones, or without operands all files that have a rule in the project.
    func inputs(_ invocation: Invocation) throws -> InputList {
        var inputs = InputList(from: invocation.folder, project: project)
        if operands.isEmpty, list == nil, let project {
            inputs.addProject()
            try project.checkRules(inputs.files)
            return inputs
        }
        for operand in operands { inputs.add(operand) }
        if let list { try inputs.add(list: invocation.read(list.file), in: list.file, separator: list.separator) }
        let uses = inputs.files.count { $0.name == "-" } + [list?.file, schema].count { $0 == "-" }
        guard uses < 2 else { throw UsageError.inputTwice }
        return inputs
    }
}

extension Option {
    fileprivate static let format = Option(
        "format", "f", value: "FORMAT", among: ReportFormat.self, usual: .text, for: .view)
    fileprivate static let allowClass = Option(
        "allow-class", value: "NAMES",
        isRepeatable: true, for: .check,
        help: "archives: allow objects of these classes only, and of classes derived from them; may be repeated")
    fileprivate static let strict = Option("strict", for: .check, help: "take a file with warnings as invalid, too")
    fileprivate static let expectInvalid = Option(
        "expect-invalid", for: .check, help: "succeed if every file is invalid")
    fileprivate static let quiet = Option(
        "quiet", "q", for: .view, help: "tell only what makes a file invalid, and no summary")
    fileprivate static let verbose = Option(
        "verbose", "v", for: .view, help: "text, github: tell infos, too, as the other forms do")
    fileprivate static let maxFindings = Option(
        "max-findings", value: "N",
        for: .view,
        help: "tell N findings of each file, the gravest, and count the rest; of a file that fails at least one")
    static let filesFrom = Option(
        "files-from", name: "FILE", for: .input, help: "check what FILE names, too, one name a line; - for stdin")
    static let null = Option("null", "0", for: .input, help: "names in that file end in a zero byte instead")
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
        let options = self.options[file.rules]
        switch bytes {
        case .failure(let error):
            return options.failurePolicy.verdict(
                on: FileError(Invocation.shownName(file.name), error), of: file.name)
        case .success(let bytes):
            var validation = options.validation
            validation.format =
                validation.format ?? Format(ofEmpty: bytes, named: file.name, decodes: validation.decodes)
            do throws(Problem) {
                let output = try options.filter?.output(of: bytes, validation.limits)
                let report = validation.report(on: output ?? bytes, outOf: output == nil ? nil : Filter.origin)
                return options.failurePolicy.verdict(on: report, of: file.name)
            } catch {
                let failure = FileError(Invocation.shownName(file.name), error.message)
                return options.failurePolicy.verdict(on: failure, of: file.name)
            }
        }
    }
}
