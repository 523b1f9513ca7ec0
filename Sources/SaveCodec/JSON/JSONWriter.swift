/// Writes the value of a document as typed JSON: the mirror of ``JSONReader``, with a list of open containers instead of
/// recursion.
///
/// Written to be read, a value stands on a line of its own, indented by two spaces for each container around it; what is
/// tagged and the brackets of pairs take no line of theirs:
///
///     {"$dict": [
///       ["k", 1],
///       ["k", {"$set": [
///         2
///       ]}]
///     ]}
package struct JSONWriter {
    private struct Frame {
        let container: StoredObject
        let form: ContainerForm
        /// Where the order of this dictionary starts in ``orders``; nil if it is the stored one.
        let order: Int?
        var next = 0
    }

    private let document: Document
    private let isCompact: Bool
    private let scalars: JSONScalarWriter
    private let isSorted: Bool
    private let indentation: Int
    private var frames: [Frame] = []
    private var orders: [UInt32] = []
    private var forms: DictionaryForms
    private var keyOrder: KeyOrder

    private init(_ document: Document, root: ObjectID, indentation: Int, options: WriteOptions) {
        self.document = document
        self.indentation = indentation
        isCompact = options.isCompact
        scalars = JSONScalarWriter(document, isCompact: options.isCompact)
        isSorted = options.keyOrder == .sorted
        forms = DictionaryForms(document, root: root)
        keyOrder = KeyOrder(document, .sorted, dropsRepeats: false)
    }

    /// Writes the value of the object `root`, without white space before or behind it.
    ///
    /// - Parameter indentation: in how many containers the value stands that the caller writes.
    package static func writeValue(
        of document: Document, root: ObjectID, indentation: Int, options: WriteOptions, to output: inout ByteWriter
    ) {
        var writer = JSONWriter(document, root: root, indentation: indentation, options: options)
        writer.writeValue(root, to: &output)
        while let frame = writer.frames.last, !output.hasFailed {
            if frame.next < frame.container.count {
                writer.writeElement(of: frame, to: &output)
            } else {
                writer.close(frame, to: &output)
            }
        }
    }

    // MARK: Values

    /// Writes a value, or as much of it as comes before the first value in it.
    private mutating func writeValue(_ id: ObjectID, to output: inout ByteWriter) {
        let object = document.object(id)
        if object.kind.isContainer {
            open(id, object, to: &output)
        } else {
            scalars.writeScalar(object, to: &output)
            endValue(to: &output)
        }
    }

    /// Writes what stands behind a complete value before any comma: in a list of pairs, the bracket of the pair.
    @inline(__always)
    private func endValue(to output: inout ByteWriter) {
        if let frame = frames.last, frame.form == .pairs { output.write(UInt8(ascii: "]")) }
    }

    // MARK: Containers

    private mutating func open(_ id: ObjectID, _ container: StoredObject, to output: inout ByteWriter) {
        let form = form(of: id, container)
        switch form {
        case .array: output.write(UInt8(ascii: "["))
        case .object: output.write(UInt8(ascii: "{"))
        case .set: output.write(isCompact ? #"{"$set":["# : #"{"$set": ["#)
        case .pairs: output.write(isCompact ? #"{"$dict":["# : #"{"$dict": ["#)
        }
        guard container.count > 0 else { return end(form, to: &output) }
        frames.append(Frame(container: container, form: form, order: order(of: container)))
    }

    private mutating func form(of id: ObjectID, _ container: StoredObject) -> ContainerForm {
        switch container.kind {
        case .set: .set
        case .dictionary: forms.form(of: id, container)
        default: .array
        }
    }

    /// Closes a container behind its last value.
    private mutating func close(_ frame: Frame, to output: inout ByteWriter) {
        frames.removeLast()
        if let order = frame.order { orders.removeSubrange(order...) }
        beginLine(to: &output)
        end(frame.form, to: &output)
    }

    private func end(_ form: ContainerForm, to output: inout ByteWriter) {
        switch form {
        case .array: output.write(UInt8(ascii: "]"))
        case .object: output.write(UInt8(ascii: "}"))
        case .set, .pairs: output.write("]}")
        }
        endValue(to: &output)
    }

    /// Writes the next value of a container, and what stands before it: a comma, a name, or the start of a pair.
    private mutating func writeElement(of frame: Frame, to output: inout ByteWriter) {
        frames[frames.count - 1].next += 1
        if frame.next > 0 { output.write(UInt8(ascii: ",")) }
        beginLine(to: &output)
        switch frame.form {
        case .array, .set:
            writeValue(document.reference(frame.next, of: frame.container), to: &output)
        case .object, .pairs:
            let pair = frame.order.map { Int(orders[$0 + frame.next]) } ?? frame.next
            let key = document.object(document.key(pair, of: frame.container))
            if frame.form == .object { writeName(key, to: &output) } else { beginPair(key, to: &output) }
            writeValue(document.value(pair, of: frame.container), to: &output)
        }
    }

    /// Writes the name of a member and the colon behind it.
    private func writeName(_ key: StoredObject, to output: inout ByteWriter) {
        scalars.writeString(key, to: &output)
        output.write(UInt8(ascii: ":"))
        if !isCompact { output.write(UInt8(ascii: " ")) }
    }

    /// Writes the bracket of a pair, its key and the comma behind it.
    private func beginPair(_ key: StoredObject, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "["))
        scalars.writeScalar(key, to: &output)
        output.write(isCompact ? "," : ", ")
    }

    /// Begins the line of a value, or of the end of a container, in the innermost open container.
    @inline(__always)
    private func beginLine(to output: inout ByteWriter) {
        guard !isCompact else { return }
        output.write(UInt8(ascii: "\n"))
        output.write(UInt8(ascii: " "), times: 2 * (indentation + frames.count))
    }

    // MARK: Order

    /// Appends the order in which a dictionary's pairs are written to ``orders``; nil if it is the stored one.
    private mutating func order(of container: StoredObject) -> Int? {
        guard isSorted, container.kind == .dictionary else { return nil }
        let order = keyOrder.positions(of: container)
        orders += order
        return orders.count - order.count
    }
}
