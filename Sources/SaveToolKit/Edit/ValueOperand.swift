import KeyedArchives
import SaveCodec
import SaveOperations

/// The value that `set` and `insert` are given: typed JSON as an operand, or the value of an option that says its type.
enum ValueOperand {
    /// A value, whatever stands where it goes.
    case value(GivenValue)
    /// A word that is no JSON, for a reason, and so is a string where one stands, or a date.
    case word(String, Problem)
    /// What a file holds: JSON, or what `get` prints of a scalar without an option.
    case file([UInt8], name: String)

    static let options: [Option] = [
        .jsonFile, .string, .int, .real, .bool, .date, .data, .dataFile, .nullValue,
    ]

    /// The value that the operand behind the address is, or the option in its place.
    init(_ operand: String?, from arguments: Arguments, _ invocation: Invocation) throws {
        let given = Self.options.filter(arguments.has)
        guard given.count < 2 else { throw UsageError.conflict(given[0], given[1]) }
        guard let option = given.first else {
            guard let operand else { throw UsageError.missingOperand("VALUE") }
            self = try Self.json(operand)
            return
        }
        if let operand { throw UsageError.extraOperand(operand) }
        if option.name == Option.jsonFile.name, let name = arguments.value(of: option) {
            self = .file(try invocation.read(name), name: name)
            return
        }
        var value = try Self.value(of: option, given: arguments.value(of: option) ?? "", invocation)
        value.isTyped = true
        self = .value(value)
    }

    /// The value for a place of a save, where a string or a date may stand, or beside it.
    func value(for present: @autoclosure () -> Node?, in file: SaveFile) throws -> GivenValue {
        var value = try value(for: present())
        value.base = file.base
        return value
    }

    private func value(for present: @autoclosure () -> Node?) throws -> GivenValue {
        switch self {
        case .value(let value): return value
        case .file(let bytes, let name): return try Self.value(in: bytes, of: name, for: present())
        case .word(let word, let problem):
            let present = present()
            if case .string = present { return try Self.string(word) }
            if case .date = present, let date = try Self.date(word) { return date }
            throw UsageError.badOperand(word, "VALUE", expected: Self.expected(word, for: present, problem))
        }
    }

    /// Whether the value is what `get` prints of a scalar that is there.
    func isPrinted(of present: Node?) -> Bool {
        guard case .file(let bytes, _) = self, let present else { return false }
        return (try? SingleValue.raw(present, isTerminal: false)) == bytes
    }

    /// What stands where a word was given that is none.
    private static func expected(_ word: String, for present: Node?, _ problem: Problem) -> String {
        switch present {
        case .boolean: "true or false, as a boolean stands there"
        case .date: "a date with its time, such as \(example(word))"
        case _ where word.utf8.first.map("-0123456789".utf8.contains) ?? false: "JSON, but \(problem.message)"
        case .integer, .real32, .real64: "a number, as one stands there; " + stringHint
        default: "JSON; " + stringHint
        }
    }

    private static let stringHint = "a string is given by \(Option.string.shown)"

    /// A date with its time: the one that was given, if it lacks nothing else.
    private static func example(_ word: String) -> String {
        PartialDate(word)?.completed ?? "2009-09-06T12:34:56Z"
    }

    // MARK: JSON

    /// The value in a file.
    private static func value(in bytes: [UInt8], of name: String, for present: Node?) throws -> GivenValue {
        do throws(Problem) {
            return try GivenValue(json: bytes)
        } catch {
            let word = String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
            if case .string = present, error.id != "json.tag", word.utf8.elementsEqual(bytes.prefix(word.utf8.count)) {
                return try string(word)
            }
            if case .date = present, let date = try date(word) { return date }
            let isEmpty = bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let reason = isEmpty ? "nothing is in it" : "\(error)"
            throw UsageError.badValue(name, .jsonFile, expected: "JSON, but \(reason)")
        }
    }

    private static func json(_ operand: String) throws -> ValueOperand {
        do throws(Problem) {
            return .value(try GivenValue(json: Array(operand.utf8)))
        } catch {
            guard let first = operand.utf8.first, "{[\"".utf8.contains(first) else { return .word(operand, error) }
            throw UsageError.badOperand(operand, "VALUE", expected: "JSON, but \(error)")
        }
    }

    // MARK: Options

    private static func value(
        of option: Option, given text: String, _ invocation: Invocation
    ) throws -> GivenValue {
        switch option.name {
        case Option.string.name: return try string(text)
        case Option.int.name:
            guard let number = Int128(text) else { throw UsageError.badValue(text, option, expected: "a whole number") }
            return try GivenValue(literal: text) { $0.add(integer: number) }
        case Option.real.name: return try real(text)
        case Option.bool.name:
            guard let value = Bool(text) else { throw UsageError.badName(text, option, names: option.choices) }
            return try GivenValue { $0.add(boolean: value) }
        case Option.date.name:
            if let date = try date(text) { return date }
            throw UsageError.badValue(text, option, expected: "a date such as \(example(text))")
        case Option.data.name:
            if let data = data(text) { return data }
            throw UsageError.badValue(text, option, expected: "base64")
        case Option.dataFile.name:
            let bytes = try invocation.read(text)
            return try GivenValue { $0.add(data: bytes.span) }
        default: return try GivenValue { $0.addNull() }
        }
    }

    private static func string(_ text: String) throws(Problem) -> GivenValue {
        try GivenValue { $0.add(string: text) }
    }

    private static func real(_ text: String) throws -> GivenValue {
        guard let number = Double(text), number.isFinite || text.lowercased().contains("n") else {
            throw UsageError.badValue(text, .real, expected: "a number, nan, inf or -inf")
        }
        return try GivenValue(literal: text) { $0.add(real64: number) }
    }

    private static func date(_ text: String) throws(Problem) -> GivenValue? {
        guard let seconds = ScalarText.seconds(ofDate: text.utf16) else { return nil }
        return try GivenValue { $0.add(date: seconds) }
    }

    /// Data that typed JSON writes as this text.
    private static func data(_ text: String) -> GivenValue? {
        var json = JSONOutput(.compact)
        var output = ByteWriter()
        json.write(.object([("$data", .string(text))]), to: &output)
        return (try? JSON.read(output.takeBytes())).map { GivenValue($0) }
    }
}

extension Option {
    static let jsonFile = Option(
        "json-file", name: "FILE",
        for: .value,
        help: "the value is the JSON in FILE, such as get prints with --format json or typed; - for standard input")
    static let string = Option("string", value: "TEXT", for: .value, help: "the value is this string")
    fileprivate static let int = Option("int", value: "N", for: .value, help: "the value is this integer")
    fileprivate static let real = Option(
        "real", value: "X", for: .value, help: "the value is this real number, nan, inf or -inf")
    fileprivate static let bool = Option(
        "bool", value: "WORD", is: .choice(["true", "false"]), for: .value, help: "the value is true or false")
    fileprivate static let date = Option(
        "date", value: "DATE", for: .value, help: "the value is this date: 2009-09-06T12:34:56Z")
    fileprivate static let data = Option("data", value: "BASE64", for: .value, help: "the value is this data")
    static let dataFile = Option("data-file", name: "FILE", for: .value, help: "the value is data: the bytes of FILE")
    fileprivate static let nullValue = Option("null", for: .value, help: "the value is null")
}
