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

extension DocumentBuilder {
    /// Adds a value of another document, and what is in it.
    mutating func add(_ id: ObjectID, of document: Document, scalars: inout ScalarCopies) {
        var path: [(container: StoredObject, next: Int)] = []
        add(id, of: document, scalars: &scalars, opening: &path)
        while let frame = path.last {
            guard frame.next < frame.container.referenceCount else {
                path.removeLast()
                close()
                continue
            }
            path[path.count - 1].next += 1
            add(
                document.reference(frame.next, of: frame.container), of: document, scalars: &scalars, opening: &path)
        }
    }

    private mutating func add(
        _ id: ObjectID, of document: Document, scalars: inout ScalarCopies,
        opening path: inout [(container: StoredObject, next: Int)]
    ) {
        let object = document.object(id)
        switch object.kind {
        case .array: open(.array)
        case .set: open(.set)
        case .dictionary: open(.storedDictionary)
        default: scalars.add(id, of: document, to: &self)
        }
        if object.kind.isContainer { path.append((object, 0)) }
    }
}
