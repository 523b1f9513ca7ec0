import KeyedArchives
import SaveCodec
import SaveOperations

/// The command `savetool migrate`, which brings saves to the newest version of a game.
enum MigrateCommand {
    static let command = Command(
        name: "migrate", summary: "bring old saves to the newest version of a game",
        operands: [.file("RULES"), .file.repeated],
        examples: [
            "see what would change": "savetool migrate -n rules swamp.save",
            "migrate saves, with backups":
                "savetool migrate -i --backup rules swamp.save later.save",
            "with the rules of the project file": "savetool migrate -n .savetool.json swamp.save",
        ],
        discussion: """
            Applies rules until a save has the newest version. A save that already has the newest version is not
            changed.

            RULES is a JSON file with the rules from one version to the next, a folder of such files (*.json),
            or a project file .savetool.json that names them under "migrate":

                {"version": "/root/saveVersion", "from": 1, "to": 2,
                 "rules": [{"renameClass": "Player", "to": "Hero"},
                           {"renameField": "hp", "of": "Hero", "to": "health"}]}

            --help-all lists the rules.
            """,
        details: """
            version is the address of the version in a save, a number or a string; all files name the same
            address, and the new version is stored there. from is null for saves without a version. It is an
            error if no file, or more than one, applies to the version of a save, or if the versions form a
            cycle.

            The rules apply in order, each to the result of the ones before:

                {"renameClass": OLD, "to": NEW}
                {"renameModule": OLD, "to": NEW}
                {"setAncestors": CLASS, "to": [NAME, …]}
                {"renameField": OLD, "of": CLASS, "to": NEW}
                {"dropField": NAME, "of": CLASS}
                {"addField": NAME, "of": CLASS, "value": VALUE}
                {"convertField": NAME, "of": CLASS,
                 "type": TYPE, "multiplyBy": NUMBER, "stored": FORM}
                {"moveRoot": OLD, "to": NEW}
                {"replace": ADDRESS, "value": VALUE}

            renameClass also renames the class in the chains and hints of other classes; if NEW exists, the two
            keep separate records. Ancestors are named from the class upwards. Rules for a class also apply to
            its subclasses, and to archives that are stored as data, unless --opaque. addField adds a field
            only where it is missing. A root is a key of $top, or of the root of a property list.

            convertField needs at least one of type, multiplyBy and stored. TYPE is integer, real, real32,
            string, boolean or date, FORM in-place or object. Integers are rounded to the nearest, a date
            counts seconds since 2001, and null stays null. VALUE is typed JSON; in an archive, graph JSON. A
            rule that matches nothing changes nothing.
            """,
        exitStatus: [.done: "done", .cannot: "error"],
        options: [.rules, .verbose, .keepComments],
        writing: .toOutput,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        guard let rules = arguments.operands.first else { throw UsageError.missingOperand("RULES") }
        let files = Array(arguments.operands.dropFirst())
        guard !files.isEmpty else { throw UsageError.missingOperand("FILE") }
        let chain = try MigrationChain(inFiles: [rules] + arguments.values(of: .rules), invocation)
        return try EditPlan.editEach(files, as: arguments, invocation) { file, plan in
            do throws(Problem) {
                let version = try chain.version(of: file.view)
                let migrations = try chain.path(from: version)
                let result = try Migration.apply(migrations, to: file.view, limits: plan.reading.limits)
                if arguments.has(.verbose) { report(result, of: migrations, from: version, in: file, invocation) }
                return result.edited
            } catch {
                throw file.located(error)
            }
        }
    }

    private static func report(
        _ result: Migration.Result, of migrations: [Migration], from version: SaveVersion?, in file: SaveFile,
        _ invocation: Invocation
    ) {
        let name = Invocation.shownName(file.name)
        if migrations.isEmpty { invocation.printError("\(name): already the newest version") }
        for (migration, counts) in zip(migrations, result.counts) {
            let rules = counts.enumerated().map { "rule \($0 + 1): \($1)" }.joined(separator: ", ")
            let from = migration.from.map { "version \($0)" } ?? "no version"
            invocation.printError(
                "\(name): from \(from) to \(migration.to) by \(migration.name)"
                    + (rules.isEmpty ? "" : "; changes by \(rules)"))
        }
    }
}

/// The command `savetool rename-class`, which renames a class in archives.
enum RenameClassCommand {
    static let command = Command(
        name: "rename-class", summary: "rename a class in archives",
        operands: [.text("OLD"), .text("NEW"), .file.repeated],
        examples: [
            "a class that moved to another module": "savetool rename-class -i Player SwampKit.Player swamp.save",
            "a module": "savetool rename-class -i 'OldModule.*' 'NewModule.*' old.save",
            "see what would change": "savetool rename-class -n Map Level swamp.save",
            "into another file": "savetool rename-class Map Level swamp.save -o new.save",
        ],
        discussion: """
            Renames a class in keyed archives, also in archives that are stored as data. An archive with NEW and
            without OLD stays unchanged.
            """,
        details: """
            The class is renamed in its record, and in the chains and hints of other classes; --opaque skips
            archives in data. This is the rule renameClass of migrate. If a class NEW already exists, it keeps a
            separate record. A mangled Swift name, such as _TtC9OldModule4Item for OldModule.Item, is mangled again.
            """,
        exitStatus: [.done: "done", .negative: "no such class in a file", .cannot: "error"],
        options: [.keepComments],
        writing: .toOutput,
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let operands = arguments.operands
        for (position, name) in ["OLD", "NEW"].enumerated() {
            guard position < operands.count else { throw UsageError.missingOperand(name) }
            if operands[position].isEmpty {
                throw UsageError.badOperand("", name, expected: "the name of a class")
            }
        }
        let renaming = try classRenaming(Arguments.text(operands[0], "OLD"), Arguments.text(operands[1], "NEW"))
        var isMissing = false
        let status = try EditPlan.editEach(Array(operands.dropFirst(2)), as: arguments, invocation) { file, plan in
            let limits = plan.reading.limits
            let result = try Migration.rename(renaming, in: file.view, limits: limits)
            if result.counts != [[0]] { return result.edited }
            // If a class with the new name exists, the class has already been renamed. A trial renaming shows that.
            if try Migration.rename(renaming.ofRenamed, in: file.view, limits: limits).counts == [[0]] {
                isMissing = true
                file.reportMissingClass(operands[0], invocation)
            }
            return nil
        }
        return max(status, isMissing ? .negative : .done)
    }

    private static func classRenaming(_ old: String, _ new: String) throws(UsageError) -> ClassRenaming {
        do throws(ClassRenaming.Fault) {
            return try ClassRenaming(old, to: new)
        } catch {
            let (operand, name) = error == .old ? (old, "OLD") : (new, "NEW")
            throw .badOperand(operand, name, expected: ClassRenaming.Fault.expected)
        }
    }
}

extension SaveFile {
    /// Prints an error for a missing class, with a suggestion.
    fileprivate func reportMissingClass(_ name: String, _ invocation: Invocation) {
        let shown = Invocation.shownName(self.name)
        guard let archive = view.archive else {
            return invocation.printError("\(shown): not an archive, so it has no classes")
        }
        let names = archive.classes.prefix(Self.maxClasses).map { String(decoding: $0.shownName, as: UTF16.self) }
        invocation.printError(
            "\(shown): this archive has no class \(Phrase.name(name.utf16))"
                + Suggestion.sentence(Suggestion.nearest(to: name, in: names).map { SafeText.escaping($0.utf16) }))
    }

    private static let maxClasses = 1000
}

extension EditPlan {
    /// Edits files one after another, in place or, if there is one file, into the output. A failure does not stop the
    /// others.
    ///
    /// - Parameter edit: Returns the edited file; nil if it is unchanged.
    static func editEach(
        _ files: [String], as arguments: Arguments, _ invocation: Invocation,
        edit: (SaveFile, EditPlan) throws -> ObjectView?
    ) throws -> ExitStatus {
        guard !files.isEmpty else { throw UsageError.missingOperand("FILE") }
        if files.count > 1 {
            if arguments.has(.output) { throw UsageError.inapplicable(.output, operands: "several files") }
            guard arguments.has(.inPlace) || arguments.has(.dryRun) else {
                throw UsageError(
                    "several inputs need \(Option.inPlace.shown)")
            }
        }
        var plans: [String: EditPlan] = [:]
        for file in files { plans[file] = try EditPlan(file, arguments) }
        return try invocation.forEachFile(files, writing: { plans[$0]?.written }) { name in
            let plan = try plans[name] ?? EditPlan(name, arguments)
            plan.report.isOneOfSeveral = files.count > 1
            let file = try plan.read(invocation)
            return try plan.deliver(edit(file, plan), of: file, invocation)
        }
    }
}

extension Option {
    fileprivate static let rules = Option(
        "rules", name: "RULES", isRepeatable: true, for: .input, help: "also apply these rules")
    fileprivate static let verbose = Option("verbose", "v", for: .output, help: "report how much each rule changes")
}
