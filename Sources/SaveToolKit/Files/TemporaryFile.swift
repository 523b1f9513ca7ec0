/// A file under a random name beside the one whose place it is to take. It is removed unless it is renamed.
final class TemporaryFile {
    private let path: String
    private let descriptor: Descriptor?
    private var isRenamed = false

    /// Creates an empty file; readable by nobody else if it is private, like any new file if not.
    init(beside other: String, isPrivate: Bool) throws(SystemError) {
        path = Self.name(beside: other)
        descriptor = try Descriptor(opening: path, for: .creating(permissions: isPrivate ? 0o600 : 0o666))
    }

    /// Creates a second name for a file that exists.
    init(linkTo other: String) throws(SystemError) {
        path = Self.name(beside: other)
        descriptor = nil
        try FileSystem.link(other, as: path)
    }

    deinit {
        if !isRenamed { FileSystem.remove(path) }
    }

    func write(_ bytes: Span<UInt8>) throws(SystemError) {
        try descriptor?.write(bytes)
    }

    func take(ownerAndPermissionsOf other: FileStatus) throws(SystemError) {
        try descriptor?.take(ownerAndPermissionsOf: other)
    }

    func synchronize() throws(SystemError) {
        try descriptor?.synchronize()
    }

    /// Takes the place of the file at `destination`.
    func rename(to destination: String) throws(SystemError) {
        try FileSystem.rename(path, to: destination)
        // Renaming to another name of the same file does nothing and leaves both names.
        isRenamed = descriptor != nil
    }

    /// The random name is short, so that it fits wherever the other one does.
    private static func name(beside other: String) -> String {
        FileSystem.folder(of: other) + ".savetool-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }
}
