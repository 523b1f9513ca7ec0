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
