/// The state of a file when it was read. It shows whether another program has changed the file since.
///
/// A program that replaces the file changes the identity of the file at the path. One that writes into it changes its
/// size or its time. Both can happen within one tick of the file system's clock, and times can be set. Therefore the
/// bytes of small files are compared, too.
struct FileVersion {
    private let path: String
    /// The path with links resolved, or nil if the file did not exist.
    private let resolved: String?
    /// The status, or nil if the file did not exist.
    private let status: FileStatus?
    /// The bytes that were read, or nil if they are not compared.
    private var bytes: [UInt8]?

    /// Records the state of the file at `path`.
    init(ofFileAt path: String) throws(SystemError) {
        self.path = path
        resolved = FileSystem.resolved(path)
        status = try FileSystem.status(path)
    }

    /// Records the bytes that were read at a path, if it is the path of this file and the file is small.
    mutating func note(_ bytes: [UInt8], readAt path: String) {
        guard status?.mayBeLarge == false, let resolved, FileSystem.resolved(path) == resolved else { return }
        self.bytes = bytes
    }

    /// Throws if the path leads to another file now, or the content has changed.
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

/// A lock that keeps other runs of savetool from changing a file meanwhile. It locks the folder of the file.
///
/// The file itself is not locked, because it is a different file after each replacement and may not exist yet. A lock
/// on the folder leaves no lock file. The lock is advisory: programs that do not request it can change the file, see
/// ``FileVersion``.
final class FolderLock {
    private let folder: Descriptor

    /// Waits for the lock on the folder of the file at `path`, following symbolic links.
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
