import KeyedArchives
import SaveCodec

/// `type`.
struct TypeAssertion: Assertion {
    let types: JSONTypes

    var keyword: Keyword { .type }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        types.include(checked.value)
    }

    func add(to keywords: inout QuickKeywords) { keywords.types.formIntersection(types) }

    func expectation(in schema: Schema) -> String {
        Phrase.alternatives(JSONTypes.names.filter { types.contains($0.type) }.map { Phrase.withArticle($0.name) })
    }
}

/// `const` and `enum`: the value must equal one of the values that the schema lists.
struct AllowedValuesAssertion: Assertion {
    let keyword: Keyword
    /// The index of the document that contains the values.
    let document: Int
    let ids: [ViewID]
    /// The indices in `ids` by the hashes of the values.
    let positions: [Int: [Int]]

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        let other = evaluator.schema.documents[document].view
        if case .scalar(let scalar) = checked.value {
            if ids.count <= 4 { return ids.contains { other.json($0).asScalar == scalar } }
            if checked.subject.isName {
                return positions[ValueHasher.hash(scalar), default: []].contains {
                    other.json(ids[$0]).asScalar == scalar
                }
            }
        }
        for position in positions[evaluator.hasher.hash(checked.subject.id), default: []] {
            var comparison = ValueComparison(evaluator.view, other, budget: evaluator.work)
            let areEqual = comparison.areEqual(checked.subject.id, ids[position])
            evaluator.work = comparison.budget
            if areEqual { return true }
        }
        return false
    }

    func add(to keywords: inout QuickKeywords) {
        let view = keywords.documents[document].view
        keywords.add(choices: ids.map { view.json($0) })
    }

    func expectation(in schema: Schema) -> String {
        let view = schema.documents[document].view
        let shown = ids.prefix(10).map { Phrase.value(Subject($0), in: view) }
        let values = Phrase.alternatives(shown + (ids.count > 10 ? ["\(ids.count - 10) others"] : []))
        return keyword == .const || ids.count == 1 ? values : "one of \(values)"
    }
}

extension SchemaCompiler {
    mutating func compileTypes(_ source: UncompiledSchema) throws(Problem) {
        if let types = try types(.type, source, among: JSONTypes.names) {
            add(TypeAssertion(types: types), to: source.node)
        }
        if let value = source.values[.const] { addValues([value], of: .const, in: source) }
        if let value = source.values[.enumeration] {
            guard case .array(let elements) = documents[source.position.document].document[value] else {
                throw wrongValue(.enumeration, source, expected: "an array")
            }
            addValues(Array(elements), of: .enumeration, in: source)
        }
    }

    private mutating func addValues(_ objects: [ObjectID], of keyword: Keyword, in source: UncompiledSchema) {
        let document = source.position.document
        let ids = objects.map(documents[document].id)
        var hasher = hashers[document] ?? ValueHasher(documents[document].view)
        var positions: [Int: [Int]] = [:]
        for (index, id) in ids.enumerated() { positions[hasher.hash(id), default: []].append(index) }
        hashers[document] = hasher
        add(
            AllowedValuesAssertion(keyword: keyword, document: document, ids: ids, positions: positions),
            to: source.node)
    }
}

/// A set of the types that `type` names.
struct JSONTypes: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = JSONTypes(rawValue: 1)
    static let boolean = JSONTypes(rawValue: 2)
    static let object = JSONTypes(rawValue: 4)
    static let array = JSONTypes(rawValue: 8)
    static let number = JSONTypes(rawValue: 16)
    static let string = JSONTypes(rawValue: 32)
    static let integer = JSONTypes(rawValue: 64)
    static let all = JSONTypes(rawValue: 127)

    static let names: [(name: String, type: JSONTypes)] = [
        ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array), ("number", .number),
        ("string", .string), ("integer", .integer),
    ]

    /// Whether the set includes the type of a value.
    func include(_ value: JSONValue) -> Bool {
        switch value {
        case .scalar(let scalar): include(scalar)
        case .object: contains(.object)
        case .array: contains(.array)
        }
    }

    func include(_ scalar: JSONScalar) -> Bool {
        switch scalar {
        case .null: contains(.null)
        case .boolean: contains(.boolean)
        case .string: contains(.string)
        case .number(let number): contains(.number) || (contains(.integer) && number.isWhole)
        }
    }
}
