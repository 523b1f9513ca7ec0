package import SaveCodec

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
