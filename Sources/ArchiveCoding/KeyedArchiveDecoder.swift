public import KeyedArchives
public import SaveCodec

/// A decoder that reads `Codable` values from a keyed archive.
///
/// The archive may come from Cocoa, GNUstep, Foundation on Linux or ``KeyedArchiveEncoder``, whose table of types
/// applies here, too.
///
///     let map = try KeyedArchiveDecoder().decode(Map.self, from: bytes)         // the root under "root"
///
///     let decoder = KeyedArchiveDecoder()                                       // several roots
///     decoder.allowedClasses = ["Foo", "Bar"]
///     try decoder.open(bytes)
///     let me = try decoder.decode(Foo.self, forKey: "myfoo")
///     let bar = try decoder.decode(Bar.self, forKey: "mybar")                   // bar.foos[0] === me
///
/// A field is read by its name, whether it is stored in place or as an object. A number of any width is read by its
/// value. An object that several fields refer to becomes one instance of a Swift class, but separate copies of a
/// struct. Use ``Reference`` for references that form a cycle.
///
/// Errors are ``Problem``s with the address of the value: `/root/charList/0/health: found a string; expected an integer
/// from …`. Inside `init(from:)` they are `DecodingError`s, as with every decoder.
public final class KeyedArchiveDecoder {
    /// The names of the classes whose objects may be read, including objects of their subclasses; nil, the default, for
    /// all.
    ///
    /// Collections, strings, numbers, data, dates and nulls are always allowed. Objects of other Foundation classes are
    /// allowed if the requested type is the corresponding Foundation type, such as `URL`.
    ///
    /// The archive itself declares the ancestors of its classes. A class with false ancestors passes, but is still read
    /// only as the requested Swift type or as a registered one.
    public var allowedClasses: Set<String>? {
        get { rules.allowedClasses }
        set { rules.allowedClasses = newValue }
    }
    /// Whether a type is read only from objects of its class. The default is true.
    ///
    /// An object matches if one of the names in its class chain is registered for the type or is the type's own name
    /// (see ``ArchivedClass``), ignoring the module. A type that uses ``Swift/Decoder/archivedValue`` performs its own
    /// checks. A dictionary may be read as any type.
    public var checksClasses: Bool {
        get { rules.checksClasses }
        set { rules.checksClasses = newValue }
    }
    /// A function that returns the type for a class if neither the class nor an ancestor has a registered type.
    ///
    /// It takes the name and the chain of the class, and is called once per class. If it returns nil, the class remains
    /// unknown.
    public var typeForUnknownClass: ((_ className: String, _ chain: [String]) -> (any Decodable.Type)?)? {
        get { rules.typeForUnknownClass }
        set { rules.typeForUnknownClass = newValue }
    }
    /// The maximum nesting depth of values. The default is 128.
    ///
    /// Each level uses stack, about 4 KiB in a debug build. 128 levels fit in 512 KiB, the smallest stack of a macOS
    /// thread.
    public var maxDepth: Int {
        get { rules.maxDepth }
        set { rules.maxDepth = newValue }
    }
    /// The limits on the file, and on the number of copies of shared objects.
    public var limits: Limits {
        get { rules.limits }
        set { rules.limits = newValue }
    }
    /// The information available to `init(from:)` of the values.
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

    /// Registers a type for a class.
    ///
    /// Objects of the class are read as this type if it is requested. If it is a Swift class, they are also read as
    /// this type if one of its superclasses is requested.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - name: The name of the class in the archive; nil for the type's own name, see ``ArchivedClass``.
    public func register(_ type: (some Decodable).Type, forClass name: String? = nil) {
        rules.types[name ?? ClassRecordNames(of: type).name] = type
    }

    /// Returns the value of a root in the bytes of a file in any format, including graph JSON.
    ///
    /// - Throws: A problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], forKey key: String = "root"
    ) throws(Problem) -> Value {
        try open(bytes)
        defer { session = nil }
        return try decode(type, forKey: key)
    }

    /// Opens the bytes of a file in any format, including graph JSON, for ``decode(_:forKey:)``.
    ///
    /// - Throws: A problem if the file is not a sound archive.
    public func open(_ bytes: [UInt8]) throws(Problem) {
        session = nil
        open(try KeyedArchive(bytes, limits: limits))
    }

    /// Opens an archive for ``decode(_:forKey:)``.
    public func open(_ archive: KeyedArchive) {
        session = DecodingSession(ArchivedValueSource(archive), rules)
    }

    /// The keys of the open archive's roots, in stored order; empty if no archive is open.
    public var rootKeys: [String] {
        ((try? session?.source.top.fields) ?? []).map(\.name)
    }

    /// Returns the value of a root in the open archive.
    ///
    /// Roots that share an object share its instance, unless a setting of the decoder changed in between.
    ///
    /// - Throws: A problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, forKey key: String) throws(Problem) -> Value {
        guard let session else { throw Problem("decode.closed", "no archive was opened") }
        do {
            return try session.decodeRoot(type, forKey: key)
        } catch {
            throw Problem(coding: error)
        }
    }

    /// Decodes a value that the program has reached itself, for example with ``KeyedArchive/root(_:)``. The settings of
    /// the decoder apply. Instances are shared within the value only.
    ///
    /// - Throws: A problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, from value: ArchivedValue) throws(Problem) -> Value {
        do {
            return try DecodingSession(value.source, rules).decodeAll(type, value)
        } catch {
            throw Problem(coding: error)
        }
    }
}
