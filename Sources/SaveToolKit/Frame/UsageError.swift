import KeyedArchives
import SaveCodec
import SaveOperations

/// Arguments that make no sense: what is wrong and what to do about it, as one sentence.
struct UsageError: Error {
    /// The sentence without what may have been meant.
    private let sentence: String
    /// What an operand or option is if only the slash is missing that it should begin with.
    private(set) var meant: Meant?

    init(_ sentence: String) {
        self.sentence = sentence
    }

    /// The whole sentence, with what may have been meant.
    var message: String { sentence + Suggestion.sentence(meant?.pointer) }

    /// The error with what may have been meant.
    func meaning(_ meant: Meant?) -> UsageError {
        var error = self
        error.meant = meant
        return error
    }
}

extension UsageError {
    /// An address, or a pattern of addresses, that may have been meant.
    enum Meant {
        case address(JSONPointer)
        case pattern(PointerPattern)

        var pointer: JSONPointer {
            switch self {
            case .address(let address): address
            case .pattern(let pattern): pattern.address
            }
        }

        /// The nearest address that exists in a view; nil if none is near.
        func nearest(in view: ObjectView) -> Meant? {
            switch self {
            case .address(let address): return view.nearest(to: address).map { .address($0) }
            case .pattern(let pattern):
                if pattern.leadsSomewhere(in: view) { return self }
                return pattern.nearest(in: [view]).map { .address($0) }
            }
        }
    }
}

/// The sentences that several commands need.
extension UsageError {
    static func unknownOption(_ word: String, suggestion: String?) -> UsageError {
        UsageError("there is no option \(quoted(word))" + advice(suggestion, help: "--help"))
    }

    static func badValue(_ text: String, _ option: Option, expected: String) -> UsageError {
        UsageError("\(option.shown) is \(quoted(text)); expected \(expected)")
    }

    /// The value of an option is none of the names that it takes.
    static func badName(_ text: String, _ option: Option, names: [String]) -> UsageError {
        badValue(text, option, expected: list(names) + Suggestion.sentence(Suggestion.nearest(to: text, in: names)))
    }

    /// An option names a format that is to be written, and the format is read only.
    static func readOnly(_ format: Format, _ option: Option) -> UsageError {
        UsageError("\(option.shown) is \(format.rawValue): \(Problem.readOnly(format).message)")
    }

    /// An option is missing, for a reason that ends the sentence.
    static func missingOption(_ option: Option, because reason: String) -> UsageError {
        UsageError("\(option.shown) \(option.value ?? "") is missing: \(reason)")
    }

    static func conflict(_ a: Option, _ b: Option) -> UsageError {
        UsageError("\(a.shown) and \(b.shown) exclude each other")
    }

    /// An option has no effect without one of others.
    static func needsOneOf(_ option: Option, _ others: [Option]) -> UsageError {
        UsageError("\(option.shown) has an effect only with \(list(others.map(\.shown)))")
    }

    /// An option has no effect except with one of these values of another.
    static func onlyWith(_ option: Option, _ other: Option, values: [String]) -> UsageError {
        UsageError("\(option.shown) has an effect only with \(other.shown) \(list(values))")
    }

    /// An option makes no sense with this kind of operands.
    static func unfit(_ option: Option, operands: String) -> UsageError {
        UsageError("\(option.shown) cannot be used with \(operands)")
    }

    static let inputTwice = UsageError("standard input is named more than once")

    static func missingOperand(_ name: String) -> UsageError {
        UsageError("\(name) is missing; --help shows what belongs where")
    }

    /// More operands than a command takes, of which this is the first.
    static func extraOperand(_ word: String) -> UsageError {
        UsageError("\(quoted(word)) is one operand too many; --help shows what belongs where")
    }

    /// An operand is not what its name says.
    static func badOperand(_ text: String, _ name: String, expected: String) -> UsageError {
        UsageError("\(name) is \(quoted(text)); expected \(expected)")
    }

    /// There are more or fewer operands than the command takes.
    static func operandCount(_ count: Int, expected: String) -> UsageError {
        UsageError("\(Counted.of(count, "operand")) given; expected \(expected)")
    }

    /// `a`, `a or b`, `a, b or c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// What to do about a word that means nothing.
    static func advice(_ suggestion: String?, help: String) -> String {
        suggestion == nil ? "; \(help) shows what there is" : Suggestion.sentence(suggestion)
    }

    static func quoted(_ word: String) -> String {
        let start = word.unicodeScalars.prefix(41)
        return "'" + FileName.shown(String(start.prefix(40))) + (start.count > 40 ? "…'" : "'")
    }
}
