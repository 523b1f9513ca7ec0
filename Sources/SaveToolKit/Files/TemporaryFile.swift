import SaveCodec

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file under a random name, in the folder of the file that it will replace.
///
/// It is removed unless it is renamed, and also by signals that end the process, see ``TerminationSignals``. If the
/// process is killed, the file stays. It is locked as long as the process runs, so a file without a lock is a leftover,
/// see ``removeLeftovers(inFolder:)``.
final class TemporaryFile {
    private let path: String
    private let descriptor: Descriptor?
    private let removal: TerminationSignals.Removal
    private var isRenamed = false

    /// Creates an empty file. If it is private, only the user can read it; otherwise it has the permissions of any new
    /// file.
    init(beside other: String, isPrivate: Bool) throws(SystemError) {
        while true {
            let path = Self.name(beside: other)
            let removal = TerminationSignals.Removal(of: path)
            let descriptor = try Descriptor(opening: path, for: .creating(permissions: isPrivate ? 0o600 : 0o666))
            // Another run may have removed the new file as a leftover before it was locked. On a file system without
            // locks, no run removes leftovers.
            if (try? descriptor.lock()) != nil, let present = try? FileSystem.status(path) == nil, present { continue }
            self.path = path
            self.removal = removal
            self.descriptor = consume descriptor
            return
        }
    }

    /// Creates a second name for an existing file, which the caller must have locked.
    init(linkTo other: String) throws(SystemError) {
        path = Self.name(beside: other)
        removal = TerminationSignals.Removal(of: path)
        descriptor = nil
        try FileSystem.link(other, as: path)
    }

    deinit {
        if !isRenamed { FileSystem.remove(path) }
    }

    func write(_ bytes: Span<UInt8>) throws(SystemError) {
        try descriptor?.write(bytes)
    }

    func take(ownerOf other: FileStatus) throws(SystemError) {
        try descriptor?.take(ownerOf: other)
    }

    /// Gives the file the attributes of the file at `path`. Returns the attributes that could not be copied.
    func take(
        attributesOfFileAt path: String, keepsAccessList: Bool
    ) throws(SystemError) -> [ExtendedAttributes.CopyFailure] {
        try descriptor?.take(attributesOfFileAt: path, keepsAccessList: keepsAccessList) ?? []
    }

    func take(permissionsOf other: FileStatus, isOwner: Bool) throws(SystemError) {
        try descriptor?.take(permissionsOf: other, isOwner: isOwner)
    }

    func synchronize() throws(SystemError) {
        try descriptor?.synchronize()
    }

    /// Renames the file to `destination`, replacing a file of that name.
    func rename(to destination: String) throws(SystemError) {
        try FileSystem.rename(path, to: destination)
        // If this is a link and `destination` is a name of the same file, the system keeps both names. `deinit` then
        // removes this one.
        isRenamed = descriptor != nil
    }

    // MARK: Names

    private static let prefix = ".savetool-"
    private static let ending = ".tmp"
    private static let digits = 13

    /// Returns a random name. It is short, so that a file system accepts it if it accepts the other name.
    private static func name(beside other: String) -> String {
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let zeros = String(repeating: "0", count: digits - number.utf8.count)
        return FileSystem.folder(of: other) + prefix + zeros + number + ending
    }

    /// Whether a name has the form of a temporary file's name.
    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(ending) else { return false }
        let random = name.utf8.dropFirst(prefix.utf8.count).dropLast(ending.utf8.count)
        return random.count == digits
            && random.allSatisfy { $0.isDigit || (0x61...0x7A).contains($0) }
    }

    /// Removes the files that killed runs left in a folder. A file that cannot be removed stays.
    ///
    /// - Parameter folder: The path with the `/` at its end; empty for the working folder.
    static func removeLeftovers(inFolder folder: String) {
        let names = try? FileSystem.names(inFolder: folder.isEmpty ? "." : folder, beginningWith: prefix)
        for name in names ?? [] where isTemporary(name) {
            let path = folder + name
            guard !FileSystem.isLink(path), let status = try? FileSystem.status(path), status.kind == .regular,
                status.hasRightsOfOwner, let file = try? Descriptor(opening: path, for: .reading), file.locksAtOnce()
            else { continue }
            FileSystem.remove(path)
        }
    }
}

// MARK: Private files

/// A file for another program, in a new folder that only the user can read. Both are removed with this object, unless
/// ``keep()`` was called.
final class PrivateFile {
    let path: String
    private let folder: String
    private var isKept = false

    /// Creates a file in a new folder within `parent`.
    init(named name: String, in parent: String, _ bytes: [UInt8]) throws(SystemError) {
        var template = FileName.cString(parent + "/savetool-XXXXXX")
        // Sound: the template ends in zero, and the system overwrites only letters before that.
        guard unsafe mkdtemp(&template) != nil else { throw .last }
        folder = FileName.text(template.dropLast().map { UInt8(bitPattern: $0) })
        path = folder + "/" + name
        try Descriptor(opening: path, for: .creating(permissions: 0o600)).write(bytes.span)
    }

    deinit {
        guard !isKept else { return }
        // Editors leave copies beside a file.
        for name in (try? FileSystem.names(inFolder: folder)) ?? [] {
            FileSystem.remove(folder + "/" + name)
        }
        // Sound: the path ends in zero and outlives the call.
        _ = unsafe rmdir(FileName.cString(folder))
    }

    func read() throws(SystemError) -> [UInt8] {
        try Descriptor.openingRegular(path).readToEnd()
    }

    func replace(with bytes: [UInt8]) throws(SystemError) {
        FileSystem.remove(path)
        try Descriptor(opening: path, for: .creating(permissions: 0o600)).write(bytes.span)
    }

    /// Prevents the removal of the file and its folder.
    func keep() {
        isKept = true
    }
}
