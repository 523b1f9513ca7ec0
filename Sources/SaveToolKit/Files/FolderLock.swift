/// Keeps others from changing a file meanwhile who do the same: a lock on the folder that the file is in.
///
/// The folder, as the file is another one after each replacement, or is not there yet; and so nothing is left behind.
/// Advisory: programs that do not ask for the lock do not notice it.
final class FolderLock {
    private let folder: Descriptor

    /// Waits for the lock of the folder of the file at `path`; of a symbolic link, of the file that it leads to.
    init(forFileAt path: String) throws(SystemError) {
        let path = FileSystem.isLink(path) ? FileSystem.resolved(path) ?? path : path
        let name = FileSystem.folder(of: path)
        folder = try Descriptor(opening: name.isEmpty ? "." : name, for: .reading)
        do throws(SystemError) {
            try folder.lock()
        } catch {
            throw error.saysNoLocks ? .noLocks : error
        }
    }
}

extension Invocation {
    /// Does something while no other process does that asks for the lock of the same folder.
    func whileLocked<Result>(folderOf name: String, _ body: () throws -> Result) throws -> Result {
        let lock: FolderLock
        do throws(SystemError) {
            lock = try FolderLock(forFileAt: path(name))
        } catch {
            throw FileError(
                Self.shownName(name),
                error == .noSuchFile ? "there is no such folder" : "its folder cannot be locked: " + error.sentence)
        }
        return try withExtendedLifetime(lock, body)
    }
}
