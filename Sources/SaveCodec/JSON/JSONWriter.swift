/// A writer of a document's value as typed JSON. It keeps a list of open containers instead of using recursion, as its
/// counterpart ``JSONReader`` does.
///
/// In the indented style, every value has its own line, indented by two spaces per enclosing container. Tags and the
/// brackets of pairs do not take lines of their own:
///
///     {"$dict": [
///       ["k", 1],
///       ["k", {"$set": [
///         2
///       ]}]
///     ]}
package struct JSONWriter: DivisibleWriter {
    private struct Frame {
        let container: StoredObject
        let form: ContainerForm
        /// The index in ``orders`` of this dictionary's first pair; nil for the stored order. In a part, ``orders``
        /// begins with the part's own range, so the index may be negative.
        var order: Int?
        /// The number of the object's first label in the ``KeyTextCache``; nil if its names are written one by one.
        let firstLabel: Int?
        /// The number of elements or pairs to write.
        var count: Int
        var next = 0
    }

    private let document: Document
    private let scalars: JSONScalarWriter
    private let options: WriteOptions
    private var isSorted: Bool { options.keyOrder == .sorted }
    private var json: JSONOutput
    private var frames: [Frame] = []
    private var orders: [UInt32] = []
    private var forms: DictionaryForms
    private var pairOrder: PairOrder
    private var keyLabels: KeyTextCache
    /// The runner that writes parts of wide containers in parallel; nil in a part.
    private var runner: ParallelRunner?
    private let parts: OutputParts
    /// The number of open containers around a part, which the part does not close.
    private var outerCount = 0

    private init(_ document: Document, root: ObjectID, indentation: Int, options: WriteOptions) {
        self.document = document
        json = JSONOutput(options.isCompact ? .compact : .indented, indentation: indentation)
        scalars = JSONScalarWriter(document, isCompact: options.isCompact)
        self.options = options
        forms = DictionaryForms(document, root: root)
        pairOrder = PairOrder(document, .sorted, dropsDuplicates: false)
        keyLabels = KeyTextCache(document)
        // Nested saves are opened in the order of their data, so nothing runs in parallel.
        runner = options.nested == nil ? options.runner : nil
        parts = options.parts
    }

    /// Writes a container on one line, without surrounding white space.
    static func writeRow(
        _ container: StoredObject, of document: Document, isCompact: Bool, to output: inout ByteWriter
    ) {
        var writer = JSONWriter(
            document, root: document.root, indentation: 0, options: WriteOptions(isCompact: isCompact))
        writer.json = JSONOutput(isCompact ? .compact : .row)
        writer.open(ObjectID(-1), container, to: &output)
        writer.write(to: &output, upTo: .max)
    }

    /// Writes the value of the object `root`, without surrounding white space.
    ///
    /// - Parameter indentation: The number of enclosing containers that the caller writes.
    package static func writeValue(
        of document: Document, root: ObjectID, indentation: Int, options: WriteOptions, to output: inout ByteWriter
    ) {
        var writer = JSONWriter(document, root: root, indentation: indentation, options: options)
        writer.write(root, document.object(root), to: &output)
        writer.write(to: &output, upTo: .max)
    }

    // MARK: Parts

    func part(_ range: Range<Int>) -> JSONWriter {
        var part = self
        part.runner = nil
        part.outerCount = frames.count
        part.json.skip(range.lowerBound)
        part.frames[frames.count - 1].next = range.lowerBound
        part.frames[frames.count - 1].count = range.upperBound
        // Sharing these caches between threads would cost atomic reference counting, so each part has its own.
        part.pairOrder = pairOrder.emptied()
        part.keyLabels = KeyTextCache(document)
        part.orders = frames.last?.order.map { Array(orders[$0 + range.lowerBound..<$0 + range.upperBound]) } ?? []
        if !part.orders.isEmpty { part.frames[frames.count - 1].order = -range.lowerBound }
        return part
    }

    /// Writes the rest of the open containers.
    mutating func write(to output: inout ByteWriter, upTo size: Int) {
        while let frame = frames.last, !output.hasFailed, output.count < size {
            if frame.next < frame.count {
                guard writeElement(of: frame, smallerThan: size, to: &output) else { return }
            } else if frames.count > outerCount {
                close(frame, to: &output)
            } else {
                return
            }
        }
    }

    // MARK: Values

    /// Writes a scalar, or the part of a container before its first value.
    private mutating func write(_ id: ObjectID, _ object: StoredObject, to output: inout ByteWriter) {
        if object.kind.isContainer {
            open(id, object, to: &output)
        } else if !json.writeNested(object, of: document, options, to: &output) {
            json.write(to: &output) { scalars.writeScalar(object, to: &$0) }
        }
    }

    // MARK: Containers

    private mutating func open(_ id: ObjectID, _ container: StoredObject, to output: inout ByteWriter) {
        let form = form(of: id, container)
        switch form {
        case .array: break
        case .object: json.open(.object, to: &output)
        case .set: json.tag("$set", to: &output)
        case .pairs: json.tag("$dict", to: &output)
        }
        if form != .object { json.open(.array, to: &output) }
        guard container.count > 0 else { return json.close(to: &output) }
        let order = order(of: container)
        let label = form == .object ? firstLabel(of: container, order) : nil
        frames.append(
            Frame(container: container, form: form, order: order, firstLabel: label, count: container.count))
        if let runner, container.count >= OutputParts.minCount {
            parts.write(container.count, of: self, by: runner, to: &output)
            json.skip(container.count)
            frames[frames.count - 1].next = container.count
        }
    }

    /// Returns the number of the first label of the object that was just opened; nil if its names are written one by
    /// one.
    @inline(__always)
    private mutating func firstLabel(of dictionary: StoredObject, _ order: Int?) -> Int? {
        switch keyLabels.lookUp(dictionary, depth: json.indentation) {
        case .labels(let first): first
        case .isNone: nil
        case .isSecond: makeLabels(of: dictionary, order)
        }
    }

    @inline(never)
    private mutating func makeLabels(of dictionary: StoredObject, _ order: Int?) -> Int? {
        let (document, scalars, orders) = (document, scalars, orders)
        var json = json
        return keyLabels.make(dictionary, count: dictionary.count) { position, output in
            let pair = order.map { Int(orders[$0 + position]) } ?? position
            let key = document.object(document.key(pair, of: dictionary))
            json.name(to: &output) { scalars.writeString(key, to: &$0) }
            json.skipValue()
        }
    }

    private mutating func form(of id: ObjectID, _ container: StoredObject) -> ContainerForm {
        switch container.kind {
        case .set: .set
        case .dictionary: forms.form(of: id, container)
        default: .array
        }
    }

    private mutating func close(_ frame: Frame, to output: inout ByteWriter) {
        frames.removeLast()
        if let order = frame.order { orders.removeSubrange(order...) }
        json.close(to: &output)
    }

    /// Whether the key of a pair has `size` bytes or more. Labels are always shorter.
    @inline(__always)
    private func isKeyLarge(_ position: Int, of frame: Frame, _ size: Int) -> Bool {
        guard size < .max, frame.firstLabel == nil, frame.form == .object || frame.form == .pairs else { return false }
        return document.object(document.key(position, of: frame.container)).count >= size
    }

    /// Writes the next value of a container and the key before it, unless one of them is a scalar of `size` bytes or
    /// more.
    ///
    /// - Returns: Whether the element was written.
    private mutating func writeElement(of frame: Frame, smallerThan size: Int, to output: inout ByteWriter) -> Bool {
        let position = frame.order.map { Int(orders[$0 + frame.next]) } ?? frame.next
        let id = document.member(position, of: frame.container)
        let value = document.object(id)
        guard value.count < size || value.kind.isContainer, !isKeyLarge(position, of: frame, size) else { return false }
        frames[frames.count - 1].next += 1
        if let first = frame.firstLabel {
            json.name(keyLabels.bytes, in: keyLabels.range(first + frame.next), to: &output)
        } else if frame.form == .object || frame.form == .pairs {
            writeKey(document.object(document.key(position, of: frame.container)), frame.form, to: &output)
        }
        write(id, value, to: &output)
        return true
    }

    /// Writes the name of a member, or the opening bracket of a pair and its key.
    private mutating func writeKey(_ key: StoredObject, _ form: ContainerForm, to output: inout ByteWriter) {
        guard form == .pairs else { return json.name(to: &output) { scalars.writeString(key, to: &$0) } }
        json.openPair(to: &output)
        json.write(to: &output) { scalars.writeScalar(key, to: &$0) }
    }

    // MARK: Order

    /// Appends the sorted order of a dictionary's pairs to ``orders``.
    ///
    /// - Returns: The index of the first pair's position; nil for the stored order.
    private mutating func order(of container: StoredObject) -> Int? {
        guard isSorted, container.kind == .dictionary else { return nil }
        let order = pairOrder.positions(of: container)
        orders += order
        return orders.count - order.count
    }
}

private enum ContainerForm {
    /// `[…]`
    case array
    /// `{…}`
    case object
    /// `{"$set": […]}`
    case set
    /// `{"$dict": [[key, value], …]}`
    case pairs
}

/// A cache that decides whether a dictionary is written as an object or as a list of pairs. A list of pairs is needed
/// if an object would be read as something else.
private struct DictionaryForms {
    private let document: Document
    private let root: ObjectID
    /// Whether the output has tagged values. Computed only when needed, because it visits all objects.
    private lazy var isTyped = document.hasTaggedValues || hasEnvelopeRoot
    private var keySets: RecentKeySets
    private var forms = [ContainerForm](repeating: .object, count: RecentKeySets.slotCount)

    init(_ document: Document, root: ObjectID) {
        self.document = document
        self.root = root
        keySets = RecentKeySets(document)
    }

    mutating func form(of id: ObjectID, _ dictionary: StoredObject) -> ContainerForm {
        if id == root, isEnvelope(dictionary) { return .pairs }
        let slot = keySets.slot(of: dictionary)
        if slot.isKnown { return forms[slot.number] }
        let form = document.isPlainObject(dictionary, isTyped: isTyped) ? ContainerForm.object : .pairs
        forms[slot.number] = form
        return form
    }

    /// Whether the root would look like an envelope, and is therefore written as a list of pairs.
    private var hasEnvelopeRoot: Bool {
        let object = document.object(root)
        return object.kind == .dictionary && isEnvelope(object)
    }

    /// Whether a root looks like the envelope of an exact document or of graph JSON.
    private func isEnvelope(_ dictionary: StoredObject) -> Bool {
        if document.isPlainJSON { return false }
        var (hasArchiver, hasTop, hasObjects) = (false, false, false)
        for position in 0..<dictionary.count {
            let key = document.object(document.key(position, of: dictionary))
            if document.text(key, equals: "$savetool"),
                document.tagUse != .none || ExactEnvelope.isPresent(in: document)
            {
                return true
            }
            if document.text(key, equals: "$archiver") { hasArchiver = true }
            if document.text(key, equals: "$top") { hasTop = true }
            if document.text(key, equals: "$objects") { hasObjects = true }
        }
        guard hasArchiver && hasTop && !hasObjects else { return false }
        // A dictionary that was read as an ordinary object can be written as one.
        return document.tagUse != .none || document.hasGraphEnvelope
    }
}

extension Document {
    /// Whether a dictionary can be written as a JSON object.
    ///
    /// All keys must be strings without duplicates, and no reader may mistake the object for a tagged value or for
    /// another JSON dialect. Names read from plain JSON may be duplicates.
    ///
    /// - Parameter isTyped: Whether the output has tagged values.
    func isPlainObject(_ dictionary: StoredObject, isTyped: @autoclosure () -> Bool) -> Bool {
        let keys = (0..<dictionary.count).lazy.map { object(key($0, of: dictionary)) }
        guard keys.allSatisfy(\.kind.isString) else { return false }
        if isPlainJSON { return true }
        if keys.contains(where: { JSONTag.isForeign(StoredString(self, $0)) }), isTyped() { return false }
        return keys.count == 1
            ? JSONTag(StoredString(self, keys[0])) == nil : firstDuplicateKey(of: dictionary) == nil
    }
}
