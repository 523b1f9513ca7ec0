/// Composes a document, object after object.
///
/// Contents come before their container: the objects of an open container wait in a list until it is closed, and every
/// value that is added while a container is open becomes its next element (in a dictionary: key, value, key, value …).
///
///     var builder = DocumentBuilder()
///     builder.open(.dictionary)
///     builder.add(string: "health")
///     builder.add(integer: 100)
///     builder.close()
///     let document = try builder.finish()
///
/// Scalars that are equal in kind, bits and stored form become one object, as Core Foundation's XML reader has it; pass
/// `shared: false` for an object of its own.
public struct DocumentBuilder: ~Copyable {
    /// What a container is that is being filled.
    public enum Container: Sendable {
        /// Elements in order.
        case array
        /// Elements whose order means nothing.
        case set
        /// Keys and values in turn.
        case dictionary
        /// Keys and values in turn, of a text format, where the last value of a repeated key counts.
        case textDictionary
        /// All keys and then all values, as a binary file has them.
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

    /// What bounds the size of the document as a tree.
    private struct ExpansionBound {
        var largestScalar = 0
        var references = 0
        /// Whether a container may be referred to several times.
        var sharesContainers = false
        /// The bound of the objects that there were at first.
        var ofSource = 0

        /// The bound; nil if there is none.
        var size: Int? {
            if sharesContainers { return nil }
            return ofSource + Document.expansionBound(references: references, largestScalar: largestScalar)
        }
    }

    private var image = ImageBuffer(Array("bplist00".utf8))
    /// Where the object starts that is being appended.
    private var start = 8
    private var offsets: [UInt32] = []
    /// Whether offsets are noted as objects are added; if not, they are found in the image at the end.
    private let notesOffsets: Bool
    private var objectCount = 0
    private var pending: [UInt32] = []
    private var frames: [Frame] = []
    private var index = ScalarIndex()
    private var repeating: [ObjectID] = []
    private var keyMarks = KeyMarks()
    private var overflowed = false
    private var expansion = ExpansionBound()

    /// Warnings that the finished document will carry.
    var warnings: [Problem] = []
    /// The facts of its format that the finished document will have.
    var formatFacts = Document.FormatFacts()

    /// Creates an empty builder.
    ///
    /// - Parameter expectedSize: how many bytes the image may come to; only a hint.
    public init(expectedSize: Int = 0) {
        image.reserveCapacity(min(expectedSize, 1 << 26))
        notesOffsets = true
    }

    /// Creates an empty builder of a document with a great many objects, of which no more is kept than the image. No scalar
    /// takes the place of one that is added behind it, whatever is said.
    init(keepingOnlyImage: Void) {
        notesOffsets = false
    }

    /// Makes room for what the document will come to if so many times as many objects follow: what has to grow is there
    /// twice meanwhile, and what is never used takes no memory.
    ///
    /// - Parameter most: how many bytes room is made for at most.
    mutating func makeRoom(times factor: Double, atMost most: Int) {
        let expected = Double(image.count + 4 * objectCount) * factor
        guard expected > Double(image.capacity) else { return }
        // Numbers that count take more bytes later.
        image.reserveCapacity(min(Int(min(expected * 1.125, Double(UInt32.max))), most))
    }

    /// The bytes that a reference takes in the image.
    static let referenceSize = 4

    /// Creates a builder of an edited copy of a document whose references take ``referenceSize`` bytes, with all its
    /// objects to begin with.
    init(extending source: Document) {
        image = ImageBuffer(Array(source.image[..<source.table.start]))
        notesOffsets = true
        objectCount = source.count
        offsets = (0..<source.count).map { UInt32(truncatingIfNeeded: source.offset(of: ObjectID($0)) ?? 8) }
        expansion.sharesContainers = source.mayShareContainers
        if !expansion.sharesContainers { expansion.ofSource = source.facts.expansionBound }
        repeating = source.facts.repeatingDictionaries
    }

    /// How many bytes the objects take so far.
    var imageSize: Int { image.count }

    /// How many containers are open.
    package var depth: Int { frames.count }

    /// How many values the innermost open container holds so far; keys and values count alike.
    package var pendingCount: Int { pending.count - (frames.last?.start ?? 0) }

    // MARK: Scalars

    /// Adds the null object.
    @discardableResult
    public mutating func addNull() -> ObjectID {
        beginScalar()
        image.append(ObjectMarker.null)
        return endScalar(shared: true)
    }

    /// Adds a boolean.
    @discardableResult
    public mutating func add(boolean value: Bool) -> ObjectID {
        beginScalar()
        image.append(value ? ObjectMarker.true : ObjectMarker.false)
        return endScalar(shared: true)
    }

    /// Adds a whole number in the least width.
    @discardableResult
    public mutating func add(integer value: Int128) -> ObjectID {
        add(StoredInteger(value))
    }

    /// Adds a whole number in its stored width.
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

    /// Adds a real number of eight bytes.
    @discardableResult
    public mutating func add(real64 value: Double, shared: Bool = true) -> ObjectID {
        add(marker: ObjectMarker.real64, bits: value.bitPattern, width: 8, shared: shared)
    }

    /// Adds a real number of four bytes.
    @discardableResult
    public mutating func add(real32 value: Float, shared: Bool = true) -> ObjectID {
        add(marker: ObjectMarker.real32, bits: UInt64(value.bitPattern), width: 4, shared: shared)
    }

    /// Adds a date, in seconds since 2001-01-01T00:00:00Z.
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

    /// Adds a string, stored with one byte per character if all of them are ASCII.
    @discardableResult
    public mutating func add(string: String) -> ObjectID {
        add(utf8: string.utf8.span)
    }

    /// Adds a string given in UTF-8, which must be valid.
    @discardableResult
    package mutating func add(utf8 bytes: Span<UInt8>, shared: Bool = true) -> ObjectID {
        add(utf8: bytes, in: bytes.indices, shared: shared)
    }

    /// Adds a string that stands in a range of a text in UTF-8, which must be valid.
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

    /// Adds a string given in UTF-16 code units, which may hold lone surrogates; stored with one byte per character if
    /// all of them are ASCII and `alwaysWide` is not set.
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

    /// Adds a string stored with one byte per character, which stands for U+0000 to U+00FF.
    @discardableResult
    mutating func add(latin1 bytes: [UInt8], shared: Bool = true) -> ObjectID {
        beginScalar()
        appendMarker(ObjectMarker.oneByteString, count: bytes.count)
        image.append(bytes.span)
        return endScalar(shared: shared)
    }

    /// Adds a scalar of another document with its bits and stored form. Containers and unsound objects read as null.
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

    /// Adds a scalar with its bits and its stored form. A container reads as null.
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

    /// Opens a container. What is added until it is closed are its contents.
    public mutating func open(_ container: Container) {
        frames.append(Frame(container: container, start: pending.count))
    }

    /// Closes the innermost open container, which becomes an object of its own, added to the container around it.
    ///
    /// A container is open, and a dictionary has been given as many values as keys; anything else is an error of the
    /// program.
    @discardableResult
    public mutating func close() -> ObjectID {
        // Readers close only what they have opened, so no input leads here.
        guard let frame = frames.popLast() else { preconditionFailure("no container is open") }
        let contents = frame.start..<pending.count
        expansion.references += contents.count
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
            keyMarks.hasRepeats(in: pending, contents, objectCount: objectCount)
        {
            repeating.append(id)
        }
        pending.removeLast(contents.count)
        refer(to: id)
        return id
    }

    /// Adds an object that exists already once more, so that it is shared. It must be one of this builder.
    public mutating func add(_ existing: ObjectID) {
        precondition(overflowed || existing.index < objectCount, "the object is of another document")
        add(existing, isShared: overflowed || image.bytes[Int(offsets[existing.index])] >= ObjectMarker.array)
    }

    /// Adds an object that exists.
    ///
    /// - Parameter isShared: whether it is a container that may be referred to from elsewhere as well.
    package mutating func add(_ existing: ObjectID, isShared: Bool) {
        expansion.sharesContainers = expansion.sharesContainers || isShared
        refer(to: existing)
    }

    /// Takes back the object that was added last to the innermost open container. It stays in the table, unreferenced,
    /// until it is added again.
    package mutating func takeLast() -> ObjectID? {
        guard pendingCount > 0, let last = pending.popLast() else { return nil }
        return ObjectID(Int(last))
    }

    /// The document whose root is the object that was added last.
    ///
    /// - Parameters:
    ///   - format: the format that it was read from, which decides how repeated keys are looked up.
    ///   - sourceSize: the size of the file that it was read from, which bounds how large it may be written.
    /// - Throws: a problem if nothing was added, or if the image would exceed 4 GiB or 2³² objects.
    public consuming func finish(format: Format? = nil, sourceSize: Int = 0) throws(Problem) -> Document {
        guard let root = pending.last, frames.isEmpty else { throw .emptyDocument() }
        start = image.count
        guard !overflowed, start <= Int(UInt32.max) else {
            throw .imageTooLarge()
        }
        appendOffsets()
        var facts = Document.Facts(sourceFormat: format, sourceSize: max(sourceSize, image.count), isFile: false)
        if let size = expansion.size { facts.expansionBound = size }
        facts.warnings = warnings
        facts.repeatingDictionaries = repeating
        facts.formatFacts = formatFacts
        return Document(
            image: image.takeBytes(),
            table: table,
            root: ObjectID(Int(root)), facts: facts)
    }

    /// The document whose root is the object that was added last, an edited copy of another: what is known of that
    /// beyond its objects is true of this one.
    consuming func finish(editing source: Document) throws(Problem) -> Document {
        warnings = source.warnings
        formatFacts.isGraphJSON = source.isGraphJSON
        formatFacts.tagUse = source.tagUse
        formatFacts.openStepLayout = source.facts.formatFacts.openStepLayout
        return try finish(format: source.sourceFormat, sourceSize: source.sourceSize)
    }

    /// The document as far as it has been built, and the address that the value would have in it that is added next; of a
    /// key that is added next, that of its dictionary.
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

    /// The offset table as it is at the end.
    private var table: OffsetTable {
        OffsetTable(start: start, count: objectCount, offsetSize: 4, referenceSize: Self.referenceSize)
    }

    private mutating func appendOffsets() {
        guard !notesOffsets else { return image.append(offsets, in: offsets.indices) }
        let table = table
        var offset = 8
        // Objects stand one behind the other.
        for _ in 0..<objectCount {
            image.append(UInt64(offset), width: 4)
            guard let object = ObjectMarker.object(in: image.bytes, at: offset, table: table) else { return }
            offset = object.end(in: table)
        }
    }

    private mutating func beginScalar() {
        // Offsets of 32 bits bound the image; beyond them nothing is kept but the fact, which `finish` reports.
        if image.count > Int(UInt32.max) || objectCount >= Int(UInt32.max) - 1 {
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

    /// Ends the scalar whose bytes were appended since `beginScalar`; an equal one that exists takes its place.
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
