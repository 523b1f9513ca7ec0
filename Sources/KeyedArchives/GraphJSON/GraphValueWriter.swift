package import SaveCodec

/// What stands in place of an object where a single value is written.
package enum GraphMention: Sendable {
    /// The address at which the object is found: `{"$ref": "/pointer"}`.
    case pointer(JSONPointer)
    /// Null, to be replaced later.
    case null
}

/// Writes single values of an archive as graph JSON on one line each, as ``GraphValues`` reads them.
package struct GraphValueWriter {
    private let archive: KeyedArchive
    private let labels: ClassLabels

    /// - Parameter receiver: the classes of the archive that the values are for. A class that it does not know by its
    ///   name alone is written with its chain.
    package init(_ archive: KeyedArchive, receiver: [ClassRecord]) {
        self.archive = archive
        labels = ClassLabels(archive.classes, receiver: receiver)
    }

    /// Writes a stored value as an element of a collection is written: what a reference leads to, or a value in place.
    ///
    /// - Parameters:
    ///   - mentions: what stands in place of objects that are not to be written.
    ///   - shared: the objects that are met more than once.
    package func write(
        _ id: ObjectID, mentions: [UID: GraphMention], shared: Set<UID>, to output: inout ByteWriter
    ) {
        var writer = GraphWriter(archive, survey: nil, labels: labels, options: WriteOptions(isCompact: true))
        writer.mentions = mentions
        writer.shared = shared
        writer.writeStored(id, in: GraphFrame(form: .elements, contents: .objects([]), depth: 0), to: &output)
        writer.writeContents(to: &output)
    }

    /// Writes a class as the value of `$class`.
    package func writeClass(_ position: Int, to output: inout ByteWriter) {
        var writer = GraphWriter(archive, survey: nil, labels: labels, options: WriteOptions(isCompact: true))
        writer.writeLabel(position, to: &output)
    }
}

extension GraphWriter {
    func isShared(_ uid: UID) -> Bool {
        survey?.isShared(uid) ?? shared.contains(uid)
    }

    mutating func write(_ mention: GraphMention, to output: inout ByteWriter) {
        switch mention {
        case .null: json.writeNull(to: &output)
        case .pointer(let address):
            json.tag("$ref", to: &output)
            json.write(address.pointer, to: &output)
        }
    }
}
