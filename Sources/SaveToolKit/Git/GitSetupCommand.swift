import SaveCodec
import SaveOperations

/// `savetool git-setup`: makes git show and merge saves.
enum GitSetupCommand {
    static let command = Command(
        name: "git-setup", summary: "set up git to show and merge saves", operands: [.text("PATTERN").any],
        examples: [
            "see what would be written": "savetool git-setup",
            "set up the repository of the working folder": "savetool git-setup --apply",
            "set up other files, with a merge rule":
                "savetool git-setup --apply '*.sav' --rule /gems=sum-of-changes",
        ],
        discussion: """
            Prints the attributes and the configuration with which git shows saves as lines and merges them
            value by value, see savetool help git. --apply writes them to .gitattributes and the configuration
            of the repository, or to your own with --global. Other settings stay, and a second run changes
            nothing.

            PATTERN is a pattern of .gitattributes, such as *.save or Fixtures/**. Without one, *.archive,
            *.bplist, *.plist, *.save, *.scn and *.sks are used, or with --apply the savetool patterns that
            .gitattributes already has.
            """,
        details: """
            In a new clone, git-setup --apply with the same rules is enough.

            --driver lines makes git compare the lines of savetool textconv; --driver changes makes git diff
            show the lines of savetool diff --git, while log -p, show and blame still show lines. Without
            --rule, the rules of an earlier setup stay.

            --hooks also installs the hooks pre-commit and, for rebases, prepare-commit-msg and pre-applypatch.
            They call git-check, which refuses saves in conflict. An existing hook stays, and a message shows
            the line to add to it.

            --undo lists the lines of .gitattributes that name only savetool, and its settings. With --apply it
            removes them.
            """,
        exitStatus: [.done: "done", .cannot: "error, for example outside of a repository"],
        options: [.driver, .conflictRule, .all, .hooks, .global, .undo, .apply],
        foreignSpellings: ["-r": "--rule"],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let scope: GitSetup.Scope = arguments.has(.global) ? .user : .repository
        let files = GitFiles(scope: scope, isApplied: arguments.has(.apply), invocation)
        if arguments.has(.hooks), scope == .user { throw UsageError.conflict(.hooks, .global) }
        if arguments.has(.undo) {
            if let option = [.driver, .conflictRule, .all, .hooks].first(where: { arguments.has($0) }) {
                throw UsageError.conflict(.undo, option)
            }
            guard arguments.operands.isEmpty else { throw UsageError("\(Option.undo.shown) takes no PATTERN") }
            return try files.undo()
        }
        let patterns = try arguments.patterns()
        let setup = GitSetup(
            patterns: arguments.has(.all)
                ? (patterns.isEmpty ? GitSetup.defaultPatterns : patterns) + GitSetup.morePatterns : patterns,
            driver: try arguments.choice(of: .driver) ?? .lines, rules: try arguments.gitRules())
        if let fault = setup.fault { throw fault }
        guard arguments.has(.apply) else {
            try invocation.writeOutput { $0.write(setup.text(scope, hasHooks: arguments.has(.hooks))) }
            return .done
        }
        return try files.apply(setup.keepingRules(from: files.value(of:)), hasHooks: arguments.has(.hooks))
    }
}

extension Arguments {
    /// Returns the file patterns without duplicates.
    fileprivate func patterns() throws(UsageError) -> [String] {
        var patterns: [String] = []
        for operand in operands {
            let pattern = try Self.text(operand, "PATTERN")
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        return patterns
    }

    /// Returns the merge rules as typed, after checking that a merge by git can apply them.
    fileprivate func gitRules() throws(UsageError) -> [String] {
        let texts = values(of: .rule)
        for (text, local) in zip(texts, try mergeRules()) where local.rule == .newest(.file) {
            throw .badValue(text, .rule, expected: "newest:/ADDRESS or newest:KEY, because files in git have no dates")
        }
        return texts
    }
}

extension Option {
    fileprivate static let conflictRule = Option(
        "rule", value: rule.value, is: rule.content, isRepeatable: true, for: .conflicts,
        help: "settle merge conflicts, see help merging")
    fileprivate static let driver = Option(
        "driver", value: "WHAT", among: GitSetup.Driver.self, usual: .lines, for: .output, help: "what git shows: ")
    fileprivate static let global = Option(
        "global", for: .destination, help: "configure git for all repositories of the user")
    fileprivate static let all = Option("all", "a", for: .output, help: "also *.nib, *.sav and *.xcuserstate")
    fileprivate static let hooks = Option("hooks", for: .output, help: "also hooks that refuse saves in conflict")
    fileprivate static let undo = Option(
        "undo", for: .destination, help: "list the settings; with --apply, remove them")
    fileprivate static let apply = Option(
        "apply", for: .destination, help: "write the settings instead of printing them")
}

// MARK: Files of git

/// The attributes file and the settings of git, in which a setup is written and undone.
private struct GitFiles {
    private let scope: GitSetup.Scope
    private let isApplied: Bool
    private let invocation: Invocation

    /// - Parameter isApplied: Whether ``undo()`` removes the lines and settings, rather than only listing them.
    init(scope: GitSetup.Scope, isApplied: Bool, _ invocation: Invocation) {
        self.scope = scope
        self.isApplied = isApplied
        self.invocation = invocation
    }

    /// Writes a setup, and prints the new lines and settings.
    func apply(_ setup: GitSetup, hasHooks: Bool) throws -> ExitStatus {
        guard let file = attributesFile() else { return .cannot }
        try invocation.makeFolder(FileSystem.folder(of: file))
        let lines = try invocation.whileEditing(file, reading: [file]) {
            let (attributes, new) = setup.attributes(in: try read(file))
            if !new.isEmpty { try invocation.replace(file) { $0.write(attributes) } }
            return new
        }
        var settings: [String] = []
        if let old = setup.obsolete, value(of: old.key) != nil {
            if configure("--unset-all \(old.key) \(Shell.quoted(old.value))") { settings.append("- \(old.key)") }
        }
        for setting in setup.settings {
            let text = FileName.text(setting.value.utf8)
            guard value(of: setting.key) != text else { continue }
            guard configure("\(setting.key) \(Shell.quoted(text))") else { return refused(setting.key) }
            settings.append("+ \(setting.key) = \(setting.value)")
        }
        report(file, lines.map { "+ " + FileName.text($0) }, settings: settings)
        let hooks = try hasHooks ? GitSetup.Hook.allCases.map { try install($0, of: setup) } : []
        let isUnchanged = lines.isEmpty && settings.isEmpty && hooks.allSatisfy { $0 == .present }
        invocation.printError(
            hooks.contains(.foreign)
                ? "git is set up, except for the existing hook"
                : (isUnchanged ? "nothing to do; " : "") + "git is set up")
        if let path = invocation.environment["PATH"], !Self.isFound(along: path) {
            invocation.printError("savetool is not in the PATH, so git will not find it")
        }
        return .done
    }

    /// Whether a folder of `PATH` contains savetool.
    private static func isFound(along path: String) -> Bool {
        path.split(separator: ":").contains { (try? FileSystem.status("\($0)/savetool"))?.kind == .regular }
    }

    /// Lists the lines and settings of a setup. With `--apply`, removes them, too.
    func undo() throws -> ExitStatus {
        guard let file = attributesFile() else { return .cannot }
        let lines = try invocation.whileEditing(file, reading: [file]) {
            let (attributes, gone) = GitSetup.attributesUndone(in: try read(file))
            guard isApplied, !gone.isEmpty else { return gone }
            // A file that was created for the setup is removed, unless git tracks it.
            if attributes.isEmpty, !FileSystem.isLink(file), !isTracked(file) {
                FileSystem.remove(file)
            } else {
                try invocation.replace(file) { $0.write(attributes) }
            }
            return gone
        }
        let keys = GitSetup.keys.filter { value(of: $0) != nil }
        for key in keys where isApplied {
            guard configure("--unset-all \(key)") else { return refused(key) }
        }
        report(file, lines.map { "- " + FileName.text($0) }, settings: keys.map { "- " + $0 })
        var hasHook = false
        for hook in GitSetup.Hook.allCases where try undo(hook) { hasHook = true }
        guard !lines.isEmpty || !keys.isEmpty || hasHook else {
            invocation.printError("nothing to undo; git does not use savetool")
            return .done
        }
        invocation.printError(isApplied ? "git no longer uses savetool" : "use --undo --apply to remove these")
        return .done
    }

    private func isTracked(_ file: String) -> Bool {
        Shell.output(of: "git ls-files --error-unmatch -- \(Shell.quoted(file)) 2>&1", in: invocation.folder) != nil
    }

    /// Returns the path of the attributes file, or nil after printing an error.
    private func attributesFile() -> String? {
        let file = Shell.output(of: scope.attributesPath, in: invocation.folder)
        if file == nil { invocation.printError("savetool: \(scope.refusal(from: invocation.folder))") }
        return file
    }

    private func read(_ file: String) throws -> [UInt8] {
        try FileSystem.status(invocation.path(file)) == nil ? [] : invocation.read(file)
    }

    // MARK: Hooks

    /// Returns the path of a hook, relative to the working folder; nil if git does not state it.
    private func file(of hook: GitSetup.Hook) throws(SystemError) -> String? {
        let answer = try GitProgram.run(
            ["rev-parse", "--git-path", "hooks/\(hook.rawValue)"], from: invocation.folder)
        return answer.output.map { FileName.text($0.dropLast($0.last == UInt8(ascii: "\n") ? 1 : 0)) }
    }

    /// The state of a hook after the setup.
    private enum HookState {
        case written, present
        /// The user has a hook that does not call savetool.
        case foreign
    }

    /// Writes a hook, unless the user has one.
    private func install(_ hook: GitSetup.Hook, of setup: GitSetup) throws -> HookState {
        guard let file = try file(of: hook) else { return .present }
        let (text, line) = (setup.text(of: hook), setup.checkLine(in: hook))
        let shown = Invocation.shownName(file)
        let present = try read(file)
        let isOurs = present.isEmpty || GitSetup.isHook(present)
        if present.elementsEqual(text.utf8) || !isOurs && GitSetup.callsCheck(present) { return .present }
        guard isOurs else {
            invocation.printError("\(shown): this hook exists; add this line to it: \(line) || exit 1")
            return .foreign
        }
        try invocation.makeFolder(FileSystem.folder(of: file))
        try invocation.replace(file) { $0.write(text) }
        try FileSystem.makeExecutable(invocation.path(file))
        invocation.printError("\(shown):\n  + \(line)")
        return .written
    }

    /// Lists a hook of a setup. With `--apply`, removes it, too. Returns whether there is one.
    private func undo(_ hook: GitSetup.Hook) throws -> Bool {
        guard scope == .repository, let file = try file(of: hook) else { return false }
        let present = try read(file)
        guard GitSetup.isHook(present) else { return false }
        if isApplied { FileSystem.remove(invocation.path(file)) }
        invocation.printError("\(Invocation.shownName(file)):\n  - \(GitCheckCommand.command.called)")
        return true
    }

    // MARK: Settings

    /// Returns the value of a setting in this scope, or nil. If there are several, git uses the last one.
    func value(of key: String) -> String? {
        Shell.output(of: "git config \(scope.option) --get \(key)", in: invocation.folder)
    }

    /// Changes a setting. Returns whether git accepted the change.
    private func configure(_ change: String) -> Bool {
        Shell.output(of: "git config \(scope.option) \(change)", in: invocation.folder) != nil
    }

    private func refused(_ key: String) -> ExitStatus {
        invocation.printError("savetool: git refused to change \(key)")
        return .cannot
    }

    /// Prints the changes by file.
    private func report(_ file: String, _ lines: [String], settings: [String]) {
        for (place, changes) in [(Invocation.shownName(file), lines), ("git config \(scope.option)", settings)]
        where !changes.isEmpty {
            invocation.printError("\(place):")
            for change in changes {
                invocation.printError("  " + (Shell.isPrintable(change) ? change : FileName.shown(change)))
            }
        }
    }
}
