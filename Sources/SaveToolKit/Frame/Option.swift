/// One option of a command, from which its parsing, its line of help and the suggestion of its name are made.
struct Option: Sendable {
    /// The name behind `--`.
    let name: String
    /// The letter behind `-`, if there is one.
    let letter: Character?
    /// What the option's value is called in the help; nil for an option without value.
    let value: String?
    /// Whether the value is the name of a file or a folder, or a part of one: any bytes, see ``FileName``.
    let takesName: Bool
    /// What it does, in a line; a line break where the help is to have one.
    let help: String

    init(_ name: String, _ letter: Character? = nil, value: String? = nil, help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        takesName = false
        self.help = help
    }

    /// An option whose value is the name of a file or a folder, or a part of one.
    ///
    /// - Parameter value: what it is called in the help.
    init(_ name: String, _ letter: Character? = nil, name value: String, help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        takesName = true
        self.help = help
    }

    /// How messages speak of it.
    var shown: String { "--" + name }
}

extension Option {
    static let help = Option("help", "h", help: "show this help")
}
