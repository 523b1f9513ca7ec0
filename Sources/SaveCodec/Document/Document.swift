/// A property list in memory: a table of objects, in which an object's index is its identity and containers refer to
/// their contents by index.
///
/// Every document is stored as the image of a binary property list, the only format whose files *are* such tables:
///
///     bytes    62 70 6C 69 73 74 30 30  D1 01 02  51 6B  10 05   08 0B 0D   trailer
///              "bplist00"               #0 dict   #1 "k" #2 5    offsets
///                                       keys (1)
///                                       values (2)
///
/// A binary file is therefore checked and kept rather than copied into boxed values. An object takes no memory beyond
/// its bytes, shared objects stay shared, and key order, number widths and text encodings stay as stored. Readers of
/// the other formats build such an image with a ``DocumentBuilder``.
///
/// Every document is well formed: each object that is reachable from the root lies within the image, refers to existing
/// objects, and does not contain itself. Unreachable objects are kept but may be damaged.
///
/// A document is a small handle, a reference to its storage and the index of its root, and is cheap to copy.
public struct Document: Sendable {
    /// The immutable data that all parts of a document and all values read from it share.
    @usableFromInline
    final class Storage: Sendable {
        /// The bytes of the image. For a document read from a binary file, these are the bytes of the file.
        @usableFromInline let image: [UInt8]
        /// The offsets of the objects in the image.
        @usableFromInline let table: OffsetTable
        let facts: Facts
        let keyOrderCache = KeyOrderCache()

        init(image: [UInt8], table: OffsetTable, facts: Facts) {
            self.image = image
            self.table = table
            self.facts = facts
        }
    }

    /// The properties of a document other than its objects.
    ///
    /// Properties without a comment are documented where ``Document`` publishes them.
    struct Facts {
        var sourceFormat: Format?
        var sourceSize: Int
        /// See ``Limits/workFactor``.
        var workFactor = 1
        /// The byte count of the file as it is stored, if it is smaller than `sourceSize`; see ``Limits/storedSize``.
        var storedSize: Int?
        var isFile: Bool
        /// An upper bound of ``Document/expandedSize``, or `Int.max` if the reader did not find one.
        var expansionBound = Int.max
        /// The kinds whose objects, reachable or not, the reader found to be plain (see ``LosslessKinds``).
        var losslessKinds = LosslessKinds()
        var warnings: [Problem] = []
        /// The dictionaries with duplicate keys that were read from a text format.
        ///
        /// The last value of a duplicate key is the effective one, unlike in a binary property list.
        var dictionariesWithDuplicates: [ObjectID] = []
        var derivation: Derivation?
        /// The document that this one extends; nil if it is not an extension.
        var extended: Storage?
        /// The facts that depend on the format that was read.
        var formatFacts = FormatFacts()
    }

    /// The facts about a document that depend on the format that was read.
    struct FormatFacts {
        var isGraphJSON = false
        /// The use of tagged values in the JSON text that the document was read from.
        var tagUse = TagUse.unknown
        var tagContradiction: Problem?
        /// Whether the JSON text has comments or trailing commas.
        var hasComments = false
        /// Whether the JSON text contains a number that would be written with different digits.
        var losesDigits = false
        var nestedNotes = NestedSaveFindings()
        /// The offset of the text that the reader ignored; see ``Document/ignoredTextStart``.
        var ignoredTextStart: Int?
        /// The style of the OpenStep text that the document was read from; nil for other formats.
        var openStepStyle: OpenStepStyle?
        /// The details of the objects in a typedstream; nil for other formats.
        var typedStreamMetadata: TypedStreamMetadata?
        /// The tables of a database; nil for other formats.
        var databaseSchema: DatabaseSchema?
    }

    @usableFromInline let storage: Storage
    /// The root object.
    public let root: ObjectID

    init(_ storage: Storage, root: ObjectID) {
        self.storage = storage
        self.root = root
    }

    init(image: [UInt8], table: OffsetTable, root: ObjectID, facts: Facts) {
        self.init(Storage(image: image, table: table, facts: facts), root: root)
    }

    @inlinable
    @inline(__always)
    var image: [UInt8] { storage.image }
    @inlinable
    @inline(__always)
    var table: OffsetTable { storage.table }
    var facts: Facts { storage.facts }

    /// The format that the document was read from, or nil if it was built.
    public var sourceFormat: Format? { storage.facts.sourceFormat }
    /// The size in bytes of the file that the document was read from.
    ///
    /// For a text with many repetitions it is far greater than ``imageSize``.
    package var sourceSize: Int { storage.facts.sourceSize }
    /// The maximum number of bytes that may be written to show the document.
    package var maxShownByteCount: Int { workLimits.maxShownByteCount(of: sourceSize) }
    /// The maximum number of bytes that may be read to search the document.
    package var maxReadByteCount: Int { workLimits.maxReadByteCount(of: imageSize) }
    /// The limits that depend on the file that the document was read from.
    private var workLimits: Limits {
        var limits = Limits(workFactor: storage.facts.workFactor)
        limits.storedSize = storage.facts.storedSize
        return limits
    }
    /// Whether the image is a complete file, which is written back unchanged.
    package var isFile: Bool { storage.facts.isFile }
    /// The reader's warnings about unusual input that it accepted.
    public var warnings: [Problem] { storage.facts.warnings }
    /// Whether the document is graph JSON: the objects of an archive as JSON, which must be converted to an archive.
    package var isGraphJSON: Bool { storage.facts.formatFacts.isGraphJSON }
    /// The use of tagged values in the JSON text that the document was read from.
    var tagUse: TagUse { storage.facts.formatFacts.tagUse }
    /// Whether the document was read from plain JSON, in which objects that resemble tagged values are dictionaries.
    ///
    /// Such a document is written as plain JSON again.
    package var isPlainJSON: Bool { tagUse == .plain }
    /// The dialect for reading JSON written from the document, or its text after edits.
    package var dialect: JSON.Dialect {
        JSON.Dialect(tags: isPlainJSON ? .plain : .detected, allowsComments: hasJSONComments)
    }
    /// Whether the document was read from JSON with comments or trailing commas.
    package var hasJSONComments: Bool { storage.facts.formatFacts.hasComments }
    /// The reason why a JSON text that contains tags is treated as plain JSON, such as a tag with invalid contents; nil
    /// for any other document.
    package var tagContradiction: Problem? { storage.facts.formatFacts.tagContradiction }
    /// The findings about the nested saves in the JSON text that the document was read from.
    package var nestedNotes: NestedSaveFindings { storage.facts.formatFacts.nestedNotes }

    /// The relation of an edited document to its original, or nil for a document that was read or built.
    package var derivation: Derivation? { storage.facts.derivation }

    /// The number of objects in the table, including unreachable ones.
    public var count: Int { table.count }

    /// The size of the image in bytes.
    package var imageSize: Int { image.count }

    /// Whether the last of several duplicate keys is the effective one, as in text formats. Otherwise the first is.
    @usableFromInline package var lastDuplicateWins: Bool { has(.lastDuplicateKeyWins) }

    /// Returns the effective one of several positions in a dictionary: the first or last one that matches a key.
    @inlinable package func effective(
        of positions: some BidirectionalCollection<Int>, where matches: (Int) -> Bool
    ) -> Int? {
        lastDuplicateWins ? positions.last(where: matches) : positions.first(where: matches)
    }

    /// Returns the effective value of each key.
    @inlinable package func effective<Key: Hashable, Value>(_ pairs: some Sequence<(Key, Value)>) -> [Key: Value] {
        let lastWins = lastDuplicateWins
        return Dictionary(pairs, uniquingKeysWith: { lastWins ? $1 : $0 })
    }

    /// Returns the part of the document that starts at one of its objects. The part is not a complete file.
    package func rooted(at id: ObjectID) -> Document {
        let part = with { ($0.isFile, $0.extended) = (false, nil) }
        return Document(part.storage, root: id)
    }

    /// Whether this document holds the same value as another, with keys and set members in the same order.
    ///
    /// The time is linear only if no container in this document is shared, as in a document read from text.
    ///
    /// - Parameters:
    ///   - other: The document to compare with.
    ///   - isSameData: A function that decides whether two data values with different bytes are treated as equal.
    package func hasSameTree(
        as other: Document, orSameData isSameData: (_ mine: ObjectID, _ others: ObjectID) -> Bool = { _, _ in false }
    ) -> Bool {
        var frames: [(mine: StoredObject, others: StoredObject, next: Int)] = []
        var (mine, others) = (root, other.root)
        while true {
            let (object, expected) = (object(mine), other.object(others))
            if object.kind.isContainer {
                guard object.kind == expected.kind, object.count == expected.count else { return false }
                frames.append((object, expected, 0))
            } else {
                let isSame =
                    sameScalar(object, as: expected, in: other)
                    || object.kind == .data && expected.kind == .data && isSameData(mine, others)
                guard isSame else { return false }
            }
            while let frame = frames.last, frame.next == frame.mine.referenceCount { frames.removeLast() }
            guard let frame = frames.last else { return true }
            frames[frames.count - 1].next += 1
            (mine, others) = (reference(frame.next, of: frame.mine), other.reference(frame.next, of: frame.others))
        }
    }

    /// Returns the document with the work factor and the stored size of `limits`.
    ///
    /// - Throws: `limit.values` if layers of the file were removed, and it has far more values than its size suggests.
    package func allowing(_ limits: Limits) throws(Problem) -> Document {
        guard let size = limits.storedSize else { return allowing(workFactor: limits.workFactor, facts.storedSize) }
        var count = 0
        // Only a large document can have so many values.
        let isLarge = sourceSize > limits.maxValueCount(of: size)
        for index in 0..<(isLarge ? self.count : 0) { count += object(ObjectID(index)).referenceCount }
        guard count <= limits.maxValueCount(of: size) else { throw .tooManyValues(limits.maxValueCount(of: size)) }
        return allowing(workFactor: limits.workFactor, min(size, facts.storedSize ?? size))
    }

    /// Returns the document with the work factor and the stored size of `source`, the document that it was made from.
    func allowing(asMuchAs source: Document) -> Document {
        allowing(workFactor: source.facts.workFactor, source.facts.storedSize)
    }

    private func allowing(workFactor: Int, _ storedSize: Int?) -> Document {
        guard workFactor != facts.workFactor || storedSize != facts.storedSize else { return self }
        return with { ($0.workFactor, $0.storedSize) = (workFactor, storedSize) }
    }

    func with(_ change: (inout Facts) -> Void) -> Document {
        var facts = facts
        change(&facts)
        return Document(image: image, table: table, root: root, facts: facts)
    }
}

/// The index of an object in its document's table, which is its identity.
public struct ObjectID: Sendable, Hashable, Comparable {
    /// The position in the table, from 0.
    public let index: Int

    @inlinable
    package init(_ index: Int) {
        self.index = index
    }

    /// Compares objects by their index.
    public static func < (a: ObjectID, b: ObjectID) -> Bool {
        a.index < b.index
    }
}

/// The kinds whose objects are all plain: none has a property that a text format could lose.
struct LosslessKinds {
    /// One bit for each value of the high four bits of a marker.
    private var bits: UInt16 = 0

    init() {}

    init(all kinds: UInt16, besides odd: UInt16) {
        bits = kinds & ~odd
    }

    @inline(__always)
    func contains(marker: UInt8) -> Bool { bits & Self.bit(marker) != 0 }

    @inline(__always)
    static func bit(_ marker: UInt8) -> UInt16 { 1 << UInt16(marker >> 4) }
}

/// The location of the offset table of a binary property list, and the sizes declared by its trailer (see
/// <doc:BinaryFormat>).
@usableFromInline
struct OffsetTable: Sendable, Equatable {
    /// The offset of the table, which is the end of the objects.
    @usableFromInline var start: Int
    /// The number of objects.
    @usableFromInline var count: Int
    /// The bytes per entry, 1 to 255. Only the last eight bytes of an entry are significant.
    @usableFromInline var offsetSize: Int
    /// The bytes per reference in a container, 1 to 255. Only the last eight bytes of a reference are significant.
    @usableFromInline var referenceSize: Int
}

extension Document {
    func end(of object: StoredObject) -> Int { object.end(in: table) }

    /// Returns the object as stored in the image.
    ///
    /// For a reachable object, this is the object that the reader checked. An unreachable object may be damaged; then
    /// this method returns null, and ``checkedObject(_:)`` returns nil.
    ///
    /// Other modules call this at every step, so this method and everything it uses are inlinable.
    @inlinable
    @inline(__always)
    package func object(_ id: ObjectID) -> StoredObject {
        checkedObject(id) ?? StoredObject(kind: .null, start: 8, count: 0)
    }

    /// Returns the object as stored in the image, or nil if its offset, marker or extent is invalid.
    @inlinable
    @inline(__always)
    func checkedObject(_ id: ObjectID) -> StoredObject? {
        guard let offset = offset(of: id) else { return nil }
        return ObjectMarker.object(in: image, at: offset, table: table)
    }

    /// Returns the offset of the object's marker in the image, or nil if it lies outside the objects.
    @inlinable
    @inline(__always)
    package func offset(of id: ObjectID) -> Int? {
        guard id.index >= 0, id.index < table.count else { return nil }
        let offset = image.bigEndian(at: table.start &+ id.index &* table.offsetSize, width: table.offsetSize)
        return offset >= 8 && offset < UInt64(table.start) ? Int(truncatingIfNeeded: offset) : nil
    }

    /// Returns the object if it is a container, or else nil. For a scalar, only the marker is read.
    @inlinable
    @inline(__always)
    package func container(_ id: ObjectID) -> StoredObject? {
        guard marker(of: id) >= ObjectMarker.array else { return nil }
        let object = object(id)
        return object.kind.isContainer ? object : nil
    }

    /// Returns the value of a UID; nil for any other object, after reading only its marker.
    @inlinable
    @inline(__always)
    package func uid(_ id: ObjectID) -> UInt32? {
        guard let offset = offset(of: id) else { return nil }
        return ObjectMarker.uid(in: image, at: offset, end: table.start)
    }

    /// Returns the marker of an object, or ``ObjectMarker/null`` for an unreachable object outside the object area.
    @inlinable
    @inline(__always)
    func marker(of id: ObjectID) -> UInt8 {
        offset(of: id).map { image[$0] } ?? ObjectMarker.null
    }

    /// Whether an object is a string or data, after reading only its marker.
    package func isTextOrData(_ id: ObjectID) -> Bool {
        let marker = marker(of: id)
        return ObjectMarker.isString(marker) || marker & 0xF0 == ObjectMarker.data
    }

    /// Returns a reference of a container. The references of a dictionary are all its keys, followed by all its values.
    @inlinable
    @inline(__always)
    package func reference(_ position: Int, of container: StoredObject) -> ObjectID {
        let value = image.bigEndian(at: container.start &+ position &* table.referenceSize, width: table.referenceSize)
        return ObjectID(Int(truncatingIfNeeded: value))
    }

    /// Returns an element of an array or set, or the value of a pair of a dictionary.
    @inlinable
    package func member(_ position: Int, of container: StoredObject) -> ObjectID {
        container.kind == .dictionary ? value(position, of: container) : reference(position, of: container)
    }

    /// Returns the key of the pair at `position` of a dictionary.
    @inlinable
    @inline(__always)
    package func key(_ position: Int, of dictionary: StoredObject) -> ObjectID {
        reference(position, of: dictionary)
    }

    /// Returns the value of the pair at `position` of a dictionary.
    @inlinable
    @inline(__always)
    package func value(_ position: Int, of dictionary: StoredObject) -> ObjectID {
        reference(dictionary.count &+ position, of: dictionary)
    }
}

extension [UInt8] {
    /// Returns the big-endian unsigned number in `width` bytes at `position`. If `width` exceeds eight, only the last
    /// eight bytes are used.
    @inlinable
    @inline(__always)
    func bigEndian(at position: Int, width: Int) -> UInt64 {
        switch width {
        case 1:
            return UInt64(self[position])
        case 2:
            return UInt64((span.load(at: position) as UInt16).byteSwapped)
        case 4:
            return UInt64((span.load(at: position) as UInt32).byteSwapped)
        case 8:
            return (span.load(at: position) as UInt64).byteSwapped
        default:
            var value: UInt64 = 0
            for index in position..<position &+ width { value = value << 8 | UInt64(self[index]) }
            return value
        }
    }
}

// MARK: Programs

/// Shortcuts for programs that read one file and look up a few values.
extension Document {
    /// Reads a document, detecting its format from the content.
    ///
    ///     let document = try Document(bytes)
    ///     if case .integer(let gems) = document["gems"] { print(gems.value) }
    ///
    /// - Throws: The first problem that makes the bytes unreadable, with its location.
    public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) {
        self = try Document.read(bytes, as: Format.recognize(bytes), limits: limits)
    }

    /// Returns the document as a file in a format, as ``write(as:to:options:limits:)`` writes it.
    ///
    /// - Throws: A problem if the document is too large to be written as a tree, or if the format is read-only.
    public func bytes(
        as format: Format, options: WriteOptions = WriteOptions(), limits: Limits = Limits()
    ) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try write(as: format, to: &output, options: options, limits: limits)
        return output.takeBytes()
    }

    /// The value for a key of the root dictionary, or nil if the key does not exist or the root is not a dictionary.
    public subscript(key: String) -> Node? {
        guard case .dictionary(let pairs) = self[root] else { return nil }
        return pairs[key]
    }
}

extension Pairs {
    /// The value for a key, found by ``value(for:)``, or nil if the key does not exist.
    public subscript(key: String) -> Node? {
        value(for: key.utf16).map { document[$0] }
    }
}

// MARK: Sizes

extension Document {
    /// Returns the size in bytes of an object in a binary property list, or 0 for an unreachable damaged object.
    ///
    /// The size includes the marker, the count if it is stored separately, and the contents. A container's contents are
    /// its references. For a document that was not read from a binary file, references have the size that a binary file
    /// would use.
    package func storedSize(of id: ObjectID) -> Int {
        guard storage.facts.extended == nil else { return original.storedSize(of: id) }
        guard let offset = offset(of: id), let object = checkedObject(id) else { return 0 }
        guard object.kind.isContainer, !isFile else { return end(of: object) - offset }
        let width = count <= 0xFF ? 1 : count <= 0xFFFF ? 2 : 4
        return object.start - offset + object.referenceCount * width
    }
}
