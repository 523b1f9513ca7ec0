/// A demand on a value that other schemas make: of the value itself, or of its contents.
enum Applicator: Sendable {
    // In place.
    case ref(Int)
    /// A reference to a name that the outermost schema resource on the way defines; if none does, to `fallback`.
    case dynamicRef(name: Int, fallback: Int)
    case allOf([Int])
    case anyOf([Int])
    case oneOf([Int])
    case not(Int)
    case conditional(if: Int, then: Int?, else: Int?)
    case dependentSchemas(NameTable<Int>)
    // Contents.
    case members(MemberRules)
    case propertyNames(Int)
    case elements(prefix: [Int], rest: Int?)
    case contains(Int, atLeast: Int, atMost: Int?)
    // What the others left over.
    case unevaluatedItems(Int)
    case unevaluatedProperties(Int)

    /// Whether the demand is on the value itself.
    var isInPlace: Bool {
        switch self {
        case .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .conditional, .dependentSchemas: true
        default: false
        }
    }

    /// Whether the outcome depends on the other demands.
    var isLast: Bool {
        switch self {
        case .unevaluatedItems, .unevaluatedProperties: true
        default: false
        }
    }

    /// The schemas that are applied.
    var schemas: [Int] {
        switch self {
        case .ref(let schema), .dynamicRef(_, let schema), .not(let schema), .propertyNames(let schema),
            .contains(let schema, _, _), .unevaluatedItems(let schema), .unevaluatedProperties(let schema):
            [schema]
        case .allOf(let schemas), .anyOf(let schemas), .oneOf(let schemas): schemas
        case .conditional(let condition, let then, let otherwise):
            [condition] + [then, otherwise].compactMap(\.self)
        case .dependentSchemas(let table): (0..<table.count).map { table[$0] }
        case .members(let rules): rules.schemas
        case .elements(let prefix, let rest): prefix + [rest].compactMap(\.self)
        }
    }
}

/// What `properties`, `patternProperties` and `additionalProperties` of one schema demand together; a class, to be
/// copied at no cost.
final class MemberRules: Sendable {
    let named: NameTable<Int>
    let patterns: [(pattern: SchemaPattern, schema: Int)]
    /// The schema of members that neither of the others applies to.
    let additional: Int?

    init(named: NameTable<Int>, patterns: [(pattern: SchemaPattern, schema: Int)], additional: Int?) {
        self.named = named
        self.patterns = patterns
        self.additional = additional
    }

    var schemas: [Int] {
        (0..<named.count).map { named[$0] } + patterns.map(\.schema) + [additional].compactMap(\.self)
    }
}
