import KeyedArchives
import SaveCodec

/// What a keyword demands of a value that needs no other schema to tell.
///
/// A new keyword is a case of ``Keyword`` and, in the file of its kind beside this one, a type like this, or an
/// ``Applicator``, and the line that compiles it.
protocol Assertion: Sendable {
    /// The keyword.
    var keyword: Keyword { get }
    /// Whether a value is as the keyword demands. One of another type than the keyword is for always is.
    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool
    /// What is expected, for a sentence.
    func expectation(in schema: Schema) -> String
    /// The sentence about a value that is not as it should be; by default what was found and what is expected.
    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String
    /// Adds the demand to a draft, if a quick check can make it; by default it cannot.
    func add(to draft: inout QuickDraft)
}

extension Assertion {
    func add(to draft: inout QuickDraft) { draft.isComplete = false }

    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        "found \(explanation.phrase(checked.subject)); expected \(expectation(in: explanation.schema))"
    }
}

/// A value or a name that is checked.
struct CheckedValue {
    let subject: Subject
    let value: JSONValue
}

/// `maxLength`, `minItems` and their kin: how many characters, elements or members there are.
struct CountLimit: Assertion {
    let keyword: Keyword
    let limit: Int

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        switch checked.value {
        case .scalar(.string(let text)): allows(text)
        case .scalar: true
        case .array(let contents): allows(elements: contents.count)
        case .object(let members): allows(members: members.count)
        }
    }

    func add(to draft: inout QuickDraft) { draft.counts.append(self) }

    /// Whether a string may have as many characters.
    func allows(_ text: JSONText) -> Bool {
        switch keyword {
        case .maxLength: text.length <= limit
        case .minLength: text.length >= limit
        default: true
        }
    }

    /// Whether an array may have as many elements.
    func allows(elements count: Int) -> Bool {
        switch keyword {
        case .maxItems: count <= limit
        case .minItems: count >= limit
        default: true
        }
    }

    /// Whether an object may have as many members.
    func allows(members count: Int) -> Bool {
        switch keyword {
        case .maxProperties: count <= limit
        case .minProperties: count >= limit
        default: true
        }
    }

    func expectation(in schema: Schema) -> String {
        switch keyword {
        case .maxLength, .maxItems, .maxProperties: "at most \(limit)"
        default: "at least \(limit)"
        }
    }

    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        var found = explanation.phrase(checked.subject)
        if case .scalar(.string(let text)) = checked.value { found += " of " + Phrase.count(text.length, "character") }
        return "found \(found); expected \(expectation(in: explanation.schema))"
    }
}

extension SchemaCompiler {
    /// Compiles keywords that limit counts.
    mutating func compileCounts(_ keywords: [Keyword], of source: SchemaSource) throws(Problem) {
        for keyword in keywords {
            if let limit = try count(keyword, source) {
                add(CountLimit(keyword: keyword, limit: limit), to: source.node)
            }
        }
    }
}

/// Names that mean something to a schema, each with what it means.
struct NameTable<Meaning: Sendable>: Sendable {
    /// The names in the order of the schema, by their numbers.
    let names: [Int32]
    private let meanings: [Meaning]
    private let positions: [Int32: Int]

    init(_ entries: [(name: Int32, meaning: Meaning)]) {
        names = entries.map(\.name)
        meanings = entries.map(\.meaning)
        positions = Dictionary(zip(names, 0...), uniquingKeysWith: { _, last in last })
    }

    /// How many names there are.
    var count: Int { names.count }

    /// The position of a name.
    func position(_ name: Int32) -> Int? {
        guard names.count > 8 else { return names.firstIndex(of: name) }
        return positions[name]
    }

    /// What a name means; nil for other names.
    func meaning(_ name: Int32) -> Meaning? {
        position(name).map { meanings[$0] }
    }

    /// What the name at a position means.
    subscript(position: Int) -> Meaning { meanings[position] }
}
