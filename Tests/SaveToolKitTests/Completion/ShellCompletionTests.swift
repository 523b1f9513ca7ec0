import Foundation
import Testing

@testable import SaveToolKit

/// Tests the completion scripts in the shells themselves: bash, zsh (with typed keys) and fish.
@Suite struct ShellCompletionTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace(fixtures: ["games"])
        workspace.enter("Fixtures/games")
        try FileManager.default.copyItem(
            atPath: workspace.path(of: "swamp.save"), toPath: workspace.path(of: "my save"))
        try FileManager.default.createDirectory(atPath: workspace.path(of: "deep"), withIntermediateDirectories: false)
    }

    private func run(_ script: String, by program: String, _ arguments: [String]) throws -> [String] {
        try workspace.write(script, to: "script")
        let words = (program.split(separator: " ").map(String.init) + ["script"] + arguments).map { argument in
            "'" + argument.replacing("'", with: "'\\''") + "'"
        }
        let limit = "$(command -v timeout > /dev/null && echo timeout 60) "
        let output = try Programs.outputOfShell(limit + words.joined(separator: " "), in: workspace.current)
        return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The text typed before Tab, and the command line after it.
    private static let typed: KeyValuePairs<String, String> = [
        "savetool insp": "savetool inspect ",
        "savetool scores a": "savetool scores add ",
        "savetool help ad": "savetool help addresses ",
        "savetool inspect --nested-": "savetool inspect --nested-depth ",
        "savetool inspect --format su": "savetool inspect --format summary ",
        "savetool inspect --format=su": "savetool inspect --format=summary ",
        "savetool inspect my": #"savetool inspect my\ save "#,
        "savetool convert --output=my": #"savetool convert --output=my\ save "#,
        "savetool convert --output-dir de": "savetool convert --output-dir deep/",
        "savetool get swamp.save /ro": "savetool get swamp.save /root",
        "savetool get swamp.save /root/charList/0/h": "savetool get swamp.save /root/charList/0/health ",
        #"savetool get my\ save '/root/$"#: #"savetool get my\ save '/root/$class' "#,
        #"savetool get "my save" /root/\$"#: #"savetool get "my save" /root/\$class "#,
        "savetool get swamp.save /nothing/": "savetool get swamp.save /nothing/",
    ]

    /// Returns a zsh script that types each line and Tab into a shell on a pseudoterminal and prints the resulting
    /// line.
    private static func typist(_ shell: String, _ preparation: String) -> String {
        """
        zmodload zsh/zpty
        zpty shell '\(shell)'
        zpty -w shell '\(preparation)'
        zpty -r shell out '*ready*'
        for line; do
            zpty -w -n shell "$line"$'\\t\\x18\\x18'
            zpty -r shell out '*<*>*'
            print -r -- "${${out##*<}%%>*}"
        done
        zpty -d shell

        """
    }

    @Test(
        .enabled(if: Programs.zsh != nil && Programs.savetool != nil, "needs zsh, and the built tool beside the tests"))
    func zshCompletes() throws {
        let preparation = """
            PROMPT=; autoload -Uz compinit; compinit -u -D; source <(savetool completions zsh)
            show() { print -rn -- "<$BUFFER>"; BUFFER=; }; zle -N show; bindkey "^X^X" show; print re""ady
            """
        let lines = try run(Self.typist("zsh -f -i", preparation), by: "zsh -f", Self.typed.map(\.key))
        #expect(lines == Self.typed.map(\.value))
    }

    /// Whether the tests can type into bash: this takes the built tool, zsh for the terminal, and bash 4 or later.
    private static let bashCanBeTypedInto =
        Programs.zsh != nil && Programs.savetool != nil
        && (try? Programs.outputOfShell("bash -c 'type -t compopt'", in: .temporaryDirectory)) == "builtin\n"

    @Test(.enabled(if: bashCanBeTypedInto, "needs zsh, bash from version 4, and the built tool beside the tests"))
    func bashCompletesWhileTyping() throws {
        let preparation = #"""
            PS1=; source <(savetool completions bash)
            bind -x "\"\C-x\C-x\": printf \"<%s>\" \"\$READLINE_LINE\"; READLINE_LINE="; echo re""ady
            """#
        let typist = Self.typist("bash --norc --noprofile -i", preparation)
        let lines = try run(typist, by: "zsh -f", Self.typed.map(\.key))
        #expect(lines == Self.typed.map(\.value))
    }

    @Test(
        .enabled(
            if: Programs.bash != nil && Programs.savetool != nil, "needs bash, and the built tool beside the tests"))
    func bashCompletes() throws {
        let script = """
            source <(savetool completions bash)
            for line; do
                COMP_LINE=$line COMP_POINT=${#line}
                _savetool savetool
                printf '%s\\n' "${COMPREPLY[*]}"
            done

            """
        let rows: KeyValuePairs = [
            "savetool insp": "inspect", "savetool scores a": "add", "savetool inspect --format=su": "summary",
            "savetool get swamp.save /ro": "/root", #"savetool get my\ save '/root/$"#: "/root/$class",
            "savetool inspect my": "", "savetool nothing x": "", "savetool completions ": "bash zsh fish",
        ]
        #expect(try run(script, by: "bash --norc", rows.map(\.key)) == rows.map(\.value))
    }

    @Test(
        .enabled(
            if: Programs.fish != nil && Programs.savetool != nil, "needs fish, and the built tool beside the tests"))
    func fishCompletes() throws {
        let script = """
            savetool completions fish | source
            for line in $argv
                echo (complete -C $line | string replace -r '\\t.*' '')
            end

            """
        let rows: KeyValuePairs = [
            "savetool insp": "inspect", "savetool scores a": "add", "savetool inspect --format=su": "--format=summary",
            "savetool help ad": "addresses", "savetool inspect my": "my save",
            "savetool convert --output=my": "--output=my save", "savetool convert --output-dir de": "deep/",
            "savetool get swamp.save /ro": "/root /root/",
            #"savetool get my\ save '/root/$"#: "/root/$class", "savetool completions ": "bash zsh fish",
            "savetool get swamp.save /nothing/": "",
        ]
        #expect(try run(script, by: "fish --no-config", rows.map(\.key)) == rows.map(\.value))
    }
}
