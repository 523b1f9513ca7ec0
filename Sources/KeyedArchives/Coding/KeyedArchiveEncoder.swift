public import SaveCodec

/// Writes `Codable` values as a keyed archive, as NSKeyedArchiver would have written the objects of a game.
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
/// | ``ArchivedPoint``, ``ArchivedSize``, ``ArchivedRectangle``, `CGPoint`, … | text as a field; an `NSValue` as an element, or ``Boxed`` |
/// | ``ArchivedRange``, `NSRange` | `NSValue` |
/// | `Array`, `Set`, `Dictionary` with keys of any kind | `NSArray`, `NSSet`, `NSDictionary`, or ``Mutable`` |
/// | nil | reference to nil; no field at all where Swift writes optional properties; `NSNull` as an element |
///
/// An instance of a class that is met again is the same object, also within itself, so cycles are kept; see
/// ``Reference`` and ``ConditionalReference``. Errors are ``Problem``s with the address of the value.
public final class KeyedArchiveEncoder {
    /// The formats in which NSKeyedArchiver writes.
    public enum OutputFormat: Sendable, Hashable, CaseIterable {
        /// A binary property list, which holds everything.
        case binary
        /// A property list in XML. It has no control characters, integers beyond 64 bits or negative zero: values that have
        /// are refused. A `Float` is written in digits, from which the same one is read.
        case xml
    }

    /// The format of the bytes that come out.
    public var format = OutputFormat.binary
    /// How many values may contain each other. Each takes stack, some 4 KiB in a debug build; 128 of them fit the 512 KiB
    /// that the least of macOS's threads have.
    public var maxDepth = 128
    /// What `encode(to:)` of the values may look up.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    private var names: [ObjectIdentifier: ArchivedClassName] = [:]
    private var session: EncodingSession?
    /// A complete archive that XML could not hold.
    private var unwritten: Document?

    /// Creates an encoder.
    public init() {}

    /// Chooses the class whose objects the values of a type become, in place of ``ArchivedClass``'s.
    ///
    /// - Parameter chain: the class and its ancestors, from the class up; nil for those that Foundation's class of this
    ///   name has, or else for the class, the type's superclasses and `NSObject`.
    public func setClassName(_ name: String, chain: [String]? = nil, for type: Any.Type) {
        names[ObjectIdentifier(type)] = ArchivedClassName(
            name, chain: chain, ancestors: ArchivedClassName.ancestors(of: type, names: names))
    }

    /// A whole archive of one value, under the key `root`. Roots that were added before are gone.
    ///
    /// - Throws: a problem, with the address of the value that cannot be archived.
    public func encode(_ value: some Encodable) throws(Problem) -> [UInt8] {
        session = nil
        try add(value, forKey: "root", style: .boxed)
        return try finish()
    }

    /// Adds a root to the archive that ``finish()`` completes. Numbers are stored in place, as `encodeInt:forKey:`
    /// stores them.
    ///
    /// - Throws: a problem, with the address of the value that cannot be archived. The archive is then as it was before:
    ///   the roots added so far stay, and others may follow, also under this key.
    public func encode(_ value: some Encodable, forKey key: String) throws(Problem) {
        try add(value, forKey: key, style: .plain)
    }

    /// The bytes of the archive, whose roots were encoded before. The encoder is then ready for another.
    ///
    /// - Throws: a problem if the archive would be too large, or has a value that XML cannot hold where that is the
    ///   ``format``; its address is that in the property list. The archive is kept until
    ///   another value is encoded: as ``OutputFormat/binary`` it can be finished all the same.
    public func finish() throws(Problem) -> [UInt8] {
        let document = try finishDocument()
        if format == .xml, let loss = document.firstXMLLoss {
            unwritten = document
            throw loss
        }
        var writer = ByteWriter()
        try document.write(as: format == .xml ? .xml : .binary, to: &writer)
        return writer.takeBytes()
    }

    /// The archive as a document. The encoder is then ready for another.
    ///
    /// - Throws: a problem if the archive would be too large.
    public func finishDocument() throws(Problem) -> Document {
        if let unwritten {
            self.unwritten = nil
            return unwritten
        }
        let finished = session ?? newSession()
        session = nil
        return try finished.finish()
    }

    private func add(_ value: some Encodable, forKey key: String, style: ValueEncoder.Style) throws(Problem) {
        let current = session ?? newSession()
        (session, unwritten) = (current, nil)
        do {
            try current.encodeRoot(value, forKey: key, style: style)
        } catch {
            throw Problem(coding: error)
        }
    }

    private func newSession() -> EncodingSession {
        EncodingSession(ArchiveOutput(), names: names, maxDepth: maxDepth, userInfo: userInfo)
    }
}
