import SaveCodec

/// The attributes and settings by which git knows how to show and to merge saves.
struct GitSetup {
    /// What git shows of two versions.
    enum Driver: String, CaseIterable {
        /// The lines of `savetool textconv` that differ.
        case lines
        /// What `savetool diff` tells.
        case changes
    }

    /// Whom it is set up for.
    enum Scope {
        case repository, user

        /// What `git config` is told.
        var option: String { self == .user ? "--global" : "--local" }

        /// A line of `sh` that writes the path of the file with the attributes.
        var attributesPath: String {
            switch self {
            case .repository: "top=$(git rev-parse --show-toplevel 2>/dev/null) && echo \"$top/.gitattributes\""
            case .user:
                "git config --global --path core.attributesFile"
                    + " || echo \"${XDG_CONFIG_HOME:-$HOME/.config}/git/attributes\""
            }
        }

        /// Why there is no such file.
        var refusal: String {
            switch self {
            case .repository: "this is no repository of git, or git is not there"
            case .user: "git is not there"
            }
        }
    }

    private let patterns: [String]
    /// Whether no patterns were given, so that those will do that stand in a file of attributes.
    private let isUsual: Bool
    private let driver: Driver
    /// The rules by which conflicts are settled.
    private let rules: [String]

    static let usualPatterns = ["*.archive", "*.bplist", "*.plist", "*.save", "*.scn", "*.sks"]
    /// Files that may be saves, or something else altogether.
    static let morePatterns = ["*.nib", "*.sav", "*.xcuserstate"]

    /// - Parameter patterns: those that were given; empty for the usual ones.
    init(patterns: [String], driver: Driver, rules: [String]) {
        isUsual = patterns.isEmpty
        self.patterns = isUsual ? Self.usualPatterns : patterns
        self.driver = driver
        self.rules = rules
    }

    /// Why the patterns or the rules cannot stand in a file of git; nil if they can.
    var fault: UsageError? {
        let wrong = patterns.first { pattern in
            pattern.isEmpty || pattern.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }
                || pattern.hasPrefix("#") || pattern.hasPrefix("!")
        }
        if let wrong {
            return .badOperand(wrong, "PATTERN", expected: "one of .gitattributes without spaces and quotation marks")
        }
        return rules.first { !Shell.isPrintable($0) }
            .map { .badValue($0, .rule, expected: "one without control characters, as a setting of git is a line") }
    }

    // MARK: Settings

    /// The settings of git. `--`, as the name of a file may begin as an option does.
    var settings: [GitSetting] {
        var settings = [GitSetting(section: "diff", name: "textconv", value: "savetool textconv --")]
        // The lines are what git shows where it runs no other program: in log -p, show and blame.
        if driver == .changes { settings.append(Self.changes) }
        return settings + [
            GitSetting(section: "merge", name: "name", value: "savetool merge, value by value"),
            GitSetting(section: "merge", name: "driver", value: mergeLine),
            GitSetting(section: "merge", name: "recursive", value: Self.baseDriver),
            GitSetting(
                section: "merge", driver: Self.baseDriver, name: "driver",
                value: mergeLine + " 2>/dev/null || cat %O >%A"),
            GitSetting(section: "mergetool", name: "cmd", value: askingLine),
            GitSetting(section: "mergetool", name: "trustExitCode", value: "true"),
            // git would merge the lines of what it hands over.
            GitSetting(section: "mergetool", name: "hideResolved", value: "false"),
        ]
    }

    /// The keys of all settings that a setup may write.
    static var keys: [String] { GitSetup(patterns: [], driver: .changes, rules: []).settings.map(\.key) }

    private static let changes = GitSetting(section: "diff", name: "command", value: "savetool diff --git --")

    /// The driver by which git brings several bases together. What is in conflict there is what it was before, not what
    /// one side made of it: the other one could not be told from a change since then.
    private static let baseDriver = "savetool-base"

    /// A line of `sh`, in which git replaces what begins with a percent sign.
    private var mergeLine: String {
        "savetool merge --git" + rulesLine.replacingScalar("%", with: "%%") + " -- %O %A %B %P"
    }

    /// The command that asks conflict by conflict.
    static let question = "git mergetool --tool savetool"

    /// A line of `sh` for `git mergetool`. Where the status is not 0, git puts its copy of the file back, without what has
    /// been answered so far: so that becomes the copy.
    private var askingLine: String {
        "savetool merge --ask --resume" + rulesLine + " --output=\"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\""
            + " || (mv -f -- \"$MERGED\" \"$BACKUP\" && false)"
    }

    private var rulesLine: String {
        rules.map { " \(Option.rule.shown) " + Shell.quoted($0) }.joined()
    }

    /// The setting of another driver that would prevail over this one, and an expression for the values that are ours.
    var obsolete: (key: String, value: String)? {
        driver == .lines ? (Self.changes.key, "^savetool diff --git( --)?$") : nil
    }

    // MARK: Attributes

    /// The lines of the file of attributes.
    var attributes: [String] { patterns.map { Self.shown($0) + Self.merging } }

    /// The line of a version that did not merge.
    private static func shown(_ pattern: String) -> String { "\(pattern) diff=savetool" }

    private static let merging = " merge=savetool"

    /// A file of attributes with the lines that it needs, and those of them that are new. A line that said only how to
    /// show files is replaced where it stands, so that what prevails over it still does. Where no patterns were given, a
    /// file that names savetool needs no others: somebody has chosen them.
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

    /// A file of attributes without the lines that say nothing but what a setup writes, whatever their patterns and whoever
    /// wrote them, and those lines.
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

    /// Whether a line says nothing but what a setup writes, in any order (gitattributes(5)).
    private static func isOurs(_ words: [UInt8]) -> Bool {
        let attributes = attributes(of: words)
        return attributes.contains("diff=savetool") && attributes.isSubset(of: ["diff=savetool", "merge=savetool"])
    }

    /// Whether a line says nothing but that savetool shows the files.
    private static func onlyShows(_ words: [UInt8]) -> Bool { attributes(of: words) == ["diff=savetool"] }

    /// The attributes that a line sets for files; none of a comment, nor of a macro.
    private static func attributes(of words: [UInt8]) -> Set<String> {
        let parts = words.split { " \t".utf8.contains($0) }
        guard let pattern = parts.first, pattern.first != UInt8(ascii: "#"), !pattern.starts(with: "[attr]".utf8) else {
            return []
        }
        return Set(parts.dropFirst().map { String(decoding: $0, as: UTF8.self) })
    }

    /// A line of attributes without what may follow them.
    private static func words(_ line: some BidirectionalCollection<UInt8>) -> [UInt8] {
        line.lastIndex { !" \t\r".utf8.contains($0) }.map { Array(line[...$0]) } ?? []
    }

    private static let lineEnd = UInt8(ascii: "\n")

    // MARK: Text

    /// All of it as text, to be read or copied.
    func text(_ scope: Scope) -> String {
        let place = scope == .user ? "~/.config/git/attributes" : ".gitattributes"
        let configuration = scope == .user ? "~/.gitconfig" : ".git/config"
        return "# \(place)\n" + attributes.map { SafeText.escaping($0.utf16) + "\n" }.joined()
            + "\n# \(configuration)\n" + settingsText
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

/// A setting of a driver of git, as `git config` takes it and as it stands in a file of settings.
struct GitSetting {
    /// `diff`, `merge` or `mergetool`.
    let section: String
    var driver = "savetool"
    let name: String
    let value: String

    var key: String { "\(section).\(driver).\(name)" }

    /// The line above the settings of the driver.
    var heading: String { "[\(section) \"\(driver)\"]\n" }

    /// The line of a file of settings (git-config(1), Syntax): a comment begins at `#` and `;` outside of quotation marks.
    var line: String {
        let escaped = value.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"")
        let isPlain = value.unicodeScalars.allSatisfy { $0 != "#" && $0 != ";" }
        return "\t\(name) = " + (isPlain ? escaped : "\"\(escaped)\"") + "\n"
    }
}
