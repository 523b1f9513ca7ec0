/// A builder of documents, which appends one object after another.
///
/// Contents precede their container. The values added while a container is open become its contents (in a dictionary:
/// key, value, key, value …), and are kept in a list until it is closed.
///
///     var builder = DocumentBuilder()
///     builder.open(.dictionary)
///     builder.add(string: "health")
///     builder.add(integer: 100)
///     builder.close()
///     let document = try builder.finish()
///
/// Scalars that are equal in kind, bits and stored form become one object, as in Core Foundation's XML reader. Pass
/// `shared: false` to add a separate object.
public struct DocumentBuilder: ~Copyable {
    /// The kind of a container that is being filled.
    public enum Container: Sendable {
        /// Elements in order.
        case array
        /// Elements without a meaningful order.
        case set
        /// Alternating keys and values.
        case dictionary
        /// Alternating keys and values of a text format, in which the last of several duplicate keys is effective.
        case textDictionary
        /// All keys followed by all values, as in a binary file.
        case storedDictionary

        fileprivate var isDictionary: Bool {
            switch self {
            case .array, .set: false
            case .dictionary, .textDictionary, .storedDictionary: true
            }
        }
    }

    private struct Frame {
        let container: Container
        let start: Int
    }

    /// The facts from which the size of the document as a tree is estimated.
    private struct ExpansionBound {
        var largestScalar = 0
        var references = 0
        /// Whether a container may be referred to several times.
        var sharesContainers = false
        /// The bound of the document that this builder extends, or 0.
        var ofSource = 0

        /// An upper bound of the size; nil if it cannot be bounded.
        var size: Int? {
            if sharesContainers { return nil }
            return ofSource + Document.expansionBound(references: references, largestScalar: largestScalar)
        }
    }

    private var image = ImageBuffer(Array("bplist00".utf8))
    /// The offset of the object that is being appended.
    private var start = 8
    private var offsets: [UInt32] = []
    /// Whether offsets are recorded as objects are added. Otherwise they are found by scanning the image at the end.
    private let notesOffsets: Bool
    /// The number of objects so far.
    package private(set) var objectCount = 0
    private var pending: [UInt32] = []
    private var frames: [Frame] = []
    private var index = ScalarIndex()
    private var dictionariesWithDuplicates: [ObjectID] = []
    private var keyMarks = DuplicateKeySearch()
    /// The maximum number of references to values; set by readers.
    var maxValueCount = Int.max
    /// Whether the document has too many objects, bytes or values. Then everything is dropped, and `finish` fails.
    private(set) var overflowed = false
    private var expansion = ExpansionBound()

    var warnings: [Problem] = []
    /// The format-specific facts of the finished document.
    var formatFacts = Document.FormatFacts()

    /// Creates an empty builder.
    ///
    /// - Parameter expectedSize: The expected size of the image in bytes, which is only a hint.
    public init(expectedSize: Int = 0) {
        image.reserveCapacity(min(expectedSize, 1 << 26))
        notesOffsets = true
    }

    /// Creates an empty builder for a document with very many objects.
    ///
    /// To save memory, such a builder keeps nothing but the image. It never merges scalars, even with `shared: true`.
    init(keepingOnlyImage: Void) {
        notesOffsets = false
    }

    /// Reserves memory for `factor` times the current contents.
    ///
    /// Growing the image later would need the old and the new buffer at the same time. Reserved pages that are never
    /// used take no physical memory.
    ///
    /// - Parameters:
    ///   - factor: The expected ratio of the final size to the current size.
    ///   - most: The maximum number of bytes to reserve.
    mutating func makeRoom(times factor: Double, atMost most: Int) {
        let expected = Double(image.count + 4 * objectCount) * factor
        guard expected > Double(image.capacity) else { return }
        // The extra eighth is for ascending numbers, such as row numbers, which take more bytes toward the end.
        image.reserveCapacity(min(Int(min(expected * 1.125, Double(UInt32.max))), most))
    }

    /// The bytes per reference in the image.
    static let referenceSize = 4

    /// Creates a builder of an edited copy of a document, which starts with all of the document's objects.
    ///
    /// - Parameter source: The original, whose references take ``referenceSize`` bytes.
    init(extending source: Document) {
        image = ImageBuffer(source.image.span.extracting(..<source.table.start), capacity: 2 * source.imageSize)
        notesOffsets = true
        objectCount = source.count
        offsets = (0..<source.count).map { UInt32(truncatingIfNeeded: source.offset(of: ObjectID($0)) ?? 8) }
        expansion.sharesContainers = source.mayShareContainers
        if !expansion.sharesContainers { expansion.ofSource = source.facts.expansionBound }
        dictionariesWithDuplicates = source.facts.dictionariesWithDuplicates
    }

    /// The number of bytes that the objects take so far.
    var imageSize: Int { image.count }

    /// The number of open containers.
    package var depth: Int { frames.count }

    /// The number of values in the innermost open container so far. A pair counts as two.
    package var pendingCount: Int { pending.count - (frames.last?.start ?? 0) }

    // MARK: Scalars

    /// Adds the null object.
    @discardableResult
    public mutating func addNull() -> ObjectID {
        beginScalar()
        image.append(ObjectMarker.null)
        return endScalar(shared: true)
    }

    /// Adds a Boolean.
    @discardableResult
    public mutating func add(boolean value: Bool) -> ObjectID {
        beginScalar()
        image.append(value ? ObjectMarker.true : ObjectMarker.false)
        return endScalar(shared: true)
    }

    /// Adds an integer in the smallest width.
    @discardableResult
    public mutating func add(integer value: Int128) -> ObjectID {
        add(StoredInteger(value))
    }

    /// Adds an integer in its stored width.
    @discardableResult
    public mutating func add(_ integer: StoredInteger, shared: Bool = true) -> ObjectID {
        beginScalar()
        let marker = ObjectMarker.integer | UInt8(integer.width.trailingZeroBitCount)
        if integer.width == 16 {
            image.append(marker, UInt64(truncatingIfNeeded: integer.value >> 64), width: 8)
            image.append(UInt64(truncatingIfNeeded: integer.value), width: 8)
        } else {
            image.append(marker, UInt64(truncatingIfNeeded: integer.value), width: integer.width)
        }
        return endScalar(shared: shared)
    }

    /// Adds a 64-bit real.
    @discardableResult
    public mutating func add(real64 value: Double, shared: Bool = true) -> ObjectID {
        add(marker: ObjectMarker.real64, bits: value.bitPattern, width: 8, shared: shared)
    }

    /// Adds a 32-bit real.
    @discardableResult
    public mutating func add(real32 value: Float, shared: Bool = true) -> ObjectID {
        add(marker: ObjectMarker.real32, bits: UInt64(value.bitPattern), width: 4, shared: shared)
    }

    /// Adds a date, given in seconds since 2001-01-01T00:00:00Z.
    @discardableResult
    public mutating func add(date seconds: Double, shared: Bool = true) -> ObjectID {
        add(marker: ObjectMarker.date, bits: seconds.bitPattern, width: 8, shared: shared)
    }

    /// Adds a UID.
    @discardableResult
    public mutating func add(_ uid: StoredUID, shared: Bool = true) -> ObjectID {
        beginScalar()
        let marker = ObjectMarker.uid | UInt8(uid.width - 1)
        if uid.width > 8 {
            image.append(marker, 0, width: uid.width - 8)
            image.append(UInt64(uid.value), width: 8)
        } else {
            image.append(marker, UInt64(uid.value), width: uid.width)
        }
        return endScalar(shared: shared)
    }

    /// Adds data.
    @discardableResult
    public mutating func add(data bytes: Span<UInt8>, shared: Bool = true) -> ObjectID {
        beginScalar()
        appendMarker(ObjectMarker.data, count: bytes.count)
        image.append(bytes)
        return endScalar(shared: shared)
    }

    /// Adds a string, stored as one byte per character if it is ASCII and as UTF-16 otherwise.
    @discardableResult
    public mutating func add(string: String) -> ObjectID {
        add(utf8: string.utf8.span)
    }

    /// Adds a string given as valid UTF-8.
    @discardableResult
    package mutating func add(utf8 bytes: Span<UInt8>, shared: Bool = true) -> ObjectID {
        add(utf8: bytes, in: bytes.indices, shared: shared)
    }

    /// Adds a string given as a range of a valid UTF-8 text.
    @discardableResult
    mutating func add(utf8 text: Span<UInt8>, in range: Range<Int>, shared: Bool = true) -> ObjectID {
        beginScalar()
        appendMarker(ObjectMarker.oneByteString, count: range.count)
        if !image.append(ascii: text, in: range) {
            image.removeLast(to: start)
            let bytes = text.extracting(range)
            appendMarker(ObjectMarker.utf16String, count: UTF8Text.utf16Count(of: bytes))
            UTF8Text.appendUTF16(of: bytes, to: &image)
        }
        return endScalar(shared: shared)
    }

    /// Adds a string given as UTF-16 code units, which may include lone surrogates.
    ///
    /// It is stored as one byte per character if it is ASCII, unless `alwaysWide` is set.
    @discardableResult
    public mutating func add(utf16 units: Span<UInt16>, shared: Bool = true, alwaysWide: Bool = false) -> ObjectID {
        beginScalar()
        var union: UInt16 = alwaysWide ? 0x80 : 0
        for position in units.indices { union |= units[position] }
        let isWide = union >= 0x80
        appendMarker(isWide ? ObjectMarker.utf16String : ObjectMarker.oneByteString, count: units.count)
        for position in units.indices {
            image.append(UInt64(units[position]), width: isWide ? 2 : 1)
        }
        return endScalar(shared: shared)
    }

    /// Adds a string stored as one byte per character, from U+0000 to U+00FF.
    @discardableResult
    mutating func add(latin1 bytes: [UInt8], shared: Bool = true) -> ObjectID {
        beginScalar()
        appendMarker(ObjectMarker.oneByteString, count: bytes.count)
        image.append(bytes.span)
        return endScalar(shared: shared)
    }

    /// Adds a scalar of another document with its bits and stored form. Containers and damaged objects become null.
    @discardableResult
    package mutating func add(_ object: StoredObject, of document: Document, shared: Bool = true) -> ObjectID {
        beginScalar()
        switch object.kind {
        case .null, .array, .set, .dictionary: image.append(ObjectMarker.null)
        case .false: image.append(ObjectMarker.false)
        case .true: image.append(ObjectMarker.true)
        case .integer: image.append(ObjectMarker.integer | UInt8(object.count.trailingZeroBitCount))
        case .real: image.append(object.count == 4 ? ObjectMarker.real32 : ObjectMarker.real64)
        case .date: image.append(ObjectMarker.date)
        case .uid: image.append(ObjectMarker.uid | UInt8(object.count - 1))
        case .data: appendMarker(ObjectMarker.data, count: object.count)
        case .oneByteString: appendMarker(ObjectMarker.oneByteString, count: object.count)
        case .utf16String: appendMarker(ObjectMarker.utf16String, count: object.count)
        }
        if !object.kind.isContainer {
            let size = object.kind == .utf16String ? 2 * object.count : object.count
            image.append(document.image.span.extracting(object.start..<object.start + size))
        }
        return endScalar(shared: shared)
    }

    /// Adds a scalar with its bits and stored form. A container becomes null.
    @discardableResult
    package mutating func add(_ node: Node, shared: Bool = true) -> ObjectID {
        switch node {
        case .null, .array, .set, .dictionary: addNull()
        case .boolean(let value): add(boolean: value)
        case .integer(let integer): add(integer, shared: shared)
        case .real32(let value): add(real32: value, shared: shared)
        case .real64(let value): add(real64: value, shared: shared)
        case .date(let seconds): add(date: seconds, shared: shared)
        case .data(let bytes): add(data: bytes.span, shared: shared)
        case .string(let text): add(text.object, of: text.document, shared: shared)
        case .uid(let uid): add(uid, shared: shared)
        }
    }

    // MARK: Containers

    /// Opens a container. The values added until it is closed become its contents.
    public mutating func open(_ container: Container) {
        frames.append(Frame(container: container, start: pending.count))
    }

    /// Closes the innermost open container, and adds it to the container around it.
    ///
    /// - Precondition: A container is open, and a dictionary has as many values as keys.
    @discardableResult
    public mutating func close() -> ObjectID {
        // Readers close only containers that they have opened, so no input can cause this failure.
        guard let frame = frames.popLast() else { preconditionFailure("no container is open") }
        let contents = frame.start..<pending.count
        precondition(!frame.container.isDictionary || contents.count % 2 == 0, "a dictionary's last key has no value")
        let id = beginObject()
        switch frame.container {
        case .array: appendContainer(ObjectMarker.array, count: contents.count, contents)
        case .set: appendContainer(ObjectMarker.set, count: contents.count, contents)
        case .storedDictionary: appendContainer(ObjectMarker.dictionary, count: contents.count / 2, contents)
        case .dictionary, .textDictionary:
            appendMarker(ObjectMarker.dictionary, count: contents.count / 2)
            image.append(pending, in: contents, by: 2)
            image.append(pending, in: contents.dropFirst(), by: 2)
        }
        if frame.container == .textDictionary, !overflowed,
            keyMarks.hasDuplicates(in: pending, contents, objectCount: objectCount)
        {
            dictionariesWithDuplicates.append(id)
        }
        pending.removeLast(contents.count)
        expansion.references += contents.count
        refer(to: id)
        return id
    }

    /// Adds an existing object of this builder once more, which makes it a shared object.
    public mutating func add(_ existing: ObjectID) {
        precondition(overflowed || existing.index < objectCount, "the object belongs to another document")
        add(existing, isShared: overflowed || image.bytes[Int(offsets[existing.index])] >= ObjectMarker.array)
    }

    /// Adds an existing object of this builder.
    ///
    /// - Parameters:
    ///   - existing: The object.
    ///   - isShared: Whether it is a container that may also be referenced elsewhere.
    package mutating func add(_ existing: ObjectID, isShared: Bool) {
        expansion.sharesContainers = expansion.sharesContainers || isShared
        refer(to: existing)
    }

    /// Removes the last value from the innermost open container and returns it, or returns nil if that is empty.
    ///
    /// The object stays in the table without a reference until it is added again.
    package mutating func takeLast() -> ObjectID? {
        guard pendingCount > 0, let last = pending.popLast() else { return nil }
        return ObjectID(Int(last))
    }

    /// Returns the document whose root is the last added object.
    ///
    /// - Parameters:
    ///   - format: The format that the document was read from, which decides which duplicate key is the effective one.
    ///   - sourceSize: The size of the file that it was read from, which limits the size of its output.
    /// - Throws: A problem if the builder is empty or a container is still open, or if the document has too many bytes
    ///   (4 GiB), objects (2³²) or values (the limit of the reader).
    public consuming func finish(format: Format? = nil, sourceSize: Int = 0) throws(Problem) -> Document {
        guard let root = pending.last, frames.isEmpty else { throw .emptyDocument() }
        start = image.count
        guard !overflowed, start <= Int(UInt32.max) else { throw overflow }
        appendOffsets()
        var facts = Document.Facts(sourceFormat: format, sourceSize: max(sourceSize, image.count), isFile: false)
        if sourceSize > 0 { facts.storedSize = sourceSize }
        if let size = expansion.size { facts.expansionBound = size }
        facts.warnings = warnings
        facts.dictionariesWithDuplicates = dictionariesWithDuplicates
        facts.formatFacts = formatFacts
        return Document(image: image.takeBytes(), table: table, root: ObjectID(Int(root)), facts: facts)
    }

    /// Returns the document whose root is the last added object, as an edited copy of `source`.
    ///
    /// The copy keeps the facts of the original, such as its warnings and source format.
    consuming func finish(editing source: Document) throws(Problem) -> Document {
        warnings = source.warnings
        formatFacts.isGraphJSON = source.isGraphJSON
        formatFacts.tagUse = source.tagUse
        formatFacts.hasComments = source.hasJSONComments
        formatFacts.openStepStyle = source.facts.formatFacts.openStepStyle
        return try finish(format: source.sourceFormat, sourceSize: source.sourceSize).allowing(asMuchAs: source)
    }

    /// The problem of a builder that has overflowed.
    var overflow: Problem { valueCount > maxValueCount ? .tooManyValues(maxValueCount) : .imageTooLarge() }

    /// The number of references to values so far, including those in open containers.
    private var valueCount: Int { expansion.references + pending.count }

    /// Returns the address of the value that would be added next, and the document built so far with a placeholder for
    /// that value. Returns nil if the builder has overflowed.
    ///
    /// If a key would be added next, the address names its pair by position, as in `~#3`.
    consuming func nextAddress() -> (address: JSONPointer, document: Document)? {
        let mark = add(data: [UInt8]().span, shared: false)
        while let frame = frames.last {
            if frame.container.isDictionary, pendingCount % 2 == 1 { addNull() }
            close()
        }
        guard let document = try? finish(format: .json) else { return nil }
        return (document.address(of: mark), document)
    }

    // MARK: The image

    private var table: OffsetTable {
        OffsetTable(start: start, count: objectCount, offsetSize: 4, referenceSize: Self.referenceSize)
    }

    private mutating func appendOffsets() {
        guard !notesOffsets else { return image.append(offsets, in: offsets.indices) }
        let table = table
        var offset = 8
        // Objects are stored without gaps.
        for _ in 0..<objectCount {
            image.append(UInt64(offset), width: 4)
            guard let object = ObjectMarker.object(in: image.bytes, at: offset, table: table) else { return }
            offset = object.end(in: table)
        }
    }

    private mutating func beginScalar() {
        // Offsets have 32 bits. Beyond that size only the overflow is recorded, which `finish` reports.
        if image.count > Int(UInt32.max) || objectCount >= Int(UInt32.max) - 1 || valueCount > maxValueCount {
            overflowed = true
            image.removeLast(to: 8)
            offsets.removeAll(keepingCapacity: true)
            objectCount = 0
            index = ScalarIndex()
        }
        start = image.count
    }

    private mutating func beginObject() -> ObjectID {
        beginScalar()
        noteOffset()
        return ObjectID(objectCount - 1)
    }

    private mutating func noteOffset() {
        if notesOffsets { offsets.append(UInt32(truncatingIfNeeded: start)) }
        objectCount += 1
    }

    /// Ends the scalar that was appended since `beginScalar`. If `shared`, merges it with an existing equal one.
    private mutating func endScalar(shared: Bool) -> ObjectID {
        let id = objectCount
        expansion.largestScalar = max(expansion.largestScalar, image.count - start)
        if shared, notesOffsets, let existing = index.insert(UInt32(id), at: start, of: image, offsets: offsets) {
            image.removeLast(to: start)
            let object = ObjectID(Int(existing))
            refer(to: object)
            return object
        }
        noteOffset()
        let object = ObjectID(id)
        refer(to: object)
        return object
    }

    private mutating func refer(to id: ObjectID) {
        pending.append(UInt32(truncatingIfNeeded: id.index))
    }

    private mutating func add(marker: UInt8, bits: UInt64, width: Int, shared: Bool) -> ObjectID {
        beginScalar()
        image.append(marker, bits, width: width)
        return endScalar(shared: shared)
    }

    private mutating func appendContainer(_ marker: UInt8, count: Int, _ contents: Range<Int>) {
        appendMarker(marker, count: count)
        image.append(pending, in: contents)
    }

    private mutating func appendMarker(_ marker: UInt8, count: Int) {
        if count < Int(ObjectMarker.countFollows) {
            image.append(marker | UInt8(count))
        } else {
            let width = min(StoredInteger.minimalWidth(of: Int128(count)), 8)
            image.append(marker | ObjectMarker.countFollows)
            image.append(ObjectMarker.integer | UInt8(width.trailingZeroBitCount), UInt64(count), width: width)
        }
    }
}
