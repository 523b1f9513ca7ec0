import SaveCodec

/// A project file, which tells what the files of a project must be like, so that CI says just `savetool validate`:
///
///     {
///       "validate": [
///         {"files": ["Saves/**/*.save"], "profile": "archive", "allowClass": ["Foundation", "Map", "Player"]},
///         {"files": ["Broken/*"], "expectInvalid": true}
///       ],
///       "ignore": ["**/*.bak"],
///       "schemaRoot": {"https://example.com/": "schemas"}
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

    /// Reads the bytes of a project file.
    init(_ bytes: [UInt8], name: String) throws(Problem) {
        self.name = name
        let names = ["validate", "ignore", "schemaRoot", "$schema"]
        content = try ProjectValue(bytes)
        for (name, value) in try content.members(names) {
            switch name {
            case "validate": for rule in try value.elements("an array of rules") { rules.append(try ProjectRule(rule)) }
            case "ignore": ignored = try value.globs()
            case "schemaRoot":
                for (uri, folder) in try value.members(nil) {
                    schemaRoots.append((uri, try folder.string("the name of a folder")))
                }
            // Tells editors what describes the file.
            default: _ = try value.string("a URI")
            }
        }
    }

    /// Whether a path is not to be checked, or nothing in it if it is a folder.
    func ignores(_ path: String) -> Bool {
        ignored.contains { [.whole, .folder].contains($0.relation(to: path)) }
    }

    /// The positions of the rules for a file.
    func rules(for path: String) -> [Int] {
        rules.indices.filter { rules[$0].matches(path) }
    }

    /// Whether a folder may have files in it that a rule is for.
    func concerns(folder: String) -> Bool {
        !ignores(folder) && rules.contains { $0.mayMatch(below: folder) }
    }
}
