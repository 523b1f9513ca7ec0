import SaveCodec
import SaveOperations

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

    /// The members are named as the options are.
    private static let names = [
        "files", "schema", "assertFormats", "profile", "allowClass", "strict", "expectInvalid", "from",
    ]

    init(_ value: ProjectValue) throws(Problem) {
        let members = try value.members(Self.names)
        guard let files = members.first(where: { $0.name == "files" })?.value else {
            throw value.problem(.missingMember("files"))
        }
        place = files
        self.files = try files.globs()
        if self.files.isEmpty { throw files.problem(.noPattern) }
        for (name, member) in members where name != "files" { try take(member, named: name) }
        if assertsFormats, schema == nil {
            let member = members.first { $0.name == "assertFormats" }?.value ?? value
            throw member.problem(.needs("schema"))
        }
    }

    private mutating func take(_ value: ProjectValue, named name: String) throws(Problem) {
        switch name {
        case "schema": schema = (try value.string("the name of a file"), value)
        case "assertFormats": assertsFormats = try value.boolean()
        case "profile": profile = try value.choice(Profile.all.map(\.name), Profile.named)
        case "allowClass": classes = (try Self.policy(value), value)
        case "strict": isStrict = try value.boolean()
        case "expectInvalid": expectsInvalid = try value.boolean()
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

    /// Whether one of the patterns could match something in a folder.
    func mayMatch(below folder: String) -> Bool {
        files.contains { $0.relation(to: folder) != .none }
    }
}
