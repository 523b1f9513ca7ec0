/// Writes a file anew so that there is always a whole one: the old until the last byte of the new is on the device, the
/// new from then on.
///
///     old file          written         what happens
///     {"a": 1}          {"a": 1}        nothing: the bytes are compared as they come
///     {"a": 1}          {"a": 2}        from the first difference on the bytes go to a temporary file beside the old,
///                                       which takes its owner, permissions and name at the end
///     none              {"a": 2}        likewise; the permissions are those of any new file
///
/// Through a symbolic link the file that it leads to is replaced. With a ``FileVersion`` nothing is replaced that somebody
/// has changed meanwhile. The old file is kept, if that is wanted, under its name with `~` appended. A replacement that is
/// not committed leaves nothing behind.
final class FileReplacement {
    private let path: String
    private let replacing: Replacing
    private let version: FileVersion?
    private let old: Descriptor?
    private let oldStatus: FileStatus?
    /// How many bytes have come so far; up to the first difference they are those of the old file.
    private var count = 0
    private var new: TemporaryFile?
    /// Whether the old file was somebody else's, and the new one is not.
    private var isTakenOver = false

    /// Prepares to replace the file at `path`, which is a regular file or does not exist.
    ///
    /// - Parameter version: what the new content was made of; if the file is another one in the end, it is left as it is.
    init(of path: String, by replacing: Replacing, since version: FileVersion? = nil) throws(SystemError) {
        self.path = FileSystem.target(path)
        self.replacing = replacing
        self.version = version
        oldStatus = try FileSystem.status(self.path)
        // An old file that cannot be read can still be replaced; it counts as different.
        old = oldStatus == nil ? nil : try? Descriptor(opening: self.path, for: .reading)
    }

    /// Appends a piece to the new content.
    func write(_ piece: Span<UInt8>) throws(SystemError) {
        if new == nil, try !continuesOld(piece) { try startNew() }
        try new?.write(piece)
        count += piece.count
    }

    /// Puts the new content in place of the old. Returns false if they are the same, and nothing was done.
    func commit() throws(SystemError) -> Bool {
        if new == nil, count == oldStatus?.size, old != nil { return false }
        if new == nil { try startNew() }
        guard let new else { return true }
        try takeOwnerAndPermissions(new)
        try new.synchronize()
        let backup = replacing.keepsBackup && oldStatus != nil ? try makeBackup() : nil
        // All that takes time is done: what others write from here on is lost, as if they had written before.
        try version?.checkUnchanged()
        try backup?.rename(to: path + "~")
        try takePlace(new)
        try synchronizeFolder()
        return true
    }

    private func takePlace(_ new: TemporaryFile) throws(SystemError) {
        do throws(SystemError) {
            try new.rename(to: path)
        } catch {
            throw isTakenOver && error == .notPermitted ? .cannotReplaceInSharedFolder : error
        }
    }

    private func continuesOld(_ piece: Span<UInt8>) throws(SystemError) -> Bool {
        guard let bytes = try old?.read(at: count, count: piece.count), bytes.count == piece.count else { return false }
        for position in piece.indices where piece[position] != bytes[position] { return false }
        return true
    }

    /// Starts the new file with what has been found to be the same.
    private func startNew() throws(SystemError) {
        let new = try TemporaryFile(beside: path, isPrivate: oldStatus != nil)
        try copyOld(upTo: count, to: new)
        self.new = new
    }

    private func copyOld(upTo size: Int, to file: TemporaryFile) throws(SystemError) {
        var position = 0
        while position < size {
            guard let piece = try old?.read(at: position, count: min(size - position, 1 << 18)), !piece.isEmpty else {
                throw .changedMeanwhile
            }
            try file.write(piece.span)
            position += piece.count
        }
    }

    /// Gives a file the owner and the permissions of the old one. Where the system does not let the owner be kept, that is
    /// an error, unless the new owner is wanted; who may not write the old file cannot take it over in any case.
    private func takeOwnerAndPermissions(_ file: TemporaryFile) throws(SystemError) {
        guard let oldStatus else { return }
        do throws(SystemError) {
            try file.take(ownerAndPermissionsOf: oldStatus)
        } catch {
            guard error == .notPermitted else { throw error }
            guard FileSystem.isWritable(path) else { throw .permissionDenied }
            guard replacing.allowsNewOwner else { throw .cannotKeep(ownerOf: oldStatus) }
            isTakenOver = true
            try file.take(permissionsOf: oldStatus)
        }
    }

    /// What the old file is to be kept as: a second name for it, or where the file system has no such thing a copy.
    private func makeBackup() throws(SystemError) -> TemporaryFile {
        // In a folder such as /tmp a second name for a file of somebody else could not be given another name any more.
        if !isTakenOver, let linked = try? TemporaryFile(linkTo: path) { return linked }
        let copy = try TemporaryFile(beside: path, isPrivate: true)
        try copyOld(upTo: oldStatus?.size ?? 0, to: copy)
        try takeOwnerAndPermissions(copy)
        try copy.synchronize()
        return copy
    }

    /// Makes the device remember the new name.
    private func synchronizeFolder() throws(SystemError) {
        let folder = FileSystem.folder(of: path)
        // A folder may let files in without letting itself be read.
        guard let opened = try? Descriptor(opening: folder.isEmpty ? "." : folder, for: .reading) else { return }
        try opened.synchronize()
    }
}

/// How a file is replaced.
struct Replacing {
    /// Whether the old one stays under its name with `~` appended.
    var keepsBackup = false
    /// Whether the new one belongs to whoever runs the tool where it cannot be given to the owner of the old one.
    var allowsNewOwner = false
}

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

    func take(permissionsOf other: FileStatus) throws(SystemError) {
        try descriptor?.take(permissionsOf: other)
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
