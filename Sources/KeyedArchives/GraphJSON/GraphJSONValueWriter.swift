package import SaveCodec

/// A substitute for an object in a single value that is written.
package enum ObjectSubstitute: Sendable {
    /// A reference to the object's address: `{"$ref": "/pointer"}`.
    case pointer(JSONPointer)
    /// Null, as a placeholder until a later operation of the patch sets the slot.
    case null
}

/// A slot of an object: the position among its fields except the class, or among the contents of a collection.
package struct ObjectSlot: Hashable, Sendable {
    let object: UID
    let position: Int

    package init(_ object: UID, _ position: Int) {
        self.object = object
        self.position = position
    }
}

/// A writer of single values as graph JSON, usually on one line each, in the syntax that `set` and patches read.
package struct GraphJSONValueWriter {
    private let archive: KeyedArchive
    private let labels: ClassLabels
    private let options: WriteOptions
    /// The substitutes for objects that must not be written.
    package var substitutes: [UID: ObjectSubstitute] = [:]
    /// The objects that are reached more than once.
    package var shared: Set<UID> = []

    /// Creates a writer for the values of an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive of the values.
    ///   - receiver: The classes of the archive that receives the values. A class is written with its chain if its name
    ///     alone does not identify it there.
    ///   - receiverHasPlainDates: Whether the receiver reads a date without a class name as a plain date. If so, dates
    ///     are written with their class.
    ///   - options: The style of the JSON.
    package init(
        _ archive: KeyedArchive, receiver: [ClassRecord], receiverHasPlainDates: Bool = false,
        options: WriteOptions = WriteOptions(isCompact: true)
    ) {
        self.archive = archive
        self.options = options
        labels = ClassLabels(archive.classes, receiver: receiver, namesDates: receiverHasPlainDates)
    }

    /// Writes a stored value like an element of a collection: the target of a reference, or a value in place.
    ///
    /// - Parameters:
    ///   - explicitSlots: The slots whose values are always tagged with `$inline` or `$object`.
    ///   - isExplicitObject: Whether the value is tagged with `$object`.
    package func write(
        _ id: ObjectID, explicitSlots: Set<ObjectSlot> = [], isExplicitObject: Bool = false,
        to output: inout ByteWriter
    ) {
        var writer = writer
        writer.explicitSlots = explicitSlots
        if isExplicitObject { writer.json.tag("$object", to: &output) }
        writer.writeStored(id, in: GraphJSONFrame(form: .elements, contents: .objects([]), depth: 0), to: &output)
        writer.writeContents(to: &output)
    }

    /// Writes an object like an element of a collection.
    package func write(_ uid: UID, to output: inout ByteWriter) {
        var writer = writer
        writer.writeReference(uid, in: GraphJSONFrame(form: .elements, contents: .objects([]), depth: 0), to: &output)
        writer.writeContents(to: &output)
    }

    /// Writes the roots as a JSON object.
    package func writeTop(to output: inout ByteWriter) {
        var writer = writer
        writer.openTop(to: &output)
        writer.writeContents(to: &output)
    }

    private var writer: GraphJSONWriter {
        var writer = GraphJSONWriter(archive, scan: nil, labels: labels, options: options)
        writer.substitutes = substitutes
        writer.shared = shared
        return writer
    }

    /// Writes a class as the value of `$class`.
    package func writeClass(_ position: Int, to output: inout ByteWriter) {
        var writer = GraphJSONWriter(archive, scan: nil, labels: labels, options: WriteOptions(isCompact: true))
        writer.writeLabel(position, to: &output)
    }
}

extension GraphJSONWriter {
    func isShared(_ uid: UID) -> Bool {
        scan?.isShared(uid) ?? shared.contains(uid)
    }

    mutating func write(_ substitute: ObjectSubstitute, to output: inout ByteWriter) {
        switch substitute {
        case .null: json.writeNull(to: &output)
        case .pointer(let address):
            json.tag("$ref", to: &output)
            json.write(address.pointer, to: &output)
        }
    }
}
