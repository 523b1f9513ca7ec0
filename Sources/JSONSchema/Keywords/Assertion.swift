import KeyedArchives
import SaveCodec

/// A keyword that checks a value without applying other schemas.
///
/// To add a keyword, add a case to ``Keyword``. Then add a type that conforms to this protocol or to ``Applicator``,
/// and the line that compiles it, in the file for keywords of its kind.
protocol Assertion: Sendable {
    var keyword: Keyword { get }
    /// Whether a value satisfies the keyword. A keyword of the standard accepts all values of types that it does not
    /// apply to.
    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool
    /// Returns the expected value, for a message.
    func expectation(in schema: Schema) -> String
    /// Returns the message about a value that violates the keyword. The default states the found and the expected
    /// value.
    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String
    /// Adds the keyword to the keywords of a quick check. The default marks them as incomplete.
    func add(to keywords: inout QuickKeywords)
}

extension Assertion {
    func add(to keywords: inout QuickKeywords) { keywords.isComplete = false }

    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        "found \(explainer.phrase(checked.subject)); expected \(expectation(in: explainer.schema))"
    }
}

struct CheckedValue {
    let subject: Subject
    let value: JSONValue
}

/// A limit on the number of characters, elements or members, such as `maxLength` or `minItems`.
struct CountLimit: Assertion {
    enum Counted {
        case characters, elements, members
    }

    let keyword: Keyword
    let counted: Counted
    let isMaximum: Bool
    let limit: Int

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        switch checked.value {
        case .scalar(.string(let text)): allows(text)
        case .scalar: true
        case .array(let contents): allows(elements: contents.count)
        case .object(let members): allows(members: members.count)
        }
    }

    func add(to keywords: inout QuickKeywords) { keywords.counts.append(self) }

    /// Whether the limit allows the length of a string.
    func allows(_ text: JSONText) -> Bool { counted != .characters || allows(text.length) }

    /// Whether the limit allows a number of elements.
    func allows(elements count: Int) -> Bool { counted != .elements || allows(count) }

    /// Whether the limit allows a number of members.
    func allows(members count: Int) -> Bool { counted != .members || allows(count) }

    private func allows(_ count: Int) -> Bool { isMaximum ? count <= limit : count >= limit }

    func expectation(in schema: Schema) -> String { "\(isMaximum ? "at most" : "at least") \(CountText.of(limit))" }

    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        var found = explainer.phrase(checked.subject)
        if case .scalar(.string(let text)) = checked.value { found += " of " + Phrase.count(text.length, "character") }
        return "found \(found); expected \(expectation(in: explainer.schema))"
    }
}

extension SchemaCompiler {
    /// Compiles the two keywords that limit a count, if the schema has them.
    mutating func compileLimits(
        on counted: CountLimit.Counted, maximum: Keyword, minimum: Keyword, of source: UncompiledSchema
    ) throws(Problem) {
        for keyword in [maximum, minimum] {
            guard let limit = try count(keyword, source) else { continue }
            add(
                CountLimit(keyword: keyword, counted: counted, isMaximum: keyword == maximum, limit: limit),
                to: source.node)
        }
    }
}

/// A table of the member names that a keyword mentions, each with its meaning for the keyword, such as a schema.
struct NameTable<Meaning: Sendable>: Sendable {
    /// The numbers of the names, in the order of the schema.
    let names: [Int32]
    private let meanings: [Meaning]
    private let positions: [Int32: Int]

    init(_ entries: [(name: Int32, meaning: Meaning)]) {
        names = entries.map(\.name)
        meanings = entries.map(\.meaning)
        positions = Dictionary(zip(names, 0...), uniquingKeysWith: { _, last in last })
    }

    var count: Int { names.count }

    /// Returns the position of a name in ``names``, or nil if the table does not have it.
    func position(_ name: Int32) -> Int? {
        guard names.count > 8 else { return names.firstIndex(of: name) }
        return positions[name]
    }

    /// Returns the meaning of a name, or nil if the table does not have it.
    func meaning(_ name: Int32) -> Meaning? {
        position(name).map { meanings[$0] }
    }

    subscript(position: Int) -> Meaning { meanings[position] }
}
