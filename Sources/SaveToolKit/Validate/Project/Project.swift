import JSONSchema
import SaveCodec
import SaveInspection
import SaveOperations

/// A project file and its folder.
///
///     here    /games/swamp/Saves        file    ../.savetool.json
///     folder  ../                          root    /games/swamp/
///
///     "map.save" ─▶ Saves/map.save         "../prefs.plist" ─▶ prefs.plist         "../../other" ─▶ nil
struct Project {
    let file: ProjectFile
    /// The project's folder relative to the working folder: empty, or with a `/` at its end.
    let folder: String
    /// The absolute paths of the project's folder and the working folder, without links and with a `/` at their ends.
    private let root: String
    private let here: String
    private let workTree: WorkTree

    /// - Parameter isNamed: Whether an option names the file, which then may be a pipe.
    private init(at name: String, isNamed: Bool, _ invocation: Invocation) throws {
        folder = FileSystem.folder(of: name)
        here = try Self.resolved("", invocation)
        root = try Self.resolved(folder, invocation)
        workTree = WorkTree(around: here)
        file = try invocation.inFile(name) {
            try ProjectFile(isNamed ? invocation.read(name) : invocation.readRegular(name), name: name)
        }
    }

    /// The work tree of git around a folder. git is asked at most once.
    private final class WorkTree {
        private let folder: String
        /// The path from the folder to the top, empty or with a `/` at its end; nil outside of a repository.
        private(set) lazy var top = (try? GitProgram.run(["rev-parse", "--show-cdup"], from: folder))?.output
            .map(GitProgram.word)

        init(around folder: String) { self.folder = folder }
    }

    private static func resolved(_ folder: String, _ invocation: Invocation) throws -> String {
        guard let path = FileSystem.resolved(invocation.path(folder.isEmpty ? "." : folder)) else {
            throw FileError(Invocation.shownName(folder), .noSuchFile)
        }
        return path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
    }

    // MARK: Finding the file

    /// Returns the project file that an option names, or the one that ``ProjectSearch`` finds. Returns nil if there is
    /// none, or if an option turns it off.
    static func find(_ arguments: Arguments, _ invocation: Invocation) throws -> Project? {
        if arguments.has(.noProject) {
            if arguments.has(.project) { throw UsageError.conflict(.project, .noProject) }
            return nil
        }
        if let name = arguments.value(of: .project) { return try Project(at: name, isNamed: true, invocation) }
        guard let folder = ProjectSearch(invocation).folder() else { return nil }
        return try Project(at: folder + ProjectFile.fileName, isNamed: false, invocation)
    }

    /// Prints a note for each project file that does not apply to named files and folders, because it is not the one of
    /// the working folder.
    static func reportForeign(of names: [String], _ invocation: Invocation) {
        var starts: Set<String> = []
        var reported: Set<String> = []
        for name in names where name != "-" {
            let isFolder = (try? FileSystem.status(invocation.path(name)))?.kind == .folder
            let start = isFolder ? name + "/" : FileSystem.folder(of: name)
            guard starts.insert(start).inserted, let folder = ProjectSearch(invocation, from: start).folder() else {
                continue
            }
            let path = FileSystem.resolved(invocation.path(folder)).map { $0 + "/" } ?? folder
            let file = path + ProjectFile.fileName
            guard reported.insert(file).inserted else { continue }
            invocation.printError(
                "\(Invocation.shownName(file)): these rules apply only in their folder; use "
                    + "\(Option.project.shown) \(Shell.word(file) ?? "FILE") to apply them here")
        }
    }

    // MARK: Rules

    /// A name in the patterns of a rule.
    struct RuleName {
        /// The index of the rule.
        let rule: Int
        /// The position of the name among the patterns.
        let position: Int
    }

    /// Checks that each rule matches a file of the project, and that the files it names exist, so that a renamed folder
    /// or a deleted file makes CI fail.
    ///
    /// - Parameter outdated: The names that an update removes. They may be missing.
    func checkRules(_ files: [InputFile], except outdated: [RuleName] = []) throws {
        guard !file.rules.isEmpty else {
            let problem = file.content.problem("project.rules", "the file has no rules under \"validate\"")
            throw FileProblem(name: file.name, problem: problem)
        }
        var used = Set(files.flatMap(\.rules))
        if !used.isEmpty { used.formUnion(outdated.map(\.rule)) }
        if let unused = file.rules.indices.first(where: { !used.contains($0) }) {
            let problem = file.rules[unused].filesMember.problem(
                "project.files", "no file in the project matches these patterns")
            throw FileProblem(name: file.name, problem: problem)
        }
        let rules = Set(outdated.map(\.rule))
        guard let missing = missingNames.first(where: { !rules.contains($0.rule) }) else { return }
        let patterns = try file.rules[missing.rule].filesMember.elements("an array of patterns")
        let problem = patterns[missing.position].problem("project.files", "no file in the project has this name")
        throw FileProblem(name: file.name, problem: problem)
    }

    /// The names without wildcards in rules whose files do not exist.
    var missingNames: [RuleName] {
        file.rules.enumerated().flatMap { number, rule in
            rule.files.enumerated().compactMap { position, pattern in
                pattern.onlyPath.map(isMissing) ?? false ? RuleName(rule: number, position: position) : nil
            }
        }
    }

    private func isMissing(_ path: String) -> Bool {
        do {
            return try FileSystem.status(root + path) == nil && !FileSystem.isLink(root + path)
        } catch {
            // A file whose status cannot be read is not missing.
            return false
        }
    }

    /// The project's folders of schemas, relative to the working folder.
    var schemaRoots: [(uri: String, folder: String)] {
        file.schemaRoots.map { ($0.uri, name(of: $0.folder)) }
    }

    /// Returns the order of the scores in a file; nil if the project does not state it.
    func scoreOrder(of name: String) -> ScoreOrder? {
        guard !file.scoreOrders.isEmpty, let path = path(of: name) else { return nil }
        return file.scoreOrders.last { $0.files.contains { $0.relation(to: path) == .whole } }?.order
    }

    /// Returns the reason why a command that reads only sound files skips one; nil if it does not.
    func reasonToSkip(_ name: String) -> String? {
        guard name != "-", let path = path(of: name) else { return nil }
        if file.ignores(path) { return "\(ProjectFile.fileName) ignores this file" }
        let isBroken = file.rules(for: path).contains { file.rules[$0].expectsInvalid }
        return isBroken ? "\(ProjectFile.fileName) expects this file to be invalid" : nil
    }

    // MARK: Paths

    /// Returns a path that the project file states, relative to the working folder.
    func name(of path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : folder + path
    }

    /// Returns the path within the project of a file named from the working folder; nil if the file is not in the
    /// project.
    func path(of name: String) -> String? {
        let absolute = FileSystem.path(workTreeName(of: name) ?? name, from: String(here.dropLast()))
        if let path = below(Self.normalized(absolute)) { return path }
        // The name may lead into the project through a link.
        guard let folder = FileSystem.resolved(FileSystem.folder(of: absolute)) else { return nil }
        return below(folder + "/" + FileSystem.name(of: absolute))
    }

    /// Returns the name of a file in the work tree for a name such as `HEAD:saves/a.save`; nil for another name.
    func workTreeName(of name: String) -> String? {
        guard let path = GitRevision.path(of: name), (try? FileSystem.status(FileSystem.path(name, from: here))) == nil
        else { return nil }
        if path.hasPrefix("./") || path.hasPrefix("../") { return path }
        return workTree.top.map { $0 + path }
    }

    private func below(_ path: String) -> String? {
        guard path.utf8.starts(with: root.utf8), path.utf8.count > root.utf8.count else { return nil }
        return String(decoding: path.utf8.dropFirst(root.utf8.count), as: UTF8.self)
    }

    /// Returns an absolute path without `.`, `..` and empty segments.
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

/// The checks for files with rules in a project.
///
/// If several rules match a file, all of their schemas, profiles and class policies apply, but only the last of their
/// formats. Options of the command line replace options of the rules.
struct RuleOptions {
    private let basic: CheckOptions
    private let rules: [ProjectRule]
    /// The schemas, each compiled once, and the index of each rule's schema.
    private var schemas: [Schema] = []
    private var positions: [Int?] = []
    /// The chain that determines the newest version; nil if no rule requires it.
    private var versions: MigrationChain?

    /// - Parameters:
    ///   - basic: The options of the command line.
    ///   - source: Returns the source of a rule's schema.
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
            guard let (file, member) = rule.schema, basic.validation.schemas.isEmpty else {
                positions.append(nil)
                continue
            }
            let source = source(rule, project.name(of: file))
            if known[source.identity] == nil {
                known[source.identity] = schemas.count
                do {
                    schemas.append(try source.compile(invocation))
                } catch let error as FileError {
                    let problem = member.problem("project.schema", error.name + ": " + error.sentence)
                    throw FileProblem(name: project.file.name, problem: problem)
                }
            }
            positions.append(known[source.identity])
        }
    }

    /// Returns the combined options of rules.
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
        let expected = rules.compactMap(\.expectedFindings)
        if !expected.isEmpty { options.failurePolicy.expectedFindings = Set(expected.joined()) }
        return options
    }
}

extension Option {
    static let project = Option(
        "project", name: "FILE", for: .checks, help: "use this project file instead of .savetool.json")
    static let noProject = Option("no-project", for: .checks, help: "ignore the project file")
}

// MARK: Search

/// A search for the project file of the working folder.
///
///     ~/.savetool.json            applies to the user's folders in ~ that are outside of repositories
///     ~/swamp/.git                the top of a repository
///     ~/swamp/.savetool.json      applies to the whole repository; files above it do not
///     /tmp/.savetool.json         of another user; does not apply to Ada's work in /tmp/ada
///
/// A project file in the working folder applies, whoever owns it. Otherwise, the nearest one above applies:
///
/// * In a repository, the search ends at its top.
/// * Elsewhere, the search ends before the first folder that another user owns or that contains the home folder. It
///   skips project files of other users.
private struct ProjectSearch {
    private let invocation: Invocation
    /// The folder in which the search begins, relative to the working folder: empty, or with a `/` at its end.
    private let start: String

    init(_ invocation: Invocation, from start: String = "") {
        (self.invocation, self.start) = (invocation, start)
    }

    /// Returns the folder with the project file, relative to the working folder and with a `/` at its end; nil if there
    /// is none.
    func folder() -> String? {
        if hasFile(start) { return start }
        let folders = foldersAbove()
        if let top = ([start] + folders).firstIndex(where: isTopOfRepository) {
            return folders.prefix(top).first(where: hasFile)
        }
        let home = invocation.environment["HOME"].flatMap { FileSystem.resolved(invocation.path($0)) }
        return folders.prefix { isOwn($0 + ".") && !isFolder($0, above: home) }
            .first { isOwn($0 + ProjectFile.fileName) }
    }

    /// Returns the folders above the working folder, nearest first.
    private func foldersAbove() -> [String] {
        var folders: [String] = []
        var folder = start
        while let identity = status(folder + ".")?.identity, let above = status(folder + "..")?.identity,
            above != identity
        {
            folder += "../"
            folders.append(folder)
        }
        return folders
    }

    private func hasFile(_ folder: String) -> Bool { status(folder + ProjectFile.fileName) != nil }

    /// Whether a folder is the top of a repository. A `.git` of another user counts only if the same user owns the
    /// folder, because anyone can create a `.git` in a folder that all users may write to.
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
