/// A page of the help about a command, a group of commands, or a topic, for the terminal and for `man`.
///
/// It is built from the same tables as the argument parser.
struct HelpPage {
    /// The command or topic, such as `scores add` or `addresses`; empty for the tool.
    let name: String
    let summary: String
    /// The usage line, or nil for a topic.
    let usage: String?
    let examples: [KeyValuePairs<String, String>.Element]
    let discussion: Prose
    /// The kind of entries in the groups: `options` or `commands`.
    let kind: String
    /// The options or commands by purpose.
    let groups: [Group]
    /// The exit statuses. A short page has them only for a command with a negative status, and without the usual
    /// meanings of 0 and 2.
    let exitStatus: [Prose.Entry]
    /// A sentence about further help, or nil.
    let hint: String?

    struct Group {
        let title: String
        let entries: [Prose.Entry]
        /// Whether only the terms are listed.
        var isBrief = false
    }

    /// The part of a page that is shown.
    enum Extent {
        /// Two screens at most: `--help`.
        case short
        /// With common options and special cases: `--help-all` and the manual page.
        case full
    }

    /// Creates the page of a command, or of a group of commands.
    init(_ command: Command, _ extent: Extent = .short) {
        let isFull = extent == .full
        name = command.name
        summary = command.summary
        examples = isFull ? Array(command.examples) : Array(command.examples.prefix(3))
        discussion = Prose(command.discussion + (isFull ? "\n\n" + command.details : ""))
        let answers = command.exitStatus.contains { $0.key == .negative }
        exitStatus = command.exitStatus.filter { isFull || answers && !Self.usualMeanings.contains($0.value) }
            .map { Prose.Entry(term: "\($0.key.rawValue)", explanation: $0.value) }
        switch command.action {
        case .run:
            usage = ([command.called, "[OPTIONS]"] + command.operands.map(\.usage)).joined(separator: " ")
            kind = "options"
            groups = Self.groups(of: command.allOptions.filter { isFull || $0.purpose != .common })
            hint = isFull ? nil : "More: savetool help options, --help-all."
        case .commands:
            usage = command.called + " COMMAND [OPTIONS] [FILE …]"
            kind = "commands"
            let sections = command.sections.map { section in
                Group(
                    title: section.title,
                    entries: section.commands.map { Prose.Entry(term: $0.word, explanation: $0.summary) },
                    isBrief: section.listing == .names && !isFull)
            }
            let isTool = command.name.isEmpty
            groups = isTool ? sections + [Self.topics] : sections
            hint =
                isTool
                ? "savetool FILE inspects a file. More: savetool COMMAND --help, savetool help TOPIC, --help-all."
                : "See also \(command.called) COMMAND --help."
        }
    }

    /// Creates the page of a topic.
    init(_ topic: HelpTopic) {
        name = topic.name
        summary = topic.summary
        usage = nil
        examples = Array(topic.examples)
        discussion = Prose(topic.text)
        kind = "options"
        groups = Self.groups(of: topic.options)
        exitStatus = []
        hint = nil
    }

    /// The meanings of the exit statuses 0 and 2 that a short page leaves to `help exit-codes`.
    private static let usualMeanings = ["done", "error"]

    private static func groups(of options: [Option]) -> [Group] {
        Option.Purpose.allCases.compactMap { purpose in
            let options = options.filter { $0.purpose == purpose }
            let entries = options.map { Prose.Entry(term: $0.synopsis, explanation: $0.help) }
            return entries.isEmpty ? nil : Group(title: purpose.rawValue, entries: entries)
        }
    }

    static let topicsTitle = "topics"

    private static let topics = Group(
        title: topicsTitle,
        entries: HelpTopic.all.map { Prose.Entry(term: $0.name, explanation: $0.summary) })
}

extension Option {
    /// The option in a list: `-o, --output FILE`, or `    --ignore PATTERN…` for an option that may be repeated.
    fileprivate var synopsis: String {
        let names = (letter.map { "-\($0), " } ?? "    ") + shown
        guard let value else { return names }
        return names + (impliedValue == nil ? " " + value : "[=\(value)]") + (isRepeatable ? "…" : "")
    }
}

// MARK: Prose

/// A text of the help, in parts: paragraphs, which are filled to the width of the page; lists of terms with
/// explanations; and verbatim text, such as an example in JSON.
///
/// In the source, empty lines separate the parts. An indented part is a list if each of its least indented lines has a
/// gap of at least two spaces before the explanation. Otherwise it is verbatim.
struct Prose {
    enum Part: Equatable {
        case paragraph(String)
        case list([Entry])
        case verbatim([String])
    }

    /// A term and its explanation.
    struct Entry: Equatable {
        let term: String
        let explanation: String
    }

    let parts: [Part]

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        parts = lines.split(whereSeparator: \.isEmpty).map { Self.part($0.map(String.init)) }
    }

    private static func part(_ lines: [String]) -> Part {
        let indentation = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        guard indentation > 0 else { return .paragraph(lines.joined(separator: " ")) }
        let lines = lines.map { String($0.dropFirst(indentation)) }
        return list(lines).map(Part.list) ?? .verbatim(lines)
    }

    /// Returns the entries of a list, or nil if a line neither is an entry nor continues one.
    private static func list(_ lines: [String]) -> [Entry]? {
        var entries: [Entry] = []
        for line in lines {
            if line.hasPrefix(" "), let last = entries.popLast() {
                let more = line.drop { $0 == " " }
                entries.append(Entry(term: last.term, explanation: last.explanation + " " + more))
            } else {
                guard let gap = line.indices.first(where: { line[$0...].hasPrefix("  ") }) else { return nil }
                let explanation = line[gap...].drop { $0 == " " }
                entries.append(Entry(term: String(line[..<gap]), explanation: String(explanation)))
            }
        }
        return entries
    }
}

/// Breaks text into lines at spaces.
enum WordWrap {
    /// Returns the lines of a text. None is longer than `width` unless a word is.
    static func lines(of text: String, width: Int) -> [String] {
        lines(of: text.split { $0 == " " || $0 == "\n" }.map(String.init), width: width)
    }

    /// Returns the lines of a shell command, without separating an option from its value.
    static func lines(ofCommand text: String, width: Int) -> [String] {
        var words: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            if let last = words.last, last.hasPrefix("-"), !last.contains(" "), !word.hasPrefix("-") {
                words[words.count - 1] += " " + word
            } else {
                words.append(word)
            }
        }
        return lines(of: words, width: width)
    }

    private static func lines(of words: [String], width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
