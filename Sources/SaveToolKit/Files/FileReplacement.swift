/// Writes a file anew so that there is always a whole one: the old until the last byte of the new is on the device, the
/// new from then on.
///
///     old file          written         what happens
///     {"a": 1}          {"a": 1}        nothing: the bytes are compared as they come
///     {"a": 1}          {"a": 2}        from the first difference on the bytes go to a temporary file beside the old,
///                                       which takes its owner, permissions, attributes and name at the end
///     none              {"a": 2}        likewise; the permissions are those of any new file
///
/// What is equal is kept until then, and not copied from the old file, which others may be writing into. Of a large file
/// the temporary one begins before the first difference, and is removed if there is none.
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
    /// How many bytes have come so far.
    private var count = 0
    /// Whether they are those of the old file.
    private var isSame = true
    /// They themselves, until there is a new file.
    private var held: [UInt8] = []
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

    /// So many bytes are held at most.
    private static let mostHeld = 16 << 20

    /// Appends a piece to the new content.
    func write(_ piece: Span<UInt8>) throws(SystemError) {
        if isSame { isSame = try continuesOld(piece) }
        count += piece.count
        if new == nil {
            if isSame, count <= Self.mostHeld { return hold(piece) }
            try startNew()
        }
        try new?.write(piece)
    }

    /// Puts the new content in place of the old. Returns false if they are the same, and nothing was done.
    ///
    /// - Parameter tell: takes what is to be known of a file that is replaced: before that what the new one cannot keep,
    ///   and after it who keeps the old one.
    func commit(_ tell: (String) -> Void = { _ in }) throws(SystemError) -> Bool {
        if isSame, count == oldStatus?.size, old != nil {
            new = nil
            return false
        }
        if new == nil { try startNew() }
        guard let new else { return true }
        let losses = try takeOwnerAndPermissions(new)
        try new.synchronize()
        let backup = replacing.keepsBackup && oldStatus != nil ? try makeBackup() : nil
        for loss in losses { tell("warning: \(loss.sentence)") }
        // All that takes time is done: what others write from here on is lost, as if they had written before.
        try version?.checkUnchanged()
        let isSecondBackup = backup != nil && (try? FileSystem.status(path + "~")) != nil
        try backup?.rename(to: path + "~")
        try takePlace(new)
        if isSecondBackup { tell("what \(FileName.shown(FileSystem.name(of: path)))~ held, an older copy, is gone") }
        if let names = oldStatus?.names, names > 1 {
            let others = names == 2 ? "the other one keeps" : "the others keep"
            tell("the file had \(names) names (hard links); \(others) the old content")
        }
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

    private func hold(_ piece: Span<UInt8>) {
        if held.isEmpty { held.reserveCapacity(min(oldStatus?.size ?? 0, Self.mostHeld)) }
        // Sound: the bytes are copied while they are lent.
        unsafe piece.withUnsafeBufferPointer { unsafe held.append(contentsOf: $0) }
    }

    /// Starts the new file with what has been found to be the same.
    private func startNew() throws(SystemError) {
        let new = try TemporaryFile(beside: path, isPrivate: oldStatus != nil)
        let start = held
        held = []
        try new.write(start.span)
        self.new = new
    }

    /// Gives a file the owner, the attributes and the permissions of the old one, and returns the attributes that it could
    /// not be given. Where the system does not let the owner be kept, that is an error, unless the new owner is wanted; who
    /// may not write the old file cannot take it over in any case.
    private func takeOwnerAndPermissions(_ file: TemporaryFile) throws(SystemError) -> [ExtendedAttributes.Loss] {
        guard let oldStatus else { return [] }
        do throws(SystemError) {
            try file.take(ownerOf: oldStatus)
        } catch {
            guard error == .notPermitted else { throw error }
            guard FileSystem.isWritable(path) else { throw .permissionDenied }
            guard replacing.allowsNewOwner else { throw .cannotKeep(ownerOf: oldStatus) }
            isTakenOver = true
        }
        // Before the permissions: those of a group are wider where there is a list that narrows them.
        let losses = try file.take(attributesOfFileAt: path, keepsAccessList: !isTakenOver)
        try file.take(permissionsOf: oldStatus, isOwner: !isTakenOver)
        return losses
    }

    /// What the old file is to be kept as: a second name for it, or where the file system has no such thing a copy.
    private func makeBackup() throws(SystemError) -> TemporaryFile {
        // So that nobody takes the second name for a leftover.
        _ = old?.locksAtOnce(isShared: true)
        // In a folder such as /tmp a second name for a file of somebody else could not be given another name any more.
        if !isTakenOver, let linked = try? TemporaryFile(linkTo: path) { return linked }
        let copy = try TemporaryFile(beside: path, isPrivate: true)
        try copyOld(to: copy)
        _ = try takeOwnerAndPermissions(copy)
        try copy.synchronize()
        return copy
    }

    /// Copies the old file, if nobody writes into it meanwhile.
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

    /// Makes the device remember the new name. The file is the new one if that fails.
    private func synchronizeFolder() throws(SystemError) {
        let folder = FileSystem.folder(of: path)
        do throws(SystemError) {
            try Descriptor(opening: folder.isEmpty ? "." : folder, for: .reading).synchronize()
        } catch {
            // A folder may let files in without letting itself be read.
            if error != .permissionDenied { throw error.afterReplacement }
        }
    }
}

/// How a file is replaced.
struct Replacing {
    /// Whether the old one stays under its name with `~` appended.
    var keepsBackup = false
    /// Whether the new one belongs to whoever runs the tool where it cannot be given to the owner of the old one.
    var allowsNewOwner = false
}
