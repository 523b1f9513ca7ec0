/// An option of a command. It is the source for parsing, help, completion and suggestions.
struct Option: Sendable {
    /// The name after `--`.
    let name: String
    /// The letter after `-`, or nil.
    let letter: Character?
    /// The placeholder for the value in the help, or nil for an option without a value.
    let value: String?
    /// The kind of value.
    let content: Content
    /// Whether the option may be given several times, with different values.
    let isRepeatable: Bool
    /// The value of the option if it is given without one, or nil if it requires one.
    let impliedValue: String?
    /// The option and value that this option abbreviates, or nil.
    let alias: Alias?
    /// The group that lists the option in help.
    let purpose: Purpose
    /// The description in the help.
    let help: String
    /// Spellings of earlier versions, such as `--path` and `-p`, which are accepted but not shown.
    private(set) var formerSpellings: [String] = []

    /// The kind of value of an option, which decides what is valid and what completion offers.
    enum Content: Sendable, Equatable {
        case text
        /// One of the given names.
        case choice([String])
        /// The name of a file, which may have any bytes, see ``FileName``.
        case file
        /// The name of a folder, which may have any bytes.
        case folder
        /// A part of a name, or a value that ends with a name.
        case partOfName
        /// An address in the first file, or a pattern.
        case address
    }

    /// An option and its value, both by name.
    struct Alias: Sendable {
        let name: String
        let value: String
    }

    /// The groups of options, in the order in which a page of help lists them.
    enum Purpose: String, CaseIterable {
        case selection
        case value
        case scores = "scores and tables"
        case comparison
        case conflicts
        case checks
        case output
        case destination
        case input
        /// Options that mean the same in many commands. A short page leaves them to `help options`.
        case common = "common options"
    }

    init(
        _ name: String, _ letter: Character? = nil, value: String? = nil, is content: Content = .text,
        isRepeatable: Bool = false, impliedValue: String? = nil, alias: Alias? = nil, for purpose: Purpose,
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

    /// Creates an option whose value is the name of a file or folder, or a part of a name.
    ///
    /// - Parameter value: The placeholder in the help.
    init(
        _ name: String, _ letter: Character? = nil, name value: String, is content: Content = .file,
        isRepeatable: Bool = false, for purpose: Purpose, help: String
    ) {
        self.init(
            name, letter, value: value, is: content, isRepeatable: isRepeatable, for: purpose, help: help)
    }

    /// Creates an option whose value is one of a few names, which the help lists.
    ///
    /// - Parameters:
    ///   - usual: The value if the option is not given, for the help; nil if `help` or `suffix` states it.
    ///   - help: The text before the list.
    ///   - suffix: The text after the list.
    init<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ letter: Character? = nil, value: String, among choices: Choice.Type, usual: Choice? = nil,
        for purpose: Purpose, help: String = "", _ suffix: String = ""
    ) where Choice.RawValue == String {
        let names = choices.allCases.map(\.rawValue)
        self.init(
            name, letter, value: value, is: .choice(names), for: purpose,
            help: help + UsageError.list(names) + (usual.map { " (\($0.rawValue))" } ?? "") + suffix)
    }

    /// Creates an option that abbreviates another option and its value.
    init(
        _ name: String, _ letter: Character? = nil, standsFor other: (option: Option, value: String),
        for purpose: Purpose
    ) {
        self.init(
            name, letter, alias: Alias(name: other.option.name, value: other.value), for: purpose,
            help: "the same as \(other.option.shown) \(other.value)")
    }

    /// Whether the value is a name of a file or folder, or a part of one, and so may have any bytes.
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

    /// The option in messages.
    var shown: String { "--" + name }

    /// The accepted values of an option with a fixed set of values; empty for any other option.
    var choices: [String] {
        if case .choice(let names) = content { names } else { [] }
    }

    /// The options of every command.
    static let helpOptions: [Option] = [.help, .helpAll]

    static let help = Option("help", "h", for: .common, help: "show a short help page")
    static let helpAll = Option("help-all", for: .common, help: "show the help page with every option and detail")
}
