extension Schema {
    /// The names of the keywords, which end the identifiers of findings: `schema.minimum`.
    package static let keywords = Keyword.allCases.map(\.rawValue)
}

/// The keywords of JSON Schema 2020-12, two keywords of earlier drafts, and savetool's own.
enum Keyword: String, CaseIterable, Sendable {
    // Core.
    case id = "$id"
    case schema = "$schema"
    case ref = "$ref"
    case anchor = "$anchor"
    case dynamicRef = "$dynamicRef"
    case dynamicAnchor = "$dynamicAnchor"
    case vocabulary = "$vocabulary"
    case comment = "$comment"
    case defs = "$defs"
    /// The name of `$defs` in earlier drafts.
    case definitions
    // Applicators.
    case allOf, anyOf, oneOf, not
    case `if`, then, `else`
    case dependentSchemas
    /// The keyword of earlier drafts for `dependentSchemas` and `dependentRequired`.
    case dependencies
    case prefixItems, items, contains
    case properties, patternProperties, additionalProperties, propertyNames
    // Unevaluated.
    case unevaluatedItems, unevaluatedProperties
    // Validation.
    case type, const
    case enumeration = "enum"
    case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
    case maxLength, minLength, pattern
    case maxItems, minItems, uniqueItems, maxContains, minContains
    case maxProperties, minProperties, required, dependentRequired
    // Format.
    case format
    // Content.
    case contentEncoding, contentMediaType, contentSchema
    // Meta-data.
    case title, description, `default`, deprecated, readOnly, writeOnly, examples
    // Extensions of savetool.
    case xClass = "x-class"
    case xType = "x-type"
    case xStored = "x-stored"
    case xOrder = "x-order"
    case xUniqueBy = "x-uniqueBy"
    case xMaxBytes = "x-maxBytes"

    /// The arrangement of schemas in a keyword's value.
    enum Subschemas {
        case none, one, list, map
    }

    var subschemas: Subschemas {
        switch self {
        case .not, .if, .then, .else, .items, .contains, .additionalProperties, .propertyNames, .unevaluatedItems,
            .unevaluatedProperties, .contentSchema:
            .one
        case .allOf, .anyOf, .oneOf, .prefixItems: .list
        case .defs, .definitions, .dependentSchemas, .dependencies, .properties, .patternProperties: .map
        case .id, .schema, .ref, .anchor, .dynamicRef, .dynamicAnchor, .vocabulary, .comment, .type, .const,
            .enumeration, .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .maxLength, .minLength,
            .pattern,
            .maxItems, .minItems, .uniqueItems, .maxContains, .minContains, .maxProperties, .minProperties, .required,
            .dependentRequired, .format, .contentEncoding, .contentMediaType, .title, .description, .default,
            .deprecated, .readOnly, .writeOnly, .examples, .xClass, .xType, .xStored, .xOrder, .xUniqueBy, .xMaxBytes:
            .none
        }
    }

    var vocabulary: Vocabulary {
        switch self {
        case .id, .schema, .ref, .anchor, .dynamicRef, .dynamicAnchor, .vocabulary, .comment, .defs, .definitions: .core
        case .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas, .dependencies, .prefixItems, .items,
            .contains, .properties, .patternProperties, .additionalProperties, .propertyNames:
            .applicator
        case .unevaluatedItems, .unevaluatedProperties: .unevaluated
        case .format: .formatAnnotation
        case .contentEncoding, .contentMediaType, .contentSchema: .content
        case .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples: .metaData
        case .xClass, .xType, .xStored, .xOrder, .xUniqueBy, .xMaxBytes: .view
        case .type, .const, .enumeration, .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum,
            .maxLength, .minLength, .pattern, .maxItems, .minItems, .uniqueItems, .maxContains, .minContains,
            .maxProperties, .minProperties, .required, .dependentRequired:
            .validation
        }
    }
}

/// A set of keywords that a metaschema enables.
enum Vocabulary: String, CaseIterable, Sendable {
    case core = "https://json-schema.org/draft/2020-12/vocab/core"
    case applicator = "https://json-schema.org/draft/2020-12/vocab/applicator"
    case unevaluated = "https://json-schema.org/draft/2020-12/vocab/unevaluated"
    case validation = "https://json-schema.org/draft/2020-12/vocab/validation"
    case formatAnnotation = "https://json-schema.org/draft/2020-12/vocab/format-annotation"
    case formatAssertion = "https://json-schema.org/draft/2020-12/vocab/format-assertion"
    case content = "https://json-schema.org/draft/2020-12/vocab/content"
    case metaData = "https://json-schema.org/draft/2020-12/vocab/meta-data"
    /// The vocabulary of savetool's own keywords, which is always enabled.
    case view = "urn:savetool:vocab:view"
}

/// The vocabularies of the metaschema that a schema resource uses.
struct Dialect: Sendable {
    let vocabularies: Set<Vocabulary>

    /// The unchanged dialect of 2020-12, in which `format` is an annotation.
    static let standard = Dialect(vocabularies: Set(Vocabulary.allCases).subtracting([.formatAssertion]))

    /// Whether the dialect defines a keyword.
    func has(_ keyword: Keyword) -> Bool {
        switch keyword.vocabulary {
        case .core, .view: true
        case .formatAnnotation: !vocabularies.isDisjoint(with: [.formatAnnotation, .formatAssertion])
        case let vocabulary: vocabularies.contains(vocabulary)
        }
    }

    var assertsFormats: Bool { vocabularies.contains(.formatAssertion) }
}
