import SaveCodec
import SaveOperations

/// What the arguments of `savetool validate` ask for, once they are known to make sense.
struct ValidatePlan {
    private let basics: Validation
    let judgement: Judgement
    let format: ReportFormat
    let isQuiet: Bool
    /// The schema that the values must obey, and where those are that it refers to.
    private let schema: SchemaSource?
    private let operands: [String]
    /// The file that lists more names, and the byte that ends each.
    private let list: (file: String, separator: UInt8)?

    init(_ arguments: Arguments) throws(UsageError) {
        operands = arguments.operands
        list = try Self.list(arguments)
        if operands.isEmpty, list == nil { throw .noInput(.filesFrom) }
        schema = try SchemaSource(arguments)
        format = try arguments.choice(of: .reportFormat) ?? .text
        isQuiet = arguments.has(.quiet)
        judgement = Judgement(
            isStrict: arguments.has(.strictFindings), expectsInvalid: arguments.has(.expectInvalid), isQuiet: isQuiet,
            limit: try arguments.number(of: .maxFindings))
        var basics = Validation(
            format: try arguments.format(of: .from), limits: try arguments.limits(), classes: try Self.policy(arguments)
        )
        basics.profile = try arguments.profile()
        basics.now = try arguments.now()
        self.basics = basics
    }

    /// What is checked, the schema read from its file.
    func validation(_ invocation: Invocation) throws -> Validation {
        var validation = basics
        validation.schema = try schema?.compile(invocation)
        return validation
    }

    private static func list(_ arguments: Arguments) throws(UsageError) -> (String, UInt8)? {
        guard let file = arguments.value(of: .filesFrom) else {
            if arguments.has(.null) { throw .needsOneOf(.null, [.filesFrom]) }
            return nil
        }
        return (file, arguments.has(.null) ? 0 : UInt8(ascii: "\n"))
    }

    private static func policy(_ arguments: Arguments) throws(UsageError) -> ClassPolicy? {
        guard arguments.has(.allowClass) else { return nil }
        let names = arguments.values(of: .allowClass).flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard !names.contains("") else {
            throw .badValue(
                arguments.values(of: .allowClass).joined(separator: ","), .allowClass, expected: "names of classes")
        }
        return ClassPolicy(allowing: names)
    }

    /// The files that are to be checked.
    func inputs(_ invocation: Invocation) throws -> InputList {
        var inputs = InputList(from: invocation.folder)
        for operand in operands { inputs.add(operand) }
        if let list {
            for name in try invocation.read(list.file).split(separator: list.separator) {
                inputs.add(String(decoding: name, as: UTF8.self))
            }
        }
        let uses = inputs.files.count { $0.name == "-" } + [list?.file, schema?.file].count { $0 == "-" }
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
        "max-findings", value: "N", help: "tell N findings of each file, the gravest, and count the rest")
    static let filesFrom = Option(
        "files-from", value: "FILE", help: "check what FILE names, too, one name a line; - for stdin")
    static let null = Option("null", "0", help: "names in that file end in a zero byte instead")
}
