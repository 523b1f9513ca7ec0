import KeyedArchives
import SaveCodec
import SaveOperations

/// An error in the arguments: what is wrong, and what to do about it.
struct UsageError: Error {
    /// The message without the suggestion.
    private let sentence: String
    /// The address that an argument would be with a slash at its start.
    private(set) var meant: Meant?

    init(_ sentence: String) {
        self.sentence = sentence
    }

    /// The message, with the suggestion.
    var message: String { sentence + Suggestion.sentence(meant?.pointer) }

    /// Returns the error with a suggestion.
    func meaning(_ meant: Meant?) -> UsageError {
        var error = self
        error.meant = meant
        return error
    }
}

extension UsageError {
    /// An address or pattern that may have been meant.
    enum Meant {
        case address(JSONPointer)
        case pattern(PointerPattern)

        var pointer: JSONPointer {
            switch self {
            case .address(let address): address
            case .pattern(let pattern): pattern.address
            }
        }

        /// Returns the closest address that exists among the values, or nil if none is close.
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

/// Errors that several commands report.
extension UsageError {
    static func unknownOption(_ word: String, suggestion: String?) -> UsageError {
        UsageError("there is no option \(quoted(word))" + advice(suggestion, help: "--help"))
    }

    static func badValue(_ text: String, _ option: Option, expected: String) -> UsageError {
        UsageError("\(option.shown) is \(quoted(text)); expected \(expected)")
    }

    /// Returns the error for a value that is not one of an option's names.
    static func badName(_ text: String, _ option: Option, names: [String]) -> UsageError {
        badValue(text, option, expected: list(names) + Suggestion.sentence(Suggestion.nearest(to: text, in: names)))
    }

    /// Returns the error for a format to be written that is read-only.
    static func readOnly(_ format: Format, _ option: Option) -> UsageError {
        UsageError("\(option.shown) is \(format.rawValue): \(Problem.readOnly(format).message)")
    }

    /// Returns the error for a missing option, with a reason that ends the sentence.
    static func missingOption(_ option: Option, because reason: String) -> UsageError {
        UsageError("\(option.shown) \(option.value ?? "") is missing: \(reason)")
    }

    static func conflict(_ a: Option, _ b: Option) -> UsageError {
        UsageError("\(a.shown) and \(b.shown) exclude each other")
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
    static func unfit(_ option: Option, operands: String) -> UsageError {
        UsageError("\(option.shown) cannot be used with \(operands)")
    }

    static let inputTwice = UsageError("standard input is named more than once")

    static func missingOperand(_ name: String) -> UsageError {
        UsageError("\(name) is missing; --help shows what belongs where")
    }

    /// Returns the error for too many operands, with the first extra one.
    static func extraOperand(_ word: String) -> UsageError {
        UsageError("\(quoted(word)) is one operand too many; --help shows what belongs where")
    }

    /// Returns the error for an invalid operand.
    static func badOperand(_ text: String, _ name: String, expected: String) -> UsageError {
        UsageError("\(name) is \(quoted(text)); expected \(expected)")
    }

    /// Returns the error for too few or too many operands.
    static func operandCount(_ count: Int, expected: String) -> UsageError {
        UsageError("\(Counted.of(count, "operand")) given; expected \(expected)")
    }

    /// Returns a list such as `a`, `a or b`, or `a, b or c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Returns advice about an unknown word.
    static func advice(_ suggestion: String?, help: String) -> String {
        suggestion == nil ? "; \(help) shows what there is" : Suggestion.sentence(suggestion)
    }

    static func quoted(_ word: String) -> String {
        let start = word.unicodeScalars.prefix(41)
        return "'" + FileName.shown(String(start.prefix(40))) + (start.count > 40 ? "…'" : "'")
    }
}
