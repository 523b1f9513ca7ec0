import SaveCodec
import SaveOperations

/// Arguments that make no sense. Every sentence about usage is made here.
enum UsageError: Error {
    /// There is no such command in a group; that of the tool has no name.
    case unknownCommand(String, group: String, suggestion: String?)
    case unknownOption(String, suggestion: String?)
    case missingValue(Option)
    case unexpectedValue(Option)
    case badValue(String, Option, expected: String)
    /// An option is missing, for a reason that ends the sentence.
    case missingOption(Option, because: String)
    case conflict(Option, Option)
    /// An option stands there twice, though only one can be obeyed.
    case repeated(Option)
    /// An option has no effect without one of others.
    case needsOneOf(Option, [Option])
    /// An option has no effect except with one of these values of another.
    case onlyWith(Option, Option, values: [String])
    /// An option makes no sense with this kind of operands.
    case unfit(Option, operands: String)
    /// Two files would be written to one place.
    case sameOutput(String, String, output: String)
    case overwritesInput(String, Option)
    /// No file is named, though standard input is not what is meant then.
    case noInput(Option)
    /// Folders and lists are named in which nothing is to be found.
    case nothingFound
    /// Standard input is to be read twice.
    case inputTwice
    /// An operand that a command needs is missing.
    case missingOperand(String)
    /// More operands than a command takes, of which this is the first.
    case extraOperand(String)
    /// An operand is not what its name says.
    case badOperand(String, String, expected: String)
    /// There are more or fewer operands than the command takes.
    case operandCount(Int, expected: String)
    /// An option has no effect without a variable of the environment, which is not there.
    case missingVariable(String, Option)

    /// What is wrong and what to do about it, as one sentence.
    var sentence: String {
        switch self {
        case .unknownCommand(let word, let group, let suggestion):
            "there is no command \(Self.quoted(group.isEmpty ? word : group + " " + word))"
                + Self.advice(suggestion, help: group.isEmpty ? "savetool --help" : "savetool \(group) --help")
        case .unknownOption(let word, let suggestion):
            "there is no option \(Self.quoted(word))" + Self.advice(suggestion.map { "--" + $0 }, help: "--help")
        case .missingValue(let option): "\(option.shown) needs a value: \(option.shown)=\(option.value ?? "")"
        case .unexpectedValue(let option): "\(option.shown) takes no value"
        case .badValue(let text, let option, let expected):
            "\(option.shown) is \(Self.quoted(text)); expected \(expected)"
        case .missingOption(let option, let reason): "\(option.shown) \(option.value ?? "") is missing: \(reason)"
        case .conflict(let a, let b): "\(a.shown) and \(b.shown) exclude each other"
        case .repeated(let option): "\(option.shown) is given more than once"
        case .needsOneOf(let option, let others):
            "\(option.shown) has an effect only with \(Self.list(others.map(\.shown)))"
        case .onlyWith(let option, let other, let values):
            "\(option.shown) has an effect only with \(other.shown) \(Self.list(values))"
        case .unfit(let option, let operands): "\(option.shown) cannot be used with \(operands)"
        case .sameOutput(let a, let b, let output):
            "\(SafeText.escaping(a)) and \(SafeText.escaping(b)) would both be written to \(SafeText.escaping(output))"
        case .overwritesInput(let name, let option):
            "\(SafeText.escaping(name)) would be overwritten with itself; that is what \(option.shown) is for"
        case .noInput(let option):
            "there is nothing to check; name files or folders, - for standard input, or \(option.shown) \(option.value ?? "")"
        case .nothingFound: "there is nothing to check: no save, property list or JSON is in what was named"
        case .missingOperand(let name): "\(name) is missing; --help shows what belongs where"
        case .extraOperand(let word): "\(Self.quoted(word)) is one operand too many; --help shows what belongs where"
        case .badOperand(let text, let name, let expected):
            "\(name) is \(Self.quoted(text)); expected \(expected)"
        case .operandCount(let count, let expected): "\(Counted.of(count, "operand")) given; expected \(expected)"
        case .missingVariable(let name, let option):
            "\(option.shown) needs \(name) in the environment, where web servers set it"
        case .inputTwice: "standard input is named more than once"
        }
    }

    /// `a`, `a or b`, `a, b or c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func advice(_ suggestion: String?, help: String) -> String {
        suggestion.map { "; did you mean \($0)?" } ?? "; \(help) shows what there is"
    }

    private static func quoted(_ word: String) -> String {
        let units = Array(word.utf16.prefix(41))
        return "'" + SafeText.escaping(units.prefix(40)) + (units.count > 40 ? "…'" : "'")
    }
}

/// Finds the name that somebody may have meant.
enum Suggestion {
    /// The one of `names` that alone begins with `word`, or else the nearest to it; nil if none is near.
    static func nearest(to word: String, in names: [String]) -> String? {
        let beginnings = names.filter { word.utf8.count > 1 && $0.hasPrefix(word) }
        if beginnings.count == 1 { return beginnings[0] }
        let distances = names.map { (name: $0, distance: EditDistance.between(word.utf16, $0.utf16)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.utf8.count / 3) ? best.name : nil
    }
}
