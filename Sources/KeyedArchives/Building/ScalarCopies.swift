import SaveCodec

/// The scalars of a document that have been added to another one: those that come again are known by their number, and
/// need not be looked up by their bytes.
struct ScalarCopies {
    /// One more than the number of the copy; 0 for none.
    private var copies: [UInt32]

    /// - Parameter count: how many objects the document has that is copied from.
    init(count: Int) {
        copies = [UInt32](repeating: 0, count: count)
    }

    /// Adds a scalar with its bits and stored form.
    mutating func add(_ id: ObjectID, of document: Document, to builder: inout DocumentBuilder) {
        if copies[id.index] > 0 { return builder.add(ObjectID(Int(copies[id.index]) - 1)) }
        let copy = builder.add(document.object(id), of: document)
        copies[id.index] = UInt32(truncatingIfNeeded: copy.index + 1)
    }
}
