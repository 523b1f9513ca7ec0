import KeyedArchives
package import SaveCodec

/// A document that schemas are in.
struct SchemaDocument: Sendable {
    /// Where it came from.
    let uri: String
    let document: Document
    /// Its values, to compare with.
    let view: ObjectView

    init(uri: String, document: Document) {
        self.uri = uri
        self.document = document
        view = ObjectView(document)
    }

    /// The identity of a value.
    func id(_ object: ObjectID) -> ViewID { view.id(stored: object) }
}

/// Where a value stands that is, or may be, a schema.
struct SchemaPlace: Hashable, Sendable {
    /// The position of the document.
    let document: Int
    let object: ObjectID
}

/// A schema with a URI of its own, and the names in it.
struct SchemaResource: Sendable {
    let uri: String
    let root: SchemaPlace
    let dialect: Dialect
    /// The schemas that `$anchor` and `$dynamicAnchor` name.
    var anchors: [String: SchemaPlace] = [:]
    /// Those that `$dynamicAnchor` names.
    var dynamicAnchors: [String: SchemaPlace] = [:]
}

/// Where the documents come from that a schema refers to; never from a network.
package struct SchemaStore: Sendable {
    private let find: @Sendable (String) throws(Problem) -> Document?

    /// A store that asks for the document of a URI, which has no fragment; nil if there is none.
    package init(_ find: @escaping @Sendable (String) throws(Problem) -> Document?) {
        self.find = find
    }

    /// A store of these documents.
    package init(_ documents: [String: Document] = [:]) {
        find = { documents[$0] }
    }

    /// The document of a URI; the metaschemas of 2020-12 are always there.
    func document(_ uri: String) throws(Problem) -> Document? {
        if let text = Metaschema.texts[uri] { return try JSON.readPlain(Array(text.utf8)) }
        return try find(uri)
    }
}

// MARK: Nodes

/// A compiled schema: what it demands, in the order in which that is checked.
struct SchemaNode: Sendable {
    /// The answer of the schemas `true` and `false`; nil for the others.
    var verdict: Bool?
    /// What the value itself tells.
    var assertions: [any Assertion] = []
    /// What other schemas tell, of this value or of its contents. Those that depend on the others come last.
    var applicators: [any Applicator] = []
    /// The resource that the schema is in.
    let resource: Int
    /// Where the schema stands.
    let location: SchemaLocation
    /// How many schemas refer to this one.
    var references = 0
    /// Whether a value may be met here again while it is evaluated, other than through its contents.
    var hasDynamicReference = false
    /// Whether other schemas are applied to the value itself.
    var appliesInPlace = false

    /// Whether one value may be met here by many ways, and each costs more than to look up the answer.
    var isShared: Bool { appliesInPlace && (references > 1 || hasDynamicReference) }
}

/// Where a schema stands: some steps below another one, or in a document.
struct SchemaLocation: Sendable {
    /// The position of the document.
    let document: Int
    /// The schema around it; nil if the tokens start at the root.
    let parent: Int?
    /// The steps from there.
    let tokens: [[UInt16]]
}
