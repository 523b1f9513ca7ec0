import SaveCodec

/// The attributes and settings that make git show and merge saves.
struct GitSetup {
    /// The output that git shows for two versions of a save.
    enum Driver: String, CaseIterable {
        /// The lines of `savetool textconv` that differ.
        case lines
        /// The output of `savetool diff`.
        case changes
    }

    /// The repositories that a setup applies to.
    enum Scope {
        case repository, user

        /// The option of `git config` for the scope.
        var option: String { self == .user ? "--global" : "--local" }

        /// A line of `sh` that prints the path of the attributes file.
        var attributesPath: String {
            switch self {
            case .repository: "top=$(git rev-parse --show-toplevel 2>/dev/null) && echo \"$top/.gitattributes\""
            case .user:
                "git config --global --path core.attributesFile"
                    + " || echo \"${XDG_CONFIG_HOME:-$HOME/.config}/git/attributes\""
            }
        }

        /// Returns the message if the attributes file cannot be determined from a folder.
        func refusal(from folder: String) -> String {
            switch self {
            case .repository:
                GitProgram.refusalOfWorkTree(from: folder) ?? "not a git repository, or git is not installed"
            case .user: "git is not installed"
            }
        }
    }

    private let patterns: [String]
    /// Whether no patterns were given, so that patterns already in the attributes file are kept.
    private let isUsual: Bool
    private let driver: Driver
    /// The rules that settle conflicts.
    private var rules: [String]

    static let defaultPatterns = ["*.archive", "*.bplist", "*.plist", "*.save", "*.scn", "*.sks"]
    /// Patterns for files that are not always saves.
    static let morePatterns = ["*.nib", "*.sav", "*.xcuserstate"]

    /// - Parameter patterns: The given patterns; empty for the usual ones.
    init(patterns: [String], driver: Driver, rules: [String]) {
        isUsual = patterns.isEmpty
        self.patterns = isUsual ? Self.defaultPatterns : patterns
        self.driver = driver
        self.rules = rules
    }

    /// Returns the setup with the rules of an earlier one, unless it has rules of its own.
    ///
    /// - Parameter value: Returns the value of a setting by its key, or nil.
    func keepingRules(from value: (String) -> String?) -> GitSetup {
        var setup = self
        if rules.isEmpty, let line = value(Self.textConversion(rulesLine: "").key) {
            let words = Shell.words(of: line)
            setup.rules = zip(words, words.dropFirst()).filter { $0.0 == Option.rule.shown }.map(\.1)
        }
        return setup
    }

    /// The error if the patterns or rules cannot be written to git's files, or nil.
    var fault: UsageError? {
        let wrong = patterns.first { pattern in
            pattern.isEmpty || !Shell.isPrintable(pattern) || pattern.hasSuffix("/")
                || ["#", "!", "[attr]"].contains(where: pattern.hasPrefix)
        }
        if let wrong {
            return .badOperand(
                wrong, "PATTERN",
                expected: wrong.hasSuffix("/")
                    ? "a pattern for files, such as \(wrong)**, because git matches no folders here"
                    : "a .gitattributes pattern that has no control characters and does not begin with #, ! or [attr]")
        }
        return rules.first { !Shell.isPrintable($0) }
            .map { .badValue($0, .rule, expected: "a rule without control characters") }
    }

    // MARK: Settings

    /// The settings of git. They contain `--`, as a file name may begin like an option.
    var settings: [GitSetting] {
        var settings = [Self.textConversion(rulesLine: rulesLine)]
        // In log -p, show and blame, git runs no external diff program, so it shows the lines there.
        if driver == .changes { settings.append(Self.changes) }
        return settings + [
            GitSetting(section: "merge", name: "name", value: "savetool merge, value by value"),
            GitSetting(section: "merge", name: "driver", value: mergeLine),
            GitSetting(section: "merge", name: "recursive", value: Self.baseDriver),
            GitSetting(
                section: "merge", driver: Self.baseDriver, name: "driver",
                value: baseLine + " 2>/dev/null || cat %O >%A"),
            GitSetting(section: "mergetool", name: "cmd", value: askingLine),
            GitSetting(section: "mergetool", name: "trustExitCode", value: "true"),
            // Otherwise git would merge the files line by line before it passes them.
            GitSetting(section: "mergetool", name: "hideResolved", value: "false"),
            // Otherwise git would run the line of the merge tool.
            GitSetting(section: "difftool", name: "cmd", value: "savetool diff -- \"$LOCAL\" \"$REMOTE\""),
        ]
    }

    private static func textConversion(rulesLine: String) -> GitSetting {
        GitSetting(section: "diff", name: "textconv", value: "savetool textconv\(rulesLine) --")
    }

    /// The keys of all settings that a setup may write.
    static var keys: [String] { GitSetup(patterns: [], driver: .changes, rules: []).settings.map(\.key) }

    private static let changes = GitSetting(section: "diff", name: "command", value: "savetool diff --git --")

    /// The driver with which git merges several merge bases into one.
    ///
    /// A conflict there keeps the value before both changes. If it took one side's value, the other side's could not be
    /// distinguished from a later change. If a value cannot be restored alone, the whole file stays as before.
    private static let baseDriver = "savetool-base"

    /// The `sh` command line of the merge driver. git replaces sequences that begin with a percent sign, such as `%A`.
    private var mergeLine: String { driverLine(with: "") }

    /// The `sh` command line of the driver for merge bases. A rule of the user takes precedence over an earlier one.
    private var baseLine: String { driverLine(with: " \(Option.allowLoss.shown) \(Option.rule.shown) base") }

    private func driverLine(with options: String) -> String {
        "savetool merge --git" + options + rulesLine.replacingScalar("%", with: "%%") + " -- %O %A %B %P"
    }

    /// The command that asks about each conflict.
    static let mergetoolCommand = "git mergetool --tool savetool"

    /// The `sh` command line for `git mergetool`.
    ///
    /// If the status is not 0, git restores its backup of the file, without the answers so far. The line therefore
    /// first replaces the backup with the file that has the answers.
    private var askingLine: String {
        "savetool merge --ask --resume" + rulesLine + " --output=\"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\""
            + " || (mv -f -- \"$MERGED\" \"$BACKUP\" && false)"
    }

    private var rulesLine: String {
        rules.map { " \(Option.rule.shown) " + Shell.quoted($0) }.joined()
    }

    /// The setting that only the `changes` driver needs, and a regular expression for the values that savetool writes.
    /// If it remained, it would take precedence over the `lines` driver. Nil for a setup with the `changes` driver.
    var obsolete: (key: String, value: String)? {
        driver == .lines ? (Self.changes.key, "^savetool diff --git( --)?$") : nil
    }

    // MARK: Attributes

    /// The lines of the attributes file.
    var attributes: [String] { patterns.map { Self.shown($0) + Self.merging } }

    /// Returns the line that versions of savetool without a merge driver wrote.
    private static func shown(_ pattern: String) -> String { quoted(pattern) + " diff=savetool" }

    /// Returns a pattern as git reads it: in quotation marks if it has spaces (gitattributes(5)).
    private static func quoted(_ pattern: String) -> String {
        guard pattern.utf8.contains(where: { " \"".utf8.contains($0) }) else { return pattern }
        return "\"" + pattern.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"") + "\""
    }

    private static let merging = " merge=savetool"

    /// Returns an attributes file with all necessary lines, and the new lines.
    ///
    /// A line that only specified how to show files is replaced at its position, so that it keeps its precedence.
    /// If no patterns were given, a file that names savetool gets no other lines: the user has chosen its patterns.
    func attributes(in file: [UInt8]) -> (file: [UInt8], new: [[UInt8]]) {
        let older = Set(patterns.map { Array(Self.shown($0).utf8) })
        var new: [[UInt8]] = []
        var lines: [[UInt8]] = file.split(separator: Self.lineEnd, omittingEmptySubsequences: false).map { line in
            let words = Self.words(line)
            guard isUsual ? Self.onlyShows(words) : older.contains(words) else { return Array(line) }
            new.append(words + Array(Self.merging.utf8))
            return new[new.count - 1] + line.dropFirst(words.count)
        }
        let present = Set(lines.map { Self.words($0) })
        let isChosen = isUsual && lines.contains { Self.isOurs(Self.words($0)) }
        let missing = isChosen ? [] : attributes.map { Array($0.utf8) }.filter { !present.contains($0) }
        if !missing.isEmpty {
            if lines.last?.isEmpty ?? false { lines.removeLast() }
            lines += missing + [[]]
        }
        return (Array(lines.joined(separator: [Self.lineEnd])), new + missing)
    }

    /// Removes each line of an attributes file that has only attributes of a setup, regardless of its pattern. Returns
    /// the file and the removed lines.
    static func attributesUndone(in file: [UInt8]) -> (file: [UInt8], gone: [[UInt8]]) {
        var gone: [[UInt8]] = []
        let lines = file.split(separator: lineEnd, omittingEmptySubsequences: false).filter { line in
            let words = words(line)
            guard isOurs(words) else { return true }
            gone.append(words)
            return false
        }
        return (Array(lines.joined(separator: [lineEnd])), gone)
    }

    /// Whether a line has only the attributes of a setup, in any order (gitattributes(5)).
    private static func isOurs(_ words: [UInt8]) -> Bool {
        let attributes = attributes(of: words)
        return attributes.contains("diff=savetool") && attributes.isSubset(of: ["diff=savetool", "merge=savetool"])
    }

    /// Whether `diff=savetool` is the only attribute of a line, so that savetool shows the files but does not merge
    /// them.
    private static func onlyShows(_ words: [UInt8]) -> Bool { attributes(of: words) == ["diff=savetool"] }

    /// Returns the attributes that a line sets for files; empty for a comment or a macro.
    private static func attributes(of words: [UInt8]) -> Set<String> {
        let words = words.drop { " \t".utf8.contains($0) }
        guard words.first != UInt8(ascii: "#"), !words.starts(with: "[attr]".utf8) else { return [] }
        let parts = words.dropFirst(lengthOfPattern(words)).split { " \t".utf8.contains($0) }
        return Set(parts.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the length of the pattern at the beginning of a line. It may contain spaces in quotation marks.
    private static func lengthOfPattern(_ line: ArraySlice<UInt8>) -> Int {
        let quote = UInt8(ascii: "\"")
        guard line.first == quote else { return line.prefix { !" \t".utf8.contains($0) }.count }
        var isEscaped = false
        let end = line.dropFirst().firstIndex { byte in
            defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
            return byte == quote && !isEscaped
        }
        return (end ?? line.endIndex - 1) + 1 - line.startIndex
    }

    /// Returns a line without trailing white space.
    private static func words(_ line: some BidirectionalCollection<UInt8>) -> [UInt8] {
        line.lastIndex { !" \t\r".utf8.contains($0) }.map { Array(line[...$0]) } ?? []
    }

    private static let lineEnd = UInt8(ascii: "\n")

    // MARK: Hooks

    /// A hook that checks the next commit.
    enum Hook: String, CaseIterable {
        case preCommit = "pre-commit"
        /// The only hook that `git rebase --continue` calls.
        case prepareCommitMessage = "prepare-commit-msg"
        /// The hook of `git rebase --apply` and `git am`.
        case preApplyPatch = "pre-applypatch"
    }

    /// The beginning of a hook, by which a setup recognizes it.
    private static let hookHead = "#!/bin/sh\n# Written by savetool git-setup --hooks.\n"

    /// Returns the `sh` command line that checks the next commit.
    func checkLine(in hook: Hook) -> String {
        let check = "\(GitCheckCommand.command.called)\(rulesLine)"
        return switch hook {
        case .preCommit, .preApplyPatch: check
        case .prepareCommitMessage: "[ ! -d \"$(git rev-parse --git-path rebase-merge)\" ] || \(check)"
        }
    }

    func text(of hook: Hook) -> String {
        Self.hookHead + (hook == .prepareCommitMessage ? "" : "exec ") + checkLine(in: hook) + "\n"
    }

    static func isHook(_ file: [UInt8]) -> Bool { file.starts(with: hookHead.utf8) }

    /// Whether a hook of the user calls the check.
    static func callsCheck(_ file: [UInt8]) -> Bool {
        TextPattern(Array(GitCheckCommand.command.called.utf16)).match(inASCII: file) == .found
    }

    // MARK: Text

    /// Returns the setup as text, to be read or copied.
    ///
    /// - Parameter hasHooks: Whether the text includes the hooks.
    func text(_ scope: Scope, hasHooks: Bool) -> String {
        let hooks = hasHooks ? Hook.allCases : []
        let place = scope == .user ? "~/.config/git/attributes" : ".gitattributes"
        let configuration = scope == .user ? "~/.gitconfig" : ".git/config"
        return "# \(place)\n" + attributes.map { $0 + "\n" }.joined()
            + "\n# \(configuration)\n" + settingsText
            + hooks.map { "\n# .git/hooks/\($0.rawValue)\n" + self.text(of: $0) }.joined()
    }

    private var settingsText: String {
        var text = ""
        var heading = ""
        for setting in settings {
            if setting.heading != heading { text += setting.heading }
            heading = setting.heading
            text += setting.line
        }
        return text
    }
}

/// A setting of a git driver, for `git config` and for a configuration file.
struct GitSetting {
    /// `diff`, `difftool`, `merge` or `mergetool`.
    let section: String
    var driver = "savetool"
    let name: String
    let value: String

    var key: String { "\(section).\(driver).\(name)" }

    /// The heading of the driver's settings in a configuration file.
    var heading: String { "[\(section) \"\(driver)\"]\n" }

    /// The line in a configuration file (git-config(1), Syntax). Outside quotation marks, `#` and `;` begin a comment.
    var line: String {
        let escaped = value.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"")
        let isPlain = value.unicodeScalars.allSatisfy { $0 != "#" && $0 != ";" }
        return "\t\(name) = " + (isPlain ? escaped : "\"\(escaped)\"") + "\n"
    }
}
