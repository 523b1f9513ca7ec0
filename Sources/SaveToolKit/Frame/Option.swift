/// One option of a command, from which its parsing, its line of help, its completion and the suggestion of its name are
/// made.
struct Option: Sendable {
    /// The name behind `--`.
    let name: String
    /// The letter behind `-`, if there is one.
    let letter: Character?
    /// What the option's value is called in the help; nil for an option without value.
    let value: String?
    /// What the value is.
    let content: Content
    /// Whether the option may be given several times, each time with another value.
    let isRepeatable: Bool
    /// The value that the option has if it is given without one; nil if it has to have one.
    let impliedValue: String?
    /// The option and its value that this one is short for; nil for an option of its own.
    let alias: Alias?
    /// Under which heading the help has it.
    let purpose: Purpose
    /// What it does.
    let help: String
    /// Spellings of earlier versions, such as `--path` and `-p`, which are accepted but not shown.
    private(set) var formerSpellings: [String] = []

    /// What the value of an option is: what may stand there, and what completion offers.
    enum Content: Sendable, Equatable {
        case text
        /// One of these names.
        case choice([String])
        /// The name of a file, of any bytes, see ``FileName``.
        case file
        /// The name of a folder, likewise.
        case folder
        /// A part of a name, or a name behind something else.
        case partOfName
        /// An address in the first file, or a pattern of addresses.
        case address
    }

    /// An option with a value, by their names.
    struct Alias: Sendable {
        let name: String
        let value: String
    }

    /// What options are for, in the order in which the help has them.
    enum Purpose: String, CaseIterable {
        case match = "what is found"
        case value = "the value"
        case scores = "scores and tables"
        case view = "what is shown"
        case comparison = "what counts as different"
        case conflicts = "conflicts"
        case check = "what is checked"
        case result = "what is written"
        case destination = "where it is written"
        case input = "how files are read"
        case other = "other"
    }

    init(
        _ name: String, _ letter: Character? = nil, value: String? = nil, is content: Content = .text,
        isRepeatable: Bool = false, impliedValue: String? = nil, alias: Alias? = nil, for purpose: Purpose = .other,
        help: String
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.content = content
        self.isRepeatable = isRepeatable
        self.impliedValue = impliedValue
        self.alias = alias
        self.purpose = purpose
        self.help = help
    }

    /// An option whose value is the name of a file or a folder, or a part of one.
    ///
    /// - Parameter value: what it is called in the help.
    init(
        _ name: String, _ letter: Character? = nil, name value: String, is content: Content = .file,
        isRepeatable: Bool = false, for purpose: Purpose = .other, help: String
    ) {
        self.init(
            name, letter, value: value, is: content, isRepeatable: isRepeatable, for: purpose, help: help)
    }

    /// An option whose value is one of few, which the help lists.
    ///
    /// - Parameters:
    ///   - usual: what is taken where the option is not given; nil if the help says it otherwise.
    ///   - help: what stands before the list.
    ///   - suffix: what stands behind it.
    init<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ letter: Character? = nil, value: String, among choices: Choice.Type, usual: Choice? = nil,
        for purpose: Purpose = .other, help: String = "", _ suffix: String = ""
    ) where Choice.RawValue == String {
        let names = choices.allCases.map(\.rawValue)
        self.init(
            name, letter, value: value, is: .choice(names), for: purpose,
            help: help + UsageError.list(names) + (usual.map { " (\($0.rawValue))" } ?? "") + suffix)
    }

    /// An option that abbreviates another one with a value.
    init(
        _ name: String, _ letter: Character? = nil, standsFor other: (option: Option, value: String),
        for purpose: Purpose = .other
    ) {
        self.init(
            name, letter, alias: Alias(name: other.option.name, value: other.value), for: purpose,
            help: "the same as \(other.option.shown) \(other.value)")
    }

    /// Whether the value is the name of a file or a folder, or a part of one, and so any bytes.
    var takesName: Bool {
        switch content {
        case .file, .folder, .partOfName: true
        case .text, .choice, .address: false
        }
    }

    /// Returns the option with additional spellings from earlier versions.
    func formerly(_ spellings: String...) -> Option {
        var option = self
        option.formerSpellings = spellings
        return option
    }

    /// Whether a word such as `--output` or `-o` is the option, without its value.
    func isSpelled(_ word: String) -> Bool {
        word == shown || letter.map { "-\($0)" } == word || formerSpellings.contains(word)
    }

    /// How messages speak of it.
    var shown: String { "--" + name }

    /// The names that the value is one of; none for any other value.
    var choices: [String] {
        if case .choice(let names) = content { names } else { [] }
    }
}

extension Option {
    static let help = Option("help", "h", help: "show this help")
}
