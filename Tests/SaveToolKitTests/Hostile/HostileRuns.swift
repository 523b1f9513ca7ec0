@testable import SaveToolKit

/// The arguments of each command on hostile files, as word lists for ``HostileFiles/words(_:)``.
///
/// Each line is also run with every output format of the command.
enum HostileRuns {
    /// The lines by command name. A command without lines fails the test.
    static let lines: [String: [[String]]] = [
        "inspect": [
            ["@a"], ["--all", "@a"], ["--types", "--all", "@archive"], ["--nested", "@nested"],
            ["@a", "@archive", "-H"],
            ["--types", "--all", "@stream"], ["--nested", "@streamInside"], ["@brokenStream"],
            ["--at", "/k%%", "@a"], ["--at", "/each/x", "@a"], ["--raw", "@archive"],
            ["--defaults", "@defaults", "@a"],
            ["--at", "/each", "@a", "@archive"], ["@old"],
            ["@broken0", "@broken5", "@broken11"],
            ["@missing%%"],
            ["--depth", "1", "@xml"], ["@strings"], ["@gnustep"], ["--limit", "3", "@archive"],
        ],
        "get": [
            ["@a", "/each/0"], ["@a", "/each/1"], ["@a", ""], ["@a", "/**"], ["@a", "/k%%"], ["@a", "/nowhere%%"],
            ["@archive", "/root"], ["@stream", "/root"], ["@stream", "/**"],
            ["@archive", "/root/$class"], ["@a", "/crlf"], ["@a", "/data"], ["--where", "x%%==1", "@a", "/**"],
            ["@xml", "/list"],
            ["--at", "/list/1", "--at", "/formulas/0", "--at", "/**", "@a", "@archive"], ["--at", "/k%%", "@old"],
            ["@broken1", "/x"],
            ["@archive", ""], ["@openstep", "/crlf"],
        ],
        "find": [
            ["--text", "e", "@a", "@archive", "@xml", "@stream"], ["--key", "f%", "@archive"],
            ["--class", "C%", "@archive", "@a"], ["--class", "*%", "@archive"], ["--regex", "(%%", "@a"],
            ["--regex", ".", "@old"], ["--where", "n>=0", "@archive", "@a"], ["--where", "%%", "@a"],
            ["-l", "--text", "e", "@old"],
            ["-c", "--text", "e", "@old", "@a"], ["-l", "-0", "--text", "e", "@a"], ["%", "@a", "@broken2"],
            ["--value", "%", "@a"], ["x", "@missing%%"],
            ["--type", "string", "@nested"],
        ],
        "set": [
            ["@a", "/list/0", "5"], ["@a", "/list/1", "%", "--change-type"], ["@a", "/nowhere%%", "5"],
            ["@a", "/list/%%", "5"], ["-n", "@a", "/**/x%%", "5"],
            ["-n", "@a", "/list/1", "--json-file", "@value", "--change-type"],
            ["-n", "@a", "/list/1", "--string", "%", "--change-type"],
            ["-n", "@archive", "/root/f%%", "7"], ["-n", "--add", "@archive", "/root/new%%", "7"],
            ["-n", "@a", "/list/0", "%"], ["@xml", "/list/0", "%", "--allow-loss"],
            ["-n", "@a", "/each/*", "z"], ["-n", "@a", "/each", "5"], ["-i", "--backup", "@a", "/list/0", "7"],
            ["@strings", "/x%%", "5", "--add"],
            ["-n", "@nested", "/%%/root/n", "5"], ["@stream", "/root/%%", "5"], ["@streamInside", "/k/root/%%", "5"],
        ],
        "insert": [
            ["@a", "/list/0", "5"], ["-n", "@a", "/list/0", "--string", "%"], ["-n", "@a", "/list/9%%", "5"],
            ["-n", "@a", "/nowhere%%/0", "5"], ["-n", "@archive", "/root/%%", "1"],
        ],
        "remove": [
            ["@a", "/list/0"], ["-n", "@a", "/each/*"], ["-n", "@a", "/nowhere%%"], ["-n", "@archive", "/root/n"],
            ["-n", "--where", "%%=1", "@a", "/**"], ["@a", "/each"],
        ],
        "salvage": [
            ["@archive"], ["@archive", "--like", "@a"], ["@archive2"], ["@a"], ["@broken0"], ["@broken2"],
            ["@broken5", "--like", "@a"], ["@missing%%"], ["@brokenStream"], ["@stream"],
            ["@broken1", "--like", "@archive", "--fill"],
        ],
        "edit": [["@a"], ["-n", "@archive"], ["@missing%%"], ["@broken0"]],
        "patch": [
            ["@a", "@patch"], ["-n", "@a", "@patch"], ["-n", "@a", "@mergePatch"], ["@a", "@failingPatch"],
            ["@a", "@testPatch"], ["@a", "@broken0"], ["@archive", "@patch"],
            ["-n", "@archive", "@mergePatch"],
        ],
        "migrate": [
            ["@rules", "@a"], ["-v", "-n", "@rules", "@a"], ["@badRules", "@a"], ["@badRules2", "@a"],
            ["@rules", "@archive"], ["@rules", "@missing%%"], ["@missing%%", "@a"],
            ["-n", "@rules", "@a", "@b", "@archive"],
        ],
        "rename-class": [
            ["C%", "D%", "@archive"], ["-n", "C%", "D%", "@archive"], ["X%", "D%", "@archive"],
            ["B%%", "C%", "@archive"], ["A", "B", "@a"], ["", "%", "@a"], ["C%.*", "D%.*", "@archive"],
        ],
        "convert": [
            ["@a"], ["@xml"], ["@archive"], ["@openstep"], ["@strings"], ["@nested"],
            ["@stream"], ["--plain", "@stream"], ["--raw", "@stream"],
            ["--nested", "--allow-loss", "@nested"], ["--allow-loss", "@a"], ["--raw", "@archive"],
            ["--plain", "--allow-loss", "@archive"], ["--exact", "@binary"], ["--like", "@binary", "@a"],
            ["--like", "@a", "@b"], ["--from", "flat", "@flat"],
            ["--to", "xml", "--allow-loss", "--output-dir", "out%%", "@a"],
            ["-r", "--to", "json", "--output-dir", "out%%", "@old"],
            ["@broken3", "--to", "xml"], ["--to", "xml", "--allow-loss", "-i", "@b"],
            ["@a", "-o", "x%%.json"],
        ],
        "roundtrip": [
            ["@a", "@archive", "@xml", "@broken0"], ["@old"], ["--bytes", "@a", "@xml"], ["@missing%%", "@stream"],
        ],
        "diff": [
            ["@a", "@b"], ["@archive", "@archive2"], ["-U", "2", "@a", "@b"], ["@a", "@archive"], ["@old", "@new"],
            ["@a", "@missing%%"], ["--brief", "@a", "@b"],
            ["--only", "/k%%", "@a", "@b"], ["--ignore", "/each%%", "@a", "@b"], ["--identity", "/%%=x", "@a", "@b"],
            ["--unordered", "/**", "@a", "@b"], ["--raw", "@archive", "@archive2"],
            ["@a", "@broken0"], ["--sharing", "@archive", "@archive2"], ["@nested", "@graph"],
            ["-y", "-W", "60", "@a", "@b"], ["@stream", "@archive"], ["@a", "@streamInside"],
        ],
        "merge": [
            ["@a", "@b", "@c"], ["@a", "@b", "@c", "--rule", "ours"],
            ["@a", "@b", "@c", "--rule", "/%%=max", "--rule", "union"], ["@a", "@b", "@c", "--rule", "%"],
            ["--base", "none", "@b", "@c"],
            ["@graph", "@archive", "@archive2"], ["@a", "@b", "@c", "--conflicts", "conflicts%%"],
            ["@a", "@b", "@c", "--ask", "-o", "merged%%"], ["@a", "@b", "@broken1"],
            ["@xml", "@xml", "@a"], ["@a", "@b", "@c", "--git", "%"],
        ],
        "textconv": [
            ["@a"], ["@archive"], ["@binary"], ["@nested"], ["@xml"], ["@strings"], ["--raw", "@archive"], ["@broken0"],
            ["@stream"],
            ["@broken7"], ["@openstep"],
        ],
        "git-setup": [
            [], ["*.x%%"], ["*.x\u{202E}"], ["--rule", "%"], ["--rule", "/\u{202E}=max"], ["--driver", "changes"],
            ["--global"],
        ],
        "git-check": [[], ["--rule", "%"]],
        "validate": [
            ["--no-project", "@a", "@archive", "@xml", "@stream", "@streamInside", "@brokenStream"],
            ["--no-project", "--verbose", "@archive"],
            ["--no-project", "--allow-class", "X%", "@archive"], ["--no-project", "--schema", "@schema", "@a"],
            ["--no-project", "--schema", "@badSchema", "@a"], ["--no-project", "--schema", "@refSchema", "@a"],
            ["--project", "@project", "@archive"], ["--project", "@badProject", "@a"],
            ["--no-project", "@old"], ["--no-project", "--files-from", "@list", "-0"],
            ["--no-project", "--files-from", "@list"], ["--no-project", "--profile", "highscores", "@scores"],
            ["--no-project", "--schema-root", "%=%%", "--schema", "@refSchema", "@a"],
            ["--no-project", "--now", "%", "@a"], ["--no-project", "@missing%%", "@broken5"], ["--profile", "list"],
        ],
        "schema infer": [["@a"], ["@archive", "@archive2"], ["@a", "@b"], ["@broken0"]],
        "scores list": [
            ["--form", "feed", "--allow-loss", "@scores"],
            ["@scores"], ["@scoreArchive"], ["@feed"], ["--sort", "name", "@scores"], ["@a"], ["@oddScores"],
            ["--at", "/%%", "@oddScores"], ["--fields", "name=n\u{202E},score=x", "--at", "/%%", "@oddScores"],
            ["--fields", "%", "@scores"], ["@missing%%"], ["@broken0"],
        ],
        "scores add": [
            ["-n", "--keep", "0", "@scores", "--name", "%", "--score", "5"],
            ["--keep", "12", "@scores", "--name", "%", "--score", "99000"], ["@scores", "--name", "%", "--score", "5"],
            ["@scores", "--name", "%", "--score", "%"], ["@scores", "--name", "x", "--score", "1", "--date", "%"],
            ["@oddScores", "--name", "x", "--score", "1"],
            ["--fields", "name=n\u{202E},score=x", "--at", "/%%", "@oddScores", "--name", "%", "--score", "2"],
            ["new%%.plist", "--name", "%", "--score", "1"],
            ["-n", "fresh%%", "--name", "%", "--score", "1", "--form", "feed", "--date", "none", "--allow-loss"],
        ],
        "scores remove": [
            ["-n", "@scores", "--name", "%"], ["-n", "@scores", "--rank", "1"], ["@oddScores", "--name", "x"],
            ["-n", "@scores", "--score", "%"], ["-n", "--all", "@scores", "--date", "%"],
            ["--fields", "name=n\u{202E},score=x", "--at", "/%%", "@oddScores", "--score", "2"],
        ],
        "scores merge": [["@scores", "@feed"], ["@scores", "@a"], ["--keep", "2", "@scores", "@feed"]],
        "scores convert": [
            ["@scores", "--form", "plist"], ["--allow-loss", "@feed", "--form", "archive"],
            [
                "--allow-loss", "--to", "json", "--fields", "name=n\u{202E},score=x", "--at", "/%%", "@oddScores",
                "--form", "feed",
            ],
        ],
        "scores form": [
            ["--name", "\u{202E}x", "--score", "5", "--device", "\u{202E}", "--salt-file", "@salt"],
            ["--name", "%", "--score", "5", "--device", "x", "--salt-file", "@salt"],
            ["--name", "x", "--score", "%", "--device", "%", "--salt-file", "@salt"],
            ["--name", "x", "--score", "5", "--device", "%", "--salt", "x"],
        ],
        "scores token": [
            ["--score", "5", "--device", "\u{202E}", "--salt-file", "@salt"],
            ["--score", "%", "--device", "x", "--salt-file", "@salt"],
            ["--score", "5", "--device", "x", "--salt-file", "@missing%%"],
        ],
        "scores submit": [
            ["@feed", "--salt-file", "@salt"], ["@a", "--salt-file", "@salt"], ["@feed", "--salt-file", "@missing%%"],
        ],
        "help": [["inspect"], ["limits"], ["%"], ["scores", "%"], ["--man"], ["--man", "validate"]],
        "completions": [["bash"], ["zsh"], ["fish"], ["%"]],
        "version": [[], ["%"]],
        "__complete": [
            ["bash", "--", "savetool get @a /k", ""], ["zsh", "--", "get", "@a", "/"],
            ["fish", "--", "get", "@archive", "/root/"], ["zsh", "--", "get", "@archive", "/"],
            ["zsh", "--", "get", "@a", "/keys/"],
            ["zsh", "--", "--%"], ["%"],
        ],
    ]

    /// The standard input of a command, such as the answers that a person types.
    static let inputs: [String: String] = [
        "merge": "?\nx\u{1B}\nours\ntheirs\nskip\nquit\n",
        "scores submit":
            "high_score[auth_token]=x%1B&high_score[player_name]=%E2%80%AE%1B&high_score[total_score]=5&high_score[iphone_udid]=x",
    ]

    /// Returns the options that choose an output format, with each of their values.
    static func forms(of command: Command) -> [[String]] {
        command.options.filter { ["format", "to", "form", "via"].contains($0.name) }
            .flatMap { option in option.choices.map { [option.shown, $0] } }
    }

    /// Output formats for programs, which are written to a pipe as they would be to a file.
    static let dataForms: Set<String> = [
        "json", "ndjson", "json-patch", "typed", "raw", "xml", "hex", "csv", "tsv", "flat", "sarif", "junit",
        "codequality",
        "binary", "openstep", "gnustep", "archive",
        "plist", "feed",
    ]

    /// Commands whose output is for programs, in every format.
    static let dataCommands: Set<String> = [
        "get", "set", "insert", "remove", "patch", "migrate", "rename-class", "convert", "merge", "edit",
        "schema infer", "scores add", "scores remove", "scores merge", "scores convert",
        "scores form", "scores submit", "git-setup", "__complete",
    ]
}
