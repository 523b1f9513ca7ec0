import KeyedArchives
import SaveCodec
import SaveOperations

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

/// The candidates for the word at the cursor.
struct Completion {
    struct Candidate: Equatable {
        let text: String
        /// A short description.
        var note = ""
        /// Whether the word may continue, like the address of a container.
        var isPartial = false
    }

    /// The kind of file names that the shell adds to the candidates.
    enum FileNames: String {
        case none, files, folders
    }

    var fileNames = FileNames.none
    var candidates: [Candidate] = []
}

/// Completes the arguments of the tool, using the tables that the argument parser uses.
struct Completer {
    private var command = SaveTool.command
    /// The operands before the cursor.
    private var operands: [String] = []
    /// The option whose value is at the cursor.
    private var pending: Option?
    /// The options before the cursor and their values, by name.
    private var given: [String: String] = [:]
    /// Whether `--` is before the cursor.
    private var endsOptions = false
    private let invocation: Invocation

    /// - Parameter words: The words between the tool's name and the word at the cursor.
    init(_ words: [String], _ invocation: Invocation) {
        self.invocation = invocation
        var rest = words[...]
        while command.isGroup, let word = rest.first {
            if let next = command.command(word) {
                command = next
                rest.removeFirst()
            } else if word == HelpCommand.command.word {
                rest = ([command.word] + rest.dropFirst())[...]
                command = HelpCommand.command
            } else if command.name.isEmpty {
                command = InspectCommand.command
            } else {
                break
            }
        }
        for word in rest { take(word) }
    }

    private mutating func take(_ word: String) {
        if let option = pending {
            given[option.name] = word
            pending = nil
        } else if endsOptions || word == "-" || !word.hasPrefix("-") {
            operands.append(word)
        } else if word == "--" {
            endsOptions = true
        } else if word.hasPrefix("--") {
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = command.option(spelled: "--" + parts[0])
            given[option?.name ?? String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
            if parts.count == 1, option?.value != nil, option?.impliedValue == nil { pending = option }
        } else {
            takeLetters(word.dropFirst())
        }
    }

    private mutating func takeLetters(_ letters: Substring) {
        for position in letters.indices {
            guard let option = command.option(spelled: "-\(letters[position])") else { return }
            let value = letters[letters.index(after: position)...]
            given[option.name] = String(value)
            guard option.value != nil else { continue }
            if value.isEmpty { pending = option }
            return
        }
    }

    // MARK: Candidates

    /// Returns the candidates that begin with a partly typed word.
    func completion(of word: String) -> Completion {
        var completion = allCandidates(for: word)
        completion.candidates = completion.candidates.filter { $0.text.hasPrefix(word) && $0.isOnOneLine }
        return completion
    }

    private func allCandidates(for word: String) -> Completion {
        if let pending { return values(of: pending, word) }
        guard word.hasPrefix("-"), !endsOptions else { return operand(word) }
        guard let sign = word.firstIndex(of: "=") else { return Completion(candidates: options) }
        guard let option = command.option(spelled: String(word[..<sign])) else { return Completion() }
        let value = word[word.index(after: sign)...]
        var completion = values(of: option, String(value))
        completion.candidates = completion.candidates.map { candidate in
            Completion.Candidate(
                text: word[...sign] + candidate.text, note: candidate.note, isPartial: candidate.isPartial)
        }
        return completion
    }

    private var options: [Completion.Candidate] {
        let options = command.allOptions.map { Completion.Candidate(text: $0.shown, note: $0.help) }
        guard command.name.isEmpty else { return options }
        return options + [Completion.Candidate(text: "--version", note: VersionCommand.command.summary)]
    }

    private func values(of option: Option, _ word: String) -> Completion {
        switch option.content {
        case .choice(let names): Completion(candidates: names.map { Completion.Candidate(text: $0) })
        case .address: Completion(candidates: addresses(from: word))
        case .file: Completion(fileNames: .files)
        case .folder: Completion(fileNames: .folders)
        case .text, .partOfName: Completion()
        }
    }

    private func operand(_ word: String) -> Completion {
        guard !command.isGroup else {
            guard operands.isEmpty else { return Completion() }
            return Completion(fileNames: command.name.isEmpty ? .files : .none, candidates: Self.words(of: command))
        }
        guard let operand = command.operand(at: operands.count) else { return Completion() }
        switch operand.kind {
        case .file, .textOrFile: return Completion(fileNames: .files)
        case .address: return Completion(candidates: addresses(from: word))
        case .shell: return Completion(candidates: CompletionShell.allCases.map { .init(text: $0.rawValue) })
        case .page: return Completion(candidates: pages)
        case .text, .option: return Completion()
        }
    }

    /// Returns the words of a group's commands, and `help`.
    private static func words(of group: Command) -> [Completion.Candidate] {
        let commands = group.sections.flatMap(\.commands)
        let help = commands.contains { $0.word == HelpCommand.command.word } ? [] : [HelpCommand.command]
        return (commands + help).map { Completion.Candidate(text: $0.word, note: $0.summary) }
    }

    /// The commands and help topics that may follow the operands of `help`.
    private var pages: [Completion.Candidate] {
        var group = SaveTool.command
        for word in operands {
            guard let next = group.command(word) else { return [] }
            group = next
        }
        let topics = operands.isEmpty ? HelpTopic.all.filter { !$0.isCommand } : []
        return group.sections.flatMap(\.commands).map { Completion.Candidate(text: $0.word, note: $0.summary) }
            + topics.map { Completion.Candidate(text: $0.name, note: $0.summary) }
    }

    // MARK: Addresses

    /// Returns the addresses in the first file that extend a partly typed address by one step.
    private func addresses(from word: String) -> [Completion.Candidate] {
        guard word.isEmpty || word.hasPrefix("/"), let file = view else { return [] }
        let parent = word.unicodeScalars.lastIndex(of: "/").map { String(word[..<$0]) } ?? ""
        guard let address = JSONPointer(parent), case .found(let found, let foundView) = file.find(address) else {
            return []
        }
        let save = try? foundView.nestedSave(in: found)
        let (view, id) = save.map { ($0.view, $0.view.root) } ?? (foundView, found)
        guard let container = view.container(id) else { return [] }
        let shown = ValueAbbreviator(of: view)
        var candidates: [Completion.Candidate] = []
        for position in 0..<container.contents.count {
            let item = view.item(position, of: container.contents)
            let step = view.step(PathStep(key: item.key, position: position))
            let text = parent + step.description
            // Skip steps that are shown with escapes: they cannot be typed.
            guard text.hasPrefix(word), JSONPointer(text) == address.appending(step) else { continue }
            let goesOn =
                (view.container(item.id)?.contents.count ?? 0) > 0 || (try? view.nestedSave(in: item.id)) != nil
            candidates.append(.init(text: text, note: shown.line(item.id), isPartial: goesOn))
            if candidates.count == 1000 { break }
        }
        if case .object = container.variant { candidates.append(.init(text: parent + "/$class", note: "the class")) }
        return candidates
    }

    /// The values of the first file, or nil if the file is missing, unreadable or too large.
    private var view: ObjectView? {
        guard let file = operands.first, file != "-" else { return nil }
        let home = invocation.environment["HOME"] ?? "~"
        let name = file.hasPrefix("~/") ? home + file.dropFirst() : file
        guard let status = try? FileSystem.status(invocation.path(name)), status.kind == .regular,
            status.size <= CompleteCommand.largestFile, let bytes = try? invocation.read(name)
        else { return nil }
        let format = given[Option.from.name].flatMap { Format(rawValue: $0) }
        let options = ReadOptions(
            format: format,
            layers: LayerOptions(
                decodes: given[Option.unwrap.name] != nil || given[Option.unwrapAt.name] != nil,
                headerSize: given[Option.unwrapAt.name].flatMap { Arguments.offset($0) },
                findsKeys: given[Option.unwrap.name] != nil),
            isRaw: given[Option.raw.name] != nil)
        return try? Save(bytes, options).view
    }
}

extension Completion.Candidate {
    /// Whether the text has no control characters. Shells read one candidate per line.
    fileprivate var isOnOneLine: Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
