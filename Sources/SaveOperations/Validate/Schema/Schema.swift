import KeyedArchive
package import SaveCodec

/// A JSON Schema (draft 2020-12), compiled, to check documents and archives with.
///
///     schema                                  graph of nodes                     value          findings
///     {"type": "object",                      0 type object, members             {"name": 5}    /name: found the number 5;
///      "required": ["name"],                      name ─▶ 1                                     expected a string
///      "properties":                          1 type string                                     (/properties/name/type)
///        {"name": {"type": "string"}}}
///
///     Document ── SchemaCompiler ──▶ Schema ── Evaluator ──▶ yes or no ── Explanation ──▶ [SchemaFinding]
///
/// The folders: `Compile` reads schemas and follows references; `Instance` is what a schema sees of a value;
/// `Evaluate` answers yes or no; `Explain` tells why not; `Format` has the formats; `Metaschemas` is data.
///
/// Beside the vocabularies of the standard there is ours, for what JSON has no types for:
///
///     "x-class": "Player"                                     the class, or an ancestor of it; or a list of such
///     "x-type": ["date", "data"]                              the type in the view
///     "x-order": {"by": "/score", "direction": "descending"}  how elements follow each other
///     "x-uniqueBy": "/name"                                   where no two elements are equal
///     "x-maxBytes": 1048576                                   the bytes of all that the value consists of
package struct Schema: Sendable {
    /// The node of the schema itself.
    let root: Int
    let nodes: [SchemaNode]
    let documents: [SchemaDocument]
    /// The names that mean something, by number.
    let names: [[UInt16]: Int32]
    let scopes: DynamicScopes
    /// What the schema says and nobody listens to, unknown keywords most of all.
    package let warnings: [Problem]

    init(
        root: Int, nodes: [SchemaNode], documents: [SchemaDocument], names: [[UInt16]: Int32], scopes: DynamicScopes,
        warnings: [Problem]
    ) {
        self.root = root
        self.nodes = nodes
        self.documents = documents
        self.names = names
        self.scopes = scopes
        self.warnings = warnings
    }

    /// Compiles a schema and the documents that it refers to.
    ///
    /// - Parameters:
    ///   - document: the schema, as `JSON.readPlain` has it.
    ///   - uri: where it is, which its references are relative to unless it has an `$id`.
    ///   - store: where the documents come from that it refers to.
    ///   - assertsFormats: whether `format` demands what it says. Else it only tells.
    /// - Throws: what is wrong with the schema, with the address in it.
    package static func compile(
        _ document: Document, uri: String = "savetool:/schema", store: SchemaStore = SchemaStore(),
        assertsFormats: Bool = false
    ) throws(Problem) -> Schema {
        var compiler = SchemaCompiler(store: store, assertsFormats: assertsFormats)
        return try compiler.compile(document, uri: uri)
    }
}
