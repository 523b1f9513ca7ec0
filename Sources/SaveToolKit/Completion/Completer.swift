import KeyedArchives
import SaveCodec
import SaveOperations

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
