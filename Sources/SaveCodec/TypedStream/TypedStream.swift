/// The typedstream format of NSArchiver and of NeXTSTEP (see <doc:TypedStreamFormat>), which is only read.
///
/// The text of its C type precedes each value, and its class precedes each object. Anything written before is referred
/// to by number. `[NSArchiver archivedDataWithRootObject:@"hi"]`:
///
///     04 0B "streamtyped" 81 E8 03         version 4, little-endian, system 1000
///     84 01 "@"                            new string 0, a type: an object follows
///     84                                   new object 0, of
///        84 84 08 "NSString" 01            new class 1, its name new string 1, version 1, whose superclass is
///        84 84 08 "NSObject" 00            new class 2, its name new string 2, version 0, whose superclass is
///        85                                nil
///        84 01 "+"                         new string 3, a type: bytes follow
///        02 "hi"                           2 bytes
///     86                                   the end of object 0
///
/// ``TypedStreamReader`` checks the bytes and converts them into tables. ``TypedStreamConverter`` converts the tables
/// into the property list that NSKeyedArchiver would store, so that operations on archives also work for typedstreams:
///
///     $archiver "NSArchiver"   $top {root: UID 1}   $objects "$null", "hi"
package struct TypedStream {
    struct Header {
        let version: UInt8
        let isBigEndian: Bool
        let systemVersion: Int64

        /// Whether objects have no type before them and a number after their class, as in NeXTSTEP 1.
        var isOldVersion: Bool { version == 3 }
    }

    /// A class. Its name is a shared string, and its superclass is another class or nil.
    struct Class {
        let name: Int
        let version: Int64
        var superclass: Int?
    }

    /// An object: its class and the values that it wrote, a range of ``values``.
    struct Object {
        let classIndex: Int
        var values = 0..<0
    }

    /// A value and the index of its type in ``types``.
    struct Value {
        enum Content {
            /// Nil, or a value whose type is not stored.
            case null
            case boolean(Bool)
            case integer(Int64)
            /// An unsigned integer of 2⁶³ or more.
            case unsigned(UInt64)
            case real32(Float)
            case real64(Double)
            /// The number of a shared string: a C string, an atom, or the name of a selector or class.
            case string(Int)
            /// A range of the file.
            case bytes(Range<Int>)
            case object(Int)
            /// The elements of a C array or the fields of a struct, a range of ``values``.
            case list(Range<Int>)
        }

        let content: Content
        let type: UInt32
    }

    struct Text {
        let range: Range<Int>
        /// Whether the string is valid UTF-8. Old machines used other encodings.
        let isUTF8: Bool

        init(_ range: Range<Int>, in bytes: [UInt8]) {
            self.range = range
            isUTF8 = UTF8Text.firstInvalid(in: bytes.span.extracting(range)) == nil
        }
    }

    let header: Header
    /// The shared strings in stream order.
    var strings: [Text] = []
    var types = TypeEncodings()
    var classes: [Class] = []
    var objects: [Object] = []
    /// The values of all objects and lists. The values of one object or list are contiguous.
    var values: [Value] = []
    /// The values that no other value contains.
    var roots: [Value] = []
    var warnings: [Problem] = []

    /// Reads a typedstream as the archive that NSKeyedArchiver would write for its objects.
    ///
    /// - Throws: The first problem, with its byte offset.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        var reader = try TypedStreamReader(bytes, limits: limits)
        return try TypedStreamConverter(try reader.read(), of: bytes, limits: limits).convert()
    }

    /// Whether bytes begin like a typedstream of any version.
    package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        let signature = bytes.dropFirst()
        // This byte rules out most other data.
        guard signature.first == 0x0B else { return false }
        return TypedStreamReader.signatures.contains { signature.starts(with: $0.bytes) }
    }
}

extension Limits {
    /// Returns the maximum number of values without bytes in a stream of this size: arrays, structs, and omitted
    /// values.
    func maxBytelessValueCount(in size: Int) -> Int {
        size.multipliedSaturated(by: 4).addingSaturated(1 << 10).multipliedSaturated(by: workFactor)
    }

    /// Returns the maximum byte count of the archive's objects for a stream of this size.
    func maxArchiveByteCount(of size: Int) -> Int {
        size.multipliedSaturated(by: 16).addingSaturated(expansionFloor).multipliedSaturated(by: workFactor)
    }
}

// MARK: Metadata

/// The properties of objects in a typedstream that keyed archives do not store: the C types of their fields and the
/// versions of their classes. Objects and classes are identified by their UIDs in the resulting archive.
struct TypedStreamMetadata: Sendable {
    private let bytes: [UInt8]
    private let nodes: [TypeEncodings.Node]
    /// The types of the roots, followed by the types of each object's fields.
    private var types: [UInt32]
    /// The start of each object's types. Index 0 is for the roots.
    private var starts: [UInt32] = [0]
    private var versions: [Int: [Int64]] = [:]

    init(_ stream: TypedStream, in bytes: [UInt8]) {
        (self.bytes, nodes) = (bytes, stream.types.nodes)
        types = stream.roots.map(\.type)
    }

    /// Adds the types of the next object's fields. They are empty for an object whose fields differ from the values
    /// that it wrote.
    mutating func addObject(_ values: ArraySlice<TypedStream.Value>) {
        starts.append(UInt32(truncatingIfNeeded: types.count))
        for value in values { types.append(value.type) }
    }

    mutating func addClass(_ uid: Int, versions: [Int64]) {
        self.versions[uid] = versions
    }

    fileprivate func type(ofField position: Int, of uid: Int) -> ArraySlice<UInt8>? {
        guard uid < starts.count else { return nil }
        let end = uid + 1 < starts.count ? Int(starts[uid + 1]) : types.count
        guard position < end - Int(starts[uid]) else { return nil }
        let node = nodes[Int(types[Int(starts[uid]) + position])]
        return node.text.isEmpty ? [node.code] : bytes[node.text]
    }

    fileprivate func versions(ofClass uid: Int) -> [Int64] { versions[uid] ?? [] }
}

extension Document {
    /// Returns the C type of a field in the notation of `@encode`, or of a root if the UID is 0; nil if the type is
    /// unknown.
    package func cType(ofField position: Int, of uid: Int) -> ArraySlice<UInt8>? {
        facts.formatFacts.typedStreamMetadata?.type(ofField: position, of: uid)
    }

    /// Returns the versions of a class and its ancestors; empty if they are unknown.
    package func versions(ofClass uid: Int) -> [Int64] {
        facts.formatFacts.typedStreamMetadata?.versions(ofClass: uid) ?? []
    }
}
