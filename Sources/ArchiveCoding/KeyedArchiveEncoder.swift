public import KeyedArchives
public import SaveCodec

/// An encoder that writes `Codable` values as a keyed archive, as NSKeyedArchiver writes the objects of a game.
///
///     struct Player: Codable {                         Player {
///         @Boxed var type: Int                             type ─▶ 3               encodeObject:
///         var health: Int                                  health: 100             encodeInt:
///         var name: String                                 name ─▶ "Ada"           encodeObject:
///     }                                                }
///
///     let bytes = try KeyedArchiveEncoder().encode(player)          // under the key "root"
///
///     let encoder = KeyedArchiveEncoder()                           // several roots
///     try encoder.encode(me, forKey: "myfoo")
///     try encoder.encode(bar, forKey: "mybar")
///     let bytes = try encoder.finish()
///
/// | Swift | archive |
/// |---|---|
/// | struct, enum, class | object of a class with fields, see ``ArchivedClass`` and ``setClassName(_:chain:for:)`` |
/// | `Bool`, integers, `Float` (four bytes), `Double` | in place as a field; an object as an element, or ``Boxed`` |
/// | `String`, ``ArchivedData``, `Data` | object that is the plain value |
/// | ``ArchivedDate``, `Date` | `NSDate` |
/// | `URL`, `UUID`, `Decimal`, `IndexSet` | `NSURL`, `NSUUID`, `NSDecimalNumber`, `NSIndexSet` |
/// | points, sizes, rectangles (``ArchivedPoint``, `CGPoint`, …) | text; an `NSValue` as an element, or ``Boxed`` |
/// | ``ArchivedRange``, `NSRange` | `NSValue` |
/// | `Array`, `Set`, `Dictionary` with keys of any kind | `NSArray`, `NSSet`, `NSDictionary`, or ``Mutable`` |
/// | nil | reference to nil; no field at all where Swift writes optional properties; `NSNull` as an element |
///
/// Other types of Foundation that encode fields, such as `TimeZone`, are an error unless a class is set for them
/// or a template has the object that was read as the type, because no unarchiver knows their fields.
///
/// Each instance of a class becomes one object, however often it is encoded, so cycles are kept; see ``Reference`` and
/// ``ConditionalReference``. Errors are ``Problem``s with the address of the value.
public final class KeyedArchiveEncoder {
    /// The formats that NSKeyedArchiver writes.
    public enum OutputFormat: Sendable, Hashable, CaseIterable {
        /// A binary property list, which can represent every archive.
        case binary
        /// A property list in XML.
        ///
        /// XML cannot represent control characters, integers beyond 64 bits or negative zero; such values are an error.
        /// A `Float` is written with enough digits to read back the same value.
        case xml
    }

    /// The format of the bytes.
    public var format = OutputFormat.binary
    /// The maximum nesting depth of values.
    ///
    /// Each level uses stack, about 4 KiB in a debug build. 128 levels fit in 512 KiB, the smallest stack of a macOS
    /// thread.
    public var maxDepth = 128
    /// The information available to `encode(to:)` of the values.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// A warning with an address for each value whose storage cannot be determined from the template.
    ///
    /// These are fields that the template lacks, and fields that its objects store in several ways. Such a value is
    /// stored as it would be without a template. Set by ``finish()``, ``finishDocument()`` and ``encode(_:)``; empty
    /// without a template.
    public private(set) var warnings: [Problem] = []

    private let template: EncodingTemplate?
    private var names: [ObjectIdentifier: ClassRecordNames] = [:]
    private var session: EncodingSession?
    /// A complete archive that XML could not represent.
    private var unwritten: Document?

    /// Creates an encoder.
    public init() {
        template = nil
    }

    /// Creates an encoder that writes values into the archive that they were read from, so that each keeps its storage.
    ///
    ///     let archive = try KeyedArchive(bytes)
    ///     let decoder = KeyedArchiveDecoder()
    ///     decoder.open(archive)
    ///     var map = try decoder.decode(Map.self, forKey: "root")
    ///     map.charList[0].health = 55
    ///     let encoder = KeyedArchiveEncoder(like: archive)
    ///     let changed = try encoder.encode(map)          // the same archive, with 55
    ///     for warning in encoder.warnings { print(warning) }
    ///
    /// A value takes the storage of the value at its address in the template: in place or as an object, the width of a
    /// real, a mutable class, the class of an object. A new object is stored like other objects of its class.
    ///
    /// Everything that the types do not mention is kept: other roots, fields without a coding key, and shared objects.
    /// A field that a type mentions but does not encode, such as an optional property that is nil, becomes nil; a
    /// number in place is removed, and so is the field of an enumeration's former case. Elements of an array that moved
    /// are recognized by their contents. See ``warnings`` for values whose storage the template does not determine.
    public init(like template: KeyedArchive) {
        self.template = EncodingTemplate(archive: template)
    }

    /// Creates an encoder that replaces one value of an archive.
    private init(_ template: EncodingTemplate) {
        self.template = template
    }

    /// Sets the class of the objects that the values of a type become, overriding ``ArchivedClass``.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - chain: The class and its ancestors, starting with the class; nil for the chain of the Foundation class with
    ///     this name. If Foundation has no such class, nil stands for the class, the type's superclasses and
    ///     `NSObject`.
    ///   - type: The type.
    public func setClassName(_ name: String, chain: [String]? = nil, for type: Any.Type) {
        names[ObjectIdentifier(type)] = ClassRecordNames(
            name, chain: chain, ancestors: ClassRecordNames.ancestors(of: type, names: names))
    }

    /// Returns an archive of one value, under the key `root` or the key of a template's only root.
    ///
    /// Discards roots that were added before.
    ///
    /// - Throws: A problem, with the address of the value that cannot be archived.
    public func encode(_ value: some Encodable) throws(Problem) -> [UInt8] {
        session = nil
        try add(value, forKey: template?.rootKey ?? "root", storage: .boxed)
        return try finish()
    }

    /// Adds a root to the archive that ``finish()`` completes. Numbers are stored in place, as by `encodeInt:forKey:`.
    ///
    /// - Throws: A problem, with the address of the value that cannot be archived. The archive is then unchanged:
    ///   earlier roots are kept, and more may be added, even with this key.
    public func encode(_ value: some Encodable, forKey key: String) throws(Problem) {
        try add(value, forKey: key, storage: .plain)
    }

    /// Returns the bytes of the archive, and prepares the encoder for another archive.
    ///
    /// - Throws: A problem if the archive would be too large, or if the ``format`` is XML and a value cannot be
    ///   represented in it. The address of the problem refers to the property list. The archive is kept until another
    ///   value is encoded, so it can still be finished as ``OutputFormat/binary``.
    public func finish() throws(Problem) -> [UInt8] {
        let document = try finishDocument()
        if format == .xml, let loss = document.losses(as: .xml).first {
            unwritten = document
            throw loss
        }
        return try document.bytes(as: format == .xml ? .xml : .binary)
    }

    /// Returns the archive as a document, and prepares the encoder for another archive.
    ///
    /// - Throws: A problem if the archive would be too large.
    public func finishDocument() throws(Problem) -> Document {
        if let unwritten {
            self.unwritten = nil
            return unwritten
        }
        let finished = session ?? newSession()
        session = nil
        if template?.archive.isTypedStream ?? false {
            throw Problem(
                "encode.template", "the template was written by NSArchiver; expected an archive of NSKeyedArchiver")
        }
        let result = try finished.finish()
        warnings = result.warnings
        return result.document
    }

    private func add(_ value: some Encodable, forKey key: String, storage: ValueEncoder.Storage) throws(Problem) {
        let current = session ?? newSession()
        (session, unwritten) = (current, nil)
        do {
            try current.encodeRoot(value, forKey: key, storage: storage)
        } catch {
            throw Problem(coding: error)
        }
    }

    private func newSession() -> EncodingSession {
        warnings = []
        return EncodingSession(ArchiveOutput(template), names: names, maxDepth: maxDepth, userInfo: userInfo)
    }

    /// Returns the archive with one value replaced, and the warnings.
    package static func replace(
        _ position: Int, of container: ViewID, in archive: KeyedArchive, with value: some Encodable,
        at address: JSONPointer
    ) throws(Problem) -> (document: Document, warnings: [Problem]) {
        let encoder = KeyedArchiveEncoder(
            EncodingTemplate(archive: archive, slot: (position, container, address)))
        let session = encoder.newSession()
        do {
            try session.encodeRoot(value, forKey: "root", storage: .plain, at: CodingSteps(address))
        } catch {
            throw Problem(coding: error)
        }
        encoder.session = session
        let document = try encoder.finishDocument()
        return (document, encoder.warnings)
    }
}

/// An archive that values are written into.
struct EncodingTemplate {
    let archive: KeyedArchive
    /// The slot of the value that is replaced; nil for the roots.
    var slot: (position: Int, container: ViewID, address: JSONPointer)?

    /// The key of a single value: `root`, or the key of the template's only root.
    var rootKey: String {
        let keys = archive.roots.map(\.key)
        return keys.count == 1 ? keys[0] : "root"
    }
}
