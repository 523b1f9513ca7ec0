import SaveCodec

/// The scalars of a document that have been copied to another. Later occurrences are recognized by their object in the
/// document, without comparing bytes.
struct ScalarCopies {
    /// The index of each copy in its document plus one, by the index of the original; 0 if it was not copied.
    private var copies: [UInt32]

    /// - Parameter count: The number of objects in the source document.
    init(count: Int) {
        copies = [UInt32](repeating: 0, count: count)
    }

    /// Adds a copy of a scalar, bit for bit, unless it has been copied already.
    mutating func add(_ id: ObjectID, of document: Document, to builder: inout DocumentBuilder) {
        if copies[id.index] > 0 { return builder.add(ObjectID(Int(copies[id.index]) - 1), isShared: false) }
        let copy = builder.add(document.object(id), of: document)
        copies[id.index] = UInt32(truncatingIfNeeded: copy.index + 1)
    }
}

extension DocumentBuilder {
    /// Adds a value of another document, with its contents.
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
