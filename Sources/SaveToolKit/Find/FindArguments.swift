import JSONSchema
import SaveCodec
import SaveInspection
import SaveOperations

/// The treatment of upper and lower case.
enum CaseSensitivity {
    case ignored
    case distinguished
    /// Case is distinguished if the text has a capital letter, as in ripgrep.
    case smart

    init(_ arguments: Arguments) throws(UsageError) {
        switch (arguments.has(.ignoreCase), arguments.has(.caseSensitive)) {
        case (true, true): throw .conflict(.ignoreCase, .caseSensitive)
        case (true, false): self = .ignored
        case (false, true): self = .distinguished
        case (false, false): self = .smart
        }
    }

    /// Returns a pattern that matches a text anywhere in a string.
    func pattern(_ text: String) -> TextPattern {
        let ignoresCase = self == .ignored || self == .smart && !CaseFolding.hasCapital(text)
        return TextPattern(Array(text.utf16), ignoresCase: ignoresCase)
    }

    /// Returns a pattern for a whole name. Case is distinguished unless `--ignore-case` is given.
    fileprivate func namePattern(_ name: String) -> TextPattern {
        TextPattern(Array(name.utf16), ignoresCase: self == .ignored)
    }

    /// Returns a pattern for the name of a class. Case is distinguished unless `--ignore-case` is given.
    fileprivate func classPattern(_ name: String) throws(UsageError) -> ClassPattern {
        do throws(GlobFault) {
            return try ClassPattern(name, ignoresCase: self == .ignored)
        } catch {
            throw .badValue(name, .class, expected: "the name of a class, but \(error.sentence)")
        }
    }
}

/// The search conditions in the options.
extension ValueQuery {
    static let options: [Option] = [.key, .value, .where, .class, .type, .regex, .text]

    init(_ arguments: Arguments, _ caseSensitivity: CaseSensitivity) throws(UsageError) {
        self.init()
        key = arguments.value(of: .key).map(caseSensitivity.namePattern)
        if let name = arguments.value(of: .class) { className = try caseSensitivity.classPattern(name) }
        if let text = arguments.value(of: .value) {
            value = try ComparisonOperand(text, ignoresCase: caseSensitivity == .ignored, of: .value)
        }
        if arguments.has(.type) { type = try arguments.choice(of: .type) }
        fields = try arguments.fieldConditions(ignoringCase: caseSensitivity == .ignored)
        for text in arguments.values(of: .text) { texts.append(.contains(caseSensitivity.pattern(text))) }
        for text in arguments.values(of: .regex) {
            let units = Array(text.utf16)
            texts.append(.matches(try ECMARegex(units, ignoresCase: caseSensitivity == .ignored, of: .regex)))
        }
    }
}

extension Arguments {
    /// Returns the conditions of `--where`.
    func fieldConditions(ignoringCase ignoresCase: Bool = false) throws(UsageError) -> [FieldCondition] {
        try values(of: .where).map { text throws(UsageError) in
            try FieldCondition(option: text, ignoresCase: ignoresCase)
        }
    }
}

extension FieldCondition {
    /// Parses `health<10`, `name == "Ada"`, `"a<b" != 5`, `name =~ ^A`.
    fileprivate init(option text: String, ignoresCase: Bool = false) throws(UsageError) {
        if let joined = JoinedConditions(text) { throw joined.error }
        let scalars = text.unicodeScalars
        guard let start = Self.signs(in: scalars) else {
            throw .condition(text, hint: "; quote the condition for the shell")
        }
        let field = try Self.field(String(scalars[..<start]).trimmed, of: text)
        if Self.isRegex(scalars[start...]) {
            let pattern = String(scalars[start...].dropFirst(2)).trimmed
            let units = Self.string(pattern) ?? Array(pattern.utf16)
            self.init(field, .matches(try ECMARegex(units, ignoresCase: ignoresCase, of: .where)))
            return
        }
        let signs = Self.run(of: scalars[start...])
        guard let op = Operator(rawValue: signs) else {
            let suggestion = Self.withMeantOperator(text)
            let hint = suggestion == text ? "; quote a value that begins with such a sign" : nil
            throw .condition(text, hint: hint ?? Suggestion.sentence(FileName.shown(suggestion)))
        }
        let value = String(scalars[start...].dropFirst(signs.unicodeScalars.count)).trimmed
        guard !value.isEmpty else {
            throw .condition(text, hint: "; the value is missing; write \"\" for an empty string")
        }
        if let content = Self.contentInSingleQuotes(value) {
            let suggestion = "\(String(scalars[..<start]))\(signs)\"\(content)\""
            throw .condition(text, hint: Suggestion.sentence(FileName.shown(suggestion)))
        }
        self.init(field, .compares(op, try ComparisonOperand(value, ignoresCase: ignoresCase, of: .where)))
    }

    /// Returns the text as `--where` options, with the operator that was meant, or nil if it is not a condition.
    static func advice(_ text: String) -> String? {
        if let joined = JoinedConditions(text) { return joined.advice }
        let condition = withMeantOperator(text)
        guard (try? Self(option: condition)) != nil else { return nil }
        return "\(Option.where.shown) \(Shell.word(condition) ?? FileName.shown(condition))"
    }

    /// Operators of other languages.
    private static let foreignOperators = [
        "=": "==", "===": "==", "!==": "!=", "=!": "!=", "<>": "!=", "=>": ">=", "=<": "<=", ">>": ">", "<<": "<",
    ]

    /// Returns the condition with the operator that was meant: `==` for the `=` of `type=3`.
    fileprivate static func withMeantOperator(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = signs(in: scalars), !isRegex(scalars[start...]), case let signs = run(of: scalars[start...]),
            let meant = foreignOperators[signs]
        else { return text }
        return String(scalars[..<start]) + meant + String(scalars[start...].dropFirst(signs.unicodeScalars.count))
    }

    private static func isRegex(_ rest: Substring.UnicodeScalarView) -> Bool {
        rest.prefix(2).elementsEqual("=~".unicodeScalars)
    }

    /// Returns the signs at the beginning of a text.
    private static func run(of rest: Substring.UnicodeScalarView) -> String {
        String(rest.prefix { "=!<>".unicodeScalars.contains($0) })
    }

    /// Returns the content of a value in the quotation marks of SQL, or nil. JSON has no such strings.
    private static func contentInSingleQuotes(_ value: String) -> Substring? {
        value.count > 1 && value.hasPrefix("'") && value.hasSuffix("'") ? value.dropFirst().dropLast() : nil
    }

    /// Returns the index of the operator's first character; nil without an operator. A quoted field may contain such
    /// characters.
    static func signs(in text: String.UnicodeScalarView) -> String.Index? {
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            switch text[index] {
            case "\"" where !isEscaped && (isQuoted || String(text[..<index]).trimmed.isEmpty): isQuoted.toggle()
            case "=", "!", "<", ">": if !isQuoted { return index }
            default: break
            }
            isEscaped = isQuoted && !isEscaped && text[index] == "\\"
        }
        return nil
    }

    private static func field(_ text: String, of condition: String) throws(UsageError) -> [UInt16] {
        guard text.hasPrefix("\"") else {
            guard !text.isEmpty else { throw .condition(condition) }
            return Array(text.utf16)
        }
        guard let units = string(text) else { throw .condition(condition) }
        return units
    }

    /// Returns the contents of a JSON string, or nil for other text.
    static func string(_ text: String) -> [UInt16]? {
        guard text.hasPrefix("\""), let document = try? JSON.readTyped(Array(text.utf8)),
            case .string(let string) = document[document.root]
        else { return nil }
        return Array(string)
    }
}

extension String {
    /// The text without spaces at its ends.
    var trimmed: String { String(trimming { $0 == " " }) }
}

extension UsageError {
    fileprivate static func condition(_ text: String, hint: String = "") -> UsageError {
        .badValue(
            text, .where,
            expected: "a field, one of == != < <= > >= =~, and a value, such as health<10 or name==Ada" + hint)
    }
}

extension ComparisonOperand {
    init(_ text: String, ignoresCase: Bool, of option: Option) throws(UsageError) {
        do throws(Problem) {
            try self.init(text, ignoresCase: ignoresCase)
        } catch {
            throw .badValue(text, option, expected: "a single value, as JSON or a word (\(error.message))")
        }
    }
}

extension ECMARegex {
    init(_ units: [UInt16], ignoresCase: Bool = false, of option: Option) throws(UsageError) {
        do throws(RegexSyntaxError) {
            try self.init(units, ignoresCase: ignoresCase)
        } catch {
            throw .badValue(
                String(decoding: units, as: UTF16.self), option,
                expected: "a regular expression; at \(error.position): \(error.sentence)")
        }
    }
}

extension FileSearch.OutputFormat {
    /// The output formats of `--format`.
    private enum Name: String, CaseIterable {
        case text, json, ndjson
    }

    static let format = Option("format", "f", value: "FORMAT", among: Name.self, usual: .text, for: .output)

    init(_ arguments: Arguments) throws(UsageError) {
        let short = [Option.filesWithMatches, .count, .onlyStatus].filter(arguments.has)
        if short.count > 1 { throw .conflict(short[0], short[1]) }
        let name: Name = try arguments.choice(of: Self.format) ?? .text
        if name != .text, let option = short.first {
            throw .onlyWith(option, Self.format, values: [Name.text.rawValue])
        }
        self =
            switch name {
            case .json: .json
            case .ndjson: .ndjson
            case .text:
                switch short.first?.name {
                case nil: .lines
                case Option.count.name: .counts
                case Option.onlyStatus.name: .nothing
                default: .names
                }
            }
    }
}

extension Option {
    static let key = Option(
        "key", "k", value: "NAME", for: .selection, help: "find values under this key or in this field")
    static let value = Option("value", value: "VALUE", for: .selection, help: "find values equal to VALUE")
    static let `where` = Option(
        "where", "w", value: "CONDITION", isRepeatable: true, for: .selection,
        help: "match objects by a field: health<10")
    static let `class` = Option(
        "class", value: "NAME", for: .selection, help: "find objects of a class, subclass or entity")
    static let type = Option("type", "t", value: "TYPE", among: ValueKind.self, for: .selection)
    static let regex = Option(
        "regex", "e", value: "REGEX", isRepeatable: true, for: .selection,
        help: "find strings, and values of keys, that match REGEX")
    static let text = Option(
        "text", value: "TEXT", isRepeatable: true, for: .selection, help: "find strings that contain TEXT")
    static let ignoreCase = Option(
        "ignore-case", "i", for: .selection, help: "always ignore case")
    static let caseSensitive = Option(
        "case-sensitive", "s", for: .selection, help: "never ignore case")
    static let filesWithMatches = Option(
        "files-with-matches", "l", for: .output, help: "only list files with matches")
    static let count = Option(
        "count", "c", for: .output, help: "only count the matches in each file")
}

// MARK: Joined conditions

/// Two conditions in the value of one `--where`, joined as in other languages:
///
///     health<10 and type==3      a condition follows the word
///     health<10 or 20            a number precedes the word, so it cannot be part of a string
///     name == Salt and Pepper    one condition, whose value is a string
private struct JoinedConditions {
    fileprivate enum Connective: String, CaseIterable {
        case and, or
        case twoAmpersands = "&&"
        case twoBars = "||"

        /// Whether the connective can be part of an unquoted string.
        var isWord: Bool { self == .and || self == .or }
        var meansAll: Bool { self == .and || self == .twoAmpersands }
    }

    private let text: String
    private let connective: Connective
    private let first: Half
    private let second: String
    /// Whether the connective may be part of a name or a string.
    private let isAmbiguous: Bool

    /// The part before a connective: a field and an operator, and the value after them.
    private struct Half {
        let text: String
        private let valueStart: String.Index
        let isRegex: Bool

        /// Returns nil for a text without an operator.
        init?(_ text: String) {
            let text = FieldCondition.withMeantOperator(text)
            guard let start = FieldCondition.signs(in: text.unicodeScalars) else { return nil }
            let signs = text.unicodeScalars[start...].prefix { "=!<>~".unicodeScalars.contains($0) }
            self.text = text
            isRegex = signs.elementsEqual("=~".unicodeScalars)
            valueStart = text.unicodeScalars[signs.endIndex...].firstIndex { $0 != " " } ?? text.endIndex
        }

        /// Whether the value is an unquoted string, to which the word may belong.
        var hasPlainString: Bool {
            let value = String(text[valueStart...])
            guard FieldCondition.string(value) == nil else { return false }
            return (try? ComparisonOperand(value))?.isString ?? false
        }

        /// Returns the condition with another value.
        func with(value: String) -> String { text[..<valueStart] + value }
    }

    /// Returns nil for a text that is a single condition.
    init?(_ text: String) {
        for (connective, before, after) in Self.connectives(in: text) {
            guard !before.isEmpty, !after.isEmpty else { continue }
            let isSecond = Self.isCondition(after)
            // If no operator precedes it, the connective is part of a field's name.
            guard let first = Half(before) ?? (isSecond ? Half(before + "==true") : nil) else { continue }
            let isMeantAsOne = first.isRegex || connective.isWord && first.hasPlainString
            guard isSecond || !isMeantAsOne else { continue }
            (self.text, self.connective, self.first) = (text, connective, first)
            second = isSecond ? FieldCondition.withMeantOperator(after) : first.with(value: after)
            isAmbiguous = connective.isWord && (Half(before)?.hasPlainString ?? true)
            return
        }
        return nil
    }

    /// Returns the connectives outside quotation marks, and the text on both sides of each.
    private static func connectives(in text: String) -> [(Connective, before: String, after: String)] {
        let scalars = Array(text.unicodeScalars)
        var found: [(Connective, before: String, after: String)] = []
        var isQuoted = false
        var isEscaped = false
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && scalar == "\\"
            guard !isQuoted, let connective = Connective.allCases.first(where: { $0.isPresent(at: index, of: scalars) })
            else {
                continue
            }
            let end = index + connective.rawValue.unicodeScalars.count
            found.append((connective, Self.text(scalars[..<index]), Self.text(scalars[end...])))
        }
        return found
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text).trimmed
    }

    /// Whether a text begins with a field, quoted if it contains spaces, and an operator.
    private static func isCondition(_ text: String) -> Bool {
        guard let start = FieldCondition.signs(in: text.unicodeScalars) else { return false }
        let field = String(text[..<start]).trimmed
        return !field.isEmpty && (field.hasPrefix("\"") || !field.unicodeScalars.contains(" "))
    }

    /// The error for a joined condition, with advice on how to write it.
    var error: UsageError {
        UsageError(
            "\(Option.where.shown) \(UsageError.quoted(text)) joins conditions with '\(connective.rawValue)'; \(advice)"
        )
    }

    /// The conditions as options.
    var advice: String {
        let options = [first.text, second].map { "\(Option.where.shown) \(Shell.word($0) ?? FileName.shown($0))" }
        let advice =
            connective.meansAll
            ? "if all must hold, repeat the option: \(options[0]) \(options[1])"
            : "if one of them is enough, run the command once with each: \(options[0]), then \(options[1])"
        let quotation =
            isAmbiguous ? "; quote a field or a string that contains '\(connective.rawValue)'" : ""
        return advice + quotation
    }
}

extension JoinedConditions.Connective {
    fileprivate func isPresent(at index: Int, of scalars: [Unicode.Scalar]) -> Bool {
        let signs = Array(rawValue.unicodeScalars)
        let end = index + signs.count
        guard end <= scalars.count else { return false }
        guard isWord else { return scalars[index..<end].elementsEqual(signs) }
        // Words match in any case, with spaces around them.
        return index > 0 && scalars[index - 1] == " " && end < scalars.count && scalars[end] == " "
            && zip(scalars[index..<end], signs).allSatisfy { $0.value | 0x20 == $1.value }
    }
}
