import SaveCodec
import SaveOperations

/// A file with the rules of a migration. Its schema is `Fixtures/schemas/migration.schema.json`:
///
///     {"version": "/root/saveVersion", "from": 1, "to": 2,
///      "rules": [{"renameClass": "Player", "to": "Hero"}, {"dropField": "cheats", "of": "Hero"}]}
struct RulesFile {
    let name: String
    let migration: Migration
    private let from: ConfigurationValue
    private let to: ConfigurationValue
    private let version: ConfigurationValue

    init(_ bytes: [UInt8], name: String) throws(Problem) {
        self.name = name
        let content = try ConfigurationValue(bytes)
        let values = try JSON.readTyped(bytes)
        let members = Members(try content.members(["$schema", "from", "to", "version", "rules"]), of: content)
        if let schema = members["$schema"] { _ = try schema.string("a URI") }
        (version, from, to) = (
            try members.required("version"), try members.required("from"), try members.required("to")
        )
        let newVersion = to.typed(in: values)
        guard let new = SaveVersion(values[newVersion]) else { throw to.noVersion("a number or a string") }
        var old: SaveVersion?
        let oldNode = values[from.typed(in: values)]
        if case .null = oldNode {
        } else {
            old = SaveVersion(oldNode)
            if old == nil { throw from.noVersion("a number, a string, or null for saves without a version") }
        }
        var rules: [MigrationRule] = []
        for rule in try members.required("rules").elements("an array of rules") {
            rules.append(try MigrationRule(rule, values))
        }
        migration = Migration(
            name: Invocation.shownName(name), Migration.Versions(from: old, to: new, at: try version.pointer()),
            rules: rules,
            values: values, version: newVersion)
    }

    /// Returns a fault of the chain with its location in this file.
    fileprivate func located(_ fault: MigrationChain.Fault) -> FileProblem {
        let value =
            switch fault.member {
            case .from: from
            case .to: to
            case .version: version
            }
        var problem = fault.problem
        (problem.location, problem.address) = (value.location, value.address)
        return FileProblem(name: name, problem: problem)
    }
}

extension MigrationChain {
    /// Creates a chain from files with rules, project files that name such files, and folders of files with rules.
    init(inFiles names: [String], _ invocation: Invocation) throws {
        var files: [RulesFile] = []
        for name in names { files += try RulesFile.files(of: name, invocation) }
        do throws(Fault) {
            self = try MigrationChain(files.map(\.migration))
        } catch {
            throw files[error.position].located(error)
        }
    }
}

extension RulesFile {
    /// Returns the files with rules that a name refers to.
    ///
    /// - Parameter mayBeProject: Whether the file may be a project file, which names other files.
    fileprivate static func files(
        of name: String, mayBeProject: Bool = true, _ invocation: Invocation
    ) throws -> [RulesFile] {
        if (try? FileSystem.status(invocation.path(name)))?.kind == .folder {
            return try names(inFolder: name, invocation).map { try RulesFile(reading: $0, isFound: true, invocation) }
        }
        guard mayBeProject, FileSystem.name(of: name) == ProjectFile.fileName else {
            return [try RulesFile(reading: name, isFound: !mayBeProject, invocation)]
        }
        let project = try invocation.inFile(name) { try ProjectFile(invocation.read(name), name: name) }
        guard !project.migrations.isEmpty else {
            let problem = project.content.problem("project.missing", "the required member \"migrate\" is missing")
            throw FileProblem(name: name, problem: problem)
        }
        let folder = FileSystem.folder(of: name)
        return try project.migrations.flatMap {
            try files(of: FileSystem.path($0, from: folder), mayBeProject: false, invocation)
        }
    }

    /// - Parameter isFound: Whether the file is named by a project file or was found in a folder.
    private init(reading name: String, isFound: Bool, _ invocation: Invocation) throws {
        self = try invocation.inFile(name) {
            try RulesFile(isFound ? invocation.readRegular(name) : invocation.read(name), name: name)
        }
    }

    private static func names(inFolder folder: String, _ invocation: Invocation) throws -> [String] {
        let names = try FileError.naming(Invocation.shownName(folder)) { () throws(SystemError) in
            try FileSystem.names(inFolder: invocation.path(folder))
        }
        let rules = names.filter { FileSystem.ending(of: $0) == "json" && !$0.hasPrefix(".") }
        guard !rules.isEmpty else {
            throw FileError(Invocation.shownName(folder), "no rules in this folder; expected *.json files")
        }
        let root = FileSystem.root(invocation.path(folder))
        return try rules.map { rule in
            let name = folder.hasSuffix("/") ? folder + rule : folder + "/" + rule
            let path = invocation.path(name)
            if let root, FileSystem.isLink(path), !FileSystem.leads(path, below: root) {
                throw FileError(Invocation.shownName(name), .linkOutside)
            }
            return name
        }
    }
}

/// The members of a table by name.
struct Members {
    private let values: [String: ConfigurationValue]
    private let owner: ConfigurationValue

    init(_ members: [(name: String, value: ConfigurationValue)], of owner: ConfigurationValue) {
        values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        self.owner = owner
    }

    subscript(name: String) -> ConfigurationValue? { values[name] }

    func required(_ name: String) throws(Problem) -> ConfigurationValue {
        if let value = values[name] { return value }
        throw owner.problem("project.missing", "the required member \"\(name)\" is missing")
    }

    /// Returns a required name as UTF-16 code units.
    func name(_ member: String, _ expected: String) throws(Problem) -> [UInt16] {
        Array(try required(member).string(expected).utf16)
    }
}

extension ConfigurationValue {
    fileprivate func noVersion(_ expected: String) -> Problem {
        problem("project.version", "not a version; expected \(expected)")
    }
}

extension MigrationRule {
    /// The members that begin a rule, each with the other members that it allows.
    private static let verbs: KeyValuePairs<String, [String]> = [
        "renameClass": ["to"], "renameModule": ["to"], "setAncestors": ["to"], "renameField": ["of", "to"],
        "dropField": ["of"],
        "addField": ["of", "value"], "convertField": ["of", "type", "multiplyBy", "stored"], "moveRoot": ["to"],
        "replace": ["value"],
    ]

    /// - Parameter values: The file read as typed JSON.
    fileprivate init(_ rule: ConfigurationValue, _ values: Document) throws(Problem) {
        let all = try rule.members(nil)
        let used = Self.verbs.filter { verb in all.contains { $0.name == verb.key } }
        guard let verb = used.first else {
            // Throws a suggestion if a member is misspelled.
            if all.count > 0 { _ = try rule.members(Self.verbs.map(\.key) + ["to", "of", "value"]) }
            throw rule.problem(
                "project.rule",
                "not a rule; expected one of the members " + Self.verbs.map(\.key).joined(separator: ", "))
        }
        guard used.count == 1 else {
            throw rule.problem(
                "project.rule", "found \(used.map(\.key).joined(separator: " and ")) in one rule; expected one of them")
        }
        let members = Members(try rule.members([verb.key] + verb.value), of: rule)
        let isAboutClass = verb.key == "setAncestors"
        let subject = try members.required(verb.key)
        if verb.key == "replace" {
            self = .replace(try subject.pointer(), with: try members.required("value").typed(in: values))
            return
        }
        if verb.key == "renameClass" || verb.key == "renameModule" {
            self = .rename(try Self.renaming(members, isOfModule: verb.key == "renameModule"))
            return
        }
        let name = try members.name(verb.key, isAboutClass ? "the name of a class" : "the name of a field or a root")
        switch verb.key {
        case "setAncestors": self = .setAncestors(name, to: try Self.ancestors(try members.required("to")))
        case "moveRoot": self = .moveRoot(name, to: try members.name("to", "the name of a root"))
        default:
            let owner = try members.name("of", "the name of a class")
            switch verb.key {
            case "renameField":
                self = .renameField(name, of: owner, to: try members.name("to", "the name of a field"))
            case "dropField": self = .dropField(name, of: owner)
            case "addField":
                self = .addField(name, of: owner, value: try members.required("value").typed(in: values))
            default: self = .convertField(name, of: owner, try Self.conversion(members, of: rule, values))
            }
        }
    }

    private static func renaming(_ members: Members, isOfModule: Bool) throws(Problem) -> ClassRenaming {
        let names = (try members.required(isOfModule ? "renameModule" : "renameClass"), try members.required("to"))
        let expected = isOfModule ? "the name of a module" : "the name of a class"
        let (old, new) = (try names.0.string(expected), try names.1.string(expected))
        do throws(ClassRenaming.Fault) {
            return try isOfModule ? ClassRenaming(module: old, to: new) : ClassRenaming(old, to: new)
        } catch {
            let wrong = error == .old ? names.0 : names.1
            throw wrong.problem(
                "project.rule",
                isOfModule
                    ? "not the name of a Swift module"
                    : "not the name of a class; for a module, use NAME.* as both renameClass and to")
        }
    }

    private static func ancestors(_ value: ConfigurationValue) throws(Problem) -> [[UInt16]] {
        try value.elements("an array of class names").map { element throws(Problem) in
            Array(try element.string("the name of a class").utf16)
        }
    }

    private static func conversion(
        _ members: Members, of rule: ConfigurationValue, _ values: Document
    ) throws(Problem) -> FieldConversion {
        guard ["type", "multiplyBy", "stored"].contains(where: { members[$0] != nil }) else {
            throw rule.problem(
                "project.missing", "the rule converts nothing; expected \"type\", \"multiplyBy\" or \"stored\"")
        }
        let type = try members["type"]?.choice(FieldConversion.ValueType.allCases.map(\.rawValue)) {
            FieldConversion.ValueType(rawValue: $0)
        }
        let storage = try members["stored"]?.choice(FieldConversion.Storage.allCases.map(\.rawValue)) {
            FieldConversion.Storage(rawValue: $0)
        }
        return FieldConversion(type: type, factor: try factor(members["multiplyBy"], values), storage: storage)
    }

    private static func factor(
        _ value: ConfigurationValue?, _ values: Document
    ) throws(Problem) -> Number? {
        guard let value else { return nil }
        guard let number = Number(values[value.typed(in: values)]) else {
            throw value.problem("project.type", "expected a number")
        }
        return number
    }
}
