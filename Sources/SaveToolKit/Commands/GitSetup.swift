import SaveCodec

/// The attributes and settings by which git knows how to show saves.
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
        var option: String { self == .user ? "--global " : "" }

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
    private let driver: Driver

    /// - Parameter patterns: which files; nil for the usual ones.
    init(patterns: [String]?, driver: Driver) {
        self.patterns = patterns ?? ["*.archive", "*.bplist", "*.plist", "*.save", "*.scn", "*.sks"]
        self.driver = driver
    }

    /// Why the patterns cannot stand in a file of attributes; nil if they can.
    var fault: UsageError? {
        let wrong = patterns.first { pattern in
            pattern.isEmpty || pattern.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }
                || pattern.hasPrefix("#") || pattern.hasPrefix("!")
        }
        return wrong.map {
            .badOperand($0, "PATTERN", expected: "one of .gitattributes without spaces and quotation marks")
        }
    }

    /// The lines of the file of attributes.
    var attributes: [String] { patterns.map { "\($0) diff=savetool" } }

    /// The settings of git. `--`, as the name of a file may begin as an option does. The lines are what git shows where
    /// it runs no other program: in log -p, show and blame.
    var settings: [(key: String, value: String)] {
        let lines = ("diff.savetool.textconv", "savetool textconv --")
        return switch driver {
        case .lines: [lines]
        case .changes: [lines, (Self.changesKey, "savetool diff --git --")]
        }
    }

    /// The setting of another driver that would prevail over this one, and an expression for the values that are ours.
    var obsolete: (key: String, value: String)? {
        driver == .lines ? (Self.changesKey, "^savetool diff --git( --)?$") : nil
    }

    private static let changesKey = "diff.savetool.command"

    /// The attributes that are not among those of a file.
    func attributes(missingIn file: [UInt8]) -> [String] {
        let present = Set(file.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
        return attributes.filter { !present.contains($0) }
    }

    /// All of it as text, to be read or copied.
    func text(_ scope: Scope) -> String {
        let place = scope == .user ? "~/.config/git/attributes" : ".gitattributes"
        let configuration = scope == .user ? "~/.gitconfig" : ".git/config"
        let lines = settings.map { "\t\($0.key.split(separator: ".").last ?? "") = \($0.value)\n" }
        return "# \(place)\n" + attributes.map { SafeText.escaping($0.utf16) + "\n" }.joined()
            + "\n# \(configuration)\n[diff \"savetool\"]\n" + lines.joined()
    }
}
