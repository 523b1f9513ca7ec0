import JSONSchema
import SaveCodec
import SaveOperations

/// A project file, and where it stands.
///
///     here    /games/swamp/Saves        file    ../.savetool.json
///     folder  ../                          root    /games/swamp/
///
///     "map.save" ─▶ Saves/map.save         "../prefs.plist" ─▶ prefs.plist         "../../other" ─▶ nil
struct Project {
    let file: ProjectFile
    /// The folder of the project from the working folder: empty, or with a `/` at its end.
    let folder: String
    /// The folder of the project, and the working folder, behind links; with a `/` at their ends.
    private let root: String
    private let here: String

    private init(at name: String, _ invocation: Invocation) throws {
        folder = FileSystem.folder(of: name)
        here = try Self.resolved("", invocation)
        root = try Self.resolved(folder, invocation)
        file = try invocation.inFile(name) { try ProjectFile(invocation.read(name), name: name) }
    }

    private static func resolved(_ folder: String, _ invocation: Invocation) throws -> String {
        guard let path = FileSystem.resolved(invocation.path(folder.isEmpty ? "." : folder)) else {
            throw FileError(Invocation.shownName(folder), .noSuchFile)
        }
        return path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
    }

    // MARK: Finding it

    /// The project file that is asked for, or that of the working folder or the next one above it that has one; nil if
    /// there is none, or none is wanted. See ``ProjectSearch``.
    static func find(_ arguments: Arguments, _ invocation: Invocation) throws -> Project? {
        if arguments.has(.noProject) {
            if arguments.has(.project) { throw UsageError.conflict(.project, .noProject) }
            return nil
        }
        if let name = arguments.value(of: .project) { return try Project(at: name, invocation) }
        guard let folder = ProjectSearch(invocation).folder() else { return nil }
        return try Project(at: folder + ProjectFile.fileName, invocation)
    }

    // MARK: Rules

    /// Checks that each rule is for one of the files that were found in the project: CI must not go on as before when a
    /// folder gets another name.
    func checkRules(_ files: [InputFile]) throws(FileProblem) {
        guard !file.rules.isEmpty else {
            let problem = file.content.problem("project.rules", "there are no rules in this file")
            throw FileProblem(name: file.name, problem: problem)
        }
        let used = Set(files.flatMap(\.rules))
        guard let unused = file.rules.indices.first(where: { !used.contains($0) }) else { return }
        let problem = file.rules[unused].place.problem("project.files", "no file in the project matches")
        throw FileProblem(name: file.name, problem: problem)
    }

    /// Where the project has the schemas that schemas refer to.
    var schemaRoots: [(uri: String, folder: String)] {
        file.schemaRoots.map { ($0.uri, name(of: $0.folder)) }
    }

    // MARK: Paths

    /// The name of a file, as the working folder has it, that the project file speaks of.
    func name(of path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : folder + path
    }

    /// The path in the project of a file that is named in the working folder; nil if it is not in the project.
    func path(of name: String) -> String? {
        let absolute = FileSystem.path(name, from: String(here.dropLast()))
        if let path = below(Self.normalized(absolute)) { return path }
        // The name may lead here through a link.
        guard let folder = FileSystem.resolved(FileSystem.folder(of: absolute)) else { return nil }
        return below(folder + "/" + FileSystem.name(of: absolute))
    }

    private func below(_ path: String) -> String? {
        guard path.utf8.starts(with: root.utf8), path.utf8.count > root.utf8.count else { return nil }
        return String(decoding: path.utf8.dropFirst(root.utf8.count), as: UTF8.self)
    }

    /// An absolute path without `.`, `..` and empty segments.
    private static func normalized(_ path: String) -> String {
        var segments: [Substring.UTF8View] = []
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            if segment.elementsEqual("..".utf8) {
                _ = segments.popLast()
            } else if !segment.elementsEqual(".".utf8) {
                segments.append(segment)
            }
        }
        return "/" + segments.map { String(Substring($0)) }.joined(separator: "/")
    }
}

/// What files are checked for that a project has rules for.
///
/// Of several rules for a file all hold: each schema, each profile, each class policy. What the command line says holds
/// instead of what the rules say.
struct RuleOptions {
    private let basic: CheckOptions
    private let rules: [ProjectRule]
    /// The schemas, each compiled once, and the position of that of each rule.
    private var schemas: [Schema] = []
    private var positions: [Int?] = []
    /// What tells the newest version, if a rule demands it.
    private var versions: MigrationChain?

    /// - Parameters:
    ///   - basic: what the command line says.
    ///   - source: finds the schema in a file.
    init(
        of project: Project, basic: CheckOptions, _ invocation: Invocation,
        source: (ProjectRule, String) -> SchemaSource
    ) throws {
        self.basic = basic
        rules = project.file.rules
        if rules.contains(where: { $0.newestVersion != nil }) {
            versions = try MigrationChain(inFiles: project.file.migrations.map(project.name), invocation)
        }
        var known: [SchemaSource.Identity: Int] = [:]
        for rule in rules {
            guard let (file, place) = rule.schema, basic.validation.schemas.isEmpty else {
                positions.append(nil)
                continue
            }
            let source = source(rule, project.name(of: file))
            if known[source.identity] == nil {
                known[source.identity] = schemas.count
                do {
                    schemas.append(try source.compile(invocation))
                } catch let error as FileError {
                    let problem = place.problem("project.schema", error.name + ": " + error.sentence)
                    throw FileProblem(name: project.file.name, problem: problem)
                }
            }
            positions.append(known[source.identity])
        }
    }

    /// What some rules ask for together.
    func options(of positions: [Int]) -> CheckOptions {
        var options = basic
        let rules = positions.map { self.rules[$0] }
        if basic.validation.schemas.isEmpty {
            let wanted = Set(positions.compactMap { self.positions[$0] })
            options.validation.schemas = wanted.sorted().map { schemas[$0] }
        }
        if basic.validation.profiles.isEmpty {
            var seen: Set<String> = []
            options.validation.profiles = rules.compactMap(\.profile).filter { seen.insert($0.name).inserted }
        }
        if basic.validation.classes.isEmpty { options.validation.classes = rules.compactMap { $0.classes?.policy } }
        if rules.contains(where: { $0.newestVersion != nil }) { options.validation.versions = versions }
        options.validation.format = basic.validation.format ?? rules.compactMap(\.format).last
        options.failurePolicy.isStrict = basic.failurePolicy.isStrict || rules.contains(where: \.isStrict)
        options.failurePolicy.expectsInvalid =
            basic.failurePolicy.expectsInvalid || rules.contains(where: \.expectsInvalid)
        return options
    }
}

extension Option {
    static let project = Option(
        "project", name: "FILE", for: .check,
        help: "take FILE for the project file, instead of .savetool.json here or above")
    static let noProject = Option("no-project", for: .check, help: "take no project file")
}

// MARK: Search

/// Looks for the project file of the working folder.
///
///     ~/.savetool.json            for all that is not in a repository
///     ~/swamp/.git                the top of a repository
///     ~/swamp/.savetool.json      for the whole repository, and nothing above it
///     /tmp/.savetool.json                 of somebody else: says nothing of what Ada does in /tmp/ada
///
/// The one in the working folder counts, whoever made it. Of those above it the next one counts: in a repository up to its
/// top; elsewhere only the user's own, in folders of the user that are not above the home folder.
private struct ProjectSearch {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// The folder with the project file, from the working folder, with a `/` at its end; nil if there is none.
    func folder() -> String? {
        if hasFile("") { return "" }
        let folders = foldersAbove()
        if let top = ([""] + folders).firstIndex(where: isTopOfRepository) {
            return folders.prefix(top).first(where: hasFile)
        }
        let home = invocation.environment["HOME"].flatMap { FileSystem.resolved(invocation.path($0)) }
        return folders.prefix { isOwn($0 + ".") && !isFolder($0, above: home) }
            .first { isOwn($0 + ProjectFile.fileName) }
    }

    /// The folders above the working folder, the nearest first.
    private func foldersAbove() -> [String] {
        var folders: [String] = []
        var folder = ""
        while let identity = status(folder + ".")?.identity, let above = status(folder + "..")?.identity,
            above != identity
        {
            folder += "../"
            folders.append(folder)
        }
        return folders
    }

    private func hasFile(_ folder: String) -> Bool { status(folder + ProjectFile.fileName) != nil }

    /// Whether a folder is the top of a repository, which somebody else cannot make of a folder that all may write to.
    private func isTopOfRepository(_ folder: String) -> Bool {
        guard let repository = status(folder + ".git") else { return false }
        return repository.isOwn || repository.user == status(folder + ".")?.user
    }

    private func isOwn(_ name: String) -> Bool { status(name)?.isOwn ?? false }

    private func isFolder(_ folder: String, above home: String?) -> Bool {
        guard let home, let path = FileSystem.resolved(invocation.path(folder)) else { return false }
        return home != path && home.utf8.starts(with: (path == "/" ? path : path + "/").utf8)
    }

    private func status(_ name: String) -> FileStatus? {
        (try? FileSystem.status(invocation.path(name))) ?? nil
    }
}
