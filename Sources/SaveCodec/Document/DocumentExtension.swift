/// Extensions: copies of a document with added objects. A value graph shows the added objects in place of stored ones,
/// such as attributed strings.
///
///     original    #0 {…}  #1 UID 4                                     the root refers to #0 and #1
///     extension   #0 {…}  #1 UID 4  #2 "runs"  #3 [#4, …]  #4 {…: #1}   the same, and the objects from #2 on
///
/// Nothing in the original refers to the added objects, so an extension has the same root and is written like the
/// original. Objects keep their indices.
extension Document {
    /// The document that this one extends, or the document itself.
    package var original: Document {
        storage.facts.extended.map { Document($0, root: root) } ?? self
    }

    /// Returns an extension with the containers that the closure adds to a builder. The added containers may refer to
    /// objects of this document by their indices.
    ///
    /// - Returns: Nil if the copy would take more than 4 GiB, or if objects of a damaged file overlap so often that it
    ///   would be far larger than the file.
    package func extended(_ add: (inout DocumentBuilder) -> Void) -> Document? {
        guard var builder = DocumentBuilder(copying: self) else { return nil }
        builder.open(.array)
        add(&builder)
        builder.close()
        guard let copy = try? builder.finish(editing: self) else { return nil }
        var facts = facts
        facts.isFile = false
        facts.extended = storage
        return Document(image: copy.image, table: copy.table, root: root, facts: facts)
    }
}

extension DocumentBuilder {
    /// Creates a builder that starts with a copy of each object of a document, with the same indices. Fails if objects
    /// of a damaged file overlap too often.
    fileprivate init?(copying source: Document) {
        self.init(expectedSize: 2 * source.imageSize)
        for index in 0..<source.count {
            let object = source.object(ObjectID(index))
            if object.kind.isContainer {
                open(object.kind == .array ? .array : object.kind == .set ? .set : .storedDictionary)
                // A container may refer to later objects, which `add` without `isShared` would refuse.
                for position in 0..<object.referenceCount {
                    add(source.reference(position, of: object), isShared: false)
                }
                close()
            } else {
                add(object, of: source, shared: false)
            }
            _ = takeLast()
            // References may grow from one byte to four.
            guard imageSize <= 8 * source.imageSize + 64 else { return nil }
        }
    }
}
