package import SaveCodec

/// A value that somebody gives for a place in a document.
package struct GivenValue: Sendable {
    /// The value, as the root of a document.
    package let document: Document
    /// The digits of a number as they were given, of which a real of four bytes is made without a detour.
    package let literal: String?

    package init(_ document: Document, literal: String? = nil) {
        self.document = document
        self.literal = literal
    }

    /// A value that `add` adds to a builder.
    package init(literal: String? = nil, _ add: (inout DocumentBuilder) -> Void) throws(Problem) {
        var builder = DocumentBuilder()
        add(&builder)
        self.init(try builder.finish(), literal: literal)
    }

    /// The value.
    package var node: Node { document[document.root] }
}
