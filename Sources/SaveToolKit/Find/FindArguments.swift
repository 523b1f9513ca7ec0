import JSONSchema
import SaveCodec
import SaveOperations

/// What options say of the values that are looked for.
extension ValueQuery {
    static let options: [Option] = [.key, .value, .where, .class, .type, .regex, .text]

    init(_ arguments: Arguments) throws(UsageError) {
        self.init()
        key = try arguments.onlyValue(of: .key).map { Array($0.utf16) }
        className = try arguments.onlyValue(of: .class).map { Array($0.utf16) }
        if let text = try arguments.onlyValue(of: .value) { value = try ComparedValue(text, of: .value) }
        if arguments.has(.type) {
            _ = try arguments.onlyValue(of: .type)
            type = try arguments.choice(of: .type)
        }
        fields = try arguments.fieldConditions()
        for text in arguments.values(of: .text) { texts.append(.contains(Array(text.utf16))) }
        for text in arguments.values(of: .regex) {
            texts.append(.matches(try ECMARegex(Array(text.utf16), of: .regex)))
        }
    }
}

extension Arguments {
    /// What fields must be, as `--where` says it.
    func fieldConditions() throws(UsageError) -> [FieldCondition] {
        var conditions: [FieldCondition] = []
        for text in values(of: .where) { conditions.append(try FieldCondition(option: text)) }
        return conditions
    }
}

extension FieldCondition {
    /// `health<10`, `name == "Ada"`, `"a<b" != 5`, `name =~ ^A`.
    fileprivate init(option text: String) throws(UsageError) {
        let scalars = text.unicodeScalars
        guard let start = Self.signs(in: scalars) else {
            throw .condition(text, hint: ", in quotation marks for the shell")
        }
        let signs = String(scalars[start...].prefix(2))
        let field = try Self.field(String(scalars[..<start]).trimmed, of: text)
        if signs == "=~" {
            let pattern = String(scalars[start...].dropFirst(2)).trimmed
            self.init(field, .matches(try ECMARegex(Self.string(pattern) ?? Array(pattern.utf16), of: .where)))
            return
        }
        guard let op = Operator.allCases.first(where: { signs.hasPrefix($0.rawValue) }) else {
            let meant = scalars[start] == "=" ? String(scalars[..<start]) + "=" + String(scalars[start...]) : nil
            throw .condition(text, hint: Suggestion.sentence(meant.map { FileName.shown($0) }))
        }
        let value = String(scalars[start...].dropFirst(op.rawValue.count)).trimmed
        self.init(field, .compares(op, try ComparedValue(value, of: .where)))
    }

    /// Where the operator begins: the first of its signs behind the field.
    private static func signs(in text: String.UnicodeScalarView) -> String.Index? {
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

    /// The contents of a JSON string; nil for other text.
    private static func string(_ text: String) -> [UInt16]? {
        guard text.hasPrefix("\""), let document = try? JSON.read(Array(text.utf8)),
            case .string(let string) = document[document.root]
        else { return nil }
        return Array(string)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(Substring(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
    }
}

extension UsageError {
    fileprivate static func condition(_ text: String, hint: String = "") -> UsageError {
        .badValue(
            text, .where,
            expected: "a field, one of == != < <= > >= =~, and a value, such as health<10 or name==Ada" + hint)
    }
}

extension ComparedValue {
    init(_ text: String, of option: Option) throws(UsageError) {
        do throws(Problem) {
            try self.init(text)
        } catch {
            throw .badValue(text, option, expected: "a single value, as JSON or a word, but \(error.message)")
        }
    }
}

extension ECMARegex {
    init(_ units: [UInt16], of option: Option) throws(UsageError) {
        do throws(RegexFault) {
            try self.init(units)
        } catch {
            throw .badValue(
                String(decoding: units, as: UTF16.self), option,
                expected: "a regular expression; at \(error.position): \(error.sentence)")
        }
    }
}

extension FileSearch.Form {
    /// The forms that have names.
    private enum Name: String, CaseIterable {
        case text, json, ndjson
    }

    static let format = Option("format", "f", value: "FORMAT", among: Name.self, usual: .text, for: .view)

    init(_ arguments: Arguments) throws(UsageError) {
        let short = [Option.filesWithMatches, .count].filter(arguments.has)
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
                short.first.map { $0.name == Option.count.name ? .counts : .names } ?? .lines
            }
    }
}

extension Option {
    static let key = Option("key", "k", value: "NAME", for: .match, help: "what stands under this key or field")
    static let value = Option("value", value: "VALUE", for: .match, help: "what is equal to this")
    static let `where` = Option(
        "where", "w", value: "CONDITION", for: .match,
        help: "objects and dictionaries with such a field: health<10; may be repeated")
    static let `class` = Option(
        "class", value: "NAME", for: .match,
        help: "objects of this class, and of classes derived from it; of Core Data's entities likewise")
    static let type = Option("type", "t", value: "TYPE", among: ValueType.self, for: .match)
    static let regex = Option(
        "regex", "e", value: "REGEX", for: .match,
        help: "strings, and what stands under keys, in which REGEX has a match; may be repeated")
    static let text = Option("text", value: "TEXT", for: .match, help: "strings with TEXT in them; may be repeated")
    static let filesWithMatches = Option(
        "files-with-matches", "l", for: .view, help: "only name the files in which something is found")
    static let count = Option(
        "count", "c", for: .view, help: "only tell how much is found in each file where anything is")
}
