/// The metaschemas of JSON Schema 2020-12: what schemas themselves must be, and what `$ref` to them refers to.
///
/// They are data of the standard, word for word.
enum Metaschema {
    /// The address that all begin with.
    static let base = "https://json-schema.org/draft/2020-12/"

    /// The texts by URI.
    static let texts = [
        base + "schema": schema,
        base + "meta/core": core,
        base + "meta/applicator": applicator,
        base + "meta/unevaluated": unevaluated,
        base + "meta/validation": validation,
        base + "meta/format-annotation": formatAnnotation,
        base + "meta/format-assertion": formatAssertion,
        base + "meta/content": content,
        base + "meta/meta-data": metaData,
    ]
}
