import KeyedArchive
import SaveCodec

/// A document that schemas are in.
struct SchemaDocument: Sendable {
    /// Where it came from.
    let uri: String
    let document: Document
    /// Its values, to compare with.
    let instance: Instance

    init(uri: String, document: Document) {
        self.uri = uri
        self.document = document
        instance = Instance(ObjectView(document))
    }
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
