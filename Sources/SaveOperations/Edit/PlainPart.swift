package import KeyedArchives
package import SaveCodec

extension ObjectView {
    /// A property list of a value, if that consists of plain values and collections.
    ///
    /// - Throws: a problem for objects of classes that are no collections, and for what is shared or part of itself.
    package func plainDocument(of id: ViewID, limits: Limits = Limits()) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        builder.addNull()
        var draft = Draft(ObjectView(try builder.finish()))
        draft.replaceRoot(with: try draft.importValue(id, of: draft.addSource(self)))
        return try draft.finish(limits: limits)
    }
}
