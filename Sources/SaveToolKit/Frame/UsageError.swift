import KeyedArchives
import SaveCodec
import SaveOperations

/// An error in the arguments: what is wrong and what to do about it, in one sentence.
struct UsageError: Error {
    /// The sentence without the suggestion and the usage.
    private let sentence: String
    /// The address or pattern that the user may have meant, such as `/name` for `name`; nil for none.
    private(set) var suggestion: AddressSuggestion?
    /// Whether the message ends with the usage of the command.
    private let showsUsage: Bool
    /// The usage of the command, once it is known.
    private var usage: String?

    init(_ sentence: String, showsUsage: Bool = false) {
        self.sentence = sentence
        self.showsUsage = showsUsage
    }

    /// The sentence with the suggestion and the usage.
    var message: String {
        sentence + Suggestion.sentence(suggestion?.pointer) + (usage.map { " (usage: \($0))" } ?? "")
    }

    /// Returns the error with a suggested address or pattern.
    func suggesting(_ suggestion: AddressSuggestion?) -> UsageError {
        var error = self
        error.suggestion = suggestion
        return error
    }

    /// Returns the error with the usage of a command, or unchanged if its message does not show the usage.
    func of(_ command: Command) -> UsageError {
        var error = self
        if showsUsage { error.usage = command.usage }
        return error
    }

    /// An address or pattern that may have been meant.
    enum AddressSuggestion {
        case address(JSONPointer)
        case pattern(PointerPattern)

        var pointer: JSONPointer {
            switch self {
            case .address(let address): address
            case .pattern(let pattern): pattern.address
            }
        }

        /// Returns the closest address that exists in the view, or nil if none is close. Returns a pattern unchanged if
        /// it matches a value.
        func nearest(in view: ObjectView) -> AddressSuggestion? {
            switch self {
            case .address(let address): return view.nearest(to: address).map { .address($0) }
            case .pattern(let pattern):
                if pattern.leadsSomewhere(in: view) { return self }
                return pattern.nearest(in: [view]).map { .address($0) }
            }
        }
    }
}

/// Errors that several commands report.
extension UsageError {
    static func unknownOption(_ word: String, of command: Command, suggestion: String?) -> UsageError {
        UsageError("unknown option \(quoted(word))" + advice(suggestion, for: command))
    }

    static func unknownCommand(_ word: String, of group: Command, suggestion: String?) -> UsageError {
        UsageError("unknown command \(quoted(word))" + advice(suggestion, for: group))
    }

    static func badValue(_ text: String, _ option: Option, expected: String) -> UsageError {
        UsageError("\(option.shown) is \(quoted(text)); expected \(expected)")
    }

    /// Returns the error for a value that is not one of an option's names.
    static func badName(_ text: String, _ option: Option, names: [String]) -> UsageError {
        let parts = names.filter { $0.split(separator: "-").contains { $0 == text } }
        let suggestion = Suggestion.nearest(to: text, in: names) ?? (parts.count == 1 ? parts[0] : nil)
        return badValue(text, option, expected: list(names) + Suggestion.sentence(suggestion))
    }

    /// Returns the error for a read-only format that is given as an output format.
    static func readOnly(_ format: Format, _ option: Option) -> UsageError {
        UsageError("\(option.shown) is \(format.rawValue): \(Problem.readOnly(format).message)")
    }

    /// Returns the error for a missing option, with a reason that ends the sentence.
    static func missingOption(_ option: Option, because reason: String) -> UsageError {
        UsageError("missing \(option.shown)\(option.value.map { " " + $0 } ?? ""): \(reason)")
    }

    static func conflict(_ a: Option, _ b: Option) -> UsageError {
        UsageError("\(a.shown) cannot be used with \(b.shown)")
    }

    /// Returns the error for an option that has an effect only with one of the others.
    static func needsOneOf(_ option: Option, _ others: [Option]) -> UsageError {
        UsageError("\(option.shown) has an effect only with \(list(others.map(\.shown)))")
    }

    /// Returns the error for an option that has an effect only with certain values of another one.
    static func onlyWith(_ option: Option, _ other: Option, values: [String]) -> UsageError {
        UsageError("\(option.shown) has an effect only with \(other.shown) \(list(values))")
    }

    /// Returns the error for an option that cannot be used with these operands.
    static func inapplicable(_ option: Option, operands: String) -> UsageError {
        UsageError("\(option.shown) cannot be used with \(operands)")
    }

    /// Returns the error for operands without a file that could be a save.
    static func nothing(to verb: String) -> UsageError {
        UsageError("nothing to \(verb): the named files and folders contain no save, property list or JSON")
    }

    static let inputTwice = UsageError("standard input (-) can be read only once")

    static func missingOperand(_ name: String) -> UsageError {
        UsageError("missing \(name)", showsUsage: true)
    }

    /// Returns the error for an operand after the last one that the command takes.
    static func extraOperand(_ word: String) -> UsageError {
        UsageError("unexpected operand \(quoted(word))", showsUsage: true)
    }

    /// Returns the error for an invalid operand.
    static func badOperand(_ text: String, _ name: String, expected: String) -> UsageError {
        UsageError("\(name) is \(quoted(text)); expected \(expected)")
    }

    /// Returns the error for too few or too many operands.
    static func operandCount(_ count: Int, expected: String) -> UsageError {
        UsageError("\(Phrase.count(count, "operand")) given; expected \(expected)")
    }

    /// Returns a list such as `a`, `a or b`, or `a, b or c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        // Every start lists the choices of options. This takes less time than a `joined` of a slice.
        return words[1..<words.count - 1].reduce(words[0]) { $0 + ", " + $1 } + " or " + last
    }

    /// Returns advice about an unknown word: a suggestion, or the help of a command.
    private static func advice(_ suggestion: String?, for command: Command) -> String {
        suggestion == nil ? "; see \(command.called) --help" : Suggestion.sentence(suggestion)
    }

    static func quoted(_ word: String) -> String {
        let start = word.unicodeScalars.prefix(41)
        return "'" + FileName.shown(String(start.prefix(40))) + (start.count > 40 ? "…'" : "'")
    }
}
