import SaveCodec
import SaveOperations

/// What is wrong in a project file. Every sentence about project files is made here.
enum ProjectFault {
    case type(NodeKind, expected: String)
    case empty(expected: String)
    case unknownMember(String, known: [String])
    case repeatedMember
    case missingMember(String)
    case unknownName(String, known: [String])
    case pattern(GlobFault)
    case noPattern
    /// A member has no effect without another one.
    case needs(String)
    case schema(FileError)
    /// A rule is for no file.
    case noFile
    case noRules
    /// A class policy lets everything pass.
    case everyClass

    /// The stable identifier.
    var id: String {
        switch self {
        case .type: "project.type"
        case .empty, .noPattern: "project.empty"
        case .unknownMember: "project.member"
        case .repeatedMember: "project.repeated-member"
        case .missingMember: "project.missing"
        case .unknownName: "project.name"
        case .pattern: "project.pattern"
        case .needs: "project.effect"
        case .schema: "project.schema"
        case .noFile: "project.files"
        case .noRules: "project.rules"
        case .everyClass: "project.every-class"
        }
    }

    /// Whether it is about the name of a member, not about the value.
    var isAboutName: Bool {
        switch self {
        case .unknownMember, .repeatedMember, .needs: true
        default: false
        }
    }

    /// What is wrong, as one sentence.
    var sentence: String {
        switch self {
        case .type(let kind, let expected): "found \(Self.phrase(kind)); expected \(expected)"
        case .empty(let expected): "found an empty string; expected \(expected)"
        case .unknownMember(let name, let known):
            "there is no such member; " + Self.advice(name, known, isQuoted: true)
        case .repeatedMember: "the member stands more than once"
        case .missingMember(let name): "the member \"\(name)\" is missing, and required"
        case .unknownName(let name, let known):
            "there is no \(Self.quoted(name)); " + Self.advice(name, known, isQuoted: false)
        case .pattern(let fault): fault.sentence
        case .noPattern: "found no pattern; expected at least one"
        case .needs(let name): "this has an effect only with \"\(name)\""
        case .schema(let error): error.name + ": " + error.sentence
        case .noFile: "no file in the project matches"
        case .noRules: "there are no rules in this file"
        case .everyClass: "every class is allowed, as all are derived from NSObject"
        }
    }

    private static func advice(_ name: String, _ known: [String], isQuoted: Bool) -> String {
        if let near = Suggestion.nearest(to: name, in: known) { return "did you mean \"\(near)\"?" }
        return "expected " + UsageError.list(isQuoted ? known.map { "\"\($0)\"" } : known)
    }

    private static func quoted(_ name: String) -> String {
        let units = Array(name.utf16.prefix(41))
        return "\"" + SafeText.escaping(units.prefix(40)) + (units.count > 40 ? "…\"" : "\"")
    }

    private static func phrase(_ kind: NodeKind) -> String {
        switch kind {
        case .dictionary: "an object"
        case .array: "an array"
        case .null: "null"
        case .boolean: "true or false"
        case .string: "a string"
        default: "a number"
        }
    }
}
