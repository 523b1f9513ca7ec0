import SaveCodec

/// Rewrites a file so that a complete one always exists: the old file until the last byte of the new one is on the
/// device, and then the new one.
///
///     old file          written         result
///     {"a": 1}          {"a": 1}        no change: the bytes are compared as they arrive
///     {"a": 1}          {"a": 2}        from the first difference on, the bytes go to a temporary file in the same
///                                       folder, which gets the old file's owner, permissions, attributes and finally
///                                       its name
///     none              {"a": 2}        as above, with the permissions of any new file
///
/// Bytes before the first difference are held in memory. They are not copied from the old file, as another program may
/// write into it. If there are many of them, the temporary file is started before the first difference, and removed if
/// no difference follows.
///
/// A symbolic link is followed, and its target is replaced. With a ``FileVersion``, a file that another program has
/// changed meanwhile is not replaced. A backup of the old file has its name with `~` appended. A replacement that is
/// not committed leaves no files.
final class FileReplacement {
    private let path: String
    private let replacing: ReplacementOptions
    private let version: FileVersion?
    private let old: Descriptor?
    private let oldStatus: FileStatus?
    /// The number of bytes written so far.
    private var count = 0
    /// Whether the bytes written so far equal the beginning of the old file.
    private var isSame = true
    /// All bytes written so far; empty once the new file has been started.
    private var held: [UInt8] = []
    private var new: TemporaryFile?
    /// Whether the old file belonged to another user, and the new one does not.
    private var isTakenOver = false

    /// Prepares to replace the file at `path`, which is a regular file or does not exist.
    ///
    /// - Parameter version: The version that the new content is based on. If the file has changed by the end, it is
    ///   not replaced.
    init(of path: String, by replacing: ReplacementOptions, since version: FileVersion? = nil) throws(SystemError) {
        self.path = FileSystem.target(path)
        self.replacing = replacing
        self.version = version
        oldStatus = try FileSystem.status(self.path)
        // An old file that cannot be read can still be replaced; it counts as different.
        old = oldStatus == nil ? nil : try? Descriptor(opening: self.path, for: .reading)
    }

    /// The maximum byte count of ``held``.
    private static let maxHeld = 16 << 20

    /// Appends bytes to the new content.
    func write(_ piece: Span<UInt8>) throws(SystemError) {
        if isSame { isSame = try continuesOld(piece) }
        count += piece.count
        if new == nil {
            if isSame, count <= Self.maxHeld { return hold(piece) }
            try startNew()
        }
        try new?.write(piece)
    }

    /// Replaces the old content with the new. Returns false, without writing, if they are the same.
    ///
    /// - Parameter report: Receives messages. Before the replacement they name attributes that the new file cannot
    ///   keep. After it they name a backup that was overwritten, and other names (hard links) that keep the old content.
    func commit(_ report: (String) -> Void = { _ in }) throws(SystemError) -> Bool {
        if isSame, count == oldStatus?.size, old != nil {
            new = nil
            return false
        }
        if new == nil { try startNew() }
        guard let new else { return true }
        let losses = try takeOwnerAndPermissions(new)
        try new.synchronize()
        let backup = replacing.keepsBackup && oldStatus != nil ? try makeBackup() : nil
        for loss in losses { report("warning: \(loss.sentence)") }
        // The slow part is done. From here on, a change by another program would be lost.
        try version?.checkUnchanged()
        let isSecondBackup = backup != nil && (try? FileSystem.status(path + "~")) != nil
        try backup?.rename(to: path + "~")
        try moveIntoPlace(new)
        if isSecondBackup { report("the older backup \(FileName.shown(FileSystem.name(of: path)))~ was overwritten") }
        if let names = oldStatus?.names, names > 1 {
            let others = names == 2 ? "the other one still has" : "the others still have"
            report("the file had \(names) hard links; \(others) the old content")
        }
        try synchronizeFolder()
        return true
    }

    /// Throws if it is already certain that ``commit(_:)`` would fail. Nothing is changed.
    func rehearse() throws(SystemError) {
        _ = try takeOwnerAndPermissions(try TemporaryFile(beside: path, isPrivate: true))
        if replacing.keepsBackup { _ = try FileSystem.status(path + "~") }
    }

    private func moveIntoPlace(_ new: TemporaryFile) throws(SystemError) {
        do throws(SystemError) {
            try new.rename(to: path)
        } catch {
            throw isTakenOver && error == .notPermitted ? .cannotReplaceInSharedFolder : error
        }
    }

    private func continuesOld(_ piece: Span<UInt8>) throws(SystemError) -> Bool {
        guard let bytes = try old?.read(at: count, count: piece.count) else { return false }
        return piece.holdsSame(as: bytes.span)
    }

    private func hold(_ piece: Span<UInt8>) {
        if held.isEmpty { held.reserveCapacity(min(oldStatus?.size ?? 0, Self.maxHeld)) }
        // Sound: the bytes are copied while they are lent.
        unsafe piece.withUnsafeBufferPointer { unsafe held.append(contentsOf: $0) }
    }

    /// Starts the new file with the bytes held so far.
    private func startNew() throws(SystemError) {
        let new = try TemporaryFile(beside: path, isPrivate: oldStatus != nil)
        let start = held
        held = []
        try new.write(start.span)
        self.new = new
    }

    /// Gives a file the owner, the attributes and the permissions of the old one. Returns the attributes that could not
    /// be copied.
    ///
    /// If the system does not permit keeping the owner, that is an error, unless a new owner is allowed. A user who may
    /// not write the old file cannot take it over in any case.
    private func takeOwnerAndPermissions(_ file: TemporaryFile) throws(SystemError) -> [ExtendedAttributes.CopyFailure]
    {
        guard let oldStatus else { return [] }
        do throws(SystemError) {
            try file.take(ownerOf: oldStatus)
        } catch {
            guard error == .notPermitted else { throw error }
            guard FileSystem.isWritable(path) else { throw .permissionDenied }
            guard replacing.allowsNewOwner else { throw .cannotKeep(ownerOf: oldStatus) }
            isTakenOver = true
        }
        // Before the permissions: if an access control list limits the group, the group's permission bits alone would
        // grant more.
        let losses = try file.take(attributesOfFileAt: path, keepsAccessList: !isTakenOver)
        try file.take(permissionsOf: oldStatus, isOwner: !isTakenOver)
        return losses
    }

    /// Creates the backup under a temporary name: a hard link to the old file, or a copy if that is not possible.
    private func makeBackup() throws(SystemError) -> TemporaryFile {
        // Keeps other runs from treating the link as a leftover.
        _ = old?.locksAtOnce(isShared: true)
        // A link to another user's file could not be renamed.
        if !isTakenOver, let linked = try? TemporaryFile(linkTo: path) { return linked }
        let copy = try TemporaryFile(beside: path, isPrivate: true)
        try copyOld(to: copy)
        _ = try takeOwnerAndPermissions(copy)
        try copy.synchronize()
        return copy
    }

    /// Copies the old file. Throws if another program changes it meanwhile.
    private func copyOld(to file: TemporaryFile) throws(SystemError) {
        guard old != nil else { throw .permissionDenied }
        var position = 0
        while let piece = try old?.read(at: position, count: 1 << 18), !piece.isEmpty {
            try file.write(piece.span)
            position += piece.count
        }
        guard let status = try old?.status(), position == oldStatus?.size, status.modified == oldStatus?.modified else {
            throw .changedMeanwhile
        }
    }

    /// Makes the new name durable. If this fails, the file has been replaced nonetheless.
    private func synchronizeFolder() throws(SystemError) {
        let folder = FileSystem.folder(of: path)
        do throws(SystemError) {
            try Descriptor(opening: folder.isEmpty ? "." : folder, for: .reading).synchronize()
        } catch {
            // A folder may permit creating files, but not reading the folder itself.
            if error != .permissionDenied { throw error.afterReplacement }
        }
    }
}

/// The options for replacing a file.
struct ReplacementOptions {
    /// Whether the old file is kept under its name with `~` appended.
    var keepsBackup = false
    /// Whether the new file may belong to the user who runs the tool if it cannot be given to the old file's owner.
    var allowsNewOwner = false
}
