package import SaveCodec

/// Something in a value that is not as a schema demands.
package struct SchemaFinding: Sendable, Equatable {
    /// A stable identifier: `schema.` and the keyword, such as `schema.required`.
    package let id: String
    /// Where in the value it is.
    package let address: Address
    /// Where in the schema the demand stands.
    package let schemaAddress: Address
    /// The URI of the document that ``schemaAddress`` is in; nil for the schema that was given.
    package let schemaURI: String?
    /// What was found and what was expected, as one sentence without capital letter, full stop or place.
    package let message: String
    /// Why the alternative that came nearest does not fit; of other findings nothing.
    package let causes: [SchemaFinding]
}
