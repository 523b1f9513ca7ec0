import KeyedArchives
import SaveCodec
import SaveOperations

/// The value given to `set` and `insert`: typed JSON as an operand, or an option that states the type.
enum ValueOperand {
    /// A value that does not depend on the slot.
    case value(GivenValue)
    /// A word that is not JSON, whose meaning depends on the slot it is written to.
    case word(NonJSONText)
    /// The contents of a file: JSON, or the output of `get` for a scalar.
    case file([UInt8], name: String)

    static let options: [Option] = [
        .jsonFile, .string, .int, .real, .bool, .date, .data, .dataFile, .nullValue,
    ]

    /// Reads the operand after the address, or the option that replaces it.
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

    /// Whether the value that a slot gets depends only on the kind of the value in it. All containers are one kind.
    var dependsOnlyOnKind: Bool {
        switch self {
        case .value(let value): value.date == nil
        case .word: true
        case .file: false
        }
    }

    /// Returns the value for a slot of a save.
    func value(for surroundings: ValueSurroundings, in file: SaveFile) throws -> GivenValue {
        var value = try value(for: surroundings)
        value.base = file.save.base
        return value
    }

    private func value(for surroundings: ValueSurroundings) throws -> GivenValue {
        switch self {
        case .value(let value):
            // `defaults` and `plutil` spell a Boolean as a number.
            if let spelling = value.bareScalar?.spelling,
                let boolean = try Self.value(of: spelling, like: surroundings.present, in: surroundings)
            {
                return boolean
            }
            if let refusal = Self.refusal(of: value, in: surroundings) { throw refusal }
            if let text = Self.dateText(of: value, in: surroundings) { return try GivenValue(text: text) }
            return value
        case .file(let bytes, let name):
            return try Self.value(in: bytes, of: name, for: surroundings.present.flatMap(surroundings.view.scalar))
        case .word(let word):
            let model = surroundings.present ?? surroundings.neighbour
            if let value = try Self.value(of: word.text, like: model, in: surroundings) { return value }
            if let refusal = Self.refusal(of: word, in: surroundings) { throw refusal }
            return try GivenValue(text: word.text)
        }
    }

    /// The value in JSON, or `…` if it is long or in a file.
    var json: String {
        switch self {
        case .word(let word): String(decoding: JSONString.quoted(Array(word.text.utf16)), as: UTF8.self)
        case .value(let value): value.typedJSON.flatMap { $0.utf8.count > 160 ? nil : $0 } ?? "…"
        case .file: "…"
        }
    }

    /// Whether an option states the type.
    var isTyped: Bool { if case .value(let value) = self { value.isTyped } else { false } }

    /// Returns the option that gives a value of a kind; nil for none.
    static func option(for kind: ValueKind) -> Option? {
        switch kind {
        case .string: .string
        case .integer: .int
        case .real: .real
        case .boolean: .bool
        case .date: .date
        case .null, .data, .uid, .array, .set, .dictionary, .object: nil
        }
    }

    /// Whether the value is a file with exactly the output of `get` for the present scalar.
    func isPrinted(of present: Node?) -> Bool {
        guard case .file(let bytes, _) = self, let present else { return false }
        return (try? SingleValue.raw(present, isTerminal: false)) == bytes
    }

    // MARK: Words

    /// Returns the Boolean or date that a text spells, if the model is one; nil for any other model or text, and if the
    /// value may be of another type.
    private static func value(
        of text: String, like model: ViewID?, in surroundings: ValueSurroundings
    ) throws(Problem) -> GivenValue? {
        guard !surroundings.changesType, let model else { return nil }
        switch surroundings.view.scalar(model) {
        case .boolean:
            guard let value = boolean(text) else { return nil }
            return try GivenValue { $0.add(boolean: value) }
        case .date: return try date(text)
        default: return nil
        }
    }

    /// Returns the error for a word that does not fit; nil for a word that is accepted as a string, or as text that
    /// becomes a date, data, a geometry value, a UUID or a URL.
    private static func refusal(of word: NonJSONText, in surroundings: ValueSurroundings) -> UsageError? {
        let (text, isPresent) = (word.text, surroundings.present != nil)
        let invalid = word.likelyMeaning == .string ? nil : invalidJSON(word)
        guard let model = surroundings.present ?? surroundings.neighbour else { return invalid }
        func mismatch(_ expected: String, orString: Bool = false) -> UsageError {
            let like = isPresent ? ", like the present value" : ", like the neighbouring values"
            return .badOperand(text, "VALUE", expected: expected + like + (orString ? "; " + stringHint : ""))
        }
        let node = surroundings.view.scalar(model)
        if case .string = node { return isPresent || word.likelyMeaning != .brokenJSON ? nil : invalid }
        if surroundings.changesType { return invalid }
        switch node {
        case .boolean: return mismatch("true, false, yes or no")
        case .date: return mismatch("a date such as \(exampleDate)")
        case .data: return data(text) == nil ? mismatch("data in Base64") : nil
        case .integer, .real32, .real64: return invalid ?? mismatch("a number", orString: !isPresent)
        case nil where surroundings.view.isAnnotation(text, of: model): return nil
        case nil where surroundings.view.replaceableAnnotation(of: model) != nil && word.likelyMeaning != .literal:
            return mismatch("text such as \(surroundings.view.replaceableAnnotation(of: model) ?? "")")
        // The present value is of another kind, which `Draft` reports.
        case _ where isPresent: return invalid
        default: return invalid ?? mismatch("JSON", orString: true)
        }
    }

    /// Returns the error for a word that was perhaps not meant as a string.
    private static func invalidJSON(_ word: NonJSONText) -> UsageError {
        let advice =
            switch word.likelyMeaning {
            case .string, .nothing: "; " + stringHint
            case .brokenJSON: ": \(word.problem); " + stringHint
            case .number where ScalarText.completedDate(word.text) != nil:
                "; for a date use \(Option.date.shown) \(Shell.word(word.text) ?? word.text), \(stringHint)"
            case .number: ": \(word.problem.message); " + stringHint
            case .literal where boolean(word.text) != nil:
                "; for a Boolean use \(Option.bool.shown) \(word.text), \(stringHint)"
            case .literal: ", whose only literals are true, false and null; " + stringHint
            }
        return UsageError("\(UsageError.quoted(word.text)) is not valid JSON" + advice)
    }

    /// Returns the error for a number or Boolean without an option, if it would be the first one among the strings of an
    /// array or a set. In a format without numbers it becomes a string.
    private static func refusal(of value: GivenValue, in surroundings: ValueSurroundings) -> UsageError? {
        guard !surroundings.view.document.has(.textScalars), let (node, text) = value.bareScalar,
            let neighbour = surroundings.elementNeighbour,
            case .string = surroundings.view.scalar(neighbour)
        else { return nil }
        let explicit = option(for: node.kind).map { ", or \($0.shown)=\(text)" } ?? ""
        return UsageError(
            "\(UsageError.quoted(text)) is not a string like the neighbouring values; use "
                + "\(Option.string.shown)=\(text) for a string" + explicit)
    }

    /// Returns the text of a date for JSON without tags if the present value or another one in the container is such a
    /// text; nil for any other value.
    private static func dateText(of value: GivenValue, in surroundings: ValueSurroundings) -> String? {
        let view = surroundings.view
        guard value.isTyped, let seconds = value.date, !surroundings.changesType, view.document.asPlainJSON() != nil,
            surroundings.present.map(view.isDateText) ?? surroundings.container.map(view.hasDateTexts) ?? false
        else { return nil }
        return ScalarText.date(seconds)
    }

    private static let stringHint = "for a string use \(Option.string.shown)"

    private static let exampleDate = "2009-09-06T12:34:56Z"

    // MARK: JSON

    /// Returns the value in a file.
    private static func value(in bytes: [UInt8], of name: String, for present: Node?) throws -> GivenValue {
        do throws(Problem) {
            return try GivenValue(json: bytes)
        } catch {
            let word = String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
            if case .string = present, error.id != "json.tag", word.utf8.elementsEqual(bytes.prefix(word.utf8.count)) {
                return try GivenValue(text: word)
            }
            if case .date = present, let date = try date(word) { return date }
            let isEmpty = bytes.allSatisfy(\.isXMLSpace)
            let reason = isEmpty ? "the file is empty" : "\(error)"
            throw UsageError.badValue(name, .jsonFile, expected: "JSON, but \(reason)")
        }
    }

    private static func json(_ operand: String) throws -> ValueOperand {
        do throws(Problem) {
            return .value(try GivenValue(json: Array(operand.utf8)))
        } catch {
            // A malformed tag is still JSON.
            guard error.id != "json.tag" else {
                throw UsageError.badOperand(operand, "VALUE", expected: "JSON, but \(error)")
            }
            return .word(NonJSONText(operand, error))
        }
    }

    // MARK: Options

    private static func value(
        of option: Option, given text: String, _ invocation: Invocation
    ) throws -> GivenValue {
        switch option.name {
        case Option.string.name: return try GivenValue(text: text)
        case Option.int.name:
            guard let number = Int128(text) else { throw UsageError.badValue(text, option, expected: "an integer") }
            return try GivenValue(literal: text) { $0.add(integer: number) }
        case Option.real.name: return try real(text)
        case Option.bool.name:
            guard let value = boolean(text) else { throw UsageError.badName(text, option, names: option.choices) }
            return try GivenValue { $0.add(boolean: value) }
        case Option.date.name:
            if let date = try date(text) { return date }
            throw UsageError.badValue(text, option, expected: "a date such as \(exampleDate)")
        case Option.data.name:
            if let data = data(text) { return data }
            throw UsageError.badValue(text, option, expected: "Base64")
        case Option.dataFile.name:
            let bytes = try invocation.read(text)
            return try GivenValue { $0.add(data: bytes.span) }
        default: return try GivenValue { $0.addNull() }
        }
    }

    /// Returns the value of a word that `plutil` or `defaults` takes for a Boolean, in any case.
    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    private static func real(_ text: String) throws -> GivenValue {
        guard let number = Double(text), number.isFinite || text.lowercased().contains("n") else {
            throw UsageError.badValue(text, .real, expected: "a number, nan, inf or -inf")
        }
        return try GivenValue(literal: text) { $0.add(real64: number) }
    }

    private static func date(_ text: String) throws(Problem) -> GivenValue? {
        guard let seconds = ScalarText.completedDate(text).flatMap({ ScalarText.seconds(ofDate: $0.utf16) }) else {
            return nil
        }
        return try GivenValue { $0.add(date: seconds) }
    }

    /// Returns the data that a text represents in typed JSON, or nil.
    private static func data(_ text: String) -> GivenValue? {
        var json = JSONOutput(.compact)
        var output = ByteWriter()
        json.write(.object([("$data", .string(text))]), to: &output)
        return (try? JSON.readTyped(output.takeBytes())).map { GivenValue($0) }
    }
}

/// The present value of a slot and its neighbours. They decide how an operand that is not JSON, a word, is read when it
/// is stored in the slot.
struct ValueSurroundings {
    let view: ObjectView
    /// The value that is replaced; nil for a new slot, and for null, which has no type.
    let present: ViewID?
    /// One of the neighbours of a new slot if all of them are of one kind; otherwise nil.
    let neighbour: ViewID?
    /// The neighbour, if the new slot is in an array or a set.
    let elementNeighbour: ViewID?
    /// The container of a new slot.
    let container: ViewID?
    /// The kind of the other values of a dictionary with a new key, and their count, if it is probably a table.
    let siblings: (kind: ValueKind, count: Int)?
    /// Whether the new value may be of another type.
    let changesType: Bool

    init(_ slot: EditSlot, in view: ObjectView, present: ViewID? = nil, changesType: Bool = false) {
        self.view = view
        self.changesType = changesType
        self.present = present.flatMap { view.isNull($0) ? nil : $0 }
        let container = present == nil ? slot.path.containers.last : nil
        self.container = container
        siblings = slot.path.isNewMember ? container.flatMap(view.uniformTable) : nil
        neighbour = container.flatMap(view.uniformContent)
        elementNeighbour = container.map { view[$0].variant.isKeyed } == false ? neighbour : nil
    }
}

extension Option {
    static let jsonFile = Option(
        "json-file", name: "FILE",
        for: .value, help: "read the value as JSON from FILE")
    static let string = Option("string", value: "TEXT", for: .value, help: "set this string")
    fileprivate static let int = Option("int", value: "N", for: .value, help: "set this integer")
    fileprivate static let real = Option(
        "real", value: "X", for: .value, help: "set this real, or nan, inf or -inf")
    fileprivate static let bool = Option(
        "bool", value: "WORD", is: .choice(["true", "false"]), for: .value, help: "set true or false")
    fileprivate static let date = Option(
        "date", value: "DATE", for: .value, help: "set this date: 2009-09-06T12:34:56Z")
    fileprivate static let data = Option("data", value: "BASE64", for: .value, help: "set this data")
    static let dataFile = Option("data-file", name: "FILE", for: .value, help: "set the bytes of FILE as data")
    fileprivate static let nullValue = Option("null", for: .value, help: "set null")
}
