import SaveCodec
import SaveInspection
import SaveOperations

/// A project file, which describes the files of a project so that CI can run `savetool validate` without options:
///
///     {
///       "validate": [
///         {"files": ["Saves/**/*.save"], "profile": "archive", "allowClass": ["Foundation", "Map", "Player"]},
///         {"files": ["Broken/*"], "expectInvalid": true},
///         {"files": ["Cut/*.save"], "expect": ["binary.truncated"]}
///       ],
///       "ignore": ["**/*.bak"],
///       "schemaRoot": {"https://example.com/": "schemas"},
///       "migrate": ["rules"],
///       "scores": [{"files": ["Saves/times.json"], "order": "lowest"}]
///     }
///
/// Paths are relative to the folder of the file. The schema is `Fixtures/schemas/project.schema.json`.
struct ProjectFile: Sendable {
    static let fileName = ".savetool.json"

    /// The name in messages.
    let name: String
    let content: ConfigurationValue
    private(set) var rules: [ProjectRule] = []
    /// The patterns of all rules, and the rule of each.
    private var patterns = GlobList([])
    private var ruleOfPattern: [Int] = []
    private(set) var schemaFiles: Set<String> = []
    /// The patterns of files that are not checked, and of folders that are not entered.
    private var ignored = GlobList([])
    /// The beginnings of URIs, each with the folder that replaces it, relative to the project's folder.
    private(set) var schemaRoots: [(uri: String, folder: String)] = []
    /// The files and folders with migration rules, relative to the project's folder.
    private(set) var migrations: [String] = []
    /// The orders of tables of high scores, with the patterns of their files. The last one for a file applies.
    private(set) var scoreOrders: [(files: [Glob], order: ScoreOrder)] = []

    init(_ bytes: [UInt8], name: String) throws(Problem) {
        self.name = name
        let names = ["validate", "ignore", "schemaRoot", "migrate", "scores", "$schema"]
        content = try ConfigurationValue(bytes)
        for (name, value) in try content.members(names) {
            switch name {
            case "validate": for rule in try value.elements("an array of rules") { rules.append(try ProjectRule(rule)) }
            case "ignore": ignored = GlobList(try value.globs())
            case "schemaRoot":
                for (uri, folder) in try value.members(nil) {
                    schemaRoots.append((uri, FileName.text(try folder.string("the name of a folder").utf8)))
                }
            case "migrate":
                let elements = try value.elements("an array of files and folders with rules")
                if elements.isEmpty {
                    throw value.problem("project.empty", "the array is empty; expected at least one name")
                }
                for element in elements {
                    migrations.append(FileName.text(try element.string("the name of a file or a folder").utf8))
                }
            case "scores":
                for value in try value.elements("an array of tables") {
                    scoreOrders.append(try Self.scoreOrder(value))
                }
            // `$schema` tells editors which schema describes the file.
            default: _ = try value.string("a URI")
            }
        }
        patterns = GlobList(rules.flatMap(\.files))
        ruleOfPattern = rules.indices.flatMap { index in rules[index].files.map { _ in index } }
        schemaFiles = Set(rules.compactMap { $0.schema?.file })
        if migrations.isEmpty, let member = rules.lazy.compactMap(\.newestVersion).first {
            throw member.problem("project.effect", "this has an effect only with \"migrate\"", isAboutName: true)
        }
    }

    private static func scoreOrder(_ value: ConfigurationValue) throws(Problem) -> (files: [Glob], order: ScoreOrder) {
        let members = Members(try value.members(["files", "order"]), of: value)
        return (
            try members.required("files").globs(),
            try members.required("order").choice(ScoreOrder.allCases.map(\.rawValue), ScoreOrder.init(rawValue:))
        )
    }

    /// Whether a file is not checked, or a folder not entered.
    func ignores(_ path: String) -> Bool {
        ignored.contains(path)
    }

    /// Returns the indices of the rules for a file. A file that is the schema of a rule has none.
    func rules(for path: String) -> [Int] {
        guard !isSchema(path) else { return [] }
        var found: [Int] = []
        for pattern in patterns.matches(path) where found.last != ruleOfPattern[pattern] {
            found.append(ruleOfPattern[pattern])
        }
        return found
    }

    func isSchema(_ path: String) -> Bool {
        schemaFiles.contains(path)
    }

    /// Whether a folder may contain files with a rule.
    func concerns(folder: String) -> Bool {
        !ignores(folder) && patterns.concerns(folder: folder)
    }
}

/// The requirements for files that match patterns.
struct ProjectRule: Sendable {
    /// The address in the project file.
    let address: JSONPointer
    /// The member with the patterns, for error messages.
    let filesMember: ConfigurationValue
    let files: [Glob]
    private(set) var schema: (file: String, member: ConfigurationValue)?
    private(set) var profile: Profile?
    private(set) var classes: (policy: ClassPolicy, member: ConfigurationValue)?
    private(set) var format: Format?
    private(set) var assertsFormats = false
    private(set) var isStrict = false
    private(set) var expectsInvalid = false
    /// The ids of the findings that are expected to make the files invalid; nil if any finding may.
    private(set) var expectedFindings: [String]?
    /// The member that requires the newest version; nil for none.
    private(set) var newestVersion: ConfigurationValue?

    /// The members, which are named like the options.
    private static let names = [
        "files", "schema", "assertFormats", "profile", "allowClass", "strict", "expectInvalid", "expect", "from",
        "newestVersion",
    ]

    init(_ value: ConfigurationValue) throws(Problem) {
        let members = try value.members(Self.names)
        guard let files = members.first(where: { $0.name == "files" })?.value else {
            throw value.problem("project.missing", "the required member \"files\" is missing")
        }
        address = value.address
        filesMember = files
        self.files = try files.globs()
        if self.files.isEmpty {
            throw files.problem("project.empty", "the array is empty; expected at least one pattern")
        }
        for (name, member) in members where name != "files" { try take(member, named: name) }
        if expectedFindings != nil, let member = members.first(where: { $0.name == "expectInvalid" })?.value,
            try !member.boolean()
        {
            throw member.problem("project.effect", "this contradicts \"expect\"", isAboutName: true)
        }
        if assertsFormats, schema == nil {
            let member = members.first { $0.name == "assertFormats" }?.value ?? value
            throw member.problem("project.effect", "this has an effect only with \"schema\"", isAboutName: true)
        }
    }

    private mutating func take(_ value: ConfigurationValue, named name: String) throws(Problem) {
        switch name {
        case "schema": schema = (FileName.text(try value.string("the name of a file").utf8), value)
        case "assertFormats": assertsFormats = try value.boolean()
        case "profile": profile = try value.choice(Profile.all.map(\.name), Profile.named)
        case "allowClass": classes = (try Self.policy(value), value)
        case "strict": isStrict = try value.boolean()
        case "expectInvalid": expectsInvalid = try value.boolean() || expectsInvalid
        case "expect":
            expectedFindings = try Self.findings(value)
            expectsInvalid = true
        case "newestVersion": newestVersion = try value.boolean() ? value : nil
        default: format = try value.choice(Format.allCases.map(\.rawValue), Format.init(rawValue:))
        }
    }

    private static func findings(_ value: ConfigurationValue) throws(Problem) -> [String] {
        var ids: [String] = []
        for element in try value.elements("an array of ids of findings") {
            ids.append(try element.findingID())
        }
        if ids.isEmpty { throw value.problem("project.empty", "the array is empty; expected at least one id") }
        return ids
    }

    private static func policy(_ value: ConfigurationValue) throws(Problem) -> ClassPolicy {
        var names: [String] = []
        for element in try value.elements("an array of class names") {
            names.append(try element.string("the name of a class"))
        }
        return ClassPolicy(allowing: names)
    }
}
