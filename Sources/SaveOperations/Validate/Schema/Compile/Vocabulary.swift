/// A set of keywords that a metaschema turns on.
enum Vocabulary: String, CaseIterable, Sendable {
    case core = "https://json-schema.org/draft/2020-12/vocab/core"
    case applicator = "https://json-schema.org/draft/2020-12/vocab/applicator"
    case unevaluated = "https://json-schema.org/draft/2020-12/vocab/unevaluated"
    case validation = "https://json-schema.org/draft/2020-12/vocab/validation"
    case formatAnnotation = "https://json-schema.org/draft/2020-12/vocab/format-annotation"
    case formatAssertion = "https://json-schema.org/draft/2020-12/vocab/format-assertion"
    case content = "https://json-schema.org/draft/2020-12/vocab/content"
    case metaData = "https://json-schema.org/draft/2020-12/vocab/meta-data"
    /// Ours: `x-class`, `x-type`, `x-order`, `x-uniqueBy`, `x-maxBytes`. Always on.
    case view = "urn:savetool:vocab:view"
}

/// What a schema resource is written in: the vocabularies of its metaschema.
struct Dialect: Sendable {
    let vocabularies: Set<Vocabulary>

    /// 2020-12 as it is.
    static let standard = Dialect(vocabularies: Set(Vocabulary.allCases).subtracting([.formatAssertion]))

    /// Whether a keyword means anything.
    func has(_ keyword: Keyword) -> Bool {
        switch keyword.vocabulary {
        case .core, .view: true
        case .formatAnnotation: !vocabularies.isDisjoint(with: [.formatAnnotation, .formatAssertion])
        case let vocabulary: vocabularies.contains(vocabulary)
        }
    }

    /// Whether formats are checked.
    var assertsFormats: Bool { vocabularies.contains(.formatAssertion) }
}
