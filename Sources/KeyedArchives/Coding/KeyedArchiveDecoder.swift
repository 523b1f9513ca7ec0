public import SaveCodec

/// Reads `Codable` values from a keyed archive, whoever wrote it: Cocoa, GNUstep, Foundation on Linux, or
/// ``KeyedArchiveEncoder``, whose table of types holds here too.
///
///     let map = try KeyedArchiveDecoder().decode(Map.self, from: bytes)         // the root under "root"
///
///     let decoder = KeyedArchiveDecoder()                                       // several roots
///     decoder.allowedClasses = ["Foo", "Bar"]
///     try decoder.open(bytes)
///     let me = try decoder.decode(Foo.self, forKey: "myfoo")
///     let bar = try decoder.decode(Bar.self, forKey: "mybar")                   // bar.foos[0] === me
///
/// A field is read by its name, whether it stands in place or is an object, and a number by its value, whatever its
/// width. An object that several fields refer to is one instance of a Swift class; of a struct each has its copy.
/// References that lead back are read with ``Reference``.
///
/// Errors are ``Problem``s with the address of the value: `/root/charList/0/health: found a string; expected an integer
/// from …`. Within `init(from:)` they are `DecodingError`s, as with every decoder.
public final class KeyedArchiveDecoder {
    /// The classes whose objects are read, by name; an object of a class that descends from one of them is read too.
    /// nil, as it is at first, allows all. Collections, strings, data, dates and nulls are always allowed, and objects of
    /// Foundation's where its own type is asked for, such as `URL`.
    ///
    /// What a class descends from is what the archive says. A class that lies about it passes, and is still read as the
    /// Swift type that was asked for, or one that was registered.
    public var allowedClasses: Set<String>? {
        get { rules.allowedClasses }
        set { rules.allowedClasses = newValue }
    }
    /// Whether a type is read only from objects of its class, as it is at first: one of the names in the chain that the
    /// archive has for the object's class is registered for the type, or is the type's own (see ``ArchivedClass``),
    /// whatever module stands before it. A type that looks at ``Swift/Decoder/archivedValue`` decides itself. Dictionaries
    /// are read as any type.
    public var checksClasses: Bool {
        get { rules.checksClasses }
        set { rules.checksClasses = newValue }
    }
    /// The type for a class that was not registered, nor any that it descends from, given its name and its chain; asked
    /// once for each such class. nil leaves it unknown.
    public var typeForUnknownClass: ((_ className: String, _ chain: [String]) -> (any Decodable.Type)?)? {
        get { rules.typeForUnknownClass }
        set { rules.typeForUnknownClass = newValue }
    }
    /// How many values may contain each other. Each takes stack, some 4 KiB in a debug build; 128 of them fit the 512 KiB
    /// that the least of macOS's threads have.
    public var maxDepth: Int {
        get { rules.maxDepth }
        set { rules.maxDepth = newValue }
    }
    /// Bounds of the file, and of how many copies shared objects may become.
    public var limits: Limits {
        get { rules.limits }
        set { rules.limits = newValue }
    }
    /// What `init(from:)` of the values may look up.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { rules.userInfo }
        set { rules.userInfo = newValue }
    }

    private var rules = DecodingRules() {
        didSet { session = session.map { DecodingSession($0.source, rules) } }
    }
    private var session: DecodingSession?

    /// Creates a decoder.
    public init() {}

    /// Reads objects of a class as values of a type: where the type is asked for, or, of a Swift class, one of its
    /// superclasses.
    ///
    /// - Parameter name: the name of the class in the archive; nil for the type's own, see ``ArchivedClass``.
    public func register(_ type: (some Decodable).Type, forClass name: String? = nil) {
        rules.types[name ?? ArchivedClassName(of: type).name] = type
    }

    /// The value of a root of an archive, given as a file in any format, graph JSON included.
    ///
    /// - Throws: a problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], forKey key: String = "root"
    ) throws(Problem) -> Value {
        try open(bytes)
        defer { session = nil }
        return try decode(type, forKey: key)
    }

    /// Opens an archive, given as a file in any format, graph JSON included, for ``decode(_:forKey:)``.
    ///
    /// - Throws: a problem if it is no sound archive.
    public func open(_ bytes: [UInt8]) throws(Problem) {
        session = nil
        open(try KeyedArchive(bytes, limits: limits))
    }

    /// Opens an archive for ``decode(_:forKey:)``.
    public func open(_ archive: KeyedArchive) {
        session = DecodingSession(ArchiveSource(archive), rules)
    }

    /// The names of the roots of the archive that was opened, in stored order; none if none was opened.
    public var rootKeys: [String] {
        ((try? session?.source.top.fields) ?? []).map(\.name)
    }

    /// The value of a root of the archive that was opened. Roots share the instances of classes that they share in the
    /// archive, unless the decoder is set to something else in between.
    ///
    /// - Throws: a problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, forKey key: String) throws(Problem) -> Value {
        guard let session else { throw Problem("decode.closed", "no archive was opened") }
        do {
            return try session.decodeRoot(type, forKey: key)
        } catch {
            throw Problem(coding: error)
        }
    }
    /// A value that was reached by hand. What the decoder is set to counts; instances are shared within the value.
    ///
    /// - Throws: a problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, from value: ArchivedValue) throws(Problem) -> Value {
        do {
            return try DecodingSession(value.source, rules).decodeAll(type, value)
        } catch {
            throw Problem(coding: error)
        }
    }
}
