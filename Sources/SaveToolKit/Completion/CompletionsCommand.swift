import SaveCodec
import SaveOperations

/// `savetool completions`: prints a script that makes a shell complete the arguments of the tool.
enum CompletionsCommand {
    static let command = Command(
        name: "completions", summary: "print completion scripts for bash, zsh and fish", operands: [.shell],
        examples: [
            "for bash, in its folder of completions": "savetool completions bash > savetool",
            "for zsh, in a folder of $fpath": "savetool completions zsh > _savetool",
            "for fish, in ~/.config/fish/completions": "savetool completions fish > savetool.fish",
        ],
        discussion: """
            Prints a script that completes commands, options, their values, file names, and addresses in the
            named file (up to 16 MB). A shell can also read it when it starts:

                bash  source <(savetool completions bash)
                zsh   source <(savetool completions zsh), after compinit
                fish  savetool completions fish | source
            """,
        details: "The script calls savetool, so you need not regenerate it after an update.",
        exitStatus: [.done: "done", .cannot: "unknown shell"], options: [],
        run: { arguments, invocation in
            let name = try arguments.soleOperand("SHELL")
            let names = CompletionShell.allCases.map(\.rawValue)
            guard let shell = CompletionShell(rawValue: name) else {
                let nearest = Suggestion.sentence(Suggestion.nearest(to: name, in: names))
                throw UsageError.badOperand(name, "SHELL", expected: UsageError.list(names) + nearest)
            }
            try invocation.writeOutput { $0.write(shell.script) }
            return .done
        })
}

enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish
}

// MARK: Scripts

extension CompletionShell {
    /// The completion script, which runs ``CompleteCommand``.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// The script for bash. It lets readline complete file names, because readline quotes them correctly. bash 3.2 has
    /// no `compopt`, so it offers file names whenever there are no other candidates.
    private static let bashScript = #"""
        # Completion of savetool for bash. source <(savetool completions bash)
        _savetool() {
            local line more=
            COMPREPLY=()
            compopt +o default 2> /dev/null
            while IFS= read -r line; do
                case $line in
                    files) compopt -o default 2> /dev/null ;;
                    folders) compopt -o dirnames 2> /dev/null ;;
                    '='*) COMPREPLY+=("${line:1}") ;;
                    '~'*) COMPREPLY+=("${line:1}") more=1 ;;
                esac
            done < <("${1/#\~\//$HOME/}" __complete bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2> /dev/null)
            if [ -n "$more" ] && [ "${#COMPREPLY[@]}" = 1 ]; then compopt -o nospace 2> /dev/null; fi
            return 0
        }
        complete -o default -o nosort -F _savetool savetool 2> /dev/null || complete -o default -F _savetool savetool

        """#

    private static let zshScript = #"""
        #compdef savetool
        # Completion of savetool for zsh: a file _savetool in a folder of $fpath, or source <(savetool completions zsh)
        _savetool() {
            local line text note names=none tool=${(Q)words[1]/#\~\//$HOME/}
            local -a lines ends endnotes more morenotes
            lines=("${(@f)$("$tool" __complete zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}")
            for line in "${lines[@]}"; do
                case $line in
                    files|folders|none) names=$line; continue ;;
                esac
                text=${${line[2,-1]}%%$'\t'*}
                note=$text
                [[ $line == *$'\t'* ]] && note="$text  -- ${line#*$'\t'}"
                case $line in
                    '='*) ends+=("$text"); endnotes+=("$note") ;;
                    '~'*) more+=("$text"); morenotes+=("$note") ;;
                esac
            done
            (( $#ends )) && compadd -l -d endnotes -a ends
            (( $#more )) && compadd -S '' -l -d morenotes -a more
            if [[ $names != none && $PREFIX == --*=* ]]; then compset -P '*='; fi
            case $names in
                files) _files ;;
                folders) _files -/ ;;
            esac
        }
        if [[ $funcstack[1] == _savetool ]]; then _savetool "$@"; else compdef _savetool savetool; fi

        """#

    private static let fishScript = #"""
        # Completion of savetool for fish: savetool completions fish | source
        function __savetool_complete
            # Versions before 3.7 have no -x.
            set -l words (commandline -xpc 2> /dev/null; or commandline -opc)
            set -l word (commandline -ct)
            set -l before (string match -r -- '^--[^=]*=' $word)
            set -l name (string replace -r -- '^--[^=]*=' '' $word)
            for line in ($words[1] __complete fish -- $words[2..-1] "$word" 2> /dev/null)
                switch $line
                    case files
                        printf '%s\n' "$before"(__fish_complete_path "$name")
                    case folders
                        printf '%s\n' "$before"(__fish_complete_directories "$name")
                    case '=*'
                        string sub -s 2 -- $line
                end
            end
        end
        complete -c savetool -k -f -a '(__savetool_complete)'

        """#
}
