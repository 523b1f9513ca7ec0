import SaveCodec
import SaveOperations

/// A project file, which tells what the files of a project must be like, so that CI says just `savetool validate`:
///
///     {
///       "validate": [
///         {"files": ["Saves/**/*.save"], "profile": "archive", "allowClass": ["Foundation", "Map", "Player"]},
///         {"files": ["Broken/*"], "expectInvalid": true}
///       ],
///       "ignore": ["**/*.bak"],
///       "schemaRoot": {"https://example.com/": "schemas"},
///       "migrate": ["rules"]
///     }
///
/// Its paths start from the folder that it stands in. `Fixtures/schemas/project.schema.json` describes it.
struct ProjectFile: Sendable {
    /// The name that is looked for.
    static let fileName = ".savetool.json"

    /// Its name, as messages have it.
    let name: String
    /// All that it holds.
    let content: ProjectValue
    private(set) var rules: [ProjectRule] = []
    /// What is not checked: files, and folders with all that is in them.
    private var ignored: [Glob] = []
    /// A URI, and the folder that stands for it, from the folder of the project.
    private(set) var schemaRoots: [(uri: String, folder: String)] = []
    /// The rules that bring saves to the newest version: files and folders, from the folder of the project.
    private(set) var migrations: [String] = []

    /// Reads the bytes of a project file.
    init(_ bytes: [UInt8], name: String) throws(Problem) {
        self.name = name
        let names = ["validate", "ignore", "schemaRoot", "migrate", "$schema"]
        content = try ProjectValue(bytes)
        for (name, value) in try content.members(names) {
            switch name {
            case "validate": for rule in try value.elements("an array of rules") { rules.append(try ProjectRule(rule)) }
            case "ignore": ignored = try value.globs()
            case "schemaRoot":
                for (uri, folder) in try value.members(nil) {
                    schemaRoots.append((uri, FileName.text(try folder.string("the name of a folder").utf8)))
                }
            case "migrate":
                let elements = try value.elements("an array of files and folders with rules")
                if elements.isEmpty {
                    throw value.problem("project.empty", "found no name; expected at least one")
                }
                for element in elements {
                    migrations.append(FileName.text(try element.string("the name of a file or a folder").utf8))
                }
            // Tells editors what describes the file.
            default: _ = try value.string("a URI")
            }
        }
        if migrations.isEmpty, let place = rules.lazy.compactMap(\.newestVersion).first {
            throw place.problem("project.effect", "this has an effect only with \"migrate\"", isAboutName: true)
        }
    }

    /// Whether a path is not to be checked, or nothing in it if it is a folder.
    func ignores(_ path: String) -> Bool {
        ignored.contains { [.whole, .folder].contains($0.relation(to: path)) }
    }

    /// The positions of the rules for a file; none for a file that is the schema of one.
    func rules(for path: String) -> [Int] {
        guard !isSchema(path) else { return [] }
        return rules.indices.filter { rules[$0].matches(path) }
    }

    /// Whether a file is the schema of a rule, which stands beside the saves as a rule.
    func isSchema(_ path: String) -> Bool {
        rules.contains { $0.schema?.file == path }
    }

    /// Whether a folder may have files in it that a rule is for.
    func concerns(folder: String) -> Bool {
        !ignores(folder) && rules.contains { $0.mayMatch(below: folder) }
    }
}

/// What the project file demands of the files that some patterns match.
struct ProjectRule: Sendable {
    /// The member with the patterns.
    let place: ProjectValue
    let files: [Glob]
    private(set) var schema: (file: String, place: ProjectValue)?
    private(set) var profile: Profile?
    private(set) var classes: (policy: ClassPolicy, place: ProjectValue)?
    private(set) var format: Format?
    private(set) var assertsFormats = false
    private(set) var isStrict = false
    private(set) var expectsInvalid = false
    /// The member that demands the newest version; nil if none does.
    private(set) var newestVersion: ProjectValue?

    /// The members are named as the options are.
    private static let names = [
        "files", "schema", "assertFormats", "profile", "allowClass", "strict", "expectInvalid", "from", "newestVersion",
    ]

    init(_ value: ProjectValue) throws(Problem) {
        let members = try value.members(Self.names)
        guard let files = members.first(where: { $0.name == "files" })?.value else {
            throw value.problem("project.missing", "the member \"files\" is missing, and required")
        }
        place = files
        self.files = try files.globs()
        if self.files.isEmpty { throw files.problem("project.empty", "found no pattern; expected at least one") }
        for (name, member) in members where name != "files" { try take(member, named: name) }
        if assertsFormats, schema == nil {
            let member = members.first { $0.name == "assertFormats" }?.value ?? value
            throw member.problem("project.effect", "this has an effect only with \"schema\"", isAboutName: true)
        }
    }

    private mutating func take(_ value: ProjectValue, named name: String) throws(Problem) {
        switch name {
        case "schema": schema = (FileName.text(try value.string("the name of a file").utf8), value)
        case "assertFormats": assertsFormats = try value.boolean()
        case "profile": profile = try value.choice(Profile.all.map(\.name), Profile.named)
        case "allowClass": classes = (try Self.policy(value), value)
        case "strict": isStrict = try value.boolean()
        case "expectInvalid": expectsInvalid = try value.boolean()
        case "newestVersion": newestVersion = try value.boolean() ? value : nil
        default: format = try value.choice(Format.allCases.map(\.rawValue), Format.init(rawValue:))
        }
    }

    private static func policy(_ value: ProjectValue) throws(Problem) -> ClassPolicy {
        var names: [String] = []
        for element in try value.elements("an array of names of classes") {
            names.append(try element.string("the name of a class"))
        }
        return ClassPolicy(allowing: names)
    }

    /// Whether one of the patterns matches a path.
    func matches(_ path: String) -> Bool {
        files.contains { $0.relation(to: path) == .whole }
    }

    /// Whether one of the patterns is for files of any name, of which some may have been forgotten.
    var isOpen: Bool { files.contains(where: \.isOpen) }

    /// Whether one of the patterns could match something in a folder.
    func mayMatch(below folder: String) -> Bool {
        files.contains { $0.relation(to: folder) != .none }
    }
}
