package import SaveCodec

/// What stands in place of an object where a single value is written.
package enum GraphMention: Sendable {
    /// The address at which the object is found: `{"$ref": "/pointer"}`.
    case pointer(JSONPointer)
    /// Null, to be replaced later.
    case null
}

/// A slot of an object: of fields its position among those that are not the class, of a collection that of the content.
package struct GraphSlot: Hashable, Sendable {
    let object: UID
    let position: Int

    package init(_ object: UID, _ position: Int) {
        self.object = object
        self.position = position
    }
}

/// Writes single values of an archive as graph JSON, as a rule on one line each, as `set` and patches read them.
package struct GraphValueWriter {
    private let archive: KeyedArchive
    private let labels: ClassLabels
    private let options: WriteOptions
    /// What stands in place of objects that are not to be written.
    package var mentions: [UID: GraphMention] = [:]
    /// The objects that are met more than once.
    package var shared: Set<UID> = []

    /// - Parameter receiver: the classes of the archive that the values are for. A class that it does not know by its
    ///   name alone is written with its chain.
    /// - Parameter receiverHasPlainDates: whether it takes dates that do not name their class for such that have none.
    package init(
        _ archive: KeyedArchive, receiver: [ClassRecord], receiverHasPlainDates: Bool = false,
        options: WriteOptions = WriteOptions(isCompact: true)
    ) {
        self.archive = archive
        self.options = options
        labels = ClassLabels(archive.classes, receiver: receiver, namesDates: receiverHasPlainDates)
    }

    /// Writes a stored value as an element of a collection is written: what a reference leads to, or a value in place.
    ///
    /// - Parameters:
    ///   - explicitSlots: the slots of which it is said in any case whether the value stands in place.
    ///   - isExplicitObject: whether it is said of the value that it is an object.
    package func write(
        _ id: ObjectID, explicitSlots: Set<GraphSlot> = [], isExplicitObject: Bool = false,
        to output: inout ByteWriter
    ) {
        var writer = writer
        writer.explicitSlots = explicitSlots
        if isExplicitObject { writer.json.tag("$object", to: &output) }
        writer.writeStored(id, in: GraphFrame(form: .elements, contents: .objects([]), depth: 0), to: &output)
        writer.writeContents(to: &output)
    }

    /// Writes an object as an element of a collection is written.
    package func write(_ uid: UID, to output: inout ByteWriter) {
        var writer = writer
        writer.writeReference(uid, in: GraphFrame(form: .elements, contents: .objects([]), depth: 0), to: &output)
        writer.writeContents(to: &output)
    }

    /// Writes the roots as an object of graph JSON.
    package func writeTop(to output: inout ByteWriter) {
        var writer = writer
        writer.openTop(to: &output)
        writer.writeContents(to: &output)
    }

    private var writer: GraphWriter {
        var writer = GraphWriter(archive, survey: nil, labels: labels, options: options)
        writer.mentions = mentions
        writer.shared = shared
        return writer
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
