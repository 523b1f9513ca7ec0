public import SaveCodec

/// Something in a value that is not as a schema demands.
public struct SchemaFinding: Sendable, Equatable {
    /// A stable identifier: `schema.` and the keyword, such as `schema.required`.
    public let id: String
    /// Where in the value it is.
    public let address: Address
    /// Where in the schema the demand stands.
    public let schemaAddress: Address
    /// The URI of the document that ``schemaAddress`` is in; nil for the schema that was given.
    public let schemaURI: String?
    /// What was found and what was expected, as one sentence without capital letter, full stop or place.
    public let message: String
    /// Why the alternative that came nearest does not fit; of other findings nothing.
    public let causes: [SchemaFinding]
}
