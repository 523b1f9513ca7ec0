import KeyedArchives
package import SaveCodec

/// A document that contains schemas.
struct SchemaDocument: Sendable {
    /// The URI that the document was read from, which may differ from its `$id`.
    let uri: String
    let document: Document
    /// The value graph of the document, for comparisons.
    let view: ObjectView

    init(uri: String, document: Document) {
        self.uri = uri
        self.document = document
        view = ObjectView(document)
    }

    /// Returns the identity of a value in ``view``.
    func id(_ object: ObjectID) -> ViewID { view.id(stored: object) }
}

/// The position of a value that is or may be a schema.
struct SchemaPosition: Hashable, Sendable {
    /// The index of the document.
    let document: Int
    let object: ObjectID
}

/// A schema with its own URI, and the anchors in it.
struct SchemaResource: Sendable {
    let uri: String
    let root: SchemaPosition
    let dialect: Dialect
    /// The schemas that `$anchor` or `$dynamicAnchor` names.
    var anchors: [String: SchemaPosition] = [:]
    /// The schemas that `$dynamicAnchor` names.
    var dynamicAnchors: [String: SchemaPosition] = [:]
}

/// A source of the documents that a schema refers to. It never uses a network.
package struct SchemaStore: Sendable {
    private let find: @Sendable (String) throws(Problem) -> Document?

    /// Creates a store that requests documents by URI, without a fragment. The closure returns nil for an unknown URI.
    package init(_ find: @escaping @Sendable (String) throws(Problem) -> Document?) {
        self.find = find
    }

    /// Creates a store of documents by URI.
    init(_ documents: [String: Document] = [:]) {
        find = { documents[$0] }
    }

    /// Returns the document with a URI. The metaschemas of 2020-12 are always available.
    func document(_ uri: String) throws(Problem) -> Document? {
        if let text = Metaschema.texts[uri] { return try JSON.readPlain(Array(text.utf8)) }
        return try find(uri)
    }
}

// MARK: Nodes

/// A compiled schema, whose assertions are checked before its applicators.
struct SchemaNode: Sendable {
    /// The result of the schemas `true` and `false`; nil for other schemas.
    var verdict: Bool?
    /// The keywords that check the value without other schemas.
    var assertions: [any Assertion] = []
    /// The keywords that apply other schemas. A keyword that depends on the other keywords comes last.
    var applicators: [any Applicator] = []
    /// The index of the resource that contains the schema.
    let resource: Int
    let location: SchemaLocation
    /// The number of references from other schemas.
    var references = 0
    /// Whether the schema has a `$dynamicRef`, through which it may be applied to the same value again.
    var hasDynamicReference = false
    /// Whether the schema applies other schemas to the value itself.
    var appliesInPlace = false

    /// Whether to cache results: the schema may be applied to one value several times, and evaluating it costs more
    /// than looking up a result.
    var isShared: Bool { appliesInPlace && (references > 1 || hasDynamicReference) }
}

/// The location of a schema in its document.
struct SchemaLocation: Sendable {
    /// The index of the document.
    let document: Int
    /// The node of the enclosing schema; nil if the tokens start at the root.
    let parent: Int?
    /// The steps from the enclosing schema or the root.
    let tokens: [[UInt16]]
}
