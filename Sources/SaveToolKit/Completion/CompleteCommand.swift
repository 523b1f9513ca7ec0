import SaveCodec

/// `savetool __complete`: what the scripts of `savetool completions` ask. It prints who offers names of files, `files`,
/// `folders` or `none`, and then a line for each candidate:
///
///     none
///     =flat⇥the same as --format flat     a word that ends here
///     ~/root⇥Map, 3 fields                one that may go on, so that no blank follows
///
/// Nothing goes wrong aloud: a word that cannot be completed has no candidates.
enum CompleteCommand {
    static let word = "__complete"

    static let command = Command(
        name: word, summary: "complete arguments for a shell",
        operands: [.shell, .text("WORD").repeated], discussion: "", options: [],
        run: { arguments, invocation in
            guard let shell = arguments.operands.first.flatMap(CompletionShell.init) else { return .cannot }
            let typed = TypedWords(Array(arguments.operands.dropFirst()), in: shell)
            let completion = Completer(typed.words, invocation).completion(of: typed.last)
            try invocation.writeOutput { output in
                output.write(completion.names.rawValue + "\n")
                for candidate in completion.candidates.prefix(mostCandidates) {
                    output.write(typed.lines(for: candidate))
                }
            }
            return .done
        })

    /// More would be of no use to anybody.
    private static let mostCandidates = 1000
    /// How long it may take, in milliseconds.
    static let longestTime = 200
    /// How large a file may be in which addresses are completed.
    static let largestFile = 16 << 20
}

/// The words of a line as a shell hands them over, up to the cursor.
///
///     bash    the whole line, and the signs at which bash breaks words    savetool get 'my save' '/ro    =:
///     zsh     the words behind the tool without quotation marks           get    my save    /ro
///     fish    the same, but the last as it is typed                       get    my save    '/ro
struct TypedWords {
    /// The words behind the name of the tool and before the cursor.
    let words: [String]
    /// The word at the cursor, as far as it is typed.
    let last: String
    private let shell: CompletionShell
    /// How much of the last word bash takes for a word of its own, so that candidates are without it.
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

    /// The lines that stand for a candidate. fish puts a blank behind the only one, so what may go on is two for it.
    func lines(for candidate: Completion.Candidate) -> String {
        let note = candidate.note.isEmpty ? "" : "\t" + candidate.note
        switch shell {
        case .bash:
            let text = candidate.text.unicodeScalars.dropFirst(broken)
            // Nothing within double quotation marks keeps an interactive bash from replacing what follows a `!`.
            if mark == "\"", text.contains("!") { return "" }
            return (candidate.goesOn ? "~" : "=") + ShellLine.quoted(text, within: mark) + "\n"
        case .zsh: return (candidate.goesOn ? "~" : "=") + candidate.text + note + "\n"
        case .fish:
            let more = candidate.goesOn ? "=\(candidate.text)/\(note)\n" : ""
            return "=" + candidate.text + note + "\n" + more
        }
    }
}

/// A line of bash as its words, without quotation marks and backslashes.
struct ShellLine {
    private(set) var words: [String] = []
    /// How many characters of the last word stand before and at the last sign that breaks words.
    private(set) var broken = 0
    /// The quotation mark that is open at the end.
    private(set) var mark: Unicode.Scalar?

    /// - Parameter breaks: signs at which bash breaks words, outside of quotation marks.
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

    /// A text as bash reads it, within an open quotation mark or without.
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
