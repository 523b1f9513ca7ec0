/// A property list in memory: a table of objects, in which an object's number is its identity and containers refer to
/// their contents by number.
///
/// Every document is held as the image of a binary property list, the one format whose file *is* such a table:
///
///     bytes    62 70 6C 69 73 74 30 30  D1 01 02  51 6B  10 05   08 0B 0D   trailer
///              "bplist00"               #0 dict   #1 "k" #2 5    offsets
///                                       keys (1)
///                                       values (2)
///
/// So a binary file is not copied into boxed values but checked and kept: an object costs nothing beyond its bytes, a
/// shared object stays shared, and key order, number widths and text encodings stay as they were stored. Readers of the
/// other formats compose such an image through a ``DocumentBuilder``.
///
/// A document that exists is sound: every object that its root reaches lies within the image, refers to objects that
/// exist, and reaches itself by no path. Objects that the root does not reach are carried, not promised.
///
/// A document is a handle: a reference to what was read and the number of an object, cheap to keep and to pass on.
public struct Document: Sendable {
    /// What was read or built, shared by all parts of it and by every value looked at.
    @usableFromInline
    final class Storage: Sendable {
        /// The image. For a document read from a binary file, the file.
        @usableFromInline let image: [UInt8]
        /// Where in the image the objects stand.
        @usableFromInline let table: OffsetTable
        /// What is known beyond the objects themselves.
        let facts: Facts
        /// The order of keys as far as it has been found.
        let sortedKeys = SortedKeys()

        init(image: [UInt8], table: OffsetTable, facts: Facts) {
            self.image = image
            self.table = table
            self.facts = facts
        }
    }

    /// What is known of a document beyond its objects.
    struct Facts {
        /// The format that the document was read from; nil if it was built.
        var sourceFormat: Format?
        /// The size of what the document was read from: of a text that repeats itself much more than that of the image.
        var sourceSize: Int
        /// See ``Limits/workFactor``.
        var workFactor = 1
        /// Whether the image is a file, to be written as it is.
        var isFile: Bool
        /// What ``Document/expandedSize`` does not exceed, as far as the reader could tell in passing.
        var expansionBound = Int.max
        /// What is common to all objects of a kind, whether reached or not, as far as the reader could tell in passing.
        var plainKinds = PlainKinds()
        /// What the reader accepted but someone should look at.
        var warnings: [Problem] = []
        /// Dictionaries of a text format in which a key stands more than once, so that the last value counts. (In a
        /// binary property list the first does.)
        var repeatingDictionaries: [ObjectID] = []
        /// What an edited document has of the one that it was made of.
        var derivation: Derivation?
        /// The facts that only the reader of one format finds.
        var formatFacts = FormatFacts()
    }

    /// The facts about a document that only the reader of one format finds.
    struct FormatFacts {
        /// Whether this is the object graph of an archive as JSON, to be made an archive of.
        var isGraphJSON = false
        /// The use of tagged values in the JSON text that this was read from.
        var tagUse = TagUse.unknown
        /// The reason why the text is plain JSON: the first object that resembles a tagged value but is not valid.
        var tagContradiction: Problem?
        /// Whether the JSON text that this was read from holds a number with other digits than its value is written with.
        var losesDigits = false
        /// What is to be told of the saves that stand in place of data in the JSON text that this was read from.
        var nestedNotes = NestedNotes()
        /// The layout of the OpenStep text that this was read from; nil for other formats.
        var openStepLayout: OpenStepLayout?
        /// What a typedstream says of the objects; nil for other formats.
        var streamDetails: StreamDetails?
        /// What is known of the tables of a database; nil for other formats.
        var databaseSchema: DatabaseSchema?
    }

    @usableFromInline let storage: Storage
    /// The object that the document consists of.
    public let root: ObjectID

    private init(_ storage: Storage, root: ObjectID) {
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

    /// The format that the document was read from; nil if it was built.
    public var sourceFormat: Format? { storage.facts.sourceFormat }
    /// The size of what the document was read from: of a text that repeats itself much more than that of the image.
    package var sourceSize: Int { storage.facts.sourceSize }
    /// How many bytes may be written to show the document.
    package var mostShown: Int { Limits(workFactor: storage.facts.workFactor).mostShown(of: imageSize) }
    /// How many bytes may be looked at to find something in the document.
    package var mostRead: Int { Limits(workFactor: storage.facts.workFactor).mostRead(of: imageSize) }
    /// Whether the image is a file, to be written as it is.
    package var isFile: Bool { storage.facts.isFile }
    /// What the reader accepted but someone should look at.
    public var warnings: [Problem] { storage.facts.warnings }
    /// Whether this is the object graph of an archive as JSON, to be made an archive of.
    package var isGraphJSON: Bool { storage.facts.formatFacts.isGraphJSON }
    /// Which tagged values there are in the JSON text that this was read from.
    var tagUse: TagUse { storage.facts.formatFacts.tagUse }
    /// Whether this was read from JSON in which objects named like tagged values are dictionaries. It is written as such
    /// again.
    package var isPlainJSON: Bool { tagUse == .plain }
    /// The dialect in which JSON written from the document is read back.
    package var dialect: JSON.Dialect { isPlainJSON ? .plain : .detected }
    /// The reason why the text is plain JSON: the first object that resembles a tagged value but is not valid.
    package var tagContradiction: Problem? { storage.facts.formatFacts.tagContradiction }
    /// What is to be told of the saves that stand in place of data in the JSON text that this was read from.
    package var nestedNotes: NestedNotes { storage.facts.formatFacts.nestedNotes }

    /// What an edited document has of the one that it was made of; nil for one that was read or built.
    package var derivation: Derivation? { storage.facts.derivation }

    /// How many objects the table has, those that the root does not reach included.
    public var count: Int { table.count }

    /// The size of the image in bytes.
    package var imageSize: Int { image.count }

    /// Whether the value of a repeated key is the last one stored (text formats) or the first (binary), as Foundation's
    /// readers have it.
    package var lastRepeatedKeyWins: Bool {
        has(.lastDuplicateKeyWins)
    }
}

extension Document {
    /// The part of the document that starts at one of its objects. It is no file.
    func rooted(at id: ObjectID) -> Document {
        let part = noting { $0.isFile = false }
        return Document(part.storage, root: id)
    }

    /// Whether this document, read from a text, in which a container stands in one place, holds the same value as
    /// another one, with keys and members of sets in the same order.
    ///
    /// - Parameter isSameData: whether two data values that differ are taken for the same.
    package func hasSameTree(
        as other: Document, orSameData isSameData: (_ mine: ObjectID, _ others: ObjectID) -> Bool = { _, _ in false }
    ) -> Bool {
        var pairs = [(root, other.root)]
        while let (mine, others) = pairs.popLast() {
            let (object, expected) = (object(mine), other.object(others))
            guard object.kind.isContainer else {
                let isSame =
                    sameScalar(object, as: expected, in: other)
                    || object.kind == .data && expected.kind == .data && isSameData(mine, others)
                guard isSame else { return false }
                continue
            }
            guard object.kind == expected.kind, object.count == expected.count else { return false }
            for position in 0..<object.referenceCount {
                pairs.append((reference(position, of: object), other.reference(position, of: expected)))
            }
        }
        return true
    }

    /// The document with other facts. The image is shared.
    /// The document with the work that it may ask for.
    func allowing(_ limits: Limits) -> Document {
        limits.workFactor == facts.workFactor ? self : noting { $0.workFactor = limits.workFactor }
    }

    func noting(_ change: (inout Facts) -> Void) -> Document {
        var facts = facts
        change(&facts)
        return Document(image: image, table: table, root: root, facts: facts)
    }
}

/// The number of an object in its document's table, which is its identity.
public struct ObjectID: Sendable, Hashable, Comparable {
    /// The position in the table, from 0.
    public let index: Int

    @inlinable
    package init(_ index: Int) {
        self.index = index
    }

    /// Objects are ordered by their number.
    public static func < (a: ObjectID, b: ObjectID) -> Bool {
        a.index < b.index
    }
}

/// Kinds of objects of which none in a document has anything that a format could lose.
struct PlainKinds {
    /// A bit for each value of the high four bits of a marker.
    private var bits: UInt16 = 0

    init() {}

    /// Those of which a reader has looked at every object, but for those that it has found to be odd.
    init(all kinds: UInt16, besides odd: UInt16) {
        bits = kinds & ~odd
    }

    /// Whether an object with this marker is one of them.
    @inline(__always)
    func contains(marker: UInt8) -> Bool { bits & Self.bit(marker) != 0 }

    @inline(__always)
    static func bit(_ marker: UInt8) -> UInt16 { 1 << UInt16(marker >> 4) }
}

/// The offset table of a binary property list, and the widths that its trailer declares (<doc:BinaryFormat>).
@usableFromInline
struct OffsetTable: Sendable, Equatable {
    /// Where the table starts; the objects end here.
    @usableFromInline var start: Int
    /// How many objects there are.
    @usableFromInline var count: Int
    /// Bytes per entry, 1 to 255, of which the low eight count.
    @usableFromInline var offsetSize: Int
    /// Bytes per reference in a container, 1 to 255, of which the low eight count.
    @usableFromInline var referenceSize: Int
}

extension Document {
    /// Where the contents of an object end.
    func end(of object: StoredObject) -> Int { object.end(in: table) }
}

extension Document {
    /// The object as it lies in the image.
    ///
    /// For an object that the root reaches this always finds what the reader checked. An unreachable one may be damaged;
    /// it reads as null here, and as nil from ``checkedObject(_:)``.
    ///
    /// Other modules look up objects at every step, so this and what it consists of are inlinable.
    @inlinable
    @inline(__always)
    package func object(_ id: ObjectID) -> StoredObject {
        checkedObject(id) ?? StoredObject(kind: .null, start: 8, count: 0)
    }

    /// The object as it lies in the image, or nil if its offset, marker or extent is wrong.
    @inlinable
    @inline(__always)
    func checkedObject(_ id: ObjectID) -> StoredObject? {
        guard let offset = offset(of: id) else { return nil }
        return ObjectMarker.object(in: image, at: offset, table: table)
    }

    /// Where in the image the object's marker stands, or nil if that is outside the objects.
    @inlinable
    @inline(__always)
    package func offset(of id: ObjectID) -> Int? {
        guard id.index >= 0, id.index < table.count else { return nil }
        let offset = image.bigEndian(at: table.start &+ id.index &* table.offsetSize, width: table.offsetSize)
        return offset >= 8 && offset < UInt64(table.start) ? Int(truncatingIfNeeded: offset) : nil
    }

    /// The object if it is a container; of a scalar this looks at nothing but the marker.
    @inlinable
    @inline(__always)
    package func container(_ id: ObjectID) -> StoredObject? {
        guard marker(of: id) >= ObjectMarker.array else { return nil }
        let object = object(id)
        return object.kind.isContainer ? object : nil
    }

    /// The number of a UID; nil for any other object, of which this looks at nothing but the marker.
    @inlinable
    @inline(__always)
    package func uid(_ id: ObjectID) -> UInt32? {
        guard let offset = offset(of: id) else { return nil }
        return ObjectMarker.uid(in: image, at: offset, end: table.start)
    }

    /// The marker of an object; of one that lies outside the objects, which the root does not reach, that of null.
    @inlinable
    @inline(__always)
    func marker(of id: ObjectID) -> UInt8 {
        offset(of: id).map { image[$0] } ?? ObjectMarker.null
    }

    /// The reference at `position` of a container: elements of an array, all keys and then all values of a dictionary.
    @inlinable
    @inline(__always)
    package func reference(_ position: Int, of container: StoredObject) -> ObjectID {
        let value = image.bigEndian(at: container.start &+ position &* table.referenceSize, width: table.referenceSize)
        return ObjectID(Int(truncatingIfNeeded: value))
    }

    /// The element at `position` of an array or a set, or the value of the pair at `position` of a dictionary.
    @inlinable
    package func member(_ position: Int, of container: StoredObject) -> ObjectID {
        container.kind == .dictionary ? value(position, of: container) : reference(position, of: container)
    }

    /// The key of the pair at `position` of a dictionary.
    @inlinable
    @inline(__always)
    package func key(_ position: Int, of dictionary: StoredObject) -> ObjectID {
        reference(position, of: dictionary)
    }

    /// The value of the pair at `position` of a dictionary.
    @inlinable
    @inline(__always)
    package func value(_ position: Int, of dictionary: StoredObject) -> ObjectID {
        reference(dictionary.count &+ position, of: dictionary)
    }
}

extension [UInt8] {
    /// The unsigned number stored in `width` bytes at `position`, the most significant first; of more than eight bytes
    /// the last eight.
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

/// The short ways in and out, for programs that read one file and look up a few values.
extension Document {
    /// Reads a document in whatever format it is.
    ///
    ///     let document = try Document(bytes)
    ///     if case .integer(let gems) = document["gems"] { print(gems.value) }
    ///
    /// - Throws: the first problem that makes the bytes no sound document, with its place.
    public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) {
        self = try Document.read(bytes, as: Format.recognize(bytes), limits: limits)
    }

    /// The document as a file in a format, written as ``write(as:to:options:limits:)`` writes it.
    ///
    /// - Throws: a problem if the document is too large to be written as a tree.
    public func bytes(
        as format: Format, options: WriteOptions = WriteOptions(), limits: Limits = Limits()
    ) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try write(as: format, to: &output, options: options, limits: limits)
        return output.takeBytes()
    }

    /// The value under a key of the dictionary that the document is; nil if there is none, or if it is no dictionary.
    public subscript(key: String) -> Node? {
        guard case .dictionary(let pairs) = self[root] else { return nil }
        return pairs[key]
    }
}

extension Pairs {
    /// The value under a key, as ``value(for:)`` finds it; nil if there is none.
    public subscript(key: String) -> Node? {
        value(for: key.utf16).map { document[$0] }
    }
}

// MARK: Sizes

extension Document {
    /// How many bytes an object takes in a binary property list: its marker, its count if that is stored separately, and
    /// its contents, of a container the references. 0 for an unreachable object that is damaged.
    ///
    /// Of a document that was read from a text, the references count as wide as a binary file would have them.
    package func storedSize(of id: ObjectID) -> Int {
        guard let offset = offset(of: id), let object = checkedObject(id) else { return 0 }
        guard object.kind.isContainer, !isFile else { return end(of: object) - offset }
        let width = count <= 0xFF ? 1 : count <= 0xFFFF ? 2 : 4
        return object.start - offset + object.referenceCount * width
    }
}
