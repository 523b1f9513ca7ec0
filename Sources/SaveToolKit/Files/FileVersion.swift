/// What a file was when it was read, by which it is known whether somebody has changed it since.
///
/// Who replaces the file by another one changes which file the path leads to; who writes into it changes its size or its
/// time. Both can happen within one tick of the file system's clock, and times can be set: so the bytes are compared, too,
/// of files that are small enough for that.
struct FileVersion {
    private let path: String
    /// The path behind links; nil if nothing is there.
    private let resolved: String?
    /// Nil if there was no file.
    private let status: FileStatus?
    /// What was read; nil if nothing was.
    private var bytes: [UInt8]?

    /// The file at `path` as it is now.
    init(ofFileAt path: String) throws(SystemError) {
        self.path = path
        resolved = FileSystem.resolved(path)
        status = try FileSystem.status(path)
    }

    /// Notes what was read at a path, if that leads to the file.
    mutating func note(_ bytes: [UInt8], readAt path: String) {
        guard status?.mayBeLarge == false, let resolved, FileSystem.resolved(path) == resolved else { return }
        self.bytes = bytes
    }

    /// Throws if the file is another one now, or has another content.
    func checkUnchanged() throws(SystemError) {
        let present = try FileSystem.status(path)
        guard let status, let present else {
            if (status == nil) == (present == nil) { return }
            throw .changedMeanwhile
        }
        guard present.isSameFile(as: status), present.size == status.size, present.modified == status.modified else {
            throw .changedMeanwhile
        }
        guard let bytes else { return }
        guard try Descriptor(opening: path, for: .reading).readToEnd() == bytes else { throw .changedMeanwhile }
    }
}

// MARK: Locks

/// Keeps others from changing a file meanwhile who do the same: a lock on the folder that the file is in.
///
/// The folder, as the file is another one after each replacement, or is not there yet; and so nothing is left behind.
/// Advisory: programs that do not ask for the lock do not notice it, see ``FileVersion``.
final class FolderLock {
    private let folder: Descriptor

    /// Waits for the lock of the folder of the file at `path`; of a symbolic link, of the file that it leads to.
    init(forFileAt path: String) throws(SystemError) {
        let name = FileSystem.folder(of: FileSystem.target(path))
        folder = try Descriptor(opening: name.isEmpty ? "." : name, for: .reading)
        do throws(SystemError) {
            try folder.lock()
        } catch {
            throw error.saysNoLocks ? .noLocks : error
        }
    }
}
