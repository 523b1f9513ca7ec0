import SaveCodec

/// `savetool __complete`: the command that the scripts of `savetool completions` run.
///
/// It prints the kind of file names that the shell must add (`files`, `folders` or `none`), and then one line per
/// candidate:
///
///     none
///     =flat⇥the same as --format flat     complete: a space follows
///     ~/root⇥Map, 3 fields                may continue: no space follows
///
/// It reports no errors: a word that cannot be completed has no candidates.
enum CompleteCommand {
    static let word = "__complete"

    static let command = Command(
        name: word, summary: "complete arguments for a shell",
        operands: [.shell, .text("WORD").repeated], discussion: "", options: [],
        run: { arguments, invocation in
            guard let shell = arguments.operands.first.flatMap(CompletionShell.init) else { return .cannot }
            let typed = CompletionWords(Array(arguments.operands.dropFirst()), in: shell)
            let completion = Completer(typed.words, invocation).completion(of: typed.last)
            try invocation.writeOutput { output in
                output.write(completion.fileNames.rawValue + "\n")
                for candidate in completion.candidates.prefix(maxCandidates) {
                    output.write(typed.lines(for: candidate))
                }
            }
            return .done
        })

    /// The maximum number of candidates to print.
    private static let maxCandidates = 1000
    /// The time limit, in milliseconds.
    static let longestTime = 200
    /// The size in bytes of the largest file in which addresses are completed.
    static let largestFile = 16 << 20
}

/// The words of a command line up to the cursor. Each shell passes them differently:
///
///     bash    the whole line, and the characters that end a word    savetool get 'my save' '/ro    =:
///     zsh     the words after the tool's name, unquoted             get    my save    /ro
///     fish    the same, but the last word as typed                  get    my save    '/ro
struct CompletionWords {
    /// The words after the tool's name and before the cursor.
    let words: [String]
    /// The word at the cursor, as far as it is typed.
    let last: String
    private let shell: CompletionShell
    /// The number of characters at the start of the last word that bash treats as a separate word. Candidates omit
    /// them.
    private var broken = 0
    /// The quotation mark that is open in the last word.
    private var mark: Unicode.Scalar?

    init(_ arguments: [String], in shell: CompletionShell) {
        self.shell = shell
        switch shell {
        case .bash:
            let line = ShellLine(arguments.first ?? "", breaks: arguments.dropFirst().first ?? "")
            words = Array(line.words.dropFirst().dropLast())
            last = line.words.count > 1 ? line.words.last ?? "" : ""
            (broken, mark) = (line.broken, line.mark)
        case .zsh: (words, last) = (arguments.dropLast(), arguments.last ?? "")
        case .fish:
            words = arguments.dropLast()
            last = ShellLine(arguments.last ?? "", breaks: "").words.last ?? ""
        }
    }

    /// Returns the output lines for a candidate.
    ///
    /// fish adds a space after a candidate if it is the only one. A candidate that may continue therefore takes two
    /// lines.
    func lines(for candidate: Completion.Candidate) -> String {
        let note = candidate.note.isEmpty ? "" : "\t" + candidate.note
        switch shell {
        case .bash:
            let text = candidate.text.unicodeScalars.dropFirst(broken)
            // The candidate is left out: an interactive bash expands `!` even within double quotation marks, and a
            // backslash before it would stay in the word.
            if mark == "\"", text.contains("!") { return "" }
            return (candidate.isPartial ? "~" : "=") + ShellLine.quoted(text, within: mark) + "\n"
        case .zsh: return (candidate.isPartial ? "~" : "=") + candidate.text + note + "\n"
        case .fish:
            let more = candidate.isPartial ? "=\(candidate.text)/\(note)\n" : ""
            return "=" + candidate.text + note + "\n" + more
        }
    }
}

/// The words of a bash command line, without quotation marks and backslashes.
struct ShellLine {
    private(set) var words: [String] = []
    /// The number of characters of the last word up to and including the last character that breaks words.
    private(set) var broken = 0
    /// The quotation mark that is open at the end.
    private(set) var mark: Unicode.Scalar?

    /// - Parameter breaks: The characters at which bash breaks words outside quotation marks.
    init(_ line: String, breaks: String) {
        var word = ""
        var isWord = false
        var isEscaped = false
        for scalar in line.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                if mark == "\"", !"$`\"\\".unicodeScalars.contains(scalar) { word += "\\" }
                word.unicodeScalars.append(scalar)
                isEscaped = false
            case "\\" where mark != "'": (isEscaped, isWord) = (true, true)
            case mark: mark = nil
            case "'" where mark == nil, "\"" where mark == nil: (mark, isWord) = (scalar, true)
            case " " where mark == nil, "\t" where mark == nil, "\n" where mark == nil:
                if isWord { words.append(word) }
                (word, isWord, broken) = ("", false, 0)
            default:
                word.unicodeScalars.append(scalar)
                isWord = true
                if mark == nil, scalar == "=" || scalar == ":", breaks.unicodeScalars.contains(scalar) {
                    broken = word.unicodeScalars.count
                }
            }
        }
        words.append(word)
    }

    /// Returns a text quoted for bash, to be inserted inside the open quotation mark if there is one.
    static func quoted(_ text: some Sequence<Unicode.Scalar>, within mark: Unicode.Scalar?) -> String {
        var result = ""
        for scalar in text {
            switch mark {
            case "'": result += scalar == "'" ? "'\\''" : String(scalar)
            case "\"": result += "$`\"\\".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
            default:
                let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                result += isPlain || "/_-.,:=@%+".unicodeScalars.contains(scalar) ? String(scalar) : "\\\(scalar)"
            }
        }
        return result
    }
}
