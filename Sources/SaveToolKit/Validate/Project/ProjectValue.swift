import SaveCodec
import SaveOperations

/// A value in a project file, with the way to it, so that every fault is told with its place.
///
/// Project files are read strictly: a member that nobody knows is a demand that nobody checks.
struct ProjectValue: Sendable {
    /// The text, and what was read from it.
    struct Source: Sendable {
        let bytes: [UInt8]
        let document: Document
    }

    private let source: Source
    private let id: ObjectID
    private var address = Address.root
    /// The position in each container from the root down.
    private var path: [Int] = []

    /// The value that a project file consists of.
    init(_ bytes: [UInt8]) throws(Problem) {
        source = Source(bytes: bytes, document: try JSON.readPlain(bytes))
        id = source.document.root
    }

    private init(_ container: ProjectValue, _ id: ObjectID, at position: Int) {
        (source, self.id, address, path) = (container.source, id, container.address, container.path)
        path.append(position)
    }

    /// A problem with this value.
    func problem(_ fault: ProjectFault) -> Problem {
        let place = JSON.place(of: path, isName: fault.isAboutName, in: source.bytes)
        return Problem(fault.id, fault.sentence, at: place, address: address)
    }

    private func wrongType(_ expected: String) -> Problem {
        problem(.type(source.document[id].kind, expected: expected))
    }

    // MARK: Contents

    /// The members of an object, by name.
    ///
    /// - Parameter known: the names that members may have; nil for any.
    func members(_ known: [String]?) throws(Problem) -> [(name: String, value: ProjectValue)] {
        guard case .dictionary(let pairs) = source.document[id] else { throw wrongType("an object") }
        var members: [(name: String, value: ProjectValue)] = []
        var seen: Set<[UInt16]> = []
        for (position, pair) in pairs.enumerated() {
            let units = source.document.text(pair.key).map { Array($0) } ?? []
            let name = String(decoding: units, as: UTF16.self)
            var member = ProjectValue(self, pair.value, at: position)
            member.address.append(key: units)
            guard seen.insert(units).inserted else { throw member.problem(.repeatedMember) }
            if let known, !known.contains(name) { throw member.problem(.unknownMember(name, known: known)) }
            members.append((name, member))
        }
        return members
    }

    /// The elements of an array.
    func elements(_ expected: String) throws(Problem) -> [ProjectValue] {
        guard case .array(let elements) = source.document[id] else { throw wrongType(expected) }
        return elements.enumerated().map { position, id in
            var element = ProjectValue(self, id, at: position)
            element.address.append(index: position)
            return element
        }
    }

    /// A string that is not empty.
    func string(_ expected: String) throws(Problem) -> String {
        guard let text = source.document.text(id) else { throw wrongType(expected) }
        guard text.count > 0 else { throw problem(.empty(expected: expected)) }
        return text.string
    }

    func boolean() throws(Problem) -> Bool {
        guard case .boolean(let value) = source.document[id] else { throw wrongType("true or false") }
        return value
    }

    /// One of some names.
    func choice<Choice>(_ names: [String], _ choose: (String) -> Choice?) throws(Problem) -> Choice {
        let name = try string("a name")
        if let choice = choose(name) { return choice }
        throw problem(.unknownName(name, known: names))
    }

    /// Patterns for paths, in an array.
    func globs() throws(Problem) -> [Glob] {
        var globs: [Glob] = []
        for element in try elements("an array of patterns") {
            let pattern = try element.string("a pattern")
            do throws(GlobFault) {
                globs.append(try Glob(pattern))
            } catch {
                throw element.problem(.pattern(error))
            }
        }
        return globs
    }
}

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
