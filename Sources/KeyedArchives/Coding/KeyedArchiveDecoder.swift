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
    /// nil, as it is at first, allows all. Collections, strings, data, dates and nulls are always allowed.
    ///
    /// What a class descends from is what the archive says. A class that lies about it passes, and is still read as the
    /// Swift type that was asked for, or one that was registered.
    public var allowedClasses: Set<String>?
    /// How many values may contain each other. Each takes stack, some 4 KiB in a debug build; 128 of them fit the 512 KiB
    /// that the least of macOS's threads have.
    public var maxDepth = 128
    /// Bounds of the file, and of how many copies shared objects may become.
    public var limits = Limits()
    /// What `init(from:)` of the values may look up.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    private var types: [String: any Decodable.Type] = [:]
    private var session: DecodingSession?

    /// Creates a decoder.
    public init() {}

    /// Reads objects of a class as instances of a Swift class wherever one of its superclasses is asked for.
    ///
    /// - Parameter name: the name of the class in the archive; nil for the type's own, see ``ArchivedClass``.
    public func register<Instance: Decodable & AnyObject>(_ type: Instance.Type, forClass name: String? = nil) {
        types[name ?? ArchivedClassName(of: type).name] = type
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
        let document = try Document.read(bytes, as: Format.recognize(bytes), limits: limits)
        let stored = GraphJSON.isPresent(in: document) ? try GraphJSON.archive(from: document) : document
        open(try KeyedArchive(stored, limits: limits))
    }

    /// Opens an archive for ``decode(_:forKey:)``. What the decoder was set to until then counts.
    public func open(_ archive: KeyedArchive) {
        session = DecodingSession(
            archive, allowedClasses: allowedClasses, types: types, maxDepth: maxDepth, limits: limits,
            userInfo: userInfo)
    }

    /// The value of a root of the archive that was opened. Roots share the instances of classes that they share in the
    /// archive.
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
}
