import SaveCodec
import SaveOperations

/// What the arguments of `savetool validate` ask for, once they are known to make sense.
struct ValidatePlan {
    private let basics: Demand
    let format: ReportFormat
    let isQuiet: Bool
    /// The file with the schema that the values must obey.
    private let schema: String?
    /// Where the schemas are that schemas refer to: a URI, and the folder that stands for it.
    private let schemaRoots: [(uri: String, folder: String)]
    private let assertsFormats: Bool
    private let project: Project?
    private let operands: [String]
    /// The file that lists more names, and the byte that ends each.
    private let list: (file: String, separator: UInt8)?

    init(_ arguments: Arguments, _ project: Project?) throws(UsageError) {
        self.project = project
        operands = arguments.operands
        list = try Self.list(arguments)
        if operands.isEmpty, list == nil, project == nil { throw .noInput(.filesFrom) }
        schema = try arguments.onlyValue(of: .schema)
        assertsFormats = arguments.has(.assertFormats)
        schemaRoots = try SchemaSource.roots(arguments)
        if schema == nil, project == nil {
            for option in [Option.assertFormats, .schemaRoot] where arguments.has(option) {
                throw .needsOneOf(option, [.schema])
            }
        }
        format = try arguments.choice(of: .reportFormat) ?? .text
        isQuiet = arguments.has(.quiet)
        let judgement = Judgement(
            isStrict: arguments.has(.strictFindings), expectsInvalid: arguments.has(.expectInvalid), isQuiet: isQuiet,
            limit: try arguments.number(of: .maxFindings))
        var validation = Validation(
            format: try arguments.format(of: .from), limits: try arguments.limits(),
            classes: try Self.policies(arguments)
        )
        validation.profiles = try arguments.profile().map { [$0] } ?? []
        validation.now = try arguments.now()
        basics = Demand(validation: validation, judgement: judgement)
    }

    /// What is demanded of some files, the schemas read from their files.
    func demands(on files: [InputFile], _ invocation: Invocation) throws -> Demands {
        var basic = basics
        let roots = schemaRoots + (project?.schemaRoots ?? [])
        if let schema {
            let source = SchemaSource(file: schema, roots: roots, assertsFormats: assertsFormats)
            basic.validation.schemas = [try source.compile(invocation)]
        }
        var demands = Demands(basic: basic)
        guard let project else { return demands }
        let rules = try ProjectDemands(project, basic: basic, invocation) { rule, file in
            SchemaSource(file: file, roots: roots, assertsFormats: assertsFormats || rule.assertsFormats)
        }
        for file in files where !file.rules.isEmpty && demands.byRules[file.rules] == nil {
            demands.byRules[file.rules] = rules.demand(of: file.rules)
        }
        return demands
    }

    /// Says that a class policy lets everything pass.
    func warn(_ invocation: Invocation) {
        if basics.validation.classes.contains(where: \.allowsEverything) {
            return invocation.say("savetool: every class is allowed, as all are derived from NSObject")
        }
        guard basics.validation.classes.isEmpty, let project,
            let (_, place) = project.file.rules.lazy.compactMap(\.classes).first(where: \.policy.allowsEverything)
        else { return }
        invocation.say(ProblemLine.render(place.problem(.everyClass), in: project.file.name, as: "warning"))
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

    /// The files that are to be checked: those that are named, or all that the project has rules for.
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
    static let reportFormat = Option(
        "format", "f", value: "FORMAT", help: "text, json, ndjson, github, sarif or junit (text)")
    static let allowClass = Option(
        "allow-class", value: "NAMES",
        help: "archives: allow objects of these classes only, and of classes\nderived from them; may be repeated")
    static let strictFindings = Option("strict", help: "take a file with warnings as invalid, too")
    static let expectInvalid = Option("expect-invalid", help: "succeed if every file is invalid")
    static let quiet = Option(
        "quiet", "q", help: "tell only what makes a file invalid, and no summary")
    static let maxFindings = Option(
        "max-findings", value: "N",
        help: "tell N findings of each file, the gravest, and count the rest;\nof a file that fails at least one")
    static let filesFrom = Option(
        "files-from", value: "FILE", help: "check what FILE names, too, one name a line, in UTF-8;\n- for stdin")
    static let null = Option("null", "0", help: "names in that file end in a zero byte instead")
}
