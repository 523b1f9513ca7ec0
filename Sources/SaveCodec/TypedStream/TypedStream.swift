/// The typedstream, in which NSArchiver, and NeXTSTEP before it, stored objects (see <doc:TypedStreamFormat>). It is read
/// and never written.
///
/// Every value is preceded by the text of its C type, every object by its class, and what stands in the stream already is
/// a number. `[NSArchiver archivedDataWithRootObject:@"hi"]`:
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
/// ``TypedStreamReader`` checks such bytes and makes tables of them. ``TypedStreamComposer`` makes of these the property
/// list of an archive as NSKeyedArchiver would store it, so that all that is known of archives is known of typedstreams:
///
///     $archiver "NSArchiver"   $top {root: UID 1}   $objects "$null", "hi"
package struct TypedStream {
    /// What the first bytes say.
    struct Header {
        let version: UInt8
        let isBigEndian: Bool
        let systemVersion: Int64

        /// Whether objects stand without a type, and with a number behind their class, as NeXTSTEP 1 had it.
        var isOldVersion: Bool { version == 3 }
    }

    /// A class: its name is a shared string, its superclass a class before or nil.
    struct Class {
        let name: Int
        let version: Int64
        var superclass: Int?
    }

    /// An object: its class, and what it wrote, a part of ``values``.
    struct Object {
        let classIndex: Int
        var values = 0..<0
    }

    /// A value, and which of ``types`` it has.
    struct Value {
        enum Content {
            /// nil, and what the type says is not stored.
            case null
            case boolean(Bool)
            case integer(Int64)
            /// An unsigned integer from 2⁶³ on.
            case unsigned(UInt64)
            case real32(Float)
            case real64(Double)
            /// A C string, an atom, the name of a selector or of a class, by the number of the shared string.
            case string(Int)
            /// Bytes of the file.
            case bytes(Range<Int>)
            case object(Int)
            /// The elements of a C array or the fields of a struct, a part of ``values``.
            case list(Range<Int>)
        }

        let content: Content
        let type: UInt32
    }

    /// A shared string.
    struct Text {
        /// Where in the file it stands.
        let range: Range<Int>
        /// Whether it is text; of old machines it may have any encoding.
        let isUTF8: Bool

        init(_ range: Range<Int>, in bytes: [UInt8]) {
            self.range = range
            isUTF8 = UTF8Text.firstInvalid(in: bytes.span.extracting(range)) == nil
        }
    }

    let header: Header
    /// The shared strings, in the order in which they came.
    var strings: [Text] = []
    var types = TypeEncodings()
    var classes: [Class] = []
    var objects: [Object] = []
    /// What objects and lists consist of, each in one piece.
    var values: [Value] = []
    /// The values that no other contains.
    var roots: [Value] = []
    var warnings: [Problem] = []

    /// Reads a typedstream, as the archive that NSKeyedArchiver would make of its objects.
    ///
    /// - Throws: the first problem found, with its byte offset.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        var reader = try TypedStreamReader(bytes, limits: limits)
        return try TypedStreamComposer(try reader.read(), of: bytes, limits: limits).compose()
    }

    /// Whether bytes begin like a typedstream, of whatever version.
    package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        let signature = bytes.dropFirst()
        // Most data is told apart by a byte.
        guard signature.first == 0x0B else { return false }
        return TypedStreamReader.signatures.contains { signature.starts(with: $0.bytes) }
    }
}

extension Limits {
    /// How many values of a stream of this size may take no bytes of their own: arrays and structs, and what types leave out.
    func mostByteless(in size: Int) -> Int {
        size.multipliedSaturated(by: 4).addingSaturated(1 << 10).multipliedSaturated(by: workFactor)
    }

    /// How many bytes the objects of a stream of this size may take as those of an archive.
    func mostComposed(of size: Int) -> Int {
        size.multipliedSaturated(by: 16).addingSaturated(expansionFloor).multipliedSaturated(by: workFactor)
    }
}
