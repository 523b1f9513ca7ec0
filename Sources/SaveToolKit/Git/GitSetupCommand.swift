import SaveCodec
import SaveOperations

/// `savetool git-setup`: what git needs to know to show and to merge saves.
enum GitSetupCommand {
    static let command = Command(
        name: "git-setup", summary: "let git show and merge what changed in saves", operands: "[PATTERN …]",
        discussion: """
            Prints the attributes and the configuration by which git shows saves as lines of text in diff,
            log -p, show and blame, instead of "Binary files differ", and merges them with savetool merge.
            With --apply they are written: to .gitattributes and the configuration of the repository that
            the working folder is in, or with --global to those of the user. Other lines and settings stay;
            running it twice changes nothing.

            A PATTERN is one of .gitattributes, such as *.save or Fixtures/**; without any these are taken:
            *.archive, *.bplist, *.plist, *.save, *.scn and *.sks. git must find savetool by the PATH.

            With --driver lines, git compares the lines that savetool textconv writes; an object that is
            inserted adds its lines only. With --driver changes, git diff shows what savetool diff --git
            tells, one line a change, with its address; log -p, show and blame show lines all the same.

            In a merge, rebase or cherry-pick, git brings together what both sides changed in a save, value
            by value; of text files the lines, if that comes to the same. At a conflict git waits: the file
            has all that merged, and our side at the conflicts, without markers, and each conflict is listed
            with the two commands that settle it. git mergetool --tool savetool asks for each that nobody
            has settled in the file since, on the terminal, or reads the answers from standard input.

            Each --rule is one of savetool merge, which settles conflicts; those that are given replace those
            of an earlier setup. git checkout -m FILE merges a file in conflict anew, by the rules that are
            set up.

            Exit status: 0 done, 2 it could not be written, for example outside of a repository.
            """,
        options: [.driver, .conflictRule, .global, .apply],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let setup = GitSetup(
            patterns: arguments.operands.isEmpty
                ? nil : try arguments.operands.map { try Arguments.text($0, "PATTERN") },
            driver: try arguments.choice(of: .driver) ?? .lines, rules: try arguments.gitRules())
        if let fault = setup.fault { throw fault }
        let scope: GitSetup.Scope = arguments.has(.global) ? .user : .repository
        guard arguments.has(.apply) else {
            try invocation.writeOutput { $0.write(setup.text(scope)) }
            return .done
        }
        return try apply(setup, for: scope, invocation)
    }

    private static func apply(
        _ setup: GitSetup, for scope: GitSetup.Scope, _ invocation: Invocation
    ) throws -> ExitStatus {
        guard let file = Shell.output(of: scope.attributesPath, in: invocation.folder) else {
            invocation.printError("savetool: \(scope.refusal)")
            return .cannot
        }
        _ = Shell.output(of: "mkdir -p \(Shell.quoted(FileSystem.folder(of: file)))")
        let count = try invocation.whileEditing(file, reading: [file]) {
            let present = try FileSystem.status(file) == nil ? [] : invocation.read(file)
            let (attributes, count) = setup.attributes(in: present)
            if count > 0 { try invocation.replace(file) { $0.write(attributes) } }
            return count
        }
        guard configure(setup, for: scope, invocation) else { return .cannot }
        invocation.printError("\(Invocation.shownName(file)): \(Counted.of(count, "line")) written; git is set up")
        return .done
    }

    /// Writes the settings. False, and a word, if git does not take them.
    private static func configure(_ setup: GitSetup, for scope: GitSetup.Scope, _ invocation: Invocation) -> Bool {
        if let old = setup.obsolete {
            let line = "git config \(scope.option)--unset-all \(old.key) \(Shell.quoted(old.value))"
            _ = Shell.output(of: line, in: invocation.folder)
        }
        for setting in setup.settings {
            let line = "git config \(scope.option)\(setting.key) \(Shell.quoted(FileName.text(setting.value.utf8)))"
            guard Shell.output(of: line, in: invocation.folder) != nil else {
                invocation.printError("savetool: git did not take \(setting.key)")
                return false
            }
        }
        return true
    }
}

extension Arguments {
    /// The rules for merges by git, as they are given; each is known to be one.
    fileprivate func gitRules() throws(UsageError) -> [String] {
        let texts = values(of: .rule)
        for (text, local) in zip(texts, try mergeRules()) where local.rule == .newest(.file) {
            throw .badValue(text, .rule, expected: "newest:/ADDRESS or newest:KEY, as a file in git has no date")
        }
        return texts
    }
}

extension Option {
    fileprivate static let conflictRule = Option(
        "rule", "r", value: rule.value, help: "settle conflicts of merges, see merge")
    fileprivate static let driver = Option(
        "driver", value: "WHAT", help: "what git shows: lines, or changes (lines)")
    fileprivate static let global = Option("global", help: "set up git for all repositories of the user")
    fileprivate static let apply = Option("apply", help: "write it instead of printing it")
}
